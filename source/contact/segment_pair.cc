// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/vectorised.h>
#include <slender/contact/segment_pair.h>

namespace slender::contact
{
  namespace
  {
    /// e1, e2 and r in columns.
    Eigen::Matrix3d
    three_vectors(const FourPoints &x)
    {
      Eigen::Matrix3d V;
      V << x.col(1) - x.col(0), x.col(3) - x.col(2), x.col(2) - x.col(0);
      return V;
    }

    // The derivative by one of the three vectors is a sum of the three,
    //
    //   dE/de1 = 2 E_D1 e1 + E_R e2 + E_S1 r,
    //   dE/de2 = E_R e1 + 2 E_D2 e2 + E_S2 r,
    //   dE/dr  = E_S1 e1 + E_S2 e2 + 2 E_C r,
    //
    // with these products and factors.
    constexpr int    number[3][3] = {{0, 4, 2}, {4, 1, 3}, {2, 3, 5}};
    constexpr double factor[3][3] = {{2., 1., 1.}, {1., 2., 1.}, {1., 1., 2.}};

    /// From (e1, e2, r) to the four points: e1 = x1 - x0, e2 = x3 - x2,
    /// r = x2 - x0.
    template <class Part, class Result>
    void
    to_points(const Part &g, Result &result)
    {
      result.template middleRows<3>(0) =
        -g.template middleRows<3>(0) - g.template middleRows<3>(6);
      result.template middleRows<3>(3) = g.template middleRows<3>(0);
      result.template middleRows<3>(6) =
        g.template middleRows<3>(6) - g.template middleRows<3>(3);
      result.template middleRows<3>(9) = g.template middleRows<3>(3);
    }
  } // namespace

  Twelve
  gradient_of(const FourPoints &x, const Six &slope)
  {
    const Eigen::Matrix3d       V = three_vectors(x);
    Eigen::Matrix<double, 9, 1> g;
    for (int a = 0; a < 3; ++a)
      {
        Vector3 parts;
        for (int m = 0; m < 3; ++m)
          parts(m) = factor[a][m] * slope(number[a][m]);
        g.segment<3>(3 * a).noalias() = V * parts;
      }
    Twelve result;
    to_points(g, result);
    return result;
  }

  SLENDER_VECTORISED TwelveByTwelve
  hessian_of(const FourPoints &x, const Six &slope, const SixBySix &bend)
  {
    // Blocks V K V^T, and multiples of one from the products' own second
    // derivatives.
    const Eigen::Matrix3d       V = three_vectors(x);
    Eigen::Matrix<double, 9, 9> H;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b)
        {
          Eigen::Matrix3d K;
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n)
              K(m, n) =
                factor[a][m] * factor[b][n] * bend(number[a][m], number[b][n]);
          Eigen::Matrix3d VK, block;
          VK.noalias()    = V * K;
          block.noalias() = VK * V.transpose();
          block.diagonal().array() += factor[a][b] * slope(number[a][b]);
          H.block<3, 3>(3 * a, 3 * b) = block;
          if (a != b)
            H.block<3, 3>(3 * b, 3 * a) = block.transpose();
        }
    Eigen::Matrix<double, 12, 9> half;
    to_points(H, half);
    TwelveByTwelve result;
    result.middleCols<3>(0) = -half.middleCols<3>(0) - half.middleCols<3>(6);
    result.middleCols<3>(3) = half.middleCols<3>(0);
    result.middleCols<3>(6) = half.middleCols<3>(6) - half.middleCols<3>(3);
    result.middleCols<3>(9) = half.middleCols<3>(3);
    return result;
  }
} // namespace slender::contact
