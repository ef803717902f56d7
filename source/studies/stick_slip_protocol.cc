// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/studies/phase_protocol.h>
#include <slender/studies/stick_slip.h>
#include <slender/studies/stick_slip_samples.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace slender
{
  using namespace stick_slip;

  namespace
  {
    /// Of the coefficient of friction, where a tip is taken to be about to
    /// slip.
    constexpr double at_threshold = 1. - 1e-4;

    /// Of the longest step: one of a strip that slips is not shorter.
    constexpr double shortest_slip = 1. / 64.;

    const char *
    state_of(const Sample &sample)
    {
      if (!sample.failure.empty())
        return "failed";
      if (sample.values[slipped_value] > 0.)
        return "SLIP";
      return sample.values[length_value] > 0. ? "EXTENDED" : "STICK";
    }

    const char *
    expected_at(const StickSlipCurve &master,
                const double          epsilon,
                const double          friction)
    {
      if (epsilon > master.threshold(friction) &&
          friction < master.triple_point().y())
        return "SLIP";
      return epsilon > master.triple_point().x() ? "EXTENDED" : "STICK";
    }
  } // namespace

  bool
  StickSlipStudy::slide(const double  epsilon,
                        Model        &model,
                        PressedStrip &strip) const
  {
    const double shortest = shortest_slip * longest_step;
    // A motion from a little above where nothing is near by any more; if there
    // is nothing behind it, either, from further on.
    for (double ahead = shortest; !strip.press_in_steps(
           epsilon, longest_step, shortest, PressedStrip::Steps::stable);
         ahead *= 2.)
      {
        strip.push(std::min(epsilon, strip.epsilon() + ahead));
        if (!settle(model, strip))
          return false;
      }
    return true;
  }

  void
  StickSlipStudy::press(const std::size_t                  chain,
                        Workplace                         &workplace,
                        const std::function<void(Sample)> &done) const
  {
    const auto                model = build(workplace);
    const std::vector<double> all   = strains();
    PressedStrip              strip(*model, newton);
    // Buckled well above the threshold of buckling, then back.
    strip.set_friction(std::numeric_limits<double>::infinity());
    const bool is_ready = strip.buckle(0.02, side_load) &&
                          strip.press_in_steps(first_strain,
                                               longest_step,
                                               1e-9,
                                               PressedStrip::Steps::any);
    const double mu = frictions[chain];
    strip.set_friction(mu);
    bool   slipped = false, lost = false;
    double threshold = Table::unknown;
    long   counted   = 0;
    // Samples that cost nothing any more.
    const auto failure = [&]() -> std::string {
      return !is_ready ? "the strip could not be buckled"
             : lost    ? "no equilibrium was found at a smaller strain"
                       : "";
    };
    const auto press_to = [&](const double epsilon) {
      if (!slipped)
        {
          if (strip.press_in_steps(
                epsilon, longest_step, bracket, PressedStrip::Steps::sticking))
            return true;
          // At the threshold it slips; elsewhere more of it touches, some of
          // which slips while the tip does not.
          slipped = strip.forces().ratio() >= at_threshold * mu;
          if (slipped)
            threshold = strip.epsilon();
        }
      return slide(epsilon, *model, strip);
    };
    for (std::size_t i = 0; i < all.size(); ++i)
      {
        Sample sample = failed(failure());
        if (sample.failure.empty())
          {
            lost = !press_to(all[i]);
            sample =
              lost ? failed("the strip did not come to rest")
                   : sample_of(strip.forces(),
                               strip.tip_displacement(),
                               criterion == "force"
                                 ? slipped
                                 : strip.tip_displacement() > slip_tolerance,
                               threshold);
            sample.iterations = strip.iterations() - counted;
            counted           = strip.iterations();
          }
        // A way that was broken off has led nowhere.
        if (interruption_requested(workplace.groups.group()))
          return;
        if (sample.failure.empty())
          draw(chain, i, workplace, *model, strip, sample);
        done(sample);
      }
  }

  void
  StickSlipStudy::draw(const std::size_t   chain,
                       const std::size_t   i,
                       Workplace          &workplace,
                       const Model        &model,
                       const PressedStrip &strip,
                       Sample             &sample) const
  {
    const std::vector<double> all = strains();
    if (!is_drawn(chain, frictions.size(), i, all.size(), n_shapes))
      return;
    const std::size_t number  = chain * all.size() + i;
    Drawing           drawing = model.draw(strip.state());
    drawing.globals.emplace_back("epsilon", all[i]);
    drawing.globals.emplace_back("mu", frictions[chain]);
    sample.shape =
      workplace.recorder.write_shape(recorded::shapes,
                                     static_cast<std::int64_t>(number),
                                     static_cast<double>(number),
                                     drawing,
                                     workplace.groups.group());
  }

  StudyResult
  StickSlipStudy::run_protocol(Workplace &workplace)
  {
    Recorder            &recorder = workplace.recorder;
    const StickSlipCurve master;
    recorder.begin_table(recorded::results,
                         {"mu",
                          "epsilon",
                          "tip_displacement",
                          "force_ratio",
                          "state",
                          "expected",
                          "thrust",
                          "contact_length",
                          "iterations"});
    recorder.begin_series(recorded::shapes, "number of the sample [1]");

    StudyResult               result;
    const std::vector<double> all = strains();
    std::vector<double>       thresholds(frictions.size(), Table::unknown);
    long                      misclassified = 0, n_slip = 0, n = 0;
    Sweep                     sweep;
    sweep.what    = "stick slip: samples";
    sweep.lengths = std::vector<std::size_t>(frictions.size(), all.size());
    sweep.run     = [&](const std::size_t                  chain,
                    const std::function<void(Sample)> &done) {
      if (simulation == "dynamic")
        press_in_motion(chain, workplace, done);
      else
        press(chain, workplace, done);
    };
    sweep.record =
      [&](const std::size_t chain, const std::size_t i, const Sample &sample) {
        const double       mu = frictions[chain], epsilon = all[i];
        const std::string  state    = state_of(sample);
        const std::string  expected = expected_at(master, epsilon, mu);
        std::ostringstream where;
        where << "mu = " << mu << ", epsilon = " << epsilon;
        recorder.row(recorded::results,
                     {mu,
                      epsilon,
                      sample.values[tip_value],
                      sample.values[ratio_value],
                      state,
                      expected,
                      sample.values[thrust_value],
                      sample.values[length_value],
                      sample.iterations});
        count_sample(recorder, sample, where.str());
        ++n;
        if (!sample.failure.empty())
          return;
        n_slip += state == "SLIP" ? 1 : 0;
        if (std::isfinite(sample.values[threshold_value]))
          thresholds[chain] = sample.values[threshold_value];
        // Stick and extended contact differ by what touches, which is recorded
        // and not judged.
        if ((state == "SLIP") != (expected == "SLIP"))
          {
            ++misclassified;
            std::ostringstream line;
            line << "misclassified: " << where.str() << " is " << state
                 << " instead of " << expected << ", epsilon is "
                 << std::abs(epsilon - master.threshold(mu))
                 << " from the frontier";
            report_remark(recorder, line.str());
          }
      };
    result.is_interrupted = !run_sweep(workplace, sweep);
    if (result.is_interrupted || !workplace.groups.is_first_rank())
      return result;

    // The frontier, against the master curve over the same frictions.
    Summary   &summary = result.summary;
    PlaneCurve ours;
    recorder.begin_table(recorded::frontier,
                         {"epsilon", "mu", "epsilon_master", "error"});
    for (std::size_t i = 0; i < frictions.size(); ++i)
      {
        if (!std::isfinite(thresholds[i]))
          continue;
        const double expected = master.threshold(frictions[i]);
        recorder.row(
          recorded::frontier,
          {thresholds[i], frictions[i], expected, thresholds[i] - expected});
        ours.emplace_back(thresholds[i], frictions[i]);
      }
    const auto [least, most] =
      std::minmax_element(frictions.begin(), frictions.end());
    const Comparison found = master.compare(ours, *least, *most);
    recorder.begin_table(recorded::master, {"epsilon", "mu"});
    for (const Eigen::Vector2d &point : found.master)
      recorder.row(recorded::master, {point.x(), point.y()});
    const double       worst = found.error;
    std::ostringstream answer;
    answer << n_slip << " of " << n << " samples have slipped";
    if (worst > 0.)
      answer << "; the strains at which tips slip are off by at most "
             << std::setprecision(2) << worst;
    summary.answer = answer.str();
    summary.extra.emplace_back("largest_error_in_epsilon", worst);
    summary.extra.emplace_back("misclassified", misclassified);
    const auto is_judged = [&](const Eigen::Vector2d &point) {
      return point.y() <= master.triple_point().y();
    };
    if (std::count_if(ours.begin(), ours.end(), is_judged) > 1)
      judge(summary, found.distance);
    return result;
  }
} // namespace slender
