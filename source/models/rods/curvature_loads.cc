// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/curvature_loads.h>

namespace slender::curvature
{
  namespace
  {
    /// A matrix at each of the points, as a column of nine numbers.
    using MatrixAtPoints = AtPoints<9>;
    using MatrixColumn   = Eigen::Matrix<double, 9, 1>;

    Eigen::Map<Matrix3>
    at(MatrixAtPoints &values, const int g)
    {
      return Eigen::Map<Matrix3>(values.col(g).data());
    }

    Matrix3
    integral(const MatrixAtPoints &values)
    {
      const MatrixColumn sum = values * rule().weights.transpose();
      return Eigen::Map<const Matrix3>(sum.data());
    }

    Vector3
    force_beyond(const Loads &loads, const double s)
    {
      return loads.end_force + (1. - s) * loads.weight;
    }

    /// S R at the points of a piece, with their weights; `tension`, int t f^T
    /// over all that lies beyond the piece, is moved to its beginning.
    /// `on_sections` is the force of what is on sections beyond.
    MatrixAtPoints
    weighted_SR(const Piece   &piece,
                const Loads   &loads,
                const Vector3 &on_sections,
                Matrix3       &tension)
    {
      MatrixAtPoints rate;
      for (int g = 0; g < n_points; ++g)
        at(rate, g) =
          piece.length * piece.frames[g].col(0) *
          (force_beyond(loads, piece.s(g)) + on_sections).transpose();
      tension += integral(rate);
      MatrixAtPoints before = rate * rule().up_to_points;

      MatrixAtPoints SR;
      for (int g = 0; g < n_points; ++g)
        {
          const Matrix3 T = tension - at(before, g);
          const Matrix3 S =
            loads.end_moment_change + T - T.trace() * Matrix3::Identity();
          at(SR, g).noalias() =
            piece.length * rule().weights(g) * S * piece.frames[g];
        }
      return SR;
    }
  } // namespace

  Eigen::Matrix<double, 4, 3>
  turned(const Vector4 &q)
  {
    return 0.5 * quaternion::right_matrix(q).rightCols<3>();
  }

  void
  turn_end(const Vector4                     &end_frame,
           const Vector4                     &gradient,
           const Eigen::Matrix<double, 4, 4> &hessian,
           Loads                             &loads)
  {
    const auto dphi  = turned(end_frame);
    loads.end_moment = -dphi.transpose() * gradient;
    // Rotations phi_a and phi_b that come in at a < b change the quaternion by
    // phi_a phi_b q / 4 to second order.
    loads.end_moment_change =
      0.25 * gradient.dot(end_frame) * Matrix3::Identity() -
      dphi.transpose() * hessian * dphi -
      0.5 * quaternion::cross_matrix(loads.end_moment);
  }

  double
  work(const Shape &shape, const Loads &loads)
  {
    double sum = 0.;
    for (const Piece &piece : shape.pieces)
      for (int g = 0; g < n_points; ++g)
        sum += piece.length * rule().weights(g) *
               force_beyond(loads, piece.s(g)).dot(piece.frames[g].col(0));
    return sum;
  }

  Strains
  work_gradient(const Shape &shape, const Loads &loads, const Index n_strains)
  {
    Strains result = Strains::Zero(3, n_strains);
    Vector3 moment = loads.end_moment; // at the beginning of a piece
    for (auto piece = shape.pieces.rbegin(); piece != shape.pieces.rend();
         ++piece)
      {
        AtPoints<3> rate;
        for (int g = 0; g < n_points; ++g)
          rate.col(g) = piece->length * piece->frames[g].col(0).cross(
                                          force_beyond(loads, piece->s(g)));
        moment += rate * rule().weights.transpose();
        const AtPoints<3> before = rate * rule().up_to_points;

        for (int g = 0; g < n_points; ++g)
          {
            const Vector3 in_frame = piece->length * rule().weights(g) *
                                     piece->frames[g].transpose() *
                                     (moment - before.col(g));
            for (Index i = 0; i < piece->n_strains; ++i)
              result.col(piece->first_strain + i) +=
                piece->shape(i, g) * in_frame;
          }
      }
    return result;
  }

  Eigen::MatrixXd
  work_hessian(const Shape &shape, const Loads &loads, const Index n_strains)
  {
    // One half: pairs of strains of which the first is nearer to the start;
    // the other half is its transpose.
    Eigen::MatrixXd half = Eigen::MatrixXd::Zero(3 * n_strains, 3 * n_strains);
    // int S R over all that lies beyond a piece, for each strain.
    Eigen::Matrix3Xd SR_beyond = Eigen::Matrix3Xd::Zero(3, 3 * n_strains);
    Matrix3          tension   = Matrix3::Zero();
    Vector3          force     = Vector3::Zero(); // on sections
    auto             next      = loads.on_sections.rbegin();
    for (auto piece = shape.pieces.rbegin(); piece != shape.pieces.rend();
         ++piece)
      {
        const auto number =
          static_cast<std::size_t>(shape.pieces.rend() - piece) - 1;
        for (; next != loads.on_sections.rend() && next->piece == number;
             ++next)
          {
            force += next->force;
            tension += next->couple;
          }
        MatrixAtPoints SR = weighted_SR(*piece, loads, force, tension);
        for (Index i = 0; i < piece->n_strains; ++i)
          {
            const Index    row = 3 * (piece->first_strain + i);
            MatrixAtPoints R;
            for (int g = 0; g < n_points; ++g)
              at(R, g) = piece->length * piece->shape(i, g) * piece->frames[g];
            half.middleCols<3>(row).noalias() +=
              SR_beyond.transpose() * integral(R);

            // Pairs of points within the piece.
            MatrixAtPoints before = R * rule().up_to_points;
            for (int g = 0; g < n_points; ++g)
              {
                const Matrix3 product = at(before, g).transpose() * at(SR, g);
                for (Index j = 0; j < piece->n_strains; ++j)
                  half.block<3, 3>(row, 3 * (piece->first_strain + j)) +=
                    piece->shape(j, g) * product;
              }
          }
        for (Index j = 0; j < piece->n_strains; ++j)
          for (int g = 0; g < n_points; ++g)
            SR_beyond.middleCols<3>(3 * (piece->first_strain + j)) +=
              piece->shape(j, g) * at(SR, g);
      }
    return half + half.transpose();
  }
} // namespace slender::curvature
