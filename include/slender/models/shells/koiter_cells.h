// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_koiter_cells_h
#define slender_models_shells_koiter_cells_h

#include <slender/models/shells/shell_body.h>
#include <slender/models/shells/shell_mesh.h>
#include <slender/models/shells/shell_term.h>

namespace slender::koiter
{
  /**
   * A point at which the stress-free state is asked for. Those of cells and
   * edges are numbered, the same at every renewal, so that what only depends on
   * the place can be kept.
   */
  struct RestPoint
  {
    enum class Kind
    {
      cell,
      edge,
      other ///< has no number
    };
    Kind        kind   = Kind::other;
    std::size_t number = 0;
    Vector3     position; ///< in units of the size
    std::size_t cell;     ///< ShellMesh::cell_key
    // The nodes whose values make those of nodal fields at the point.
    const Index  *nodes;
    const double *shapes;
    int           n_nodes;

    template <class Field> // columns are nodes
    auto
    interpolate(const Field &field) const
    {
      Eigen::Matrix<double, Field::RowsAtCompileTime, 1> sum =
        shapes[0] * field.col(nodes[0]);
      for (int a = 1; a < n_nodes; ++a)
        sum += shapes[a] * field.col(nodes[a]);
      return sum;
    }
  };

  /// What is stress-free at a point, in the orthonormal frame of the surface at
  /// rest along Law::direction and across it; factors of the thickness and of
  /// Young's modulus.
  struct NaturalState
  {
    Eigen::Matrix2d metric    = Eigen::Matrix2d::Identity();
    Eigen::Matrix2d curvature = Eigen::Matrix2d::Zero();
    double          thickness = 1., stiffness = 1.;
  };

  /// Material and stress-free state, with lengths in units of the body's size
  /// and energies in units of the bending stiffness.
  struct Law
  {
    double thickness = 1e-3;
    double poisson   = 0.35;
    /// Of the angles across edges, a multiple of 1/(size of the cell).
    double penalty = 20.;
    /// What is stress-free at a point where the rest surface has a curvature;
    /// if empty, that surface itself.
    std::function<NaturalState(const RestPoint       &point,
                               const Eigen::Matrix2d &curvature)>
      natural;
    /// Of the frame, made tangential.
    Vector3 direction = Vector3::UnitX();

    /// Of the membrane: K = 12/h^2.
    double
    membrane_stiffness() const
    {
      return 12. / (thickness * thickness);
    }
  };

  /**
   * Membrane and bending in the cells, see koiter_kernel.h,
   *
   *   E = sum over cells of int K/8 |a - a0|^2 + 1/2 |b - b0|^2 dA.
   *
   * The membrane part is integrated with k Gauss points per direction. That
   * alone would leave zero modes on a patch that nothing holds, so a fraction
   * min(1, h^2/cell area) of it is integrated like bending, with k + 1: enough
   * to resist, too little to lock.
   */
  class Cells : public ShellTerm
  {
  public:
    /// Renews all that depends on the rest surface.
    virtual void
    set_rest(const NodalVectors &positions, const Law &law) = 0;

    struct Energies
    {
      double membrane = 0., bending = 0.;
    };

    virtual Energies
    energies(const NodalVectors &x) const = 0;

    /// Metric and curvature at all points, the strains but for what is natural.
    virtual Vector
    forms(const NodalVectors &x) const = 0;

    /// Makes such forms the natural ones, instead of those of the rest surface.
    virtual void
    set_natural(const Vector &forms) = 0;

    /// Moves the natural forms towards others: the metric by one part of the
    /// way, the curvature by another one.
    virtual void
    blend_natural(const Vector &forms,
                  double        of_metric,
                  double        of_curvature) = 0;

    /// Multiplies the stiffness of the membrane and that of bending.
    virtual void
    scale(double membrane, double bending) = 0;

    virtual std::unique_ptr<Cells>
    clone() const = 0;
  };

  /// For degrees 2, 3 and 4; refers to the mesh.
  std::unique_ptr<Cells>
  make_cells(const ShellMesh &mesh);

  /// The stress-free forms at a point of the rest surface with a jet there,
  /// and factors of the stiffness of membrane and bending. `orientation` is
  /// that of the jet's normal.
  struct RestForms
  {
    Vector3 metric, curvature; ///< components 11, 22, 12
    double  membrane = 1., bending = 1.;
    double  thickness = 1.; ///< factor
  };

  /// Two orthonormal tangents, the first along a direction as far as that is
  /// tangential.
  Eigen::Matrix<double, 3, 2>
  tangent_frame(const Vector3 &normal, const Vector3 &direction);

  RestForms
  rest_forms(const Eigen::Matrix<double, 3, 5> &jet,
             const RestPoint                   &point,
             double                             orientation,
             const Law                         &law);
} // namespace slender::koiter

#endif
