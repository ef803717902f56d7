// SPDX-License-Identifier: LGPL-2.1-or-later
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
                    StudyResult      &result)
    {
      std::vector<PlaneCurve> in_plot;
      result.frontier = Table({plane.names[0], plane.frontier_name, "piece"});
      for (const PlaneCurve &piece : map.frontier())
        {
          const long number = static_cast<long>(in_plot.size());
          in_plot.emplace_back();
          for (const Eigen::Vector2d &point : piece)
            {
              result.frontier->add_row({point.x(), point.y(), number});
              in_plot.back().push_back(plane.to_plot(point.x(), point.y()));
            }
        }
      return in_plot;
    }
  } // namespace

  StudyResult
  judge_phases(const Workplace                     &workplace,
               const PhasePlane                    &plane,
               const std::vector<Sample>           &samples,
               const std::optional<PhaseReference> &reference)
  {
    StudyResult result;
    if (samples.empty())
      return result;
    result.results    = Table({plane.names[0],
                               plane.names[1],
                               plane.measure_name,
                               "state",
                               "iterations"});
    const auto remark = [&](const std::ostringstream &line) {
      result.results.add_remark(line.str());
      workplace.log(line.str());
    };

    PhaseMap map(plane.xs, plane.ys);
    Series   shapes{"shapes", {}};
    Summary &summary       = result.summary;
    long     misclassified = 0, misclassified_away = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      {
        const Sample &sample     = samples[i];
        const auto [column, row] = plane.place(i);
        const double       x = plane.xs[column], y = plane.ys[row];
        const double       value  = sample.values[0];
        const bool         failed = !sample.failure.empty();
        const bool         is_3d  = value > plane.tolerance;
        std::ostringstream where, line;
        where << plane.names[0] << " = " << x << ", " << plane.names[1] << " = "
              << y;
        ++summary.samples;
        summary.newton_iterations += sample.iterations;
        result.results.add_row(
          {x, y, value, failed ? "failed" : name_of(is_3d), sample.iterations});
        if (failed)
          {
            ++summary.failed;
            line << "sample at " << where.str()
                 << " failed: " << sample.failure;
            remark(line);
            continue;
          }
        map.set_inside(column, row, is_3d);
        if (sample.drawing)
          shapes.items.push_back({static_cast<double>(i), *sample.drawing});
        // What is not known cannot be wrong.
        if (reference && reference->is_3d(x, y).value_or(is_3d) != is_3d)
          {
            const auto [is_near, words] = reference->distance(x, y);
            ++misclassified;
            misclassified_away += is_near ? 0 : 1;
            line << "misclassified: " << where.str() << " is " << name_of(is_3d)
                 << " instead of " << name_of(!is_3d) << ", " << words;
            remark(line);
          }
      }
    result.series.push_back(shapes);

    const std::vector<PlaneCurve> ours = record_frontier(plane, map, result);
    if (!reference || reference->frontier.empty())
      return result;
    summary.extra.emplace_back("misclassified", misclassified);
    summary.extra.emplace_back("misclassified_away", misclassified_away);
    summary.distance = hausdorff_distance(ours, reference->frontier);
    summary.verdict =
      *summary.distance < passing_distance ? Verdict::OK : Verdict::KO;
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
