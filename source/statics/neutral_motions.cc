// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/nox_vector.h>
#include <slender/statics/neutral_motions.h>
#include <slender/systems/kinematics.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    constexpr auto two_norm = NOX::Abstract::Vector::TwoNorm;

    /// A combination of motions that is smaller than this part of them is
    /// none: a straight rod that turns about its axis and spins back stands
    /// still but for round-off.
    constexpr double smallest_motion = 1e-6;

    /// How far above round-off something has to be to be seen.
    constexpr double margin = 10.;

    struct Motion
    {
      NoxVector rate;
      NoxVector force; ///< the Hessian times it

      double
      resistance() const
      {
        return force.norm(two_norm) / rate.norm(two_norm);
      }
    };

    /// Takes the one out for which a function is largest.
    template <class Function>
    Motion
    take_largest(std::vector<Motion> &motions, const Function &function)
    {
      const auto largest =
        std::max_element(motions.begin(),
                         motions.end(),
                         [&](const Motion &a, const Motion &b) {
                           return function(a) < function(b);
                         });
      const Motion result = *largest;
      motions.erase(largest);
      return result;
    }

    NoxVector
    product(const System &system, const Vector &q, const NoxVector &rate)
    {
      NoxVector result(system.layout());
      petsc::set_and_accumulate(
        result.handle(),
        system.hessian_times(q, petsc::local_values(rate.handle())));
      return result;
    }

    /// Forces below this are round-off: that of the Hessian's entries, and
    /// what is left of the gradient, which turns along with the body.
    double
    force_of_round_off(const System &system, const Vector &q)
    {
      NoxVector any(system.layout()), gradient(system.layout());
      any.random(true, 1);
      petsc::set_and_accumulate(gradient.handle(), system.gradient(q));
      const double of_hessian = std::numeric_limits<double>::epsilon() *
                                product(system, q, any).norm(two_norm) /
                                any.norm(two_norm);
      return margin * (of_hessian +
                       std::min(gradient.norm(two_norm), margin * of_hessian));
    }
  } // namespace

  std::vector<Vector>
  neutral_motions(const System &system, const Vector &q)
  {
    if (system.n_multipliers() > 0)
      return {};
    std::vector<Motion> motions, independent;
    for (const Vector &rate : free_motions(system, q))
      {
        Motion motion{NoxVector(system.layout(), rate),
                      NoxVector(system.layout())};
        if (const double size = motion.rate.norm(two_norm); size > 0.)
          {
            motion.rate.scale(1. / size);
            motions.push_back(motion);
          }
      }

    // An orthonormal basis of them.
    double smallest = 1.;
    while (!motions.empty())
      {
        Motion       next = take_largest(motions, [](const Motion &m) {
          return m.rate.norm(two_norm);
        });
        const double size = next.rate.norm(two_norm);
        if (size < smallest_motion)
          break;
        smallest = std::min(smallest, size);
        next.rate.scale(1. / size);
        for (const Motion &other : independent)
          next.rate.update(-other.rate.innerProduct(next.rate), other.rate, 1.);
        next.force = product(system, q, next.rate);
        for (Motion &other : motions)
          other.rate.update(-next.rate.innerProduct(other.rate), next.rate, 1.);
        independent.push_back(next);
      }
    if (independent.empty())
      return {};

    // What is left of the others when those that meet the largest resistance
    // are eliminated from them. The round-off of a motion that is small before
    // it is brought to unit length is as much larger.
    const double        negligible = force_of_round_off(system, q) / smallest;
    std::vector<Motion> neutral;
    while (!independent.empty())
      {
        const Motion next      = take_largest(independent, [](const Motion &m) {
          return m.resistance();
        });
        const double stiffness = std::abs(next.rate.innerProduct(next.force)) *
                                 static_cast<double>(system.layout().size) /
                                 next.rate.innerProduct(next.rate);
        if (next.resistance() <= negligible && stiffness <= negligible)
          {
            neutral.push_back(next);
            continue;
          }
        // All of the rest resists less, but may do more work.
        const double square = next.force.innerProduct(next.force);
        for (Motion &other : independent)
          {
            other.rate.update(-next.force.innerProduct(other.force) / square,
                              next.rate,
                              1.);
            other.force = product(system, q, other.rate);
          }
      }
    std::vector<Vector> result;
    for (std::size_t i = 0; i < neutral.size(); ++i)
      {
        NoxVector &rate = neutral[i].rate;
        for (std::size_t j = 0; j < i; ++j)
          rate.update(-neutral[j].rate.innerProduct(rate), neutral[j].rate, 1.);
        rate.scale(1. / rate.norm(two_norm));
        result.push_back(petsc::local_values(rate.handle()));
      }
    return result;
  }
} // namespace slender
