// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_curvature_shape_h
#define slender_models_rods_curvature_shape_h

#include <slender/models/rods/curvature_kernel.h>

#include <vector>

/// From strains along a rod to its shape. Lengths are in units of the rod's.
namespace slender::curvature
{
  /// Columns (twist, curvature 1, curvature 2), as many as a StrainField has.
  using Strains = Eigen::Matrix3Xd;

  struct Pose
  {
    Vector3 position;
    Vector4 frame;
  };

  /// A part of an element that is short enough for the Gauss rule, with what
  /// is known at the points of the rule.
  struct Piece
  {
    double                        length;
    AtPoints<1>                   s;
    std::array<Matrix3, n_points> frames;

    /// The strains on which the element depends, `first_strain` and those that
    /// follow it, and their shape functions.
    Index       first_strain;
    Index       n_strains;
    AtPoints<2> shape;
  };

  struct Shape
  {
    std::vector<Piece> pieces; ///< from the start of the rod to its end
    Pose               end;
  };

  enum class Interpolation
  {
    constant, ///< a strain for each element
    linear    ///< continuous, a strain for each end of an element
  };

  /// Strains along a rod that is divided into elements.
  class StrainField
  {
  public:
    StrainField(Interpolation              interpolation,
                const std::vector<double> &element_ends);

    Index
    n_elements() const;

    Index
    n_strains() const;

    double
    begin(Index element) const;

    double
    length(Index element) const;

    /// The strain at xi in [0, 1] of an element.
    Vector3
    value(const Strains &strains, Index element, double xi) const;

    /// The integrals over the rod of products of two shape functions.
    Eigen::MatrixXd
    overlaps() const;

    /// The shape of a rod that starts from a given pose.
    Shape
    integrate(const Strains &strains, const Pose &start) const;

    /// Goes along [xi_begin, xi_end] of an element: moves the pose and adds
    /// the pieces.
    void
    integrate(const Strains      &strains,
              Index               element,
              double              xi_begin,
              double              xi_end,
              Pose               &pose,
              std::vector<Piece> &pieces) const;

  private:
    Piece
    make_piece(Index element, double xi_begin, double xi_end) const;

    Index               strains_per_element;
    std::vector<double> ends;
  };
} // namespace slender::curvature

#endif
