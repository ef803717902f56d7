// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_system_tangent_h
#define slender_solvers_system_tangent_h

#include <slender/solvers/neutral_border.h>

#include <memory>

namespace slender
{
  /**
   * The matrix of a system's second derivatives at one state, ready to be
   * applied, solved with and asked for its inertia. When the system's pattern
   * has changed, or a force without a potential has come or gone, the matrix
   * and the analysis of its factorisation are made anew; else they are kept.
   */
  class SystemTangent
  {
  public:
    /// The system has to outlive it.
    SystemTangent(const System &system, LinearSolver solver);
    ~SystemTangent();

    /// Holds the Hessian at q; collective.
    void
    hold_hessian(const Vector &q);

    /// Holds the tangent for Newton's method, see System::newton_tangent().
    void
    hold_newton_tangent(const Vector &q, const Vector &previous);

    /// From the next matrix on these motions, which cost no energy, are kept
    /// out: solutions are orthogonal to them, and inertia() counts what is (see
    /// NeutralBorder). Newton's method thereby looks for an equilibrium in one
    /// way of standing; as forces do no work on motions that cost nothing, it
    /// is one. An empty list ends that. Collective.
    void
    set_neutral_motions(std::vector<Vector> motions);

    const std::vector<Vector> &
    neutral_motions() const
    {
      return motions;
    }

    /// Without the factors of earlier matrices, which some solvers keep: what
    /// comes does not depend on what was.
    void
    forget();

    /// See Tangent.
    bool
    solve(Vec b, Vec x);

    /// Of solutions: see Tangent::set_accuracy().
    void
    set_accuracy(double relative);

    double
    accuracy() const
    {
      return the_accuracy;
    }

    /// The same for shares of vectors: of b the owned values count, x gets its
    /// ghosts.
    bool
    solve(const Vector &b, Vector &x);

    bool
    solve_transposed(const Vector &b, Vector &x);

    /// Of `columns` the owned rows.
    void
    apply(Eigen::MatrixXd &columns) const;

    bool
    solve(Eigen::MatrixXd &columns);

    bool
    solve_transposed(Vec b, Vec x);

    Inertia
    inertia();

    long
    n_factorisations() const;

    /// How often a pattern was made.
    long
    n_patterns() const
    {
      return patterns;
    }

  private:
    /// Two vectors of PETSc's, made when they are needed first.
    struct Vectors;

    Vectors &
    vectors();

    /// An empty matrix with the present pattern.
    Tangent &
    renewed(const Vector &q);

    const System            &system;
    LinearSolver             solver;
    std::unique_ptr<Tangent> tangent;
    std::unique_ptr<Vectors> kept_vectors;
    NeutralBorder            border;  ///< of the matrix that is held
    std::vector<Vector>      motions; ///< of the next one
    double                   the_accuracy    = 1e-10; ///< of solutions
    bool                     is_border_old   = false;
    unsigned long            pattern         = 0;
    bool                     is_symmetric    = true;
    long                     patterns        = 0;
    long                     of_earlier_ones = 0; ///< factorisations
  };
} // namespace slender

#endif
