// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/spectral.h>
#include <slender/solvers/tangent.h>
#include <slender/solvers/unsymmetric_inertia.h>
#include <slender/statics/stability.h>

#include <Eigen/QR>

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

  std::vector<Vector>
  arranged(const System &system, std::vector<Vector> modes)
  {
    constexpr double round_off    = 1e-6;
    const Layout    &layout       = system.layout();
    MPI_Comm         communicator = layout.communicator;
    const Places     places       = system.unknown_places();
    const auto       n            = static_cast<Index>(modes.size());
    for (Index k = 0; k + 1 < n; ++k)
      {
        // How far the modes from the k-th on can move each component.
        Vector reach = Vector::Zero(layout.n_local());
        for (Index j = k; j < n; ++j)
          reach += modes[j].cwiseAbs2();
        double furthest =
          layout.n_owned() > 0 ? reach.head(layout.n_owned()).maxCoeff() : 0.;
        MPI_Allreduce(
          MPI_IN_PLACE, &furthest, 1, MPI_DOUBLE, MPI_MAX, communicator);
        std::int64_t first = places.size;
        Index        at    = -1;
        for (std::size_t i = 0; i < places.places.size(); ++i)
          if (places.places[i] < first &&
              places.numbers[i] < layout.n_owned() &&
              reach(places.numbers[i]) >= (1. - round_off) * furthest)
            {
              first = places.places[i];
              at    = places.numbers[i];
            }
        std::int64_t first_of_all = first;
        MPI_Allreduce(
          MPI_IN_PLACE, &first_of_all, 1, MPI_INT64_T, MPI_MIN, communicator);
        Vector components = Vector::Zero(n - k);
        if (first == first_of_all && at >= 0)
          for (Index j = k; j < n; ++j)
            components(j - k) = modes[j](at);
        MPI_Allreduce(MPI_IN_PLACE,
                      components.data(),
                      static_cast<int>(n - k),
                      MPI_DOUBLE,
                      MPI_SUM,
                      communicator);
        // The combination along these components, and an orthonormal rest.
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr(components);
        const Eigen::MatrixXd                       Q = qr.householderQ();
        std::vector<Vector>                         turned;
        for (Index i = 0; i < n - k; ++i)
          {
            turned.emplace_back(Vector::Zero(layout.n_local()));
            for (Index j = 0; j < n - k; ++j)
              turned.back() += Q(j, i) * modes[k + j];
          }
        std::copy(turned.begin(), turned.end(), modes.begin() + k);
      }
    for (Vector &mode : modes)
      mode *= orientation(system, mode);
    return modes;
  }

  namespace
  {
    std::vector<Eigenpair>
    eigenpairs_without_potential(const System &system,
                                 const Vector &q,
                                 const int     n)
    {
      const auto matrix = make_tangent(system, q, LinearSolver::automatic);
      matrix->clear();
      system.hessian(q, *matrix);
      matrix->finish();
      std::vector<Eigenpair> pairs;
      for (const ComplexEigenpair &pair : eigenpairs_nearest_zero(
             system.layout(),
             [&](Vec b, Vec x) { return matrix->solve(b, x); },
             {},
             n))
        if (static_cast<int>(pairs.size()) < n)
          {
            const double size = std::sqrt(sum_over_ranks(
              system.layout(),
              pair.real.head(system.layout().n_owned()).squaredNorm()));
            pairs.push_back(
              {pair.value.real(),
               orientation(system, pair.real) / size * pair.real});
          }
      std::sort(pairs.begin(),
                pairs.end(),
                [](const Eigenpair &a, const Eigenpair &b) {
                  return a.value < b.value;
                });
      return pairs;
    }
  } // namespace

  std::vector<Eigenpair>
  lowest_eigenpairs(const System &system, const Vector &q, const int n)
  {
    if (!system.has_potential())
      return eigenpairs_without_potential(system, q, n);

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
