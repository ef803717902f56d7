// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/linear_buckling.h>
#include <slender/statics/petsc.h>
#include <slender/statics/tangent.h>

#include <slepceps.h>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    /// u with K u = - d2E/dq dp.
    Vector
    linear_response(Model             &model,
                    const Vector      &q,
                    const std::string &load,
                    Mat                stiffness)
    {
      Owned<Vec, VecDestroy> force, response;
      *&force    = petsc::create_vector(model.layout());
      *&response = petsc::create_vector(model.layout());
      petsc::set_and_accumulate(force, -model.parameter_derivative(q, load));
      Owned<KSP, KSPDestroy> solver;
      check(KSPCreate(model.layout().communicator, &solver));
      check(KSPSetOperators(solver, stiffness, stiffness));
      petsc::choose_symmetric_mumps(solver);
      check(KSPSolve(solver, force, response));
      return petsc::local_values(response);
    }
  } // namespace

  std::vector<BucklingMode>
  buckling_modes(Model             &model,
                 const Vector      &q,
                 const std::string &load,
                 const double       load_scale,
                 const int          n)
  {
    Owned<Mat, MatDestroy> stiffness, geometric, other;
    *&stiffness    = make_petsc_hessian(model, q);
    const Vector u = load_scale * linear_response(model, q, load, stiffness);

    // - K_g, so that wanted are the largest x in  - K_g v = x K v:  one over
    // the loads. Large loads, at which stiff strains buckle, are small x.
    *&geometric = make_petsc_hessian(model, q - u);
    *&other     = make_petsc_hessian(model, q + u);
    check(MatAXPY(geometric, -1., other, SAME_NONZERO_PATTERN));
    check(MatScale(geometric, 0.5 / load_scale));

    Owned<EPS, EPSDestroy> eps;
    check(EPSCreate(model.layout().communicator, &eps));
    check(EPSSetOperators(eps, geometric, stiffness));
    check(EPSSetProblemType(eps, EPS_GHEP));
    check(EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT));
    check(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
    check(EPSSetTolerances(eps, 1e-12, 1000));
    // The same start for every number of ranks.
    Owned<Vec, VecDestroy> start;
    *&start = petsc::create_vector(model.layout());
    check(VecSet(start, 1.));
    check(EPSSetInitialSpace(eps, 1, &start));
    ST  st;
    KSP solver;
    check(EPSGetST(eps, &st));
    check(STGetKSP(st, &solver));
    petsc::choose_symmetric_mumps(solver);
    check(EPSSolve(eps));

    PetscInt n_converged = 0;
    check(EPSGetConverged(eps, &n_converged));
    std::vector<BucklingMode> modes;
    Owned<Vec, VecDestroy>    mode;
    *&mode = petsc::create_vector(model.layout());
    for (PetscInt i = 0; i < std::min<PetscInt>(n, n_converged); ++i)
      {
        PetscScalar value;
        check(EPSGetEigenpair(eps, i, &value, nullptr, mode, nullptr));
        if (value > 0.)
          modes.push_back({1. / value, petsc::local_values(mode)});
      }
    return modes;
  }
} // namespace slender
