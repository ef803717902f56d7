// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/segment_pair.h>

namespace slender::contact
{
  namespace
  {
    using SixByNine  = Eigen::Matrix<double, 6, 9>;
    using NineByNine = Eigen::Matrix<double, 9, 9>;

    /// The products' derivatives by (e1, e2, r).
    SixByNine
    rates(const FourPoints &x)
    {
      const Vector3 e1 = x.col(1) - x.col(0), e2 = x.col(3) - x.col(2),
                    r     = x.col(2) - x.col(0);
      SixByNine J         = SixByNine::Zero();
      J.block<1, 3>(0, 0) = 2. * e1.transpose();
      J.block<1, 3>(1, 3) = 2. * e2.transpose();
      J.block<1, 3>(2, 0) = r.transpose();
      J.block<1, 3>(2, 6) = e1.transpose();
      J.block<1, 3>(3, 3) = r.transpose();
      J.block<1, 3>(3, 6) = e2.transpose();
      J.block<1, 3>(4, 0) = e2.transpose();
      J.block<1, 3>(4, 3) = e1.transpose();
      J.block<1, 3>(5, 6) = 2. * r.transpose();
      return J;
    }

    /// From (e1, e2, r) to the four points: e1 = x1 - x0, e2 = x3 - x2,
    /// r = x2 - x0.
    template <class Rows>
    Eigen::Matrix<double, 12, Rows::ColsAtCompileTime>
    to_points(const Rows &g)
    {
      Eigen::Matrix<double, 12, Rows::ColsAtCompileTime> result;
      result.template middleRows<3>(0) =
        -g.template middleRows<3>(0) - g.template middleRows<3>(6);
      result.template middleRows<3>(3) = g.template middleRows<3>(0);
      result.template middleRows<3>(6) =
        g.template middleRows<3>(6) - g.template middleRows<3>(3);
      result.template middleRows<3>(9) = g.template middleRows<3>(3);
      return result;
    }
  } // namespace

  Products<double>
  products_of(const FourPoints &x)
  {
    const Vector3 e1 = x.col(1) - x.col(0), e2 = x.col(3) - x.col(2),
                  r = x.col(2) - x.col(0);
    return {e1.dot(e1), e2.dot(e2), e1.dot(r), e2.dot(r), e1.dot(e2), r.dot(r)};
  }

  Twelve
  gradient_of(const FourPoints &x, const Six &slope)
  {
    const Eigen::Matrix<double, 9, 1> g = rates(x).transpose() * slope;
    return to_points(g);
  }

  TwelveByTwelve
  hessian_of(const FourPoints &x, const Six &slope, const SixBySix &bend)
  {
    const SixByNine J = rates(x), FJ = bend * J;
    NineByNine      H = J.transpose() * FJ;
    for (int c = 0; c < 3; ++c)
      {
        // Second derivatives of the products, which are quadratic.
        H(c, c) += 2. * slope(0);
        H(3 + c, 3 + c) += 2. * slope(1);
        H(6 + c, 6 + c) += 2. * slope(5);
        H(c, 6 + c) += slope(2);
        H(6 + c, c) += slope(2);
        H(3 + c, 6 + c) += slope(3);
        H(6 + c, 3 + c) += slope(3);
        H(c, 3 + c) += slope(4);
        H(3 + c, c) += slope(4);
      }
    const Eigen::Matrix<double, 12, 9> half = to_points(H);
    return to_points(half.transpose().eval());
  }
} // namespace slender::contact
