// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_petsc_h
#define slender_solvers_petsc_h

#include <slender/base/layout.h>
#include <slender/base/types.h>

#include <petscksp.h>

// For source files of the statics layer only: PETSc's headers are heavy.
namespace slender::petsc
{
  /// Turns an error of PETSc into an exception with PETSc's own words. Ordinary
  /// failures, such as a singular matrix, are no errors of PETSc.
  void
  check(PetscErrorCode code);

  /// Errors are reported through check() alone, not by pages of text.
  void
  silence_error_messages();

  /// Makes a linear solver a symmetric factorisation with MUMPS, whose inertia
  /// can be asked for on any number of ranks.
  void
  choose_symmetric_mumps(KSP solver);

  /// Makes a linear solver a factorisation with MUMPS of a matrix that is not
  /// symmetric.
  void
  choose_unsymmetric_mumps(KSP solver);

  constexpr PetscInt most_iterations = 1000;

  /// Makes a linear solver GMRES, with the preconditioner that it has.
  void
  choose_gmres(KSP solver);

  /// How far iterations go unless somebody asks for less.
  constexpr double usual_accuracy = 1e-10;

  void
  limit_iterations(KSP solver, PetscInt most, double accuracy);

  /// Gives a linear solver an additive Schwarz preconditioner: each rank
  /// factorises its own part of the matrix and two layers around it.
  void
  choose_schwarz(KSP solver, bool is_symmetric);

  /// An owned PETSc object.
  template <class Handle, PetscErrorCode (*destroy)(Handle *)>
  class Owned
  {
  public:
    Owned() = default;
    ~Owned()
    {
      destroy(&handle);
    }
    Owned(const Owned &) = delete;
    Owned &
    operator=(const Owned &) = delete;

    operator Handle() const
    {
      return handle;
    }
    Handle *
    operator&()
    {
      return &handle;
    }

  private:
    Handle handle = nullptr;
  };

  /// A vector with the ghosts of a layout.
  inline Vec
  create_vector(const Layout &layout)
  {
    Vec v = nullptr;
    check(VecCreateGhost(layout.communicator,
                         layout.n_owned(),
                         layout.size,
                         static_cast<PetscInt>(layout.ghosts.size()),
                         layout.ghosts.data(),
                         &v));
    return v;
  }

  /// This rank's share, with ghosts brought up to date.
  Vector
  local_values(Vec v);

  /// The owned part of `values` becomes this rank's part of v.
  void
  set_values(Vec v, const Vector &values);

  /// As set_values, but what stands at ghosts is added to their owners.
  void
  set_and_accumulate(Vec v, const Vector &values);
} // namespace slender::petsc

#endif
