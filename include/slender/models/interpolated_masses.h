// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_interpolated_masses_h
#define slender_models_interpolated_masses_h

#include <slender/systems/kinetics.h>
#include <slender/systems/system.h>

#include <array>
#include <vector>

namespace slender
{
  /**
   * Kinetics of a body whose nodes have places among its unknowns: material
   * points between the nodes of a cell,
   *
   *   x_p = sum_a N_a(p) (X_a + unit u_a),
   *
   * with the numbers u_a of the node in the body's full_state(), the unit of
   * length of the unknowns and an offset X_a. Behind the points there may be
   * scalars: numbers of the full state that are coordinates themselves.
   */
  class InterpolatedMasses : public Kinetics
  {
  public:
    /// Where the three numbers of a node stand in the full state.
    using Node = std::array<Index, 3>;

    InterpolatedMasses(const System &system, double length_unit);

    /// Points between nodes: one row of shape values and one mass for each.
    void
    add_cell(const std::vector<Node> &nodes,
             const Eigen::Matrix3Xd  &offsets,
             const Eigen::MatrixXd   &shapes,
             const Vector            &masses);

    /// A node that is a point itself.
    void
    add_node(const Node &node, const Vector3 &offset, double mass);

    void
    add_scalar(Index position, double mass);

    /// To be called when all were added.
    void
    finish();

    bool
    is_linear() const override
    {
      return true;
    }

    Vector
    coordinates(const Vector &q) const override;

    Vector
    rates(const Vector &q, const Vector &direction) const override;

    void
    pull_back(const Vector &q,
              const Vector &forces,
              Vector       &gradient) const override;

    void
    add_hessian(const Vector &q,
                double        factor,
                const Vector &forces,
                HessianSink  &sink) const override;

    Moments
    moments(const Vector &q, const Vector &rates) const override;

    /// Scalars do not move.
    Vector
    rates_in(const Vector &q, const VelocityField &field) const override;

    Index
    n_points() const
    {
      return points;
    }

    Index
    n_scalars() const
    {
      return static_cast<Index>(scalars.size());
    }

  private:
    struct Cell
    {
      std::vector<Node> nodes;
      Eigen::Matrix3Xd  offsets;
      Eigen::MatrixXd   shapes;
      Eigen::MatrixXd   mass; ///< N^T diag(m) N unit^2
    };

    /// A node that is a point: without shape functions, as rods have thousands.
    struct Single
    {
      Node    node;
      Vector3 offset;
      double  mass;
    };

    /// What a node's numbers are in a full state.
    static Vector3
    at(const Vector &full, const Node &node)
    {
      return {full(node[0]), full(node[1]), full(node[2])};
    }

    bool
    is_unknown(const Index position) const
    {
      return position < system.layout().n_local();
    }

    const System       &system;
    double              unit;
    std::vector<Cell>   cells;
    std::vector<Single> singles; ///< their points come behind those of cells
    std::vector<Index>  scalars;
    std::vector<double> point_masses, scalar_masses;
    Index               points_of_cells = 0, points = 0;
  };
} // namespace slender

#endif
