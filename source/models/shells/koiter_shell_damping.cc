// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/shells/shell_damping.h>

namespace slender
{
  /// Angles across the edges of cells, which vanish as the mesh is refined, are
  /// not damped.
  class KoiterShell::StrainRates : public ShellDamping
  {
  public:
    StrainRates(const KoiterShell &the_shell, const DissipationOptions &options)
      : ShellDamping(options, the_shell.body)
      , shell(the_shell)
    {
      for (const Part &part : parts())
        {
          koiter::Law law = shell.law();
          law.poisson     = part.poisson;
          cells.push_back(koiter::make_cells(shell.the_mesh));
          cells.back()->set_rest(shell.rest, law);
          cells.back()->scale(part.membrane, part.bending);
        }
    }

    Vector
    strains(const Vector &q) const override
    {
      return cells[0]->forms(shell.positions(shell.full_state(q)));
    }

    void
    leave() const override
    {
      shell.terms[0] = shell.cells.get();
      joined.reset();
    }

  private:
    Vector
    strains_at_rest() const override
    {
      return cells[0]->forms(shell.rest);
    }

    double
    energy_at_rest(const std::size_t part, const Vector &origin) const override
    {
      return about(part, origin).energy(shell.rest);
    }

    Vector
    gradient_of(const std::size_t part,
                const Vector     &q,
                const Vector     &origin) const override
    {
      const NodalVectors x = shell.positions(shell.full_state(q));
      NodalVectors       g = NodalVectors::Zero(3, x.cols());
      about(part, origin).add_gradient(x, g);
      return shell.to_unknowns(g);
    }

    void
    add_hessian_of(const std::size_t part,
                   const Vector     &q,
                   const Vector     &origin,
                   HessianSink      &sink) const override
    {
      about(part, origin)
        .add_hessian(shell.positions(shell.full_state(q)), nullptr, sink);
    }

    bool
    has_quadratic_law() const override
    {
      return true;
    }

    void
    stiffen(const Vector &origin,
            const double  membrane,
            const double  bending) const override
    {
      joined = shell.cells->clone();
      joined->blend_natural(origin,
                            part_of_origin(membrane),
                            part_of_origin(bending));
      joined->scale(membrane, bending);
      shell.terms[0] = joined.get();
    }

    const koiter::Cells &
    about(const std::size_t part, const Vector &origin) const
    {
      cells[part]->set_natural(origin);
      return *cells[part];
    }

    const KoiterShell                          &shell;
    std::vector<std::unique_ptr<koiter::Cells>> cells; ///< of each part
    mutable std::unique_ptr<koiter::Cells> joined;     ///< with the elastic law
  };

  std::unique_ptr<Dissipation>
  KoiterShell::dissipation(const DissipationOptions &options) const
  {
    check_shell_damping(options);
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
