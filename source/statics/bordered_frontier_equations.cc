// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/bordered_frontier.h>
#include <slender/statics/frontier_modes.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// Modes are moved by this, at the point where they move most, to see how
    /// the Hessian changes; of folds, where digits of that tell of cusps.
    constexpr double difference = 1e-4, difference_at_folds = 5e-4;

    /// Of a load on a mode, relative to both, and of one on a mode of unit
    /// length, in units of the box. The load of an end that is moved is as
    /// large as the stiffness that it strains, and what round-off makes of it
    /// is, too, see linearise().
    constexpr double no_work = 1e-6, work_of_round_off = 1e-12;

    /// Differences of eigenvalues that count, over what round-off was seen to
    /// do.
    constexpr double over_round_off = 1000.;
  } // namespace

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
    base->same = same_eigenvalue / system.layout().size;
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
        s.maxCoeff() - s.minCoeff() > base->same)
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
    // Round-off of stiff bodies is what makes S unsymmetric. Modes that were
    // one at the last point, by a symmetry, are not told from each other by a
    // little more of it.
    const bool were_one = at.outlook.second_eigenvalue == 0.;
    base->same =
      std::max(base->same * (were_one ? over_round_off : 1.),
               over_round_off * (S - S.transpose()).cwiseAbs().maxCoeff());
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
        // critical one does, and is held whatever its eigenvalue is. One that
        // has the same eigenvalue by a symmetry must be: it cannot be divided
        // by that.
        const Eigen::MatrixXd work =
          exchange.products(base->vectors, X.rightCols<2>());
        const double largest    = loads.maxCoeff();
        const auto   breaks_too = [&](const Index k) {
          const bool is_partner =
            std::abs(base->eigenvalues(k) - base->eigenvalues(0)) < base->same;
          const double relative = no_work * largest;
          return work.row(k).norm() <
                 (is_partner
                      ? relative
                      : std::min(relative,
                               std::max(no_work, work_of_round_off * largest)));
        };
        n_held = 1;
        while (n_held < m && breaks_too(n_held))
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
    base->slope       = -exchange.accumulated(third_derivative(q, v));
    base->s           = exchange.products(base->slope, base->dq);
    const auto s_by_u = by_controls<double>(eigenvalue);
    base->s += Eigen::RowVector4d(eigenvalue(), s_by_u[0], s_by_u[1], 0.);
    return base->s.allFinite() && base->force.allFinite();
  }

  Vector
  BorderedFrontier::third_derivative(const Vector &q, const Vector &v) const
  {
    // They do not care about order: the one of E along two v's is that of J v
    // along v.
    const auto odd_part = [&](const double distance) -> Vector {
      const Vector shift = distance * v;
      return (system.hessian_times(q + shift, v) -
              system.hessian_times(q - shift, v)) /
             2.;
    };
    const double size = exchange.largest(v);
    if (options.kind == FrontierKind::pitchfork)
      return odd_part(difference / size) * (size / difference);
    // A displacement along v of h strains by h^2 and h^3 what is stiff, whose
    // stiffness K leaves an error of K h^2 in a difference of second order,
    // which would hide D^3 E(v, v, v) near a cusp if K is 1e10. In one of
    // fourth order it is K h^4, no more than round-off, K 1e-16 / h.
    const double h = difference_at_folds / size;
    return (8. * odd_part(h) - odd_part(2. * h)) / (6. * h);
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
} // namespace slender
