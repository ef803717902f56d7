// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_frontier.h>
#include <slender/statics/frontier_equations.h>
#include <slender/statics/loca_frontier.h>

namespace slender
{
  std::unique_ptr<FrontierEquations>
  make_frontier_equations(Controls              &controls,
                          const NewtonOptions   &newton,
                          const FrontierOptions &options)
  {
    if (options.method == FrontierMethod::bordered)
      return std::make_unique<BorderedFrontier>(controls, newton, options);
    return std::make_unique<LocaFrontier>(controls, newton, options);
  }
} // namespace slender
