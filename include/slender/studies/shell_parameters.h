// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_shell_parameters_h
#define slender_studies_shell_parameters_h

#include <slender/studies/body_parameters.h>
#include <slender/studies/growth_parameters.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A user's own shell: the sections "Shell" (material), "Surface" (its shape
   * at rest, and how that is cut into cells), "Edge 1", "Edge 2", ... and
   * "Point 1", ... (how it is held and pulled at), "Loads" and "Growth" of a
   * parameter file.
   */
  class ShellParameters : public BodyParameters
  {
  public:
    void
    set_sections(const std::vector<std::string> &names) override;

    void
    declare(dealii::ParameterHandler &prm) override;

    void
    check() const override;

    std::unique_ptr<Model>
    build(const ModelBuilder &builder, MPI_Comm communicator) const override;

    std::vector<LoadTarget>
    loads() const override;

    void
    check_parameter(const std::string &name) const override;

    std::string
    path_of_load(const std::string &parameter) const override;

    /// The parameter "growth" is no load: the study makes the shell grow.
    void
    let_grow()
    {
      growth_is_load = false;
    }

    const GrowthParameters &
    growth_parameters() const
    {
      return growth;
    }

    const Vector3 &
    machine_direction() const
    {
      return natural_direction;
    }

    /// Its shape at rest.
    std::unique_ptr<RestSurface>
    surface() const
    {
      return make_rest_surface();
    }

    /// Without loads.
    ShellBody
    described_body() const
    {
      return unloaded_body();
    }

  private:
    struct Edge
    {
      std::string name;
      std::string hold = "free";
      std::string fixed_directions; ///< for hold = custom
      bool        normal_fixed           = false;
      Vector3     displacement_direction = Vector3::UnitX();
      double      displacement           = 0.;
      Vector3     rotation_axis          = Vector3::UnitX();
      Vector3     rotation_centre        = Vector3::Zero();
      double      rotation               = 0.;
      Vector3     load_direction         = -Vector3::UnitZ();
      double      load                   = 0.;
      double      moment                 = 0.;
    };

    struct Point
    {
      std::string name;
      std::string edge;
      Vector3     position = Vector3::Zero();
      std::string fixed_directions;
      Vector3     force_direction = -Vector3::UnitZ();
      double      force           = 0.;
    };

    void
    declare_surface(dealii::ParameterHandler &prm);

    void
    declare_edge(dealii::ParameterHandler &prm,
                 const std::string        &section,
                 Edge                     &edge);

    void
    declare_point(dealii::ParameterHandler &prm,
                  const std::string        &section,
                  Point                    &point);

    /// "Edge 7".
    static std::string
    numbered(const std::string &name, int i);

    /// From a list such as "x, z".
    static std::array<bool, 3>
    fixed_from(const std::string &directions);

    /// Before anything of that size is there.
    void
    check_size() const;

    /// Settings that do not belong to this shape.
    void
    check_surface() const;

    /// The parameters of the model that an edge or a point has.
    struct OwnLoads
    {
      std::vector<LoadTarget>  targets;
      std::vector<std::string> names; ///< of the settings, in that order
    };

    static OwnLoads
    loads_of(const Edge &edge);

    static OwnLoads
    loads_of(const Point &point);

    static ShellEdge
    make_edge(const Edge &edge);

    void
    check_edges(const RestSurface &surface) const;

    void
    check_points() const;

    void
    check_edge_parameter(const Edge        &edge,
                         const std::string &section,
                         const std::string &name) const;

    std::unique_ptr<RestSurface>
    make_rest_surface() const;

    ShellBody
    unloaded_body() const;

    double  young               = 1e6;
    double  poisson             = 0.35;
    double  thickness           = 1e-3;
    double  density             = 1000.;
    double  natural_curvature_1 = 0., natural_curvature_2 = 0.;
    Vector3 natural_direction = Vector3::UnitX();

    std::string shape           = "rectangle";
    double      length          = 1.;
    double      width           = 1.;
    double      radius          = 1.;
    double      inner_radius    = 0.5;
    double      start_angle     = 0.;
    double      angle           = 360.;
    double      bottom_latitude = 0., top_latitude = 72.;
    bool        slit = false;
    std::string mesh_file;
    int         refinements  = 0;
    bool        flip_normals = false;
    int         cells_u = 8, cells_v = 8;
    double      grading_u = 1., grading_v = 1.;

    // By the numbers of their sections; the first ones show what can be said.
    std::map<int, Edge>  edges  = {{1, {}}};
    std::map<int, Point> points = {{1, {}}};

    double      gravity           = 0.;
    Vector3     gravity_direction = -Vector3::UnitZ();
    Vector3     tilt_axis         = Vector3::UnitX();
    double      tilt              = 0.;
    double      pressure          = 0.;
    std::string pressure_kind     = "follower";
    std::string pressure_apex     = ""; ///< of older files; refused

    GrowthParameters growth;
    bool             growth_is_load = true;
  };
} // namespace slender

#endif
