// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/unsymmetric_inertia.h>

#include <slepceps.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    /// K^-1 M as a matrix of PETSc.
    struct Inverse
    {
      Inverse(const Layout         &layout,
              const LinearSolution &a_solution,
              const LinearOperator &a_mass)
        : solve(a_solution)
        , mass(a_mass)
      {
        *&in  = petsc::create_vector(layout);
        *&out = petsc::create_vector(layout);
        check(MatCreateShell(layout.communicator,
                             layout.n_owned(),
                             layout.n_owned(),
                             layout.size,
                             layout.size,
                             this,
                             &matrix));
        check(MatShellSetOperation(matrix,
                                   MATOP_MULT,
                                   reinterpret_cast<void (*)()>(
                                     &Inverse::multiply)));
      }

      static PetscErrorCode
      multiply(Mat matrix, Vec x, Vec y)
      {
        void *context = nullptr;
        check(MatShellGetContext(matrix, &context));
        Inverse &self = *static_cast<Inverse *>(context);
        // Solvers expect vectors with ghosts.
        check(VecCopy(x, self.in));
        if (self.mass)
          {
            self.mass(self.in, self.out);
            check(VecCopy(self.out, self.in));
          }
        if (!self.solve(self.in, self.out))
          {
            self.has_failed = true;
            check(VecZeroEntries(self.out));
          }
        check(VecCopy(self.out, y));
        return 0;
      }

      const LinearSolution  &solve;
      const LinearOperator  &mass;
      Owned<Vec, VecDestroy> in, out;
      Owned<Mat, MatDestroy> matrix;
      bool                   has_failed = false;
    };

    /// A vector without any symmetry, so that no mode is missed, and the same
    /// in every run.
    void
    fill_without_symmetry(Vec v, const Layout &layout)
    {
      Vector values(layout.n_local());
      for (Index i = 0; i < layout.n_local(); ++i)
        {
          const Index number = i < layout.n_owned()
                                 ? layout.begin + i
                                 : layout.ghosts[i - layout.n_owned()];
          values(i)          = 1. + std::sin(1. + 2.4 * number);
        }
      petsc::set_values(v, values);
    }

    /// An imaginary part that is smaller than this part of an eigenvalue is
    /// round-off.
    constexpr double round_off = 1e-9;
  } // namespace

  std::vector<ComplexEigenpair>
  eigenpairs_nearest_zero(const Layout         &layout,
                          const LinearSolution &solve,
                          const LinearOperator &mass,
                          const int             n)
  {
    Inverse                inverse(layout, solve, mass);
    Owned<EPS, EPSDestroy> eps;
    check(EPSCreate(layout.communicator, &eps));
    check(EPSSetOperators(eps, inverse.matrix, nullptr));
    check(EPSSetProblemType(eps, EPS_NHEP));
    check(EPSSetDimensions(
      eps, std::min<PetscInt>(n, layout.size), PETSC_DEFAULT, PETSC_DEFAULT));
    check(EPSSetWhichEigenpairs(eps, EPS_LARGEST_MAGNITUDE));
    check(EPSSetTolerances(eps, 1e-11, 500));
    Owned<Vec, VecDestroy> start, real, imaginary;
    *&start = petsc::create_vector(layout);
    fill_without_symmetry(start, layout);
    check(EPSSetInitialSpace(eps, 1, &start));
    check(EPSSolve(eps));
    if (inverse.has_failed)
      return {};

    PetscInt n_converged = 0;
    check(EPSGetConverged(eps, &n_converged));
    *&real      = petsc::create_vector(layout);
    *&imaginary = petsc::create_vector(layout);
    std::vector<ComplexEigenpair> pairs;
    double                        largest = 0.;
    for (PetscInt i = 0; i < n_converged; ++i)
      {
        PetscScalar of_real, of_imaginary;
        check(
          EPSGetEigenpair(eps, i, &of_real, &of_imaginary, real, imaginary));
        const std::complex<double> inverted(of_real, of_imaginary);
        largest = std::max(largest, std::abs(inverted));
        // No mass, or one of a conjugate pair.
        if (std::abs(inverted) <= 1e-14 * largest || of_imaginary > 0.)
          continue;
        pairs.push_back({1. / inverted,
                         petsc::local_values(real),
                         petsc::local_values(imaginary)});
        if (std::abs(pairs.back().value.imag()) <=
            round_off * std::abs(pairs.back().value))
          pairs.back().value = pairs.back().value.real();
      }
    std::sort(pairs.begin(),
              pairs.end(),
              [](const ComplexEigenpair &a, const ComplexEigenpair &b) {
                return std::abs(a.value) < std::abs(b.value);
              });
    return pairs;
  }

  Inertia
  unsymmetric_inertia(const Layout         &layout,
                      const LinearSolution &solve,
                      const int             sign_of_determinant)
  {
    constexpr int first = 6, most = 96;
    Inertia       result;
    for (int n = first;; n *= 2)
      {
        const auto pairs      = eigenpairs_nearest_zero(layout, solve, {}, n);
        Index      n_negative = 0, n_others = 0;
        for (const ComplexEigenpair &pair : pairs)
          if (pair.value.imag() == 0. && pair.value.real() < 0.)
            ++n_negative;
          else
            n_others += pair.value.imag() == 0. ? 1 : 2;
        const bool is_odd = n_negative % 2 == 1;
        const bool is_told =
          (sign_of_determinant == 0 || is_odd == (sign_of_determinant < 0)) &&
          (n_others > 0 || n_negative == layout.size);
        const bool is_last = n >= most || n >= layout.size;
        if (!is_told && !is_last)
          continue;
        result.negative = n_negative;
        result.zero     = is_told ? 0 : 1;
        result.positive = layout.size - result.negative - result.zero;
        return result;
      }
  }
} // namespace slender
