// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/rods.h"
#include "support/shells.h"

#include <slender/models/rods/curvature_rod.h>
#include <slender/statics/equilibrium.h>

#include <boost/math/constants/constants.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// Bodies that a moment has rolled up by more than a turn: what the moment has
// done cannot be read off the shape alone.
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double pi = boost::math::constants::pi<double>();

  /// A straight body of length 1 with a clamped start, and how its end is
  /// turned. Energies are in units of its bending stiffness.
  struct Body
  {
    std::string                                     name;
    std::string                                     moment;
    double                                          width;
    std::function<std::unique_ptr<Model>(MPI_Comm)> make;
  };

  std::ostream &
  operator<<(std::ostream &stream, const Body &body)
  {
    return stream << body.name;
  }

  std::unique_ptr<Model>
  make_rod_of(const Kind kind, MPI_Comm communicator)
  {
    Mesh mesh;
    mesh.pieces       = kind == Kind::kirchhoff ? 12 : 120;
    mesh.degree       = 4;
    mesh.constraint   = 1e7;
    mesh.communicator = communicator;
    return make_rod(kind, RodBody(), mesh);
  }

  std::unique_ptr<Model>
  make_curvature_rod(const curvature::Interpolation strain,
                     MPI_Comm                       communicator)
  {
    CurvatureRodDiscretisation discretisation;
    discretisation.strain   = strain;
    discretisation.elements = 5;
    return std::make_unique<CurvatureRod>(RodBody(),
                                          discretisation,
                                          communicator);
  }

  std::unique_ptr<Model>
  make_strip(MPI_Comm communicator)
  {
    Rectangle rectangle;
    rectangle.width = 0.1;
    rectangle.cells = {16, 2};
    ShellBody body  = cantilever_plate(1e-3, 0., -Vector3::UnitZ());
    body.edges.push_back(ShellEdge::free("right"));
    return make_shell({"strip", body, make_surface(rectangle)},
                      3,
                      communicator);
  }

  const std::vector<Body> bodies = {
    {"Kirchhoff rod",
     "end moment",
     1.,
     [](MPI_Comm c) { return make_rod_of(Kind::kirchhoff, c); }},
    {"discrete elastic rod",
     "end moment",
     1.,
     [](MPI_Comm c) { return make_rod_of(Kind::discrete, c); }},
    {"super helix",
     "end moment",
     1.,
     [](MPI_Comm c) {
       return make_curvature_rod(curvature::Interpolation::constant, c);
     }},
    {"super clothoid",
     "end moment",
     1.,
     [](MPI_Comm c) {
       return make_curvature_rod(curvature::Interpolation::linear, c);
     }},
    {"Koiter shell", "right moment", 0.1, make_strip}};

  double
  energy_of(const Model &model, const Vector &q)
  {
    return sum_over_ranks(model.layout(), model.energy(q));
  }

  /// The equilibrium of a body whose end is turned by some turns, a fifth of a
  /// turn at a time.
  Vector
  roll_up(const Body &body, Model &model, const double turns)
  {
    EquilibriumSolver solver(model, NewtonOptions());
    Vector            q     = model.initial_state();
    const int         steps = static_cast<int>(std::ceil(5. * turns));
    for (int step = 1; step <= steps; ++step)
      {
        const double      M      = 2. * pi * turns * step / steps;
        const Equilibrium rolled = solver.load(q, {{body.moment, M}});
        BOOST_TEST_REQUIRE(rolled.converged());
        q = rolled.q;
        // Half of the moment's work is stored. The discrete rod's moment acts
        // half an edge before the end.
        const double exact = -0.5 * M * M * body.width;
        BOOST_TEST(std::abs(energy_of(model, q) - exact) <
                     0.02 * std::abs(exact),
                   "turned by " << M << ": energy " << energy_of(model, q)
                                << " instead of " << exact);
      }
    return q;
  }

  /// All that is needed to take a state up again, on any number of ranks.
  struct Saved
  {
    Vector state, history;

    Saved(const Model &model, const Vector &q)
      : state(gather(model.layout().communicator, model.unknown_places(), q))
      , history(gather(model.layout().communicator,
                       model.history_places(),
                       model.history()))
    {}

    Vector
    restore(Model &model) const
    {
      const Places places = model.history_places();
      BOOST_TEST_REQUIRE(places.size == history.size());
      model.set_history(share_of(places, history, model.history().size()));
      return state_of(model);
    }

    Vector
    state_of(const Model &model) const
    {
      const Layout &layout = model.layout();
      const Places  places = model.unknown_places();
      BOOST_TEST_REQUIRE(places.size == state.size());
      const Vector mine = share_of(places, state, layout.n_local());
      return share_of(layout, gather(layout, mine)); // with ghosts
    }
  };

  constexpr double turns = 1.4;

  void
  check_restored(const Body   &body,
                 const Model  &model,
                 const Vector &q,
                 MPI_Comm      communicator)
  {
    const Saved  saved(model, q);
    const double energy = energy_of(model, q);
    const auto   fresh  = body.make(communicator);
    fresh->set_parameter(body.moment, model.parameter(body.moment));
    // The state alone does not tell the turns.
    BOOST_TEST(std::abs(energy_of(*fresh, saved.state_of(*fresh)) - energy) >
               0.5 * std::abs(energy));
    const Vector restored = saved.restore(*fresh);
    BOOST_TEST(std::abs(energy_of(*fresh, restored) - energy) <
               1e-8 * std::abs(energy));
    // Nothing is lost on the way back.
    const Saved again(*fresh, restored);
    BOOST_TEST((again.state - saved.state).norm() == 0.);
    BOOST_TEST((again.history - saved.history).norm() == 0.);
  }
} // namespace



BOOST_AUTO_TEST_SUITE(history)

BOOST_DATA_TEST_CASE(a_moment_works_on_as_many_turns_as_it_makes,
                     data::make(bodies),
                     body)
{
  const auto model = body.make(MPI_COMM_SELF);
  roll_up(body, *model, 2.6);
}

BOOST_DATA_TEST_CASE(a_state_that_is_taken_up_again_has_its_turns,
                     data::make(bodies),
                     body)
{
  const auto   model = body.make(MPI_COMM_SELF);
  const Vector q     = roll_up(body, *model, turns);
  check_restored(body, *model, q, MPI_COMM_SELF);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(a_saved_state_does_not_depend_on_the_ranks_that_saved_it,
                     data::make(bodies),
                     body)
{
  // From each rank alone to all together, and back.
  const auto   alone = body.make(MPI_COMM_SELF);
  const Vector mine  = roll_up(body, *alone, turns);
  check_restored(body, *alone, mine, MPI_COMM_WORLD);

  const auto shared = body.make(MPI_COMM_WORLD);
  shared->set_parameter(body.moment, alone->parameter(body.moment));
  const Vector ours = Saved(*alone, mine).restore(*shared);
  check_restored(body, *shared, ours, MPI_COMM_SELF);

  // What the shared body accepts goes into the same places; angles are those
  // of differences of positions over short edges, with their round-off.
  alone->commit(1.01 * mine);
  shared->commit(1.01 * ours);
  const Saved of_mine(*alone, mine), of_ours(*shared, ours);
  BOOST_TEST((of_mine.state - of_ours.state).norm() == 0.);
  BOOST_TEST((of_mine.history - of_ours.history).cwiseAbs().maxCoeff() < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
