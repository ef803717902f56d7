// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/soft_modes.h>
#include <slender/statics/stability_count.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// Eigenvalues that are smaller than this part of their neighbours are
    /// round-off.
    constexpr double round_off = 1e-7;

    /// Bodies with fewer unknowns have pivots that can be relied on.
    constexpr Index few_unknowns = 8000;

    /// Of a mode that is regained from its forces.
    constexpr double largest_error = 0.1;
  } // namespace

  bool
  has_many_unknowns(const System &system)
  {
    return system.layout().size >= few_unknowns;
  }

  bool
  is_lost_in_round_off(const System  &system,
                       SystemTangent &tangent,
                       const Vector  &q)
  {
    const Layout &layout = system.layout();
    if (!has_many_unknowns(system))
      return false;
    SoftModes modes(system, tangent, 1);
    modes.refine(q, 3);
    NoxVector force(layout), regained(layout);
    for (const NoxVector &mode : modes.vectors())
      {
        petsc::set_and_accumulate(
          force.handle(),
          system.hessian_times(q, petsc::local_values(mode.handle())));
        if (!tangent.solve(force.handle(), regained.handle()))
          return true;
        regained.update(-1., mode, 1.);
        if (!(regained.norm(NOX::Abstract::Vector::TwoNorm) < largest_error))
          return true;
      }
    return false;
  }

  StabilityCount
  verified_count(const System  &system,
                 SystemTangent &tangent,
                 const Vector  &q,
                 const Index    count)
  {
    // With multipliers negative eigenvalues are no sign of instability.
    if (count <= 0 || system.n_multipliers() > 0)
      return {count, false};
    SoftModes modes(system, tangent, static_cast<int>(count) + 2);
    modes.refine(q, 6);
    const auto  &values  = modes.values();
    const double largest = std::abs(*std::max_element(
      values.begin(), values.end(), [](const double a, const double b) {
        return std::abs(a) < std::abs(b);
      }));
    // By Courant's principle no more Ritz values than eigenvalues are negative.
    const auto certain = static_cast<Index>(
      std::count_if(values.begin(), values.end(), [&](const double value) {
        return value < -round_off * largest;
      }));
    return {std::min(certain, count), certain < count};
  }

  StabilityCount
  count_unstable(const System &system, SystemTangent &tangent, const Vector &q)
  {
    tangent.hold_hessian(q);
    const Index count = tangent.inertia().negative - system.n_multipliers();
    if (!has_many_unknowns(system))
      return {count, false};
    const bool           is_lost = is_lost_in_round_off(system, tangent, q);
    const StabilityCount certain = verified_count(system, tangent, q, count);
    return {certain.n_negative, is_lost || certain.is_undecided};
  }

  bool
  has_wrong_signs(const System &system, SystemTangent &tangent, const Vector &q)
  {
    return has_many_unknowns(system) &&
           count_unstable(system, tangent, q).is_undecided;
  }
} // namespace slender
