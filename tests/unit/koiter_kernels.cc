// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/random.h"

#include <slender/models/shells/koiter_edge_kernel.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::koiter;
  using Eigen::MatrixXd;
  using slender::test::check_second_order;
  using slender::test::Random;

  // A few operations on numbers of order one.
  constexpr double round_off = 1e-13;

  /// A point of a smooth surface in skew coordinates.
  Jet
  random_jet(Random &random)
  {
    Jet z = Eigen::Map<const Jet>(Vector(0.4 * random.vector(15)).data());
    z.col(0) += Vector3(1., 0.2, 0.);
    z.col(1) += Vector3(-0.3, 0.8, 0.1);
    return z;
  }

  /// The rest state and the stiffnesses of a test.
  struct Law
  {
    Form            a0 = {1.1, 0.9, 0.2}, b0 = {0.3, -0.2, 0.1};
    Eigen::Matrix3d C = elasticity(inverse(a0), 0.35);
    double          K = 7.;

    double
    energy(const Jet &z) const
    {
      const Form da = metric(z) - a0, db = Surface(z).curvature - b0;
      return K / 8 * da.dot(C * da) + 0.5 * db.dot(C * db);
    }

    Jet
    gradient(const Jet &z) const
    {
      const Surface s(z);
      Jet           g = Jet::Zero();
      add_membrane_gradient(z, K / 4 * C * (metric(z) - a0), g);
      add_bending_gradient(s, C * (s.curvature - b0), g);
      return g;
    }

    JetHessian
    hessian(const Jet &z) const
    {
      const Surface s(z);
      JetHessian    H = JetHessian::Zero();
      add_membrane_material(z, K / 4 * C, H);
      add_membrane_geometric(K / 4 * C * (metric(z) - a0), H);
      add_bending_material(s, C, H);
      add_bending_geometric(s, C * (s.curvature - b0), H);
      return H;
    }
  };

  template <class J>
  Vector
  flat(const J &z)
  {
    return Eigen::Map<const Vector>(z.data(), z.size());
  }

  template <class J, class Function, class Gradient, class Hessian>
  void
  check_derivatives(const Function    &f,
                    const Gradient    &gradient,
                    const Hessian     &hessian,
                    const J           &z,
                    const unsigned int seed)
  {
    const Vector direction = Random(seed).unit_vector(z.size());
    const J      d         = Eigen::Map<const J>(direction.data());
    const double slope     = flat(gradient(z)).dot(direction);
    const Vector curvature = hessian(z) * direction;
    check_second_order(
      [&](const double h) {
        return std::abs((f(z + h * d) - f(z - h * d)) / (2 * h) - slope);
      },
      1e-2,
      std::abs(f(z)) + std::abs(slope));
    check_second_order(
      [&](const double h) {
        const J difference = gradient(z + h * d) - gradient(z - h * d);
        return (flat(difference) / (2 * h) - curvature).norm();
      },
      1e-2,
      flat(gradient(z)).norm() + curvature.norm());
  }

  /// Two sides of an edge that is folded by about an angle.
  EdgeJet
  random_edge(Random &random, const double fold)
  {
    EdgeJet z =
      Eigen::Map<const EdgeJet>(Vector(0.3 * random.vector(24)).data());
    z.col(0) += Vector3(0., 1.2, 0.);
    z.col(2) += Vector3(0.9, 0.2, 0.);
    z.col(5) += Vector3(-std::cos(fold), -0.1, std::sin(fold));
    return z;
  }

  EdgePoint
  some_edge_point()
  {
    EdgePoint point;
    point.moment[0]    = {0.4, 0.2, -0.1};
    point.moment[1]    = {0.5, 0.1, 0.3};
    point.curvature[0] = {0.1, 0.2, 0.3};
    point.curvature[1] = {-0.2, 0.1, 0.};
    point.penalty      = 3.;
    point.angle        = 0.1;
    return point;
  }

  /// A rotation of space applied to every column.
  template <class J>
  J
  turned(const J &z, const Vector4 &q)
  {
    const Eigen::Matrix3d R =
      Eigen::Quaterniond(q(0), q(1), q(2), q(3)).toRotationMatrix();
    return R * z;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(koiter_kernels)

BOOST_AUTO_TEST_CASE(density_has_the_derivatives_it_claims)
{
  const Law law;
  for (unsigned int seed = 1; seed < 6; ++seed)
    {
      Random     random(seed);
      const Jet  z = random_jet(random);
      const auto H = law.hessian(z);
      BOOST_TEST((H - H.transpose()).norm() < 1e-14 * H.norm());
      check_derivatives<Jet>([&](const Jet &x) { return law.energy(x); },
                             [&](const Jet &x) { return law.gradient(x); },
                             [&](const Jet &x) { return law.hessian(x); },
                             z,
                             seed + 10);
    }
}

BOOST_AUTO_TEST_CASE(density_does_not_see_a_rotation)
{
  const Law law;
  Random    random(3);
  const Jet z = random_jet(random);
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(std::abs(law.energy(turned(z, random.rotation())) -
                        law.energy(z)) < round_off * law.energy(z));
}

BOOST_AUTO_TEST_CASE(density_does_not_depend_on_the_coordinates)
{
  // x(xi) and x(F xi') are the same surface; forms transform as tensors.
  Random          random(4);
  const Jet       z = random_jet(random), z0 = random_jet(random);
  Eigen::Matrix2d F;
  F << 1.3, 0.4, -0.2, 0.8;
  const auto in_other_coordinates = [&](const Jet &x) {
    Jet y;
    for (int i = 0; i < 2; ++i)
      y.col(i) = F(0, i) * x.col(0) + F(1, i) * x.col(1);
    const auto second = [&](const int i, const int j) -> Vector3 {
      return F(0, i) * F(0, j) * x.col(2) + F(1, i) * F(1, j) * x.col(3) +
             (F(0, i) * F(1, j) + F(1, i) * F(0, j)) * x.col(4);
    };
    y.col(2) = second(0, 0);
    y.col(3) = second(1, 1);
    y.col(4) = second(0, 1);
    return y;
  };
  const auto law_of = [](const Jet &rest) {
    Law law;
    law.a0 = metric(rest);
    law.b0 = Surface(rest).curvature;
    law.C  = elasticity(inverse(law.a0), 0.35);
    return law;
  };
  const double expected = law_of(z0).energy(z);
  BOOST_TEST(
    std::abs(law_of(in_other_coordinates(z0)).energy(in_other_coordinates(z)) -
             expected) < round_off * expected);
}

BOOST_AUTO_TEST_CASE(stiffness_acts_on_a_direction_as_its_matrix_does)
{
  const Law     law;
  Random        random(5);
  const Jet     z = random_jet(random);
  const Surface s(z);
  const Form    moment(0.4, -0.3, 0.7);
  const Vector  d  = random.vector(15);
  const Jet     dz = Eigen::Map<const Jet>(d.data());
  JetHessian    H  = JetHessian::Zero();
  add_bending_geometric(s, moment, H);
  Jet g = Jet::Zero();
  add_bending_geometric_times(s, moment, dz, g);
  BOOST_TEST((H * d - flat(g)).norm() < round_off);

  for (const int sides : {1, 2})
    {
      const EdgePoint point = some_edge_point();
      EdgeJet         y     = random_edge(random, 0.4);
      Vector          b     = random.vector(24);
      if (sides == 1)
        b.tail<9>().setZero();
      const Edge edge(y, point, sides);
      BOOST_TEST((edge.hessian() * b -
                  flat(edge.hessian_times(Eigen::Map<const EdgeJet>(b.data()))))
                   .norm() < 10 * round_off);
    }
}

BOOST_AUTO_TEST_CASE(predicted_metric_is_the_metric_up_to_second_order)
{
  Random    random(6);
  const Jet z0 = random_jet(random), d = random_jet(random);
  check_second_order(
    [&](const double h) {
      const Jet z = z0 + h * d;
      return (predicted_metric(z, z0) - metric(z)).norm();
    },
    1e-2,
    1.);
}

BOOST_AUTO_TEST_CASE(angle_is_the_integral_of_the_curvature_across_the_edge)
{
  // A cylinder of radius 2 along the edge, cut into two flat strips: a turn of
  // the tangent by phi is a curvature of 1/2 over an arc of 2 phi, seen from
  // the side of the normal.
  for (const double phi : {-2., -0.3, 0.1, 1.5})
    {
      EdgeJet z = EdgeJet::Zero();
      z.col(0)  = Vector3(0., 1.5, 0.);
      z.col(2)  = Vector3(std::cos(phi), 0.3, std::sin(phi));
      z.col(5)  = Vector3(-1., 0.2, 0.);
      // n+ = s x t has the direction of z here: a tangent that turns towards
      // it has a positive curvature.
      BOOST_TEST(std::abs(edge_angle(z) - phi) < round_off);
    }
}

BOOST_AUTO_TEST_CASE(edge_energy_has_the_derivatives_it_claims)
{
  const EdgePoint point = some_edge_point();
  for (const int sides : {1, 2})
    for (const double fold : {0., 0.5, 2.})
      for (unsigned int seed = 1; seed < 5; ++seed)
        BOOST_TEST_CONTEXT(sides << " sides, fold " << fold << ", seed "
                                 << seed)
        {
          Random        random(seed);
          const EdgeJet z = random_edge(random, fold);
          // One side alone: the rest of the jet is data.
          const auto with_unknowns = [&](const EdgeJet &y) {
            EdgeJet result = y;
            if (sides == 1)
              result.rightCols<3>() = z.rightCols<3>();
            return result;
          };
          const EdgeHessian H = Edge(z, point, sides).hessian();
          BOOST_TEST((H - H.transpose()).norm() < 1e-14 * H.norm());
          check_derivatives<EdgeJet>(
            [&](const EdgeJet &y) {
              return Edge(with_unknowns(y), point, sides).energy();
            },
            [&](const EdgeJet &y) {
              return Edge(with_unknowns(y), point, sides).gradient();
            },
            [&](const EdgeJet &y) {
              return Edge(with_unknowns(y), point, sides).hessian();
            },
            z,
            seed + 20);
        }
}

BOOST_AUTO_TEST_CASE(edge_energy_does_not_see_a_rotation)
{
  const EdgePoint point = some_edge_point();
  Random          random(8);
  const EdgeJet   z      = random_edge(random, 0.7);
  const double    energy = Edge(z, point, 2).energy();
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(std::abs(Edge(turned(z, random.rotation()), point, 2).energy() -
                        energy) < round_off * std::abs(energy));
}

BOOST_AUTO_TEST_SUITE_END()
