// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/tangent.h>
#include <slender/statics/linear_buckling.h>

#include <slepceps.h>

#include <algorithm>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    /// The sum over all ranks of a . b, where b is still to be accumulated.
    double
    product(const Layout &layout, const Vector &a, const Vector &b)
    {
      return sum_over_ranks(layout, a.dot(b));
    }

    /// u with K u = - d2E/dq dp. Products of the Hessian, taken strain first,
    /// are more accurate than its entries: they win back the digits that
    /// slender cells cost.
    Vector
    linear_response(System            &system,
                    const Vector      &q,
                    const std::string &load,
                    Mat                stiffness)
    {
      constexpr int          n_refinements = 2;
      const Vector           force = -system.parameter_derivative(q, load);
      Owned<Vec, VecDestroy> residual, correction;
      *&residual   = petsc::create_vector(system.layout());
      *&correction = petsc::create_vector(system.layout());
      Owned<KSP, KSPDestroy> solver;
      check(KSPCreate(system.layout().communicator, &solver));
      check(KSPSetOperators(solver, stiffness, stiffness));
      petsc::choose_symmetric_mumps(solver);
      Vector response = Vector::Zero(force.size());
      for (int i = 0; i <= n_refinements; ++i)
        {
          petsc::set_and_accumulate(residual,
                                    force - system.hessian_times(q, response));
          check(KSPSolve(solver, residual, correction));
          response += petsc::local_values(correction);
        }
      return response;
    }

    /// A system under a small load of either sign, in its linear response to
    /// it. Where loads do work on rotations, as on bodies whose unknowns are
    /// strains, the Hessian depends on the load as well as on the state.
    class SmallLoad
    {
    public:
      SmallLoad(System            &the_system,
                const std::string &name,
                const double       load_scale)
        : system(the_system)
        , parameter(name)
        , value(the_system.parameter(name))
        , scale(load_scale)
      {}

      /// f() with the load times -1 or 1.
      template <class Function>
      auto
      with(const double sign, const Function &f) const
      {
        system.set_parameter(parameter, value + sign * scale);
        auto result = f();
        system.set_parameter(parameter, value);
        return result;
      }

    private:
      System           &system;
      const std::string parameter;
      const double      value, scale;
    };

    /// The load at which a mode is in neutral equilibrium; its error is the
    /// square of the mode's.
    double
    rayleigh_quotient(const System    &system,
                      const SmallLoad &load,
                      const Vector    &q,
                      const Vector    &u,
                      const Vector    &mode)
    {
      const Layout &layout = system.layout();
      const double  elastic =
        product(layout, mode, system.hessian_times(q, mode));
      const Vector difference = load.with(-1., [&] {
        return system.hessian_times(q - u, mode);
      }) - load.with(+1., [&] { return system.hessian_times(q + u, mode); });
      return 2. * elastic / product(layout, mode, difference);
    }
  } // namespace

  std::vector<BucklingMode>
  buckling_modes(System            &system,
                 const Vector      &q,
                 const std::string &load,
                 const double       load_scale,
                 const int          n)
  {
    Owned<Mat, MatDestroy> stiffness, geometric, other;
    *&stiffness    = make_petsc_hessian(system, q);
    const Vector u = load_scale * linear_response(system, q, load, stiffness);

    // - K_g, so that wanted are the largest x in  - K_g v = x K v:  one over
    // the loads. Large loads, at which stiff strains buckle, are small x.
    const SmallLoad small(system, load, load_scale);
    *&geometric =
      small.with(-1., [&] { return make_petsc_hessian(system, q - u); });
    *&other =
      small.with(+1., [&] { return make_petsc_hessian(system, q + u); });
    check(MatAXPY(geometric, -1., other, SAME_NONZERO_PATTERN));
    check(MatScale(geometric, 0.5 / load_scale));

    Owned<EPS, EPSDestroy> eps;
    check(EPSCreate(system.layout().communicator, &eps));
    check(EPSSetOperators(eps, geometric, stiffness));
    check(EPSSetProblemType(eps, EPS_GHEP));
    check(EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT));
    check(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
    check(EPSSetTolerances(eps, 1e-12, 1000));
    // The same start for every number of ranks.
    Owned<Vec, VecDestroy> start;
    *&start = petsc::create_vector(system.layout());
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
    *&mode = petsc::create_vector(system.layout());
    for (PetscInt i = 0; i < std::min<PetscInt>(n, n_converged); ++i)
      {
        PetscScalar value;
        check(EPSGetEigenpair(eps, i, &value, nullptr, mode, nullptr));
        if (value > 0.)
          {
            const Vector shape = petsc::local_values(mode);
            modes.push_back(
              {load_scale * rayleigh_quotient(system, small, q, u, shape),
               shape});
          }
      }
    std::sort(modes.begin(),
              modes.end(),
              [](const BucklingMode &a, const BucklingMode &b) {
                return a.load < b.load;
              });
    return modes;
  }
} // namespace slender
