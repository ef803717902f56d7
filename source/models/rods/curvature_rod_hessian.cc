// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/curvature_rod.h>

#include <numeric>

namespace slender
{
  namespace
  {
    using curvature::n_points;

    /// Matrices at the points of a piece, each as a column of nine numbers.
    using MatrixAtPoints = curvature::AtPoints<9>;

    Eigen::Map<Eigen::Matrix3d>
    at(MatrixAtPoints &values, const int g)
    {
      return Eigen::Map<Eigen::Matrix3d>(values.col(g).data());
    }
  } // namespace

  void
  CurvatureRod::add_elastic_hessian(Eigen::MatrixXd &H) const
  {
    const Index n = n_columns_of_element();
    for (Index element = 0; element < discretisation.elements; ++element)
      {
        const double length = ends[element + 1] - ends[element];
        for (Index i = element; i < element + n; ++i)
          for (Index j = element; j < element + n; ++j)
            {
              // Of the linear shape functions, or of a constant.
              const double overlap = n == 1 ? 1. : i == j ? 1. / 3. : 1. / 6.;
              H.block<3, 3>(3 * i, 3 * j).diagonal() +=
                length * overlap * stiffness;
            }
      }
  }

  Eigen::MatrixXd
  CurvatureRod::constraint_gradients(const Shape &shape) const
  {
    const auto turned =
      quaternion::right_matrix(shape.end.frame).rightCols<3>();

    Eigen::MatrixXd result(n_strain_unknowns(), n_multipliers());
    Index           column = 0;
    const auto      add    = [&](const Loads &unit_load) {
      const Strains work = work_gradient(shape, unit_load);
      for (Index i = 0; i < n_strain_unknowns(); ++i)
        result(i, column) = work.data()[unknown_strains[i]];
      ++column;
    };
    for (const int c : held_directions)
      {
        Loads unit_load;
        unit_load.end_force = Vector3::Unit(c);
        add(unit_load);
      }
    for (const int c : held_rotations)
      {
        Loads unit_load;
        unit_load.end_moment =
          0.5 * turned.transpose() * misalignment.row(c).transpose();
        add(unit_load);
      }
    return result;
  }

  Eigen::MatrixXd
  CurvatureRod::load_hessian(const Shape &shape, const Multipliers &held) const
  {
    const curvature::Rule &rule  = curvature::rule();
    const Index            modes = n_columns_of_element();
    const Index            n     = 3 * (discretisation.elements + modes - 1);

    // Rotations phi_a, then phi_b of the end (a nearer to the start) change
    // its quaternion q by phi_a phi_b q / 4 to second order.
    const Loads load = loads(shape.end.frame, held);
    const auto  turned =
      quaternion::right_matrix(shape.end.frame).rightCols<3>();
    const EndPotential V = end_potential(shape.end.frame, held);
    const Matrix3      S_end =
      0.25 * V.gradient.dot(shape.end.frame) * Matrix3::Identity() -
      0.25 * turned.transpose() * V.hessian * turned -
      0.5 * quaternion::cross_matrix(load.end_moment);

    // int R and int S R over the part beyond, for each strain; X is the
    // Hessian without what follows by symmetry.
    Matrix3          tension = Matrix3::Zero(); // int t f^T of all beyond
    Eigen::Matrix3Xd beyond  = Eigen::Matrix3Xd::Zero(3, n);
    Eigen::MatrixXd  X       = Eigen::MatrixXd::Zero(n, n);
    for (auto piece = shape.pieces.rbegin(); piece != shape.pieces.rend();
         ++piece)
      {
        MatrixAtPoints rate;
        for (int g = 0; g < n_points; ++g)
          at(rate, g) =
            piece->length * piece->frames[g].col(0) *
            (load.end_force + (1. - piece->s(g)) * load.weight).transpose();
        MatrixAtPoints inner_tension = -rate * rule.up_to_points;
        Eigen::Map<Eigen::Matrix<double, 9, 1>>(tension.data()) +=
          rate * rule.weights.transpose();

        // S R at the points, with the weight of the rule.
        MatrixAtPoints SR;
        for (int g = 0; g < n_points; ++g)
          {
            const Matrix3 T = tension + at(inner_tension, g);
            at(SR, g).noalias() =
              piece->length * rule.weights(g) *
              (S_end + T - T.trace() * Matrix3::Identity()) * piece->frames[g];
          }

        for (Index k = 0; k < modes; ++k)
          {
            MatrixAtPoints R;
            for (int g = 0; g < n_points; ++g)
              at(R, g) = piece->length * piece->shape(k, g) * piece->frames[g];
            MatrixAtPoints turns = R * rule.up_to_points;
            Matrix3        turn;
            Eigen::Map<Eigen::Matrix<double, 9, 1>>(turn.data()) =
              R * rule.weights.transpose();

            const Index row = 3 * (piece->element + k);
            X.middleCols<3>(row).noalias() -= beyond.transpose() * turn;
            for (int g = 0; g < n_points; ++g)
              {
                const Matrix3 product = at(turns, g).transpose() * at(SR, g);
                for (Index m = 0; m < modes; ++m)
                  X.block<3, 3>(row, 3 * (piece->element + m)) -=
                    piece->shape(m, g) * product;
              }
          }
        for (Index m = 0; m < modes; ++m)
          for (int g = 0; g < n_points; ++g)
            beyond.middleCols<3>(3 * (piece->element + m)) +=
              piece->shape(m, g) * at(SR, g);
      }
    return X + X.transpose();
  }

  void
  CurvatureRod::hessian(const Vector &q, HessianSink &sink) const
  {
    if (layout().n_owned() == 0)
      return;
    const Shape     shape      = integrate(strains_of(q));
    Eigen::MatrixXd of_strains = load_hessian(shape, multipliers_of(q));
    add_elastic_hessian(of_strains);

    const Index     n = n_strain_unknowns(), m = n_multipliers();
    Eigen::MatrixXd H(n + m, n + m);
    H.topLeftCorner(n, n)     = of_strains(unknown_strains, unknown_strains);
    H.topRightCorner(n, m)    = -constraint_gradients(shape);
    H.bottomLeftCorner(m, n)  = H.topRightCorner(n, m).transpose();
    H.bottomRightCorner(m, m) = Eigen::MatrixXd::Zero(m, m);

    std::vector<Index> all(n + m);
    std::iota(all.begin(), all.end(), 0);
    sink.add(all.data(), n + m, H.data());
  }
} // namespace slender
