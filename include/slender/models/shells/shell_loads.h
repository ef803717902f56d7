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
   * volume between the surface, the planes in which its edges slide, and an
   * apex,
   *
   *   E = -p V,   V = 1/3 int x . (x,1 x x,2)
   *                 + 1/6 sum over planes of d int e . (x x x,t),
   *
   * x being measured from the apex; a plane has the normal e and the distance
   * d, and t runs along the edge. The variation of V is int dx . (x,1 x x,2),
   * which is the pressure's work, where edges are held or slide in such planes.
   * There is no potential for a pressure on a shell with a free edge: there
   * this one pulls at the edge, too.
   */
  class FollowerPressure : public ShellTerm
  {
  public:
    explicit FollowerPressure(const ShellMesh &mesh);

    double  pressure = 0.;
    Vector3 apex     = Vector3::Zero();

    /// Edges that slide in a plane across an axis, with their rest positions.
    void
    set_planes(const std::map<int, int> &axis_of_edge,
               const NodalVectors       &positions);

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

    /// A piece of an edge in a plane; `factor` is its sense.
    struct Piece
    {
      const Index *nodes;
      int          axis;
      double       factor, coordinate;
    };
    std::vector<Piece>  pieces;
    Eigen::MatrixXd     edge_values, edge_derivatives;
    std::vector<double> edge_weights;

    /// Columns x, x,t at a point of a piece, from the apex; and d times the
    /// factor of the piece's integral.
    Eigen::Matrix<double, 3, 2>
    at_point(const Piece &piece, std::size_t q, const NodalVectors &x) const;

    double
    factor(const Piece &piece) const
    {
      return -pressure * piece.factor * (piece.coordinate - apex(piece.axis)) /
             6.;
    }

    /// Columns x, x,1, x,2 at a point.
    Eigen::Matrix3d
    at_point(std::size_t cell, std::size_t q, const NodalVectors &x) const;
  };
} // namespace slender

#endif
