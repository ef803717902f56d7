// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/rods.h"
#include "support/shells.h"

#include <slender/dynamics/explicit_contact.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/dynamics/motion.h>
#include <slender/dynamics/projective_rod.h>
#include <slender/dynamics/velocity_filter.h>
#include <slender/models/shells/rest_surface.h>
#include <slender/systems/kinematics.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double g = 10.;

  /// To so much a step is known [length].
  const double tolerance = NewtonOptions().step_tolerance;

  /// Of the plane z = 0, or of another one through the origin.
  Obstacle
  plane(const double friction, const Vector3 &normal = Vector3::UnitZ())
  {
    Obstacle result;
    result.shape    = make_plane(Vector3::Zero(), normal);
    result.friction = friction;
    return result;
  }

  /// Gravity on a slope along x whose surface is the plane z = 0.
  Vector3
  down_a_slope(const double angle)
  {
    return {std::sin(angle), 0., -std::cos(angle)};
  }

  /// A rod of mass one along y, on the plane z = 0.
  std::unique_ptr<RodModel>
  lying_rod(const Vector3 &down, const int segments = 6)
  {
    RodBody body;
    body.start                = RodEnd();
    body.start_frame.tangent  = Vector3::UnitY();
    body.start_frame.director = Vector3::UnitX();
    body.axial                = 1e4;
    body.gravity              = g;
    body.gravity_direction    = down;
    Mesh mesh;
    mesh.pieces = segments;
    return make_rod(Kind::discrete, body, mesh);
  }

  /// A patch of a shell of mass one on the plane z = 0.
  std::unique_ptr<KoiterShell>
  lying_patch(const Vector3 &down)
  {
    ShellBody body         = cantilever_plate(0.01, 0.3, down);
    body.edges             = {};
    body.gravity           = g;
    body.gravity_direction = down;
    Rectangle square;
    square.cells = {2, 2};
    return make_shell({"patch", body, make_surface(square)}, 2);
  }

  MotionOptions
  euler()
  {
    MotionOptions options;
    options.integrator.kind           = IntegratorKind::implicit_euler;
    options.inertia.rotary            = false;
    options.newton.residual_tolerance = 1e-17;
    return options;
  }

  /// A body among obstacles.
  struct Moving
  {
    Moving(System &system, const Obstacles &the_obstacles)
      : obstacles(the_obstacles)
      , steps(system, obstacles, euler().newton)
      , motion(system, with(steps))
    {
      motion.start(system.initial_state(), 0.);
    }

    static MotionOptions
    with(FrictionalSteps &steps)
    {
      MotionOptions options = euler();
      options.search        = steps.search();
      return options;
    }

    void
    go(const int n, const double h)
    {
      for (int i = 0; i < n; ++i)
        BOOST_REQUIRE(motion.step(h).converged());
    }

    Vector3
    velocity() const
    {
      const Kinetics::Moments moments = motion.moments();
      return moments.linear_momentum / moments.mass;
    }

    /// Of one obstacle, or of all.
    Vector3
    force(const int of = -1) const
    {
      Vector3 sum = Vector3::Zero();
      for (const Contact &contact : steps.contacts())
        if (of < 0 || contact.obstacle == static_cast<std::size_t>(of))
          sum += contact.force;
      return sum;
    }

    Obstacles       obstacles;
    FrictionalSteps steps;
    Motion          motion;
  };

  struct Slope
  {
    double friction, angle;
  };

  std::ostream &
  operator<<(std::ostream &stream, const Slope &slope)
  {
    return stream << "mu = " << slope.friction << ", " << slope.angle << " rad";
  }

  // The last two are steeper than 84 degrees, on either side of arctan 10.
  const std::vector<Slope> slopes = {{0., 0.3},
                                     {0.3, 0.28},
                                     {0.3, 0.3},
                                     {0.3, 1.2},
                                     {10., 1.470},
                                     {10., 1.473}};

  void
  check_slope(System &body, const Slope &slope)
  {
    Moving    moving(body, {plane(slope.friction)});
    const int n = 20;
    moving.go(n, 0.01);
    const double gained =
      g * (std::sin(slope.angle) - slope.friction * std::cos(slope.angle));
    if (gained > 0.)
      BOOST_TEST(moving.velocity().x() == gained * 0.2,
                 boost::test_tools::tolerance(1e-9));
    else
      {
        const Vector moved =
          moving.motion.now().unknowns.place - body.initial_state();
        BOOST_TEST(moved.cwiseAbs().maxCoeff() < n * tolerance);
      }
    BOOST_TEST(moving.force().z() == g * std::cos(slope.angle),
               boost::test_tools::tolerance(1e-9));
  }
} // namespace

BOOST_AUTO_TEST_SUITE(friction_in_motion)

BOOST_DATA_TEST_CASE(a_rod_slides_above_the_angle_of_friction_and_only_there,
                     data::make(slopes),
                     slope)
{
  check_slope(*lying_rod(down_a_slope(slope.angle)), slope);
}

BOOST_DATA_TEST_CASE(a_shell_slides_above_the_angle_of_friction_and_only_there,
                     data::make(slopes),
                     slope)
{
  check_slope(*lying_patch(down_a_slope(slope.angle)), slope);
}

BOOST_AUTO_TEST_CASE(what_rests_on_a_floor_is_in_balance)
{
  const auto rod = lying_rod(-Vector3::UnitZ());
  Moving     moving(*rod, {plane(0.3)});
  moving.go(3, 0.01);
  const Vector &q = moving.motion.now().unknowns.place;
  // Without the floor the weight is out of balance.
  BOOST_TEST(moving.motion.residual() > 0.1);
  // The step's own balance has as much left as its tolerance allows, times the
  // stiffness 1/h^2 that inertia has.
  BOOST_TEST(moving.steps.residual(*rod, q) < 1e4 * tolerance);
}

BOOST_AUTO_TEST_CASE(what_slides_stops_within_a_few_iterations)
{
  // Along its axis it is far stiffer than the force that stops it: contacts
  // that would slip backwards are found to stick all the same.
  const auto rod = lying_rod(-Vector3::UnitZ(), 60);
  Moving     moving(*rod, {plane(0.3)});
  moving.motion.start(rod->initial_state(), 0., Vector3(0., 1., 0.));
  for (int i = 0; i < 60; ++i)
    {
      const Motion::Step step = moving.motion.step(0.01);
      BOOST_REQUIRE(step.converged());
      BOOST_TEST(step.iterations <= 6);
    }
  BOOST_TEST(moving.velocity().norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(what_rests_needs_one_iteration)
{
  // A step knows the forces that hold the body from where it begins.
  const double angle = 0.28;
  const auto   rod   = lying_rod(down_a_slope(angle));
  Moving       moving(*rod, {plane(0.3)});
  moving.go(1, 0.01);
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(moving.motion.step(0.01).iterations == 1);
}

BOOST_AUTO_TEST_CASE(a_rod_of_many_nodes_sags_onto_a_floor)
{
  // Springs of one contact are too soft for the dozens that lie side by side;
  // their own problem would take a thousand times as long as the step.
  RodBody body;
  body.gravity           = g;
  body.gravity_direction = -Vector3::UnitZ();
  Mesh mesh;
  mesh.pieces      = 30;
  mesh.degree      = 3;
  const auto rod   = make_rod(Kind::kirchhoff, body, mesh);
  Obstacle   floor = plane(0.);
  floor.shape      = make_plane(Vector3(0., 0., -0.003), Vector3::UnitZ());
  Moving moving(*rod, {floor});
  moving.go(16, 5e-3);
  BOOST_TEST(moving.steps.contacts().size() >= 16);
  BOOST_TEST(moving.steps.statistics().condensed == 0);
}

BOOST_AUTO_TEST_CASE(the_same_plane_twice_is_one_plane)
{
  // Which of them bears is undetermined, what they bear is not.
  const double angle = 0.5, mu = 0.3;
  const auto   rod = lying_rod(down_a_slope(angle));
  Moving       moving(*rod, {plane(mu), plane(mu)});
  moving.go(20, 0.01);
  BOOST_TEST(moving.force().z() == g * std::cos(angle),
             boost::test_tools::tolerance(1e-8));
  BOOST_TEST(moving.velocity().x() ==
               0.2 * g * (std::sin(angle) - mu * std::cos(angle)),
             boost::test_tools::tolerance(1e-8));
}

BOOST_DATA_TEST_CASE(a_corner_stops_what_slides_into_it,
                     data::make({0., 0.4, 10.}),
                     friction)
{
  // Floor and wall; gravity leads into both.
  const auto rod  = lying_rod(down_a_slope(0.7));
  Obstacle   wall = plane(friction, -Vector3::UnitX());
  wall.shift      = 0.003 * Vector3::UnitX();
  Moving moving(*rod, {plane(friction), wall});
  moving.go(60, 0.01);
  BOOST_TEST(moving.velocity().norm() < 1e-12);
  const Vector3 weight = -g * down_a_slope(0.7);
  BOOST_TEST((moving.force() - weight).norm() < 1e-9 * g);
  for (const Contact &contact : moving.steps.contacts())
    if (contact.state != ContactState::open)
      BOOST_TEST(contact.friction().norm() <=
                 friction * contact.pressure() * (1. + 1e-9) + 1e-12);
}

struct Groove
{
  double friction, gravity_aside;
};

std::ostream &
operator<<(std::ostream &stream, const Groove &groove)
{
  return stream << "mu = " << groove.friction << ", gravity along "
                << groove.gravity_aside;
}

const std::vector<Groove> grooves = {{0., 0.},
                                     {0.3, 0.},
                                     {10., 0.},
                                     {0., 0.4},
                                     {0.3, 0.4},
                                     {0.3, 0.6},
                                     {1., 0.5},
                                     {10., 2.}};

BOOST_DATA_TEST_CASE(a_groove_bears_with_two_contacts_on_every_node,
                     data::make(grooves),
                     groove)
{
  // Two planes at 45 degrees, the rod in the edge between them. How they share
  // what they bear is undetermined where both are rough, their sum is not.
  // Along the edge the rod slides where friction of both pressures does not
  // hold it.
  const Vector3 down = Vector3(0., groove.gravity_aside, -1.).normalized();
  const auto    rod  = lying_rod(down);
  Moving        moving(*rod,
                {plane(groove.friction, Vector3(1., 0., 1.).normalized()),
                        plane(groove.friction, Vector3(-1., 0., 1.).normalized())});
  const int     n = 20;
  moving.go(n, 0.01);
  const double weight = -g * down.z(), pull = g * down.y();
  BOOST_TEST(moving.force().z() == weight, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(std::abs(moving.force().x()) < 1e-8 * g);
  BOOST_TEST(std::abs(moving.velocity().x()) < 1e-10);
  BOOST_TEST(std::abs(moving.velocity().z()) < 1e-10);
  // Each plane presses with weight/sqrt(2) at least where nothing is held
  // across; with friction across as well, pressures are larger or smaller.
  if (groove.friction == 0.)
    BOOST_TEST(moving.velocity().y() == n * 0.01 * pull,
               boost::test_tools::tolerance(1e-8));
  if (groove.friction > 0. && pull <= groove.friction * weight)
    BOOST_TEST(std::abs(moving.velocity().y()) < 1e-10);
  for (const Contact &contact : moving.steps.contacts())
    if (contact.state != ContactState::open)
      {
        BOOST_TEST(contact.pressure() >= -1e-9 * g);
        BOOST_TEST(contact.friction().norm() <=
                   groove.friction * contact.pressure() * (1. + 1e-8) + 1e-9);
      }
}

BOOST_AUTO_TEST_CASE(steps_only_gain_energy_that_compression_gives)
{
  // A step of the implicit Euler rule changes the energy by
  //   -|v1 - v0|^2/2 + (V1 - V0 - dV1.(q1 - q0)) + work of contacts,
  // and the latter is not positive. The bracket is negative where V is convex;
  // a ring that turns under compression gives energy to a step.
  ShellBody body         = cantilever_plate(0.05, 0.3, -Vector3::UnitY());
  body.edges             = {};
  body.young             = 2e6;
  body.gravity           = g;
  body.gravity_direction = -Vector3::UnitY();
  Cylinder hoop;
  hoop.radius      = 1.;
  hoop.length      = 0.3;
  hoop.angle       = 2. * M_PI;
  hoop.cells       = {12, 1};
  const auto ring  = make_shell({"ring", body, make_surface(hoop)}, 2);
  Obstacle   floor = plane(0.3, Vector3::UnitY());
  floor.shift      = -1.001 * Vector3::UnitY();
  Moving moving(*ring, {floor});
  moving.motion.start(ring->initial_state(), 0., Vector3(5., 0., 0.));
  const double unit   = ring->energy_unit();
  const auto   energy = [&] {
    const MotionEnergies now = moving.motion.energies();
    return now.kinetic + now.potential;
  };
  const double start       = energy();
  double       most_gained = 0.;
  for (int i = 0; i < 60; ++i)
    {
      const double before = energy();
      const double V      = moving.motion.energies().potential;
      const Vector q      = moving.motion.now().unknowns.place;
      moving.go(1, 0.02);
      const Vector next    = moving.motion.now().unknowns.place;
      const double bracket = moving.motion.energies().potential - V -
                             unit * ring->gradient(next).dot(next - q);
      const double gained = energy() - before;
      most_gained         = std::max(most_gained, gained);
      BOOST_TEST(gained <= bracket + 1e-9 * start);
    }
  BOOST_TEST_MESSAGE("most gained in a step: " << most_gained / start);
}

BOOST_AUTO_TEST_CASE(springs_for_sticking_do_not_creep)
{
  // An explicit step stops what would be inside; below arctan mu a rod moves
  // by the stretch of springs and no further.
  const double h = 1e-3, part = 0.1;
  for (const double angle : {0.25, 0.35})
    {
      const auto      rod = lying_rod(down_a_slope(angle));
      const Obstacles floor({plane(0.3)});
      ExplicitContact moving(*rod, floor, 10., part, [](double) {});
      moving.start(rod->initial_state(), 0.);
      const auto tip = [&] {
        return touching_points(*rod)->places(moving.place())(0, 0);
      };
      for (int i = 0; i < 2000; ++i)
        BOOST_REQUIRE(moving.step(h));
      const double at_two = tip();
      for (int i = 0; i < 2000; ++i)
        BOOST_REQUIRE(moving.step(h));
      const double stretch = g * std::sin(angle) * h * h / part;
      if (angle < std::atan(0.3))
        {
          BOOST_TEST(at_two < 2. * stretch);
          BOOST_TEST(std::abs(tip() - at_two) < 1e-3 * stretch);
        }
      else
        // It slides, with drag.
        BOOST_TEST(tip() - at_two ==
                     2. * g * (std::sin(angle) - 0.3 * std::cos(angle)) / 10.,
                   boost::test_tools::tolerance(1e-2));
    }
}

BOOST_AUTO_TEST_CASE(a_filter_of_velocities_keeps_the_angle_of_friction)
{
  for (const double angle : {0.28, 0.30})
    {
      const auto    rod      = lying_rod(down_a_slope(angle));
      MotionOptions options  = euler();
      options.inertia.lumped = true;
      Motion          motion(*rod, options);
      const Obstacles floor({plane(0.3)});
      FilterOptions   filter;
      filter.thickness = 1e-6;
      FilteredMotion filtered(*rod, motion, floor, filter);
      motion.start(rod->initial_state(), 0.);
      for (int i = 0; i < 50; ++i)
        BOOST_REQUIRE(filtered.step(2e-3).converged());
      const double gained =
        g * std::max(0., std::sin(angle) - 0.3 * std::cos(angle));
      const Kinetics::Moments moments = motion.moments();
      BOOST_TEST(std::abs(moments.linear_momentum.x() / moments.mass -
                          0.1 * gained) < 1e-6);
    }
}

BOOST_AUTO_TEST_CASE(projected_friction_obeys_coulomb_once_it_has_converged)
{
  // A rod is pressed on a floor that moves aside.
  Eigen::Matrix3Xd nodes = Eigen::Matrix3Xd::Zero(3, 6);
  for (int i = 0; i < 6; ++i)
    nodes(0, i) = 0.2 * i;
  for (const double friction : {0., 0.1, 10.})
    {
      ProjectiveRodOptions options;
      options.axial      = 1e3;
      options.drag       = 10.;
      options.iterations = 400;
      ProjectiveRod rod(nodes, options);
      Obstacle      floor = plane(friction, -Vector3::UnitX());
      floor.shift         = 0.998 * Vector3::UnitX();
      floor.velocity      = 0.01 * Vector3::UnitZ();
      for (int i = 0; i < 1000; ++i)
        rod.step(2e-3, {floor});
      BOOST_TEST(rod.last_change() < 1e-9);
      BOOST_REQUIRE(rod.contacts().size() == 1u);
      const Contact &tip = rod.contacts()[0];
      BOOST_TEST(tip.pressure() > 0.);
      BOOST_TEST(tip.friction().norm() <= friction * tip.pressure() + 1e-9);
    }
}

BOOST_AUTO_TEST_SUITE_END()
