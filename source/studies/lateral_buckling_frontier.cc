// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/quiet_wait.h>
#include <slender/output/recorder.h>
#include <slender/statics/buckled_state.h>
#include <slender/statics/linear_buckling.h>
#include <slender/statics/stability.h>
#include <slender/studies/frontier_run.h>
#include <slender/studies/heavy_plate.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/sweep.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <exception>
#include <sstream>

namespace slender
{
  namespace
  {
    /// The series of plates beyond their critical loads.
    constexpr const char *buckled_shapes = "buckled";

    /// What the first rank has, on all ranks.
    std::optional<PlaneCurve>
    told_by_the_first(MPI_Comm world, const std::optional<PlaneCurve> &curve)
    {
      std::vector<double> numbers;
      if (curve)
        for (const Eigen::Vector2d &point : *curve)
          numbers.insert(numbers.end(), {point.x(), point.y()});
      const bool is_there =
        dealii::Utilities::MPI::broadcast(world, curve.has_value());
      numbers = dealii::Utilities::MPI::broadcast(world, numbers);
      if (!is_there)
        return {};
      PlaneCurve result;
      for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        result.emplace_back(numbers[i], numbers[i + 1]);
      return result;
    }
  } // namespace

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

  Sample
  LateralBucklingStudy::buckle(Workplace             &workplace,
                               const int              number,
                               const Eigen::Vector2d &critical) const
  {
    const double width = critical.x(), gamma = (1. + overload) * critical.y();
    // Upright, which is unstable there, and from there to the side.
    const std::unique_ptr<Model> plate = build_plate(workplace, width);
    Equilibrium                  found = EquilibriumSolver(*plate, newton)
                          .load(plate->initial_state(), {{"gravity", gamma}});
    const auto modes = lowest_eigenpairs(*plate, found.q, 1);
    if (found.converged() && !modes.empty())
      found = buckled_state(*plate, newton, found.q, modes[0].mode);
    if (found.converged())
      plate->commit(found.q);
    Sample sample = make_sample(found, 1, [&] {
      return std::vector<double>{lateral_displacement(plate->measure(found.q))};
    });
    if (sample.failure.empty())
      {
        Drawing drawing = plate->draw(found.q);
        drawing.globals.emplace_back("gamma", gamma);
        drawing.globals.emplace_back("lateral displacement", sample.values[0]);
        sample.shape = workplace.recorder.write_shape(
          buckled_shapes, number, width, drawing, workplace.groups.group());
      }
    return sample;
  }

  bool
  LateralBucklingStudy::draw_buckled(Workplace        &workplace,
                                     const PlaneCurve &frontier_curve) const
  {
    Recorder &recorder = workplace.recorder;
    recorder.begin_series(buckled_shapes, "width [length of the plate]");
    const int n = std::min(n_shapes, static_cast<int>(frontier_curve.size()));
    // From the first to the last.
    const auto critical = [&](const std::size_t i) {
      return frontier_curve[n > 1 ? i * (frontier_curve.size() - 1) / (n - 1)
                                  : 0];
    };
    Sweep sweep;
    sweep.what    = "lateral buckling: buckled shapes";
    sweep.lengths = std::vector<std::size_t>(n, 1);
    sweep.run     = [&](const std::size_t                  i,
                    const std::function<void(Sample)> &done) {
      done(buckle(workplace, static_cast<int>(i), critical(i)));
    };
    sweep.record =
      [&](const std::size_t i, const std::size_t, const Sample &sample) {
        std::ostringstream line;
        line << "plate of width " << critical(i).x() << " under gamma "
             << (1. + overload) * critical(i).y() << ": ";
        if (!sample.failure.empty())
          {
            report_failure(recorder, line.str() + sample.failure);
            return;
          }
        line << "lateral displacement " << sample.values[0];
        recorder.remark(recorded::results, line.str());
        if (sample.shape)
          recorder.list(*sample.shape);
      };
    return run_sweep(workplace, sweep);
  }

  std::optional<PlaneCurve>
  LateralBucklingStudy::track_frontier(Workplace &workplace) const
  {
    Recorder &recorder = workplace.recorder;
    recorder.begin_table(recorded::results,
                         {"width",
                          "gamma_critical",
                          "reference",
                          "relative_error",
                          "slack",
                          "iterations"});
    // From the middle to both sides, which take about the same time.
    const double middle                = 0.5 * (smallest_width + largest_width);
    const std::unique_ptr<Model> model = build_plate(workplace, middle);
    const auto                   start = find_start(*model, recorder);
    if (!start)
      return PlaneCurve();

    // All plates carry a few times the load of this one at most.
    FrontierOptions options = frontier;
    options.minimum         = {{0., smallest_width}};
    options.maximum         = {{10. * start->parameter, largest_width}};
    FrontierRun run(
      workplace, *model, {"gravity", "width"}, newton, options, 0);
    if (!run.is_resumed())
      run.start_from(*start, {start->parameter, middle});
    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    if (!run.track([&](const FrontierRun::Point &p) {
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
        }))
      return {};
    PlaneCurve curve;
    for (const Eigen::Vector2d &point : run.curve())
      curve.emplace_back(point.y(), point.x());
    return curve;
  }

  StudyResult
  LateralBucklingStudy::run_frontier(Workplace &workplace)
  {
    StudyResult               result;
    const Groups             &groups = workplace.groups;
    std::optional<PlaneCurve> tracked;
    std::exception_ptr        trouble;
    if (FrontierRun::has_work(groups))
      try
        {
          tracked = track_frontier(workplace);
        }
      catch (...)
        {
          trouble = std::current_exception();
        }
    // All groups draw what the first one has found, if nobody is in trouble.
    meet_quietly(groups.world());
    const bool is_troubled =
      dealii::Utilities::MPI::max(trouble ? 1 : 0, groups.world()) == 1;
    if (trouble)
      std::rethrow_exception(trouble);
    if (is_troubled)
      return result;
    tracked               = told_by_the_first(groups.world(), tracked);
    result.is_interrupted = !tracked;
    if (!tracked)
      return result;

    Recorder &recorder = workplace.recorder;
    recorder.begin_table(recorded::frontier, {"width", "gamma_critical"});
    for (const Eigen::Vector2d &point : *tracked)
      recorder.row(recorded::frontier, {point.x(), point.y()});
    result.is_interrupted = !draw_buckled(workplace, *tracked);
    if (!result.is_interrupted)
      judge_frontier(*tracked, recorder, result.summary);
    return result;
  }
} // namespace slender
