// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/quaternion.h>
#include <slender/models/shells/koiter_shapes.h>
#include <slender/models/shells/koiter_shell.h>

namespace slender
{
  namespace
  {
    /// At the Gauss points of an edge: what the nodes of its cell, line by
    /// line, contribute to the position, to its derivative along the edge and
    /// to that into the cell.
    struct EdgeShapes
    {
      std::vector<Vector> position, along, into;
    };

    template <int k>
    EdgeShapes
    edge_shapes()
    {
      const koiter::Shapes<k> shapes;
      constexpr int           n_line = k + 1;
      EdgeShapes              result;
      for (int g = 0; g < n_line; ++g)
        {
          Vector position = Vector::Zero(n_line * n_line), along = position,
                 into = position;
          for (int i = 0; i < n_line; ++i)
            for (int j = 0; j < n_line; ++j)
              {
                into(i * n_line + j) = shapes.slope[i] * shapes.along[0](g, j);
                if (i == 0)
                  {
                    position(j) = shapes.along[0](g, j);
                    along(j)    = shapes.along[1](g, j);
                  }
              }
          result.position.push_back(position);
          result.along.push_back(along);
          result.into.push_back(into);
        }
      return result;
    }

    EdgeShapes
    edge_shapes(const int degree)
    {
      return degree == 2   ? edge_shapes<2>()
             : degree == 3 ? edge_shapes<3>()
                           : edge_shapes<4>();
    }
  } // namespace

  /**
   * A point on an edge of the boundary. Its directions are the derivatives t
   * of the position along the edge and s into the cell, which stretch, and the
   * normal n = s x t / |s x t|, which is of unit length.
   */
  class KoiterShell::EdgeMarker : public Marker
  {
  public:
    EdgeMarker(const KoiterShell &the_shell,
               std::vector<Index> nodes_of_cell,
               const double       side,
               const Vector      &position_shape,
               const Vector      &along_shape,
               const Vector      &into_shape)
      : shell(the_shell)
      , nodes(std::move(nodes_of_cell))
      , orientation(side)
      , position(position_shape)
      , along(along_shape)
      , into(into_shape)
    {}

    bool
    is_mine() const override
    {
      return true; // only the rank that owns the edge has one
    }

    std::array<bool, 3>
    rigid_directions() const override
    {
      return {{false, false, true}};
    }

    Linearisation
    linearise(const Vector &q) const override
    {
      const Trace   trace = trace_at(q);
      const double  L     = shell.length_unit;
      Linearisation result;
      result.numbers << L * trace.x, trace.t, trace.s, orientation * trace.n;
      const auto n_nodes = static_cast<Index>(nodes.size());
      result.rates.setZero(n_numbers, 3 * n_nodes);
      const auto identity = Eigen::Matrix3d::Identity();
      for (Index a = 0; a < n_nodes; ++a)
        {
          result.rates.block<3, 3>(0, 3 * a) = L * position(a) * identity;
          result.rates.block<3, 3>(3, 3 * a) = along(a) * identity;
          result.rates.block<3, 3>(6, 3 * a) = into(a) * identity;
          result.rates.block<3, 3>(9, 3 * a) = orientation / trace.size *
                                               trace.across *
                                               trace.normal_rate(*this, a);
          for (const Index unknown : shell.the_mesh.nodes[nodes[a]].unknowns)
            result.unknowns.push_back(unknown);
        }
      return result;
    }

    Eigen::MatrixXd
    curvature(const Vector &q, const Numbers &weights) const override
    {
      // Only the normal is not linear. With c = s x t, w the weight of the
      // normal, p = w - (w.n) n and derivatives c_1, c_2, c_12 of c,
      //
      //   w.n_12 = p.c_12/|c| - ((n.c_1)(p.c_2) + (p.c_1)(n.c_2)
      //                          + (w.n) c_1.(1 - n n^T) c_2)/|c|^2.
      const Trace   trace = trace_at(q);
      const Vector3 w     = orientation * weights.tail<3>();
      const double  wn    = w.dot(trace.n);
      const Vector3 p     = w - wn * trace.n;
      const double  c2    = trace.size * trace.size;

      const auto            n_nodes = static_cast<Index>(nodes.size());
      Eigen::MatrixXd       result(3 * n_nodes, 3 * n_nodes);
      const Eigen::Matrix3d px = quaternion::cross_matrix(p);
      for (Index a = 0; a < n_nodes; ++a)
        for (Index b = 0; b < n_nodes; ++b)
          {
            const Eigen::Matrix3d Ca = trace.normal_rate(*this, a),
                                  Cb = trace.normal_rate(*this, b);
            const Vector3 na         = Ca.transpose() * trace.n,
                          nb         = Cb.transpose() * trace.n,
                          pa = Ca.transpose() * p, pb = Cb.transpose() * p;
            result.block<3, 3>(3 * a, 3 * b) =
              -(na * pb.transpose() + pa * nb.transpose() +
                wn * Ca.transpose() * trace.across * Cb) /
                c2 -
              (into(a) * along(b) - into(b) * along(a)) / trace.size * px;
          }
      return result;
    }

  private:
    struct Trace
    {
      Vector3         x, t, s, n;
      double          size;   ///< |s x t|
      Eigen::Matrix3d across; ///< 1 - n n^T

      /// d(s x t)/dx_a.
      Eigen::Matrix3d
      normal_rate(const EdgeMarker &marker, const Index a) const
      {
        return marker.along(a) * quaternion::cross_matrix(s) -
               marker.into(a) * quaternion::cross_matrix(t);
      }
    };

    Trace
    trace_at(const Vector &q) const
    {
      const NodalVectors all = shell.positions(shell.full_state(q));
      Trace              trace;
      trace.x = trace.t = trace.s = Vector3::Zero();
      for (std::size_t a = 0; a < nodes.size(); ++a)
        {
          const Vector3 x = all.col(nodes[a]);
          trace.x += position(static_cast<Index>(a)) * x;
          trace.t += along(static_cast<Index>(a)) * x;
          trace.s += into(static_cast<Index>(a)) * x;
        }
      const Vector3 c = trace.s.cross(trace.t);
      trace.size      = c.norm();
      trace.n         = c / trace.size;
      trace.across =
        Eigen::Matrix3d::Identity() - trace.n * trace.n.transpose();
      return trace;
    }

    const KoiterShell &shell;
    std::vector<Index> nodes; ///< of the cell, line by line from the edge
    double             orientation;
    Vector             position, along, into;
  };

  std::vector<std::shared_ptr<const Marker>>
  KoiterShell::edge_points(const std::string &edge) const
  {
    const auto names = surface->edges();
    const auto found = names.find(edge);
    if (found == names.end())
      throw InputError("the surface has no edge '" + edge + "'");
    const EdgeShapes shapes  = edge_shapes(the_mesh.degree);
    const int        n_nodes = the_mesh.n_nodes_per_cell();
    std::vector<std::shared_ptr<const Marker>> points;
    for (std::size_t e = 0; e < the_mesh.boundary_edges.size(); ++e)
      if (the_mesh.boundary_edges[e].id == found->second)
        for (std::size_t g = 0; g < shapes.position.size(); ++g)
          points.push_back(std::make_shared<EdgeMarker>(
            *this,
            std::vector<Index>(&the_mesh.boundary_edge_nodes[n_nodes * e],
                               &the_mesh.boundary_edge_nodes[n_nodes * e] +
                                 n_nodes),
            the_mesh.boundary_edges[e].orientation[0],
            shapes.position[g],
            shapes.along[g],
            shapes.into[g]));
    return points;
  }
} // namespace slender
