// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/memory.h>
#include <slender/base/parameter_file.h>
#include <slender/models/model_list.h>
#include <slender/models/ribbons/developable_elements.h>
#include <slender/models/ribbons/ribbon.h>
#include <slender/models/ribbons/stretchable_elements.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/kirchhoff_rod.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/triangles/triangle_builders.h>
#include <slender/models/triangles/triangle_shell.h>

#include <deal.II/base/parameter_handler.h>

#include <iomanip>
#include <limits>
#include <sstream>

namespace slender
{
  namespace
  {
    using namespace dealii::Patterns;

    std::string
    amount(const double n, const std::string &what)
    {
      std::ostringstream text;
      text << std::setprecision(10) << n << ' ' << what;
      return text.str();
    }

    /// The matrix of a body is the least that has to be kept of it.
    void
    check_matrix_size(const double       n_unknowns,
                      const double       n_entries,
                      const std::string &what,
                      const std::string &parameter_path)
    {
      if (n_unknowns > std::numeric_limits<Index>::max())
        throw InputError(what + " have " + amount(n_unknowns, "unknowns") +
                           ", more than can be numbered (" +
                           std::to_string(std::numeric_limits<Index>::max()) +
                           ")",
                         parameter_path);
      constexpr double bytes_per_entry = sizeof(double) + sizeof(Index);
      check_memory(bytes_per_entry * n_entries, what, parameter_path);
    }

    void
    check_rod_size(const double       n_unknowns,
                   const double       n_entries,
                   const std::string &parameter_path)
    {
      check_matrix_size(n_unknowns,
                        n_entries,
                        amount(n_unknowns, "unknowns"),
                        parameter_path);
    }

    void
    declare_grading(dealii::ParameterHandler &prm, double &grading)
    {
      prm.add_parameter("Grading",
                        grading,
                        "Length of the last piece of the mesh over that of the "
                        "first [1]; the lengths in between grow "
                        "geometrically. Values above 1 refine towards the "
                        "start of the rod.",
                        Double(1e-6, 1e6));
    }

    void
    declare_constraint(dealii::ParameterHandler &prm, double &stiffness)
    {
      prm.add_parameter("Constraint stiffness",
                        stiffness,
                        "Stiffness that stands for 'does not stretch' (and "
                        "'does not shear') [bending stiffness / length^2]; "
                        "strains are of the order of the dimensionless load "
                        "over this number.",
                        Double(1., 1e14));
    }

    class KirchhoffRodBuilder : public ModelBuilder
    {
    public:
      std::string
      section() const override
      {
        return "Kirchhoff rod";
      }

      void
      declare(dealii::ParameterHandler &prm) override
      {
        prm.enter_subsection(section());
        prm.add_parameter("Elements",
                          discretisation.elements,
                          "Number of finite elements along the rod [1].",
                          Integer(1, 1000000));
        prm.add_parameter("Degree",
                          discretisation.degree,
                          "Polynomial degree of the elements [1].",
                          Integer(1, 10));
        declare_grading(prm, discretisation.grading);
        declare_constraint(prm, discretisation.constraint_stiffness);
        prm.leave_subsection();
      }

      std::unique_ptr<Model>
      build(const RodBody &body, MPI_Comm communicator) const override
      {
        // Seven unknowns at a node, coupled with those of their element.
        const double n_nodes =
          static_cast<double>(discretisation.elements) * discretisation.degree;
        check_rod_size(7. * n_nodes,
                       7. * n_nodes * 7. * (discretisation.degree + 1),
                       section() + "/Elements");
        return std::make_unique<KirchhoffRod>(body,
                                              discretisation,
                                              communicator);
      }

    private:
      KirchhoffRodDiscretisation discretisation;
    };

    class DiscreteElasticRodBuilder : public ModelBuilder
    {
    public:
      std::string
      section() const override
      {
        return "Discrete elastic rod";
      }

      void
      declare(dealii::ParameterHandler &prm) override
      {
        prm.enter_subsection(section());
        prm.add_parameter("Segments",
                          discretisation.segments,
                          "Number of straight segments [1].",
                          Integer(1, 10000000));
        declare_grading(prm, discretisation.grading);
        declare_constraint(prm, discretisation.constraint_stiffness);
        prm.leave_subsection();
      }

      std::unique_ptr<Model>
      build(const RodBody &body, MPI_Comm communicator) const override
      {
        // A bent joint couples three nodes and two angles.
        const double n_unknowns = 4. * discretisation.segments;
        check_rod_size(n_unknowns, n_unknowns * 11., section() + "/Segments");
        return std::make_unique<DiscreteElasticRod>(body,
                                                    discretisation,
                                                    communicator);
      }

    private:
      DiscreteElasticRodDiscretisation discretisation;
    };

    /// Super helix or super clothoid.
    class CurvatureRodBuilder : public ModelBuilder
    {
    public:
      CurvatureRodBuilder(const curvature::Interpolation strain,
                          const std::string             &section,
                          const int                      default_elements)
        : name(section)
      {
        discretisation.strain   = strain;
        discretisation.elements = default_elements;
      }

      std::string
      section() const override
      {
        return name;
      }

      void
      declare(dealii::ParameterHandler &prm) override
      {
        prm.enter_subsection(section());
        prm.add_parameter("Elements",
                          discretisation.elements,
                          "Number of elements along the rod [1]; the effort "
                          "grows with its third power.",
                          Integer(1, 2000));
        declare_grading(prm, discretisation.grading);
        prm.add_parameter(
          "Planar",
          discretisation.planar,
          "Let the rod bend about its director 1 alone, without "
          "twist and without curvature about director 2.");
        prm.leave_subsection();
      }

      std::unique_ptr<Model>
      build(const RodBody &body, MPI_Comm communicator) const override
      {
        // Every strain moves all that follows it.
        const double n_unknowns = 3. * discretisation.elements;
        check_rod_size(n_unknowns,
                       n_unknowns * n_unknowns,
                       section() + "/Elements");
        return std::make_unique<CurvatureRod>(body,
                                              discretisation,
                                              communicator);
      }

    private:
      const std::string          name;
      CurvatureRodDiscretisation discretisation;
    };

    /// What both ribbons have in common.
    class RibbonBuilder : public ModelBuilder
    {
    public:
      RibbonBuilder(const std::string &section,
                    const double       unknowns_per_element)
        : name(section)
        , n_per_element(unknowns_per_element)
      {}

      std::string
      section() const override
      {
        return name;
      }

      BodyKind
      body_kind() const override
      {
        return BodyKind::ribbon;
      }

      void
      declare(dealii::ParameterHandler &prm) override
      {
        prm.enter_subsection(section());
        prm.add_parameter("Elements",
                          n_elements,
                          "Number of elements along the ribbon [1]; the effort "
                          "grows with its third power.",
                          Integer(1, 2000));
        declare_grading(prm, grading);
        declare_energy(prm);
        prm.leave_subsection();
      }

      std::unique_ptr<Model>
      build(const RodBody &body, MPI_Comm communicator) const override
      {
        // Every strain moves all that follows it.
        const double n_unknowns = n_per_element * n_elements;
        check_rod_size(n_unknowns,
                       n_unknowns * n_unknowns,
                       section() + "/Elements");
        return std::make_unique<Ribbon>(
          body,
          make_elements(body, graded_points(n_elements, grading)),
          communicator);
      }

    protected:
      virtual void
      declare_energy(dealii::ParameterHandler &)
      {}

      virtual std::unique_ptr<ribbons::RibbonElements>
      make_elements(const RodBody             &body,
                    const std::vector<double> &points) const = 0;

    private:
      const std::string name;
      const double      n_per_element;
      int               n_elements = 20;
      double            grading    = 1.;
    };

    class SuperRibbonBuilder : public RibbonBuilder
    {
    public:
      SuperRibbonBuilder()
        : RibbonBuilder("Super ribbon", 2.)
      {}

      bool
      is_stiff_at_rest() const override
      {
        return false;
      }

    protected:
      void
      declare_energy(dealii::ParameterHandler &prm) override
      {
        prm.add_parameter("Energy",
                          energy,
                          "'wunderlich' is that of a ribbon of any width, "
                          "'sadowsky' the limit of narrow ones.",
                          Selection("wunderlich|sadowsky"));
        prm.add_parameter("Clamped edge",
                          clamped_edge,
                          "Whether the clamp holds the whole edge of the "
                          "ribbon, so that the straight lines of its surface "
                          "are parallel to it there, or the centreline alone.");
        prm.add_parameter("Slope stiffness",
                          slope_stiffness,
                          "Stiffness against a slope of the straight lines of "
                          "the surface, which a flat ribbon does not have by "
                          "itself [bending stiffness / length^2].",
                          Double(1e-14, 1.));
      }

      std::unique_ptr<ribbons::RibbonElements>
      make_elements(const RodBody             &body,
                    const std::vector<double> &points) const override
      {
        if (body.natural_curvature_2 != 0. || body.initial_strain(2) != 0.)
          throw InputError("a super ribbon does not bend in its own plane",
                           "Rod/Natural curvature 2");
        return std::make_unique<ribbons::DevelopableElements>(
          points,
          energy == "wunderlich" ? ribbons::DevelopableEnergy::wunderlich
                                 : ribbons::DevelopableEnergy::sadowsky,
          slope_stiffness,
          clamped_edge);
      }

    private:
      std::string energy          = "wunderlich";
      bool        clamped_edge    = true;
      double      slope_stiffness = 1e-8;
    };

    class StretchableRibbonBuilder : public RibbonBuilder
    {
    public:
      StretchableRibbonBuilder()
        : RibbonBuilder("Stretchable ribbon", 10.)
      {}

    protected:
      std::unique_ptr<ribbons::RibbonElements>
      make_elements(const RodBody             &body,
                    const std::vector<double> &points) const override
      {
        if (body.axial == 0.)
          throw InputError("a stretchable ribbon is extensible; for one that "
                           "is not there is 'super ribbon'",
                           "Rod/Inextensible");
        return std::make_unique<ribbons::StretchableElements>(points,
                                                              true,
                                                              false);
      }
    };

    class KoiterShellBuilder : public ModelBuilder
    {
    public:
      std::string
      section() const override
      {
        return "Koiter shell";
      }

      void
      declare(dealii::ParameterHandler &prm) override
      {
        prm.enter_subsection(section());
        prm.add_parameter("Degree",
                          discretisation.degree,
                          "Polynomial degree of the elements [1].",
                          Integer(2, 4));
        prm.add_parameter("Penalty",
                          discretisation.penalty,
                          "Multiple of (degree + 1)^2 in the penalty of kinks "
                          "between elements [1]; below about 0.5 a shell at "
                          "rest may be unstable.",
                          Double(0.01, 1e4));
        prm.leave_subsection();
      }

      BodyKind
      body_kind() const override
      {
        return BodyKind::shell;
      }

      void
      check_size(const double       n_cells,
                 const std::string &parameter_path) const override
      {
        // A cell has about degree^2 nodes of its own; penalties couple its
        // unknowns with those of its neighbours.
        const double degree     = discretisation.degree;
        const double n_unknowns = 3. * degree * degree * n_cells;
        const double n_coupled  = 3. * (degree + 1) * (3. * degree + 1.);
        check_matrix_size(n_unknowns,
                          n_unknowns * n_coupled,
                          amount(n_cells, "cells"),
                          parameter_path);
      }

      std::unique_ptr<Model>
      build(const ShellBody   &body,
            const RestSurface &surface,
            MPI_Comm           communicator) const override
      {
        const SurfaceMesh mesh = surface.mesh();
        for (const SurfaceMesh::Cell &cell : mesh.cells)
          if (cell.vertices[2] == cell.vertices[3])
            throw InputError("a koiter shell has quadrilaterals (in gmsh: "
                             "Recombine Surface{:}; and "
                             "Mesh.SubdivisionAlgorithm = 1;); triangles are "
                             "for 'midedge shell' and its like",
                             "Model");
        return std::make_unique<KoiterShell>(body,
                                             surface,
                                             discretisation,
                                             communicator);
      }

    private:
      KoiterShellDiscretisation discretisation;
    };
  } // namespace

  const Quantities &
  ModelBuilder::quantities() const
  {
    switch (body_kind())
      {
        case BodyKind::rod:
          return rod_quantities();
        case BodyKind::ribbon:
          return ribbon_quantities();
        case BodyKind::shell:
          break;
      }
    return dynamic_cast<const KoiterShellBuilder *>(this) != nullptr
             ? koiter_shell_quantities()
             : triangle_shell_quantities();
  }

  void
  ModelBuilder::check_size(double, const std::string &) const
  {}

  std::unique_ptr<Model>
  ModelBuilder::build(const RodBody &, MPI_Comm) const
  {
    throw std::logic_error(section() + " is not a model of rods");
  }

  std::unique_ptr<Model>
  ModelBuilder::build(const ShellBody &, const RestSurface &, MPI_Comm) const
  {
    throw std::logic_error(section() + " is not a model of shells");
  }

  const std::vector<ModelEntry> &
  model_list()
  {
    static const std::vector<ModelEntry> list = {
      {"kirchhoff rod",
       "finite elements for rods: centreline and quaternion as Lagrange fields",
       [] { return std::make_unique<KirchhoffRodBuilder>(); }},
      {"discrete elastic rod",
       "straight segments with material frames (Bergou et al. 2010)",
       [] { return std::make_unique<DiscreteElasticRodBuilder>(); }},
      {"super helix",
       "inextensible, strains constant in each element (Bertails et al. 2006)",
       [] {
         return std::make_unique<CurvatureRodBuilder>(
           curvature::Interpolation::constant, "Super helix", 30);
       }},
      {"super clothoid",
       "inextensible, strains linear and continuous (Casati and "
       "Bertails-Descoubes 2013)",
       [] {
         return std::make_unique<CurvatureRodBuilder>(
           curvature::Interpolation::linear, "Super clothoid", 20);
       }},
      {"koiter shell",
       "finite elements for thin plates and shells, C0 interior penalty",
       [] { return std::make_unique<KoiterShellBuilder>(); }},
      {"super ribbon",
       "inextensible strips with Wunderlich's energy (Charrondiere et al. "
       "2020)",
       [] { return std::make_unique<SuperRibbonBuilder>(); }},
      {"stretchable ribbon",
       "strips that stretch and bend in their plane, thin plates in one "
       "dimension",
       [] { return std::make_unique<StretchableRibbonBuilder>(); }},
      {"midedge shell",
       "triangles with normals on their edges (Weischedel 2012, Chen et al. "
       "2018)",
       make_midedge_shell_builder},
      {"hinge shell",
       "triangles with a shape operator from hinge angles (Gingold et al. "
       "2004)",
       make_hinge_shell_builder},
      {"discrete shell",
       "triangles with energies of folded edges (Grinspun et al. 2003)",
       make_discrete_shell_builder},
      {"projective shell",
       "triangles with the energies of projective dynamics (Bouaziz et al. "
       "2014)",
       make_projective_shell_builder}};
    return list;
  }

  const ModelEntry &
  find_model(const std::string &name)
  {
    std::vector<std::string> names;
    for (const ModelEntry &entry : model_list())
      if (entry.name == name)
        return entry;
      else
        names.push_back(entry.name);
    const auto near = nearest_name(name, names);
    throw InputError("there is no model '" + name + "'" +
                       (near ? "; did you mean '" + *near + "'?"
                             : "; --list shows all models"),
                     "Model");
  }
} // namespace slender
