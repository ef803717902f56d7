// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/stick_slip.h>
#include <slender/studies/stick_slip_samples.h>
#include <slender/validation/master_curve.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  using namespace stick_slip;

  namespace
  {
    constexpr const char *laws_table = "laws";

    /// One law with its time step and what makes it more or less exact.
    struct Trial
    {
      StripMotionOptions options;
      double             time_step;
      std::string        tolerance; ///< in words
      const char        *published; ///< verdict of Romero et al., Table 1
    };

    /// Two tolerances of each law.
    void
    set_tolerance(Trial &trial, const bool fine)
    {
      std::ostringstream  words;
      StripMotionOptions &options = trial.options;
      if (options.law == "coulomb" || options.law == "viscous")
        {
          options.motion.newton.step_tolerance = fine ? 1e-11 : 1e-8;
          words << "step " << options.motion.newton.step_tolerance;
        }
      else if (options.law == "bridson-harmon")
        {
          options.rounds = fine ? 50 : 10;
          words << options.rounds << " rounds";
        }
      else if (options.law == "penalty")
        {
          options.stick = fine ? 0.1 : 0.01;
          words << "stick " << options.stick << " m/h^2";
        }
      else
        {
          options.turns = fine ? 200 : 50;
          words << options.turns << " projections";
        }
      trial.tolerance = words.str();
    }

    const char *
    published_verdict(const std::string &law)
    {
      return law == "coulomb" || law == "penalty" ? "OK" : "KO";
    }
  } // namespace

  StudyResult
  StickSlipStudy::run_laws(Workplace &workplace)
  {
    Recorder            &recorder = workplace.recorder;
    const StickSlipCurve master;
    std::vector<Trial>   trials;
    for (const std::string &name : laws)
      for (const double part : {1., 0.5})
        for (const bool fine : {false, true})
          {
            Trial trial;
            trial.options = strip_motion_options(name);
            trial.time_step =
              part * (name == "penalty" ? explicit_step : time_step);
            trial.published = published_verdict(name);
            set_tolerance(trial, fine);
            trials.push_back(trial);
          }
    recorder.begin_table(recorded::results,
                         {"law",
                          "time_step",
                          "tolerance",
                          "mu",
                          "epsilon",
                          "epsilon_master",
                          "error",
                          "tip_displacement",
                          "force_ratio",
                          "state"});
    const std::size_t                n_mu = frictions.size();
    std::vector<std::vector<double>> thresholds(
      trials.size(), std::vector<double>(n_mu, Table::unknown));

    // A chain is one law at one friction, and has one sample: where it slips.
    Sweep sweep;
    sweep.what = "stick slip: laws and frictions";
    sweep.lengths.assign(trials.size() * n_mu, 1);
    sweep.run = [&](const std::size_t                  chain,
                    const std::function<void(Sample)> &done) {
      const Trial &trial = trials[chain / n_mu];
      const auto   model = build(workplace);
      press_in_motion(frictions[chain % n_mu],
                      trial.options,
                      trial.time_step,
                      *model,
                      {largest_strain},
                      true,
                      [&](const std::size_t,
                          const StripMotion *motion,
                          PressedStrip &,
                          const bool   slipped,
                          const double threshold) {
                        if (!motion)
                          {
                            done(failed("a time step failed"));
                            return false;
                          }
                        Sample sample     = sample_of(motion->forces(),
                                                  motion->tip_displacement(),
                                                  slipped,
                                                  threshold);
                        sample.iterations = motion->iterations();
                        done(sample);
                        return false;
                      });
    };
    sweep.record =
      [&](const std::size_t chain, std::size_t, const Sample &sample) {
        const Trial &trial    = trials[chain / n_mu];
        const double mu       = frictions[chain % n_mu];
        const double expected = master.threshold(mu);
        const bool   slipped =
          sample.failure.empty() && sample.values[slipped_value] > 0.;
        // What has not slipped has stuck up to the end.
        const double found = !sample.failure.empty() ? Table::unknown
                             : slipped ? sample.values[threshold_value]
                                       : largest_strain;
        thresholds[chain / n_mu][chain % n_mu] = found;
        recorder.row(recorded::results,
                     {trial.options.law,
                      trial.time_step,
                      trial.tolerance,
                      mu,
                      found,
                      expected,
                      found - expected,
                      sample.values[tip_value],
                      sample.values[ratio_value],
                      !sample.failure.empty() ? "failed"
                      : slipped               ? "SLIP"
                                              : "STICK"});
        std::ostringstream where;
        where << trial.options.law << ", mu = " << mu;
        count_sample(recorder, sample, where.str());
      };
    StudyResult result;
    result.is_interrupted = !run_sweep(workplace, sweep);
    if (result.is_interrupted || !workplace.groups.is_first_rank())
      return result;

    recorder.begin_table(laws_table,
                         {"law",
                          "time_step",
                          "tolerance",
                          "largest_error_in_epsilon",
                          "distance",
                          "verdict",
                          "published"});
    PlaneCurve master_in_plot;
    recorder.begin_table(recorded::master, {"epsilon", "mu"});
    for (const Eigen::Vector2d &point : master.rising_part(
           std::min(frictions.back(), master.triple_point().y())))
      {
        recorder.row(recorded::master, {point.x(), point.y()});
        if (point.y() >= frictions.front())
          master_in_plot.push_back(master.in_plot(point.x(), point.y()));
      }
    std::ostringstream answer;
    double             of_coulomb = Table::unknown;
    for (std::size_t t = 0; t < trials.size(); ++t)
      {
        PlaneCurve in_plot;
        double     worst = 0.;
        for (std::size_t i = 0; i < n_mu; ++i)
          if (frictions[i] <= master.triple_point().y() &&
              std::isfinite(thresholds[t][i]))
            {
              in_plot.push_back(master.in_plot(thresholds[t][i], frictions[i]));
              if (frictions[i] > 0.)
                worst = worse(worst,
                              std::abs(thresholds[t][i] -
                                       master.threshold(frictions[i])));
            }
        const bool        is_whole = in_plot.size() == n_mu && n_mu > 1;
        const double      distance = is_whole
                                       ? hausdorff_distance(in_plot, master_in_plot)
                                       : Table::unknown;
        const std::string verdict  = !is_whole                     ? "failed"
                                     : distance < passing_distance ? "OK"
                                                                   : "KO";
        recorder.row(laws_table,
                     {trials[t].options.law,
                      trials[t].time_step,
                      trials[t].tolerance,
                      worst,
                      distance,
                      verdict,
                      trials[t].published});
        if (trials[t].options.law == "coulomb")
          of_coulomb = distance;
        answer << (t % 4 == 0
                     ? (t > 0 ? "; " : "") + trials[t].options.law + " "
                     : "/")
               << verdict;
      }
    result.summary.answer = answer.str();
    if (std::isfinite(of_coulomb))
      result.summary.extra.emplace_back("distance_of_coulomb", of_coulomb);
    return result;
  }
} // namespace slender
