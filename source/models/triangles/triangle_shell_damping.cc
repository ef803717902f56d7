// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/shell_damping.h>
#include <slender/models/triangles/triangle_shell.h>

namespace slender
{
  using triangles::Configuration;
  using triangles::Elements;
  using triangles::NodalVectors;

  /// The law is St. Venant and Kirchhoff's for any membrane, so that the
  /// potential is quadratic in the rates.
  class TriangleShell::StrainRates : public ShellDamping
  {
  public:
    StrainRates(const TriangleShell      &the_shell,
                const DissipationOptions &options)
      : ShellDamping(options, the_shell.body)
      , shell(the_shell)
    {
      for (const Part &part : parts())
        {
          triangles::Law law = shell.law();
          law.membrane       = triangles::MembraneKind::st_venant_kirchhoff;
          law.poisson        = part.poisson;
          elements.push_back(
            triangles::make_elements(shell.discretisation.rule));
          elements.back()->triangles = shell.elements->triangles;
          elements.back()->edges     = shell.elements->edges;
          elements.back()->set_rest(shell.rest, law);
          elements.back()->scale(part.membrane, part.bending);
        }
    }

    Vector
    strains(const Vector &q) const override
    {
      return shell.elements->strains(shell.configuration(shell.full_state(q)));
    }

    void
    leave() const override
    {
      if (elastic)
        shell.elements = std::move(elastic);
    }

  private:
    Configuration
    at_rest() const
    {
      return {shell.rest_positions,
              Vector::Zero(static_cast<Index>(shell.tilt_positions.size()))};
    }

    Vector
    strains_at_rest() const override
    {
      return shell.elements->strains(at_rest());
    }

    double
    energy_at_rest(const std::size_t part, const Vector &origin) const override
    {
      const triangles::Energies of = about(part, origin).energies(at_rest());
      return of.membrane + of.bending;
    }

    Vector
    gradient_of(const std::size_t part,
                const Vector     &q,
                const Vector     &origin) const override
    {
      const Configuration at = shell.configuration(shell.full_state(q));
      Configuration       g{NodalVectors::Zero(3, at.x.cols()),
                      Vector::Zero(at.tilt.size())};
      about(part, origin).add_gradient(at, g);
      return shell.to_unknowns(g);
    }

    void
    add_hessian_of(const std::size_t part,
                   const Vector     &q,
                   const Vector     &origin,
                   HessianSink      &sink) const override
    {
      about(part, origin)
        .add_hessian(shell.configuration(shell.full_state(q)),
                     nullptr,
                     shell.vertex_unknowns,
                     shell.tilt_positions,
                     sink);
    }

    bool
    has_quadratic_law() const override
    {
      return shell.discretisation.membrane ==
             triangles::MembraneKind::st_venant_kirchhoff;
    }

    void
    stiffen(const Vector &origin,
            const double  membrane,
            const double  bending) const override
    {
      elastic = shell.elements->clone();
      elastic.swap(shell.elements);
      shell.elements->blend_natural(origin,
                                    part_of_origin(membrane),
                                    part_of_origin(bending));
      shell.elements->scale(membrane, bending);
    }

    /// Edges that are held are where they are now.
    const Elements &
    about(const std::size_t part, const Vector &origin) const
    {
      elements[part]->edges = shell.elements->edges;
      elements[part]->blend_natural(origin, 1., 1.);
      return *elements[part];
    }

    const TriangleShell                   &shell;
    std::vector<std::unique_ptr<Elements>> elements; ///< of each part
    mutable std::unique_ptr<Elements>      elastic; ///< while damping is joined
  };

  std::unique_ptr<Dissipation>
  TriangleShell::dissipation(const DissipationOptions &options) const
  {
    check_shell_damping(options);
    if (discretisation.rule == triangles::FoldRule::vector)
      throw InputError("the projective shell has no damping by rates of "
                       "strains: 'Rayleigh alpha' and 'Rayleigh beta' damp it, "
                       "and other shells of triangles have it",
                       options.bending != 0. ? "Damping/Bending"
                                             : "Damping/Stretch");
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
