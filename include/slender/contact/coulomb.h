// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_coulomb_h
#define slender_contact_coulomb_h

#include <slender/base/types.h>

#include <vector>

namespace slender
{
  /**
   * Forces between points and obstacles that obey Signorini and Coulomb. With
   * three numbers for each contact, the one along the normal first,
   *
   *   u = W r + b
   *
   * are gap and slip under forces r, and for each contact
   *
   *   0 <= u_n, r_n >= 0, u_n r_n = 0,
   *   |r_t| <= mu r_n;  u_t = 0 or r_t = -mu r_n u_t/|u_t|.
   *
   * W (the operator of Delassus) need not be definite: a column beyond its
   * buckling load is held by its contacts alone.
   */
  struct CoulombProblem
  {
    Eigen::MatrixXd     W;
    Vector              b;
    std::vector<double> friction; ///< mu of each contact

    Index
    n_contacts() const
    {
      return static_cast<Index>(friction.size());
    }
  };

  enum class ContactState
  {
    open,
    stick,
    slip
  };

  struct CoulombSolution
  {
    Vector                    r;
    std::vector<ContactState> states;
    double                    residual   = 0.; ///< see below
    int                       iterations = 0;
    bool                      converged  = false;
  };

  /**
   * By Newton's method for Alart's and Curnier's equations, and where that does
   * not converge, or contacts are many, by the nonsmooth Gauss-Seidel method of
   * Siconos.
   *
   * @param guess of the forces
   * @param tolerance of the largest entry of r - P(r - u/w), in units of the
   *   largest force, with the projection P on the cylinder of radius mu r_n and
   *   the size w of the contact's block of W
   */
  CoulombSolution
  solve_coulomb(const CoulombProblem &problem,
                const Vector         &guess,
                double                tolerance = 1e-12);

  // The two methods.

  CoulombSolution
  solve_by_newton(const CoulombProblem &problem,
                  const Vector         &guess,
                  double                tolerance);

  CoulombSolution
  solve_by_gauss_seidel(const CoulombProblem &problem,
                        const Vector         &guess,
                        double                tolerance);

  /// Of a trial, see above.
  double
  coulomb_residual(const CoulombProblem &problem, const Vector &r);
} // namespace slender

#endif
