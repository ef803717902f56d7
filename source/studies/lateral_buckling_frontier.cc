// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/progress.h>
#include <slender/output/recorder.h>
#include <slender/statics/buckled_state.h>
#include <slender/statics/linear_buckling.h>
#include <slender/statics/stability.h>
#include <slender/studies/frontier_run.h>
#include <slender/studies/heavy_plate.h>
#include <slender/studies/lateral_buckling.h>

#include <algorithm>
#include <sstream>

namespace slender
{
  std::optional<BranchPoint>
  LateralBucklingStudy::find_start(Model &model, Recorder &recorder) const
  {
    // Linear analysis of the narrowest plate says where to begin.
    const auto first =
      buckling_modes(model, model.initial_state(), "gravity", 1., 1);
    if (first.empty())
      {
        report_failure(recorder, "linear buckling analysis found no load");
        return {};
      }
    const Equilibrium planar =
      EquilibriumSolver(model, newton)
        .load(model.initial_state(), {{"gravity", first[0].load}});
    if (!planar.converged())
      {
        report_failure(recorder,
                       std::string("the planar start was not found: ") +
                         to_string(planar.outcome));
        return {};
      }
    BranchPoint start;
    start.parameter   = first[0].load;
    start.q           = planar.q;
    start.null_vector = first[0].mode;
    return start;
  }

  void
  LateralBucklingStudy::draw_buckled(Workplace        &workplace,
                                     const PlaneCurve &frontier_curve) const
  {
    Recorder &recorder = workplace.recorder;
    recorder.begin_series("buckled", "width [length of the plate]");
    const int n = std::min(n_shapes, static_cast<int>(frontier_curve.size()));
    Progress  progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "lateral buckling: buckled shapes",
                      n);
    for (int i = 0; i < n; ++i)
      {
        // From the first to the last.
        const Eigen::Vector2d &point =
          frontier_curve[n > 1 ? i * (frontier_curve.size() - 1) / (n - 1) : 0];
        const double width = point.x();
        const double gamma = (1. + overload) * point.y();
        // Upright, which is unstable there, and from there to the side.
        const std::unique_ptr<Model> plate = build_plate(workplace, width);
        Equilibrium                  found =
          EquilibriumSolver(*plate, newton)
            .load(plate->initial_state(), {{"gravity", gamma}});
        const auto modes = lowest_eigenpairs(*plate, found.q, 1);
        if (found.converged() && !modes.empty())
          found = buckled_state(*plate, newton, found.q, modes[0].mode);
        std::ostringstream line;
        line << "plate of width " << width << " under gamma " << gamma << ": ";
        if (!found.converged())
          {
            line << to_string(found.outcome);
            report_failure(recorder, line.str());
            continue;
          }
        plate->commit(found.q);
        const double displacement =
          lateral_displacement(plate->measure(found.q));
        line << "lateral displacement " << displacement;
        recorder.remark(recorded::results, line.str());
        Drawing drawing = plate->draw(found.q);
        drawing.globals.emplace_back("gamma", gamma);
        drawing.globals.emplace_back("lateral displacement", displacement);
        recorder.shape("buckled", i, width, drawing, workplace.groups.group());
        progress.advance();
      }
  }

  StudyResult
  LateralBucklingStudy::run_frontier(Workplace &workplace)
  {
    StudyResult result;
    // One plate: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    Recorder &recorder = workplace.recorder;
    recorder.begin_table(recorded::results,
                         {"width",
                          "gamma_critical",
                          "reference",
                          "relative_error",
                          "slack",
                          "iterations"});
    const std::unique_ptr<Model> model = build_plate(workplace, smallest_width);
    const auto                   start = find_start(*model, recorder);
    if (!start)
      return result;

    // Wider plates carry a few times the load of the narrowest, no more.
    FrontierOptions options = frontier;
    options.minimum         = {{0., smallest_width}};
    options.maximum         = {{10. * start->parameter, largest_width}};
    FrontierRun run(
      workplace, *model, {"gravity", "width"}, newton, options, 0);
    if (!run.is_resumed())
      run.start_from(*start, {start->parameter, smallest_width}, +1);
    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    result.is_interrupted = !run.track([&](const FrontierRun::Point &p) {
      const double gamma = p.point.controls[0], width = p.point.controls[1];
      const double reference =
        master && master->covers(width) ? (*master)(width) : Table::unknown;
      recorder.row(recorded::results,
                   {width,
                    gamma,
                    reference,
                    gamma / reference - 1.,
                    p.point.slack,
                    static_cast<long>(p.point.iterations)});
    });
    if (result.is_interrupted)
      return result;

    PlaneCurve curve;
    recorder.begin_table(recorded::frontier, {"width", "gamma_critical"});
    for (const Eigen::Vector2d &point : run.curve())
      {
        curve.emplace_back(point.y(), point.x());
        recorder.row(recorded::frontier, {point.y(), point.x()});
      }
    draw_buckled(workplace, curve);
    judge_frontier(curve, recorder, result.summary);
    return result;
  }
} // namespace slender
