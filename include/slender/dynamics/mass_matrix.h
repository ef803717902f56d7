// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_mass_matrix_h
#define slender_dynamics_mass_matrix_h

#include <slender/solvers/ghosts.h>
#include <slender/solvers/tangent.h>
#include <slender/systems/kinetics.h>

#include <memory>

namespace slender
{
  /**
   * The mass matrix M(q) of a system, to be solved with. Unknowns without any
   * mass (the frames of a rod without rotary inertia, multipliers) are left
   * out: they get no rate.
   */
  class MassMatrix
  {
  public:
    MassMatrix(const System   &system,
               const Kinetics &inertia,
               LinearSolver    solver);
    ~MassMatrix();

    /// Becomes the matrix at q; collective.
    void
    hold(const Vector &q);

    /// The x with M x = b, whose ghosts are still to be added to their owners;
    /// with valid ghosts itself. Throws std::runtime_error where that cannot be
    /// had.
    Vector
    solve(const Vector &b);

    /// The unknowns' rates with which coordinates move as nearly as they can
    /// as is wanted: the least sum m |(dy/dq) x - rates|^2.
    Vector
    projected(const Vector &q, const Vector &rates);

    /// Its diagonal, with valid ghosts; and whether there is nothing else.
    const Vector &
    diagonal() const
    {
      return the_diagonal;
    }

    bool
    is_diagonal() const
    {
      return has_diagonal_only;
    }

    /// Whether every unknown has mass.
    bool
    is_definite() const;

  private:
    struct Vectors;

    const System            &system;
    const Kinetics          &inertia;
    LinearSolver             solver;
    Exchange                 exchange;
    std::unique_ptr<Vectors> vectors;
    std::unique_ptr<Tangent> matrix;
    unsigned long            pattern = 0;
    Vector                   the_diagonal;
    bool                     has_diagonal_only = false;
  };
} // namespace slender

#endif
