// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/small_motions.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  const char *
  to_string(const Fate fate)
  {
    switch (fate)
      {
        case Fate::stable:
          return "stable";
        case Fate::divergence:
          return "divergence";
        case Fate::flutter:
          break;
      }
    return "flutter";
  }

  SmallMotions
  small_motions(const System         &system,
                const Vector         &q,
                const LinearOperator &mass,
                const int             n)
  {
    // Where two frequencies meet, round-off splits them by its root.
    constexpr double round_off = 1e-6;

    const auto stiffness = make_tangent(system, q, LinearSolver::automatic);
    stiffness->clear();
    system.hessian(q, *stiffness);
    stiffness->finish();

    SmallMotions result;
    for (const ComplexEigenpair &pair : eigenpairs_nearest_zero(
           system.layout(),
           [&](Vec b, Vec x) { return stiffness->solve(b, x); },
           mass,
           n))
      {
        result.squared_frequencies.push_back(pair.value);
        if (std::abs(pair.value.imag()) > round_off * std::abs(pair.value))
          result.fate = Fate::flutter;
        else if (pair.value.real() < 0. && result.fate == Fate::stable)
          result.fate = Fate::divergence;
      }
    return result;
  }
} // namespace slender
