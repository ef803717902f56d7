// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_koiter_shell_h
#define slender_models_shells_koiter_shell_h

#include <slender/models/model.h>
#include <slender/models/quantity.h>
#include <slender/models/shells/growing_shell.h>
#include <slender/models/shells/growth_samples.h>
#include <slender/models/shells/koiter_edges.h>
#include <slender/models/shells/shell_loads.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/marker.h>

#include <memory>

namespace slender
{
  /// How a Koiter shell is discretised, besides the cells of its surface.
  struct KoiterShellDiscretisation
  {
    int degree = 3; ///< 2, 3 or 4
    /// Multiple of (degree + 1)^2 in the penalty of angles across edges.
    double penalty = 1.5;
  };

  /**
   * A geometrically exact thin shell with finite elements that are only
   * continuous (interior penalty): the energy is that of Koiter,
   *
   *   E = int h/8 |a - a0|^2_A + h^3/24 |b - b0|^2_A dA
   *     + sum over edges of int {M} theta + sigma D/(2 h_e) theta^2 ds - loads,
   *
   * with Lagrange functions of degree k for the three components of the
   * position. See koiter_kernel.h, koiter_edge_kernel.h, koiter_cells.h and
   * koiter_edges.h.
   *
   * The unknowns are the displacements of the nodes from the rest surface, in
   * units of its size. When a dimension of the surface changes (the parameter
   * "width" of a rectangle) the body therefore moves along, and an equilibrium
   * remains nearly one. Energies are in units of the bending stiffness D.
   */
  class KoiterShell : public Model, public Kinematics, public GrowingShell
  {
  public:
    /// Throws InputError for a body or edges that the surface cannot have.
    KoiterShell(const ShellBody                 &body,
                const RestSurface               &surface,
                const KoiterShellDiscretisation &discretisation,
                MPI_Comm                         communicator);

    const Layout &
    layout() const override;

    int
    dimension() const override
    {
      return 2;
    }

    Vector
    initial_state() const override;

    /// Not with a follower pressure on edges that are free, or slide in a
    /// surface that is not a plane across them; see FollowerPressure.
    bool
    has_potential() const override;

    double
    energy(const Vector &q) const override;

    Vector
    gradient(const Vector &q) const override;

    void
    hessian(const Vector &q, HessianSink &sink) const override;

    void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const override;

    Vector
    hessian_times(const Vector &q, const Vector &direction) const override;

    std::vector<Vector>
    free_motions(const Vector &q) const override;

    /// Its nodes.
    std::unique_ptr<TouchingPoints>
    touching_points() const override;

    double
    displacement_scale() const override
    {
      return body.thickness / length_unit;
    }

    Vector
    full_state(const Vector &q) const override;

    bool
    commit(const Vector &q) override;

    /// The angles at edges of the boundary, with their whole turns.
    Vector
    history() const override;

    void
    set_history(const Vector &history) override;

    /// By cells, since the numbering of nodes depends on the distribution.
    Places
    unknown_places() const override;

    Places
    history_places() const override;

    /**
     * For each point of the body "NAME x" and "NAME displacement x" (likewise
     * y and z), for each edge that is held "NAME force x", its reaction; the
     * largest displacement; membrane, bending and total energy.
     */
    std::vector<Measurement>
    measure(const Vector &q) const override;

    Drawing
    draw(const Vector &q) const override;

    /// Without that of rotation, which is smaller by the square of thickness
    /// over wavelength, as shear is that Koiter's shell does not have either.
    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const override;

    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override;

    /// Points along an edge, as something to take hold of; those of this rank.
    /// The shell has to outlive them. Of their directions only the third, the
    /// normal, moves rigidly.
    std::vector<std::shared_ptr<const Marker>>
    edge_points(const std::string &edge) const;

    Vector
    transformed(
      const Vector &q,
      const std::function<Vector3(const Vector3 &rest, const Vector3 &present)>
        &f) const override;

    SurfaceElements
    elements_of_surface() const override
    {
      return surface_elements(the_mesh);
    }

    void
    set_moisture(const Eigen::Matrix2Xd &before,
                 const Eigen::Matrix2Xd &after) override;

    const NodalVectors &
    positions_at_rest() const override
    {
      return rest;
    }

    NodalVectors
    node_positions(const Vector &q) const override
    {
      return positions(full_state(q));
    }

    const ShellBody &
    description() const override
    {
      return body;
    }

    /// D = E h^3 / 12 (1 - nu^2).
    double
    bending_stiffness() const;

    double
    energy_unit() const override
    {
      return bending_stiffness();
    }

    double
    size() const override
    {
      return length_unit;
    }

    const ShellMesh &
    mesh() const
    {
      return the_mesh;
    }

  protected:
    void
    parameters_changed() override;

  private:
    class EdgeMarker;
    class StrainRates;

    void
    declare_parameters();

    /// Numbers on which the rest state depends; when one of them changes it is
    /// renewed.
    std::vector<double>
    rest_numbers() const;

    void
    renew_rest();

    koiter::Law
    law() const;

    /// What the law of growth makes of a point.
    koiter::NaturalState
    natural_state(const koiter::RestPoint &point,
                  const Eigen::Matrix2d   &curvature) const;

    /// Of the thickness, at a position in units of the size.
    double
    thickness_factor(const Vector3 &position) const;

    koiter::EdgeSupports
    supports() const;

    /// Dead loads at the nodes.
    NodalVectors
    dead_loads() const;

    Vector
    prescribed_displacements() const;

    /// What the edges mean for the follower pressure; collective.
    void
    renew_follower();

    /// Where what holds an edge takes a point, in units of the size.
    Vector3
    held_position(const ShellEdge &edge, const Vector3 &x) const;

    NodalVectors
    positions(const Vector &extended) const;

    /// Values of nodes to those of local unknowns, and back.
    Vector
    to_unknowns(const NodalVectors &values) const;

    NodalVectors
    extended_to_nodes(const Vector &extended) const;

    NodalVectors
    elastic_gradient(const NodalVectors &x) const;

    void
    find_points();

    /// Of the edge on which a point is said to be, or -1.
    int
    edge_number(const ShellPoint &point) const;

    ShellBody                    body;
    std::unique_ptr<RestSurface> surface;
    KoiterShellDiscretisation    discretisation;
    double                       length_unit;
    ShellMesh                    the_mesh;

    std::unique_ptr<koiter::Cells> cells;
    std::unique_ptr<koiter::Edges> edges;
    FollowerPressure               follower;
    bool                           follower_has_potential = true;
    /// The first are the cells; with what damping adds to them while a time
    /// step is sought, see Dissipation::join().
    mutable std::vector<const ShellTerm *> terms;

    // What depends on the rest state.
    std::vector<double> numbers_of_rest;
    NodalVectors        rest; ///< positions in units of the size
    NodalAreas          areas;
    Vector              volumes; ///< areas times the factor of the thickness
    std::vector<Vector> edge_lengths; ///< one for each edge of the body

    // Growth: its fields at points of cells and edges, and what is in the shell
    // at its nodes, if that is given.
    mutable std::array<GrowthSamples, 2> samples;
    Eigen::Matrix2Xd                     moisture_before, moisture_after;

    // What depends on the other parameters.
    NodalVectors loads;
    Vector       prescribed;

    /// This rank's number of the node of each point, or -1.
    std::vector<Index> point_nodes;
  };

  /// The parameters and measurements of a Koiter shell.
  const Quantities &
  koiter_shell_quantities();
} // namespace slender

#endif
