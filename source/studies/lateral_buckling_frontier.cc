// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/progress.h>
#include <slender/statics/linear_buckling.h>
#include <slender/studies/heavy_plate.h>
#include <slender/studies/lateral_buckling.h>

#include <algorithm>
#include <sstream>

namespace slender
{
  std::vector<FrontierPoint>
  LateralBucklingStudy::track(const Workplace &workplace,
                              Model           &model,
                              StudyResult     &result) const
  {
    // Linear analysis of the narrowest plate says where to begin.
    const auto first =
      buckling_modes(model, model.initial_state(), "gravity", 1., 1);
    if (first.empty())
      {
        report_failure(workplace,
                       result,
                       "linear buckling analysis found no load");
        return {};
      }
    const Equilibrium planar =
      EquilibriumSolver(model, newton)
        .load(model.initial_state(), {{"gravity", first[0].load}});
    if (!planar.converged())
      {
        report_failure(workplace,
                       result,
                       std::string("the planar start was not found: ") +
                         to_string(planar.outcome));
        return {};
      }
    Controls controls(model, {"gravity", "width"});

    // Wider plates carry a few times the load of the narrowest, no more.
    FrontierOptions options = frontier;
    options.minimum         = {{0., smallest_width}};
    options.maximum         = {{10. * first[0].load, largest_width}};
    Progress                   progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "lateral buckling: points",
                      0);
    std::vector<FrontierPoint> points;
    const FrontierEnd          end =
      FrontierTracker(controls, newton, options)
        .track(planar.q, first[0].mode, 1, +1, [&](const FrontierPoint &point) {
          points.push_back(point);
          progress.advance();
          return true;
        });
    if (end != FrontierEnd::left_box)
      report_failure(workplace,
                     result,
                     std::string("the frontier ended early: ") +
                       to_string(end));
    return points;
  }

  void
  LateralBucklingStudy::draw_buckled(const Workplace &workplace,
                                     const std::vector<FrontierPoint> &points,
                                     StudyResult &result) const
  {
    Series    shapes{"shapes", {}};
    const int n = std::min(n_shapes, static_cast<int>(points.size()));
    for (int i = 0; i < n; ++i)
      {
        // From the first to the last.
        const FrontierPoint &point =
          points[n > 1 ? i * (points.size() - 1) / (n - 1) : 0];
        const double       width = point.controls[1];
        const double       gamma = (1. + overload) * point.controls[0];
        HeavyPlate         plate(build_plate(workplace, width), newton);
        const Equilibrium  found = plate.load_tilted(tilt, gamma);
        std::ostringstream line;
        line << "plate of width " << width << " under gamma " << gamma << ": ";
        if (!found.converged())
          {
            line << to_string(found.outcome);
            report_failure(workplace, result, line.str());
            continue;
          }
        const double displacement = plate.lateral_displacement();
        line << "lateral displacement " << displacement;
        result.results.add_remark(line.str());
        Drawing drawing = plate.draw();
        drawing.globals.emplace_back("gamma", gamma);
        drawing.globals.emplace_back("lateral displacement", displacement);
        shapes.items.push_back({width, drawing});
      }
    result.series.push_back(shapes);
  }

  StudyResult
  LateralBucklingStudy::run_frontier(const Workplace &workplace)
  {
    StudyResult result;
    // One plate: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    result.results                     = Table({"width",
                                                "gamma_critical",
                                                "reference",
                                                "relative_error",
                                                "slack",
                                                "iterations"});
    result.frontier                    = Table({"width", "gamma_critical"});
    const std::unique_ptr<Model> model = build_plate(workplace, smallest_width);
    const std::vector<FrontierPoint> points = track(workplace, *model, result);

    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    for (const FrontierPoint &point : points)
      {
        const double gamma = point.controls[0], width = point.controls[1];
        const double reference =
          master && master->covers(width) ? (*master)(width) : Table::unknown;
        result.results.add_row({width,
                                gamma,
                                reference,
                                gamma / reference - 1.,
                                point.slack,
                                static_cast<long>(point.iterations)});
        result.frontier->add_row({width, gamma});
        ++result.summary.samples;
        result.summary.newton_iterations += point.iterations;
      }
    draw_buckled(workplace, points, result);
    judge(result);
    return result;
  }
} // namespace slender
