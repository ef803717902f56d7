// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_loads_h
#define slender_models_shells_shell_loads_h

#include <slender/models/shells/shell_mesh.h>
#include <slender/models/shells/shell_term.h>

namespace slender
{
  /// What of a rest surface belongs to each node: the integrals of the nodes'
  /// functions, and of these times the normal.
  struct NodalAreas
  {
    Vector       area;
    NodalVectors normal;
  };

  NodalAreas
  nodal_areas(const ShellMesh &mesh, const NodalVectors &positions);

  /// What of the rest length of an edge of the boundary belongs to each node.
  Vector
  nodal_lengths(const ShellMesh    &mesh,
                const NodalVectors &positions,
                int                 edge_id);

  /**
   * A pressure along the present normal. Its potential is the work on the
   * volume of the cone from an apex over the surface,
   *
   *   E = -p V,   V = 1/3 int (x - apex) . (x,1 x x,2),
   *
   * whose variation is int dx . (x,1 x x,2), the pressure's work, but for a
   * term along the boundary. That one vanishes where the boundary is held, or
   * slides in a plane through the apex; there is no potential at all for a
   * pressure on a free edge.
   */
  class FollowerPressure : public ShellTerm
  {
  public:
    explicit FollowerPressure(const ShellMesh &mesh);

    double  pressure = 0.;
    Vector3 apex     = Vector3::Zero();

    double
    energy(const NodalVectors &x) const override;

    void
    add_gradient(const NodalVectors &x, NodalVectors &g) const override;

    void
    add_hessian(const NodalVectors &x,
                const NodalVectors *previous,
                HessianSink        &sink) const override;

    void
    add_hessian_times(const NodalVectors &x,
                      const NodalVectors &dx,
                      NodalVectors       &g) const override;

  private:
    /// Values and first derivatives of the shape functions at the points, three
    /// rows each, and the weights.
    Eigen::MatrixXd     shapes;
    std::vector<double> weights;
    const ShellMesh    &mesh;

    /// Columns x - apex, x,1, x,2 at a point.
    Eigen::Matrix3d
    at_point(std::size_t cell, std::size_t q, const NodalVectors &x) const;
  };
} // namespace slender

#endif
