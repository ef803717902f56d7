// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_neutral_border_h
#define slender_solvers_neutral_border_h

#include <slender/solvers/tangent.h>

#include <optional>
#include <vector>

namespace slender
{
  /**
   * Takes motions N that cost no energy, J N = 0, out of a matrix J: what is
   * solved with, and whose signs are counted, is
   *
   *   | J   N |
   *   | N^T 0 | .
   *
   * J itself is singular, and its pivots along N are round-off. Factorised is
   * therefore A = J + s E E^T, with a spring s on one unknown for each of the
   * motions, chosen where the motions are large: N is stopped as if a finger
   * were laid on it, and the pattern stays as it is. As
   *
   *   | A   N  E   |
   *   | N^T 0  0   |
   *   | E^T 0  1/s |
   *
   * becomes the matrix above (and 1/s) when the last row is eliminated, one
   * solution with A and a small matrix give the solution, and the inertia is
   * that of A and of the small matrix together, less one sign of either kind
   * for each motion (Haynsworth). Both hold exactly, whether J N vanishes or
   * not: the motions may be those of a state near by. Without symmetry the
   * solution is the same, and instead of signs eigenvalues are counted.
   */
  class NeutralBorder
  {
  public:
    /// The motions are linearly independent; collective.
    NeutralBorder(const Layout &layout, std::vector<Vector> motions);

    /// Orthonormal.
    const std::vector<Vector> &
    motions() const
    {
      return neutral;
    }

    /// Adds the springs to a matrix J that is being filled.
    void
    stop(Tangent &matrix, bool is_symmetric);

    /// The solution x of the bordered system with the right hand side (b, 0).
    bool
    solve(Tangent &matrix, Vec b, Vec x);

    /// The same with the transpose of J, for a matrix that is not symmetric.
    bool
    solve_transposed(Tangent &matrix, Vec b, Vec x);

    /// Signs of J where it is restricted to what is orthogonal to the motions,
    /// which themselves are counted as zero.
    Inertia
    inertia(Tangent &matrix);

  private:
    double
    dot(const Vector &a, const Vector &b) const;

    /// A^-1 C and S = D - C^T A^-1 C with C = (N, E) and D = (0, 1/s); with A
    /// or its transpose.
    struct Elimination
    {
      bool                is_there = false;
      std::vector<Vector> images;
      Eigen::MatrixXd     complement;
    };

    /// Once for each matrix; false if it cannot be.
    bool
    prepare(Tangent &matrix, Elimination &elimination, bool transposed);

    bool
    solve(Tangent     &matrix,
          Elimination &elimination,
          bool         transposed,
          Vec          b,
          Vec          x);

    Layout              layout;
    std::vector<Vector> neutral;
    std::vector<Index>  stopped; ///< local number where owned, else -1

    std::vector<Vector> columns;             ///< C
    bool                is_symmetric = true; ///< J
    Elimination         forwards, backwards;
  };
} // namespace slender

#endif
