// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/memory.h>
#include <slender/models/triangles/triangle_builders.h>
#include <slender/models/triangles/triangle_shell.h>

#include <deal.II/base/parameter_handler.h>

#include <sstream>

namespace slender
{
  namespace
  {
    using namespace dealii::Patterns;
    using triangles::FoldRule;
    using triangles::MembraneKind;

    /// What the models of triangles have in common.
    class TriangleShellBuilder : public ModelBuilder
    {
    public:
      TriangleShellBuilder(std::string section, const FoldRule rule)
        : name(std::move(section))
      {
        discretisation.rule = rule;
      }

      std::string
      section() const override
      {
        return name;
      }

      BodyKind
      body_kind() const override
      {
        return BodyKind::shell;
      }

      void
      declare(dealii::ParameterHandler &prm) override
      {
        prm.enter_subsection(section());
        declare_bending(prm);
        declare_membrane(prm);
        prm.add_parameter(
          "Triangles",
          triangulation,
          "How the cells of the surface are cut: 'regular' has all diagonals "
          "in one direction, 'alternating' in turn; of a rectangle also "
          "'equilateral', every other row shifted by half a cell, and "
          "'random', points shifted at random and joined as Delaunay would. "
          "Triangles from a file are taken as they are.",
          Selection("regular|alternating|equilateral|random"));
        prm.add_parameter("Random shift",
                          shift,
                          "How far 'random' shifts points at most [cell].",
                          Double(0., 0.45));
        prm.add_parameter("Random seed",
                          seed,
                          "From which number 'random' draws its shifts [1].",
                          Integer(0, 1000000));
        prm.leave_subsection();
      }

      void
      check_size(const double       n_cells,
                 const std::string &parameter_path) const override
      {
        // One vertex and three edges for each cell; a triangle couples all
        // unknowns of itself and its neighbours.
        const double n_unknowns =
          (triangles::has_tilt(rule()) ? 6. : 3.) * n_cells;
        constexpr double   n_coupled       = 57.;
        constexpr double   bytes_per_entry = sizeof(double) + sizeof(Index);
        std::ostringstream what;
        what << n_cells << " cells";
        if (n_unknowns > std::numeric_limits<Index>::max())
          throw InputError(what.str() + " have more unknowns than can be "
                                        "numbered",
                           parameter_path);
        check_memory(bytes_per_entry * n_coupled * n_unknowns,
                     what.str(),
                     parameter_path);
      }

      std::unique_ptr<Model>
      build(const ShellBody   &body,
            const RestSurface &surface,
            MPI_Comm           communicator) const override
      {
        TriangleShellDiscretisation how = discretisation;
        how.rule                        = rule();
        how.fold_factor                 = fold_factor();
        how.membrane                    = membrane_kind();
        how.triangulation.kind =
          triangulation == "alternating"   ? Triangulation::alternating
          : triangulation == "equilateral" ? Triangulation::equilateral
          : triangulation == "random"      ? Triangulation::random
                                           : Triangulation::regular;
        how.triangulation.shift = shift;
        how.triangulation.seed  = static_cast<unsigned int>(seed);
        const TriangulationOptions usual;
        if (triangulation != "random" &&
            (shift != usual.shift || seed != static_cast<int>(usual.seed)))
          throw InputError("'Random shift' and 'Random seed' mean something "
                           "for 'Triangles = random' only",
                           section() + "/Random shift");
        return std::make_unique<TriangleShell>(body,
                                               surface,
                                               how,
                                               communicator);
      }

    protected:
      virtual void
      declare_bending(dealii::ParameterHandler &)
      {}

      virtual void
      declare_membrane(dealii::ParameterHandler &prm)
      {
        prm.add_parameter("Membrane",
                          membrane,
                          "How triangles resist being stretched: 'st venant "
                          "kirchhoff' is quadratic in Green's strain, 'neo "
                          "hookean' resists being crushed.",
                          Selection("st venant kirchhoff|neo hookean"));
      }

      virtual MembraneKind
      membrane_kind() const
      {
        return membrane == "neo hookean" ? MembraneKind::neo_hookean
                                         : MembraneKind::st_venant_kirchhoff;
      }

      virtual FoldRule
      rule() const
      {
        return discretisation.rule;
      }

      virtual double
      fold_factor() const
      {
        return discretisation.fold_factor;
      }

    private:
      const std::string           name;
      TriangleShellDiscretisation discretisation;
      std::string                 membrane      = "st venant kirchhoff";
      std::string                 triangulation = "regular";
      double                      shift         = 0.25;
      int                         seed          = 1;
    };

    class MidedgeShellBuilder : public TriangleShellBuilder
    {
    public:
      MidedgeShellBuilder()
        : TriangleShellBuilder("Midedge shell", FoldRule::tangent)
      {}

    protected:
      void
      declare_bending(dealii::ParameterHandler &prm) override
      {
        prm.add_parameter("Normals",
                          normals,
                          "Normals of edges: 'average' takes the mean of both "
                          "triangles' weighted by their areas; 'sine' and "
                          "'tangent' have an angle for each edge as an unknown "
                          "and measure the tilt by its sine or tangent.",
                          Selection("average|sine|tangent"));
      }

      FoldRule
      rule() const override
      {
        return normals == "average" ? FoldRule::average
               : normals == "sine"  ? FoldRule::sine
                                    : FoldRule::tangent;
      }

    private:
      std::string normals = "tangent";
    };

    class DiscreteShellBuilder : public TriangleShellBuilder
    {
    public:
      DiscreteShellBuilder()
        : TriangleShellBuilder("Discrete shell", FoldRule::angle)
      {}

    protected:
      void
      declare_bending(dealii::ParameterHandler &prm) override
      {
        prm.add_parameter(
          "Bending",
          bending,
          "The factor of an edge's energy, D/2 |e|^2 / A theta^2 with the area "
          "A of both triangles: 1 ('cylinder') gives a cylinder the energy of "
          "the plate, 3 ('grinspun') a sphere without Poisson's ratio, 1/4 is "
          "'bridson'.",
          Selection("cylinder|grinspun|bridson"));
      }

      double
      fold_factor() const override
      {
        return bending == "bridson" ? 0.25 : bending == "grinspun" ? 3. : 1.;
      }

    private:
      std::string bending = "cylinder";
    };

    class ProjectiveShellBuilder : public TriangleShellBuilder
    {
    public:
      ProjectiveShellBuilder()
        : TriangleShellBuilder("Projective shell", FoldRule::vector)
      {}

    protected:
      void
      declare_bending(dealii::ParameterHandler &prm) override
      {
        prm.add_parameter(
          "Bending factor",
          alpha,
          "The factor alpha of the weight alpha D of an edge's energy, "
          "3/2 |e|^2 / A times the squared jump of the slope across it, with "
          "the area A of both triangles [1]; 1/3 is right for a cylinder.",
          Double(1e-6, 1e6));
      }

      void
      declare_membrane(dealii::ParameterHandler &) override
      {}

      MembraneKind
      membrane_kind() const override
      {
        return MembraneKind::isometric;
      }

      double
      fold_factor() const override
      {
        return 3. * alpha;
      }

    private:
      double alpha = 1. / 3.;
    };
  } // namespace

  std::unique_ptr<ModelBuilder>
  make_projective_shell_builder()
  {
    return std::make_unique<ProjectiveShellBuilder>();
  }

  std::unique_ptr<ModelBuilder>
  make_midedge_shell_builder()
  {
    return std::make_unique<MidedgeShellBuilder>();
  }

  std::unique_ptr<ModelBuilder>
  make_hinge_shell_builder()
  {
    return std::make_unique<TriangleShellBuilder>("Hinge shell",
                                                  FoldRule::half_tangent);
  }

  std::unique_ptr<ModelBuilder>
  make_discrete_shell_builder()
  {
    return std::make_unique<DiscreteShellBuilder>();
  }
} // namespace slender
