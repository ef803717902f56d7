// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_frontier.h>
#include <slender/statics/frontier_modes.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    /// Root mean square of a step that makes no difference, once its effect on
    /// s is reckoned with.
    constexpr double settled = 1e-12;

    /// Steps that do not shrink any more below this are those of round-off.
    constexpr double round_off = 1e-10;

    /// An error of this size, of a mode of unit length, leaves no trace in its
    /// eigenvalue.
    constexpr double exact_mode = 1e-8, mode_round_off = 1e-6;

    /// Modes that are critical at points this near to each other, in units of
    /// the box, may be taken for each other.
    constexpr double doubtful_distance = 1e-3;

    /// Of the modes with those that they are measured by.
    constexpr double least_overlap = 0.3;

    /// The square of what is left after a step of this size is negligible.
    constexpr double approached = 1e-8;

    /// Of the modes, before the equations are linearised anew.
    constexpr double largest_turn = 1e-3;

    /// Steps below this that do not shrink are those of round-off in s.
    constexpr double round_off_of_points = 1e-6;

    constexpr int most_chords = 12, most_iterations = 8;
  } // namespace

  BorderedFrontier::BorderedFrontier(Controls              &the_controls,
                                     const NewtonOptions   &the_newton,
                                     const FrontierOptions &the_options)
    : controls(the_controls)
    , system(controls.system())
    , options(the_options)
    , has_mixed_tangent(the_newton.mixed_tangent)
    , equilibrium(system, the_newton)
    , symmetric_state(system.initial_state())
    , tangent(system, the_newton.solver())
    , bordered(system, tangent)
    , exchange(system.layout())
  {}

  void
  BorderedFrontier::set_symmetric_state(const Vector &q)
  {
    symmetric_state = q;
  }

  std::optional<Vector>
  BorderedFrontier::settle(FrontierState &at)
  {
    controls.set_unit_values({at.u[0], at.u[1]});
    double          before = std::numeric_limits<double>::infinity();
    Eigen::MatrixXd step, forces;
    for (int i = 0; i < most_chords; ++i)
      {
        system.survey(at.q);
        step = -exchange.accumulated(system.gradient(at.q));
        if (!respond(step, forces))
          return {};
        at.slack          = forces(0, 0);
        const double size = root_mean_square(system.layout(), step.col(0));
        if (size < settled || (size < round_off && size > 0.7 * before))
          return step.col(0);
        if (!(size < 0.7 * before))
          return {};
        at.q += step.col(0);
        ++at.iterations;
        before = size;
      }
    return {};
  }

  bool
  BorderedFrontier::approach(FrontierState               &at,
                             const std::optional<Vector> &previous)
  {
    controls.set_unit_values({at.u[0], at.u[1]});
    const Vector          guess  = at.q;
    std::optional<Vector> before = previous;
    double                last   = std::numeric_limits<double>::infinity();
    Eigen::MatrixXd       step, forces;
    for (int i = 0; i < most_iterations; ++i)
      {
        system.survey(at.q);
        if (before && has_mixed_tangent)
          tangent.hold_newton_tangent(at.q, *before);
        else
          tangent.hold_hessian(at.q);
        step = -exchange.accumulated(system.gradient(at.q));
        if (!take_borders(at.modes, false) || !respond(step, forces))
          break;
        const double size = root_mean_square(system.layout(), step.col(0));
        // Not always smaller: the first tangents predict stresses.
        if (!(size < 10. * last))
          break;
        before = system.full_state(at.q);
        at.q += step.col(0);
        ++at.iterations;
        if (size < approached)
          return true;
        last = size;
      }
    // From farther away.
    const Equilibrium found =
      equilibrium.solve_held(guess, at.modes.col(0), previous);
    at.iterations += found.iterations;
    at.q = found.q;
    return found.converged();
  }

  std::optional<Vector>
  BorderedFrontier::refined_vector(const Vector &q) const
  {
    Vector v      = base->vectors.col(0);
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_chords; ++i)
      {
        Eigen::MatrixXd rest =
          -exchange.accumulated(system.hessian_times(q, v)) -
          base->modes.col(0) * base->eigenvalues(0);
        Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(base->modes.cols(), 1);
        if (!bordered.solve(rest, forces))
          return {};
        v += rest.col(0);
        const double size = std::sqrt(exchange.product(rest, rest));
        if (size < exact_mode || (size > 0.7 * before && size < mode_round_off))
          return v;
        if (!(size < 0.7 * before))
          return {};
        before = size;
      }
    return {};
  }

  std::optional<double>
  BorderedFrontier::eigenvalue_near(FrontierState &at)
  {
    FrontierState moved = at;
    const auto    rest  = settle(moved);
    const auto    v     = rest ? refined_vector(moved.q) : std::nullopt;
    if (!v)
      return {};
    const Vector Jv = exchange.accumulated(system.hessian_times(moved.q, *v));
    // Round-off of q in stiff strains is much of what is left of s.
    double s = exchange.product(base->slope, *rest) - exchange.product(*v, Jv);
    // S is not diagonal any more; its eigenvalue follows to second order.
    for (Index k = 1; k < base->modes.cols(); ++k)
      {
        const double beside = -exchange.product(base->vectors.col(k), Jv);
        const double gap    = base->eigenvalues(k) - s;
        if (std::abs(gap) < base->same)
          continue; // by a symmetry, which keeps S diagonal
        if (std::abs(beside) > largest_turn * std::abs(gap))
          return {};
        s -= beside * beside / gap;
      }
    moved.modes        = base->vectors;
    moved.modes.col(0) = *v;
    orthonormalise(moved.modes, exchange);
    at = moved;
    return s;
  }

  Eigen::Vector3d
  BorderedFrontier::newton_step(const FrontierState   &at,
                                const Eigen::Vector2d &across,
                                const double           distance,
                                const double           s) const
  {
    Eigen::Matrix3d A;
    Eigen::Vector3d b;
    A.row(0) = base->s.tail<3>();
    b(0)     = -s;
    A.row(1) << across.transpose(), across.isZero() ? 1. : 0.;
    b(1) = -distance;
    if (options.kind == FrontierKind::fold)
      {
        A.row(2) = base->force.tail<3>();
        b(2)     = -at.slack;
      }
    else
      {
        A.row(2) << 0., 0., 1.;
        b(2) = -exchange.product(antisymmetric.col(0), at.q - symmetric_state) /
               exchange.product(antisymmetric.col(0), base->vectors.col(0));
      }
    return A.partialPivLu().solve(b);
  }

  std::optional<FrontierState>
  BorderedFrontier::solve(const FrontierState         &guess,
                          const Eigen::Vector2d       &across,
                          const std::optional<Vector> &previous)
  {
    FrontierState at = guess;
    at.iterations    = 0;
    at.slack         = 0.;
    if (!complete_modes(at))
      return {};
    // Taken along as long as they tell how far q is along the modes: each new
    // one would bring in what round-off has broken of the symmetry so far.
    antisymmetric = at.antisymmetric;
    if (antisymmetric.cols() < at.modes.cols() ||
        std::abs(exchange.products(antisymmetric, at.modes).determinant()) <
          least_overlap)
      antisymmetric = at.modes;
    n_held = at.n_held;
    if (at.antisymmetric.cols() == 0 && !find_critical_mode(at))
      return {};
    if (!approach(at, previous) || !linearise(at))
      return {};
    at.slack    = base->force(0);
    double s    = base->s(0);
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration)
      {
        const Eigen::Vector3d z =
          newton_step(at, across, across.dot(at.u - guess.u), s);
        const Vector dq = base->dq.rightCols<3>() * z;
        const double size =
          std::hypot(root_mean_square(system.layout(), dq), z.head<2>().norm());
        const bool is_shrinking = size < 0.7 * last;
        if (!(size < 1. && (is_shrinking || size < round_off_of_points)))
          return {};
        const Vector before = system.full_state(at.q);
        at.q += dq;
        at.u += z.head<2>();
        // s has been looked at, and is as small as it can be made.
        if (iteration > 0 && (size < options.tolerance || !is_shrinking))
          return finished(at) ? std::optional<FrontierState>(at) : std::nullopt;
        last = size;
        if (const auto left = eigenvalue_near(at))
          s = *left;
        else
          {
            // Too far for the factorisation at hand.
            if (!approach(at, before) || !linearise(at))
              return {};
            at.slack = base->force(0);
            s        = base->s(0);
          }
      }
    return {};
  }

  bool
  BorderedFrontier::finished(FrontierState &at)
  {
    const auto along = rate(at);
    if (!along)
      return false;
    at.rate = *along;
    if (at.antisymmetric.cols() == 0)
      {
        // Inverse iteration has cleaned the modes.
        antisymmetric = base->vectors;
        orthonormalise(antisymmetric, exchange);
      }
    at.antisymmetric   = antisymmetric;
    at.n_held          = n_held;
    const double slope = base->s.segment<2>(1).norm();
    at.outlook         = outlook();
    at.doubt           = 0.;
    for (Index k = 1; k < at.modes.cols(); ++k)
      if (const double gap =
            std::abs(base->eigenvalues(k) - base->eigenvalues(0));
          gap > base->same && gap < doubtful_distance * slope)
        at.doubt = std::max(at.doubt, gap / slope);
    return true;
  }
} // namespace slender
