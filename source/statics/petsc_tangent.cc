// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/banded_tangent.h>
#include <slender/statics/petsc.h>
#include <slender/statics/tangent.h>

#include <utility>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    class PetscTangent : public Tangent
    {
    public:
      PetscTangent(const Model &model, const Vector &q, LinearSolver kind);

      void
      add(const Index *unknowns, const Index n, const double *block) override
      {
        // Symmetric: rows and columns may be exchanged.
        check(MatSetValuesLocal(
          matrix, n, unknowns, n, unknowns, block, ADD_VALUES));
      }

      void
      clear() override
      {
        check(MatZeroEntries(matrix));
      }

      void
      finish() override
      {
        check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
        check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
        check(KSPSetOperators(solver, matrix, matrix));
        if (is_iterative)
          check(KSPSetOperators(iterative_solver, matrix, matrix));
        is_factorised = false;
      }

      void
      apply(Vec x, Vec y) const override
      {
        check(MatMult(matrix, x, y));
      }

      bool
      solve(Vec b, Vec x) override
      {
        if (!is_iterative && !factorise())
          return false;
        const KSP used = is_iterative ? iterative_solver : solver;
        check(KSPSolve(used, b, x));
        KSPConvergedReason reason;
        check(KSPGetConvergedReason(used, &reason));
        PetscReal size = 0.;
        check(VecNorm(x, NORM_2, &size));
        return reason > 0 && std::isfinite(size);
      }

      Inertia
      inertia() override
      {
        PetscInt n;
        check(MatGetSize(matrix, &n, nullptr));
        Inertia result;
        if (!factorise())
          {
            result.zero = n;
            return result;
          }
        PC  pc;
        Mat factor;
        check(KSPGetPC(solver, &pc));
        check(PCFactorGetMatrix(pc, &factor));
        // MUMPS's search for zero pivots is left off: it measures against the
        // largest entries and would take the soft modes of a stiff body for
        // zero.
        check(MatGetInertia(factor, &result.negative, nullptr, nullptr));
        result.positive = n - result.negative;
        return result;
      }

      long
      n_factorisations() const override
      {
        return factorisations;
      }

      Mat
      handle() const
      {
        return matrix;
      }

    private:
      bool
      factorise();

      Owned<Mat, MatDestroy> matrix;
      Owned<KSP, KSPDestroy> solver, iterative_solver;
      bool                   is_iterative;
      bool                   is_factorised  = false;
      bool                   is_regular     = false;
      long                   factorisations = 0;
    };

    void
    set_local_numbering(Mat matrix, const Layout &layout)
    {
      std::vector<PetscInt> global;
      for (Index i = layout.begin; i < layout.end; ++i)
        global.push_back(i);
      global.insert(global.end(), layout.ghosts.begin(), layout.ghosts.end());
      Owned<ISLocalToGlobalMapping, ISLocalToGlobalMappingDestroy> numbering;
      check(ISLocalToGlobalMappingCreate(layout.communicator,
                                         1,
                                         static_cast<PetscInt>(global.size()),
                                         global.data(),
                                         PETSC_COPY_VALUES,
                                         &numbering));
      check(MatSetLocalToGlobalMapping(matrix, numbering, numbering));
    }

    /// Adds zeros wherever the model will ever add something.
    class PatternWriter : public HessianSink
    {
    public:
      explicit PatternWriter(Mat a_matrix)
        : matrix(a_matrix)
      {}

      void
      add(const Index *unknowns, const Index n, const double *) override
      {
        zeros.assign(static_cast<std::size_t>(n) * n, 0.);
        check(MatSetValuesLocal(
          matrix, n, unknowns, n, unknowns, zeros.data(), ADD_VALUES));
      }

    private:
      Mat                 matrix;
      std::vector<double> zeros;
    };

    PetscTangent::PetscTangent(const Model       &model,
                               const Vector      &q,
                               const LinearSolver kind)
      : is_iterative(kind == LinearSolver::schwarz)
    {
      const Layout &layout = model.layout();

      // A preallocator matrix counts the entries exactly, across ranks too.
      Owned<Mat, MatDestroy> counter;
      check(MatCreate(layout.communicator, &counter));
      check(MatSetSizes(
        counter, layout.n_owned(), layout.n_owned(), layout.size, layout.size));
      check(MatSetType(counter, MATPREALLOCATOR));
      check(MatSetUp(counter));
      set_local_numbering(counter, layout);
      PatternWriter writer(counter);
      model.hessian(q, writer);
      check(MatAssemblyBegin(counter, MAT_FINAL_ASSEMBLY));
      check(MatAssemblyEnd(counter, MAT_FINAL_ASSEMBLY));

      check(MatCreate(layout.communicator, &matrix));
      check(MatSetSizes(
        matrix, layout.n_owned(), layout.n_owned(), layout.size, layout.size));
      check(MatSetType(matrix, MATAIJ));
      set_local_numbering(matrix, layout);
      check(MatPreallocatorPreallocate(counter, PETSC_TRUE, matrix));
      check(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
      check(MatSetOption(matrix, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
      check(MatSetOption(matrix, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));

      check(KSPCreate(layout.communicator, &solver));
      petsc::choose_symmetric_mumps(solver);
      if (is_iterative)
        {
          check(KSPCreate(layout.communicator, &iterative_solver));
          check(KSPSetOptionsPrefix(iterative_solver, "schwarz_"));
          petsc::choose_schwarz(iterative_solver);
        }
    }

    bool
    PetscTangent::factorise()
    {
      if (is_factorised)
        return is_regular;
      is_factorised = true;

      // Pivoting may need more memory than the analysis foresaw; then MUMPS is
      // given a larger margin, in percent.
      for (PetscInt margin = 50; margin <= 800; margin *= 4)
        {
          PC  pc;
          Mat factor;
          check(KSPGetPC(solver, &pc));
          check(PCFactorSetUpMatSolverType(pc));
          check(PCFactorGetMatrix(pc, &factor));
          check(MatMumpsSetIcntl(factor, 14, margin));
          check(KSPSetUp(solver));
          ++factorisations;
          PCFailedReason reason;
          check(PCGetFailedReason(pc, &reason));
          is_regular = reason == PC_NOERROR;
          if (is_regular)
            break;
          // PETSc would not try again with a factor that has failed once.
          check(KSPReset(solver));
          check(KSPSetOperators(solver, matrix, matrix));
          if (reason != PC_FACTOR_OUTMEMORY)
            break;
        }
      return is_regular;
    }
  } // namespace

  std::unique_ptr<Tangent>
  make_tangent(const Model &model, const Vector &q, const LinearSolver solver)
  {
    // Wider bands are better served by a sparse factorisation, which gains
    // nothing where all unknowns couple.
    constexpr Index widest_band = 200, largest_full_matrix = 600;

    const Layout &layout  = model.layout();
    int           n_ranks = 1;
    MPI_Comm_size(layout.communicator, &n_ranks);
    // A saddle point needs the pivoting that the banded factorisation lacks.
    const bool may_be_banded =
      solver == LinearSolver::banded ||
      (solver == LinearSolver::automatic && model.n_multipliers() == 0 &&
       model.dimension() == 1);
    if (n_ranks == 1 && may_be_banded)
      {
        auto banded = std::make_unique<BandedTangent>(couplings(model, q));
        const bool is_full = banded->bandwidth() + 1 == layout.size;
        if (solver == LinearSolver::banded ||
            banded->bandwidth() <=
              (is_full ? largest_full_matrix : widest_band))
          return banded;
      }
    return std::make_unique<PetscTangent>(model, q, solver);
  }

  Mat
  make_petsc_hessian(const Model &model, const Vector &q)
  {
    PetscTangent tangent(model, q, LinearSolver::mumps);
    tangent.clear();
    model.hessian(q, tangent);
    tangent.finish();
    Mat matrix = tangent.handle();
    check(PetscObjectReference(reinterpret_cast<PetscObject>(matrix)));
    return matrix;
  }
} // namespace slender
