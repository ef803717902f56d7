// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/banded_tangent.h>
#include <slender/solvers/block_matrix.h>
#include <slender/solvers/petsc.h>
#include <slender/solvers/pivoted_band_tangent.h>
#include <slender/solvers/single_factor.h>
#include <slender/solvers/sparse_tangent.h>
#include <slender/solvers/tangent.h>
#include <slender/solvers/unsymmetric_inertia.h>

#include <optional>
#include <utility>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    /**
     * What a tangent solves with: a factorisation by MUMPS, in memory or in
     * files; GMRES with the factorisation of an earlier tangent; or GMRES with
     * factorisations of overlapping parts of it, one on each rank.
     *
     * Iterative solvers keep their preconditioner while it serves: to renew it
     * takes as long as some thirty iterations. That of an earlier tangent is in
     * single precision for as long as that is good enough.
     */
    class PetscTangent : public Tangent
    {
    public:
      PetscTangent(const System &system, const Vector &q, LinearSolver kind);

      void
      add(const Index *unknowns, const Index n, const double *block) override
      {
        matrix.add(unknowns, n, block);
      }

      void
      add_global(const Index  *unknowns,
                 const Index   n,
                 const double *block) override
      {
        matrix.add_global(unknowns, n, block);
      }

      void
      clear() override
      {
        matrix.clear();
      }

      void
      finish() override
      {
        matrix.finish();
        check(KSPSetOperators(direct, handle(), handle()));
        if (is_iterative())
          check(KSPSetOperators(iterating, handle(), handle()));
        is_factorised = false;
      }

      void
      apply(Vec x, Vec y) const override
      {
        check(MatMult(handle(), x, y));
      }

      bool
      solve(Vec b, Vec x) override
      {
        return solve_with_kept(b, x) || (renew() && run_afresh(b, x));
      }

      void
      apply(Eigen::Ref<Eigen::MatrixXd> columns) const override;

      bool
      solve(Eigen::Ref<Eigen::MatrixXd> columns) override;

      bool
      solve_transposed(Vec b, Vec x) override;

      void
      set_accuracy(const double relative) override
      {
        accuracy = relative;
        limit(petsc::most_iterations);
      }

      Inertia
      inertia() override;

      long
      n_factorisations() const override
      {
        return factorisations;
      }

      Mat
      handle() const
      {
        return matrix.handle();
      }

    private:
      KSP
      solver() const
      {
        return is_iterative() ? iterating : direct;
      }

      bool
      is_iterative() const
      {
        return kind == LinearSolver::lagged_mumps ||
               kind == LinearSolver::schwarz;
      }

      void
      limit(const PetscInt most)
      {
        if (is_iterative())
          petsc::limit_iterations(solver(), most, accuracy);
      }

      /// Makes columns of owned values those that a function of two vectors
      /// turns them into.
      template <class Function>
      bool
      for_columns(Eigen::Ref<Eigen::MatrixXd> columns,
                  const Function             &function) const;

      /// Solves, with the preconditioner that is there.
      bool
      run(Vec b, Vec x);

      /// The same with the factors of the matrix itself; in double precision
      /// from now on, where single precision turns out not to be enough.
      bool
      run_afresh(Vec b, Vec x);

      /// What GMRES is preconditioned with: the last factors that were made.
      static PetscErrorCode
      apply_factors(PC pc, Vec b, Vec x);

      /// The same with that of an earlier matrix, if there is a good one.
      bool
      solve_with_kept(Vec b, Vec x);

      /// Makes the preconditioner anew, if it is not that of the matrix.
      bool
      renew();

      /// Factorises the whole matrix, in double precision.
      bool
      factorise();

      /// Those of factorise().
      Mat
      factors() const;

      /// Of a matrix that is not symmetric, after factorise().
      int
      sign_of_determinant() const;

      const Layout           layout;
      const LinearSolver     kind;
      const bool             is_symmetric;
      BlockMatrix            matrix;
      Owned<KSP, KSPDestroy> direct, iterating;
      bool                   is_factorised  = false;
      bool                   is_regular     = false;
      long                   factorisations = 0;

      // Of iterative solvers: how many iterations the last solution took, and
      // the first one with the present preconditioner.
      PetscInt iterations = 0, fresh_iterations = 0;
      bool     has_preconditioner = false, is_fresh = false;
      double   accuracy = petsc::usual_accuracy;

      // Of the lagged one: whether the last factors are in single precision,
      // and whether the next ones may be.
      bool                        is_single = false, may_be_single;
      std::optional<SingleFactor> single;
    };

    PetscTangent::PetscTangent(const System      &system,
                               const Vector      &q,
                               const LinearSolver a_kind)
      : layout(system.layout())
      , kind(a_kind)
      , is_symmetric(system.has_potential())
      , matrix(system, q)
      , may_be_single(kind == LinearSolver::lagged_mumps && is_symmetric &&
                      system.n_multipliers() == 0)
    {
      if (may_be_single)
        single.emplace();
      MPI_Comm communicator = system.layout().communicator;
      check(KSPCreate(communicator, &direct));
      if (is_symmetric)
        petsc::choose_symmetric_mumps(direct);
      else
        petsc::choose_unsymmetric_mumps(direct);
      if (!is_iterative())
        return;
      check(KSPCreate(communicator, &iterating));
      check(KSPSetOptionsPrefix(iterating,
                                kind == LinearSolver::schwarz ? "schwarz_"
                                                              : "lagged_"));
      petsc::choose_gmres(iterating);
      if (kind == LinearSolver::schwarz)
        petsc::choose_schwarz(iterating, is_symmetric);
      else
        {
          PC pc;
          check(KSPGetPC(iterating, &pc));
          check(PCSetType(pc, PCSHELL));
          check(PCShellSetContext(pc, this));
          check(PCShellSetApply(pc, apply_factors));
        }
    }

    PetscErrorCode
    PetscTangent::apply_factors(PC pc, Vec b, Vec x)
    {
      void *context;
      check(PCShellGetContext(pc, &context));
      auto &self = *static_cast<PetscTangent *>(context);
      if (self.is_single)
        self.single->solve(b, x);
      else
        check(MatSolve(self.factors(), b, x));
      return 0;
    }

    Mat
    PetscTangent::factors() const
    {
      PC  pc;
      Mat result;
      check(KSPGetPC(direct, &pc));
      check(PCFactorGetMatrix(pc, &result));
      return result;
    }

    bool
    PetscTangent::run_afresh(Vec b, Vec x)
    {
      // As many are worth a factorisation with twice the digits.
      constexpr PetscInt too_many = 20;
      if (is_single)
        limit(too_many);
      const bool is_solved = run(b, x);
      limit(petsc::most_iterations);
      if (is_solved || !is_single)
        return is_solved;
      may_be_single = false;
      return renew() && run(b, x);
    }

    bool
    PetscTangent::run(Vec b, Vec x)
    {
      check(KSPSolve(solver(), b, x));
      KSPConvergedReason reason;
      check(KSPGetConvergedReason(solver(), &reason));
      check(KSPGetIterationNumber(solver(), &iterations));
      if (is_fresh)
        fresh_iterations = iterations;
      is_fresh       = false;
      PetscReal size = 0.;
      check(VecNorm(x, NORM_2, &size));
      return reason > 0 && std::isfinite(size);
    }

    template <class Function>
    bool
    PetscTangent::for_columns(Eigen::Ref<Eigen::MatrixXd> columns,
                              const Function             &function) const
    {
      Owned<Vec, VecDestroy> in, out;
      check(MatCreateVecs(handle(), &out, &in));
      for (Index k = 0; k < columns.cols(); ++k)
        {
          const auto n = static_cast<Index>(columns.rows());
          double    *values;
          check(VecGetArray(in, &values));
          Eigen::Map<Vector>(values, n) = columns.col(k);
          check(VecRestoreArray(in, &values));
          if (!function(in, out))
            return false;
          check(VecGetArray(out, &values));
          columns.col(k) = Eigen::Map<Vector>(values, n);
          check(VecRestoreArray(out, &values));
        }
      return true;
    }

    void
    PetscTangent::apply(Eigen::Ref<Eigen::MatrixXd> columns) const
    {
      for_columns(columns, [&](Vec x, Vec y) {
        apply(x, y);
        return true;
      });
    }

    bool
    PetscTangent::solve(Eigen::Ref<Eigen::MatrixXd> columns)
    {
      return for_columns(columns, [&](Vec b, Vec x) { return solve(b, x); });
    }

    bool
    PetscTangent::solve_with_kept(Vec b, Vec x)
    {
      constexpr PetscInt worth_a_trial = 15, worth_a_renewal = 30;
      if (!is_iterative() || !has_preconditioner ||
          iterations > fresh_iterations + worth_a_trial)
        return false;
      check(KSPSetReusePreconditioner(solver(), PETSC_TRUE)); // of Schwarz
      limit(fresh_iterations + worth_a_renewal);
      const bool is_solved = run(b, x);
      limit(petsc::most_iterations);
      check(KSPSetReusePreconditioner(solver(), PETSC_FALSE));
      return is_solved;
    }

    bool
    PetscTangent::renew()
    {
      is_fresh = true;
      if (kind == LinearSolver::schwarz)
        has_preconditioner = true; // PETSc makes it when it solves
      else if (may_be_single && !is_factorised)
        {
          ++factorisations;
          // Where it is indefinite, pivoting has to help.
          is_single = has_preconditioner = single->factorise(handle());
        }
      else
        is_single = false;
      if (!may_be_single)
        single.reset();
      return is_single || kind == LinearSolver::schwarz || factorise();
    }

    bool
    PetscTangent::solve_transposed(Vec b, Vec x)
    {
      if (is_symmetric)
        return solve(b, x);
      // Always by the factors of the matrix itself.
      if (!factorise())
        return false;
      check(MatSolveTranspose(factors(), b, x));
      PetscReal size = 0.;
      check(VecNorm(x, NORM_2, &size));
      return std::isfinite(size);
    }

    int
    PetscTangent::sign_of_determinant() const
    {
      PetscReal mantissa;
      check(MatMumpsGetRinfog(factors(), 12, &mantissa));
      return mantissa < 0. ? -1 : 1;
    }

    Inertia
    PetscTangent::inertia()
    {
      PetscInt n;
      check(MatGetSize(handle(), &n, nullptr));
      Inertia result;
      if (!factorise())
        {
          result.zero = n;
          return result;
        }
      if (!is_symmetric)
        return unsymmetric_inertia(
          layout,
          [this](Vec b, Vec x) { return solve(b, x); },
          sign_of_determinant());
      // MUMPS's search for zero pivots is left off: it measures against the
      // largest entries and would take the soft modes of a stiff body for
      // zero.
      check(MatGetInertia(factors(), &result.negative, nullptr, nullptr));
      result.positive = n - result.negative;
      return result;
    }

    bool
    PetscTangent::factorise()
    {
      if (is_factorised)
        return is_regular;
      is_factorised = true;
      is_single     = false;

      // Pivoting may need more memory than the analysis foresaw; then MUMPS is
      // given a larger margin, in percent.
      for (PetscInt margin = 50; margin <= 800; margin *= 4)
        {
          PC  pc;
          Mat factor;
          check(KSPGetPC(direct, &pc));
          check(PCFactorSetUpMatSolverType(pc));
          check(PCFactorGetMatrix(pc, &factor));
          check(MatMumpsSetIcntl(factor, 14, margin));
          check(MatMumpsSetIcntl(factor,
                                 22,
                                 kind == LinearSolver::mumps_on_disk ? 1 : 0));
          if (!is_symmetric)
            check(MatMumpsSetIcntl(factor, 33, 1)); // the determinant, too
          check(KSPSetUp(direct));
          ++factorisations;
          PCFailedReason reason;
          check(PCGetFailedReason(pc, &reason));
          is_regular = reason == PC_NOERROR;
          if (is_regular)
            break;
          // PETSc would not try again with a factor that has failed once.
          check(KSPReset(direct));
          check(KSPSetOperators(direct, handle(), handle()));
          if (reason != PC_FACTOR_OUTMEMORY)
            break;
        }
      if (kind == LinearSolver::lagged_mumps)
        has_preconditioner = is_regular;
      return is_regular;
    }
  } // namespace

  std::unique_ptr<Tangent>
  make_tangent(const System &system, const Vector &q, const LinearSolver solver)
  {
    // Wider bands are better served by a sparse factorisation, which gains
    // nothing where all unknowns couple.
    constexpr Index widest_band = 200, largest_full_matrix = 600;
    const Layout   &layout  = system.layout();
    int             n_ranks = 1;
    MPI_Comm_size(layout.communicator, &n_ranks);

    // What comes and goes in a pattern are pairs of edges that touch.
    const bool is_changing = system.pattern() != 0;
    if (n_ranks == 1 && system.has_potential() &&
        (solver == LinearSolver::cholmod ||
         (solver == LinearSolver::automatic && is_changing &&
          system.dimension() == 1 && system.n_multipliers() == 0)))
      return std::make_unique<SparseTangent>(layout, Couplings(system, q));

    const bool may_be_banded =
      solver == LinearSolver::banded ||
      (solver == LinearSolver::automatic && system.dimension() == 1);
    if (may_be_banded && !system.has_potential())
      {
        if (n_ranks == 1)
          {
            auto banded =
              std::make_unique<PivotedBandTangent>(system.layout(),
                                                   Couplings(system, q));
            const bool is_full =
              banded->bandwidth() + 1 == system.layout().size;
            if (solver == LinearSolver::banded ||
                banded->bandwidth() <=
                  (is_full ? largest_full_matrix : widest_band))
              return banded;
          }
        return std::make_unique<PetscTangent>(system, q, LinearSolver::mumps);
      }
    // A saddle point needs the pivoting that the banded factorisation lacks.
    // A surface has a wide band, but as long as it is small, dense loops over
    // that are ten times as fast as the many small fronts of MUMPS.
    constexpr Index largest_surface = 6000, widest_of_surface = 800;
    const bool      is_curve         = system.dimension() == 1;
    const bool      is_small_surface = !is_curve && n_ranks == 1 &&
                                  layout.size <= largest_surface &&
                                  system.has_potential();
    if (solver == LinearSolver::banded ||
        (solver == LinearSolver::automatic && system.n_multipliers() == 0 &&
         (is_curve || is_small_surface)))
      {
        auto banded =
          std::make_unique<BandedTangent>(layout, Couplings(system, q));
        const bool  is_full = banded->bandwidth() + 1 == layout.size;
        const Index widest  = is_small_surface ? widest_of_surface
                              : is_full        ? largest_full_matrix
                                               : widest_band;
        if (solver == LinearSolver::banded ||
            (banded->bandwidth() <= widest &&
             banded->interface_bandwidth() <= widest_band))
          return banded;
      }
    return std::make_unique<PetscTangent>(system,
                                          q,
                                          solver == LinearSolver::automatic ||
                                              solver == LinearSolver::cholmod
                                            ? LinearSolver::mumps
                                            : solver);
  }

  Mat
  make_petsc_hessian(const System &system, const Vector &q)
  {
    PetscTangent tangent(system, q, LinearSolver::mumps);
    tangent.clear();
    system.hessian(q, tangent);
    tangent.finish();
    Mat matrix = tangent.handle();
    check(PetscObjectReference(reinterpret_cast<PetscObject>(matrix)));
    return matrix;
  }
} // namespace slender
