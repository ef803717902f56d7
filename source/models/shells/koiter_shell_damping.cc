// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/shells/shell_damping.h>

namespace slender
{
  /**
   * Cells whose natural forms are those from which rates are measured. The
   * membrane may have a law of its own, then bending is another set of cells.
   * Angles across the edges of cells, which vanish as the mesh is refined, are
   * not damped.
   */
  class KoiterShell::StrainRates : public Dissipation
  {
  public:
    StrainRates(const KoiterShell &the_shell, const DissipationOptions &options)
      : shell(the_shell)
      , own(options, shell.body)
      , stretch(options.stretch)
      , bending(options.bending)
    {
      const koiter::Law elastic = shell.law();
      add_cells(elastic, own.is_own ? 0. : options.stretch, options.bending);
      if (own.is_own)
        {
          koiter::Law law = elastic;
          law.poisson     = own.poisson;
          add_cells(law, own.modulus, 0.);
        }
    }

    Vector
    strains(const Vector &q) const override
    {
      return cells[0]->forms(shell.positions(shell.full_state(q)));
    }

    double
    potential(const Vector &strains) const override
    {
      // Of the body at rest, with the strains taken off its natural forms.
      const Vector at_rest = cells[0]->forms(shell.rest);
      double       sum     = 0.;
      for (const auto &part : cells)
        {
          part->set_natural(at_rest - strains);
          sum += part->energy(shell.rest);
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
      const NodalVectors x = shell.positions(shell.full_state(q));
      NodalVectors       g = NodalVectors::Zero(3, x.cols());
      for (const auto &part : cells)
        {
          part->set_natural(origin);
          part->add_gradient(x, g);
        }
      gradient += factor * rate * shell.to_unknowns(g);
    }

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                const double  rate,
                const double  factor,
                HessianSink  &sink) const override
    {
      const NodalVectors x = shell.positions(shell.full_state(q));
      ScaledSink         scaled(sink, factor * rate);
      for (const auto &part : cells)
        {
          part->set_natural(origin);
          part->add_hessian(x, nullptr, scaled);
        }
    }

    bool
    join(const Vector &origin,
         const double  rate,
         const double  factor) const override
    {
      if (own.is_own)
        return false;
      // |e - e0|^2 + b |e - e1|^2 is (1 + b) |e - e2|^2 and a constant, with
      // e2 = (e0 + b e1)/(1 + b).
      const double membrane = factor * rate * stretch,
                   curving  = factor * rate * bending;
      joined                = shell.cells->clone();
      joined->blend_natural(origin,
                            membrane / (1. + membrane),
                            curving / (1. + curving));
      joined->scale(1. + membrane, 1. + curving);
      shell.terms[0] = joined.get();
      return true;
    }

    void
    leave() const override
    {
      shell.terms[0] = shell.cells.get();
      joined.reset();
    }

  private:
    void
    add_cells(const koiter::Law &law,
              const double       of_membrane,
              const double       of_bending)
    {
      cells.push_back(koiter::make_cells(shell.the_mesh));
      cells.back()->set_rest(shell.rest, law);
      cells.back()->scale(of_membrane, of_bending);
    }

    const KoiterShell                          &shell;
    const MembraneDamping                       own;
    const double                                stretch, bending;
    std::vector<std::unique_ptr<koiter::Cells>> cells;
    mutable std::unique_ptr<koiter::Cells> joined; ///< with the elastic law
  };

  std::unique_ptr<Dissipation>
  KoiterShell::dissipation(const DissipationOptions &options) const
  {
    check_shell_damping(options);
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
