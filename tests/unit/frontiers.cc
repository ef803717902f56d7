// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/continuation.h"
#include "support/faulty_system.h"

#include <slender/statics/frontier.h>
#include <slender/statics/stability.h>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  // Euler, and Greenhill: 9/4 of the square of the first zero of J(-1/3).
  const double euler = pi * pi / 4.;
  const double greenhill =
    9. / 4. * std::pow(boost::math::cyl_bessel_j_zero(-1. / 3., 1), 2);

  struct Tracked
  {
    std::vector<FrontierPoint> points;
    FrontierEnd                end = FrontierEnd::stopped;
  };

  /// From the first bifurcation under the end force, as gravity grows; with
  /// its mode, or with the next one.
  Tracked
  track_column(System         &model,
               FrontierOptions options,
               const bool      with_next_mode = false)
  {
    BranchOptions along;
    along.maximum = 3.;
    const BranchPoint first =
      follow(model, "end force", along).of_kind(PointKind::bifurcation).at(0);
    Controls controls(model, {"end force", "gravity"});
    controls.set({first.parameter, 0.});
    options.minimum   = {{0., 0.}};
    options.maximum   = {{3., 15.}};
    const Vector mode = with_next_mode
                          ? lowest_eigenpairs(model, first.q, 2).at(1).mode
                          : first.null_vector;
    Tracked      frontier;
    frontier.end =
      FrontierTracker(controls, NewtonOptions(), options)
        .track(first.q, mode, 1, 1, [&](const FrontierPoint &point) {
          frontier.points.push_back(point);
          return true;
        });
    return frontier;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(frontiers)

BOOST_DATA_TEST_CASE(a_heavy_column_buckles_between_euler_and_greenhill,
                     data::make(both_kinds) * data::make({0, 1, 2}),
                     kind,
                     method)
{
  const auto      rod = make_rod(kind, column(), column_mesh(kind));
  FrontierOptions options;
  options.method         = static_cast<FrontierMethod>(method);
  options.largest_step   = 0.05;
  const Tracked frontier = track_column(*rod, options);
  BOOST_TEST((frontier.end == FrontierEnd::left_box));
  BOOST_REQUIRE(frontier.points.size() > 5);
  const double error = kind == Kind::kirchhoff ? 1e-6 : 1e-4;
  BOOST_TEST(frontier.points.front().controls[0] == euler,
             boost::test_tools::tolerance(error));
  BOOST_TEST(std::abs(frontier.points.back().controls[0]) < 1e-12);
  BOOST_TEST(frontier.points.back().controls[1] == greenhill,
             boost::test_tools::tolerance(error));
  for (const FrontierPoint &point : frontier.points)
    BOOST_TEST(std::abs(point.slack) < 1e-8);
}

BOOST_DATA_TEST_CASE(of_two_modes_the_lower_one_is_tracked,
                     data::make({1., 1.0001, 1.01}),
                     ratio)
{
  // Together by a symmetry, and less far apart than a search resolves.
  RodBody body   = column();
  body.bending_2 = ratio;
  const auto rod =
    make_rod(Kind::kirchhoff, body, column_mesh(Kind::kirchhoff));
  FrontierOptions options;
  options.largest_step   = 0.05;
  const Tracked frontier = track_column(*rod, options, ratio < 1.001);
  BOOST_TEST((frontier.end == FrontierEnd::left_box));
  BOOST_TEST(frontier.points.front().controls[0] == euler,
             boost::test_tools::tolerance(1e-6));
  BOOST_TEST(frontier.points.back().controls[1] == greenhill,
             boost::test_tools::tolerance(1e-6));
  for (const FrontierPoint &point : frontier.points)
    BOOST_TEST((point.doubt > 0.) == (ratio == 1.0001));
}

BOOST_AUTO_TEST_CASE(a_fold_is_no_pitchfork)
{
  const auto    rod = make_rod(Kind::kirchhoff, arch(), mesh_of(8, 4));
  BranchOptions along;
  along.maximum      = 50.;
  along.largest_step = 0.02;
  const BranchPoint fold =
    follow(*rod, "gravity", along).of_kind(PointKind::fold).at(0);
  FrontierOptions options;
  options.minimum      = {{0., -0.05}};
  options.maximum      = {{50., 0.02}};
  options.largest_step = 0.05;
  Controls controls(*rod, {"gravity", "end displacement"});
  controls.set({fold.parameter, 0.});
  const FrontierEnd end =
    FrontierTracker(controls, NewtonOptions(), options)
      .track(fold.q, fold.null_vector, 1, 1, [](const FrontierPoint &) {
        return true;
      });
  BOOST_TEST((end == FrontierEnd::no_symmetry));
}

BOOST_AUTO_TEST_CASE(the_symmetric_state_may_be_anywhere)
{
  // Away from the origin, with directors that mix all unknowns.
  RodBody body        = column();
  body.bending_2      = 1.;
  body.bending_1      = 100.;
  body.start.position = Vector3(0.3, -0.2, 0.1);
  body.start_frame    = {Vector3::UnitZ(), {1., 0.7, 0.}};
  const auto rod =
    make_rod(Kind::kirchhoff, body, column_mesh(Kind::kirchhoff));
  FrontierOptions options;
  options.largest_step   = 0.05;
  const Tracked frontier = track_column(*rod, options);
  BOOST_TEST((frontier.end == FrontierEnd::left_box));
  BOOST_TEST(frontier.points.back().controls[1] == greenhill,
             boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(folds_are_tracked_and_agree_with_branches)
{
  const auto    rod = make_rod(Kind::kirchhoff, arch(), mesh_of(8, 4));
  BranchOptions along;
  along.maximum      = 50.;
  along.largest_step = 0.02;
  const auto fold_at = [&](const double displacement) {
    rod->set_parameter("gravity", 0.);
    rod->set_parameter("end displacement", 0.);
    const Equilibrium start =
      EquilibriumSolver(*rod, NewtonOptions())
        .load(rod->initial_state(), {{"end displacement", displacement}});
    return follow(*rod, "gravity", along, start.q)
      .of_kind(PointKind::fold)
      .at(0);
  };
  const BranchPoint   first = fold_at(0.);
  std::vector<double> ends;
  for (const FrontierMethod method : {FrontierMethod::bordered,
                                      FrontierMethod::moore_spence,
                                      FrontierMethod::minimally_augmented})
    {
      FrontierOptions options;
      options.kind         = FrontierKind::fold;
      options.method       = method;
      options.minimum      = {{0., -0.05}};
      options.maximum      = {{50., 0.02}};
      options.largest_step = 0.05;
      Controls controls(*rod, {"gravity", "end displacement"});
      controls.set({first.parameter, 0.});
      FrontierPoint     last;
      const FrontierEnd end =
        FrontierTracker(controls, NewtonOptions(), options)
          .track(
            first.q, first.null_vector, 1, 1, [&](const FrontierPoint &point) {
              last = point;
              return true;
            });
      BOOST_TEST((end == FrontierEnd::left_box));
      BOOST_TEST(std::abs(last.controls[1] - 0.02) < 1e-12);
      ends.push_back(last.controls[0]);
    }
  const double found = fold_at(0.02).parameter;
  BOOST_TEST(ends[0] == found, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(ends[1] == ends[0], boost::test_tools::tolerance(1e-8));
  BOOST_TEST(ends[2] == ends[0], boost::test_tools::tolerance(1e-8));
}

BOOST_DATA_TEST_CASE(a_cusp_of_folds_is_named_where_it_is,
                     data::make({1e6, 1e8, 1e10}),
                     stiffness)
{
  Mesh mesh         = mesh_of(8, 4);
  mesh.constraint   = stiffness;
  const auto    rod = make_rod(Kind::kirchhoff, arch(), mesh);
  BranchOptions along;
  along.maximum      = 50.;
  along.largest_step = 0.02;
  const auto folds   = follow(*rod, "gravity", along).of_kind(PointKind::fold);
  BOOST_REQUIRE(folds.size() == 2);
  FrontierOptions options;
  options.kind         = FrontierKind::fold;
  options.minimum      = {{0., 0.}};
  options.maximum      = {{50., 0.1}};
  options.largest_step = 0.05;
  std::vector<std::array<double, 2>> cusps;
  // Where it is does not hang on the steps.
  for (const double first_step : {0.01, 0.03})
    {
      options.first_step = first_step;
      Controls controls(*rod, {"gravity", "end displacement"});
      controls.set({folds[0].parameter, 0.});
      FrontierPoint     last;
      const FrontierEnd end =
        FrontierTracker(controls, NewtonOptions(), options)
          .track(folds[0].q,
                 folds[0].null_vector,
                 1,
                 1,
                 [&](const FrontierPoint &point) {
                   if (point.event == FrontierEvent::cusp)
                     cusps.push_back(point.controls);
                   last = point;
                   return true;
                 });
      // It goes on along the other fold.
      BOOST_TEST((end == FrontierEnd::left_box));
      BOOST_TEST(std::abs(last.controls[1]) < 1e-12);
      BOOST_TEST(last.controls[0] == folds[1].parameter,
                 boost::test_tools::tolerance(1e-6));
    }
  BOOST_REQUIRE(cusps.size() == 2);
  BOOST_TEST(std::abs(cusps[0][0] - cusps[1][0]) < 50. * 1e-5);
  BOOST_TEST(std::abs(cusps[0][1] - cusps[1][1]) < 0.1 * 1e-5);
}

BOOST_AUTO_TEST_CASE(a_second_mode_makes_a_double_pitchfork)
{
  // Free above in the plane of x and z; its end is held in y, where it is
  // softer. Weight matters more for the one than for the other.
  RodBody body            = column();
  body.bending_2          = 0.13;
  body.end.position_fixed = {{false, true, false}};
  const auto rod =
    make_rod(Kind::kirchhoff, body, column_mesh(Kind::kirchhoff));
  FrontierOptions options;
  options.largest_step   = 0.05;
  const Tracked frontier = track_column(*rod, options);
  BOOST_TEST((frontier.end == FrontierEnd::left_box));
  std::vector<FrontierPoint> events;
  for (const FrontierPoint &point : frontier.points)
    if (point.event != FrontierEvent::none)
      events.push_back(point);
  BOOST_REQUIRE(events.size() == 1);
  BOOST_TEST((events[0].event == FrontierEvent::double_pitchfork));
  Controls controls(*rod, {"end force", "gravity"});
  controls.set({events[0].controls[0], events[0].controls[1]});
  const auto   pairs = lowest_eigenpairs(*rod, events[0].q, 3);
  const double third = pairs.at(2).value;
  BOOST_TEST(std::abs(pairs[0].value) < 1e-4 * third);
  BOOST_TEST(std::abs(pairs[1].value) < 1e-4 * third);
  // From there on the other one is unstable before.
  BOOST_TEST(frontier.points.front().outlook.n_unstable == 0);
  BOOST_TEST(frontier.points.back().outlook.n_unstable == 1);
}

BOOST_AUTO_TEST_CASE(frontiers_that_avoid_each_other_are_not_mixed_up)
{
  // A twisted column between clamps whose section is not round: the loads of
  // its two lowest modes come close to each other, and do not cross.
  RodBody body            = column();
  body.bending_2          = 1.6080757675429962;
  body.twisting           = 1.0549604126977346;
  body.end.position_fixed = {{true, true, false}};
  body.end.rotation       = RodEnd::Rotation::fixed;
  body.end.rotation_axis  = Vector3::UnitZ();
  const auto    rod       = make_rod(Kind::kirchhoff, body, mesh_of(16, 4));
  BranchOptions along;
  along.maximum = 15.;
  const auto first =
    follow(*rod, "end rotation", along).of_kind(PointKind::bifurcation).at(0);
  FrontierOptions options;
  options.minimum      = {{0., 0.}};
  options.maximum      = {{25., 70.}};
  options.first_step   = 0.02;
  options.largest_step = 0.1;
  Controls controls(*rod, {"end rotation", "end force"});
  controls.set({first.parameter, 0.});
  FrontierPoint     last;
  const FrontierEnd end =
    FrontierTracker(controls, NewtonOptions(), options)
      .track(first.q, first.null_vector, 1, 1, [&](const FrontierPoint &point) {
        BOOST_TEST(point.outlook.n_unstable == 0);
        BOOST_TEST((point.event == FrontierEvent::none));
        last = point;
        return true;
      });
  BOOST_TEST((end == FrontierEnd::left_box));
  // The edge of the box, to the round-off of a step of 0.1.
  BOOST_TEST(std::abs(last.controls[0]) < 1e-16);
  BOOST_TEST(last.controls[1] == 4. * pi * pi,
             boost::test_tools::tolerance(1e-5));
}

BOOST_DATA_TEST_CASE(an_arch_whose_end_is_moved_sways_with_its_mirror,
                     data::make({1e7, 1e9}),
                     stiffness)
{
  // It tips over out of its plane. The next soft mode is to sway in the plane;
  // no load seems to work on it, but half of the end's motion is along it.
  const double angle       = 1.7234680587565865;
  RodBody      body        = arch();
  body.axial               = 0.;
  body.bending_2           = 1.01;
  body.twisting            = 1.3182766686785703;
  body.natural_curvature_1 = angle;
  body.initial_strain      = body.natural_strain();
  body.start_frame         = {{std::cos(angle / 2.), 0., std::sin(angle / 2.)},
                              Vector3::UnitY()};
  Mesh mesh                = mesh_of(16, 4);
  mesh.constraint          = stiffness;
  const auto    rod        = make_rod(Kind::kirchhoff, body, mesh);
  BranchOptions along;
  along.maximum           = 80.;
  const auto pitchfork_at = [&](const double displacement) {
    rod->set_parameter("gravity", 0.);
    rod->set_parameter("end displacement", 0.);
    const Equilibrium start =
      EquilibriumSolver(*rod, NewtonOptions())
        .load(rod->initial_state(), {{"end displacement", displacement}});
    return follow(*rod, "gravity", along, start.q)
      .of_kind(PointKind::bifurcation)
      .at(0);
  };
  const BranchPoint first = pitchfork_at(0.);
  FrontierOptions   options;
  options.minimum      = {{0., -0.02}};
  options.maximum      = {{250., 0.02}};
  options.first_step   = 0.02;
  options.largest_step = 0.1;
  Controls controls(*rod, {"gravity", "end displacement"});
  controls.set({first.parameter, 0.});
  FrontierPoint     last;
  const FrontierEnd end =
    FrontierTracker(controls, NewtonOptions(), options)
      .track(first.q, first.null_vector, 1, 1, [&](const FrontierPoint &point) {
        last = point;
        return true;
      });
  BOOST_TEST((end == FrontierEnd::left_box));
  BOOST_TEST(last.controls[0] == pitchfork_at(0.02).parameter,
             boost::test_tools::tolerance(1e-6));
}

BOOST_DATA_TEST_CASE(modes_that_are_one_by_a_symmetry_make_no_event,
                     data::make({1e6, 1e8, 1e10}),
                     stiffness)
{
  // A round column between clamps may buckle in any direction: on all of its
  // frontier two modes are critical together, and none before.
  RodBody body            = column();
  body.bending_2          = 1.;
  body.twisting           = 1.;
  body.end.position_fixed = {{true, true, false}};
  body.end.rotation       = RodEnd::Rotation::fixed;
  body.end.rotation_axis  = Vector3::UnitZ();
  Mesh mesh               = mesh_of(32, 4);
  mesh.constraint         = stiffness;
  const auto    rod       = make_rod(Kind::kirchhoff, body, mesh);
  BranchOptions along;
  along.maximum = 15.;
  const auto first =
    follow(*rod, "end rotation", along).of_kind(PointKind::bifurcation).at(0);
  FrontierOptions options;
  options.minimum      = {{0., 0.}};
  options.maximum      = {{16., 45.}};
  options.first_step   = 0.01;
  options.largest_step = 0.03;
  Controls controls(*rod, {"end rotation", "end force"});
  controls.set({first.parameter, 0.});
  FrontierPoint     last;
  const FrontierEnd end =
    FrontierTracker(controls, NewtonOptions(), options)
      .track(first.q, first.null_vector, 1, 1, [&](const FrontierPoint &point) {
        BOOST_TEST(point.outlook.n_unstable == 0);
        BOOST_TEST((point.event == FrontierEvent::none));
        last = point;
        return true;
      });
  BOOST_TEST((end == FrontierEnd::left_box));
  BOOST_TEST(last.controls[1] == 4. * pi * pi,
             boost::test_tools::tolerance(1e-6));
}

BOOST_DATA_TEST_CASE(failures_on_the_way_are_recovered_from,
                     data::make({true, false}),
                     is_linear_solver)
{
  const auto rod =
    make_rod(Kind::kirchhoff, column(), column_mesh(Kind::kirchhoff));
  FaultySystem faulty(*rod);
  (is_linear_solver ? faulty.is_singular : faulty.is_undefined) =
    [](const int n) { return n % 41 == 0 || n % 97 == 0 || n % 97 == 1; };
  FrontierOptions options;
  options.largest_step   = 0.005;
  const Tracked frontier = track_column(faulty, options);
  BOOST_TEST((is_linear_solver ? faulty.n_hessians : faulty.n_gradients) > 401);
  BOOST_TEST((frontier.end == FrontierEnd::left_box));
  BOOST_TEST(frontier.points.back().controls[1] == greenhill,
             boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(there_is_no_frontier_away_from_a_bifurcation)
{
  RodBody pulled             = column();
  pulled.end_force_direction = pulled.gravity_direction = Vector3::UnitZ();
  const auto rod =
    make_rod(Kind::kirchhoff, pulled, column_mesh(Kind::kirchhoff));
  Controls        controls(*rod, {"end force", "gravity"});
  FrontierOptions options;
  options.minimum = {{0., 0.}};
  options.maximum = {{3., 15.}};
  Vector mode     = rod->initial_state();
  mode.setOnes();
  const FrontierEnd end =
    FrontierTracker(controls, NewtonOptions(), options)
      .track(rod->initial_state(), mode, 1, 1, [](const FrontierPoint &) {
        return true;
      });
  BOOST_TEST((end == FrontierEnd::no_bifurcation));
}

BOOST_AUTO_TEST_SUITE_END()
