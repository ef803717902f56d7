// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"
#include "support/rods.h"

#include <slender/base/errors.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/statics/equilibrium.h>
#include <slender/validation/elastica.h>
#include <slender/validation/master_curve.h>

#include <Eigen/Dense>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/math/tools/roots.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace slender::curvature
{
  std::ostream &
  operator<<(std::ostream &stream, const Interpolation strain)
  {
    return stream << (strain == Interpolation::constant ? "super helix"
                                                        : "super clothoid");
  }
} // namespace slender::curvature

namespace
{
  using namespace slender;
  using namespace slender::test;
  using curvature::Interpolation;
  using Eigen::MatrixXd;
  namespace data = boost::unit_test::data;

  constexpr double pi = boost::math::constants::pi<double>();

  const std::vector<Interpolation> both = {Interpolation::constant,
                                           Interpolation::linear};

  std::unique_ptr<CurvatureRod>
  make_super(const Interpolation strain,
             const RodBody      &body,
             const int           elements,
             const double        grading      = 1.,
             const bool          planar       = false,
             MPI_Comm            communicator = MPI_COMM_SELF)
  {
    CurvatureRodDiscretisation discretisation;
    discretisation.strain   = strain;
    discretisation.elements = elements;
    discretisation.grading  = grading;
    discretisation.planar   = planar;
    return std::make_unique<CurvatureRod>(body, discretisation, communicator);
  }

  const std::vector<bool> planar_or_not = {true, false};

  /// The modulus k with E(k) / K(k) = ratio.
  double
  elliptic_modulus(const double ratio)
  {
    std::uintmax_t max_iterations = 100;
    const auto     bracket        = boost::math::tools::toms748_solve(
      [ratio](const double k) {
        return boost::math::ellint_2(k) / boost::math::ellint_1(k) - ratio;
      },
      0.,
      0.99,
      boost::math::tools::eps_tolerance<double>(50),
      max_iterations);
    return bracket.first;
  }

  /// A strip with natural strains on which everything acts.
  RodBody
  loaded_strip()
  {
    RodBody strip              = all_kinds_of_bodies()[1].body;
    strip.axial                = 0.;
    strip.start.displacement   = 0.1;
    strip.start.rotation_angle = 0.3;
    return strip;
  }

  /// The strip with its end held in all the ways there are.
  std::vector<NamedBody>
  held_strips()
  {
    std::vector<NamedBody> bodies = {{"free end", loaded_strip()}};

    RodBody clamped            = loaded_strip();
    clamped.end                = RodEnd::clamped();
    clamped.end.displacement   = -0.4;
    clamped.end.rotation_angle = 0.7;
    clamped.end.rotation_axis  = {1., 0.2, 0.};
    bodies.push_back({"clamped end, pushed and turned", clamped});

    RodBody pinned            = loaded_strip();
    pinned.end.position_fixed = {{true, true, true}};
    pinned.end.position       = Vector3(1., 0.3, -0.5);
    bodies.push_back({"pinned end, elsewhere", pinned});

    for (const auto &[name, rotation] :
         {std::pair<std::string, RodEnd::Rotation>("x",
                                                   RodEnd::Rotation::about_x),
          {"y", RodEnd::Rotation::about_y},
          {"z", RodEnd::Rotation::about_z}})
      {
        RodBody hinge            = loaded_strip();
        hinge.end.position_fixed = {{false, true, true}};
        hinge.end.rotation       = rotation;
        bodies.push_back({"sliding hinge about " + name, hinge});
      }
    return bodies;
  }

  const std::vector<NamedBody> strips = held_strips();

  /// A strip with random strains that turn it by several radians.
  struct Sample
  {
    std::unique_ptr<CurvatureRod> rod;
    Vector                        q;

    Sample(const Interpolation strain,
           const RodBody      &body,
           const unsigned int  seed,
           const bool          planar = false)
      : rod(make_super(strain, body, 5, 3., planar))
      , q(random_state(*rod, 6., seed))
    {}
  };

  /// A rod with the equilibrium that it was brought to.
  struct Loaded
  {
    std::unique_ptr<CurvatureRod> rod;
    Equilibrium                   state;

    Loaded(std::unique_ptr<CurvatureRod>  a_rod,
           const std::vector<LoadTarget> &targets)
      : rod(std::move(a_rod))
    {
      EquilibriumSolver solver(*rod, NewtonOptions());
      state = targets.empty() ? solver.solve(rod->initial_state())
                              : solver.load(rod->initial_state(), targets);
      BOOST_TEST(state.converged(), to_string(state.outcome));
    }

    Vector3
    tip() const
    {
      return rod->stations(state.q).back().position;
    }

    /// How many ways there are to leave the equilibrium downhill.
    Index
    n_unstable() const
    {
      const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(
        dense_hessian(*rod, state.q));
      return static_cast<Index>((solver.eigenvalues().array() < 0.).count()) -
             rod->n_multipliers();
    }
  };

  double
  aspect_ratio(const CurvatureRod &rod, const Vector &q)
  {
    const Vector3 tip = rod.stations(q).back().position;
    return -tip.z() / tip.x();
  }

  /// Goes along q' = q kappa / 2, r' = t by classical Runge-Kutta steps.
  struct BruteForce
  {
    Vector4 q;
    Vector3 r;

    void
    go(const std::function<Vector3(double)> &kappa,
       const double                          from,
       const double                          to)
    {
      constexpr int n    = 400;
      const double  step = (to - from) / n;
      for (int i = 0; i < n; ++i)
        {
          const double s    = from + i * step;
          const auto   rate = [&](const double t, const Vector4 &frame) {
            Vector4 k;
            k << 0., kappa(t);
            return Vector4(0.5 * quaternion::product(frame, k));
          };
          const auto tangent = [](const Vector4 &frame) {
            return quaternion::rotate(frame, Vector3::UnitX());
          };
          const Vector4 a = rate(s, q);
          const Vector4 b = rate(s + step / 2, q + step / 2 * a);
          const Vector4 c = rate(s + step / 2, q + step / 2 * b);
          const Vector4 d = rate(s + step, q + step * c);
          // Simpson's rule with frames as good as the step itself.
          const Vector4 next = q + step / 6 * (a + 2. * b + 2. * c + d);
          const Vector4 middle =
            0.5 * (q + next) + step / 8 * (a - rate(s + step, next));
          r += step / 6 * (tangent(q) + 4. * tangent(middle) + tangent(next));
          q = next;
        }
    }
  };
} // namespace



BOOST_AUTO_TEST_SUITE(curvature_rods)

BOOST_DATA_TEST_CASE(forces_are_the_gradient_of_the_energy,
                     data::make(both) * data::make(strips),
                     strain,
                     body)
{
  for (unsigned int seed = 1; seed < 4; ++seed)
    {
      const Sample        sample(strain, body.body, seed);
      const CurvatureRod &rod   = *sample.rod;
      const Vector       &q     = sample.q;
      const Vector        d     = Random(seed + 10).unit_vector(q.size());
      const double        slope = rod.gradient(q).dot(d);
      check_second_order(
        [&](const double h) {
          return std::abs(
            (rod.energy(q + h * d) - rod.energy(q - h * d)) / (2. * h) - slope);
        },
        0.1,
        std::abs(rod.energy(q)));
    }
}

BOOST_DATA_TEST_CASE(stiffness_is_the_gradient_of_the_forces,
                     data::make(both) * data::make(strips),
                     strain,
                     body)
{
  for (unsigned int seed = 1; seed < 4; ++seed)
    {
      const Sample        sample(strain, body.body, seed);
      const CurvatureRod &rod       = *sample.rod;
      const Vector       &q         = sample.q;
      const Vector        d         = Random(seed + 20).unit_vector(q.size());
      const MatrixXd      stiffness = dense_hessian(rod, q);
      BOOST_TEST((stiffness - stiffness.transpose()).norm() == 0.);
      check_second_order(
        [&](const double h) {
          return ((rod.gradient(q + h * d) - rod.gradient(q - h * d)) /
                    (2. * h) -
                  stiffness * d)
            .norm();
        },
        0.1,
        rod.gradient(q).norm());
    }
}

BOOST_DATA_TEST_CASE(stiffness_of_a_planar_rod_is_the_gradient_of_its_forces,
                     data::make(both),
                     strain)
{
  RodBody body              = loaded_strip();
  body.start_frame          = Frame();
  body.start.rotation_angle = 0.;
  body.end                  = RodEnd::clamped();
  const Sample        sample(strain, body, 1, true);
  const CurvatureRod &rod = *sample.rod;
  const Vector       &q   = sample.q;
  BOOST_TEST(rod.n_multipliers() == 3);
  const Vector d         = Random(2).unit_vector(q.size());
  const Vector stiffness = dense_hessian(rod, q) * d;
  check_second_order(
    [&](const double h) {
      return ((rod.gradient(q + h * d) - rod.gradient(q - h * d)) / (2. * h) -
              stiffness)
        .norm();
    },
    0.1,
    rod.gradient(q).norm());
}

BOOST_DATA_TEST_CASE(shape_follows_from_the_strains, data::make(both), strain)
{
  // Against brute force, from the first station to the last.
  const RodBody body = loaded_strip();
  const Sample  sample(strain, body, 3);
  const Vector &q        = sample.q;
  const auto    stations = sample.rod->stations(sample.q);
  const auto    ends     = graded_points(5, 3.);
  const double  L        = body.length;

  std::size_t element = 0;
  const auto  kappa   = [&](const double s) {
    const double xi = (s - ends[element]) / (ends[element + 1] - ends[element]);
    const Vector3 a = q.segment<3>(3 * static_cast<Index>(element));
    if (strain == Interpolation::constant)
      return a;
    const Vector3 b = q.segment<3>(3 * static_cast<Index>(element) + 3);
    return Vector3((1. - xi) * a + xi * b);
  };

  BruteForce shape{stations[0].frame, stations[0].position / L};
  for (std::size_t i = 1; i < stations.size(); ++i)
    {
      const double from = stations[i - 1].arc_length / L;
      const double to   = stations[i].arc_length / L;
      if (from > ends[element + 1] - 1e-12)
        ++element;
      shape.go(kappa, from, to);
      BOOST_TEST((shape.r - stations[i].position / L).norm() < 1e-12);
      BOOST_TEST((shape.q - stations[i].frame).norm() < 1e-12);
    }
  BOOST_TEST(element == 4u);
}

BOOST_AUTO_TEST_CASE(uniform_strain_makes_a_helix_however_small_it_is)
{
  // t = (n.e1) n + cos(k s) (e1 - (n.e1) n) + sin(k s) n x e1, integrated, in
  // a form without cancellation. Round-off grows with the number of turns.
  const Vector3 n = Vector3(0.4, 1., -0.7).normalized();
  const Vector3 t = Vector3::UnitX();
  for (const double k : {0., 1e-12, 1e-6, 1e-3, 0.1, 1., 10., 100.})
    {
      const double sine = k > 0. ? std::sin(k) / k : 1.;
      const double versine =
        k > 0. ? 2. * std::pow(std::sin(k / 2), 2) / k : 0.;
      const Vector3 end =
        n.dot(t) * n + sine * (t - n.dot(t) * n) + versine * n.cross(t);
      for (const Interpolation strain : both)
        {
          const auto   rod = make_super(strain, RodBody(), 3, 2.);
          const Vector q   = (k * n).replicate(rod->layout().size / 3, 1);
          BOOST_TEST((rod->stations(q).back().position - end).norm() <
                     1e-15 * (4. + k));
        }
    }
}

BOOST_DATA_TEST_CASE(it_does_not_show_into_how_many_pieces_an_element_is_cut,
                     data::make(both),
                     strain)
{
  // A uniform strain that turns an element by the most that one piece may, a
  // little less and a little more: one piece, two pieces.
  const RodBody body = loaded_strip();
  const auto    rod  = make_super(strain, body, 2);
  const Vector3 kappa =
    2. * curvature::largest_turn * Vector3(0.3, 0.5, -1.).normalized();
  const Vector q    = kappa.replicate(rod->layout().size / 3, 1);
  const Vector less = (1. - 1e-15) * q, more = (1. + 1e-15) * q;
  BOOST_TEST(std::abs(rod->energy(less) - rod->energy(more)) <
             1e-13 * std::abs(rod->energy(q)));
  BOOST_TEST((rod->gradient(less) - rod->gradient(more)).norm() <
             1e-13 * rod->gradient(q).norm());
  const MatrixXd H = dense_hessian(*rod, less);
  BOOST_TEST((H - dense_hessian(*rod, more)).norm() < 1e-13 * H.norm());
}

BOOST_DATA_TEST_CASE(a_step_astray_is_not_a_number_rather_than_an_endless_sum,
                     data::make(both),
                     strain)
{
  const auto   rod = make_super(strain, loaded_strip(), 3);
  const Vector q   = Vector::Constant(rod->layout().size, 1e9);
  BOOST_TEST(std::isnan(rod->energy(q)));
  BOOST_TEST(!rod->gradient(q).allFinite());
}

BOOST_DATA_TEST_CASE(natural_shape_is_free_of_stress, data::make(both), strain)
{
  RodBody body        = loaded_strip();
  body.initial_strain = body.natural_strain();
  body.gravity = body.end_force = body.end_moment = 0.;
  const auto   rod = make_super(strain, body, 7, 4.);
  const Vector q   = rod->initial_state();
  BOOST_TEST(std::abs(rod->energy(q)) < 1e-30);
  BOOST_TEST(rod->gradient(q).norm() < 1e-15);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(dense_hessian(*rod, q));
  BOOST_TEST(solver.eigenvalues()(0) > 0.);
}

BOOST_DATA_TEST_CASE(an_end_moment_bends_a_rod_to_a_circle,
                     data::make(both),
                     strain)
{
  // M L / B = 2 pi closes it; both interpolations have the exact solution.
  RodBody body;
  body.length    = 3.;
  body.bending_1 = 2.;
  body.bending_2 = 5.;
  const Loaded ring(make_super(strain, body, 4, 2.),
                    {{"end moment", 2. * pi * 2. / 3.}});
  BOOST_TEST(ring.tip().norm() < 1e-9);
  for (const RodStation &station : ring.rod->stations(ring.state.q))
    BOOST_TEST((station.strain - Vector3(0., 2. * pi / 3., 0.)).norm() < 1e-9);
}

BOOST_DATA_TEST_CASE(a_straight_rod_hangs_straight, data::make(both), strain)
{
  // Its weight moves nothing, which is not to be taken for a weight that is
  // too small. The one of the start of Bend-Twist.
  RodBody body;
  body.start_frame          = {-Vector3::UnitZ(), Vector3::UnitY()};
  const auto        rod     = make_super(strain, body, 30);
  const Equilibrium hanging = EquilibriumSolver(*rod, NewtonOptions())
                                .load(rod->initial_state(), {{"gravity", 1e3}});
  BOOST_TEST(hanging.converged(), to_string(hanging.outcome));
  BOOST_TEST(hanging.q.norm() < 1e-12);
}

BOOST_DATA_TEST_CASE(
  tip_of_a_hanging_rod_converges_at_twice_the_order_of_strain,
  data::make(both),
  strain)
{
  const double        gamma    = 10.;
  const double        expected = elastica_aspect_ratio(gamma);
  const double        order    = strain == Interpolation::constant ? 2. : 4.;
  std::vector<double> errors;
  for (const int elements : {8, 16, 32, 64})
    {
      const Loaded rod(make_super(strain, RodBody(), elements),
                       {{"gravity", gamma}});
      errors.push_back(
        std::abs(aspect_ratio(*rod.rod, rod.state.q) / expected - 1.));
    }
  for (const double measured : orders(errors))
    {
      BOOST_TEST_MESSAGE(strain << ": order " << measured);
      BOOST_TEST(std::abs(measured - order) < 0.2);
    }
}

BOOST_DATA_TEST_CASE(hanging_rod_follows_the_elastica_over_seven_decades,
                     data::make(both),
                     strain)
{
  // As many elements as the paper's study had; the meshes are those of
  // prm/cantilever_super_*.prm, and errors what these files promise.
  const bool   is_helix = strain == Interpolation::constant;
  const auto   rod      = is_helix ? make_super(strain, RodBody(), 50, 120.)
                                   : make_super(strain, RodBody(), 20, 50.);
  const double promised = is_helix ? 6e-4 : 2.2e-5;

  const Table               table   = master_table("cantilever");
  const std::vector<double> gammas  = table.column("gamma");
  const std::vector<double> aspects = table.column("aspect_ratio");
  EquilibriumSolver         solver(*rod, NewtonOptions());
  Vector                    q     = rod->initial_state();
  double                    worst = 0.;
  for (std::size_t i = 0; i < gammas.size(); i += 8)
    {
      const Equilibrium found = solver.load(q, {{"gravity", gammas[i]}});
      BOOST_REQUIRE(found.converged());
      q = found.q;
      BOOST_TEST(solver.inertia(q).negative == 0);
      worst = worse(worst, std::abs(aspect_ratio(*rod, q) / aspects[i] - 1.));
    }
  BOOST_TEST_MESSAGE(strain << ": largest error " << worst);
  BOOST_TEST(worst < promised);
}

BOOST_DATA_TEST_CASE(a_planar_rod_finds_the_planar_equilibria,
                     data::make(both),
                     strain)
{
  RodBody body;
  body.bending_2                        = 3.;
  const std::vector<LoadTarget> targets = {{"gravity", 20.},
                                           {"natural curvature 1", -3.}};
  const Loaded plane(make_super(strain, body, 8, 2., true), targets);
  const Loaded space(make_super(strain, body, 8, 2.), targets);
  BOOST_TEST(plane.rod->layout().size * 3 == space.rod->layout().size);
  BOOST_TEST((plane.tip() - space.tip()).norm() < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_clothoid_takes_the_shape_of_the_finite_element_rod)
{
  // Everything acts on it; both are within some 1e-6 of the exact solution.
  RodBody body = loaded_strip();
  body.gravity = body.end_force = body.end_moment = 0.;
  const std::vector<LoadTarget> targets           = {{"gravity", 4.},
                                                     {"end force", 0.8},
                                                     {"end moment", 0.5}};
  const Loaded clothoid(make_super(Interpolation::linear, body, 40), targets);

  // A stiffness of 1e10 would put a floor of round-off, 1e-6, under the forces.
  Mesh mesh;
  mesh.pieces           = 12;
  mesh.degree           = 4;
  mesh.constraint       = 1e8;
  const auto        rod = make_rod(Kind::kirchhoff, body, mesh);
  EquilibriumSolver solver(*rod, NewtonOptions());
  const Equilibrium state = solver.load(rod->initial_state(), targets);
  BOOST_REQUIRE(state.converged());
  BOOST_TEST((clothoid.tip() - rod->stations(state.q).back().position).norm() <
             2e-6);
  BOOST_TEST((clothoid.rod->reaction(clothoid.state.q, RodSide::start) -
              rod->reaction(state.q, RodSide::start))
               .norm() < 1e-6);
}

BOOST_AUTO_TEST_SUITE(held_ends)

BOOST_AUTO_TEST_CASE(a_propped_cantilever_shares_its_weight_five_to_three)
{
  // Linear theory; the ends share the weight of 1e-3.
  RodBody body;
  body.length             = 2.;
  body.end.position_fixed = {{false, true, true}};
  const Loaded  beam(make_super(Interpolation::linear, body, 10),
                    {{"gravity", 5e-4}});
  const Vector3 start = beam.rod->reaction(beam.state.q, RodSide::start);
  const Vector3 end   = beam.rod->reaction(beam.state.q, RodSide::end);
  BOOST_TEST((start - Vector3(0., 0., 5. / 8. * 1e-3)).norm() < 1e-8);
  BOOST_TEST((end - Vector3(0., 0., 3. / 8. * 1e-3)).norm() < 1e-8);
  BOOST_TEST(beam.n_unstable() == 0);
}

BOOST_AUTO_TEST_CASE(columns_buckle_under_eulers_loads)
{
  // Within the (1/20)^4 of the elements.
  constexpr double clamped_pinned  = 20.190728556426629;
  constexpr double clamped_clamped = 4. * pi * pi;
  const auto       n_unstable_at   = [](const RodEnd::Rotation rotation,
                                const double           force) {
    RodBody body;
    body.end_force_direction = -Vector3::UnitX();
    body.end.position_fixed  = {{false, true, true}};
    body.end.rotation        = rotation;
    return Loaded(make_super(Interpolation::linear, body, 20),
                  {{"end force", force}})
      .n_unstable();
  };
  const double below = 1. - 1e-4, above = 1. + 1e-4;

  // In both planes at once.
  using Rotation = RodEnd::Rotation;
  BOOST_TEST(n_unstable_at(Rotation::free, below * clamped_pinned) == 0);
  BOOST_TEST(n_unstable_at(Rotation::free, above * clamped_pinned) == 2);
  BOOST_TEST(n_unstable_at(Rotation::fixed, below * clamped_clamped) == 0);
  BOOST_TEST(n_unstable_at(Rotation::fixed, above * clamped_clamped) == 2);
  // A hinge is a pin in the plane across its axis and a clamp in the other.
  BOOST_TEST(n_unstable_at(Rotation::about_y, below * clamped_pinned) == 0);
  BOOST_TEST(n_unstable_at(Rotation::about_y, above * clamped_pinned) == 1);
  BOOST_TEST(n_unstable_at(Rotation::about_y, below * clamped_clamped) == 1);
  BOOST_TEST(n_unstable_at(Rotation::about_y, above * clamped_clamped) == 2);
}

BOOST_DATA_TEST_CASE(a_rod_twisted_by_three_turns_has_uniform_twist,
                     data::make(both),
                     strain)
{
  RodBody body;
  body.twisting           = 0.1;
  body.end.position_fixed = {{false, true, true}};
  body.end.rotation       = RodEnd::Rotation::fixed;
  body.end.rotation_axis  = Vector3::UnitX();
  const Loaded rod(make_super(strain, body, 6, 3.),
                   {{"end rotation", 6. * pi}});
  for (const RodStation &station : rod.rod->stations(rod.state.q))
    BOOST_TEST((station.strain - Vector3(6. * pi, 0., 0.)).norm() < 1e-8);
  BOOST_TEST(rod.n_unstable() == 0);
}

BOOST_DATA_TEST_CASE(initial_state_meets_the_held_end,
                     data::make(both) * data::make(strips),
                     strain,
                     body)
{
  const auto   rod = make_super(strain, body.body, 10);
  const Vector g   = rod->gradient(rod->initial_state());
  BOOST_TEST(g.tail(rod->n_multipliers()).norm() < 1e-11);
}

BOOST_DATA_TEST_CASE(a_strip_that_is_pushed_together_is_an_elastica,
                     data::make(planar_or_not),
                     planar)
{
  // Clamped at both ends, which are brought closer by a quarter of the length:
  // 2 (1 - E(k) / K(k)) = 1/4, thrust 16 K^2, rise k / K.
  const double k = elliptic_modulus(0.875);
  const double K = boost::math::ellint_1(k);
  RodBody      body;
  body.bending_2    = 2.;
  body.end          = RodEnd::clamped();
  body.end.position = Vector3(0.75, 0., 0.);
  const Loaded arch(make_super(Interpolation::linear, body, 40, 1., planar),
                    {});

  const auto    stations = arch.rod->stations(arch.state.q);
  const Vector3 top      = stations[stations.size() / 2].position;
  BOOST_TEST((stations.back().position - *body.end.position).norm() < 1e-9);
  BOOST_TEST(std::abs(top.x() - 0.375) < 1e-9);
  BOOST_TEST(std::abs(std::abs(top.z()) - k / K) < 1e-6);
  const Vector3 thrust = arch.rod->reaction(arch.state.q, RodSide::end);
  BOOST_TEST((thrust / (16. * K * K) + Vector3::UnitX()).norm() < 1e-5);
  BOOST_TEST(arch.n_unstable() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_DATA_TEST_CASE(wrong_use_is_refused_with_the_reason,
                     data::make(both),
                     strain)
{
  const auto refused_for =
    [&](const RodBody &body, const bool planar, const std::string &reason) {
      BOOST_CHECK_EXCEPTION(make_super(strain, body, 4, 1., planar),
                            InputError,
                            [&](const InputError &error) {
                              return std::string(error.what()).find(reason) !=
                                     std::string::npos;
                            });
    };
  RodBody pinned;
  pinned.start.rotation = RodEnd::Rotation::free;
  refused_for(pinned, false, "must be clamped");

  RodBody sliding;
  sliding.start.position_fixed[0] = false;
  refused_for(sliding, false, "must be clamped");

  RodBody too_short;
  too_short.end          = RodEnd::clamped();
  too_short.end.position = Vector3(1., 0.1, 0.);
  refused_for(too_short, false, "does not stretch");

  RodBody oblique;
  oblique.start_frame        = {{1., 0., 0.}, {0., 1., 1.}};
  oblique.end.position_fixed = {{false, true, true}};
  refused_for(oblique, true, "coordinate plane");
}

BOOST_AUTO_TEST_SUITE_END()



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(a_curvature_rod_is_the_same_on_any_number_of_ranks,
                     data::make(both),
                     strain)
{
  RodBody body            = loaded_strip();
  body.end.position_fixed = {{false, true, true}};
  body.gravity = body.end_force = body.end_moment = 0.;
  const std::vector<LoadTarget> targets = {{"gravity", 4.}, {"end force", 0.8}};
  const Loaded                  alone(make_super(strain, body, 8), targets);
  const Loaded shared(make_super(strain, body, 8, 1., false, MPI_COMM_WORLD),
                      targets);
  BOOST_TEST((alone.tip() - shared.tip()).norm() < 1e-10);
  BOOST_TEST((alone.rod->reaction(alone.state.q, RodSide::end) -
              shared.rod->reaction(shared.state.q, RodSide::end))
               .norm() < 1e-9);
  const auto expected = alone.rod->measure(alone.state.q);
  const auto measured = shared.rod->measure(shared.state.q);
  for (std::size_t i = 0; i < expected.size(); ++i)
    BOOST_TEST(std::abs(measured[i].value - expected[i].value) < 1e-9,
               expected[i].name);
}

BOOST_AUTO_TEST_SUITE_END()
