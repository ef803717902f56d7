// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/continuation.h"
#include "support/faulty_system.h"

#include <slender/statics/buckled_state.h>
#include <slender/statics/stability.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/tools/roots.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;
  using boost::math::ellint_1;
  using boost::math::ellint_2;

  BranchOptions
  column_options()
  {
    BranchOptions options;
    options.maximum = 10.;
    return options;
  }

  BranchOptions
  arch_options()
  {
    BranchOptions options;
    options.maximum      = 50.;
    options.first_step   = 0.01;
    options.largest_step = 0.02;
    return options;
  }

  /// Tip of a clamped-free elastica under an end force P > pi^2/4 against its
  /// axis: sqrt(P) = K(k), height 2 E(k)/K(k) - 1, deflection 2 k/K(k).
  struct Elastica
  {
    explicit Elastica(const double force)
    {
      const double   root    = std::sqrt(force);
      std::uintmax_t n       = 100;
      const auto     bracket = boost::math::tools::toms748_solve(
        [root](const double k) { return ellint_1(k) - root; },
        1e-9,
        1. - 1e-12,
        boost::math::tools::eps_tolerance<double>(50),
        n);
      const double k = 0.5 * (bracket.first + bracket.second);
      height         = 2. * ellint_2(k) / root - 1.;
      deflection     = 2. * k / root;
    }

    double height, deflection;
  };

  /// What acts on it is looked for at each state, and no search may go far at
  /// once.
  class NarrowSystem : public Structure
  {
  public:
    NarrowSystem(System &system, const double a_longest_move)
      : Structure(system)
      , longest_move(a_longest_move)
    {}

    void
    survey(const Vector &q) override
    {
      surveyed = q;
      Structure::survey(q);
    }

    double
    longest_step(const Vector &q, const Vector &direction) const override
    {
      BOOST_TEST((q == surveyed));
      return longest_move / direction.norm();
    }

    Vector
    gradient(const Vector &q) const override
    {
      n_unseen += q == surveyed ? 0 : 1;
      return Structure::gradient(q);
    }

    mutable int n_unseen = 0; ///< evaluations without a survey

  private:
    double longest_move;
    Vector surveyed;
  };

  /// The load at which the arch snaps, on a mesh finer than those of the tests.
  double
  fold_of_arch()
  {
    const auto     rod    = make_rod(Kind::kirchhoff, arch(), mesh_of(24, 4));
    const Followed branch = follow(*rod, "gravity", arch_options());
    const auto     folds  = branch.of_kind(PointKind::fold);
    BOOST_REQUIRE(!folds.empty());
    return folds.front().parameter;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(branches)

BOOST_DATA_TEST_CASE(a_column_leaves_its_axis_at_eulers_load,
                     data::make(both_kinds),
                     kind)
{
  const auto     rod    = make_rod(kind, column(), column_mesh(kind));
  const Followed branch = follow(*rod, "end force", column_options());
  BOOST_TEST((branch.end == BranchEnd::left_range));
  const auto bifurcations = branch.of_kind(PointKind::bifurcation);
  BOOST_REQUIRE(bifurcations.size() == 1);
  // The discrete rod has pi^2/4 (1 - (pi/2)^2 / (12 n^2)) for n segments.
  const double expected = pi * pi / 4.;
  const double shift =
    kind == Kind::discrete ? -expected * pi * pi / 4. / 12. / 1e4 : 0.;
  BOOST_TEST(std::abs(bifurcations[0].parameter - expected - shift) < 5e-7);
  BOOST_TEST(branch.points.back().parameter == 10.);
  BOOST_TEST((branch.points.back().kind == PointKind::end));
  for (const BranchPoint &point : branch.points)
    if (point.kind != PointKind::bifurcation)
      BOOST_TEST(point.n_negative == (point.parameter > expected ? 1 : 0));
}

BOOST_AUTO_TEST_CASE(the_branch_that_crosses_is_the_elastica)
{
  const auto    rod     = make_rod(Kind::kirchhoff, column(), [] {
    Mesh mesh       = mesh_of(16, 4);
    mesh.constraint = 1e8;
    return mesh;
  }());
  BranchOptions options = column_options();
  options.maximum       = 20.;
  options.requested     = {2.5, 3., 4., 6., 10., 15., 20.};
  const BranchPoint bifurcation =
    follow(*rod, "end force", options).of_kind(PointKind::bifurcation).at(0);

  Controls       controls(*rod, {"end force"});
  BranchFollower follower(controls, 0, NewtonOptions(), options);
  double         sides = 1.;
  for (const int side : {1, -1})
    {
      int             n_requested = 0;
      double          deflection  = 0.;
      const BranchEnd end =
        follower.switch_branch(bifurcation, side, [&](const BranchPoint &p) {
          const Vector3 tip = rod->stations(p.q).back().position;
          if (p.kind != PointKind::start)
            {
              BOOST_TEST(p.n_negative == 0);
              // The whole way, not only where it was asked for.
              const Elastica exact(p.parameter);
              BOOST_TEST(std::abs(tip.z() - exact.height) < 1e-6);
              // It grows with the root of the distance to the bifurcation, so
              // that an error of the load is divided by it.
              BOOST_TEST(std::abs(std::abs(tip.x()) - exact.deflection) <
                         1e-6 + 1e-7 / exact.deflection);
            }
          n_requested += p.kind == PointKind::requested;
          deflection = tip.x();
          return true;
        });
      BOOST_TEST((end == BranchEnd::left_range));
      // The last one is the end of the range.
      BOOST_TEST(n_requested == 6);
      sides *= deflection;
    }
  BOOST_TEST(sides < 0.); // one to the left, one to the right
  BOOST_TEST(follower.lost_requests().empty());
}

BOOST_AUTO_TEST_CASE(two_directions_that_buckle_at_once_are_one_event)
{
  RodBody round   = column();
  round.bending_2 = 1.;
  const auto rod =
    make_rod(Kind::kirchhoff, round, column_mesh(Kind::kirchhoff));
  const Followed b = follow(*rod, "end force", column_options());
  BOOST_REQUIRE(b.of_kind(PointKind::bifurcation).size() == 1);
  BOOST_TEST(b.of_kind(PointKind::bifurcation)[0].parameter == pi * pi / 4.,
             boost::test_tools::tolerance(1e-6));
  BOOST_TEST(b.points.back().n_negative == 2);
}

BOOST_DATA_TEST_CASE(an_arch_is_followed_through_its_folds,
                     data::make(both_kinds),
                     kind)
{
  const auto    rod     = make_rod(kind, arch(), column_mesh(kind));
  BranchOptions options = arch_options();
  // Just below the first fold, passed before and after both of them.
  options.requested     = {20., 10.};
  const Followed branch = follow(*rod, "gravity", options);
  BOOST_TEST((branch.end == BranchEnd::left_range));
  const auto folds = branch.of_kind(PointKind::fold);
  BOOST_REQUIRE(folds.size() == 2);
  BOOST_TEST(branch.of_kind(PointKind::bifurcation).empty());
  BOOST_TEST(folds[0].parameter == fold_of_arch(),
             boost::test_tools::tolerance(kind == Kind::kirchhoff ? 1e-7
                                                                  : 1e-3));
  // Each value three times: up, back and up again.
  const auto hits = branch.of_kind(PointKind::requested);
  BOOST_TEST(hits.size() == 6);
  double largest = 0.;
  for (const BranchPoint &point : branch.points)
    largest = std::max(largest, point.parameter);
  BOOST_TEST(largest == 50.);
  // Unstable between the folds only.
  for (const BranchPoint &point : branch.points)
    if (point.kind == PointKind::regular)
      BOOST_TEST(point.n_negative == (point.arc_length > folds[0].arc_length &&
                                          point.arc_length < folds[1].arc_length
                                        ? 1
                                        : 0));
  // The parameter turns back at a fold: its neighbours are below it.
  for (std::size_t i = 1; i + 1 < branch.points.size(); ++i)
    if (branch.points[i].kind == PointKind::fold &&
        branch.points[i].parameter > 10.)
      {
        BOOST_TEST(branch.points[i - 1].parameter < branch.points[i].parameter);
        BOOST_TEST(branch.points[i + 1].parameter < branch.points[i].parameter);
      }
}

BOOST_AUTO_TEST_CASE(zeros_of_functions_are_found_exactly)
{
  const auto     rod = make_rod(Kind::kirchhoff, arch(), mesh_of(8, 3));
  Controls       controls(*rod, {"gravity"});
  BranchFollower follower(controls, 0, NewtonOptions(), arch_options());
  // The middle passes through the line between the hinges once; the load is
  // that of the first fold but a thousandth at three points, a fold apart.
  const BranchFollower::StateFunction height = [&](const Vector &q) {
    const auto stations = rod->stations(q);
    return stations[stations.size() / 2].position.z();
  };
  const double                        below = 0.999 * fold_of_arch();
  const BranchFollower::StateFunction load  = [&](const Vector &) {
    return rod->parameter("gravity") - below;
  };
  follower.set_functions({height, load});
  std::vector<BranchPoint> zeros;
  follower.follow(rod->initial_state(), 1, [&](const BranchPoint &point) {
    if (point.kind == PointKind::requested)
      {
        BOOST_TEST(std::abs((point.function == 0 ? height : load)(point.q)) <
                   1e-9);
        zeros.push_back(point);
      }
    return true;
  });
  const auto count = [&](const int function) {
    return std::count_if(zeros.begin(), zeros.end(), [&](const auto &zero) {
      return zero.function == function;
    });
  };
  BOOST_TEST(count(0) == 1);
  BOOST_TEST(count(1) == 3);
  BOOST_TEST(follower.n_lost_zeros() == 0);
}

BOOST_AUTO_TEST_CASE(natural_continuation_ends_at_a_fold)
{
  const auto    rod     = make_rod(Kind::kirchhoff, arch(), mesh_of(8, 3));
  BranchOptions options = arch_options();
  options.method        = ContinuationMethod::natural;
  options.maximum       = 20.3;
  const Followed below  = follow(*rod, "gravity", options);
  BOOST_TEST((below.end == BranchEnd::left_range));
  BOOST_TEST(below.points.back().parameter == 20.3);
  rod->set_parameter("gravity", 0.);
  options.maximum     = 50.;
  const Followed past = follow(*rod, "gravity", options);
  BOOST_TEST((past.end == BranchEnd::step_failed));
  // Steps in the load end below the fold.
  const double fold = fold_of_arch();
  BOOST_TEST(past.points.back().parameter < fold);
  BOOST_TEST(past.points.back().parameter == fold,
             boost::test_tools::tolerance(1e-3));
}

BOOST_DATA_TEST_CASE(failures_on_the_way_are_recovered_from,
                     data::make({true, false}),
                     is_linear_solver)
{
  const auto     rod         = make_rod(Kind::kirchhoff, arch(), mesh_of(8, 3));
  const Followed undisturbed = follow(*rod, "gravity", arch_options());
  const double   fold = undisturbed.of_kind(PointKind::fold).at(0).parameter;

  rod->set_parameter("gravity", 0.);
  FaultySystem faulty(*rod);
  // About four of each belong to a step; sometimes two fail in a row.
  (is_linear_solver ? faulty.is_singular : faulty.is_undefined) =
    [](const int n) { return n % 41 == 0 || n % 97 == 0 || n % 97 == 1; };
  const Followed disturbed = follow(faulty, "gravity", arch_options());
  BOOST_TEST((is_linear_solver ? faulty.n_hessians : faulty.n_gradients) > 200);
  BOOST_TEST_INFO(to_string(disturbed.end)
                  << " " << disturbed.points.size() << " "
                  << disturbed.points.back().parameter);
  BOOST_TEST((disturbed.end == BranchEnd::left_range));
  BOOST_REQUIRE(disturbed.of_kind(PointKind::fold).size() == 2);
  BOOST_TEST(disturbed.of_kind(PointKind::fold)[0].parameter == fold,
             boost::test_tools::tolerance(1e-8));
  for (const BranchPoint &point : disturbed.points)
    BOOST_TEST(point.q.allFinite());
}

BOOST_AUTO_TEST_CASE(bodies_are_watched_along_a_branch)
{
  const auto     rod  = make_rod(Kind::kirchhoff, arch(), mesh_of(8, 3));
  const Followed free = follow(*rod, "gravity", arch_options());
  const auto     longest_move = [](const Followed &branch) {
    double longest = 0.;
    for (std::size_t i = 1; i < branch.points.size(); ++i)
      longest =
        std::max(longest, (branch.points[i].q - branch.points[i - 1].q).norm());
    return longest;
  };
  const double allowed = 0.4 * longest_move(free);
  rod->set_parameter("gravity", 0.);
  NarrowSystem   narrow(*rod, allowed);
  const Followed watched = follow(narrow, "gravity", arch_options());
  BOOST_TEST((watched.end == BranchEnd::left_range));
  BOOST_TEST(longest_move(watched) <= allowed);
  BOOST_TEST(narrow.n_unseen == 0);
  BOOST_REQUIRE(watched.of_kind(PointKind::fold).size() == 2);
  BOOST_TEST(watched.of_kind(PointKind::fold)[0].parameter ==
               free.of_kind(PointKind::fold).at(0).parameter,
             boost::test_tools::tolerance(1e-8));
}

BOOST_AUTO_TEST_CASE(a_branch_that_cannot_go_on_keeps_what_it_has)
{
  const auto   rod = make_rod(Kind::kirchhoff, arch(), mesh_of(8, 3));
  FaultySystem faulty(*rod);
  faulty.is_undefined   = [](const int n) { return n > 60; };
  const Followed branch = follow(faulty, "gravity", arch_options());
  BOOST_TEST((branch.end == BranchEnd::step_failed));
  BOOST_TEST(branch.points.size() > 3);
  for (const BranchPoint &point : branch.points)
    BOOST_TEST(point.q.allFinite());
}

/// The displacement of the point that a mode moves furthest.
double
largest_displacement(const RodModel &rod, const Vector &q, const Vector &mode)
{
  const auto ahead  = rod.stations(q + 1e-5 * mode),
             behind = rod.stations(q - 1e-5 * mode);
  double largest    = 0.;
  for (std::size_t i = 0; i < ahead.size(); ++i)
    largest =
      std::max(largest, (ahead[i].position - behind[i].position).norm());
  return largest / 2e-5;
}

BOOST_AUTO_TEST_CASE(a_buckled_column_carries_more_as_koiter_says)
{
  // With the deflection d over the length: of the tip of a clamped-free
  // elastica P/Pc = 1 + pi^2/32 d^2, of the middle of one between hinges
  // 1 + pi^2/8 d^2.
  RodBody hinged            = column();
  hinged.start.rotation     = RodEnd::Rotation::about_y;
  hinged.end                = RodEnd::clamped();
  hinged.end.rotation       = RodEnd::Rotation::about_y;
  hinged.end.position_fixed = {true, true, false};
  const struct
  {
    RodBody body;
    double  load, b;
  } cases[] = {{column(), pi * pi / 4., pi * pi / 32.},
               {hinged, pi * pi, pi * pi / 8.}};
  for (const auto &[body, load, b] : cases)
    {
      const auto rod =
        make_rod(Kind::kirchhoff, body, column_mesh(Kind::kirchhoff));
      BranchOptions options;
      options.maximum = 1.3 * load;
      const auto points =
        follow(*rod, "end force", options).of_kind(PointKind::bifurcation);
      BOOST_REQUIRE(points.size() == 1);
      BOOST_TEST(std::abs(points[0].parameter / load - 1.) < 1e-7);
      BOOST_REQUIRE(points[0].post_buckling.has_value());
      const double d =
        largest_displacement(*rod, points[0].q, points[0].null_vector);
      const PostBuckling &found = *points[0].post_buckling;
      // Amplitudes of a hundredth: errors of their square.
      BOOST_TEST(std::abs(0.5 * found.curvature / load / (d * d) / b - 1.) <
                 2e-3);
      BOOST_TEST(std::abs(found.slope / load / d) < 1e-4);
    }
}

BOOST_AUTO_TEST_CASE(a_long_fine_rod_at_rest_is_not_called_unstable)
{
  // The smallest eigenvalue is below the round-off of the entries.
  const auto    rod = make_rod(Kind::discrete, column(), mesh_of(30000));
  Controls      controls(*rod, {"end force"});
  NewtonOptions newton;
  newton.linear_solver = "mumps";
  BranchFollower follower(controls, 0, newton, column_options());
  follower.follow(rod->initial_state(), 1, [](const BranchPoint &point) {
    BOOST_TEST(point.n_negative == 0);
    return false;
  });
}

BOOST_DATA_TEST_CASE(a_column_is_led_to_its_buckled_state,
                     data::make({2.6, 4., 8.}),
                     force)
{
  const auto rod =
    make_rod(Kind::kirchhoff, column(), column_mesh(Kind::kirchhoff));
  EquilibriumSolver solver(*rod, NewtonOptions());
  const Equilibrium straight =
    solver.load(rod->initial_state(), {{"end force", force}});
  const Equilibrium found =
    buckled_state(*rod,
                  NewtonOptions(),
                  straight.q,
                  lowest_eigenpairs(*rod, straight.q, 1).at(0).mode);
  BOOST_REQUIRE(found.converged());
  BOOST_TEST(solver.inertia(found.q).negative == 0);
  const auto measured = rod->measure(found.q);
  BOOST_TEST(std::abs(find_measurement(measured, "end x")) ==
               Elastica(force).deflection,
             boost::test_tools::tolerance(1e-6));
  // A picture is not worth more: some states on the way, a few steps each.
  if (force < 5.)
    BOOST_TEST(found.iterations <= 40);
}

BOOST_AUTO_TEST_CASE(a_bifurcation_that_round_off_hides_is_said_to_be_lost)
{
  // Euler's load of rods with so many segments that eigenvalues lose digits.
  for (const int n : {3000, 5000})
    {
      Mesh mesh         = mesh_of(n);
      mesh.constraint   = 1e8;
      const auto    rod = make_rod(Kind::discrete, column(), mesh);
      BranchOptions options;
      options.maximum      = 4.;
      options.first_step   = 0.2;
      options.largest_step = 0.2;
      const double euler   = pi * pi / 4.;
      bool         is_told = false;
      for (const BranchPoint &point : follow(*rod, "end force", options).points)
        {
          if (point.kind == PointKind::bifurcation)
            {
              is_told = true;
              BOOST_TEST(std::abs(point.parameter - euler) <
                         std::max(1e-3, 2. * point.uncertainty));
            }
          if (point.lost_since)
            {
              is_told = true;
              BOOST_TEST(*point.lost_since < euler);
              BOOST_TEST(point.parameter > euler);
            }
          is_told = is_told || point.is_undecided;
          if (point.parameter > euler)
            BOOST_TEST(is_told);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_trail_is_recognised)
{
  // A quarter of a circle, then a path along its middle part in other steps,
  // after one that crosses it.
  Trails     trails;
  const auto on_circle = [](const double angle, const double radius = 1.) {
    return std::vector<double>{radius * std::cos(angle),
                               radius * std::sin(angle)};
  };
  trails.begin_branch();
  for (int i = 0; i <= 15; ++i)
    {
      trails.add(on_circle(0.1 * i));
      BOOST_TEST(!trails.retraced());
    }
  trails.begin_branch();
  for (int i = 0; i <= 15; ++i)
    {
      trails.add(on_circle(0.7, 0.5 + 0.0651 * i));
      BOOST_TEST(!trails.retraced());
    }
  trails.begin_branch();
  for (int i = 0; i < 6; ++i)
    trails.add(on_circle(0.2 + 0.07 * i, 1. + 0.1 * (5 - i)));
  BOOST_TEST(!trails.retraced());
  for (int i = 0; i < 4; ++i)
    trails.add(on_circle(0.63 + 0.07 * i));
  BOOST_TEST(trails.retraced().value_or(0) == 1);

  Trails again;
  again.set_numbers(trails.numbers());
  BOOST_TEST(again.numbers() == trails.numbers());
  BOOST_TEST(again.retraced().value_or(0) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
