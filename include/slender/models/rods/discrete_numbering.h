// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_discrete_numbering_h
#define slender_models_rods_discrete_numbering_h

#include <slender/base/types.h>
#include <slender/models/rods/discrete_kernel.h>

#include <array>

/**
 * Degrees of freedom of a discrete rod, node by node: x_i, then the angle of
 * the edge behind. And the way to them from the edges (e, theta) that the
 * kernel knows.
 */
namespace slender::discrete_rod
{
  inline Index
  dof(const Index node, const int component)
  {
    return 4 * node + component;
  }

  /// Those of an inner joint: x, theta, x, theta, x.
  inline std::array<Index, 11>
  joint_dofs(const Index node)
  {
    std::array<Index, 11> dofs;
    for (int i = 0; i < 11; ++i)
      dofs[i] = dof(node - 1, 0) + i;
    return dofs;
  }

  /// Those of a joint between an edge and a clamp: x, theta, x.
  inline std::array<Index, 7>
  edge_dofs(const Index edge)
  {
    std::array<Index, 7> dofs;
    for (int i = 0; i < 7; ++i)
      dofs[i] = dof(edge, 0) + i;
    return dofs;
  }

  /// d(e, theta)/d(x, theta, x') of one edge.
  inline Eigen::Matrix<double, 4, 7>
  edge_map()
  {
    Eigen::Matrix<double, 4, 7> B = Eigen::Matrix<double, 4, 7>::Zero();
    B.block<3, 3>(0, 0)           = -Eigen::Matrix3d::Identity();
    B.block<3, 3>(0, 4)           = Eigen::Matrix3d::Identity();
    B(3, 3)                       = 1.;
    return B;
  }

  /// From the derivative with respect to (e0, theta0, e1, theta1) to that
  /// with respect to the eleven unknowns of an inner joint; cheaper than the
  /// product with the matrix that it stands for.
  inline Eigen::Matrix<double, 11, 1>
  to_joint_unknowns(const JointGradient &g)
  {
    Eigen::Matrix<double, 11, 1> result;
    result.segment<3>(0) = -g.segment<3>(0);
    result(3)            = g(3);
    result.segment<3>(4) = g.segment<3>(0) - g.segment<3>(4);
    result(7)            = g(7);
    result.segment<3>(8) = g.segment<3>(4);
    return result;
  }

  inline Eigen::Matrix<double, 11, 11>
  to_joint_unknowns(const JointHessian &H)
  {
    Eigen::Matrix<double, 11, 8> half;
    for (int j = 0; j < 8; ++j)
      half.col(j) = to_joint_unknowns(JointGradient(H.col(j)));
    Eigen::Matrix<double, 11, 11> result;
    for (int i = 0; i < 11; ++i)
      result.row(i) =
        to_joint_unknowns(JointGradient(half.row(i).transpose())).transpose();
    return result;
  }
} // namespace slender::discrete_rod

#endif
