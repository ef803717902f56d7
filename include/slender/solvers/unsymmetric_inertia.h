// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_unsymmetric_inertia_h
#define slender_solvers_unsymmetric_inertia_h

#include <slender/solvers/tangent.h>

#include <complex>
#include <functional>
#include <vector>

namespace slender
{
  /// Solves with a matrix, K x = b; false if that fails.
  using LinearSolution = std::function<bool(Vec b, Vec x)>;

  /// Multiplies with a matrix, y = M x.
  using LinearOperator = std::function<void(Vec x, Vec y)>;

  /// An eigenvalue of K x = lambda M x with its eigenvector of unit length,
  /// this rank's share with ghosts. Of a complex pair there is one, with the
  /// positive imaginary part.
  struct ComplexEigenpair
  {
    std::complex<double> value;
    Vector               real, imaginary;
  };

  /**
   * Eigenpairs of K x = lambda M x nearest to zero, ascending in magnitude
   * (SLEPc, Krylov and Schur's method with K^-1 M); fewer if not all converged.
   * Neither matrix has to be symmetric, and M may be singular: what has no mass
   * has no eigenvalue. Without M it is the unit matrix.
   *
   * @param n how many eigenvalues; a complex pair counts twice
   */
  std::vector<ComplexEigenpair>
  eigenpairs_nearest_zero(const Layout         &layout,
                          const LinearSolution &solve,
                          const LinearOperator &mass,
                          int                   n);

  /**
   * How many eigenvalues of a matrix that is not symmetric are real and
   * negative: each of them has passed through zero, where the system could
   * diverge. Those nearest to zero are looked at, more and more of them until
   * the count is odd if and only if the determinant is negative, and until some
   * are found that are not negative.
   *
   * @param sign_of_determinant 0 if it is not known
   */
  Inertia
  unsymmetric_inertia(const Layout         &layout,
                      const LinearSolution &solve,
                      int                   sign_of_determinant);
} // namespace slender

#endif
