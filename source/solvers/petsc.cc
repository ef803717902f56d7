// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>

#include <stdexcept>
#include <string>

namespace slender::petsc
{
  void
  check(const PetscErrorCode code)
  {
    if (code == 0)
      return;
    const char *general  = nullptr;
    char       *specific = nullptr;
    PetscErrorMessage(code, &general, &specific);
    throw std::runtime_error(
      std::string("PETSc: ") + (general ? general : "unknown error") +
      (specific && *specific ? std::string(": ") + specific : ""));
  }

  void
  silence_error_messages()
  {
    check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  }

  namespace
  {
    void
    choose_mumps(KSP solver, const PCType factorisation)
    {
      PC pc;
      check(KSPSetType(solver, KSPPREONLY));
      check(KSPSetErrorIfNotConverged(solver, PETSC_FALSE));
      check(KSPGetPC(solver, &pc));
      check(PCSetType(pc, factorisation));
      check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    }
  } // namespace

  void
  choose_unsymmetric_mumps(KSP solver)
  {
    choose_mumps(solver, PCLU);
  }

  void
  choose_symmetric_mumps(KSP solver)
  {
    choose_mumps(solver, PCCHOLESKY);
    // MUMPS counts the pivots of the root front only if ScaLAPACK is kept away
    // from it; the factor does not exist yet, so this has to be an option.
    const char *prefix = nullptr;
    check(KSPGetOptionsPrefix(solver, &prefix));
    check(PetscOptionsSetValue(nullptr,
                               (std::string("-") + (prefix ? prefix : "") +
                                "mat_mumps_icntl_13")
                                 .c_str(),
                               "1"));
  }

  void
  choose_gmres(KSP solver)
  {
    // Not conjugate gradients: beyond a bifurcation the matrix is indefinite.
    constexpr PetscInt restart = 200;
    check(KSPSetType(solver, KSPGMRES));
    check(KSPGMRESSetRestart(solver, restart));
    // Without it, stiff bodies stagnate above the tolerance.
    check(KSPGMRESSetCGSRefinementType(solver, KSP_GMRES_CGS_REFINE_IFNEEDED));
    limit_iterations(solver, most_iterations, usual_accuracy);
  }

  void
  limit_iterations(KSP solver, const PetscInt most, const double accuracy)
  {
    check(
      KSPSetTolerances(solver, accuracy, PETSC_DEFAULT, PETSC_DEFAULT, most));
  }

  void
  choose_schwarz(KSP solver, const bool is_symmetric)
  {
    PC pc;
    check(KSPGetPC(solver, &pc));
    check(PCSetType(pc, PCASM));
    check(PCASMSetOverlap(pc, 2));
    const char *prefix = nullptr;
    check(KSPGetOptionsPrefix(solver, &prefix));
    const std::string start =
      std::string("-") + (prefix ? prefix : "") + "sub_";
    check(PetscOptionsSetValue(nullptr,
                               (start + "pc_type").c_str(),
                               is_symmetric ? "cholesky" : "lu"));
    check(PetscOptionsSetValue(nullptr,
                               (start + "pc_factor_mat_solver_type").c_str(),
                               "mumps"));
    check(KSPSetFromOptions(solver));
  }

  namespace
  {
    /// Access to [owned | ghosts] of a ghosted vector for as long as it lives.
    class LocalForm
    {
    public:
      explicit LocalForm(Vec v)
        : global(v)
      {
        check(VecGhostGetLocalForm(global, &local));
        check(VecGetLocalSize(local, &size));
        check(VecGetArray(local, &values));
      }

      ~LocalForm()
      {
        VecRestoreArray(local, &values);
        VecGhostRestoreLocalForm(global, &local);
      }

      LocalForm(const LocalForm &) = delete;
      LocalForm &
      operator=(const LocalForm &) = delete;

      Eigen::Map<Vector>
      map()
      {
        return {values, size};
      }

    private:
      Vec          global;
      Vec          local  = nullptr;
      PetscScalar *values = nullptr;
      PetscInt     size   = 0;
    };
  } // namespace

  Vector
  local_values(Vec v)
  {
    check(VecGhostUpdateBegin(v, INSERT_VALUES, SCATTER_FORWARD));
    check(VecGhostUpdateEnd(v, INSERT_VALUES, SCATTER_FORWARD));
    return LocalForm(v).map();
  }

  void
  set_values(Vec v, const Vector &values)
  {
    LocalForm(v).map() = values;
  }

  void
  set_and_accumulate(Vec v, const Vector &values)
  {
    set_values(v, values);
    check(VecGhostUpdateBegin(v, ADD_VALUES, SCATTER_REVERSE));
    check(VecGhostUpdateEnd(v, ADD_VALUES, SCATTER_REVERSE));
  }
} // namespace slender::petsc
