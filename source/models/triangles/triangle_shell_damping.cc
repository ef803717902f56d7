// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/shell_damping.h>
#include <slender/models/triangles/triangle_shell.h>

namespace slender
{
  using triangles::Configuration;
  using triangles::Elements;
  using triangles::NodalVectors;

  /**
   * Triangles whose natural metric and folds are those from which rates are
   * measured. The law is St. Venant and Kirchhoff's for any membrane, so that
   * the potential is quadratic in the rates; a membrane with lambda and mu of
   * its own is a second set of triangles.
   */
  class TriangleShell::StrainRates : public Dissipation
  {
  public:
    StrainRates(const TriangleShell      &the_shell,
                const DissipationOptions &options)
      : shell(the_shell)
      , own(options, shell.body)
      , stretch(options.stretch)
      , bending(options.bending)
    {
      parts.push_back({own.is_own ? 0. : stretch, bending, shell.body.poisson});
      if (own.is_own)
        parts.push_back({own.modulus, 0., own.poisson});
    }

    Vector
    strains(const Vector &q) const override
    {
      return shell.elements->strains(shell.configuration(shell.full_state(q)));
    }

    double
    potential(const Vector &rates) const override
    {
      // Of the body at rest, with the rates taken off its natural strains.
      const Configuration rest{shell.rest_positions,
                               Vector::Zero(static_cast<Index>(
                                 shell.tilt_positions.size()))};
      const Vector        origin = shell.elements->strains(rest) - rates;
      double              sum    = 0.;
      for (const Part &part : parts)
        {
          const triangles::Energies of = about(part, origin).energies(rest);
          sum += of.membrane + of.bending;
        }
      return sum;
    }

    void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 const double  rate,
                 const double  factor,
                 Vector       &gradient) const override
    {
      const Configuration at = shell.configuration(shell.full_state(q));
      Configuration       g{NodalVectors::Zero(3, at.x.cols()),
                      Vector::Zero(at.tilt.size())};
      for (const Part &part : parts)
        about(part, origin).add_gradient(at, g);
      gradient += factor * rate * shell.to_unknowns(g);
    }

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                const double  rate,
                const double  factor,
                HessianSink  &sink) const override
    {
      const Configuration at = shell.configuration(shell.full_state(q));
      ScaledSink          scaled(sink, factor * rate);
      for (const Part &part : parts)
        about(part, origin)
          .add_hessian(
            at, nullptr, shell.vertex_unknowns, shell.tilt_positions, scaled);
    }

    bool
    join(const Vector &origin,
         const double  rate,
         const double  factor) const override
    {
      if (own.is_own || shell.discretisation.membrane !=
                          triangles::MembraneKind::st_venant_kirchhoff)
        return false;
      // |e - e0|^2 + b |e - e1|^2 is (1 + b) |e - e2|^2 and a constant, with
      // e2 = (e0 + b e1)/(1 + b).
      const double membrane = factor * rate * stretch,
                   folding  = factor * rate * bending;
      elastic               = shell.elements->clone();
      elastic.swap(shell.elements);
      shell.elements->blend_natural(origin,
                                    membrane / (1. + membrane),
                                    folding / (1. + folding));
      shell.elements->scale(1. + membrane, 1. + folding);
      return true;
    }

    void
    leave() const override
    {
      if (elastic)
        shell.elements = std::move(elastic);
    }

  private:
    struct Part
    {
      double membrane, bending; ///< factors of the elastic law [time]
      double poisson;           ///< of the membrane
      mutable std::unique_ptr<Elements> elements = nullptr;
    };

    /// Those of a part with the given natural strains. Edges that are held are
    /// where they are now.
    const Elements &
    about(const Part &part, const Vector &origin) const
    {
      if (!part.elements)
        {
          triangles::Law law = shell.law();
          law.membrane       = triangles::MembraneKind::st_venant_kirchhoff;
          law.poisson        = part.poisson;
          part.elements = triangles::make_elements(shell.discretisation.rule);
          part.elements->triangles = shell.elements->triangles;
          part.elements->edges     = shell.elements->edges;
          part.elements->set_rest(shell.rest, law);
          part.elements->scale(part.membrane, part.bending);
        }
      part.elements->edges = shell.elements->edges;
      part.elements->blend_natural(origin, 1., 1.);
      return *part.elements;
    }

    const TriangleShell              &shell;
    const MembraneDamping             own;
    const double                      stretch, bending;
    std::vector<Part>                 parts;
    mutable std::unique_ptr<Elements> elastic; ///< while damping is joined
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
