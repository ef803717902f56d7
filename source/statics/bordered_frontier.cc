// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_frontier.h>
#include <slender/statics/soft_modes.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    /// Two eigenvalues that differ by less than this, in units of that of a
    /// body which an energy of one deforms by its own size, are one: round-off
    /// decides between their modes.
    constexpr double same_eigenvalue = 1e-6;

    /// Modes are moved by this, at the point where they move most, to see how
    /// the Hessian changes.
    constexpr double difference = 1e-4;

    /// Root mean square of a step that makes no difference, once its effect on
    /// s is reckoned with.
    constexpr double settled = 1e-12;

    /// Steps that do not shrink any more below this are those of round-off.
    constexpr double round_off = 1e-10;

    /// An error of this size, of a mode of unit length, leaves no trace in its
    /// eigenvalue.
    constexpr double exact_mode = 1e-8, mode_round_off = 1e-6;

    /// Of a load on a mode, relative to both.
    constexpr double no_work = 1e-6;

    /// Loads that differ by less, in units of the box, may be taken for one
    /// where a frontier begins.
    constexpr double resolved_loads = 1e-2;

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

    /// Of modes, in search for the softest one.
    constexpr int n_looked_at = 6;

    /// The first column keeps its direction.
    void
    orthonormalise(Eigen::MatrixXd &columns, const Exchange &exchange)
    {
      for (Index k = 0; k < columns.cols(); ++k)
        {
          for (int pass = 0; pass < 2; ++pass)
            for (Index j = 0; j < k; ++j)
              columns.col(k) -=
                exchange.product(columns.col(j), columns.col(k)) *
                columns.col(j);
          columns.col(k) /=
            std::sqrt(exchange.product(columns.col(k), columns.col(k)));
        }
    }
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

  template <class Value, class Function>
  std::array<Value, 2>
  BorderedFrontier::by_controls(const Function &function) const
  {
    const std::vector<double> here = controls.unit_values();
    std::array<Value, 2>      result;
    for (std::size_t i = 0; i < 2; ++i)
      {
        const double step = controls.difference_step(i);
        controls.set_unit_value(i, here[i] + step);
        result[i] = function();
        controls.set_unit_value(i, here[i] - step);
        result[i] -= function();
        result[i] /= 2. * step;
        controls.set_unit_values(here);
      }
    return result;
  }

  bool
  BorderedFrontier::respond(Eigen::MatrixXd &columns,
                            Eigen::MatrixXd &forces) const
  {
    forces.setZero(base->modes.cols(), columns.cols());
    if (!bordered.solve(columns, forces))
      return false;
    forces = (base->turn.transpose() * forces).eval();
    // J V = -W S
    for (Index k = n_held; k < forces.rows(); ++k)
      columns -= base->vectors.col(k) * forces.row(k) / base->eigenvalues(k);
    if (options.kind == FrontierKind::pitchfork)
      {
        // Held modes stay as they are, measured by vectors without a trace of
        // anything symmetric.
        const auto            modes = base->vectors.leftCols(n_held);
        const auto            psi   = antisymmetric.leftCols(n_held);
        const Eigen::MatrixXd along = exchange.products(psi, modes)
                                        .partialPivLu()
                                        .solve(exchange.products(psi, columns));
        columns -= modes * along;
        forces.topRows(n_held) -=
          base->eigenvalues.head(n_held).asDiagonal() * along;
      }
    return true;
  }

  bool
  BorderedFrontier::take_borders(const Eigen::MatrixXd &modes,
                                 const bool             are_refined)
  {
    base.reset();
    if (!bordered.set_borders(modes, are_refined))
      return false;
    base.emplace();
    turn_modes(modes, bordered.reduced());
    return true;
  }

  void
  BorderedFrontier::turn_modes(const Eigen::MatrixXd &modes,
                               const Eigen::MatrixXd &S)
  {
    // If both have the same eigenvalue, any will do, and those of the last
    // point are kept.
    const Index      m = static_cast<Index>(modes.cols());
    Eigen::MatrixXd &C = base->turn;
    C.setIdentity(m, m);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(S);
    if (const Eigen::VectorXd &s = eigen.eigenvalues();
        s.maxCoeff() - s.minCoeff() > same_eigenvalue / system.layout().size)
      {
        C = eigen.eigenvectors();
        Index critical;
        C.row(0).cwiseAbs().maxCoeff(&critical);
        C.col(0).swap(C.col(critical));
        for (Index k = 0; k < m; ++k)
          C.col(k) *= C(k, k) < 0. ? -1. : 1.;
      }
    base->modes       = modes * C;
    base->vectors     = bordered.vectors() * C;
    base->eigenvalues = (C.transpose() * S * C).diagonal();
  }

  bool
  BorderedFrontier::linearise(const FrontierState &at)
  {
    const Vector &q = at.q;
    controls.set_unit_values({at.u[0], at.u[1]});
    tangent.hold_hessian(q);
    if (!take_borders(at.modes))
      return false;
    // Of the bordered matrix | J W; W^T 0 | as many eigenvalues are negative as
    // of J and of S together (Haynsworth), and as there are modes plus those
    // that J has across them. Both counts are of one factorisation, so that
    // whatever sign it gives to what is about to vanish does not matter.
    if (const Inertia inertia = tangent.inertia();
        inertia.zero < system.layout().size)
      base->n_negative_across = inertia.negative - system.n_multipliers() +
                                bordered.n_negative_reduced() - at.modes.cols();
    // Of J only products are accurate in soft directions, not its entries, see
    // System::hessian_times.
    const Eigen::MatrixXd &V = bordered.vectors();
    Eigen::MatrixXd        JV(V.rows(), V.cols());
    for (Index k = 0; k < V.cols(); ++k)
      JV.col(k) = exchange.accumulated(system.hessian_times(q, V.col(k)));
    const Eigen::MatrixXd S = -exchange.products(V, JV);
    if (!S.allFinite())
      return false;
    turn_modes(at.modes, 0.5 * (S + S.transpose()));
    const auto gradient = [&] { return system.gradient(q); };
    const auto F_by_u   = by_controls<Vector>(gradient);

    const auto      m = at.modes.cols();
    Eigen::MatrixXd X(q.size(), 3), forces;
    X.col(0) = -exchange.accumulated(gradient());
    for (Index i = 0; i < 2; ++i)
      X.col(1 + i) = -exchange.accumulated(F_by_u[i]);
    const Eigen::RowVector2d loads =
      exchange.products(X, X).diagonal().tail<2>().cwiseSqrt();
    if (options.kind == FrontierKind::pitchfork)
      {
        // A mode on which neither load works breaks the symmetry, as the
        // critical one does, and is held whatever its eigenvalue is.
        const Eigen::MatrixXd work =
          exchange.products(base->vectors, X.rightCols<2>());
        n_held = 1;
        while (n_held < m &&
               work.row(n_held).norm() < no_work * loads.maxCoeff())
          ++n_held;
      }
    if (!respond(X, forces))
      return false;

    // If that fails, the entries of J have to do.
    if (const auto refined = refined_vector(q))
      base->vectors.col(0) = *refined;
    const Vector v         = base->vectors.col(0);
    const auto   J_times_v = [&](const Vector &where) {
      return system.hessian_times(where, v);
    };
    const auto eigenvalue = [&] {
      return -exchange.product(v, exchange.accumulated(J_times_v(q)));
    };
    base->dq.resize(q.size(), 4);
    base->dq << X, v;
    base->force << forces.row(0), base->eigenvalues(0);
    // Third derivatives of the energy do not care about order.
    const double size  = exchange.largest(v);
    const Vector shift = (difference / size) * v;
    base->slope =
      exchange.accumulated((J_times_v(q - shift) - J_times_v(q + shift)) *
                           (size / (2. * difference)));
    base->s           = exchange.products(base->slope, base->dq);
    const auto s_by_u = by_controls<double>(eigenvalue);
    base->s += Eigen::RowVector4d(eigenvalue(), s_by_u[0], s_by_u[1], 0.);
    return base->s.allFinite() && base->force.allFinite();
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
        if (std::abs(gap) < same_eigenvalue / system.layout().size)
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

  std::optional<FrontierRate>
  BorderedFrontier::rate(const FrontierState &at)
  {
    // What leaves force and s as they are.
    Eigen::Vector3d z;
    if (options.kind == FrontierKind::fold)
      z = base->force.tail<3>().cross(base->s.tail<3>());
    else
      z << -base->s(2), base->s(1), 0.;
    const double length = z.head<2>().norm();
    if (!std::isfinite(length) || length == 0.)
      return {};
    z /= length;
    FrontierRate result{base->dq.rightCols<3>() * z, z.head<2>()};

    // The equations were linearised a little away from here, which stiff
    // strains notice: J q' + dF/du u' = 0 is to hold here.
    const double step        = controls.difference_step(0);
    const auto   gradient_at = [&](const double t) {
      controls.set_unit_values(
        {at.u[0] + t * result.u[0], at.u[1] + t * result.u[1]});
      return system.gradient(at.q);
    };
    const Vector by_u = (gradient_at(step) - gradient_at(-step)) / (2. * step);
    controls.set_unit_values({at.u[0], at.u[1]});
    Eigen::MatrixXd rest = -exchange.accumulated(
                      by_u + system.hessian_times(at.q, result.q)),
                    forces;
    if (!respond(rest, forces))
      return {};
    result.q += rest;
    return result;
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
    if (gap > same_eigenvalue / system.layout().size &&
        gap < resolved_loads * slope)
      {
        at.modes.col(0).swap(at.modes.col(1));
        return linearise(at);
      }
    return true;
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
          gap > same_eigenvalue / system.layout().size &&
          gap < doubtful_distance * slope)
        at.doubt = std::max(at.doubt, gap / slope);
    return true;
  }

  FrontierOutlook
  BorderedFrontier::outlook() const
  {
    FrontierOutlook result;
    // s by how far q moves along v, see linearise().
    result.cubic = -exchange.product(base->slope, base->vectors.col(0));
    // S has the opposite signs of J. The last mode is the one to watch; others
    // are critical together with the first by a symmetry.
    const Index last = base->eigenvalues.size() - 1;
    if (last > 0)
      {
        result.second_eigenvalue = -base->eigenvalues(last);
        result.second_distance =
          std::abs(base->eigenvalues(last) - base->eigenvalues(0)) /
          base->s.segment<2>(1).norm();
        result.second_breaks_symmetry = n_held > last;
      }
    if (base->n_negative_across >= 0)
      {
        result.n_unstable = base->n_negative_across;
        for (Index k = 1; k <= last; ++k)
          if (base->eigenvalues(k) > same_eigenvalue / system.layout().size)
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
