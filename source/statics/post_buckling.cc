// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/nox_vector.h>
#include <slender/statics/post_buckling.h>
#include <slender/systems/kinematics.h>

#include <cmath>

namespace slender
{
  namespace
  {
    /// The amplitude, over what matters: the error of the curvature is its
    /// square, and that of the critical parameter over its square.
    constexpr double relative_amplitude = 0.01;
  } // namespace

  std::optional<PostBuckling>
  post_buckling(const System      &system,
                const BranchPoint &bifurcation,
                const double       rate,
                const HeldSearch  &search)
  {
    const Layout   &layout = system.layout();
    const NoxVector mode(layout, bifurcation.null_vector);
    const double amplitude = relative_amplitude * displacement_scale(system) *
                             std::sqrt(static_cast<double>(layout.size));

    // p(xi), with the last state as the next guess.
    const auto on_branch = [&](const double xi) -> std::optional<double> {
      Vector q = bifurcation.q + xi * bifurcation.null_vector;
      double p = bifurcation.parameter, p_before = 0., force_before = 0.;
      for (int i = 0; i < 6; ++i)
        {
          const Equilibrium found = search(p, q);
          if (!found.converged())
            return {};
          q = found.q;
          NoxVector force(layout);
          petsc::set_and_accumulate(force.handle(), system.gradient(q));
          const double along = force.innerProduct(mode);
          const double slope =
            i == 0 ? xi * rate : (along - force_before) / (p - p_before);
          const double change = -along / slope;
          if (!std::isfinite(change))
            return {};
          p_before     = p;
          force_before = along;
          p += change;
          if (std::abs(change) < 1e-12 * (std::abs(p) + std::abs(change)))
            break;
        }
      return p;
    };

    const auto plus  = on_branch(amplitude);
    const auto minus = on_branch(-amplitude);
    if (!plus || !minus)
      return {};
    return PostBuckling{(*plus - *minus) / (2. * amplitude),
                        (*plus + *minus - 2. * bifurcation.parameter) /
                          (amplitude * amplitude)};
  }
} // namespace slender
