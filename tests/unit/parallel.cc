// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/gather_drawing.h"
#include "support/random.h"
#include "support/rods.h"

#include <slender/models/rods/quaternion.h>
#include <slender/statics/equilibrium.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

// A rod that is distributed over all ranks is the rod that every rank holds
// for itself; on one rank that would say nothing. Checks are made on numbers
// that all ranks have, so that no rank stops alone.
namespace
{
  using namespace slender;
  using namespace slender::test;
  using Eigen::MatrixXd;
  namespace data = boost::unit_test::data;

  Vector
  sum_over_ranks(MPI_Comm communicator, Vector values)
  {
    MPI_Allreduce(MPI_IN_PLACE,
                  values.data(),
                  static_cast<int>(values.size()),
                  MPI_DOUBLE,
                  MPI_SUM,
                  communicator);
    return values;
  }

  /// Global number of a local unknown.
  Index
  global_number(const Layout &layout, const Index i)
  {
    return i < layout.n_owned() ? layout.begin + i
                                : layout.ghosts[i - layout.n_owned()];
  }

  /// The shares of all ranks, what stands at ghosts added to their owners.
  Vector
  accumulated(const Layout &layout, const Vector &local)
  {
    Vector global = Vector::Zero(layout.size);
    for (Index i = 0; i < layout.n_local(); ++i)
      global(global_number(layout, i)) += local(i);
    return sum_over_ranks(layout.communicator, global);
  }

  /// All numbers by which a station is known.
  Vector
  numbers_of(const std::vector<RodStation> &stations)
  {
    Vector numbers(13 * static_cast<Index>(stations.size()));
    Index  i = 0;
    for (const RodStation &s : stations)
      {
        numbers.segment<13>(i) << s.arc_length, s.position, s.frame, s.strain,
          s.stretch, s.energy_density;
        i += 13;
      }
    return numbers;
  }

  /// What each unknown does to the stations of a rod. The numbering of the
  /// unknowns depends on the distribution; their effect does not.
  MatrixXd
  effects(const RodModel &rod)
  {
    const Layout &layout = rod.layout();
    // Nothing is special in a rod that was turned.
    const Vector base =
      gather(layout,
             rod.moved(rod.initial_state(),
                       Vector4(0.7, 0.4, -0.5, 0.3).normalized(),
                       Vector3::Zero()));
    const Vector before = numbers_of(rod.stations(share_of(layout, base)));
    MatrixXd     result(before.size(), layout.size);
    for (Index i = 0; i < layout.size; ++i)
      {
        Vector state = base;
        state(i) += 0.01;
        result.col(i) =
          numbers_of(rod.stations(share_of(layout, state))) - before;
      }
    return result;
  }

  /// Collects the product of a Hessian with one vector.
  class ProductSink : public HessianSink
  {
  public:
    explicit ProductSink(const Vector &local_factor)
      : factor(local_factor)
      , product(Vector::Zero(local_factor.size()))
    {}

    void
    add(const Index *unknowns, const Index n, const double *block) override
    {
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          if (unknowns[i] >= 0 && unknowns[j] >= 0)
            product(unknowns[i]) += block[j * n + i] * factor(unknowns[j]);
    }

    Vector factor, product;
  };

  /// The same rod on this rank alone and on all ranks together.
  struct Pair
  {
    std::unique_ptr<RodModel> alone, shared;
    std::vector<Index> number; ///< in the shared rod of each unknown of alone

    Pair(const Kind kind, const RodBody &body, Mesh mesh)
    {
      alone             = make_rod(kind, body, mesh);
      mesh.communicator = MPI_COMM_WORLD;
      shared            = make_rod(kind, body, mesh);
      BOOST_REQUIRE(alone->layout().size == shared->layout().size);

      const MatrixXd  mine = effects(*alone), ours = effects(*shared);
      std::set<Index> used;
      for (Index i = 0; i < mine.cols(); ++i)
        {
          Index        best;
          const double distance =
            (ours.colwise() - mine.col(i)).colwise().norm().minCoeff(&best);
          BOOST_REQUIRE(distance < 1e-9 * mine.col(i).norm());
          number.push_back(best);
          used.insert(best);
        }
      BOOST_REQUIRE(static_cast<Index>(used.size()) == alone->layout().size);
    }

    /// A state of the rod alone as the shared rod's.
    Vector
    to_shared(const Vector &q) const
    {
      Vector global(q.size());
      for (Index i = 0; i < q.size(); ++i)
        global(number[i]) = q(i);
      return share_of(shared->layout(), global);
    }

    /// A global vector of the shared rod in the order of the rod alone.
    Vector
    to_alone(const Vector &global) const
    {
      return global(number);
    }

    double
    distance(const ProductSink &mine, const ProductSink &ours) const
    {
      return (to_alone(accumulated(shared->layout(), ours.product)) -
              mine.product)
        .norm();
    }
  };

  double
  total(const double part)
  {
    return sum_over_ranks(MPI_COMM_WORLD, Vector::Constant(1, part))(0);
  }

  double
  difference(const std::vector<RodStation> &a, const std::vector<RodStation> &b)
  {
    const Vector x = numbers_of(a), y = numbers_of(b);
    return x.size() == y.size() ? (x - y).cwiseAbs().maxCoeff() : 1e300;
  }

  /// The length of all lines of a drawing.
  double
  length_of(const Drawing &drawing)
  {
    double length = 0.;
    for (const Drawing::Cell &cell : drawing.cells)
      for (std::size_t i = 1; i < cell.points.size(); ++i)
        length +=
          (drawing.points[cell.points[i]] - drawing.points[cell.points[i - 1]])
            .norm();
    return length;
  }

  const std::vector<NamedBody> bodies = all_kinds_of_bodies();
} // namespace



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(energy_and_forces_are_those_of_the_rod_on_one_rank,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Pair   rods(kind, body.body, small_mesh(kind));
  const Vector q      = random_state(*rods.alone, 0.05, 1);
  const Vector shared = rods.to_shared(q);
  const double energy = rods.alone->energy(q);
  BOOST_TEST(std::abs(total(rods.shared->energy(shared)) - energy) <
             1e-12 * std::abs(energy));

  const Vector g = rods.alone->gradient(q);
  BOOST_TEST((rods.to_alone(accumulated(rods.shared->layout(),
                                        rods.shared->gradient(shared))) -
              g)
               .norm() < 1e-12 * g.norm());
}

BOOST_DATA_TEST_CASE(stiffness_is_that_of_the_rod_on_one_rank,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Pair   rods(kind, body.body, small_mesh(kind));
  const Vector q        = random_state(*rods.alone, 0.05, 4);
  const Vector previous = random_state(*rods.alone, 0.05, 5);
  ProductSink  mine(Random(6).vector(q.size()));
  ProductSink  ours(rods.to_shared(mine.factor));
  rods.alone->hessian(q, mine);
  rods.shared->hessian(rods.to_shared(q), ours);
  BOOST_TEST(rods.distance(mine, ours) < 1e-12 * mine.product.norm());
  rods.alone->newton_tangent(q, rods.alone->full_state(previous), mine);
  rods.shared->newton_tangent(rods.to_shared(q),
                              rods.shared->full_state(rods.to_shared(previous)),
                              ours);
  BOOST_TEST(rods.distance(mine, ours) < 1e-12 * mine.product.norm());
}

BOOST_DATA_TEST_CASE(every_rank_has_the_whole_rods_stations_and_reactions,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Pair   rods(kind, body.body, small_mesh(kind));
  const Vector q      = random_state(*rods.alone, 0.05, 2);
  const Vector shared = rods.to_shared(q);
  BOOST_TEST(
    difference(rods.alone->stations(q), rods.shared->stations(shared)) < 1e-10);
  for (const RodSide side : {RodSide::start, RodSide::end})
    {
      const Vector3 force = rods.alone->reaction(q, side);
      BOOST_TEST((rods.shared->reaction(shared, side) - force).norm() <
                 1e-10 * (1. + force.norm()));
    }
  const auto mine = rods.alone->measure(q);
  const auto ours = rods.shared->measure(shared);
  BOOST_REQUIRE(mine.size() == ours.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    BOOST_TEST(std::abs(ours[i].value - mine[i].value) <
                 1e-10 * (1. + std::abs(mine[i].value)),
               mine[i].name << " is " << ours[i].value << " instead of "
                            << mine[i].value);
}

BOOST_DATA_TEST_CASE(ranks_draw_their_pieces_of_the_rod,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Pair    rods(kind, body.body, small_mesh(kind));
  const Vector  q     = random_state(*rods.alone, 0.05, 2);
  const Drawing mine  = rods.alone->draw(q);
  const Drawing piece = rods.shared->draw(rods.to_shared(q));
  // The pieces make the whole line, in its order, and meet in one point.
  const double n_pieces = total(piece.points.empty() ? 0. : 1.);
  BOOST_TEST(total(static_cast<double>(piece.points.size())) ==
             static_cast<double>(mine.points.size()) + n_pieces - 1.);
  BOOST_TEST(std::abs(total(length_of(piece)) - length_of(mine)) <
             1e-12 * length_of(mine));

  const Drawing whole = test::gather_drawing(piece, MPI_COMM_WORLD);
  int           rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double distance = 0.;
  if (rank == 0)
    {
      Index i = -1; // point of the rod alone
      for (const Drawing::Cell &cell : whole.cells)
        {
          i = std::max(i - 1, -1);
          for (const Index point : cell.points)
            {
              ++i;
              distance =
                std::max(distance,
                         (whole.points[point] - mine.points[i]).norm());
              for (std::size_t f = 0; f < mine.point_fields.size(); ++f)
                distance = std::max(
                  distance,
                  (whole.point_fields[f].values.col(point) -
                   mine.point_fields[f].values.col(i))
                      .norm() /
                    (1. + mine.point_fields[f].values.cwiseAbs().maxCoeff()));
            }
        }
      if (i + 1 != static_cast<Index>(mine.points.size()))
        distance = 1e300;
    }
  BOOST_TEST(total(distance) < 1e-10);
}

BOOST_DATA_TEST_CASE(no_rank_holds_the_whole_rod, data::make(both_kinds), kind)
{
  Mesh mesh;
  mesh.pieces           = 300;
  mesh.communicator     = MPI_COMM_WORLD;
  const auto   rod      = make_rod(kind, RodBody(), mesh);
  const auto   stations = rod->local_stations(rod->initial_state());
  const double n_all    = total(static_cast<double>(stations.size()));
  double       largest  = static_cast<double>(stations.size());
  int          n_ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  BOOST_TEST(n_all == (kind == Kind::kirchhoff ? 901. : 301.));
  BOOST_TEST(largest <= n_all / n_ranks + 3.);
}

BOOST_DATA_TEST_CASE(forces_per_parameter_are_those_of_the_rod_on_one_rank,
                     data::make(both_kinds),
                     kind)
{
  const Pair   rods(kind, bodies[1].body, small_mesh(kind));
  const Vector q      = random_state(*rods.alone, 0.05, 3);
  const Vector shared = rods.to_shared(q);
  for (const Model::Parameter &p : rods.alone->parameters())
    {
      const Vector mine = rods.alone->parameter_derivative(q, p.name);
      const Vector ours = rods.to_alone(
        accumulated(rods.shared->layout(),
                    rods.shared->parameter_derivative(shared, p.name)));
      // Both are differences, with the round-off that these have.
      BOOST_TEST((ours - mine).norm() <
                 1e-8 *
                   (mine.norm() + rods.alone->gradient(q).norm() / p.scale));
    }
}

BOOST_DATA_TEST_CASE(equilibria_are_those_of_the_rod_on_one_rank,
                     data::make(both_kinds) *
                       data::make({std::string("banded"),
                                   std::string("mumps")}),
                     kind,
                     linear_solver)
{
  // Strongly bent in space, with the default stiffness against stretching; a
  // band factorised on one rank against bands that are cut into substructures,
  // and MUMPS, on several. The discrete rod's frames get new sources on the
  // way.
  RodBody body;
  body.bending_2           = 2.;
  body.twisting            = 0.6;
  body.natural_curvature_2 = 1.;
  body.end_force_direction = Vector3::UnitY();
  Mesh mesh;
  mesh.pieces  = kind == Kind::kirchhoff ? 6 : 20;
  mesh.grading = 3.;
  const Pair rods(kind, body, mesh);

  NewtonOptions options;
  options.linear_solver = linear_solver;
  EquilibriumSolver alone(*rods.alone, NewtonOptions()),
    shared(*rods.shared, options);
  Equilibrium mine = alone.solve(rods.alone->initial_state());
  Equilibrium ours = shared.solve(rods.shared->initial_state());
  // The discrete rod takes many iterations for the whole way at once.
  for (const double part : {0.1, 0.4, 1.})
    {
      const std::vector<LoadTarget> targets = {{"gravity", 30. * part},
                                               {"end force", 2. * part}};
      mine                                  = alone.load(mine.q, targets);
      ours                                  = shared.load(ours.q, targets);
    }
  BOOST_TEST(mine.converged());
  BOOST_TEST(ours.converged());
  BOOST_TEST_MESSAGE(kind << ": " << mine.iterations << " iterations alone, "
                          << ours.iterations << " shared");
  BOOST_TEST((rods.to_alone(gather(rods.shared->layout(), ours.q)) - mine.q)
               .cwiseAbs()
               .maxCoeff() < 1e-10);
  // Curvatures and stresses are differences of the unknowns over short pieces.
  const auto stations = rods.alone->stations(mine.q);
  BOOST_TEST(
    (rods.shared->stations(ours.q).back().position - stations.back().position)
      .norm() < 1e-10);
  BOOST_TEST(difference(stations, rods.shared->stations(ours.q)) < 1e-6);
  BOOST_TEST(stations.back().position.norm() < 0.95); // strongly bent indeed

  const Inertia of_mine = alone.inertia(mine.q);
  const Inertia of_ours = shared.inertia(ours.q);
  BOOST_TEST(of_mine.negative == of_ours.negative);
  BOOST_TEST(of_mine.positive == of_ours.positive);
}

BOOST_DATA_TEST_CASE(a_rod_may_have_fewer_pieces_than_there_are_ranks,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  Mesh    mesh;
  mesh.pieces     = 2;
  mesh.constraint = 1e4;
  const Pair        rods(kind, body, mesh);
  EquilibriumSolver alone(*rods.alone, NewtonOptions()),
    shared(*rods.shared, NewtonOptions());
  const Equilibrium mine =
    alone.load(rods.alone->initial_state(), {{"gravity", 2.}});
  const Equilibrium ours =
    shared.load(rods.shared->initial_state(), {{"gravity", 2.}});
  BOOST_TEST(mine.converged());
  BOOST_TEST(ours.converged());
  BOOST_TEST(difference(rods.alone->stations(mine.q),
                        rods.shared->stations(ours.q)) < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
