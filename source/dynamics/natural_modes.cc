// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/natural_modes.h>
#include <slender/solvers/block_matrix.h>
#include <slender/solvers/petsc.h>
#include <slender/solvers/spectral.h>
#include <slender/solvers/tangent.h>

#include <boost/math/constants/constants.hpp>

#include <slepceps.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    /// A squared frequency that is typical of slender bodies, from which a
    /// shift is made: stiffness in bending over mass.
    double
    scale_of(const System &system, const Kinetics &kinetics, const Vector &q)
    {
      const auto all = sum_over_ranks(
        system.layout(),
        kinetics.moments(q, Vector::Zero(kinetics.masses().size())));
      const double spread = all.second - all.first.squaredNorm() / all.mass;
      return system.energy_unit() / spread;
    }

    /// An eigenvalue from its vector: strains come before their stiffness (see
    /// System::hessian_times), whereas entries of the matrix have the round-off
    /// of stiff strains.
    double
    rayleigh_quotient(const System   &system,
                      const Kinetics &kinetics,
                      const Vector   &q,
                      const Vector   &mode)
    {
      const double stiffness =
        sum_over_ranks(system.layout(),
                       mode.dot(system.hessian_times(q, mode)));
      const double kinetic =
        sum_over_ranks(system.layout(),
                       kinetics.kinetic_energy(kinetics.rates(q, mode)));
      return system.energy_unit() * stiffness / (2. * kinetic);
    }
  } // namespace

  double
  NaturalMode::frequency() const
  {
    return squared > 0.
             ? std::sqrt(squared) / boost::math::constants::two_pi<double>()
             : 0.;
  }

  double
  NaturalMode::growth_rate() const
  {
    return squared < 0. ? std::sqrt(-squared) : 0.;
  }

  std::vector<NaturalMode>
  natural_modes(const System   &system,
                const Kinetics &kinetics,
                const Vector   &q,
                const int       n)
  {
    // In the user's unit of energy, as the masses are.
    Owned<Mat, MatDestroy> stiffness;
    *&stiffness = make_petsc_hessian(system, q);
    check(MatScale(stiffness, system.energy_unit()));
    BlockMatrix mass(system, q);
    mass.clear();
    kinetics.add_mass(q, mass);
    mass.finish();

    // Below zero, where free bodies have the modes of rigid motions; lowered
    // by factors of ten where an unstable body has modes below it.
    const double scale = scale_of(system, kinetics, q);
    for (double shift = -scale; shift >= -1e14 * scale; shift *= 10.)
      {
        Owned<EPS, EPSDestroy> eps;
        check(EPSCreate(system.layout().communicator, &eps));
        check(EPSSetOperators(eps, stiffness, mass.handle()));
        check(EPSSetProblemType(eps, EPS_GHEP));
        check(EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT));
        check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
        check(EPSSetTarget(eps, shift));
        check(EPSSetTolerances(eps, 1e-12, PETSC_DEFAULT));
        spectral::factorise_with_mumps(eps);
        check(EPSSetUp(eps));
        // A Lagrangian has a negative eigenvalue for each multiplier.
        if (spectral::n_below_shift(eps) > system.n_multipliers())
          continue;

        check(EPSSolve(eps));
        PetscInt n_converged = 0;
        check(EPSGetConverged(eps, &n_converged));
        std::vector<NaturalMode> modes;
        Owned<Vec, VecDestroy>   mode;
        *&mode = petsc::create_vector(system.layout());
        for (PetscInt i = 0; i < std::min<PetscInt>(n, n_converged); ++i)
          {
            check(EPSGetEigenvector(eps, i, mode, nullptr));
            const Vector values = petsc::local_values(mode);
            modes.push_back({rayleigh_quotient(system, kinetics, q, values),
                             orientation(system, values) * values});
          }
        std::sort(modes.begin(),
                  modes.end(),
                  [](const NaturalMode &a, const NaturalMode &b) {
                    return a.squared < b.squared;
                  });
        return modes;
      }
    return {};
  }
} // namespace slender
