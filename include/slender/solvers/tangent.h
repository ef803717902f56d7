// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_tangent_h
#define slender_solvers_tangent_h

#include <slender/systems/system.h>

#include <memory>

// PETSc's handles, without its headers.
using Vec = struct _p_Vec *;
using Mat = struct _p_Mat *;

namespace slender
{
  /// How many eigenvalues of a symmetric matrix have which sign. Of one that
  /// is not symmetric: how many are real and negative, and all others; "zero"
  /// are those of which that could not be told.
  struct Inertia
  {
    Index negative = 0;
    Index zero     = 0;
    Index positive = 0;
  };

  /**
   * A matrix of a system that can be filled, applied and factorised: the sink
   * of its Hessian, and what Newton's method solves with. It is symmetric if
   * the system has a potential. The pattern is fixed when it is made; a
   * factorisation is renewed when it is needed.
   */
  class Tangent : public HessianSink
  {
  public:
    /// Forgets all entries; the pattern stays.
    virtual void
    clear() = 0;

    /// To be called when all blocks were added.
    virtual void
    finish() = 0;

    virtual void
    apply(Vec x, Vec y) const = 0;

    /// The same for several vectors: columns of owned values, which become the
    /// products.
    virtual void
    apply(Eigen::Ref<Eigen::MatrixXd> columns) const = 0;

    /// Solves A x = b; false if the matrix is singular to working precision
    /// or holds something that is not a number.
    virtual bool
    solve(Vec b, Vec x) = 0;

    /// How large the relative error of what solve() finds may be from now on.
    /// Iterative solvers stop there; a factorisation is exact.
    virtual void
    set_accuracy(double /*relative*/)
    {}

    /// The same for several right-hand sides at once: columns of owned values,
    /// which become the solutions. Without refinement: for iterations that
    /// see their own errors, and because residuals of the huge solutions with
    /// a nearly singular matrix would be nothing but round-off.
    virtual bool
    solve(Eigen::Ref<Eigen::MatrixXd> columns) = 0;

    /// The same with the transpose of A, which most matrices are themselves.
    virtual bool
    solve_transposed(Vec b, Vec x)
    {
      return solve(b, x);
    }

    /// Counts the signs of the pivots of a symmetric factorisation; without
    /// symmetry, eigenvalues (see unsymmetric_inertia()). Collective.
    virtual Inertia
    inertia() = 0;

    /// How many numerical factorisations were made.
    virtual long
    n_factorisations() const = 0;
  };

  enum class LinearSolver
  {
    automatic,     ///< banded for a curve with a narrow band, CHOLMOD for
                   ///< curves that touch, else MUMPS
    banded,        ///< own banded L D L^T, any number of ranks; without
                   ///< symmetry a banded L U, on one rank
    mumps,         ///< PETSc with MUMPS, any number of ranks
    mumps_on_disk, ///< the same, with the factors in files
    lagged_mumps,  ///< iterative, with the factorisation of an earlier tangent
    schwarz,       ///< iterative, with a factorisation on each rank
    cholmod        ///< sparse L D L^T, on one rank, with a potential
  };

  /// A tangent with the pattern that the system shows at `q`.
  std::unique_ptr<Tangent>
  make_tangent(const System &system, const Vector &q, LinearSolver solver);

  /// A PETSc matrix with the system's Hessian at `q`; the caller destroys it.
  Mat
  make_petsc_hessian(const System &system, const Vector &q);
} // namespace slender

#endif
