// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_bordered_tangent_h
#define slender_solvers_bordered_tangent_h

#include <slender/solvers/ghosts.h>
#include <slender/solvers/system_tangent.h>

namespace slender
{
  /**
   * Solves with the symmetric matrix J that a tangent holds and with borders W,
   *
   *   | J   W | |X|   |F|
   *   | W^T 0 | |Y| = |G|
   *
   * for several right-hand sides at once. If the borders reach the null space
   * of J, the bordered matrix is regular where J is singular, which is where
   * bifurcations are.
   *
   * By mixed block elimination (Govaerts 1991), which needs solves with J alone
   * and loses no digits where that is singular to round-off. With
   *
   *   J V + W S = 0,  W^T V = 1   (so that S = -V^T J V)
   *
   * the unknowns of the border are Y = V^T F + S G; what is left of F,
   * F - W Y, is orthogonal to the null space but for round-off, and what
   * round-off does add to the solution Z of J Z = F - W Y is along V and is
   * taken away: X = Z + V (G - W^T Z).
   */
  class BorderedTangent
  {
  public:
    /// Both have to outlive it.
    BorderedTangent(const System &system, SystemTangent &tangent);

    /// To be called whenever the tangent holds another matrix. The columns are
    /// orthonormal. False if J cannot be factorised at all. For iterations that
    /// see their own errors V and S need not be refined.
    bool
    set_borders(const Eigen::MatrixXd &W, bool are_refined = true);

    /// V: the solutions of the bordered system for (0, 1).
    const Eigen::MatrixXd &
    vectors() const
    {
      return V;
    }

    /// S: minus J, reduced to V.
    const Eigen::MatrixXd &
    reduced() const
    {
      return S;
    }

    /// How many eigenvalues of S are negative, as the factorisation has it: it
    /// may give the wrong sign to one that vanishes, but the same to that of J.
    Index
    n_negative_reduced() const
    {
      return n_negative;
    }

    /// F becomes X and G becomes Y, column by column. F with n_local() rows,
    /// with valid ghosts afterwards. False, on all ranks alike, if something
    /// is not a number.
    bool
    solve(Eigen::MatrixXd &F, Eigen::MatrixXd &G) const;

  private:
    /// V and S by adding one border after the other, each to a matrix that
    /// those before it have made regular: where J is singular to round-off, all
    /// at once would lose what is regular beside what is not.
    bool
    set_one_by_one(const Eigen::MatrixXd &borders);

    bool
    solve_once(Eigen::MatrixXd &F, Eigen::MatrixXd &G) const;

    /// Columns with J: owned values, then ghosts.
    bool
    solve_inner(Eigen::MatrixXd &columns) const;

    const System   &system;
    SystemTangent  &tangent;
    Exchange        exchange;
    Eigen::MatrixXd W, V, S;
    Index           n_negative    = 0;     ///< see n_negative_reduced()
    bool            is_inaccurate = false; ///< without refinement
  };
} // namespace slender

#endif
