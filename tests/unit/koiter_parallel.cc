// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/gather_drawing.h"
#include "support/shells.h"

#include <slender/solvers/petsc.h>
#include <slender/statics/equilibrium.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

// A shell that is distributed over all ranks is the shell that every rank holds
// for itself. The numbering of the unknowns depends on the distribution, so
// states and directions are functions of the rest position, and results are
// compared by the work that they do.
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  double
  total(const double part)
  {
    double sum = 0.;
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

  /// Displacements of a wave.
  Vector
  wave(const KoiterShell &shell, const double amplitude, const double phase)
  {
    return shell.transformed(
      shell.initial_state(),
      [&](const Vector3 &rest, const Vector3 &) -> Vector3 {
        return rest + amplitude * Vector3(std::sin(7. * rest(1) + phase),
                                          std::cos(5. * rest(0) - phase),
                                          std::sin(6. * rest(0) + 4. * rest(1) +
                                                   3. * rest(2) + phase));
      });
  }

  struct Numbers
  {
    double energy;
    Vector work; ///< of forces and stiffnesses on some directions

    Numbers(const KoiterShell &shell, const bool is_shared)
    {
      const auto sum = [&](const double x) { return is_shared ? total(x) : x; };
      const Vector q = wave(shell, 0.03, 0.3);
      energy         = sum(shell.energy(q));
      const Vector previous = shell.full_state(wave(shell, 0.03, 0.5));
      const auto   matrix   = make_tangent(shell, q, LinearSolver::mumps);
      for (int round = 0; round < 2; ++round) // the second one from zero again
        {
          matrix->clear();
          shell.hessian(q, *matrix);
          matrix->finish();
        }
      petsc::Owned<Vec, VecDestroy> x, y;
      *&x  = petsc::create_vector(shell.layout());
      *&y  = petsc::create_vector(shell.layout());
      work = Vector::Zero(25);
      for (int i = 0; i < 5; ++i)
        {
          const Vector      d = wave(shell, 0.1, 1. + i) - wave(shell, 0.1, 0.);
          const Vector      e = wave(shell, 0.1, 7. + i) - wave(shell, 0.1, 0.);
          HessianMultiplier hessian(d), tangent(d);
          shell.hessian(q, hessian);
          shell.newton_tangent(q, previous, tangent);
          petsc::set_values(x, d);
          matrix->apply(x, y);
          const Index n_owned = shell.layout().n_owned();
          work(5 * i)         = sum(shell.gradient(q).dot(d));
          work(5 * i + 1)     = sum(hessian.product().dot(e));
          work(5 * i + 2)     = sum(tangent.product().dot(e));
          work(5 * i + 3)     = sum(shell.hessian_times(q, d).dot(e));
          work(5 * i + 4) =
            sum(petsc::local_values(y).head(n_owned).dot(e.head(n_owned)));
          BOOST_TEST(std::abs(work(5 * i + 4) - work(5 * i + 1)) <
                     1e-12 * std::abs(work(5 * i + 1)));
        }
    }
  };

  void
  check_equal(const std::vector<Measurement> &mine,
              const std::vector<Measurement> &ours,
              const double                    tolerance)
  {
    BOOST_REQUIRE(mine.size() == ours.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      BOOST_TEST(std::abs(ours[i].value - mine[i].value) <
                   tolerance * (1. + std::abs(mine[i].value)),
                 mine[i].name << " is " << ours[i].value << " instead of "
                              << mine[i].value);
  }

  const std::vector<NamedShell> shells = [] {
    std::vector<NamedShell> all = all_kinds_of_shells();
    for (const NamedShell &shell : free_shells())
      all.push_back(shell);
    return all;
  }();
} // namespace



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(forces_and_stiffness_are_those_of_the_shell_on_one_rank,
                     data::make(shells),
                     shell)
{
  const auto    alone  = make_shell(shell, 3, MPI_COMM_SELF);
  const auto    shared = make_shell(shell, 3, MPI_COMM_WORLD);
  const Numbers mine(*alone, false), ours(*shared, true);
  BOOST_TEST(std::abs(ours.energy - mine.energy) <
             1e-12 * std::abs(mine.energy));
  BOOST_TEST((ours.work - mine.work).norm() < 1e-12 * mine.work.norm());
  BOOST_TEST(alone->layout().size == shared->layout().size);
  check_equal(alone->measure(wave(*alone, 0.03, 0.3)),
              shared->measure(wave(*shared, 0.03, 0.3)),
              1e-10);
}

BOOST_AUTO_TEST_CASE(a_block_outside_the_pattern_is_refused)
{
  const auto   shell  = make_shell(shells.front(), 3, MPI_COMM_SELF);
  const Vector q      = shell->initial_state();
  const auto   matrix = make_tangent(*shell, q, LinearSolver::mumps);
  matrix->clear();
  const Index  last         = shell->layout().n_owned() - 1;
  const Index  far_apart[2] = {0, last};
  const double block[4]     = {1., 1., 1., 1.};
  BOOST_CHECK_THROW(matrix->add(far_apart, 2, block), std::logic_error);
  const Index neighbours[2] = {0, 1};
  matrix->add(neighbours, 2, block);
  matrix->finish();
}

BOOST_DATA_TEST_CASE(ranks_draw_their_pieces_of_the_shell,
                     data::make(shells),
                     shell)
{
  const auto    alone  = make_shell(shell, 3, MPI_COMM_SELF);
  const auto    shared = make_shell(shell, 3, MPI_COMM_WORLD);
  const Drawing mine   = alone->draw(wave(*alone, 0.03, 0.3));
  const Drawing piece  = shared->draw(wave(*shared, 0.03, 0.3));
  const Drawing ours   = test::gather_drawing(piece, MPI_COMM_WORLD);
  BOOST_TEST(total(static_cast<double>(piece.points.size())) ==
             static_cast<double>(mine.points.size()));
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0)
    {
      BOOST_TEST(ours.points.empty());
      return;
    }
  BOOST_REQUIRE(mine.points.size() == ours.points.size());
  BOOST_TEST(mine.cells.size() == ours.cells.size());

  // The order of the cells depends on the ranks: each cell of the mesh, which
  // has points of its own, is found again by its middle.
  const Index n_nodes = 16; // of degree 3
  const auto  middles = [n_nodes](const Drawing &drawing) {
    Eigen::Matrix3Xd result =
      Eigen::Matrix3Xd::Zero(3, drawing.points.size() / n_nodes);
    for (std::size_t i = 0; i < drawing.points.size(); ++i)
      result.col(i / n_nodes) += drawing.points[i] / n_nodes;
    return result;
  };
  const Eigen::Matrix3Xd middle = middles(mine), others = middles(ours);
  std::set<Index>        found;
  std::vector<double>    largest(mine.point_fields.size(), 0.);
  double                 distance = 0.;
  for (Index cell = 0; cell < middle.cols(); ++cell)
    {
      Index other;
      (others.colwise() - middle.col(cell)).colwise().norm().minCoeff(&other);
      found.insert(other);
      for (Index i = 0; i < n_nodes; ++i)
        distance = std::max(distance,
                            (mine.points[cell * n_nodes + i] -
                             ours.points[other * n_nodes + i])
                              .norm());
      for (std::size_t f = 0; f < largest.size(); ++f)
        largest[f] = std::max(
          largest[f],
          (mine.point_fields[f].values.middleCols(cell * n_nodes, n_nodes) -
           ours.point_fields[f].values.middleCols(other * n_nodes, n_nodes))
            .norm());
    }
  BOOST_TEST(static_cast<Index>(found.size()) == middle.cols());
  BOOST_TEST(distance < 1e-12);
  for (std::size_t f = 0; f < largest.size(); ++f)
    BOOST_TEST(largest[f] < 1e-9 * (1. + mine.point_fields[f].values.norm()));
}

BOOST_AUTO_TEST_CASE(equilibria_are_those_of_the_shell_on_one_rank)
{
  // A refined mesh, bent strongly.
  ShellBody body = cantilever_plate(1e-3, 0.35, {0., -0.2, -1.});
  body.points    = {{"corner", {1., 0.15, 0.}}};
  Rectangle rectangle;
  rectangle.width = 0.3;
  rectangle.cells = {8, 4};
  const NamedShell plate{"plate", body, make_surface(rectangle)};
  const auto       result = [&](MPI_Comm           communicator,
                          const std::string &linear_solver) {
    NewtonOptions options;
    options.linear_solver   = linear_solver;
    const auto        shell = make_shell(plate, 3, communicator);
    EquilibriumSolver solver(*shell, options);
    const Equilibrium bent =
      solver.load(shell->initial_state(), {{"gravity", 10.}});
    BOOST_TEST(bent.converged());
    auto measured = shell->measure(bent.q);
    measured.push_back(
      {"negative", static_cast<double>(solver.inertia(bent.q).negative)});
    return measured;
  };
  // Energies hold stiffnesses of 1e7 times round-off.
  const auto alone = result(MPI_COMM_SELF, "mumps");
  check_equal(alone, result(MPI_COMM_WORLD, "mumps"), 1e-8);
  for (const std::string linear_solver :
       {"mumps on disk", "lagged mumps", "schwarz"})
    check_equal(alone, result(MPI_COMM_WORLD, linear_solver), 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
