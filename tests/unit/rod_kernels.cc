// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/random.h"

#include <slender/models/rods/discrete_kernel.h>
#include <slender/models/rods/kirchhoff_kernel.h>
#include <slender/models/rods/rod_model.h>

#include <Eigen/Geometry>
#include <boost/math/constants/constants.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using Eigen::AngleAxisd;
  using Eigen::Matrix3d;
  using Eigen::MatrixXd;
  using slender::test::check_second_order;
  using slender::test::Random;

  constexpr double pi = boost::math::constants::pi<double>();

  // A few operations on numbers of order one.
  constexpr double round_off = 1e-14;

  /// The vector v of a skew matrix with M x = v x x.
  Vector3
  axial_vector(const Matrix3d &M)
  {
    return {M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
  }

  /// The rotation matrix of a quaternion, written out.
  Matrix3d
  rotation_matrix(const Vector4 &quaternion)
  {
    const Vector4 q = quaternion.normalized();
    const double  a = q(0), b = q(1), c = q(2), d = q(3);
    Matrix3d      R;
    R << a * a + b * b - c * c - d * d, 2 * (b * c - a * d),
      2 * (b * d + a * c), //
      2 * (b * c + a * d), a * a - b * b + c * c - d * d,
      2 * (c * d - a * b), //
      2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d;
    return R;
  }

  /// Gradient and Hessian of a scalar function against each other and against
  /// the function, in one random direction.
  template <class Function, class Gradient, class Hessian>
  void
  check_derivatives(const Function    &f,
                    const Gradient    &gradient,
                    const Hessian     &hessian,
                    const Vector      &z,
                    const unsigned int seed)
  {
    const Vector d         = Random(seed).unit_vector(z.size());
    const double slope     = Vector(gradient(z)).dot(d);
    const Vector curvature = MatrixXd(hessian(z)) * d;
    check_second_order(
      [&](const double h) {
        return std::abs((f(z + h * d) - f(z - h * d)) / (2 * h) - slope);
      },
      1e-2,
      std::abs(f(z)) + std::abs(slope));
    check_second_order(
      [&](const double h) {
        const Vector difference = gradient(z + h * d) - gradient(z - h * d);
        return (difference / (2 * h) - curvature).norm();
      },
      1e-2,
      Vector(gradient(z)).norm() + curvature.norm());
  }

  /// The same for an elastic energy density of a law.
  template <class Law>
  void
  check_density_derivatives(const unsigned int seed)
  {
    using Input = typename Law::Input;
    Random random(seed);
    Vector z = random.vector(Law::n_inputs);
    z.head<4>() += 2. * random.rotation(); // away from the singular q = 0
    const Vector3 stiffness(0.7, 1., 3.);
    const Vector3 natural = random.vector(3);
    check_derivatives(
      [&](const Input &x) {
        return kirchhoff::energy_density<Law>(x, stiffness, natural);
      },
      [&](const Input &x) {
        return kirchhoff::energy_gradient<Law>(x, stiffness, natural);
      },
      [&](const Input &x) {
        const auto strain = Law::strain(x);
        return kirchhoff::energy_hessian<Law>(
          x, strain, stiffness, stiffness.cwiseProduct(strain.value - natural));
      },
      z,
      seed + 1);
  }
} // namespace



BOOST_AUTO_TEST_SUITE(kirchhoff_kernel)

BOOST_AUTO_TEST_CASE(a_frame_that_turns_at_a_rate_has_that_rate_as_strain)
{
  // R(s) = R0 exp(s [kappa]x) has R^T R' = [kappa]x at every s.
  Random random(1);
  for (int trial = 0; trial < 20; ++trial)
    {
      const Vector4 q     = random.rotation();
      const Vector3 kappa = 3. * random.vector(3);
      Vector4       rate;
      rate << 0., kappa / 2;
      kirchhoff::Curvature::Input z;
      z << q, quaternion::product(q, rate);
      BOOST_TEST((kirchhoff::Curvature::value(z) - kappa).norm() <
                 10 * round_off);
      BOOST_TEST((kirchhoff::Curvature::strain(z).value - kappa).norm() <
                 10 * round_off);
    }
}

BOOST_AUTO_TEST_CASE(curvature_is_the_axial_vector_of_the_rotation_matrix)
{
  Random random(2);
  for (int trial = 0; trial < 20; ++trial)
    {
      const Vector4  q  = 1.5 * random.rotation() + 0.3 * random.vector(4);
      const Vector4  dq = random.vector(4);
      const Matrix3d R  = rotation_matrix(q);
      const Matrix3d dR =
        test::precise_derivative([&](const double s) -> Matrix3d {
          return rotation_matrix(q + s * dq);
        });
      kirchhoff::Curvature::Input z;
      z << q, dq;
      // A sixth-order difference at a step of 0.01.
      BOOST_TEST((kirchhoff::Curvature::value(z) -
                  0.5 * axial_vector(R.transpose() * dR))
                   .norm() < 1e-9);
    }
}

BOOST_AUTO_TEST_CASE(stretch_is_the_centreline_seen_from_the_frame)
{
  Random random(3);
  for (int trial = 0; trial < 20; ++trial)
    {
      const Vector4             q  = 2. * random.rotation() + random.vector(4);
      const Vector3             dr = random.vector(3);
      kirchhoff::Stretch::Input z;
      z << q, dr;
      const Vector3 expected =
        rotation_matrix(q).transpose() * dr - Vector3::UnitX();
      BOOST_TEST((kirchhoff::Stretch::value(z) - expected).norm() <
                 10 * round_off);
      BOOST_TEST((kirchhoff::Stretch::strain(z).value - expected).norm() <
                 10 * round_off);
    }
}

BOOST_AUTO_TEST_CASE(strains_do_not_see_a_rotation_of_space)
{
  Random        random(4);
  const Vector4 turn = random.rotation();
  const Vector4 q = random.rotation() * 1.3, dq = random.vector(4);
  const Vector3 dr = random.vector(3);
  kirchhoff::Curvature::Input z, turned_z;
  z << q, dq;
  turned_z << quaternion::product(turn, q), quaternion::product(turn, dq);
  BOOST_TEST(
    (kirchhoff::Curvature::value(z) - kirchhoff::Curvature::value(turned_z))
      .norm() < 10 * round_off);
  kirchhoff::Stretch::Input y, turned_y;
  y << q, dr;
  turned_y << quaternion::product(turn, q), rotation_matrix(turn) * dr;
  BOOST_TEST(
    (kirchhoff::Stretch::value(y) - kirchhoff::Stretch::value(turned_y))
      .norm() < 10 * round_off);
}

BOOST_AUTO_TEST_CASE(strains_do_not_see_the_length_of_the_quaternion)
{
  // Nor how that length changes along the rod: q -> c q, q' -> c q' + c' q.
  Random                      random(5);
  const Vector4               q = random.rotation(), dq = random.vector(4);
  const Vector3               dr = random.vector(3);
  kirchhoff::Curvature::Input z, scaled_z;
  z << q, dq;
  scaled_z << 2.7 * q, 2.7 * dq - 4.1 * q;
  BOOST_TEST(
    (kirchhoff::Curvature::value(z) - kirchhoff::Curvature::value(scaled_z))
      .norm() < 10 * round_off);
  kirchhoff::Stretch::Input y, scaled_y;
  y << q, dr;
  scaled_y << -0.4 * q, dr;
  BOOST_TEST(
    (kirchhoff::Stretch::value(y) - kirchhoff::Stretch::value(scaled_y))
      .norm() < 10 * round_off);
}

BOOST_AUTO_TEST_CASE(densities_have_the_derivatives_they_claim)
{
  for (unsigned int seed = 10; seed < 15; ++seed)
    {
      BOOST_TEST_CONTEXT("curvature, seed " << seed)
      check_density_derivatives<kirchhoff::Curvature>(seed);
      BOOST_TEST_CONTEXT("stretch, seed " << seed)
      check_density_derivatives<kirchhoff::Stretch>(seed);
    }
}

BOOST_AUTO_TEST_CASE(predicted_stress_is_the_stress_up_to_second_order)
{
  using kirchhoff::Stretch;
  Random         random(6);
  Stretch::Input z0;
  z0 << 1.2 * random.rotation(), random.vector(3);
  const Stretch::Input d = random.unit_vector(7);
  const Vector3        stiffness(1., 2., 3.), natural(0.1, 0.2, 0.3);
  check_second_order(
    [&](const double h) {
      const Stretch::Input z = z0 + h * d;
      return (kirchhoff::predicted_stress<Stretch>(z, z0, stiffness, natural) -
              stiffness.cwiseProduct(Stretch::value(z) - natural))
        .norm();
    },
    1e-2,
    1.);
}

BOOST_AUTO_TEST_SUITE_END()



namespace
{
  using namespace slender::discrete_rod;

  /// The frame of an edge as Bergou et al. build it: the source's directors
  /// are turned by the smallest rotation from tangent to tangent (Rodrigues),
  /// then about the edge by theta.
  Matrix3d
  directors(const Source &source, const Vector3 &edge, const double theta)
  {
    const Vector3 t         = edge.normalized();
    const Vector3 b         = source.tangent.cross(t);
    const double  c         = source.tangent.dot(t);
    const auto    transport = [&](const Vector3 &v) -> Vector3 {
      return c * v + b.cross(v) + b * b.dot(v) / (1. + c);
    };
    const Matrix3d S = rotation_matrix(source.frame);
    Matrix3d       F;
    F.col(0) = t;
    for (int i = 1; i < 3; ++i)
      F.col(i) = AngleAxisd(theta, t) * transport(S.col(i));
    return F;
  }

  /// Strains of Bergou et al. (2010): curvature binormal on the mean
  /// directors; twist from parallel transport across the node.
  Vector3
  bergou_strain(const Matrix3d &frame_0, const Matrix3d &frame_1)
  {
    const Vector3 t0 = frame_0.col(0), t1 = frame_1.col(0);
    const Vector3 binormal = 2. * t0.cross(t1) / (1. + t0.dot(t1));

    const Vector3 b = t0.cross(t1);
    const Vector3 d = frame_0.col(1);
    const Vector3 carried =
      t0.dot(t1) * d + b.cross(d) + b * b.dot(d) / (1. + t0.dot(t1));
    const Vector3 there = frame_1.col(1);
    return {std::atan2(carried.cross(there).dot(t1), carried.dot(there)),
            binormal.dot(frame_0.col(1) + frame_1.col(1)) / 2,
            binormal.dot(frame_0.col(2) + frame_1.col(2)) / 2};
  }

  /// A source with its tangent along the frame.
  Source
  make_source(const Vector4 &frame)
  {
    return {rotation_matrix(frame).col(0), frame};
  }

  /// Two edges within some angle of their sources, of different lengths.
  struct TwoEdges
  {
    Source source[2];
    Vector unknowns = Vector(8); // e0, theta0, e1, theta1

    TwoEdges(const unsigned int seed, const double distance)
    {
      Random        random(seed);
      const Vector4 common = random.rotation();
      const Vector4 turn   = random.rotation();
      for (int i = 0; i < 2; ++i)
        {
          // Neighbouring edges, both carried away from their sources by the
          // same large rotation and by a small one of their own.
          Vector4 frame = common + 0.1 * random.vector(4);
          frame.normalize();
          source[i] = make_source(frame);
          const Vector3 axis =
            source[0].tangent.cross(Vector3(turn.head<3>())).normalized();
          const Vector3 e = AngleAxisd(distance, axis) * source[i].tangent +
                            0.1 * Vector3(random.vector(3));
          unknowns.segment<3>(4 * i) = (0.3 + 0.1 * i) * e;
          unknowns(4 * i + 3)        = 0.5 * random.number();
        }
    }

    Vector4
    frame(const int i, const Vector &z) const
    {
      return edge_frame(source[i], z.segment<3>(4 * i), z(4 * i + 3));
    }

    EdgeFrame
    edge(const int i, const Vector &z) const
    {
      return EdgeFrame(source[i], z.segment<3>(4 * i), z(4 * i + 3));
    }
  };
} // namespace

BOOST_AUTO_TEST_SUITE(discrete_kernel)

BOOST_AUTO_TEST_CASE(frames_are_carried_by_the_smallest_rotation)
{
  for (unsigned int seed = 0; seed < 20; ++seed)
    {
      const TwoEdges two(seed, 2.);
      for (int i = 0; i < 2; ++i)
        {
          const Matrix3d expected = directors(two.source[i],
                                              two.unknowns.segment<3>(4 * i),
                                              two.unknowns(4 * i + 3));
          BOOST_TEST(
            (rotation_matrix(two.frame(i, two.unknowns)) - expected).norm() <
            10 * round_off);
          BOOST_TEST(
            (two.edge(i, two.unknowns).frame - two.frame(i, two.unknowns))
              .norm() < round_off);
        }
    }
}

BOOST_AUTO_TEST_CASE(strains_are_those_of_the_classical_formulas)
{
  for (unsigned int seed = 0; seed < 20; ++seed)
    {
      const TwoEdges two(seed, seed < 10 ? 0.1 : 2.);
      const Vector4  F0 = two.frame(0, two.unknowns);
      const Vector4  F1 = two.frame(1, two.unknowns);
      BOOST_TEST((strain_between(F0, F1, 0.) -
                  bergou_strain(rotation_matrix(F0), rotation_matrix(F1)))
                   .norm() < 10 * round_off);
    }
}

BOOST_AUTO_TEST_CASE(strains_are_the_rates_of_rotation_of_the_material_frame)
{
  // In the limit of short edges, to second order in their length: the frame of
  // a uniformly bent and twisted rod turns by exp(h [kappa]x) from one edge to
  // the next. The sign convention is the one of the finite elements.
  const Vector3 kappa(0.8, -1.1, 0.6);
  check_second_order(
    [&](const double h) {
      const Vector4 next = quaternion::from_rotation_vector(h * kappa);
      return (strain_between(Vector4::UnitX(), next, 0.) / h - kappa).norm();
    },
    0.1,
    1.);
}

BOOST_AUTO_TEST_CASE(twist_is_followed_through_many_turns)
{
  // Each accepted state is the reference of the next one.
  double previous = 0.;
  for (double angle = 0.; angle < 9. * pi; angle += 0.7)
    {
      const Vector4 turned =
        quaternion::from_axis_angle(Vector3::UnitX(), angle);
      previous = strain_between(Vector4::UnitX(), turned, previous)(0);
      BOOST_TEST(std::abs(previous - angle) < 10 * round_off);
    }
}

BOOST_AUTO_TEST_CASE(twist_takes_the_branch_nearest_to_the_previous_one)
{
  const Vector4 turned = quaternion::from_axis_angle(Vector3::UnitX(), 0.5);
  for (const int turns : {-4, -2, 0, 2, 4})
    {
      const double expected = 0.5 + 2 * pi * turns;
      for (const double away : {-6., -1., 0., 1., 6.})
        BOOST_TEST(
          std::abs(
            strain_between(Vector4::UnitX(), turned, expected + away)(0) -
            expected) < 10 * round_off);
    }
}

BOOST_AUTO_TEST_CASE(joint_energy_has_the_derivatives_it_claims)
{
  Joint joint;
  joint.stiffness = {0.7, 1., 3.};
  joint.natural   = {0.3, -0.2, 0.4};
  joint.length    = 0.35;
  for (unsigned int seed = 0; seed < 8; ++seed)
    // Far from the source the derivatives of Bergou et al. (2010), which hold
    // at the source, would be wrong in the first digit.
    for (const double distance : {0., 0.5, 2.})
      BOOST_TEST_CONTEXT("seed " << seed << ", " << distance
                                 << " rad from the source")
      {
        const TwoEdges two(seed, distance);
        check_derivatives(
          [&](const Vector &z) {
            return joint_energy(joint, two.frame(0, z), two.frame(1, z));
          },
          [&](const Vector &z) {
            return joint_gradient(joint, two.edge(0, z), two.edge(1, z));
          },
          [&](const Vector &z) {
            JointHessian H;
            joint_gradient(joint, two.edge(0, z), two.edge(1, z), &H);
            BOOST_TEST((H - H.transpose()).norm() < 1e-13 * H.norm());
            return H;
          },
          two.unknowns,
          seed + 100);
      }
}

BOOST_AUTO_TEST_CASE(joint_energy_depends_on_neither_lengths_nor_rotations)
{
  const TwoEdges two(3, 0.7);
  const Joint    joint;
  const Vector4  F0     = two.frame(0, two.unknowns);
  const Vector4  F1     = two.frame(1, two.unknowns);
  const double   energy = joint_energy(joint, F0, F1);
  BOOST_TEST(energy > 1e-3);
  const Vector4 turn = Random(8).rotation();
  BOOST_TEST(std::abs(joint_energy(joint,
                                   quaternion::product(turn, F0),
                                   quaternion::product(turn, F1)) -
                      energy) < round_off);
  BOOST_TEST(std::abs(joint_energy(joint, 3. * F0, 0.2 * F1) - energy) <
             round_off);
}

BOOST_AUTO_TEST_SUITE_END()



BOOST_AUTO_TEST_SUITE(moment_potential)

BOOST_AUTO_TEST_CASE(angle_is_that_of_a_rotation_about_the_axis)
{
  Random                random(20);
  const Vector3         axis      = random.unit_vector(3);
  const Vector4         reference = random.rotation();
  const MomentPotential potential(2.5 * axis, reference);
  // Within two turns; the length of the quaternion does not matter.
  for (const double angle : {-6., -4., -3., -1., 0., 0.1, 2., 3.5, 6.})
    BOOST_TEST(
      std::abs(potential.angle(
                 1.7 * quaternion::product(
                         quaternion::from_axis_angle(axis, angle), reference)) -
               angle) < 10 * round_off);
}

BOOST_AUTO_TEST_CASE(a_turn_about_the_axis_adds_to_the_angle_of_any_frame)
{
  // The moment does work on every rotation about its axis, however the frame
  // stands: that is what makes it a moment about a fixed axis.
  Random                random(21);
  const Vector3         axis = random.unit_vector(3);
  const MomentPotential potential(axis, random.rotation());
  for (int trial = 0; trial < 10; ++trial)
    {
      const Vector4 q       = random.rotation();
      const double  turn    = 0.3 * random.number();
      const double  shifted = potential.angle(
        quaternion::product(quaternion::from_axis_angle(axis, turn), q));
      // Up to two turns, where the branch ends.
      BOOST_TEST(std::abs(std::sin((shifted - potential.angle(q) - turn) / 4)) <
                 10 * round_off);
      Vector4 a;
      a << 0., axis / 2;
      BOOST_TEST(std::abs(potential.gradient(q).dot(quaternion::product(a, q)) -
                          1.) < 10 * round_off);
    }
}

BOOST_AUTO_TEST_CASE(angle_has_the_derivatives_it_claims)
{
  Random                random(22);
  const MomentPotential potential(random.vector(3), random.rotation());
  for (unsigned int seed = 0; seed < 5; ++seed)
    check_derivatives([&](const Vector4 &q) { return potential.angle(q); },
                      [&](const Vector4 &q) { return potential.gradient(q); },
                      [&](const Vector4 &q) { return potential.hessian(q); },
                      2. * Random(seed + 30).rotation(),
                      seed);
}

BOOST_AUTO_TEST_SUITE_END()
