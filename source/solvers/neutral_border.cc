// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/neutral_border.h>
#include <slender/solvers/petsc.h>
#include <slender/solvers/unsymmetric_inertia.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

namespace slender
{
  namespace
  {
    using petsc::Owned;

    /// About as stiff as bending is: unknowns and energies are of order one.
    constexpr double spring = 100.;

    /// Among all ranks the largest entry of a vector's owned part: who owns it,
    /// and its local number there.
    struct Largest
    {
      double value;
      int    rank;
    };
  } // namespace

  NeutralBorder::NeutralBorder(const Layout       &a_layout,
                               std::vector<Vector> motions)
    : layout(a_layout)
    , neutral(std::move(motions))
  {
    // Gram and Schmidt, twice.
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < neutral.size(); ++i)
        {
          for (std::size_t j = 0; j < i; ++j)
            neutral[i] -= dot(neutral[j], neutral[i]) * neutral[j];
          neutral[i] /= std::sqrt(dot(neutral[i], neutral[i]));
        }

    // Where to stop them: Gaussian elimination with the largest pivots.
    std::vector<Vector> rest = neutral;
    int                 rank = 0;
    MPI_Comm_rank(layout.communicator, &rank);
    for (std::size_t i = 0; i < rest.size(); ++i)
      {
        Index  at   = -1;
        double size = -1.;
        for (Index k = 0; k < layout.n_owned(); ++k)
          if (std::abs(rest[i](k)) > size)
            {
              size = std::abs(rest[i](k));
              at   = k;
            }
        Largest largest{size, rank};
        MPI_Allreduce(MPI_IN_PLACE,
                      &largest,
                      1,
                      MPI_DOUBLE_INT,
                      MPI_MAXLOC,
                      layout.communicator);
        stopped.push_back(largest.rank == rank ? at : -1);
        std::vector<double> row(rest.size());
        for (std::size_t j = 0; j < rest.size(); ++j)
          row[j] =
            sum_over_ranks(layout, stopped[i] >= 0 ? rest[j](stopped[i]) : 0.);
        for (std::size_t j = i + 1; j < rest.size(); ++j)
          rest[j] -= row[j] / row[i] * rest[i];
      }

    columns = neutral;
    for (const Index k : stopped)
      {
        columns.emplace_back(Vector::Zero(layout.n_local()));
        if (k >= 0)
          columns.back()(k) = 1.;
      }
  }

  double
  NeutralBorder::dot(const Vector &a, const Vector &b) const
  {
    const Index n = layout.n_owned();
    return sum_over_ranks(layout, a.head(n).dot(b.head(n)));
  }

  void
  NeutralBorder::stop(Tangent &matrix, const bool its_symmetry)
  {
    is_symmetric      = its_symmetry;
    forwards.is_there = backwards.is_there = false;
    for (const Index k : stopped)
      if (k >= 0)
        matrix.add(&k, 1, &spring);
  }

  bool
  NeutralBorder::prepare(Tangent     &matrix,
                         Elimination &elimination,
                         const bool   transposed)
  {
    if (elimination.is_there)
      return true;
    Owned<Vec, VecDestroy> b, x;
    *&b                         = petsc::create_vector(layout);
    *&x                         = petsc::create_vector(layout);
    std::vector<Vector> &images = elimination.images;
    images.clear();
    for (const Vector &column : columns)
      {
        petsc::set_values(b, column);
        if (!(transposed ? matrix.solve_transposed(b, x) : matrix.solve(b, x)))
          return false;
        images.push_back(petsc::local_values(x));
      }
    const auto       m          = static_cast<Index>(columns.size());
    Eigen::MatrixXd &complement = elimination.complement;
    complement.resize(m, m);
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j)
        {
          const double ij = dot(columns[i], images[j]);
          complement(i, j) =
            (i == j && i >= m / 2 ? 1. / spring : 0.) -
            (is_symmetric ? 0.5 * (ij + dot(columns[j], images[i])) : ij);
        }
    elimination.is_there = complement.allFinite();
    return elimination.is_there;
  }

  bool
  NeutralBorder::solve(Tangent     &matrix,
                       Elimination &elimination,
                       const bool   transposed,
                       Vec          b,
                       Vec          x)
  {
    if (!prepare(matrix, elimination, transposed) ||
        !(transposed ? matrix.solve_transposed(b, x) : matrix.solve(b, x)))
      return false;
    // C^T x + D u = 0 with x = A^-1 (b - C u).
    Vector     solution = petsc::local_values(x);
    const auto m        = static_cast<Index>(columns.size());
    Vector     along(m);
    for (Index i = 0; i < m; ++i)
      along(i) = dot(columns[i], solution);
    const Vector u = -elimination.complement.fullPivLu().solve(along);
    for (Index i = 0; i < m; ++i)
      solution -= u(i) * elimination.images[i];
    // Digits that were lost against the motions themselves.
    for (const Vector &motion : neutral)
      solution -= dot(motion, solution) * motion;
    petsc::set_values(x, solution);
    return std::isfinite(dot(solution, solution));
  }

  bool
  NeutralBorder::solve(Tangent &matrix, Vec b, Vec x)
  {
    return solve(matrix, forwards, false, b, x);
  }

  bool
  NeutralBorder::solve_transposed(Tangent &matrix, Vec b, Vec x)
  {
    return solve(matrix, backwards, true, b, x);
  }

  Inertia
  NeutralBorder::inertia(Tangent &matrix)
  {
    const auto k = static_cast<Index>(neutral.size());
    if (!is_symmetric)
      {
        if (!prepare(matrix, forwards, false))
          return {0, layout.size, 0};
        // Of J between the motions; they themselves have no inverse, and are
        // not found.
        Inertia result = unsymmetric_inertia(
          layout, [&](Vec b, Vec x) { return solve(matrix, b, x); }, 0);
        result.zero += k;
        result.positive -= k;
        return result;
      }
    Inertia result = matrix.inertia();
    if (result.negative + result.positive < layout.size ||
        !prepare(matrix, forwards, false))
      return {0, layout.size, 0};
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      forwards.complement, Eigen::EigenvaluesOnly);
    result.negative +=
      static_cast<Index>((eigen.eigenvalues().array() < 0.).count()) - k;
    result.zero     = k;
    result.positive = layout.size - k - result.negative;
    return result;
  }
} // namespace slender
