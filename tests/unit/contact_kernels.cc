// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/random.h"

#include <slender/contact/pair_energy.h>
#include <slender/contact/smooth_distance.h>

#include <Eigen/Dense>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::contact;
  using slender::test::check_second_order;
  using slender::test::Random;

  /// Two segments about the given distance apart.
  struct Case
  {
    std::string name;
    FourPoints  x;
    Spot        on_first, on_second;
  };

  std::ostream &
  operator<<(std::ostream &out, const Case &c)
  {
    return out << c.name;
  }

  FourPoints
  four(const Vector3 &a, const Vector3 &b, const Vector3 &c, const Vector3 &d)
  {
    FourPoints x;
    x << a, b, c, d;
    return x;
  }

  /// Radius one, touching at a distance of two.
  const std::vector<Case> cases = {
    {"interior with interior",
     four({-1., 0.1, 0.}, {1.2, -0.1, 0.2}, {0.1, -1., 2.16}, {-0.1, 1.1, 2.2}),
     Spot::inside,
     Spot::inside},
    {"end with interior",
     four({-1., 0., 2.05}, {-0.2, 0.1, 3.5}, {-2., -1., 0.}, {0.3, 1.2, 0.1}),
     Spot::start,
     Spot::inside},
    {"interior with end",
     four({-1., 0., 0.}, {1., 0.2, 0.}, {0.2, -0.1, 3.}, {0.1, 0.3, 2.05}),
     Spot::inside,
     Spot::end},
    {"end with end",
     four({-1., 0.1, 0.3}, {0., 0., 0.}, {2.04, 0.1, 0.1}, {3., -0.4, 0.7}),
     Spot::end,
     Spot::start},
    {"nearly parallel",
     four({-1., 0., 0.}, {1., 0., 0.}, {-0.6, 0.02, 2.04}, {1.4, -0.03, 2.05}),
     Spot::inside,
     Spot::start}};

  const SoftHinge hinge   = {2., 1., 50., 3.};
  const Barrier   barrier = {2., 0.2, 3.};

  PairEnergy
  soft(const FourPoints &x, const Derivatives wanted)
  {
    return soft_contact(x, hinge, 50., wanted);
  }

  /// Beyond the depth that is allowed in all cases.
  PairEnergy
  deep(const FourPoints &x, const Derivatives wanted)
  {
    return soft_contact(x, {2.4, 1., 50., 3., 0.1}, 50., wanted);
  }

  PairEnergy
  hard(const FourPoints &x, const Derivatives wanted)
  {
    return barrier_contact(x, barrier, wanted);
  }

  using Function = PairEnergy (*)(const FourPoints &, Derivatives);

  FourPoints
  moved(const FourPoints &x, const Twelve &direction, const double step)
  {
    return x + step * Eigen::Map<const FourPoints>(direction.data());
  }

  void
  check_derivatives(const FourPoints &x, const Function function)
  {
    Random           random(5);
    const PairEnergy here = function(x, Derivatives::second);
    BOOST_TEST(here.value > 0.);
    BOOST_TEST(
      (function(x, Derivatives::first).gradient - here.gradient).norm() <
      1e-13 * here.gradient.norm());
    BOOST_TEST((here.hessian - here.hessian.transpose()).norm() <
               1e-12 * here.hessian.norm());
    for (int i = 0; i < 3; ++i)
      {
        const Twelve d = random.unit_vector(12);
        // Energies vary over lengths of 1/50 of the radius.
        check_second_order(
          [&](const double h) {
            return std::abs(
              (function(moved(x, d, h), Derivatives::none).value -
               function(moved(x, d, -h), Derivatives::none).value) /
                (2. * h) -
              here.gradient.dot(d));
          },
          1e-3,
          here.value);
        check_second_order(
          [&](const double h) {
            const Twelve difference =
              (function(moved(x, d, h), Derivatives::first).gradient -
               function(moved(x, d, -h), Derivatives::first).gradient) /
              (2. * h);
            return (difference - here.hessian * d).norm();
          },
          1e-3,
          here.gradient.norm());
      }
  }
} // namespace

BOOST_AUTO_TEST_SUITE(contact_kernels)

BOOST_DATA_TEST_CASE(nearest_points_are_found_on_every_branch, cases, sample)
{
  const Products p    = products_of(sample.x);
  const Nearest  near = nearest_points(p);
  BOOST_TEST((near.on_first == sample.on_first));
  BOOST_TEST((near.on_second == sample.on_second));
  // No point of a fine net on both is nearer.
  const int n     = 400;
  double    least = 1e9;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      least = std::min(least,
                       p.squared_distance(static_cast<double>(i) / n,
                                          static_cast<double>(j) / n));
  BOOST_TEST(near.squared_distance <= least + 1e-13);
  BOOST_TEST(near.squared_distance > least - 1e-4);
}

BOOST_AUTO_TEST_CASE(exact_distances_of_parallel_and_random_segments)
{
  BOOST_TEST(
    std::abs(
      distance(four({0., 0., 0.}, {1., 0., 0.}, {0.3, 2., 0.}, {5., 2., 0.})) -
      2.) < 1e-14);
  BOOST_TEST(
    std::abs(
      distance(four({0., 0., 0.}, {1., 0., 0.}, {4., 4., 0.}, {6., 4., 0.})) -
      5.) < 1e-14);
  Random random(3);
  for (int i = 0; i < 1000; ++i)
    {
      const Vector     v    = random.vector(12);
      const FourPoints x    = Eigen::Map<const FourPoints>(v.data());
      const Products   p    = products_of(x);
      const Nearest    near = nearest_points(p);
      for (int j = 0; j < 100; ++j)
        BOOST_TEST_REQUIRE(near.squared_distance <=
                           p.squared_distance(0.5 * (1. + random.number()),
                                              0.5 * (1. + random.number())) +
                             1e-13);
    }
}

BOOST_DATA_TEST_CASE(soft_contact_is_differentiated_exactly, cases, sample)
{
  check_derivatives(sample.x, soft);
}

BOOST_DATA_TEST_CASE(deep_contact_is_differentiated_exactly, cases, sample)
{
  check_derivatives(sample.x, deep);
}

BOOST_AUTO_TEST_CASE(the_force_grows_without_end_beyond_a_depth)
{
  const double    F = 3., depth = 0.01;
  const SoftHinge bounded = {2., 1., 50., F}, law = {2., 1., 50., F, depth};
  const auto      added = [&](const double penetration) {
    const Curve with    = law(2. - penetration),
                without = bounded(2. - penetration);
    return Curve{with.value - without.value,
                 with.slope - without.slope,
                 with.bend - without.bend};
  };
  // The paper's law up to the depth, and twice continuously differentiable.
  for (const double penetration : {-0.5, 0., 0.5 * depth, 0.999 * depth})
    {
      const Curve there = added(penetration);
      BOOST_TEST(there.value == 0.);
      BOOST_TEST(there.slope == 0.);
      BOOST_TEST(there.bend == 0.);
    }
  BOOST_TEST(added(depth * (1. + 1e-6)).bend < 1e-5 * F / depth);
  // F more at twice the depth, 4 F more at three times.
  BOOST_TEST(std::abs(added(2. * depth).slope + F) < 1e-12);
  BOOST_TEST(std::abs(added(3. * depth).slope + 4. * F) < 1e-12);
  BOOST_TEST(std::abs(added(2. * depth).value - F * depth / 3.) < 1e-14);
  BOOST_TEST(std::abs(bounded(1.).slope + F) < 1e-12);
}

BOOST_DATA_TEST_CASE(barrier_is_differentiated_exactly, cases, sample)
{
  check_derivatives(sample.x, hard);
}

BOOST_DATA_TEST_CASE(forces_are_in_balance_and_turn_with_the_segments,
                     cases,
                     sample)
{
  Random                random(8);
  const Eigen::Matrix3d turn =
    Eigen::Quaterniond(Eigen::Vector4d(random.rotation())).toRotationMatrix();
  for (const Function function : {Function(soft), Function(hard)})
    {
      const PairEnergy here = function(sample.x, Derivatives::first);
      const Eigen::Map<const FourPoints> force(here.gradient.data());
      const double                       size = here.gradient.norm();
      BOOST_TEST(force.rowwise().sum().norm() < 1e-13 * size);
      Vector3 moment = Vector3::Zero();
      for (int i = 0; i < 4; ++i)
        moment += Vector3(sample.x.col(i)).cross(Vector3(force.col(i)));
      BOOST_TEST(moment.norm() < 1e-12 * size);

      const FourPoints turned =
        (turn * sample.x).colwise() + Vector3(1., -2., 0.5);
      const PairEnergy there        = function(turned, Derivatives::first);
      const FourPoints turned_force = turn * force;
      BOOST_TEST(std::abs(there.value - here.value) < 1e-11 * here.value);
      BOOST_TEST(
        (Eigen::Map<const FourPoints>(there.gradient.data()) - turned_force)
          .norm() < 1e-11 * size);
    }
}

BOOST_AUTO_TEST_CASE(smooth_distances_tend_to_exact_ones)
{
  // The error of a bound at an end is log(2)/k, elsewhere exponentially small.
  Random random(11);
  for (const Case &sample : cases)
    {
      const Products p     = products_of(sample.x);
      const double   exact = distance(sample.x);
      double         error = 1.;
      for (const double k : {50., 200., 800., 3200., 12800.})
        {
          const double now = std::abs(smooth_distance(p, k) - exact);
          BOOST_TEST(now <= error + 1e-14);
          error = now;
        }
      BOOST_TEST(error < 1e-3);
    }
}

BOOST_AUTO_TEST_CASE(the_barrier_is_smooth_where_it_begins_and_has_no_end)
{
  const Curve begin = barrier(2.2 - 1e-6);
  BOOST_TEST(begin.value < 1e-15);
  BOOST_TEST(std::abs(begin.slope) < 1e-9);
  BOOST_TEST(std::abs(begin.bend) < 1e-3);
  BOOST_TEST(std::abs(barrier(2.1).slope + 1.5) < 1e-12);
  BOOST_TEST(barrier(2. + 1e-9).slope < -1e7);
  BOOST_TEST(std::isinf(barrier(2.).value));
  BOOST_TEST(std::isinf(barrier(1.5).value));
}

BOOST_AUTO_TEST_CASE(the_barrier_does_not_jump_where_segments_become_parallel)
{
  // Through parallel, where the nearest points jump from one end to the other.
  const auto at = [](const double angle) {
    return four({-1., 0., 0.},
                {1., 0., 0.},
                {-1., -angle, 2.1},
                {1., angle, 2.1 + 0.3 * angle});
  };
  const double h = 1e-7;
  for (const double angle : {0., 1e-4, 0.01, 0.0999, 0.1, 0.1001})
    {
      const PairEnergy left  = hard(at(angle - h), Derivatives::first),
                       right = hard(at(angle + h), Derivatives::first);
      BOOST_TEST(std::abs(left.value - right.value) < 1e-4 * left.value);
      BOOST_TEST((left.gradient - right.gradient).norm() <
                 1e-3 * left.gradient.norm());
    }
}

BOOST_AUTO_TEST_SUITE_END()
