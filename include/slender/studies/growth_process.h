// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_growth_process_h
#define slender_studies_growth_process_h

#include <slender/dynamics/flow_steps.h>
#include <slender/models/model.h>
#include <slender/models/shells/growing_shell.h>
#include <slender/models/shells/shell_diffusion.h>
#include <slender/statics/equilibrium.h>

#include <optional>

namespace slender
{
  /// The shell among models that can grow; throws InputError for others.
  GrowingShell &
  growing_shell(Model &model);

  /**
   * What makes a shell grow in the course of time, and what is in it now. A
   * step is prepared, then the shell follows, then it is accepted, or taken
   * back.
   */
  class GrowthProcess
  {
  public:
    struct Settings
    {
      /// The parameter "growth" rises to this until a time, evenly, unless
      /// something spreads.
      double amount = 1., end = 1.;
      /// A factor of the thickness as a function of time, or none.
      std::function<double(double)>   thickness;
      std::optional<DiffusionOptions> diffusion;
      int                             order               = 2;
      bool                            is_in_present_place = false;
      /// Whether the shell has the forms of a step's end at once, or is led
      /// there.
      bool at_once = false;
    };

    /// The shell has to outlive it. Throws InputError for a model that cannot
    /// grow.
    GrowthProcess(Model &shell, const Settings &settings);

    /// As it is at time 0, with growth = 0 of what is in the shell from the
    /// beginning. Throws InputError for what cannot be in it.
    void
    begin();

    /// The value of "growth" that the shell has to follow to at first.
    LoadTarget
    at_start() const
    {
      return {"growth", flow ? 1. : 0.};
    }

    /// What the shell grows to within a step from its state q; it stands at the
    /// growth before. Returns the values of parameters that it has to follow
    /// to, one after the other.
    std::vector<LoadTarget>
    prepare(const Vector &q, double time, double length);

    void
    accept();

    /// The shell stands as before the step that was prepared.
    void
    take_back();

    /// Nothing if nothing spreads.
    const ShellDiffusion *
    diffusion() const
    {
      return flow ? &*flow : nullptr;
    }

    /// What is in the shell, to be saved and put back.
    const Vector &
    moisture() const
    {
      return now;
    }

    void
    set_moisture(const Vector &moisture);

    /// Of the diffusion [length^3]; zero if there is none.
    double
    content() const
    {
      return flow ? flow->content(now) : 0.;
    }

    std::vector<Measurement>
    measure() const
    {
      return flow ? flow->measure(now) : std::vector<Measurement>();
    }

  private:
    Model                        &model;
    GrowingShell                 &shell;
    Settings                      settings;
    std::optional<ShellDiffusion> flow;
    std::optional<FlowSteps>      steps;
    Vector                        now, next;
    double                        growth_before = 0., thickness_before = 0.;
    double                        thickness; ///< the user's
  };
} // namespace slender

#endif
