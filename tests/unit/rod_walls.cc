// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/random.h"

#include <slender/base/errors.h>
#include <slender/contact/rod_walls.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/studies/rod_arrangement.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using slender::test::check_second_order;
  using slender::test::Random;

  constexpr double radius = 0.02;

  /// A rod along a floor, a little above it.
  struct Lying
  {
    Lying()
      : rod(body(), {20}, MPI_COMM_SELF)
      , system(rod)
    {
      RodWallOptions options;
      options.force       = 5.;
      options.gap         = 0.1;
      options.creep_speed = 1e-3;
      Wall floor;
      floor.normal   = Vector3(0., 0., 2.);
      floor.friction = 0.4;
      auto term = std::make_unique<RodWalls>(std::vector<Wall>{floor}, options);
      walls     = term.get();
      system.add_term("walls", std::move(term));
      q = system.initial_state();
      walls->start(q);
      walls->set_step(0.1);
      for (int i = 0; i < 11; ++i)
        walls->survey(q); // those before take secants
    }

    static RodBody
    body()
    {
      RodBody result;
      result.radius         = radius;
      result.axial          = 4. / (radius * radius);
      result.start          = RodEnd();
      result.start.position = Vector3(0., 0., 1.04 * radius);
      return result;
    }

    DiscreteElasticRod rod;
    Structure          system;
    RodWalls          *walls;
    Vector             q;
  };
} // namespace

BOOST_AUTO_TEST_SUITE(rod_walls)

BOOST_AUTO_TEST_CASE(walls_and_their_friction_are_differentiated_exactly)
{
  Lying        lying;
  Random       random(3);
  const Vector q  = lying.q + 1e-4 * random.vector(lying.q.size());
  const auto   of = [&](const Vector &at) {
    Vector g = Vector::Zero(at.size());
    lying.walls->add_gradient(at, g);
    return g;
  };
  const Vector gradient = of(q);
  BOOST_TEST(gradient.norm() > 0.1);
  for (int i = 0; i < 3; ++i)
    {
      const Vector d = random.unit_vector(q.size());
      check_second_order(
        [&](const double h) {
          return std::abs(
            (lying.walls->energy(q + h * d) - lying.walls->energy(q - h * d)) /
              (2. * h) -
            gradient.dot(d));
        },
        4e-6,
        lying.walls->energy(q));
      Vector product = Vector::Zero(q.size());
      lying.walls->add_hessian_times(q, d, product);
      check_second_order(
        [&](const double h) {
          return ((of(q + h * d) - of(q - h * d)) / (2. * h) - product).norm();
        },
        4e-6,
        gradient.norm());
    }
}

BOOST_AUTO_TEST_CASE(steps_end_before_a_wall_and_what_is_inside_is_named)
{
  Lying  lying;
  Vector down = Vector::Zero(lying.q.size());
  for (Index i = 0; i < lying.rod.n_nodes(); ++i)
    down(lying.rod.node_unknowns(i)[2]) = -1.;
  const double longest = lying.walls->longest_step(lying.q, down);
  BOOST_TEST(std::abs(longest - 0.9 * 0.04 * radius) < 1e-12);
  BOOST_TEST(std::isinf(lying.walls->longest_step(lying.q, -down)));
  BOOST_TEST(!lying.walls->deepest(lying.q).exists);
  const auto inside = lying.walls->deepest(lying.q + 0.1 * radius * down);
  BOOST_TEST(inside.exists);
  BOOST_TEST(std::abs(inside.depth - 0.06 * radius) < 1e-12);
}

BOOST_AUTO_TEST_CASE(what_slides_on_a_wall_feels_its_friction)
{
  Lying        lying;
  const double normal =
    find_measurement(lying.walls->measure(lying.q), "force on walls");
  Vector aside = lying.q;
  for (Index i = 0; i < lying.rod.n_nodes(); ++i)
    aside(lying.rod.node_unknowns(i)[1]) += 0.01;
  lying.walls->commit(aside);
  BOOST_TEST(
    std::abs(lying.walls->friction_work() / (0.4 * normal * 0.01) - 1.) < 1e-2);
}

BOOST_AUTO_TEST_CASE(heaps_are_reproducible_and_have_room)
{
  RodArrangement heap;
  heap.arrangement = "heap";
  heap.number      = 30;
  heap.sides       = Vector3(1., 1., 2.);
  const auto rods  = heap.centrelines(0.5, 0.01);
  const auto again = heap.centrelines(0.5, 0.01);
  BOOST_TEST(rods.size() == 30U);
  for (std::size_t i = 0; i < rods.size(); ++i)
    {
      BOOST_TEST((rods[i] - again[i]).norm() == 0.);
      BOOST_TEST(std::abs(polygon_length(rods[i]) - 0.5) < 1e-12);
      BOOST_TEST(rods[i].row(0).cwiseAbs().maxCoeff() < 0.5 - 0.01 + 1e-12);
      BOOST_TEST(rods[i].row(2).cwiseAbs().maxCoeff() < 1. - 0.01 + 1e-12);
    }
  heap.number = 5000;
  BOOST_CHECK_THROW(heap.centrelines(0.5, 0.05), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
