// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_frontier.h>
#include <slender/statics/frontier_modes.h>
#include <slender/statics/soft_modes.h>

#include <cmath>
#include <optional>

namespace slender
{
  namespace
  {
    /// Loads that differ by less, in units of the box, may be taken for one
    /// where a frontier begins.
    constexpr double resolved_loads = 1e-2;

    /// Of modes, in search for the softest one.
    constexpr int n_looked_at = 6;
  } // namespace

  bool
  BorderedFrontier::complete_modes(FrontierState &guess)
  {
    if (guess.modes.cols() > 1 || system.layout().size < 3)
      return true;
    orthonormalise(guess.modes, exchange);
    controls.set_unit_values({guess.u[0], guess.u[1]});
    SoftModes soft(system, tangent, 3);
    soft.refine(guess.q, 12);
    const NoxVector            critical(system.layout(), guess.modes.col(0));
    const std::size_t          same = soft.nearest_to(critical);
    std::optional<std::size_t> other;
    for (std::size_t i = 0; i < soft.values().size(); ++i)
      if (i != same && (!other || std::abs(soft.values()[i]) <
                                    std::abs(soft.values()[*other])))
        other = i;
    guess.modes.conservativeResize(Eigen::NoChange, 2);
    guess.modes.col(1) = petsc::local_values(soft.vectors()[*other].handle());
    orthonormalise(guess.modes, exchange);
    return exchange.products(guess.modes, guess.modes).allFinite();
  }

  bool
  BorderedFrontier::find_critical_mode(FrontierState &at)
  {
    if (!linearise(at)) // which also tells which modes are held
      return false;
    if (at.modes.cols() < 2)
      return true;
    // Two modes whose loads differ by less than a search for bifurcations
    // resolves: the lower one, which is critical first.
    const double slope = base->s.segment<2>(1).cwiseAbs().maxCoeff();
    const double gap   = base->eigenvalues(1) - base->eigenvalues(0);
    at.modes           = base->modes;
    if (gap > base->same && gap < resolved_loads * slope)
      {
        at.modes.col(0).swap(at.modes.col(1));
        return linearise(at);
      }
    return true;
  }

  FrontierOutlook
  BorderedFrontier::outlook() const
  {
    FrontierOutlook result;
    // s by how far q moves along v, see linearise().
    result.cubic = -exchange.product(base->slope, base->vectors.col(0));
    // S has the opposite signs of J. The equations were linearised a little
    // away from the point, where the critical eigenvalue vanishes; so it is
    // the difference from that which tells of another one, and which round-off
    // leaves alone if both are critical together by a symmetry.
    Eigen::VectorXd others = base->eigenvalues(0) - base->eigenvalues.array();
    for (double &other : others)
      other = std::abs(other) < base->same ? 0. : other;
    // The last mode is the one to watch.
    const Index last = others.size() - 1;
    if (last > 0)
      {
        result.second_eigenvalue = others(last);
        result.second_distance =
          std::abs(others(last)) / base->s.segment<2>(1).norm();
        result.second_breaks_symmetry = n_held > last;
      }
    if (base->n_negative_across >= 0)
      {
        result.n_unstable = base->n_negative_across;
        for (Index k = 1; k <= last; ++k)
          if (others(k) < 0.)
            ++result.n_unstable;
      }
    return result;
  }

  bool
  BorderedFrontier::watch_softest(FrontierState &at)
  {
    if (at.modes.cols() < 2)
      return false;
    controls.set_unit_values({at.u[0], at.u[1]});
    // What it is born from must not have the symmetry of anything.
    SoftModes soft(system, tangent, n_looked_at);
    soft.refine(at.q, 20);
    const auto            critical = at.modes.leftCols(n_critical(at));
    std::optional<Vector> softest;
    double                least = 0.;
    at.outlook.n_unstable       = 0;
    for (std::size_t i = 0; i < soft.values().size(); ++i)
      {
        const Vector mode  = petsc::local_values(soft.vectors()[i].handle());
        const double value = soft.values()[i];
        if (exchange.products(critical, mode).squaredNorm() > 0.5)
          continue;
        at.outlook.n_unstable += value < 0. ? 1 : 0;
        const bool is_softer = (value < 0.) != (least < 0.)
                                 ? value < 0.
                                 : std::abs(value) < std::abs(least);
        if (!softest || is_softer)
          {
            softest = mode;
            least   = value;
          }
      }
    return softest && watch(at, *softest);
  }

  bool
  BorderedFrontier::watch(FrontierState &at, const Vector &mode)
  {
    const Index n = n_critical(at);
    at.modes.conservativeResize(Eigen::NoChange, n + 1);
    at.modes.col(n) = mode;
    const Vector critical =
      at.modes.leftCols(n) * exchange.products(at.modes.leftCols(n), mode);
    if (exchange.product(critical, critical) >
        0.5 * exchange.product(mode, mode))
      return false;
    orthonormalise(at.modes, exchange);
    if (at.antisymmetric.cols() >= n)
      {
        at.antisymmetric.conservativeResize(Eigen::NoChange, n + 1);
        at.antisymmetric.col(n) = at.modes.col(n);
      }
    return exchange.products(at.modes, at.modes).allFinite();
  }

  Index
  BorderedFrontier::n_critical(const FrontierState &at) const
  {
    const double nothing = same_eigenvalue / system.layout().size;
    return std::abs(at.outlook.second_eigenvalue) < nothing
             ? at.modes.cols()
             : std::max<Index>(1, at.modes.cols() - 1);
  }
} // namespace slender
