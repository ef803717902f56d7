// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_koiter_edges_h
#define slender_models_shells_koiter_edges_h

#include <slender/models/shells/koiter_cells.h>

#include <map>

namespace slender::koiter
{
  /// What the tangent plane of an edge of the boundary is tied to.
  struct EdgeSupport
  {
    bool normal_fixed = false;
    /// The axis across a plane of symmetry, or -1 for a clamp, which keeps the
    /// direction that the surface has at rest.
    int symmetry_axis = -1;
    /// What turns the clamp.
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    /// Moment per rest length.
    double moment = 0.;
  };

  /// By the number of the edge.
  using EdgeSupports = std::map<int, EdgeSupport>;

  /**
   * What makes a surface of cells that are only continuous a smooth one, see
   * koiter_edge_kernel.h:
   *
   *   E = sum over edges of int {M} theta + sigma/(2 h) theta^2 ds,
   *
   * with the mean moment across the edge and 1/h the mean over both cells. On
   * clamped edges and edges of symmetry the other side is half of nothing: its
   * mirror image. That makes it M theta + sigma/h theta^2 with the angle to the
   * tangent plane that is prescribed.
   *
   * Moments at the boundary work on the same angle. It is followed through
   * whole turns from one accepted state to the next.
   */
  class Edges : public ShellTerm
  {
  public:
    /// Renews all that depends on the rest surface.
    virtual void
    set_rest(const NodalVectors &positions,
             const Law          &law,
             const EdgeSupports &supports) = 0;

    /// Renews rotations and moments.
    virtual void
    set_supports(const EdgeSupports &supports) = 0;

    virtual void
    commit(const NodalVectors &x) = 0;

    /// The angles at the last accepted state, see Model::history().
    virtual Vector
    history() const = 0;

    virtual void
    set_history(const Vector &history) = 0;

    virtual Places
    history_places() const = 0;
  };

  std::unique_ptr<Edges>
  make_edges(const ShellMesh &mesh);
} // namespace slender::koiter

#endif
