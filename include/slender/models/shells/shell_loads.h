// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_loads_h
#define slender_models_shells_shell_loads_h

#include <slender/models/shells/shell_mesh.h>
#include <slender/models/shells/shell_term.h>

#include <functional>

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
  nodal_areas(const ShellMesh                              &mesh,
              const NodalVectors                           &positions,
              const std::function<double(const Vector3 &)> &factor = {});

  /// What of the rest length of an edge of the boundary belongs to each node.
  Vector
  nodal_lengths(const ShellMesh    &mesh,
                const NodalVectors &positions,
                int                 edge_id);

  /**
   * A pressure along the present normal: the force
   *
   *   Q(dx) = p int dx . (x,1 x x,2)
   *
   * whatever the edges do. Integration by parts shows what of its derivative is
   * not symmetric, an integral along the boundary with the present tangent x,t,
   *
   *   DQ(u)[v] - DQ(v)[u] = p int x,t . (v x u) dt.
   *
   * It vanishes, and Q has a potential, if at each point of the boundary the
   * displacements that are admitted are parallel to each other (two or three
   * directions are held), or are in a plane in which the edge lies (one
   * direction is held, across the edge: a plane of symmetry).
   *
   * The potential is minus the work on the way from rest, first along with what
   * is held and then straight to the state. On a way of displacements s u, with
   * s from 0 to 1, it is
   *
   *   p int u . (X,1 x X,2 + 1/2 (u,1 x X,2 + X,1 x u,2) + 1/3 u,1 x u,2).
   *
   * The points of integration are so many that integrals are exact: then all
   * this holds for the finite elements to round-off.
   */
  class FollowerPressure : public ShellTerm
  {
  public:
    explicit FollowerPressure(const ShellMesh &mesh);

    double pressure = 0.;

    /// Positions at rest, and with only what is held displaced. Finds out about
    /// the potential as far as this rank's edges are concerned.
    void
    set_reference(const NodalVectors &rest, const NodalVectors &held);

    /// Whether this rank's edges let the pressure have a potential. All ranks
    /// have to agree before the energy or the stiffness is asked for.
    bool
    edges_allow_potential() const
    {
      return is_admissible;
    }

    void
    set_potential(const bool has_it)
    {
      has_potential = has_it;
    }

    /// Zero without a potential.
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
    /// The work of a unit pressure on the way from `base` to base + u.
    double
    work(const NodalVectors &base, const NodalVectors &u) const;

    /// The columns of a cell's nodes.
    Eigen::Matrix3Xd
    of_cell(std::size_t cell, const NodalVectors &values) const;

    const ShellMesh &mesh;
    /// Of the cells' functions, a column per point: values times weights, and
    /// first derivatives.
    Eigen::MatrixXd weighted_values, derivatives_1, derivatives_2;
    NodalVectors    rest, held;
    bool            is_admissible = true, has_potential = true;
  };
} // namespace slender

#endif
