// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/spread.h>
#include <slender/studies/phase_protocol.h>
#include <slender/validation/phase_map.h>

#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    std::string
    name_of(const bool is_3d)
    {
      return is_3d ? "3D" : "2D";
    }

    /// The frontier between the samples: its pieces as a table and in the plot.
    std::vector<PlaneCurve>
    record_frontier(const PhasePlane &plane,
                    const PhaseMap   &map,
                    Recorder         &recorder)
    {
      std::vector<PlaneCurve> in_plot;
      recorder.begin_table(recorded::frontier,
                           {plane.names[0], plane.frontier_name, "piece"});
      for (const PlaneCurve &piece : map.frontier())
        {
          const long number = static_cast<long>(in_plot.size());
          in_plot.emplace_back();
          for (const Eigen::Vector2d &point : piece)
            {
              recorder.row(recorded::frontier, {point.x(), point.y(), number});
              in_plot.back().push_back(plane.to_plot(point.x(), point.y()));
            }
        }
      return in_plot;
    }

    std::string
    in_words(const PhasePlane &plane, const long n_3d, const long n_samples)
    {
      std::ostringstream words;
      words << n_3d << " of " << n_samples << " samples are three-dimensional ("
            << plane.measure_name << " above " << plane.tolerance << ")";
      return words.str();
    }
  } // namespace

  StudyResult
  sample_phases(Workplace                           &workplace,
                Sweep                                sweep,
                const PhasePlane                    &plane,
                const std::optional<PhaseReference> &reference)
  {
    Recorder &recorder = workplace.recorder;
    recorder.begin_table(recorded::results,
                         {plane.names[0],
                          plane.names[1],
                          plane.measure_name,
                          "state",
                          "expected",
                          "iterations"});
    recorder.begin_series(recorded::shapes, plane.time_name);

    PhaseMap    map(plane.xs, plane.ys);
    StudyResult result;
    Summary    &summary       = result.summary;
    long        misclassified = 0, misclassified_away = 0, n_3d = 0, n = 0;
    sweep.record =
      [&](const std::size_t chain, const std::size_t i, const Sample &sample) {
        const auto [column, row] = plane.place(sweep.first(chain) + i);
        const double       x = plane.xs[column], y = plane.ys[row];
        const double       value  = sample.values[0];
        const bool         failed = !sample.failure.empty();
        const bool         is_3d  = value > plane.tolerance;
        std::ostringstream where, line;
        where << plane.names[0] << " = " << x << ", " << plane.names[1] << " = "
              << y;
        const std::optional<bool> expected =
          reference ? reference->is_3d(x, y) : std::nullopt;
        recorder.row(recorded::results,
                     {x,
                      y,
                      value,
                      failed ? "failed" : name_of(is_3d),
                      expected ? name_of(*expected) : "unknown",
                      sample.iterations});
        count_sample(recorder, sample, where.str());
        ++n;
        if (failed)
          return;
        n_3d += is_3d ? 1 : 0;
        map.set_inside(column, row, is_3d);
        // What is not known cannot be wrong.
        if (expected.value_or(is_3d) != is_3d)
          {
            const auto [is_near, words] = reference->distance(x, y);
            ++misclassified;
            misclassified_away += is_near ? 0 : 1;
            line << "misclassified: " << where.str() << " is " << name_of(is_3d)
                 << " instead of " << name_of(!is_3d) << ", " << words;
            report_remark(recorder, line.str());
          }
      };
    result.is_interrupted = !run_sweep(workplace, sweep);
    if (result.is_interrupted || !workplace.groups.is_first_rank())
      return result;

    summary.answer                     = in_words(plane, n_3d, n);
    const std::vector<PlaneCurve> ours = record_frontier(plane, map, recorder);
    if (!reference || reference->frontier.empty())
      return result;
    PlaneCurve master;
    recorder.begin_table(recorded::master,
                         {plane.names[0], plane.frontier_name});
    for (const Eigen::Vector2d &point : reference->frontier)
      {
        recorder.row(recorded::master, {point.x(), point.y()});
        master.push_back(plane.to_plot(point.x(), point.y()));
      }
    summary.extra.emplace_back("misclassified", misclassified);
    summary.extra.emplace_back("misclassified_away", misclassified_away);
    judge(summary, hausdorff_distance(ours, master));
    return result;
  }

  bool
  is_drawn(const std::size_t line,
           const std::size_t n_lines,
           const std::size_t point,
           const std::size_t n_points,
           const int         n_shapes)
  {
    const auto lines =
      static_cast<std::size_t>(std::sqrt(static_cast<double>(n_shapes)));
    return lines > 0 && is_spread(line, n_lines, lines) &&
           is_spread(point, n_points, n_shapes / lines);
  }
} // namespace slender
