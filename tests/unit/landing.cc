// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/random.h"
#include "support/rods.h"

#include <slender/contact/contact_potential.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/dynamics/motion.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/models/triangles/triangle_shell.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/structure.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  Obstacle
  ball(const Vector3 &centre, const double radius, const double friction)
  {
    Obstacle result;
    result.shape    = make_sphere(centre, radius);
    result.friction = friction;
    return result;
  }

  const std::vector<std::string> models = {"discrete", "super"};

  std::unique_ptr<RodModel>
  bent_rod(const std::string &name)
  {
    RodBody body;
    body.initial_strain = {0.3, 0.8, -0.5};
    if (name == "super")
      {
        CurvatureRodDiscretisation discretisation;
        discretisation.elements = 5;
        return std::make_unique<CurvatureRod>(body,
                                              discretisation,
                                              MPI_COMM_SELF);
      }
    Mesh mesh;
    mesh.pieces = 5;
    return make_rod(Kind::discrete, body, mesh);
  }
} // namespace

BOOST_AUTO_TEST_SUITE(landing)

BOOST_DATA_TEST_CASE(contacts_as_an_energy_have_derivatives,
                     data::make(models),
                     name)
{
  const auto rod    = bent_rod(name);
  const auto points = touching_points(*rod);
  // Half of the rod is inside.
  const Obstacles obstacles = {ball({0., 0.1, 0.2}, 0.6, 0.4)};
  Structure       structure(*rod);
  auto  owner          = std::make_unique<ContactPotential>(*points, obstacles);
  auto *potential      = owner.get();
  potential->stiffness = 3.;
  structure.add_term("contacts", std::move(owner));
  const Vector q =
    rod->initial_state() + 0.05 * Random(7).vector(rod->layout().n_local());
  const Eigen::Matrix3Xd x = points->places(q);
  std::array<int, 3>     count{0, 0, 0};
  for (Index i = 0; i < points->size(); ++i)
    {
      ContactPotential::Site site;
      site.point      = i;
      site.obstacle   = 0;
      site.normal     = obstacles[0].shape->normal(x.col(i));
      site.origin     = x.col(i) + Vector3(0.1, -0.2, 0.1);
      site.multiplier = 0.2 * site.normal + Vector3(0.05, 0.1, -0.1);
      // Every other one slips.
      site.limit = i % 2 == 0 ? 0.1 : 10.;
      if (potential->force(site, x.col(i)).pressure == 0.)
        site.limit = 0.;
      ++count[static_cast<int>(potential->force(site, x.col(i)).state)];
      potential->sites.push_back(site);
    }
  BOOST_REQUIRE(*std::min_element(count.begin(), count.end()) > 0);

  const auto gradient = [&](const Vector &at) {
    Vector sum = Vector::Zero(at.size());
    potential->add_gradient(at, sum);
    return sum;
  };
  const Vector d       = Random(8).unit_vector(q.size());
  Vector       product = Vector::Zero(q.size());
  potential->add_hessian_times(q, d, product);
  const double h = 1e-5;
  BOOST_TEST(
    std::abs((potential->energy(q + h * d) - potential->energy(q - h * d)) /
               (2. * h) -
             gradient(q).dot(d)) < 1e-8);
  BOOST_TEST(
    ((gradient(q + h * d) - gradient(q - h * d)) / (2. * h) - product).norm() <
    1e-7);
}

BOOST_AUTO_TEST_CASE(a_cloth_lands_on_a_rough_ball)
{
  // It is stopped by many points at once and folds, which full steps of
  // Newton's method with forces that are exact do not find their way through.
  ShellBody body;
  body.thickness         = 1e-3;
  body.young             = 1e5;
  body.density           = 300.;
  body.edges             = {};
  body.gravity           = 9.81;
  body.gravity_direction = -Vector3::UnitZ();
  Rectangle napkin;
  napkin.length = napkin.width = 0.2;
  napkin.cells                 = {16, 16};
  TriangleShell   cloth(body,
                      *make_surface(napkin),
                      TriangleShellDiscretisation(),
                      MPI_COMM_SELF);
  const double    friction  = 0.5;
  const Obstacles obstacles = {ball({0.1, 0., -0.071}, 0.07, friction)};
  MotionOptions   options;
  options.integrator.kind = IntegratorKind::implicit_euler;
  FrictionalSteps steps(cloth, obstacles, options.newton);
  options.search = steps.search();
  Motion motion(cloth, options);
  motion.start(cloth.initial_state(), 0., Vector3(0., 0., -0.5));
  double length = 5e-3;
  while (motion.now().time < 0.1)
    {
      const Motion::Step step = motion.step(length);
      if (!step.converged())
        {
          // Folds that snap take one half of a step now and then.
          length /= 2.;
          BOOST_REQUIRE(length > 2e-3);
          continue;
        }
      length = 5e-3;
      for (const Contact &contact : steps.contacts())
        {
          // Lengths of 1e-9 are what Newton's tolerance leaves.
          BOOST_TEST(contact.gap > -1e-9);
          BOOST_TEST(contact.pressure() >= 0.);
          BOOST_TEST(contact.friction().norm() <=
                     friction * contact.pressure() * (1. + 1e-6));
        }
    }
  BOOST_TEST(steps.contacts().size() >= 32);
  BOOST_TEST(steps.statistics().landings > 0);
}

BOOST_AUTO_TEST_SUITE_END()
