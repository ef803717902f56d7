// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_time_steps_h
#define slender_studies_time_steps_h

#include <slender/studies/motion_parameters.h>

#include <vector>

namespace slender
{
  /**
   * How long the steps of a run in time are, and at which of them rows and
   * shapes are recorded, as the section "Time" says. Adaptive steps are as long
   * as their estimated error allows, and end where something is recorded;
   * others are halved where they fail, and double again.
   */
  class TimeSteps
  {
  public:
    /// Both have to outlive it.
    ///
    /// @param order of the integrator: an error grows with the power order + 1
    /// of the step.
    TimeSteps(const TimeParameters &time, int order);

    bool
    has_ended(double now) const;

    /// Of the step to take next.
    double
    length_from(double now) const;

    /// Whether a step with this error of places [length] has to be taken back.
    bool
    is_too_coarse(double length, double error) const;

    /// After a step that was too coarse.
    void
    shorten(double length, double error);

    /// Whether there is no shorter one.
    bool
    is_shortest(double length) const;

    /// After a step that failed; false if there is no shorter one.
    bool
    halve(double length);

    /// After a step that is kept.
    void
    accept(double length, double error);

    /// At the end of a step that was accepted; `is_last` asks for all.
    bool
    row_is_due(double now, double length, bool is_last) const;
    bool
    shape_is_due(double now, double length, bool is_last) const;

    long n_steps  = 0; ///< accepted
    long n_rows   = 0; ///< recorded, which is the caller's to count
    long n_shapes = 0;

    /// All that is to be saved.
    std::vector<double>
                                 numbers() const;
    static constexpr std::size_t n_numbers = 4;
    void
    set(const std::vector<double> &numbers);

  private:
    double
    proposed(double error) const;

    const TimeParameters &time;
    int                   order;
    double                next; ///< length of the next step, if nothing is due
  };
} // namespace slender

#endif
