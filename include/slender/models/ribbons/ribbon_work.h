// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_ribbons_ribbon_work_h
#define slender_models_ribbons_ribbon_work_h

#include <slender/models/rods/curvature_loads.h>

#include <functional>
#include <vector>

/**
 * From the strains of a ribbon to its shape, and the work of loads on it.
 *
 * At a section of the ribbon five numbers m decide how what lies beyond it is
 * placed: twist, curvatures 1 and 2, the stretch of the centreline, and how far
 * the centre of mass of the section is from the centreline along director 2,
 *
 *   R' = R [kappa]x,   r' = (1 + epsilon) t,   r_mass = r + delta d2.
 *
 * With the force f(s) = F + (1 - s) w of all that acts beyond s the work is
 *
 *   W = int (1 + epsilon) f.t + delta w.d2 ds,
 *
 * and as a variation of the strain turns all that lies beyond by
 * d phi = R d kappa ds,
 *
 *   dW = int d kappa.R^T mu + d epsilon f.t + d delta w.d2 ds,
 *   mu(s) = mu(1) + int_s^1 (1 + epsilon) t x f + delta d2 x w ds.
 *
 * The second derivative with respect to kappa at a and m at b > a is
 *
 *   R(a)^T [S(b) R(b), t x f, d2 x w],   S = S(1) + int_s^1 T - tr(T) I ds,
 *   T = (1 + epsilon) t f^T + delta d2 w^T,
 *
 * as in curvature_loads.h, where epsilon = delta = 0. The five numbers are
 * functions of the unknowns of an element, linear ones but for the twist, which
 * may be bilinear.
 */
namespace slender::ribbons
{
  using curvature::AtPoints;
  using curvature::Loads;
  using curvature::Matrix3;
  using curvature::n_points;
  using curvature::Pose;

  /// The most unknowns on which an element depends.
  constexpr int max_local = 16;

  using LocalVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_local, 1>;
  using LocalMatrix = Eigen::
    Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_local, max_local>;

  /// What decides how the ribbon goes on.
  enum Measure
  {
    twist,
    curvature_1,
    curvature_2,
    stretch,
    mass_offset,
    n_measures
  };

  /// The measures at a point as functions of the element's unknowns.
  struct Measures
  {
    Eigen::Matrix<double, n_measures, 1> value;
    Eigen::Matrix<double, n_measures, Eigen::Dynamic, 0, n_measures, max_local>
      rate;

    Vector3
    kappa() const
    {
      return value.head<3>();
    }
  };

  /// A part of an element that is short enough for the Gauss rule.
  struct Piece
  {
    Index                          element;
    double                         length;
    AtPoints<1>                    s;
    AtPoints<1>                    xi; ///< in [0, 1] of the element
    std::array<Matrix3, n_points>  frames;
    std::array<Measures, n_points> points;
  };

  struct Shape
  {
    std::vector<Piece> pieces; ///< from the start to the end
    Pose               end;
  };

  /// A ribbon that is divided into elements, as the work of loads sees it.
  class Elements
  {
  public:
    virtual ~Elements() = default;

    explicit Elements(const std::vector<double> &element_ends);

    Index
    n_elements() const;

    double
    begin(Index element) const;

    double
    length(Index element) const;

    /// Numbers of the unknowns of an element; -1 for what is zero and no
    /// unknown.
    const std::vector<Index> &
    unknowns(Index element) const
    {
      return numbers[element];
    }

    Index
    n_unknowns() const
    {
      return n;
    }

    virtual Measures
    measures(Index element, double xi, const LocalVector &u) const = 0;

    /// The second derivative of the twist; empty where it is linear.
    virtual LocalMatrix
    twist_hessian(Index element, double xi) const = 0;

    LocalVector
    gather(Index element, const Vector &q) const;

    /// Goes along [xi_begin, xi_end] of an element: moves the pose and adds
    /// the pieces.
    void
    integrate(const Vector       &q,
              Index               element,
              double              xi_begin,
              double              xi_end,
              Pose               &pose,
              std::vector<Piece> &pieces) const;

    Shape
    integrate(const Vector &q, const Pose &start) const;

    double
    work(const Shape &shape, const Loads &loads) const;

    /// Added to the first entries of `gradient`, times `factor`.
    void
    add_work_gradient(const Shape &shape,
                      const Loads &loads,
                      double       factor,
                      Vector      &gradient) const;

    /// Added to the upper left corner of `hessian`, times `factor`.
    void
    add_work_hessian(const Shape     &shape,
                     const Loads     &loads,
                     double           factor,
                     Eigen::MatrixXd &hessian) const;

  protected:
    /// Called in the order of elements by the constructors of what derives from
    /// this. Numbers go up to the largest that was used.
    void
    add_element_unknowns(const std::vector<Index> &local);

  private:
    std::vector<double>             ends;
    std::vector<std::vector<Index>> numbers;
    Index                           n = 0;
  };
} // namespace slender::ribbons

#endif
