// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/systems/dissipation.h>

namespace slender
{
  namespace
  {
    /// Multiplies what is added.
    class ScaledSink : public HessianSink
    {
    public:
      ScaledSink(HessianSink &the_sink, const double the_factor)
        : sink(the_sink)
        , factor(the_factor)
      {}

      void
      add(const Index *unknowns, const Index n, const double *block) override
      {
        values = factor * Eigen::Map<const Vector>(block, n * n);
        sink.add(unknowns, n, values.data());
      }

    private:
      HessianSink &sink;
      double       factor;
      Vector       values;
    };
  } // namespace

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
      , is_own(options.mu != 0. || options.lambda != 0.)
      , stretch(options.stretch)
      , bending(options.bending)
    {
      const koiter::Law elastic = shell.law();
      add_cells(elastic, is_own ? 0. : options.stretch, options.bending);
      if (is_own)
        {
          // lambda/2 tr^2 + mu tr(E^2) as Y/2 (nu tr^2 + (1 - nu) tr(E^2)).
          const double modulus = options.lambda + 2. * options.mu;
          const double of_plate =
            shell.body.young / (1. - std::pow(shell.body.poisson, 2));
          koiter::Law own = elastic;
          own.poisson     = options.lambda / modulus;
          add_cells(own, modulus / of_plate, 0.);
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
      if (is_own)
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
    const bool                                  is_own; ///< of the membrane
    const double                                stretch, bending;
    std::vector<std::unique_ptr<koiter::Cells>> cells;
    mutable std::unique_ptr<koiter::Cells> joined; ///< with the elastic law
  };

  std::unique_ptr<Dissipation>
  KoiterShell::dissipation(const DissipationOptions &options) const
  {
    if (options.twist != 0.)
      throw InputError("a shell has no damping of twist of its own: that is "
                       "bending too",
                       "Damping/Twist");
    const bool is_own = options.mu != 0. || options.lambda != 0.;
    if (is_own && options.stretch != 0.)
      throw InputError("'Stretch' damps the membrane as the elastic law is, "
                       "'Lambda' and 'Mu' by a law of their own: only one can "
                       "be had",
                       "Damping/Stretch");
    if (is_own && !(options.mu > 0. && options.lambda >= 0.))
      throw InputError("damping of the membrane needs 'Mu' above zero, and "
                       "'Lambda' not below",
                       "Damping/Mu");
    if (options.is_power_law())
      throw InputError("shells have no power law of damping",
                       "Damping/Exponent");
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
