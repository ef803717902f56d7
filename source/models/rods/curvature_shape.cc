// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/curvature_shape.h>

#include <algorithm>
#include <limits>

namespace slender::curvature
{
  namespace
  {
    /// An element that turns by more than this [rad] comes from a Newton step
    /// that went astray; to integrate it would take for ever.
    constexpr double absurd_turn = 100.;
  } // namespace

  StrainField::StrainField(const Interpolation        interpolation,
                           const std::vector<double> &element_ends)
    : strains_per_element(interpolation == Interpolation::linear ? 2 : 1)
    , ends(element_ends)
  {}

  Index
  StrainField::n_elements() const
  {
    return static_cast<Index>(ends.size()) - 1;
  }

  Index
  StrainField::n_strains() const
  {
    // Neighbours share all but one.
    return n_elements() + strains_per_element - 1;
  }

  double
  StrainField::begin(const Index element) const
  {
    return ends[element];
  }

  double
  StrainField::length(const Index element) const
  {
    return ends[element + 1] - ends[element];
  }

  Vector3
  StrainField::value(const Strains &strains,
                     const Index    element,
                     const double   xi) const
  {
    if (strains_per_element == 1)
      return strains.col(element);
    return (1. - xi) * strains.col(element) + xi * strains.col(element + 1);
  }

  Eigen::MatrixXd
  StrainField::overlaps() const
  {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n_strains(), n_strains());
    for (Index element = 0; element < n_elements(); ++element)
      if (strains_per_element == 1)
        result(element, element) += length(element);
      else
        result.block<2, 2>(element, element) +=
          length(element) / 6. *
          (Eigen::Matrix2d() << 2., 1., 1., 2.).finished();
    return result;
  }

  Piece
  StrainField::make_piece(const Index  element,
                          const double xi_begin,
                          const double xi_end) const
  {
    const AtPoints<1> xi =
      xi_begin + (xi_end - xi_begin) * rule().points.array();
    Piece piece;
    piece.length       = length(element) * (xi_end - xi_begin);
    piece.s            = begin(element) + length(element) * xi.array();
    piece.first_strain = element;
    piece.n_strains    = strains_per_element;
    if (strains_per_element == 1)
      piece.shape << AtPoints<1>::Ones(), AtPoints<1>::Zero();
    else
      piece.shape << AtPoints<1>::Ones() - xi, xi;
    return piece;
  }

  void
  StrainField::integrate(const Strains      &strains,
                         const Index         element,
                         const double        xi_begin,
                         const double        xi_end,
                         Pose               &pose,
                         std::vector<Piece> &pieces) const
  {
    const double turn_of_all =
      length(element) * (xi_end - xi_begin) *
      std::max(value(strains, element, xi_begin).norm(),
               value(strains, element, xi_end).norm());
    const bool is_absurd = !(turn_of_all < absurd_turn);
    if (is_absurd)
      pose.frame.setConstant(std::numeric_limits<double>::quiet_NaN());

    const int n =
      is_absurd ? 1 : 1 + static_cast<int>(turn_of_all / largest_turn);
    const double step = (xi_end - xi_begin) / n;
    for (int i = 0; i < n; ++i)
      {
        const double xi      = xi_begin + i * step;
        const double next    = i + 1 < n ? xi + step : xi_end;
        Piece        piece   = make_piece(element, xi, next);
        const auto   turning = turn(pose.frame,
                                  piece.length * value(strains, element, xi),
                                  piece.length * value(strains, element, next));
        piece.frames         = turning.frames;
        for (int g = 0; g < n_points; ++g)
          pose.position +=
            piece.length * rule().weights(g) * piece.frames[g].col(0);
        pose.frame = turning.end;
        pieces.push_back(piece);
      }
  }

  Shape
  StrainField::integrate(const Strains &strains, const Pose &start) const
  {
    Shape shape;
    shape.end = start;
    shape.pieces.reserve(2 * n_elements());
    for (Index element = 0; element < n_elements(); ++element)
      integrate(strains, element, 0., 1., shape.end, shape.pieces);
    return shape;
  }
} // namespace slender::curvature
