// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/system_tangent.h>

#include <utility>

namespace slender
{
  struct SystemTangent::Vectors
  {
    petsc::Owned<Vec, VecDestroy> b, x;
  };

  SystemTangent::SystemTangent(const System      &the_system,
                               const LinearSolver the_solver)
    : system(the_system)
    , solver(the_solver)
    , border(system.layout(), {})
  {}

  SystemTangent::~SystemTangent() = default;

  SystemTangent::Vectors &
  SystemTangent::vectors()
  {
    if (!kept_vectors)
      {
        kept_vectors      = std::make_unique<Vectors>();
        *&kept_vectors->b = petsc::create_vector(system.layout());
        *&kept_vectors->x = petsc::create_vector(system.layout());
      }
    return *kept_vectors;
  }

  Tangent &
  SystemTangent::renewed(const Vector &q)
  {
    const bool has_potential = system.has_potential();
    if (!tangent || system.pattern() != pattern ||
        has_potential != is_symmetric)
      {
        of_earlier_ones = n_factorisations();
        tangent.reset(); // before the next one needs the memory
        tangent = make_tangent(system, q, solver);
        tangent->set_accuracy(the_accuracy);
        pattern      = system.pattern();
        is_symmetric = has_potential;
        ++patterns;
      }
    tangent->clear();
    if (std::exchange(is_border_old, false))
      border = NeutralBorder(system.layout(), motions);
    return *tangent;
  }

  void
  SystemTangent::hold_hessian(const Vector &q)
  {
    Tangent &matrix = renewed(q);
    system.hessian(q, matrix);
    border.stop(matrix, is_symmetric);
    matrix.finish();
  }

  void
  SystemTangent::hold_newton_tangent(const Vector &q, const Vector &previous)
  {
    Tangent &matrix = renewed(q);
    system.newton_tangent(q, previous, matrix);
    border.stop(matrix, is_symmetric);
    matrix.finish();
  }

  void
  SystemTangent::set_neutral_motions(std::vector<Vector> new_motions)
  {
    motions       = std::move(new_motions);
    is_border_old = true;
  }

  void
  SystemTangent::forget()
  {
    if (solver != LinearSolver::lagged_mumps && solver != LinearSolver::schwarz)
      return;
    of_earlier_ones = n_factorisations();
    tangent.reset();
  }

  void
  SystemTangent::set_accuracy(const double relative)
  {
    the_accuracy = relative;
    if (tangent)
      tangent->set_accuracy(relative);
  }

  bool
  SystemTangent::solve(Vec b, Vec x)
  {
    return border.motions().empty() ? tangent->solve(b, x)
                                    : border.solve(*tangent, b, x);
  }

  bool
  SystemTangent::solve(const Vector &b, Vector &x)
  {
    Vectors &kept = vectors();
    petsc::set_values(kept.b, b);
    if (!solve(kept.b, kept.x))
      return false;
    x = petsc::local_values(kept.x);
    return true;
  }

  bool
  SystemTangent::solve_transposed(const Vector &b, Vector &x)
  {
    Vectors &kept = vectors();
    petsc::set_values(kept.b, b);
    if (!solve_transposed(kept.b, kept.x))
      return false;
    x = petsc::local_values(kept.x);
    return true;
  }

  void
  SystemTangent::apply(Eigen::MatrixXd &columns) const
  {
    tangent->apply(columns.topRows(system.layout().n_owned()));
  }

  bool
  SystemTangent::solve(Eigen::MatrixXd &columns)
  {
    return tangent->solve(columns.topRows(system.layout().n_owned()));
  }

  bool
  SystemTangent::solve_transposed(Vec b, Vec x)
  {
    if (is_symmetric)
      return solve(b, x);
    return border.motions().empty() ? tangent->solve_transposed(b, x)
                                    : border.solve_transposed(*tangent, b, x);
  }

  Inertia
  SystemTangent::inertia()
  {
    return border.motions().empty() ? tangent->inertia()
                                    : border.inertia(*tangent);
  }

  long
  SystemTangent::n_factorisations() const
  {
    return of_earlier_ones + (tangent ? tangent->n_factorisations() : 0);
  }
} // namespace slender
