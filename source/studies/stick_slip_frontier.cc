// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/studies/stick_slip.h>

#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace slender
{
  StudyResult
  StickSlipStudy::run_frontier(Workplace &workplace)
  {
    // A tip that cannot slip shows at every strain the friction that it needs.
    constexpr auto       any      = PressedStrip::Steps::any;
    Recorder            &recorder = workplace.recorder;
    const StickSlipCurve master;
    const bool           is_first = workplace.groups.is_first_rank();
    StudyResult          result;
    if (workplace.groups.group_index() != 0)
      return result;

    const auto to_end = [&] {
      result.is_interrupted = interruption_requested(workplace.groups.group());
      return result.is_interrupted;
    };
    const auto   model = build(workplace);
    PressedStrip strip(*model, newton);
    strip.set_friction(std::numeric_limits<double>::infinity());
    bool is_ready = strip.buckle(0.02, side_load);
    // More than it ever needs.
    strip.set_friction(1.);
    is_ready =
      is_ready && strip.press_in_steps(first_strain, longest_step, 1e-9, any);
    recorder.begin_table(recorded::results,
                         {"epsilon",
                          "force_ratio",
                          "thrust",
                          "contact_length",
                          "force_ratio_master",
                          "state"});
    recorder.begin_table(recorded::frontier, {"epsilon", "mu"});
    recorder.begin_table(recorded::master, {"epsilon", "mu"});
    recorder.begin_series(recorded::shapes, "strain [1]");
    Summary &summary = result.summary;
    if (to_end())
      return result;
    if (!is_ready)
      {
        report_failure(recorder, "the strip could not be buckled");
        return result;
      }

    PlaneCurve                     in_plot;
    double                         worst = 0., worst_extended = 0.;
    std::optional<Eigen::Vector2d> triple;
    const std::vector<double>      all = strains();
    for (std::size_t i = 0; i < all.size(); ++i)
      {
        const PressedStrip::Place before = strip.place();
        const bool                reached =
          strip.press_in_steps(all[i], longest_step, 1e-5, any);
        if (!triple && strip.forces().beyond_tip > 0)
          {
            // Between the last strain with the tip alone and this one.
            const PressedStrip::Place behind = strip.place();
            double low = before.epsilon, high = behind.epsilon;
            strip.set(before);
            PressedStrip::Place at_low = before;
            while (high - low > bracket && !to_end())
              {
                const double middle = 0.5 * (low + high);
                if (strip.press_in_steps(middle, longest_step, 1e-9, any) &&
                    strip.forces().beyond_tip == 0)
                  {
                    low    = middle;
                    at_low = strip.place();
                  }
                else
                  high = middle;
                strip.set(at_low);
              }
            if (to_end())
              break;
            triple = Eigen::Vector2d(low, strip.forces().ratio());
            if (is_first)
              recorder.row(recorded::frontier, {triple->x(), triple->y()});
            in_plot.push_back(master.in_plot(triple->x(), triple->y()));
            strip.set(behind);
          }
        if (to_end())
          break;
        if (!reached)
          {
            std::ostringstream line;
            line << "no quasi-static step leads beyond epsilon = "
                 << strip.epsilon();
            // Beyond the triple point contacts are many, and forces between
            // them are not unique.
            if (triple)
              report_remark(recorder, line.str());
            else
              report_failure(recorder, line.str());
            break;
          }
        const PressedStrip::Forces forces   = strip.forces();
        const double               expected = master.force_ratio(all[i]);
        const bool                 extended = forces.beyond_tip > 0;
        (extended ? worst_extended : worst) =
          worse(extended ? worst_extended : worst,
                std::abs(forces.ratio() - expected));
        if (is_first)
          {
            recorder.row(recorded::results,
                         {all[i],
                          forces.ratio(),
                          forces.thrust,
                          forces.length,
                          expected,
                          extended ? "EXTENDED" : "STICK"});
            recorder.count(recorded::samples);
            if (!triple)
              recorder.row(recorded::frontier, {all[i], forces.ratio()});
          }
        if (!triple)
          in_plot.push_back(master.in_plot(all[i], forces.ratio()));
        if (n_shapes > 0)
          recorder.shape(recorded::shapes,
                         static_cast<std::int64_t>(i),
                         all[i],
                         model->draw(strip.state()),
                         workplace.groups.group());
      }
    if (result.is_interrupted || !is_first)
      return result;
    recorder.count(recorded::iterations,
                   static_cast<double>(strip.iterations()));
    PlaneCurve master_in_plot;
    for (const Eigen::Vector2d &point :
         master.rising_part(std::numeric_limits<double>::infinity()))
      if (point.x() >= all.front() && (triple || point.x() <= strip.epsilon()))
        {
          recorder.row(recorded::master, {point.x(), point.y()});
          master_in_plot.push_back(master.in_plot(point.x(), point.y()));
        }
    std::ostringstream answer;
    answer << std::setprecision(6);
    if (triple)
      {
        answer << "the triple point is at epsilon = " << triple->x()
               << ", mu = " << triple->y();
        summary.extra.emplace_back("triple_epsilon", triple->x());
        summary.extra.emplace_back("triple_mu", triple->y());
        summary.extra.emplace_back(
          "triple_error",
          (*triple - master.triple_point()).cwiseAbs().maxCoeff());
        summary.extra.emplace_back("largest_error_extended", worst_extended);
      }
    else
      answer << "the tip alone touches up to epsilon = " << strip.epsilon();
    summary.answer = answer.str();
    summary.extra.emplace_back("largest_error_in_ratio", worst);
    if (in_plot.size() > 1 && master_in_plot.size() > 1)
      judge(summary, hausdorff_distance(in_plot, master_in_plot));
    return result;
  }
} // namespace slender
