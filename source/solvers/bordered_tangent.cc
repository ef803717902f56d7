// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/bordered_tangent.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

namespace slender
{
  namespace
  {
    /// Of vectors of about unit length, up to which solutions are accurate
    /// enough as they are.
    constexpr double largest_error = 1e-7;

    /// Of the eigenvalues of W^T J^-1 W; beyond it the smaller ones are lost in
    /// the round-off of the largest.
    constexpr double largest_ratio = 1e9;
  } // namespace

  BorderedTangent::BorderedTangent(const System  &the_system,
                                   SystemTangent &the_tangent)
    : system(the_system)
    , tangent(the_tangent)
    , exchange(system.layout())
  {}

  bool
  BorderedTangent::solve_inner(Eigen::MatrixXd &columns) const
  {
    if (!tangent.solve(columns))
      return false;
    for (Index k = 0; k < columns.cols(); ++k)
      columns.col(k) = exchange.with_ghosts(columns.col(k));
    return true;
  }

  bool
  BorderedTangent::set_borders(const Eigen::MatrixXd &borders,
                               const bool             are_refined)
  {
    const auto m = borders.cols();
    W            = borders;
    V            = W;
    if (!solve_inner(V))
      return false;
    // W^T J^-1 W = -S^-1. As large as J is near to singular.
    Eigen::MatrixXd inverse = exchange.products(W, V);
    inverse                 = 0.5 * (inverse + inverse.transpose()).eval();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(inverse);
    if (!eigen.eigenvalues().allFinite() ||
        (eigen.eigenvalues().array() == 0.).any())
      return false;
    S =
      -(eigen.eigenvectors() * eigen.eigenvalues().cwiseInverse().asDiagonal() *
        eigen.eigenvectors().transpose());
    n_negative = (eigen.eigenvalues().array() > 0.).count();
    V *= -S;
    const Eigen::ArrayXd sizes = eigen.eigenvalues().array().abs();
    if (sizes.maxCoeff() > largest_ratio * sizes.minCoeff() &&
        !set_one_by_one(borders))
      return false;
    is_inaccurate = false;
    if (!are_refined)
      return true;
    // What a solution is worth is seen from these.
    Eigen::MatrixXd rest = V, of_border = Eigen::MatrixXd::Zero(m, m);
    tangent.apply(rest);
    rest = -(rest + W * S);
    if (!solve_once(rest, of_border))
      return false;
    V += rest;
    S += of_border;
    is_inaccurate = exchange.products(rest, rest).trace() >
                    largest_error * largest_error * static_cast<double>(m);
    return true;
  }

  bool
  BorderedTangent::set_one_by_one(const Eigen::MatrixXd &borders)
  {
    W.resize(borders.rows(), 0);
    V.resize(borders.rows(), 0);
    S.resize(0, 0);
    n_negative = 0;
    for (Index k = 0; k < borders.cols(); ++k)
      {
        // J x + W y = w, W^T x = 0 with the borders so far, and w the next one:
        // it is v = x/sigma for sigma = w^T x, with S along (y, -1)/sigma, and
        // the columns before it lose what they have along w.
        const Vector    w = borders.col(k);
        Eigen::MatrixXd x = w, y = Eigen::MatrixXd::Zero(k, 1);
        if (!solve_once(x, y))
          return false;
        const double sigma = exchange.product(w, x.col(0));
        if (!std::isfinite(sigma) || sigma == 0.)
          return false;
        n_negative += sigma > 0. ? 1 : 0;
        Vector s(k + 1);
        s << y.col(0) / sigma, -1. / sigma;
        const Vector             v     = x.col(0) / sigma;
        const Eigen::RowVectorXd along = exchange.products(w, V);
        S.conservativeResizeLike(Eigen::MatrixXd::Zero(k + 1, k + 1));
        S.leftCols(k) -= s * along;
        S.col(k) = s;
        V.conservativeResize(Eigen::NoChange, k + 1);
        V.leftCols(k) -= v * along;
        V.col(k) = v;
        W        = borders.leftCols(k + 1);
      }
    S = 0.5 * (S + S.transpose()).eval();
    return true;
  }

  bool
  BorderedTangent::solve(Eigen::MatrixXd &F, Eigen::MatrixXd &G) const
  {
    if (!is_inaccurate)
      return solve_once(F, G);
    // Without pivoting an indefinite matrix loses digits, and where it is
    // singular what is left of F is known to round-off only, times one over the
    // eigenvalue: win them back.
    const Eigen::MatrixXd rhs_F = F, rhs_G = G;
    if (!solve_once(F, G))
      return false;
    Eigen::MatrixXd rest_F = F;
    tangent.apply(rest_F);
    rest_F                 = rhs_F - rest_F - W * G;
    Eigen::MatrixXd rest_G = rhs_G - exchange.products(W, F);
    if (!solve_once(rest_F, rest_G))
      return false;
    F += rest_F;
    G += rest_G;
    return true;
  }

  bool
  BorderedTangent::solve_once(Eigen::MatrixXd &F, Eigen::MatrixXd &G) const
  {
    const Eigen::MatrixXd Y = exchange.products(V, F) + S * G;
    F -= W * Y;
    if (!Y.allFinite() || !solve_inner(F))
      return false;
    const Eigen::MatrixXd along = G - exchange.products(W, F);
    F += V * along;
    G = Y;
    return along.allFinite();
  }
} // namespace slender
