// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_integrator_h
#define slender_dynamics_integrator_h

#include <slender/base/types.h>

#include <string>
#include <vector>

namespace slender
{
  /// How a motion is stepped through time.
  enum class IntegratorKind
  {
    implicit_euler,    ///< first order, damps everything
    newmark,           ///< beta and gamma, second order at gamma = 1/2
    generalised_alpha, ///< second order, damps what a step cannot resolve
    bdf2,              ///< second order, damps, two steps
    implicit_midpoint, ///< second order, keeps momenta, damps nothing
    verlet             ///< second order, explicit: steps have a limit
  };

  struct IntegratorOptions
  {
    IntegratorKind kind = IntegratorKind::generalised_alpha;

    // Of Newmark's method: 1/4 and 1/2 is the average acceleration.
    double beta  = 0.25;
    double gamma = 0.5;

    /// Of the generalised alpha method: what remains, after one step, of an
    /// oscillation that is infinitely fast.
    double spectral_radius = 0.8;
  };

  /**
   * Where something is, how fast it moves and how that changes: coordinates of
   * a body, or anything that depends on them linearly.
   */
  struct Instant
  {
    Vector place, rate, second; ///< x, x', x''
    /// Of the generalised alpha method: the x'' at which forces balance, which
    /// is not quite the one that it integrates.
    Vector balanced;
    /// x and x' one step before, and that step's length; empty before the first
    /// one.
    Vector before, rate_before;
    double step_before = 0.;
  };

  /**
   * A time step as the stationary point of an energy,
   *
   *   E(q) + c/2 |y(q) - y0|^2_M ,
   *
   * springs of strength c between where the body is and where its inertia
   * would have taken it; and what the rates are once that point is known:
   *
   *   y' = k (y - y1) .
   *
   * The formulas of each method are in integrator.cc. Time is known as the part
   * of the step at whose end the forces balance: one, but one half for the
   * midpoint rule.
   */
  class Integrator
  {
  public:
    explicit Integrator(const IntegratorOptions &options);

    struct Springs
    {
      double strength; ///< c
      Vector origin;   ///< y0
      double rate;     ///< k
      Vector at_rest;  ///< y1
    };

    Springs
    springs(const Instant &now, double step) const;

    /// What becomes of the place where the springs are in balance: x, x', x''
    /// at the end of the step.
    Instant
    arrived(const Instant &now, const Vector &found, double step) const;

    /// When the forces balance, as a part of the step.
    double
    balance_time() const
    {
      return options.kind == IntegratorKind::implicit_midpoint ? 0.5 : 1.;
    }

    /// Whether x'' at the beginning of a step matters.
    bool
    needs_second() const
    {
      return options.kind == IntegratorKind::newmark ||
             options.kind == IntegratorKind::generalised_alpha ||
             options.kind == IntegratorKind::verlet;
    }

    /// Whether rates have no oscillations that steps do not resolve.
    bool
    damps_everything() const
    {
      return options.kind == IntegratorKind::implicit_euler ||
             options.kind == IntegratorKind::bdf2;
    }

    int
    order() const;

    /// An estimate of the error of places that a step has added: for each
    /// coordinate, that of its leading term.
    Vector
    local_error(const Instant &before, const Instant &after, double step) const;

  private:
    IntegratorOptions options;
    double            alpha_m = 0., alpha_f = 0., beta = 0.25, gamma = 0.5;
  };

  /// The rate at the end of the last of three moments, k (x - x1): the
  /// derivative of the parabola through them, or with none before a difference.
  struct BackwardDifference
  {
    double rate;   ///< k
    Vector origin; ///< x1
  };

  BackwardDifference
  backward_difference(const Vector &now,
                      const Vector &before,
                      double        step,
                      double        step_before);
} // namespace slender

#endif
