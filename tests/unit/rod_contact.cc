// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"

#include <slender/base/errors.h>
#include <slender/contact/curve_topology.h>
#include <slender/contact/rod_contact.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/solvers/sparse_tangent.h>
#include <slender/studies/overhand_knot.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using slender::test::check_second_order;
  using slender::test::Random;

  constexpr double radius = 0.01;

  RodBody
  straight(const Vector3 &from, const Vector3 &tangent)
  {
    RodBody body;
    body.length         = 1.;
    body.radius         = radius;
    body.axial          = 4. / (radius * radius);
    body.start          = RodEnd();
    body.start.position = from;
    body.start_frame    = {tangent, Vector3::UnitZ()};
    return body;
  }

  /// Two rods that cross, a little bent, with a gap between them.
  struct Crossing
  {
    explicit Crossing(const RodContactOptions &options, const double gap)
      : first(straight(Vector3(-0.5, 0.01, 0.), Vector3::UnitX()),
              {20},
              MPI_COMM_SELF)
      , second(straight(Vector3(0.02, -0.52, 2. * radius + gap),
                        Vector3::UnitY()),
               {20},
               MPI_COMM_SELF)
      , system({{"a", first}, {"b", second}})
    {
      auto term = std::make_unique<RodContact>(options);
      contact   = term.get();
      system.add_term("contact", std::move(term));
      q = system.initial_state();
      contact->start(q);
    }

    DiscreteElasticRod first, second;
    Structure          system;
    RodContact        *contact;
    Vector             q;
  };

  RodContactOptions
  options_of(const ContactMethod method)
  {
    RodContactOptions options;
    options.method      = method;
    options.friction    = 0.3;
    options.force       = 20.;
    options.gap         = 0.1;
    options.creep_speed = 1e-3;
    return options;
  }

  const std::vector<ContactMethod> energies = {ContactMethod::imc,
                                               ContactMethod::barrier};


  void
  check_derivatives(const ContactMethod method)
  {
    Crossing rods(options_of(method), 0.03 * radius);
    rods.contact->set_step(0.1);
    Random       random(4);
    const Vector away = 1e-4 * random.vector(rods.q.size());
    const Vector q    = rods.q + away; // something slides
    for (int i = 0; i < 11; ++i)
      rods.contact->survey(q); // those before take secants
    const auto of = [&](const Vector &at) {
      Vector g = Vector::Zero(at.size());
      rods.contact->add_gradient(at, g);
      return g;
    };
    const Vector gradient = of(q);
    BOOST_TEST(gradient.norm() > 0.1);
    for (int i = 0; i < 3; ++i)
      {
        const Vector d = random.unit_vector(q.size());
        check_second_order(
          [&](const double h) {
            return std::abs((rods.contact->energy(q + h * d) -
                             rods.contact->energy(q - h * d)) /
                              (2. * h) -
                            gradient.dot(d));
          },
          4e-5,
          rods.contact->energy(q));
        Vector product = Vector::Zero(q.size());
        rods.contact->add_hessian_times(q, d, product);
        check_second_order(
          [&](const double h) {
            return ((of(q + h * d) - of(q - h * d)) / (2. * h) - product)
              .norm();
          },
          4e-5,
          gradient.norm());
      }
  }
} // namespace

BOOST_AUTO_TEST_SUITE(rod_contact)

BOOST_AUTO_TEST_CASE(contact_and_friction_are_differentiated_exactly)
{
  for (const ContactMethod method : energies)
    check_derivatives(method);
}

BOOST_AUTO_TEST_CASE(friction_is_coulombs_beyond_the_creep_speed)
{
  for (const ContactMethod method : energies)
    {
      Crossing rods(options_of(method), 0.02 * radius);
      rods.contact->set_step(0.1); // creeps by 1e-4
      const double normal =
        find_measurement(rods.contact->measure(rods.q), "contact force");
      const auto force_after = [&](const double slid) {
        // The first rod is moved along itself, so that no gap changes.
        Vector q = rods.q;
        for (Index i = 0; i < rods.first.n_nodes(); ++i)
          q(rods.first.node_unknowns(i)[0]) += slid;
        Vector g = Vector::Zero(q.size());
        rods.contact->add_gradient(q, g);
        double sum = 0.;
        for (Index i = 0; i < rods.first.n_nodes(); ++i)
          sum += g(rods.first.node_unknowns(i)[0]);
        return sum * rods.system.energy_unit();
      };
      BOOST_TEST(std::abs(force_after(3e-4) / (0.3 * normal) - 1.) < 1e-2);
      BOOST_TEST(force_after(1e-5) < 0.25 * 0.3 * normal);
      BOOST_TEST(force_after(1e-5) > 0.);
    }
}

BOOST_AUTO_TEST_CASE(the_force_of_imc_adapts_to_what_penetrates_or_hovers)
{
  // By at most three thousandths in a step, and not at all within the band.
  for (const auto &[gap, factor] :
       {std::pair(-0.01, 1.003), std::pair(0.002, 1.), std::pair(0.02, 0.997)})
    {
      Crossing rods(options_of(ContactMethod::imc), gap * radius);
      BOOST_TEST(std::abs(rods.contact->least_gap(rods.q) - gap * radius) <
                 1e-10);
      const auto force = [&] {
        return find_measurement(rods.contact->measure(rods.q),
                                "largest contact force");
      };
      const double before = force();
      rods.contact->commit(rods.q);
      BOOST_TEST(std::abs(force() / before - factor) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(imc_holds_what_penetrates_beyond_the_depth)
{
  // Of F = 20 there is 1/(1 + exp(-50 * 0.002)) in the paper's law, and as much
  // as F at twice the depth.
  for (const auto &[depth, added] : {std::pair(0., 0.), std::pair(1e-3, 20.)})
    {
      RodContactOptions options = options_of(ContactMethod::imc);
      options.depth             = depth;
      const Crossing rods(options, -2e-3 * radius);
      const double   found = find_measurement(rods.contact->measure(rods.q),
                                            "largest contact force");
      BOOST_TEST(std::abs(found - 20. / (1. + std::exp(-0.1)) - added) < 1e-6);
    }
}

BOOST_AUTO_TEST_CASE(secants_of_friction_lead_to_sticking_without_overshoot)
{
  // A mass that would go on by w = 1 on a floor that can hold it:
  // (w - 1)^2/2 + 3 f(w). The tangent's first step is to w = -2.
  contact::LaggedFriction law;
  law.limit            = 3.;
  law.width            = 1e-3;
  using Stiffness      = contact::LaggedFriction::Stiffness;
  const auto energy_at = [&](const Vector3 &w) {
    return 0.5 * (w - Vector3::UnitX()).squaredNorm() + law.slip(w).energy;
  };
  for (const Stiffness kind : {Stiffness::tangent, Stiffness::secant})
    {
      Vector3 w       = Vector3(0.9, 0.1, 0.);
      int     descent = 0;
      for (int i = 0; i < 5; ++i)
        {
          const double          before = energy_at(w);
          const Eigen::Matrix3d K =
            Eigen::Matrix3d::Identity() + law.stiffness(w, kind);
          w -= K.ldlt().solve(w - Vector3::UnitX() + law.force(w));
          descent += energy_at(w) < before ? 1 : 0;
        }
      if (kind == Stiffness::secant)
        {
          BOOST_TEST(descent == 5);
          BOOST_TEST(w.norm() < 10. * law.width);
        }
      else
        BOOST_TEST(descent < 5);
    }
}

BOOST_AUTO_TEST_CASE(steps_end_before_rods_pass_through_each_other)
{
  Crossing rods(options_of(ContactMethod::barrier), 0.05 * radius);
  Vector   down = Vector::Zero(rods.q.size());
  for (Index i = 0; i < rods.second.n_nodes(); ++i)
    down(rods.system.number(1, rods.second.node_unknowns(i)[2])) = -1.;
  const double longest = rods.contact->longest_step(rods.q, down);
  // They may not touch where there is a barrier.
  BOOST_TEST(longest < 0.05 * radius);
  BOOST_TEST(longest > 0.04 * radius);
  // Where rods touch the barrier is infinite.
  BOOST_TEST(std::isinf(rods.contact->energy(rods.q + 0.06 * radius * down)));
  // Sideways nothing is in the way but the end of what was looked at.
  Vector aside = Vector::Zero(rods.q.size());
  for (Index i = 0; i < rods.second.n_nodes(); ++i)
    aside(rods.system.number(1, rods.second.node_unknowns(i)[2])) = 1e-4;
  BOOST_TEST(std::isinf(rods.contact->longest_step(rods.q, aside)));
}

BOOST_AUTO_TEST_CASE(what_passes_through_between_two_states_is_noticed)
{
  Crossing rods(options_of(ContactMethod::imc), 0.05 * radius);
  Vector   q = rods.q;
  for (Index i = 0; i < rods.second.n_nodes(); ++i)
    q(rods.system.number(1, rods.second.node_unknowns(i)[2])) -= 4.2 * radius;
  rods.contact->commit(rods.q);
  BOOST_TEST(!rods.contact->has_passed_through());
  rods.contact->commit(q);
  BOOST_TEST(rods.contact->has_passed_through());
}

BOOST_AUTO_TEST_CASE(near_edges_are_those_that_a_look_at_all_pairs_finds)
{
  // A cloud of edges about the origin, and one more so far away that boxes have
  // to be wider than edges.
  for (const double away : {0., 1e9})
    {
      Random                     random(8);
      const Index                n = 1500;
      Eigen::Matrix3Xd           x(3, 2 * n);
      std::vector<contact::Edge> edges;
      for (Index i = 0; i < n; ++i)
        {
          const Vector middle = random.vector(3), along = random.vector(3);
          x.col(2 * i)     = middle - 0.1 * along;
          x.col(2 * i + 1) = middle + 0.1 * along;
          edges.push_back({2 * i, 2 * i + 1, i, 0., 0.1, 0.02});
        }
      x.rightCols(2).array() += away;
      const auto no_neighbours = [](const contact::Edge &a,
                                    const contact::Edge &b) {
        return b.chain != a.chain + 1;
      };
      std::vector<contact::EdgePair> expected;
      for (Index i = 0; i < n; ++i)
        for (Index j = i + 2; j < n; ++j)
          {
            contact::FourPoints four;
            four << x.middleCols<2>(2 * i), x.middleCols<2>(2 * j);
            if (contact::distance(four) < 0.04 + 0.2)
              expected.emplace_back(i, j);
          }
      const auto found = contact::near_edges(edges, x, 0.2, no_neighbours);
      BOOST_TEST(expected.size() > 10000);
      BOOST_TEST((found == expected));
    }
}

BOOST_AUTO_TEST_CASE(lists_and_patterns_are_kept_until_nodes_have_moved)
{
  Crossing   rods(options_of(ContactMethod::imc), 0.05 * radius);
  const auto pattern = rods.system.pattern();
  Vector     q       = rods.q;
  const auto lift    = [&](const double by) {
    for (Index i = 0; i < rods.second.n_nodes(); ++i)
      q(rods.system.number(1, rods.second.node_unknowns(i)[2])) += by;
    rods.system.survey(q);
  };
  BOOST_TEST(rods.contact->n_pairs() > 0U);
  lift(0.05 * radius);
  BOOST_TEST(rods.system.pattern() == pattern);
  lift(3. * radius);
  BOOST_TEST(rods.system.pattern() != pattern);
  BOOST_TEST(rods.contact->n_pairs() == 0U);
}

BOOST_AUTO_TEST_CASE(history_brings_everything_back)
{
  Crossing rods(options_of(ContactMethod::imc), 0.05 * radius);
  Random   random(7);
  Vector   q = rods.q + 1e-4 * random.vector(rods.q.size());
  rods.system.survey(q);
  rods.system.commit(q);
  const State  state = rods.system.state(q);
  const Vector there = q + 1e-5 * random.vector(q.size());
  const Vector g     = rods.system.gradient(there);

  Crossing others(options_of(ContactMethod::imc), 0.3 * radius);
  others.system.set_state(state);
  BOOST_TEST((others.system.gradient(there) - g).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(a_sparse_factorisation_solves_what_contacts_couple)
{
  Crossing        rods(options_of(ContactMethod::imc), 0.02 * radius);
  const Layout    layout = rods.system.layout();
  SparseTangent   matrix(layout, Couplings(rods.system, rods.q));
  test::DenseSink dense(layout.size);
  rods.system.hessian(rods.q, dense);
  // Free rods float: springs hold them.
  const Eigen::MatrixXd bed =
    Eigen::MatrixXd::Identity(layout.size, layout.size);
  for (const double strength : {1e3, -1e3})
    {
      matrix.clear();
      rods.system.hessian(rods.q, matrix);
      for (Index i = 0; i < layout.size; ++i)
        matrix.add(&i, 1, &strength);
      matrix.finish();
      const Eigen::MatrixXd A = dense.matrix + strength * bed;
      Random                random(2);
      const Vector          b = random.vector(layout.size);
      Eigen::MatrixXd       x = b;
      BOOST_TEST(matrix.solve(Eigen::Ref<Eigen::MatrixXd>(x)));
      BOOST_TEST((A * x - b).norm() < 1e-6 * b.norm());
      Eigen::MatrixXd y = b;
      matrix.apply(Eigen::Ref<Eigen::MatrixXd>(y));
      BOOST_TEST((A * b - y).norm() < 1e-12 * y.norm());
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
        A, Eigen::EigenvaluesOnly);
      BOOST_TEST(matrix.inertia().negative ==
                 (eigen.eigenvalues().array() < 0.).count());
    }
}

BOOST_AUTO_TEST_CASE(overhand_knots_have_their_crossings)
{
  for (int n = 1; n <= 4; ++n)
    {
      OverhandKnot knot;
      knot.unknotting_number   = n;
      knot.shortening          = 0.6;
      const Eigen::Matrix3Xd x = knot.polygon();
      const auto found         = contact::crossings(x, Vector3(0.01, 0.02, 1.));
      BOOST_TEST(found.size() == 2U * n + 1U);
      int sum = 0;
      for (const contact::Crossing &crossing : found)
        sum += crossing.sign;
      BOOST_TEST(std::abs(sum) == 2 * n + 1);
      // Gauss's integral: that of a helix less what the loop turns back.
      BOOST_TEST(
        std::abs(std::abs(contact::writhe(contact::extended(x, 100.))) -
                 (2. * n + 1.)) < 1.2);
      for (Index i = 0; i < knot.segments; ++i)
        BOOST_TEST_REQUIRE(
          std::abs((x.col(i + 1) - x.col(i)).norm() * knot.segments - 1.) <
          0.01);
    }
}

BOOST_AUTO_TEST_CASE(a_turn_of_a_helix_writhes_by_one_less_its_pitch)
{
  const double pitch = 0.5; // along the axis per radian, of a radius of one
  const auto   helix = [&](const int turns) {
    const int        n = 60 * turns;
    Eigen::Matrix3Xd x(3, n + 1);
    for (int i = 0; i <= n; ++i)
      {
        const double s = 2. * 3.141592653589793 * turns * i / n;
        x.col(i)       = Vector3(std::cos(s), std::sin(s), pitch * s);
      }
    return contact::writhe(x);
  };
  // What the ends do is the same for both.
  const double per_turn = (helix(20) - helix(10)) / 10.;
  BOOST_TEST(std::abs(per_turn - (1. - pitch / std::sqrt(1. + pitch * pitch))) <
             5e-3);
}

BOOST_AUTO_TEST_CASE(knots_that_cannot_be_are_refused)
{
  OverhandKnot knot;
  knot.shortening = 0.05;
  BOOST_CHECK_THROW(knot.polygon(), InputError);
  knot.shortening = 0.99;
  BOOST_CHECK_THROW(knot.polygon(), InputError);
  knot.shortening = 0.6;
  knot.segments   = 40;
  BOOST_CHECK_THROW(knot.polygon(), InputError);
  knot.segments = 300;
  BOOST_CHECK_NO_THROW(knot.polygon());
  knot.radius = 0.02;
  BOOST_CHECK_EXCEPTION(knot.polygon(),
                        InputError,
                        [](const InputError &error) {
                          return std::string(error.what()).find("too thick") !=
                                 std::string::npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
