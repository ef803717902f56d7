// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/moving_bodies.h"
#include "support/random.h"
#include "support/structures.h"

#include <slender/base/errors.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/quaternion.h>
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  const std::vector<bool> lumped_or_not = {true, false};

  MassOptions
  masses(const bool lumped)
  {
    MassOptions options;
    options.lumped = lumped;
    return options;
  }

  DissipationOptions
  damping_of(const Model &model)
  {
    DissipationOptions law;
    law.bending = 0.7;
    if (model.dimension() == 1)
      law.twist = 0.4;
    if (dynamic_cast<const CurvatureRod *>(&model) == nullptr)
      law.stretch = 0.3;
    return law;
  }

  void
  check_close(const Vector &a, const Vector &b, const double tolerance)
  {
    BOOST_TEST((a - b).norm() <= tolerance * (1. + b.norm()),
               (a - b).norm()
                 << " is more than " << tolerance << " of " << b.norm());
  }

  /// A rod that nothing holds, with mass and rotary inertia.
  std::shared_ptr<RodModel>
  free_rod(const Kind kind)
  {
    return make_rod(kind, with_rotary_inertia(free_body()), small_mesh(kind));
  }
} // namespace

BOOST_AUTO_TEST_SUITE(inertia)

BOOST_DATA_TEST_CASE(rates_are_derivatives_of_the_coordinates,
                     data::make(moving_bodies()) * data::make(lumped_or_not),
                     body,
                     lumped)
{
  const auto   model   = body.make();
  const auto   inertia = model->kinetics(masses(lumped));
  const Vector q       = random_state(*model, 0.05, 1);
  const Vector d       = Random(2).unit_vector(static_cast<Index>(q.size()));
  const auto   along   = [&](const double t) -> Vector {
    return inertia->coordinates(q + t * d);
  };
  check_close(inertia->rates(q, d), precise_derivative(along), 1e-9);
  const auto rates = [&](const double t) -> Vector {
    return inertia->rates(q + t * d, d);
  };
  check_close(inertia->second_rates(q, d), precise_derivative(rates), 1e-9);
  BOOST_TEST(
    (inertia->is_linear() == (inertia->second_rates(q, d).norm() == 0.)));
}

BOOST_DATA_TEST_CASE(forces_are_pulled_back_by_the_transpose_of_the_rates,
                     data::make(moving_bodies()) * data::make(lumped_or_not),
                     body,
                     lumped)
{
  const auto   model   = body.make();
  const auto   inertia = model->kinetics(masses(lumped));
  const Vector q       = random_state(*model, 0.05, 1);
  const Vector d       = Random(2).unit_vector(static_cast<Index>(q.size()));
  const Vector f =
    Random(3).vector(static_cast<Index>(inertia->masses().size()));
  Vector g = Vector::Zero(q.size());
  inertia->pull_back(q, f, g);
  const double work = f.dot(inertia->rates(q, d));
  BOOST_TEST(g.dot(d) == work, boost::test_tools::tolerance(1e-10));
}

// c/2 sum m |y(q) - y0|^2, the inertia of a time step.
BOOST_DATA_TEST_CASE(springs_between_coordinates_have_exact_hessians,
                     data::make(moving_bodies()) * data::make(lumped_or_not),
                     body,
                     lumped)
{
  const auto   model   = body.make();
  const auto   inertia = model->kinetics(masses(lumped));
  const Vector q       = random_state(*model, 0.05, 1);
  const Vector d       = Random(2).unit_vector(static_cast<Index>(q.size()));
  const Vector y0      = inertia->coordinates(random_state(*model, 0.2, 4));
  const double factor  = 1.7;
  const auto   forces  = [&](const Vector &at) -> Vector {
    return factor *
           inertia->masses().cwiseProduct(inertia->coordinates(at) - y0);
  };
  const auto gradient = [&](const double t) -> Vector {
    Vector g = Vector::Zero(q.size());
    inertia->pull_back(q + t * d, forces(q + t * d), g);
    return g;
  };
  DenseSink sink(model->layout().size);
  inertia->add_hessian(q, factor, forces(q), sink);
  check_close(sink.matrix * d, precise_derivative(gradient), 1e-9);
  BOOST_TEST((sink.matrix - sink.matrix.transpose()).norm() <
             1e-12 * (1. + sink.matrix.norm()));
}

// Kinetic energy of a translation and of a slow spin, by the mass matrix.
BOOST_DATA_TEST_CASE(rigid_motions_of_rods_have_the_momenta_of_rigid_bodies,
                     data::make(both_kinds) * data::make(lumped_or_not),
                     kind,
                     lumped)
{
  const auto    rod     = free_rod(kind);
  const auto    inertia = rod->kinetics(masses(lumped));
  const Vector  q       = rod->initial_state();
  const Vector3 v(0.3, -0.2, 0.5), w(0.4, 0.7, -0.1);
  const Vector  rates   = inertia->rigid_rates(q, v, w);
  const auto    moments = inertia->moments(q, rates);
  BOOST_TEST(moments.mass == 1., boost::test_tools::tolerance(1e-12));
  const Vector3 expected = moments.mass * v + w.cross(moments.first);
  BOOST_TEST((moments.linear_momentum - expected).norm() < 1e-12);

  // The same motion as a difference of states.
  const double h        = 1e-5;
  const auto   moved_by = [&](const double t) {
    return rod->moved(q, quaternion::from_rotation_vector(t * w), t * v);
  };
  const Vector difference = (moved_by(h) - moved_by(-h)) / (2. * h);
  check_close(inertia->rates(q, difference), rates, 1e-8);
}

// An affine field deforms a body as its gradient says: points go to x + t v(x).
BOOST_DATA_TEST_CASE(sections_turn_with_the_field_that_carries_them,
                     data::make(both_kinds),
                     kind)
{
  const auto      rod     = free_rod(kind);
  const auto      inertia = rod->kinetics(masses(true));
  const Vector    q       = rod->initial_state();
  Eigen::Matrix3d L;
  L << 0.1, 0.5, -0.2, 0.3, -0.4, 0.7, -0.6, 0.2, 0.3;
  const Vector3       v(0.3, -0.2, 0.5);
  const VelocityField field{[&](const Vector3 &x) -> Vector3 {
                              return v + L * x;
                            },
                            [&](const Vector3 &) { return L; }};
  const Vector        rates = inertia->rates_in(q, field);
  // Lines along the rod stay lines, so that sections stay normal to it: what
  // turns them is half of the curl, and that the tangent turns otherwise.
  const Vector3 t =
    rod->stations(q)[0].frame.size() > 0
      ? quaternion::rotate(rod->stations(q)[0].frame, Vector3::UnitX())
      : Vector3::UnitX();
  const Vector3 spin = field.spin(Vector3::Zero(), t);
  BOOST_TEST((spin.cross(t) - (L * t - t * t.dot(L * t))).norm() < 1e-14);
  const Vector3 half_curl =
    0.5 * Vector3(L(2, 1) - L(1, 2), L(0, 2) - L(2, 0), L(1, 0) - L(0, 1));
  BOOST_TEST(spin.dot(t) == half_curl.dot(t),
             boost::test_tools::tolerance(1e-12));
  // Of a field without deformation it is the angular velocity.
  const VelocityField rigid = VelocityField::rigid(v, half_curl);
  BOOST_TEST((rigid.spin(v, t) - half_curl).norm() < 1e-14);
  BOOST_TEST((inertia->moments(q, rates).linear_momentum -
              inertia->moments(q, rates).mass * v -
              L * inertia->moments(q, rates).first)
               .norm() < 1e-12);
}

BOOST_AUTO_TEST_CASE(what_turns_as_a_whole_has_half_of_spin_times_momentum)
{
  // T = w.L/2, where sections that turn have their part in both.
  const Vector3 w(0.4, 0.7, -0.1);
  int           n = 0;
  for (const MovingBody &body : moving_bodies())
    {
      const auto model = body.make();
      if (dynamic_cast<const CurvatureRod *>(model.get()) == nullptr &&
          dynamic_cast<const Ribbon *>(model.get()) == nullptr)
        continue;
      const auto   inertia = model->kinetics(masses(true));
      const Vector q       = model->initial_state();
      const Vector rates =
        inertia->rates_in(q, VelocityField::rigid(Vector3::Zero(), w));
      BOOST_TEST(0.5 * w.dot(inertia->moments(q, rates).angular_momentum) ==
                   inertia->kinetic_energy(rates),
                 boost::test_tools::tolerance(1e-12));
      ++n;
    }
  BOOST_TEST(n == 3); // super helix, super clothoid, stretchable ribbon
}

BOOST_AUTO_TEST_CASE(the_mass_of_a_shell_is_density_times_volume)
{
  for (const NamedShell &shell : free_shells())
    for (const bool lumped : lumped_or_not)
      {
        const auto   model   = make_shell(shell);
        const auto   inertia = model->kinetics(masses(lumped));
        const Vector q       = model->initial_state();
        const auto   moments =
          inertia->moments(q, Vector::Zero(inertia->masses().size()));
        BOOST_TEST_CONTEXT(shell.name)
        BOOST_TEST(moments.mass == shell.body.density * shell.body.thickness *
                                     size_of(*shell.surface).area,
                   boost::test_tools::tolerance(2e-3));
      }
}

BOOST_AUTO_TEST_CASE(the_inertia_of_a_structure_is_that_of_its_members)
{
  Mesh mesh;
  mesh.pieces = 2;
  LeesFrame        lee(mesh);
  const Structure &frame  = *lee.frame;
  const auto       whole  = frame.kinetics({});
  const auto       column = lee.column->kinetics({});
  const auto       beam   = lee.beam->kinetics({});
  BOOST_TEST(whole->masses().size() ==
             column->masses().size() + beam->masses().size());
  const Vector q = frame.initial_state();
  const Vector d = Random(1).vector(static_cast<Index>(q.size()));
  DenseSink    all(frame.layout().size);
  whole->add_mass(q, all);
  const double energy = whole->kinetic_energy(whole->rates(q, d));
  BOOST_TEST(0.5 * d.dot(all.matrix * d) == energy,
             boost::test_tools::tolerance(1e-12));
  const double of_members =
    column->kinetic_energy(
      column->rates(frame.share(0, q), frame.share(0, d))) +
    beam->kinetic_energy(beam->rates(frame.share(1, q), frame.share(1, d)));
  BOOST_TEST(energy == of_members, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_body_without_mass_is_refused)
{
  RodBody body         = free_body();
  body.mass_per_length = 0.;
  for (const Kind kind : both_kinds)
    BOOST_CHECK_THROW(make_rod(kind, body, small_mesh(kind))->kinetics({}),
                      InputError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(damping)

BOOST_DATA_TEST_CASE(damping_forces_are_gradients_with_exact_hessians,
                     data::make(moving_bodies()) * data::make({1., 0.5, 1.6}),
                     body,
                     exponent)
{
  const auto         model   = body.make();
  DissipationOptions options = damping_of(*model);
  options.exponent           = exponent;
  options.reference_rate     = 0.02;
  if (exponent != 1. &&
      dynamic_cast<const DiscreteElasticRod *>(model.get()) == nullptr)
    {
      BOOST_CHECK_THROW(model->dissipation(options), InputError);
      return;
    }
  const auto   law    = model->dissipation(options);
  const Vector q      = random_state(*model, 0.01, 1);
  const Vector d      = Random(2).unit_vector(static_cast<Index>(q.size()));
  Vector       origin = law->strains(random_state(*model, 0.01, 4));
  if (exponent != 1.) // well away from zero, where a power has no derivative
    for (Index i = 0; i < origin.size(); ++i)
      origin(i) = law->strains(q)(i) + (i % 2 == 0 ? 0.5 : -0.7);
  const double factor = 1.3, rate = 2.1;
  const auto   energy = [&](const double t) -> Vector {
    return Vector::Constant(1,
                            factor / rate *
                              law->potential(
                                rate * (law->strains(q + t * d) - origin)));
  };
  const auto gradient = [&](const double t) -> Vector {
    Vector g = Vector::Zero(q.size());
    law->add_gradient(q + t * d, origin, rate, factor, g);
    return g;
  };
  const double tolerance = exponent == 1. ? 1e-8 : 1e-6;
  check_close(Vector::Constant(1, gradient(0.).dot(d)),
              precise_derivative(energy),
              tolerance);
  DenseSink sink(model->layout().size);
  law->add_hessian(q, origin, rate, factor, sink);
  check_close(sink.matrix * d, precise_derivative(gradient), tolerance);

  // e'.D'(e') is (n + 1) D(e') but for what is rounded at small rates.
  const Vector rates = law->strains(q) - origin;
  BOOST_TEST(law->power(rates) == (1. + exponent) * law->potential(rates),
             boost::test_tools::tolerance(exponent == 1. ? 1e-12 : 1e-2));
}

// A system that has taken damping into its own energy is the system with
// damping beside it.
BOOST_DATA_TEST_CASE(damping_can_join_the_elastic_law,
                     data::make(moving_bodies()),
                     body)
{
  const auto   model  = body.make();
  const auto   law    = model->dissipation(damping_of(*model));
  const Vector q      = random_state(*model, 0.01, 1);
  const Vector other  = random_state(*model, 0.01, 7);
  const Vector d      = Random(2).unit_vector(static_cast<Index>(q.size()));
  const Vector origin = law->strains(random_state(*model, 0.01, 4));
  const double factor = 0.8, rate = 2.1;

  const auto W = [&](const Vector &at) {
    return factor / rate * law->potential(rate * (law->strains(at) - origin));
  };
  const double rise = model->energy(q) + W(q) - model->energy(other) - W(other);
  Vector       gradient = model->gradient(q);
  law->add_gradient(q, origin, rate, factor, gradient);
  DenseSink hessian(model->layout().size);
  model->hessian(q, hessian);
  law->add_hessian(q, origin, rate, factor, hessian);
  const Vector elastic = model->gradient(q);

  const bool is_joined = law->join(origin, rate, factor);
  const bool can_join =
    dynamic_cast<const DiscreteElasticRod *>(model.get()) != nullptr ||
    (model->dimension() == 2 &&
     body.name.find("neo hookean") == std::string::npos);
  BOOST_TEST(is_joined == can_join);
  if (!is_joined)
    return;
  BOOST_TEST(model->energy(q) - model->energy(other) == rise,
             boost::test_tools::tolerance(1e-9));
  check_close(model->gradient(q), gradient, 1e-12);
  DenseSink joined(model->layout().size);
  model->hessian(q, joined);
  BOOST_TEST((joined.matrix - hessian.matrix).norm() <
             1e-12 * hessian.matrix.norm());
  check_close(model->hessian_times(q, d), hessian.matrix * d, 1e-9);
  DenseSink mixed(model->layout().size);
  model->newton_tangent(q, model->full_state(q), mixed);
  BOOST_TEST((mixed.matrix - hessian.matrix).norm() <
             1e-12 * hessian.matrix.norm());
  law->leave();
  BOOST_TEST((model->gradient(q) - elastic).norm() == 0.);
}

BOOST_DATA_TEST_CASE(strains_of_rods_do_not_feel_rigid_motions,
                     data::make(both_kinds),
                     kind)
{
  const auto   rod = free_rod(kind);
  const auto   law = rod->dissipation(damping_of(*rod));
  const Vector q   = random_state(*rod, 0.1, 5);
  const Vector turned =
    rod->moved(q, Random(6).rotation(), Vector3(1., -2., 0.5));
  check_close(law->strains(turned), law->strains(q), 1e-13);
}

BOOST_AUTO_TEST_CASE(strains_of_shells_do_not_feel_rigid_motions)
{
  for (const NamedShell &shell : free_shells())
    {
      const auto   model = make_shell(shell);
      const auto   law   = model->dissipation(damping_of(*model));
      const Vector q     = random_state(*model, 0.01, 5);
      const auto   R     = quaternion::to_matrix(Random(6).rotation());
      const Vector turned =
        model->transformed(q, [&](const Vector3 &, const Vector3 &x) {
          return Vector3(R * x + Vector3(1., -2., 0.5));
        });
      BOOST_TEST_CONTEXT(shell.name)
      check_close(law->strains(turned), law->strains(q), 1e-12);
    }
}

BOOST_DATA_TEST_CASE(strains_of_triangles_do_not_feel_rigid_motions,
                     data::make(fold_rules()),
                     rule)
{
  for (const NamedShell &shell : free_shells())
    {
      const auto   model = make_triangles(shell, rule);
      const auto   law   = model->dissipation(damping_of(*model));
      const Vector q     = random_state(*model, 0.01, 5);
      const auto   R     = quaternion::to_matrix(Random(6).rotation());
      const Vector turned =
        model->transformed(q, [&](const Vector3 &, const Vector3 &x) {
          return Vector3(R * x + Vector3(1., -2., 0.5));
        });
      BOOST_TEST_CONTEXT(shell.name)
      check_close(law->strains(turned), law->strains(q), 1e-12);
    }
}

// With the Lame constants of the plate's own material they are the same law.
BOOST_AUTO_TEST_CASE(isotropic_membrane_damping_is_a_law_of_saint_venant)
{
  const NamedShell   shell = free_shells()[0];
  const auto         model = make_shell(shell);
  const double       E = shell.body.young, nu = shell.body.poisson, beta = 0.2;
  DissipationOptions as_elastic, isotropic;
  as_elastic.stretch = beta;
  isotropic.lambda   = beta * E * nu / (1. - nu * nu);
  isotropic.mu       = beta * E / (2. * (1. + nu));
  const auto   one   = model->dissipation(as_elastic);
  const auto   other = model->dissipation(isotropic);
  const Vector q     = random_state(*model, 0.02, 1);
  const Vector rate  = one->strains(q) - one->strains(model->initial_state());
  BOOST_TEST(one->potential(rate) == other->potential(rate),
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(laws_that_a_body_does_not_have_are_refused)
{
  DissipationOptions twist, membrane, stretch;
  twist.twist     = 1.;
  membrane.lambda = membrane.mu = 1.;
  stretch.stretch               = 1.;
  BOOST_CHECK_THROW(make_shell(free_shells()[0])->dissipation(twist),
                    InputError);
  BOOST_CHECK_THROW(free_rod(Kind::discrete)->dissipation(membrane),
                    InputError);
  BOOST_CHECK_THROW(make_super_rod(RodBody(), curvature::Interpolation::linear)
                      ->dissipation(stretch),
                    InputError);
}

BOOST_AUTO_TEST_SUITE_END()
