// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_single_factor_h
#define slender_solvers_single_factor_h

#include <memory>

// PETSc's handles, without its headers.
using Vec = struct _p_Vec *;
using Mat = struct _p_Mat *;

namespace slender
{
  /**
   * A factorisation L D L^T of a symmetric matrix in single precision and
   * without pivoting, by MUMPS, on any number of ranks: a preconditioner that
   * takes half the time and half the memory of factors in double precision.
   * Where a matrix is not positive definite, it says so. The factors may be of
   * no use where the condition number is above some 10^6: whoever iterates with
   * them notices.
   */
  class SingleFactor
  {
  public:
    SingleFactor();
    ~SingleFactor();
    SingleFactor(const SingleFactor &) = delete;
    SingleFactor &
    operator=(const SingleFactor &) = delete;

    /// False if there is a pivot that is not positive, or no memory. The
    /// pattern of the matrix must be the same each time. Collective.
    bool
    factorise(Mat matrix);

    /// Solves with the last factors. Collective.
    void
    solve(Vec b, Vec x);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif
