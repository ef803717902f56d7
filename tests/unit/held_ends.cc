// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/loaded_rod.h"

#include <slender/models/rods/quaternion.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  struct Beam
  {
    std::string name;
    RodEnd      start, end;
    double      deflection; ///< where it is measured, over w L^4 / B
    double      position;
  };

  std::ostream &
  operator<<(std::ostream &stream, const Beam &beam)
  {
    return stream << beam.name;
  }

  RodEnd
  slide_along_x(const RodEnd::Rotation rotation)
  {
    RodEnd end;
    end.position_fixed = {{false, true, true}};
    end.rotation       = rotation;
    return end;
  }

  RodEnd
  hinge(const RodEnd::Rotation rotation)
  {
    RodEnd end   = RodEnd::clamped();
    end.rotation = rotation;
    return end;
  }

  /// Beams along x, bent about y, from tables of linear beam theory.
  std::vector<Beam>
  beams()
  {
    using Rotation = RodEnd::Rotation;
    return {{"hinged, hinged",
             hinge(Rotation::about_y),
             slide_along_x(Rotation::about_y),
             5. / 384.,
             0.5},
            {"clamped, clamped",
             RodEnd::clamped(),
             slide_along_x(Rotation::fixed),
             1. / 384.,
             0.5},
            {"spinning clamps",
             RodEnd::clamped(),
             slide_along_x(Rotation::about_x),
             1. / 384.,
             0.5},
            {"clamped, hinged",
             RodEnd::clamped(),
             slide_along_x(Rotation::about_y),
             1. / 192.,
             0.5},
            {"clamped, pinned",
             RodEnd::clamped(),
             slide_along_x(Rotation::free),
             1. / 192.,
             0.5},
            {"hinged, clamped",
             hinge(Rotation::about_y),
             slide_along_x(Rotation::fixed),
             1. / 192.,
             0.5},
            {"hinge about the wrong axis",
             RodEnd::clamped(),
             slide_along_x(Rotation::about_z),
             1. / 384.,
             0.5}};
  }
} // namespace



BOOST_AUTO_TEST_SUITE(held_ends)

BOOST_DATA_TEST_CASE(a_clamp_bears_the_loads_of_the_rod,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.length              = 2.;
  body.mass_per_length     = 0.5;
  body.end_force_direction = {0., 3., 4.};
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", 9.}, {"end force", 2.5}});
  const Vector3 reaction = rod.rod->reaction(rod.state.q, RodSide::start);
  // Exact for the discrete equilibrium, whatever the mesh, up to what round-off
  // in the stiff stretch leaves of the residual.
  BOOST_TEST((reaction - Vector3(0., -1.5, -2. + 9.)).norm() < 1e-5);
  BOOST_TEST(rod.rod->reaction(rod.state.q, RodSide::end).norm() == 0.);
}

BOOST_DATA_TEST_CASE(a_clamp_can_be_turned_many_times,
                     data::make(both_kinds),
                     kind)
{
  // Four turns of a rod whose torsional stiffness is so small that it stays
  // straight: energy GJ phi^2 / (2 L). With three segments more than a full
  // turn sits in each joint.
  RodBody body;
  body.twisting          = 0.1;
  body.end               = RodEnd::clamped();
  body.end.rotation_axis = Vector3::UnitX();
  const auto rod =
    make_rod(kind, body, mesh_of(kind == Kind::kirchhoff ? 16 : 3, 4));
  EquilibriumSolver solver(*rod, NewtonOptions());
  Equilibrium       state;
  state.q = rod->initial_state();
  for (int half_turns = 1; half_turns <= 8; ++half_turns)
    {
      const double angle = half_turns * pi;
      state              = solver.load(state.q, {{"end rotation", angle}});
      BOOST_TEST(state.converged());
      // The elements interpolate a rotation of 90 degrees each in the end.
      BOOST_TEST(std::abs(find_measurement(rod->measure(state.q), "energy") -
                          0.05 * angle * angle) < 1e-3);
      BOOST_TEST(solver.inertia(state.q).negative == 0);
    }
}

BOOST_DATA_TEST_CASE(beams_sag_as_their_ends_allow,
                     data::make(both_kinds) * data::make(beams()),
                     kind,
                     beam)
{
  RodBody body;
  body.start                   = beam.start;
  body.end                     = beam.end;
  const double load_per_length = 1e-3;
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", load_per_length}});
  const auto   stations = rod.rod->stations(rod.state.q);
  const double sag      = -stations[stations.size() / 2].position.z();
  BOOST_TEST_MESSAGE(kind << ", " << beam.name << ": sag "
                          << sag / (load_per_length * beam.deflection));
  BOOST_TEST(std::abs(sag / (load_per_length * beam.deflection) - 1.) <
             error_of(kind));
}

BOOST_DATA_TEST_CASE(ends_work_the_same_however_the_rod_lies_in_space,
                     data::make(both_kinds) * data::make(beams()),
                     kind,
                     beam)
{
  // The beams once more, standing along z, bent about x by a load along y: the
  // axes x, y, z of before have become z, x, y.
  const auto turned = [](const RodEnd &end) {
    using Rotation = RodEnd::Rotation;
    RodEnd result  = end;
    for (int i = 0; i < 3; ++i)
      result.position_fixed[(i + 2) % 3] = end.position_fixed[i];
    result.rotation = end.rotation == Rotation::about_x   ? Rotation::about_z
                      : end.rotation == Rotation::about_y ? Rotation::about_x
                      : end.rotation == Rotation::about_z ? Rotation::about_y
                                                          : end.rotation;
    return result;
  };
  RodBody body;
  body.start                   = turned(beam.start);
  body.end                     = turned(beam.end);
  body.start_frame             = {Vector3::UnitZ(), Vector3::UnitX()};
  body.gravity_direction       = -Vector3::UnitY();
  const double load_per_length = 1e-3;
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", load_per_length}});
  const auto   stations = rod.rod->stations(rod.state.q);
  const double sag      = -stations[stations.size() / 2].position.y();
  BOOST_TEST(std::abs(sag / (load_per_length * beam.deflection) - 1.) <
             error_of(kind));
}

BOOST_DATA_TEST_CASE(a_hinge_lets_a_rod_swing_about_its_axis_alone,
                     data::make(both_kinds),
                     kind)
{
  // A rod at 45 degrees to the vertical axis of its hinge, swung from the x-z
  // plane into the vertical plane of a force at its end: it rests there as if
  // it were clamped, its frame turned with it.
  RodBody body;
  body.bending_2           = 2.;
  body.twisting            = 0.8;
  body.end_force           = 0.5;
  body.end_force_direction = {1., 1., 0.};
  RodBody clamped          = body;
  clamped.start_frame      = {{1., 1., std::sqrt(2.)}, {-1., 1., 0.}};
  body.start_frame         = {{1., 0., 1.}, {0., 1., 0.}};
  body.start.rotation      = RodEnd::Rotation::about_z;

  const auto        swinging = make_rod(kind, body, fine_mesh(kind));
  const auto        resting  = make_rod(kind, clamped, fine_mesh(kind));
  const Equilibrium swung =
    EquilibriumSolver(*swinging, NewtonOptions())
      .solve(
        swinging->moved(swinging->initial_state(),
                        quaternion::from_axis_angle(Vector3::UnitZ(), pi / 4),
                        Vector3::Zero()));
  const Equilibrium rested = EquilibriumSolver(*resting, NewtonOptions())
                               .solve(resting->initial_state());
  BOOST_TEST(swung.converged());
  BOOST_TEST(rested.converged());
  const auto expected  = resting->stations(rested.q);
  const auto actual    = swinging->stations(swung.q);
  double     positions = 0., frames = 0., strains = 0.;
  for (std::size_t i = 0; i < expected.size(); ++i)
    {
      positions =
        std::max(positions, (actual[i].position - expected[i].position).norm());
      frames = std::max(frames,
                        (quaternion::to_matrix(actual[i].frame) -
                         quaternion::to_matrix(expected[i].frame))
                          .norm());
      strains =
        std::max(strains, (actual[i].strain - expected[i].strain).norm());
    }
  BOOST_TEST(positions < 1e-9);
  BOOST_TEST(frames < 1e-9);
  BOOST_TEST(strains < 1e-7);
}

BOOST_DATA_TEST_CASE(hinged_segments_meet_hinged_elements_with_second_order,
                     data::make({true, false}),
                     at_start)
{
  // A hinge oblique to the directors of a strip that is curved and twisted at
  // rest: everything that the half edge between a hinge and the first edge can
  // get wrong, which would be an error of first order.
  RodBody body;
  body.bending_2         = 3.;
  body.twisting          = 0.7;
  body.gravity_direction = {0., 0.5, -1.};
  body.start_frame    = {Vector3::UnitX(), {0., std::cos(0.5), std::sin(0.5)}};
  body.start.rotation = RodEnd::Rotation::free;
  body.end.position_fixed                     = {{false, true, true}};
  (at_start ? body.start : body.end).rotation = RodEnd::Rotation::about_y;
  const std::vector<LoadTarget> targets       = {{"gravity", 5.},
                                                 {"natural twist", 0.5},
                                                 {"natural curvature 1", -0.6},
                                                 {"natural curvature 2", 0.4}};
  const auto middle = [&](const Kind kind, const int pieces) -> Vector3 {
    const Loaded rod      = load(kind, body, mesh_of(pieces, 4), targets);
    const auto   stations = rod.rod->stations(rod.state.q);
    return stations[stations.size() / 2].position;
  };
  const Vector3       expected = middle(Kind::kirchhoff, 16);
  std::vector<double> errors;
  for (const int segments : {32, 64, 128})
    {
      errors.push_back((middle(Kind::discrete, segments) - expected).norm());
      BOOST_TEST_MESSAGE("hinge, " << segments << " segments: error "
                                   << errors.back());
    }
  for (const double order : orders(errors))
    BOOST_TEST(order > 1.9);
}

BOOST_AUTO_TEST_SUITE_END()
