// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/loaded_rod.h"
#include "support/one_unknown.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  /// One unknown with the force q^2 + a or a sqrt(1 + q^2), which vanishes
  /// nowhere but has a minimum, where Newton's method likes to get stuck.
  class Restless : public OneUnknown
  {
  public:
    Restless(const bool is_steep, const double least_force)
      : steep(is_steep)
      , least(least_force)
    {}

    double
    value(const double x) const override
    {
      return steep ? x * x * x / 3. + least * x
                   : least / 2. * (x * std::sqrt(1. + x * x) + std::asinh(x));
    }

    double
    slope(const double x) const override
    {
      return steep ? x * x + least : least * std::sqrt(1. + x * x);
    }

    double
    bend(const double x) const override
    {
      return steep ? 2. * x : least * x / std::sqrt(1. + x * x);
    }

  private:
    bool   steep;
    double least;
  };

  /// The energy x^4/4 - x, whose parts are there only where a survey has seen
  /// them, and along which no step may be longer than a given length.
  class Watched : public OneUnknown
  {
  public:
    explicit Watched(const double longest)
      : longest_move(longest)
    {}

    void
    survey(const Vector &q) override
    {
      surveyed = q(0);
      ++n_surveys;
      // The matrix does not change, but whoever holds one cannot know.
      the_pattern = q(0) > 0.5 ? 1 : 0;
    }

    unsigned long
    pattern() const override
    {
      return the_pattern;
    }

    double
    longest_step(const Vector &q, const Vector &direction) const override
    {
      BOOST_TEST(q(0) == surveyed);
      return longest_move / std::abs(direction(0));
    }

    double
    value(const double x) const override
    {
      BOOST_TEST(x == surveyed);
      return std::pow(x, 4) / 4. - x;
    }

    double
    slope(const double x) const override
    {
      BOOST_TEST(x == surveyed);
      ++n_slopes;
      return std::pow(x, 3) - 1.;
    }

    double
    bend(const double x) const override
    {
      BOOST_TEST(x == surveyed);
      return 3. * x * x;
    }

    int         n_surveys = 0;
    mutable int n_slopes  = 0;

  private:
    double        longest_move;
    double        surveyed    = std::numeric_limits<double>::quiet_NaN();
    unsigned long the_pattern = 0;
  };

  /// A mass on a rough floor in a time step, (x - 1)^2/2 + 3 f(|x|): friction
  /// is strong enough to hold it, with a smooth kink of width w (see
  /// LaggedFriction).
  class Rough : public OneUnknown
  {
  public:
    double
    value(const double x) const override
    {
      const double y = std::abs(x);
      return 0.5 * (x - 1.) * (x - 1.) +
             3. * (y > w ? y - w / 3. : y * y / w - y * y * y / (3. * w * w));
    }

    double
    slope(const double x) const override
    {
      const double y = std::abs(x);
      return x - 1. +
             3. * (y > w ? 1. : (2. - y / w) * y / w) * (x > 0. ? 1. : -1.);
    }

    double
    bend(const double x) const override
    {
      const double y = std::abs(x);
      return 1. + 3. * (y > w ? 0. : (2. - 2. * y / w) / w);
    }

  private:
    static constexpr double w = 1e-4;
  };
} // namespace



BOOST_AUTO_TEST_SUITE(newton)

BOOST_DATA_TEST_CASE(both_linear_solvers_find_the_same_equilibrium,
                     data::make(both_kinds),
                     kind)
{
  RodBody body   = all_kinds_of_bodies()[1].body;
  body.axial     = 0.;
  body.gravity   = 0.;
  body.end_force = body.end_moment = 0.;
  body.initial_strain              = body.natural_strain();
  std::vector<Vector> states;
  for (const char *name : {"banded", "mumps"})
    {
      const auto    rod = make_rod(kind, body, fine_mesh(kind));
      NewtonOptions options;
      options.linear_solver = name;
      EquilibriumSolver solver(*rod, options);
      Equilibrium       state = solver.solve(rod->initial_state());
      BOOST_TEST(state.converged());
      state =
        solver.load(state.q,
                    {{"gravity", 2.}, {"end force", 0.3}, {"end moment", 0.2}});
      BOOST_TEST(state.converged());
      states.push_back(state.q);
    }
  BOOST_TEST((states[0] - states[1]).cwiseAbs().maxCoeff() < 1e-10);
}

BOOST_DATA_TEST_CASE(one_step_to_a_large_load_takes_few_iterations,
                     data::make(both_kinds),
                     kind)
{
  // With the exact Hessian the elements do not get there in one step at all:
  // the straight guess of a rotation stretches them.
  const Loaded rod = load(kind, RodBody(), fine_mesh(kind), {{"gravity", 10.}});
  BOOST_TEST_MESSAGE(kind << ": " << rod.state.iterations << " iterations");
  BOOST_TEST(rod.state.iterations <= 15);
}

BOOST_DATA_TEST_CASE(a_long_way_is_cut_into_steps, data::make(both_kinds), kind)
{
  // One step of this size is too much for four iterations.
  const RodBody body;
  const Mesh    mesh = fine_mesh(kind);
  NewtonOptions impatient;
  impatient.max_iterations = 4;
  {
    const auto        rod = make_rod(kind, body, mesh);
    EquilibriumSolver solver(*rod, impatient);
    rod->set_parameter("gravity", 200.);
    BOOST_TEST(!solver.solve(rod->initial_state()).converged());
    rod->set_parameter("gravity", 0.);
    const Equilibrium cut =
      solver.load(rod->initial_state(), {{"gravity", 200.}});
    BOOST_TEST(cut.converged());
    BOOST_TEST(rod->parameter("gravity") == 200.);
    const Loaded patient = load(kind, body, mesh, {{"gravity", 200.}});
    BOOST_TEST((rod->stations(cut.q).back().position - patient.tip()).norm() <
               1e-9);
    BOOST_TEST_MESSAGE(
      kind << ": " << cut.iterations << " iterations in steps, "
           << patient.state.iterations << " with the default options");
  }
  // Without cuts the load stays where it was.
  const auto rod          = make_rod(kind, body, mesh);
  impatient.max_step_cuts = 0;
  EquilibriumSolver solver(*rod, impatient);
  const Equilibrium state =
    solver.load(rod->initial_state(), {{"gravity", 200.}});
  BOOST_TEST((state.outcome == Outcome::too_many_iterations));
  BOOST_TEST(rod->parameter("gravity") == 0.);
}

BOOST_DATA_TEST_CASE(where_full_steps_fail_shorter_ones_are_tried,
                     data::make(both_kinds),
                     kind)
{
  // From guesses at random, a hanging rod: full steps with either tangent lead
  // astray from some of them.
  RodBody body;
  body.gravity  = 3.;
  int n_rescued = 0;
  for (unsigned int seed = 1; seed <= 40; ++seed)
    {
      const auto finds = [&](const char *line_search, const bool mixed) {
        const auto    rod = make_rod(kind, body, small_mesh(kind));
        NewtonOptions options;
        options.line_search   = line_search;
        options.mixed_tangent = mixed;
        return EquilibriumSolver(*rod, options)
          .solve(random_state(*rod, 0.02 * seed, seed))
          .converged();
      };
      if (finds("full step", true) || !finds("backtrack", false))
        continue;
      ++n_rescued;
      BOOST_TEST(finds("automatic", true), "not found from guess " << seed);
    }
  BOOST_TEST_MESSAGE(kind << ": " << n_rescued << " searches were rescued");
  BOOST_TEST(n_rescued > 0);
}

BOOST_DATA_TEST_CASE(a_search_that_may_not_iterate_says_so,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.gravity      = 10.;
  const auto    rod = make_rod(kind, body, fine_mesh(kind));
  NewtonOptions options;
  options.max_iterations = 1;
  EquilibriumSolver solver(*rod, options);
  const Equilibrium state = solver.solve(rod->initial_state());
  BOOST_TEST((state.outcome == Outcome::too_many_iterations));
  BOOST_TEST(!state.converged());
}

BOOST_DATA_TEST_CASE(an_undefined_load_is_an_outcome_and_not_an_exception,
                     data::make(both_kinds),
                     kind)
{
  const double      nan = std::numeric_limits<double>::quiet_NaN();
  const auto        rod = make_rod(kind, RodBody(), fine_mesh(kind));
  EquilibriumSolver solver(*rod, NewtonOptions());
  const Equilibrium loaded =
    solver.load(rod->initial_state(), {{"gravity", nan}});
  BOOST_TEST((loaded.outcome == Outcome::not_finite));
  // What did converge is kept.
  BOOST_TEST(rod->parameter("gravity") == 0.);
  BOOST_TEST(loaded.q == rod->initial_state());

  rod->set_parameter("gravity", nan);
  const Equilibrium state = solver.solve(rod->initial_state());
  BOOST_TEST((state.outcome == Outcome::not_finite));
}

BOOST_DATA_TEST_CASE(a_load_that_no_equilibrium_bears_is_not_reached,
                     data::make(both_kinds),
                     kind)
{
  // A rod that nothing holds.
  RodBody body;
  body.start        = RodEnd();
  const auto    rod = make_rod(kind, body, mesh_of(8));
  NewtonOptions options;
  options.max_step_cuts = 3;
  EquilibriumSolver solver(*rod, options);
  const Equilibrium state =
    solver.load(rod->initial_state(), {{"gravity", 1.}});
  BOOST_TEST(!state.converged());
  BOOST_TEST_MESSAGE(to_string(state.outcome));
  BOOST_TEST(rod->parameter("gravity") == 0.);
}

BOOST_AUTO_TEST_CASE(a_body_without_equilibrium_is_never_said_to_have_one)
{
  for (const bool steep : {true, false})
    for (const double least : {1., 1e-4, 1e-8})
      for (const char *line_search :
           {"automatic", "full step", "backtrack", "descend"})
        for (double guess = -2.; guess < 2.; guess += 0.173)
          {
            Restless      model(steep, least);
            NewtonOptions options;
            options.line_search = line_search;
            EquilibriumSolver solver(model, options);
            BOOST_TEST(!solver.solve(Vector::Constant(1, guess)).converged());
          }
}

BOOST_AUTO_TEST_CASE(each_iterate_is_surveyed_before_anything_is_evaluated)
{
  for (const char *line_search :
       {"automatic", "full step", "backtrack", "descend"})
    {
      Watched       system(std::numeric_limits<double>::infinity());
      NewtonOptions options;
      options.line_search = line_search;
      Newton            newton(system, options);
      const Equilibrium found = newton.search(Vector::Constant(1, 0.3));
      BOOST_TEST(found.converged());
      BOOST_TEST(std::abs(found.q(0) - 1.) < 1e-12);
      BOOST_TEST(system.n_surveys > found.iterations);
      // Once at the guess, once where the pattern has changed.
      BOOST_TEST(newton.tangent().n_patterns() == 2);
    }
}

BOOST_AUTO_TEST_CASE(descent_finds_what_friction_holds)
{
  // Full steps go to and fro between -2 and 4.
  for (const double guess : {0.5, -0.3, 2., 1e-3})
    {
      const auto search = [&](const char *line_search) {
        Rough         system;
        NewtonOptions options;
        options.line_search = line_search;
        return Newton(system, options).search(Vector::Constant(1, guess));
      };
      BOOST_TEST(!search("full step").converged());
      const Equilibrium found = search("descend");
      BOOST_TEST(found.converged());
      BOOST_TEST(found.iterations <= 25);
      // 3 (2 - y) y = 1 with y = x/w.
      BOOST_TEST(std::abs(found.q(0) - 1e-4 * (1. - std::sqrt(2. / 3.))) <
                 1e-8);
    }
}

BOOST_AUTO_TEST_CASE(no_step_is_longer_than_the_system_allows)
{
  Watched           system(0.1);
  NewtonOptions     options;
  const Equilibrium found =
    Newton(system, options).search(Vector::Constant(1, 0.3));
  BOOST_TEST(found.converged());
  BOOST_TEST(std::abs(found.q(0) - 1.) < 1e-12);
  // From 0.3 to 1 in steps of 0.1, and then as Newton's method goes.
  BOOST_TEST(found.iterations >= 7);
  BOOST_TEST(found.iterations <= 12);
}

BOOST_AUTO_TEST_CASE(a_step_that_was_cut_short_is_no_sign_of_convergence)
{
  for (const char *line_search : {"full step", "backtrack", "descend"})
    {
      Watched       system(1e-12);
      NewtonOptions options;
      options.line_search = line_search;
      const Equilibrium found =
        Newton(system, options).search(Vector::Constant(1, 0.3));
      BOOST_TEST((found.outcome == Outcome::too_many_iterations));
      BOOST_TEST(found.iterations == options.max_iterations);
      BOOST_TEST(found.step > 0.1);
    }
}

BOOST_AUTO_TEST_CASE(what_the_next_step_would_do_need_not_be_seen)
{
  // Steps 0.3, 0.09, 9e-3, 9e-5, 8e-9 towards 1: with a tolerance of 1e-6 the
  // one of 9e-5 is the last, as the next is expected to be a hundredth of it.
  const auto search = [](const bool anticipates) {
    Watched       system(std::numeric_limits<double>::infinity());
    NewtonOptions options;
    options.step_tolerance = 1e-5;
    options.anticipates    = anticipates;
    return Newton(system, options).search(Vector::Constant(1, 1.4));
  };
  const Equilibrium usual = search(false), early = search(true);
  BOOST_TEST(usual.converged());
  BOOST_TEST(early.converged());
  BOOST_TEST(early.iterations == usual.iterations - 1);
  BOOST_TEST(std::abs(early.q(0) - 1.) < 1e-5);
  // Not where steps do not become shorter: those of Restless go to and fro.
  NewtonOptions options;
  options.anticipates = true;
  Restless steep(true, 1.);
  BOOST_TEST(
    !Newton(steep, options).search(Vector::Constant(1, 0.4)).converged());
}

BOOST_AUTO_TEST_CASE(a_short_step_may_be_the_last_without_a_look)
{
  const auto search =
    [](Watched &system, const bool trusts, const double guess = 1.4) {
      NewtonOptions options;
      options.line_search        = "descend";
      options.step_tolerance     = 1e-6;
      options.residual_tolerance = 0.;
      options.trusts_short_steps = trusts;
      return Newton(system, options).search(Vector::Constant(1, guess));
    };
  const double      infinite = std::numeric_limits<double>::infinity();
  Watched           seen(infinite), unseen(infinite);
  const Equilibrium usual = search(seen, false), early = search(unseen, true);
  BOOST_TEST(early.converged());
  BOOST_TEST(early.q(0) == usual.q(0));
  BOOST_TEST(early.iterations == usual.iterations);
  BOOST_TEST(unseen.n_slopes == seen.n_slopes - 1);
  BOOST_TEST(unseen.n_surveys == early.iterations + 1);
  // Not a short step of which something allows a part only.
  Watched slow(1e-9);
  BOOST_TEST(
    (search(slow, true, 1. + 5e-7).outcome == Outcome::too_many_iterations));
}

BOOST_AUTO_TEST_CASE(rough_solutions_are_for_searches_only)
{
  // Searches with the factors of earlier matrices find the same digits, and
  // what is solved afterwards is solved as well as ever.
  RodBody body = all_kinds_of_bodies()[1].body;
  body.gravity = body.end_force = body.end_moment = 0.;
  body.initial_strain                             = body.natural_strain();
  const auto rod = make_rod(both_kinds[0], body, fine_mesh(both_kinds[0]));
  std::vector<Vector> states;
  NewtonOptions       options;
  for (const char *name : {"mumps", "lagged mumps"})
    {
      options.linear_solver = name;
      rod->set_parameter("gravity", 0.);
      EquilibriumSolver solver(*rod, options);
      Equilibrium       found = solver.solve(rod->initial_state());
      BOOST_REQUIRE(found.converged());
      found = solver.load(found.q, {{"gravity", 2.}});
      BOOST_REQUIRE(found.converged());
      states.push_back(found.q);
    }
  BOOST_TEST((states[0] - states[1]).cwiseAbs().maxCoeff() < 1e-9);

  options.anticipates = true;
  Newton       lagged(*rod, options);
  const double usual = lagged.tangent().accuracy();
  lagged.search(states[1]);
  BOOST_TEST(lagged.tangent().accuracy() == usual);
}

BOOST_AUTO_TEST_CASE(every_outcome_has_a_sentence_of_its_own)
{
  const std::vector<Outcome> outcomes = {Outcome::converged,
                                         Outcome::too_many_iterations,
                                         Outcome::not_finite,
                                         Outcome::singular_tangent,
                                         Outcome::lost_in_round_off};
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      BOOST_TEST(std::string(to_string(outcomes[i])) !=
                 std::string(to_string(outcomes[j])));
}

BOOST_AUTO_TEST_SUITE_END()
