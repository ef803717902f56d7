// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/spectral.h>
#include <slender/solvers/tangent.h>
#include <slender/statics/stability.h>

#include <slepceps.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;
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
        spectral::factorise_with_mumps(eps);
        check(EPSSetUp(eps));
        // The eigenvalues nearest to the shift are the lowest ones only if
        // none is below it.
        if (spectral::n_below_shift(eps) > 0)
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
            const Vector values = petsc::local_values(mode);
            pairs.push_back({value, orientation(system, values) * values});
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
