// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/moving_bodies.h"
#include "support/random.h"
#include "support/rotating_spring.h"
#include "support/structures.h"

#include <slender/base/errors.h>
#include <slender/dynamics/motion.h>
#include <slender/models/rods/quaternion.h>

#include <boost/math/tools/roots.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace slender
{
  std::ostream &
  operator<<(std::ostream &stream, const IntegratorKind kind)
  {
    return stream << "integrator " << static_cast<int>(kind);
  }
} // namespace slender

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  const std::vector<IntegratorKind> all_integrators = {
    IntegratorKind::implicit_euler,
    IntegratorKind::newmark,
    IntegratorKind::generalised_alpha,
    IntegratorKind::bdf2,
    IntegratorKind::implicit_midpoint,
    IntegratorKind::verlet};

  MotionOptions
  options(const IntegratorKind kind)
  {
    MotionOptions result;
    result.integrator.kind           = kind;
    result.inertia.lumped            = true;
    result.newton.residual_tolerance = 1e-17;
    result.newton.step_tolerance     = 1e-11;
    return result;
  }

  void
  go(Motion &motion, const int n, const double h)
  {
    for (int i = 0; i < n; ++i)
      BOOST_REQUIRE(motion.step(h).converged());
  }

  /// A soft strip that hangs from a pin and swings from the horizontal.
  RodBody
  pendulum_body()
  {
    RodBody body             = with_rotary_inertia(RodBody());
    body.axial               = 300.;
    body.gravity             = 20.;
    body.start.rotation      = RodEnd::Rotation::about_y;
    body.natural_curvature_1 = 0.3;
    return body;
  }

  std::unique_ptr<RodModel>
  pendulum(const Kind kind)
  {
    Mesh mesh;
    mesh.pieces     = kind == Kind::kirchhoff ? 2 : 5;
    mesh.degree     = 2;
    mesh.constraint = 500.;
    return make_rod(kind, pendulum_body(), mesh);
  }

  double
  observed_order(System &system, const MotionOptions &how, const double h)
  {
    std::vector<Vector> ends;
    for (const int refined : {1, 2, 4})
      {
        system.set_history(system.history());
        const State start = system.state(system.initial_state());
        Motion      motion(system, how);
        motion.start(start.q, 0., {0., 0., 0.3}, {0., 0.5, 0.});
        go(motion, 20 * refined, h / refined);
        ends.push_back(motion.inertia().coordinates(motion.now().state.q));
        system.set_state(start);
      }
    return std::log2((ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm());
  }

  std::shared_ptr<RodModel>
  thrown_rod(const Kind kind)
  {
    return make_rod(kind, free_body(), small_mesh(kind));
  }
} // namespace

BOOST_AUTO_TEST_SUITE(motions)

BOOST_DATA_TEST_CASE(integrators_have_their_orders_on_a_large_swing,
                     data::make(all_integrators),
                     kind)
{
  const auto    rod      = pendulum(Kind::discrete);
  MotionOptions how      = options(kind);
  const double  expected = kind == IntegratorKind::implicit_euler ? 1. : 2.;
  BOOST_TEST(observed_order(*rod, how, 0.0025) == expected,
             boost::test_tools::tolerance(0.05));
}

BOOST_DATA_TEST_CASE(rotary_inertia_keeps_the_orders,
                     data::make({IntegratorKind::newmark,
                                 IntegratorKind::generalised_alpha,
                                 IntegratorKind::bdf2}),
                     kind)
{
  const auto rod = pendulum(Kind::kirchhoff);
  BOOST_TEST(observed_order(*rod, options(kind), 0.0006) == 2.,
             boost::test_tools::tolerance(0.1));
}

BOOST_DATA_TEST_CASE(rods_of_curvatures_swing_with_the_same_orders,
                     data::make({IntegratorKind::newmark,
                                 IntegratorKind::generalised_alpha,
                                 IntegratorKind::bdf2}),
                     kind)
{
  RodBody body   = with_rotary_inertia(RodBody());
  body.gravity   = 10.;
  const auto rod = make_super_rod(body, curvature::Interpolation::linear, 2);
  BOOST_TEST(observed_order(*rod, options(kind), 0.0025) == 2.,
             boost::test_tools::tolerance(0.05));
}

BOOST_DATA_TEST_CASE(damping_keeps_the_orders,
                     data::make({IntegratorKind::implicit_euler,
                                 IntegratorKind::newmark,
                                 IntegratorKind::generalised_alpha,
                                 IntegratorKind::bdf2,
                                 IntegratorKind::implicit_midpoint}) *
                       data::make({0, 1, 2}),
                     kind,
                     law)
{
  const auto    rod = pendulum(Kind::discrete);
  MotionOptions how = options(kind);
  if (law == 0)
    how.damping.strain_rate.bending = how.damping.strain_rate.stretch = 0.05;
  else if (law == 1)
    how.damping.alpha = 2.;
  else
    how.damping.beta = 0.02;
  const double expected = kind == IntegratorKind::implicit_euler ? 1. : 2.;
  BOOST_TEST(observed_order(*rod, how, 0.005) == expected,
             boost::test_tools::tolerance(0.2));
}

BOOST_AUTO_TEST_CASE(energies_balance_without_and_with_damping)
{
  for (const int law : {0, 1, 2, 3, 4})
    {
      std::vector<double> errors;
      for (const int refined : {1, 2})
        {
          const auto    rod = pendulum(Kind::discrete);
          MotionOptions how = options(IntegratorKind::implicit_midpoint);
          if (law == 1 || law == 4)
            how.damping.strain_rate.bending   = how.damping.strain_rate.twist =
              how.damping.strain_rate.stretch = 0.05;
          if (law == 4)
            how.damping.strain_rate.exponent = 0.7;
          if (law == 2)
            how.damping.alpha = 2.;
          if (law == 3)
            how.damping.beta = 0.02;
          Motion motion(*rod, how);
          motion.start(rod->initial_state(), 0.);
          const auto sum = [&] {
            const MotionEnergies e = motion.energies();
            return e.kinetic + e.potential + e.dissipated - e.work;
          };
          const double first = sum();
          go(motion, 100 * refined, 0.01 / refined);
          errors.push_back(std::abs(sum() - first));
          if (law > 0)
            BOOST_TEST(motion.energies().dissipated > 0.1);
        }
      // Of second order, or far below what moves (20/2 of weight).
      BOOST_TEST_CONTEXT("law " << law)
      BOOST_TEST((errors[1] < 0.35 * errors[0] || errors[1] < 1e-3),
                 errors[0] << " then " << errors[1]);
    }
}

BOOST_AUTO_TEST_CASE(implicit_euler_only_loses_energy)
{
  const auto rod = pendulum(Kind::discrete);
  Motion     motion(*rod, options(IntegratorKind::implicit_euler));
  motion.start(rod->initial_state(), 0.);
  double last = 1e300;
  for (int i = 0; i < 60; ++i)
    {
      BOOST_REQUIRE(motion.step(0.02).converged());
      const MotionEnergies e = motion.energies();
      BOOST_TEST(e.kinetic + e.potential < last + 1e-10);
      last = e.kinetic + e.potential;
    }
}

// Free flight of a deformed and spinning body: without rotary inertia all of
// its momentum is in its places, which the midpoint rule treats exactly.
BOOST_DATA_TEST_CASE(the_midpoint_rule_keeps_momenta_to_round_off,
                     data::make(both_kinds),
                     kind)
{
  const auto    rod               = thrown_rod(kind);
  MotionOptions how               = options(IntegratorKind::implicit_midpoint);
  how.damping.strain_rate.bending = 0.02;
  Motion       motion(*rod, how);
  const Vector q = rod->initial_state();
  motion.start(q, 0., {0.4, 1., -0.3}, {2., -1., 3.});
  const Vector spin  = motion.now().unknowns.rate;
  const Vector noise = Random(3).vector(static_cast<Index>(q.size()));
  motion.start(q, 0., Vector(spin + 0.5 * noise));
  const auto first = motion.moments();
  for (int i = 0; i < 50; ++i)
    {
      BOOST_REQUIRE(motion.step(0.02).converged());
      const auto now = motion.moments();
      BOOST_TEST((now.linear_momentum - first.linear_momentum).norm() < 1e-11);
      BOOST_TEST((now.angular_momentum - first.angular_momentum).norm() <
                 1e-10);
    }
}

BOOST_DATA_TEST_CASE(shells_keep_momenta_to_round_off,
                     data::make({IntegratorKind::implicit_midpoint,
                                 IntegratorKind::verlet}) *
                       data::make({true, false}),
                     kind,
                     lumped)
{
  if (kind == IntegratorKind::verlet && !lumped)
    return;
  const auto    shell             = make_shell(free_shells()[0], 2);
  MotionOptions how               = options(kind);
  how.inertia.lumped              = lumped;
  how.damping.strain_rate.stretch = 0.01;
  Motion motion(*shell, how);
  motion.start(random_state(*shell, 1e-4, 3),
               0.,
               {0.4, 1., -0.3},
               {2., -1., 3.});
  const double h =
    kind == IntegratorKind::verlet ? 0.2 * motion.stable_step() : 0.01;
  const auto   first = motion.moments();
  const double size  = first.angular_momentum.norm();
  for (int i = 0; i < 20; ++i)
    {
      BOOST_REQUIRE(motion.step(h).converged());
      const auto now = motion.moments();
      BOOST_TEST((now.linear_momentum - first.linear_momentum).norm() <
                 1e-11 * size);
      BOOST_TEST((now.angular_momentum - first.angular_momentum).norm() <
                 1e-10 * size);
    }
}

// The motion that is left when the strain has come to rest: the spring holds
// the mass on a circle, l^2/(m r^3) = k (r/L - 1) with the angular momentum l
// that no strain-rate force changes.
BOOST_DATA_TEST_CASE(a_damped_rotating_spring_ends_on_a_circle,
                     data::make({0.05, 0.1, 0.2}),
                     beta)
{
  constexpr double L = RotatingSpring::length, k = RotatingSpring::stiffness;
  const double     l    = L * 20.;
  std::uintmax_t   most = 100;
  const double     r =
    boost::math::tools::toms748_solve(
      [&](const double x) { return l * l / (x * x * x) - k * (x / L - 1.); },
      1.,
      10.,
      boost::math::tools::eps_tolerance<double>(50),
      most)
      .first;
  RotatingSpring spring;
  MotionOptions  how              = options(IntegratorKind::implicit_midpoint);
  how.damping.strain_rate.stretch = beta;
  Motion motion(spring, how);
  motion.start(spring.initial_state(), 0., Vector(Vector3(0., 20., 0.)));
  go(motion, 20000, 1e-3);
  BOOST_TEST(motion.moments().angular_momentum.z() == l,
             boost::test_tools::tolerance(1e-11));
  BOOST_TEST(motion.now().state.q.norm() == r,
             boost::test_tools::tolerance(1e-6));
  BOOST_TEST(motion.energies().kinetic == 0.5 * l * l / (r * r),
             boost::test_tools::tolerance(2e-6));

  // With Rayleigh's damping it stops.
  MotionOptions rayleigh = options(IntegratorKind::implicit_midpoint);
  rayleigh.damping.beta  = beta;
  Motion stopping(spring, rayleigh);
  stopping.start(spring.initial_state(), 0., Vector(Vector3(0., 20., 0.)));
  go(stopping, 2000, 1e-2);
  BOOST_TEST(stopping.energies().kinetic < 2.);
}

// With D = beta C r^(1-n) |e'|^(n+1)/(n + 1) a quick motion is damped less than
// at the reference rate where n is below one, a slow one more.
BOOST_AUTO_TEST_CASE(a_power_law_damps_slow_motions_more_than_quick_ones)
{
  const auto dissipated = [](const double exponent, const double speed) {
    RodBody body;
    body.axial  = 300.;
    body.radius = 0.01;
    Mesh mesh;
    mesh.pieces                      = 3;
    const auto    rod                = make_rod(Kind::discrete, body, mesh);
    MotionOptions how                = options(IntegratorKind::newmark);
    how.damping.strain_rate.stretch  = 1e-3;
    how.damping.strain_rate.exponent = exponent;
    how.damping.strain_rate.reference_rate = 0.1;
    Motion motion(*rod, how);
    motion.start(rod->initial_state(),
                 0.,
                 VelocityField{[=](const Vector3 &x) -> Vector3 {
                                 return speed * x;
                               },
                               [=](const Vector3 &) -> Eigen::Matrix3d {
                                 return speed * Eigen::Matrix3d::Identity();
                               }});
    const double first = motion.energies().kinetic;
    go(motion, 50, 1e-3);
    return motion.energies().dissipated / first;
  };
  const double quick = dissipated(0.5, 1.), slow = dissipated(0.5, 0.01);
  const double linear = dissipated(1., 1.);
  BOOST_TEST(dissipated(1., 0.01) == linear,
             boost::test_tools::tolerance(0.05));
  BOOST_TEST(quick < 0.6 * linear);
  BOOST_TEST(slow > 1.5 * linear);
}

// Two rods with a rigid corner that nothing holds.
BOOST_AUTO_TEST_CASE(a_frame_keeps_its_momenta_to_round_off)
{
  Mesh mesh;
  mesh.pieces    = 2;
  mesh.degree    = 2;
  RodBody column = LeesFrame::column_body(), beam = LeesFrame::beam_body();
  column.start = beam.end = RodEnd();
  const auto a            = make_rod(Kind::kirchhoff, column, mesh),
             b            = make_rod(Kind::kirchhoff, beam, mesh);
  Structure frame(std::vector<Structure::Member>{{"column", *a}, {"beam", *b}});
  frame.add_term("corner",
                 std::make_unique<Joint>(
                   Hold{0, a->section(1.)},
                   std::vector<Hold>{{1, b->section(0.)}},
                   JointStiffness::rigid(a->energy_unit(), LeesFrame::length)));
  MotionOptions how               = options(IntegratorKind::implicit_midpoint);
  how.inertia.rotary              = false;
  how.damping.strain_rate.bending = 0.5;
  Motion       motion(frame, how);
  const Vector q = frame.initial_state();
  motion.start(q, 0., {4., 1., -3.}, {0.02, -0.01, 0.03});
  const auto   first = motion.moments();
  const double size  = first.angular_momentum.norm();
  double       worst = 0.;
  for (int i = 0; i < 30; ++i)
    {
      BOOST_REQUIRE(motion.step(0.5).converged());
      const auto now = motion.moments();
      BOOST_TEST((now.linear_momentum - first.linear_momentum).norm() <
                 1e-10 * first.linear_momentum.norm());
      worst =
        std::max(worst,
                 (now.angular_momentum - first.angular_momentum).norm() / size);
    }
  BOOST_TEST(worst < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_motion_that_is_taken_up_again_is_the_same)
{
  const auto    rod               = pendulum(Kind::discrete);
  MotionOptions how               = options(IntegratorKind::bdf2);
  how.damping.strain_rate.bending = 0.01;
  Motion motion(*rod, how);
  motion.start(rod->initial_state(), 0.);
  go(motion, 30, 0.02);
  const MotionState half = motion.now();
  go(motion, 10, 0.02);
  const Vector end = motion.now().state.q;

  const auto other = pendulum(Kind::discrete);
  Motion     again(*other, how);
  again.set(half);
  go(again, 10, 0.02);
  BOOST_TEST((again.now().state.q - end).norm() == 0.);
}

// The end of a rod is moved as its support is, and the work of the support is
// what becomes of it.
BOOST_AUTO_TEST_CASE(work_of_supports_is_in_the_balance)
{
  std::vector<double> errors;
  for (const int refined : {1, 2})
    {
      RodBody body                      = pendulum_body();
      body.start                        = RodEnd::clamped();
      body.start.displacement_direction = Vector3::UnitZ();
      Mesh mesh;
      mesh.pieces    = 5;
      const auto rod = make_rod(Kind::discrete, body, mesh);
      Motion     motion(*rod,
                    options(IntegratorKind::implicit_midpoint),
                    [&](const double t) {
                      rod->set_parameter("start displacement",
                                         0.05 * (1. - std::cos(10. * t)));
                    });
      motion.start(rod->initial_state(), 0.);
      const auto sum = [&] {
        const MotionEnergies e = motion.energies();
        return e.kinetic + e.potential - e.work;
      };
      const double first = sum();
      go(motion, 40 * refined, 0.01 / refined);
      errors.push_back(std::abs(sum() - first));
      BOOST_TEST(std::abs(motion.energies().work) > 0.05);
    }
  BOOST_TEST((errors[1] < 0.4 * errors[0] || errors[1] < 1e-4),
             errors[0] << " then " << errors[1]);
}

BOOST_AUTO_TEST_CASE(the_stable_step_is_that_of_the_highest_frequency)
{
  RotatingSpring spring;
  Motion         motion(spring, options(IntegratorKind::verlet));
  motion.start(spring.initial_state(), 0.);
  // w^2 = k/(L m), and 2 % of safety.
  BOOST_TEST(motion.stable_step() == 2. / std::sqrt(50. * 1.02),
             boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(what_an_integrator_cannot_do_is_refused)
{
  const auto    rod = pendulum(Kind::kirchhoff);
  MotionOptions how = options(IntegratorKind::implicit_midpoint);
  BOOST_CHECK_THROW(Motion(*rod, how), InputError); // rotary inertia
  how.inertia.rotary = false;
  BOOST_CHECK_NO_THROW(Motion(*rod, how));
  how.integrator.kind = IntegratorKind::verlet; // frames without mass
  BOOST_CHECK_THROW(Motion(*rod, how), InputError);
  const auto shell   = make_shell(free_shells()[0], 2);
  how.inertia.lumped = false; // a mass matrix that is not diagonal
  BOOST_CHECK_THROW(Motion(*shell, how), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
