// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_growth_process_h
#define slender_studies_growth_process_h

#include <slender/dynamics/flow_steps.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/shells/shell_diffusion.h>

#include <optional>

namespace slender
{
  /// The shell among models that can grow; throws InputError for others.
  KoiterShell &
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
      /// The parameter "growth" rises to this until the end, evenly, unless
      /// something spreads.
      double                          amount = 1., end = 1.;
      std::optional<DiffusionOptions> diffusion;
      int                             order               = 2;
      bool                            is_in_present_place = false;
    };

    /// The shell has to outlive it.
    GrowthProcess(KoiterShell &shell, const Settings &settings);

    /// As it is at time 0, with growth = 0 of what is in the shell from the
    /// beginning. Throws InputError for what cannot be in it.
    void
    begin();

    /// The value of "growth" that the shell has to follow to at first.
    double
    growth_at_start() const
    {
      return flow ? 1. : 0.;
    }

    /// What the shell grows to within a step from its state q; it stands at the
    /// growth before. Returns the value of "growth" that it has to follow to.
    double
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
    KoiterShell                  &shell;
    Settings                      settings;
    std::optional<ShellDiffusion> flow;
    std::optional<FlowSteps>      steps;
    Vector                        now, next;
    double                        growth_before = 0.;
  };
} // namespace slender

#endif
