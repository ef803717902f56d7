// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_triangle_shell_h
#define slender_models_triangles_triangle_shell_h

#include <slender/models/model.h>
#include <slender/models/quantity.h>
#include <slender/models/shells/growing_shell.h>
#include <slender/models/shells/growth_samples.h>
#include <slender/models/triangles/triangle_elements.h>
#include <slender/models/triangles/triangle_mesh.h>
#include <slender/models/unknown_map.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/projective.h>

#include <memory>

namespace slender
{
  /// How a shell of triangles is discretised, besides the cells of its surface.
  struct TriangleShellDiscretisation
  {
    triangles::FoldRule     rule = triangles::FoldRule::tangent;
    triangles::MembraneKind membrane =
      triangles::MembraneKind::st_venant_kirchhoff;
    double               fold_factor = 3.; ///< of FoldRule::angle, vector
    TriangulationOptions triangulation;
  };

  /**
   * A thin shell of flat triangles with constant strains: mid-edge normals
   * (Weischedel 2012, Chen et al. 2018), hinges (Gingold et al. 2004) or the
   * bending energy of Discrete Shells (Grinspun et al. 2003), as the rule of
   * its discretisation has it; see triangles::Elements.
   *
   * The unknowns are displacements of vertices in units of the surface's size
   * and, for some rules, an angle for each edge; energies are in units of the
   * bending stiffness D.
   */
  class TriangleShell : public Model,
                        public Kinematics,
                        public GrowingShell,
                        public Projective
  {
  public:
    /// Throws InputError for a body or edges that the surface cannot have.
    TriangleShell(const ShellBody                   &body,
                  const RestSurface                 &surface,
                  const TriangleShellDiscretisation &discretisation,
                  MPI_Comm                           communicator);

    const Layout &
    layout() const override;

    int
    dimension() const override
    {
      return 2;
    }

    Vector
    initial_state() const override;

    /// Not with a follower pressure and a vertex of the boundary that is free.
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

    /// Of FoldRule::vector.
    void
    projective_tangent(HessianSink &sink) const override;

    Vector
    hessian_times(const Vector &q, const Vector &direction) const override;

    std::vector<Vector>
    free_motions(const Vector &q) const override;

    /// The vertices.
    std::unique_ptr<TouchingPoints>
    touching_points() const override;

    double
    displacement_scale() const override
    {
      return body.thickness / length_unit;
    }

    Vector
    full_state(const Vector &q) const override;

    /// By the numbers of vertices and edges in the mesh.
    Places
    unknown_places() const override;

    /// As KoiterShell measures.
    std::vector<Measurement>
    measure(const Vector &q) const override;

    Drawing
    draw(const Vector &q) const override;

    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const override;

    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override;

    double
    energy_unit() const override
    {
      return bending_stiffness();
    }

    /// D = E h^3 / 12 (1 - nu^2).
    double
    bending_stiffness() const;

    double
    size() const override
    {
      return length_unit;
    }

    const TriangleMesh &
    mesh() const
    {
      return the_mesh;
    }

    /// The numbers of this rank's triangles in the mesh.
    const std::vector<Index> &
    own_triangles() const
    {
      return triangle_numbers;
    }

    /**
     * The stress-free forms of this rank's triangles, in the order of
     * own_triangles(): plain 2 x 2 matrices in the coordinates along the sides
     * from a triangle's first corner to its second and third, for lengths in
     * units of size(). They hold until a parameter changes that the rest
     * depends on (a dimension, a natural curvature, the thickness).
     */
    const std::vector<triangles::Forms> &
    rest_forms() const
    {
      return rest;
    }

    /// Throws InputError for a metric that is not positive.
    void
    set_rest_forms(const std::vector<triangles::Forms> &forms);

    /// The forms of a state, likewise.
    std::vector<triangles::Forms>
    present_forms(const Vector &q) const;

    /// Membrane and bending energy of each of this rank's triangles [energy].
    std::vector<triangles::Energies>
    triangle_energies(const Vector &q) const;

    Vector
    transformed(
      const Vector &q,
      const std::function<Vector3(const Vector3 &rest, const Vector3 &present)>
        &f) const override;

    const ShellBody &
    description() const override
    {
      return body;
    }

    /// Linear on each triangle; nodes are this rank's vertices.
    SurfaceElements
    elements_of_surface() const override;

    /// It is linear along the sides of triangles.
    void
    set_moisture(const Eigen::Matrix2Xd &before,
                 const Eigen::Matrix2Xd &after) override;

    const NodalVectors &
    positions_at_rest() const override
    {
      return rest_positions;
    }

    NodalVectors
    node_positions(const Vector &q) const override
    {
      return configuration(full_state(q)).x;
    }

  protected:
    void
    parameters_changed() override;

  private:
    class StrainRates;

    struct Vertex
    {
      std::array<Index, 3> positions; ///< in the extended vector
      Index                number;    ///< in the mesh
    };

    void
    declare_parameters();

    void
    distribute(MPI_Comm communicator);

    std::vector<double>
    rest_numbers() const;

    triangles::Law
    law() const;

    /// All that follows from the positions at rest alone.
    void
    renew_shape();

    void
    renew_rest();

    /// What is stress-free in this rank's triangles, where the surface at rest
    /// has these forms: growth and natural curvatures.
    void
    grow(std::vector<triangles::Forms> &forms) const;

    /// What the law makes of a triangle, F being its sides in the frame of the
    /// natural direction.
    void
    grow_triangle(std::size_t            triangle,
                  const Eigen::Matrix2d &F,
                  triangles::Forms      &form) const;

    /// Of the thickness of one of this rank's triangles.
    double
    thickness_factor(std::size_t triangle) const;

    void
    renew_mirrors();

    triangles::NodalVectors
    dead_loads() const;

    Vector
    prescribed_displacements() const;

    Vector3
    held_position(const ShellEdge &edge, const Vector3 &x) const;

    triangles::Configuration
    configuration(const Vector &extended) const;

    /// A direction of unknowns, without prescribed values.
    triangles::Configuration
    direction_of_unknowns(const Vector &direction) const;

    Vector
    to_unknowns(const triangles::Configuration &values) const;

    triangles::Configuration
    elastic_gradient(const triangles::Configuration &at) const;

    void
    add_tangent(const Vector                  &q,
                const triangles::NodalVectors *previous,
                HessianSink                   &sink) const;

    /// Force of a follower pressure on this rank's triangles.
    void
    add_pressure(const triangles::NodalVectors &x,
                 triangles::NodalVectors       &g) const;

    void
    add_pressure_hessian(const triangles::NodalVectors &x,
                         HessianSink                   &sink) const;

    void
    find_points();

    ShellBody                    body;
    std::unique_ptr<RestSurface> surface;
    TriangleShellDiscretisation  discretisation;
    double                       length_unit;
    TriangleMesh                 the_mesh;
    std::vector<Vector3>         mesh_positions; ///< at rest, all, by the size

    UnknownMap                        map;
    std::vector<Vertex>               vertices;
    std::vector<Index>                triangle_numbers, edge_numbers;
    std::vector<Index>                tilt_positions, tilt_edges;
    std::vector<std::array<Index, 3>> vertex_unknowns;
    std::vector<int>                  holders; ///< of prescribed values
    /// With what damping adds in a time step, see Dissipation::join().
    mutable std::unique_ptr<triangles::Elements> elements;
    Index                                        n_dofs = 0;

    Layout             vertex_layout;  ///< one number for each vertex
    std::vector<Index> vertex_numbers; ///< local, in it, of `vertices`

    // Growth: its fields in triangles, and what is in the shell at its
    // vertices, if that is given.
    mutable GrowthSamples samples;
    Eigen::Matrix2Xd      moisture_before, moisture_after;

    // What depends on the rest state.
    std::vector<double>           numbers_of_rest, numbers_of_shape;
    std::vector<triangles::Forms> forms_of_surface; ///< at rest
    triangles::NodalVectors       rest_positions;
    std::vector<triangles::Forms> rest;
    /// Areas times factors of the thickness, this rank's parts.
    Vector                  vertex_volumes;
    triangles::NodalVectors vertex_normals;

    // What depends on the other parameters.
    triangles::NodalVectors loads;
    Vector                  prescribed;
    double                  follower = 0.;
    bool                    boundary_is_held;

    std::vector<Index> point_vertices; ///< local, or -1
  };

  /// The parameters and measurements of a shell of triangles.
  const Quantities &
  triangle_shell_quantities();
} // namespace slender

#endif
