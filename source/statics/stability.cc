// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/tangent.h>
#include <slender/statics/stability.h>

#include <slepceps.h>

#include <algorithm>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    /// How many eigenvalues lie below the shift of a spectral transformation,
    /// from the signs of its pivots.
    PetscInt
    n_below_shift(EPS eps)
    {
      ST  st;
      KSP ksp;
      PC  pc;
      Mat factor;
      check(EPSGetST(eps, &st));
      check(STGetKSP(st, &ksp));
      check(KSPGetPC(ksp, &pc));
      check(PCFactorGetMatrix(pc, &factor));
      PetscInt negative;
      check(MatGetInertia(factor, &negative, nullptr, nullptr));
      return negative;
    }

    void
    factorise_with_mumps(EPS eps)
    {
      ST  st;
      KSP ksp;
      check(EPSGetST(eps, &st));
      check(STSetType(st, STSINVERT));
      check(STGetKSP(st, &ksp));
      petsc::choose_symmetric_mumps(ksp);
    }
  } // namespace

  std::vector<Eigenpair>
  lowest_eigenpairs(const System &system, const Vector &q, const int n)
  {
    // Well below anything that a slender body at equilibrium has; lowered by
    // factors of ten where that is not enough.
    constexpr double first_shift = -1., last_shift = -1e12;

    Owned<Mat, MatDestroy> hessian;
    *&hessian = make_petsc_hessian(system, q);

    for (double shift = first_shift; shift >= last_shift; shift *= 10.)
      {
        Owned<EPS, EPSDestroy> eps;
        check(EPSCreate(system.layout().communicator, &eps));
        check(EPSSetOperators(eps, hessian, nullptr));
        check(EPSSetProblemType(eps, EPS_HEP));
        check(EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT));
        check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
        check(EPSSetTarget(eps, shift));
        factorise_with_mumps(eps);
        check(EPSSetUp(eps));
        // The eigenvalues nearest to the shift are the lowest ones only if
        // none is below it.
        if (n_below_shift(eps) > 0)
          continue;

        check(EPSSolve(eps));
        PetscInt n_converged = 0;
        check(EPSGetConverged(eps, &n_converged));
        std::vector<Eigenpair> pairs;
        Owned<Vec, VecDestroy> mode;
        *&mode = petsc::create_vector(system.layout());
        for (PetscInt i = 0; i < std::min<PetscInt>(n, n_converged); ++i)
          {
            PetscScalar value;
            check(EPSGetEigenpair(eps, i, &value, nullptr, mode, nullptr));
            pairs.push_back({value, petsc::local_values(mode)});
          }
        std::sort(pairs.begin(),
                  pairs.end(),
                  [](const Eigenpair &a, const Eigenpair &b) {
                    return a.value < b.value;
                  });
        return pairs;
      }
    return {};
  }
} // namespace slender
