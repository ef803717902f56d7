// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/receptance.h>
#include <slender/solvers/petsc.h>

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <stdexcept>

namespace slender
{
  namespace
  {
    using petsc::Owned;

    /// How far a measurement is differentiated, as a root mean square of the
    /// unknowns.
    constexpr double small = 1e-5;

    /// dm/dq times a direction.
    double
    slope(const System      &system,
          const Vector      &q,
          const Vector      &direction,
          const std::string &measurement)
    {
      const double size = root_mean_square(system.layout(), direction);
      if (size == 0.)
        return 0.;
      const double t  = small / size;
      const auto   at = [&](const double step) {
        return find_measurement(system.measure(q + step * direction),
                                measurement);
      };
      return (at(t) - at(-t)) / (2. * t);
    }

    /// (K + c M)^-1 b, with K in the system's unit of energy.
    Vector
    solved(const System      &system,
           const Kinetics    &kinetics,
           const Vector      &q,
           const double       c,
           const Vector      &b,
           const LinearSolver solver)
    {
      const auto matrix = make_tangent(system, q, solver);
      matrix->clear();
      system.hessian(q, *matrix);
      kinetics.add_hessian(q,
                           c / system.energy_unit(),
                           Vector::Zero(kinetics.masses().size()),
                           *matrix);
      matrix->finish();
      Owned<Vec, VecDestroy> right, x;
      *&right = petsc::create_vector(system.layout());
      *&x     = petsc::create_vector(system.layout());
      petsc::set_and_accumulate(right, b);
      if (!matrix->solve(right, x))
        throw std::runtime_error("the stiffness is singular");
      return petsc::local_values(x);
    }
  } // namespace

  Receptance::Receptance(System                         &system,
                         const Kinetics                 &kinetics,
                         const Vector                   &q,
                         const std::vector<NaturalMode> &modes,
                         const ReceptanceOptions        &options,
                         const LinearSolver              solver)
    : alpha(options.alpha)
    , beta(options.beta)
  {
    const Layout &layout = system.layout();
    const Vector  force  = -system.parameter_derivative(q, options.forcing);
    // Of the size of the lowest frequency that is not a rigid motion's: the
    // matrix is well away from being singular, and definite.
    const double largest =
      modes.empty() ? 1. : std::max(1e-300, modes.back().squared);
    double lowest = largest;
    for (const NaturalMode &mode : modes)
      {
        if (mode.squared > 1e-6 * largest)
          lowest = std::min(lowest, mode.squared);
        const double mass =
          2. *
          sum_over_ranks(layout,
                         kinetics.kinetic_energy(kinetics.rates(q, mode.mode)));
        const double forced =
          system.energy_unit() * sum_over_ranks(layout, mode.mode.dot(force));
        parts.push_back(
          {mode.squared,
           slope(system, q, mode.mode, options.response) * forced / mass});
      }
    shift = lowest;
    if (!modes.empty() && modes.front().squared < 0.)
      shift = std::max(shift, -2. * modes.front().squared);
    rest = slope(system,
                 q,
                 solved(system, kinetics, q, shift, force, solver),
                 options.response);
  }

  std::complex<double>
  Receptance::operator()(const double frequency) const
  {
    const double w = boost::math::constants::two_pi<double>() * frequency;
    const std::complex<double> stiffer(1., w * beta);
    const std::complex<double> s =
      std::complex<double>(w * w, -w * alpha) / stiffer;
    std::complex<double> sum = rest;
    for (const Part &part : parts)
      sum +=
        part.amount * (1. / (part.squared - s) - 1. / (part.squared + shift));
    return sum / stiffer;
  }
} // namespace slender
