// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/recorder.h>
#include <slender/studies/bend_twist.h>
#include <slender/studies/frontier_run.h>
#include <slender/validation/bend_twist_plane.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    using namespace bend_twist;

    /// A rod that curls up, hardly bent by its weight, is planar: to the left
    /// of the frontier.
    constexpr double planar_x = 0.05;

    /// The protocol's coordinates; gravity is Gamma in the units of the rod.
    Controls
    make_controls(Model &model, const double x, const double y)
    {
      return Controls(model,
                      {"x", "y"},
                      {x, y},
                      {1., 1.},
                      [](System &m, const std::vector<double> &at) {
                        m.set_parameter("natural curvature 1", phi_of(at[1]));
                        m.set_parameter("gravity", gamma_of(at[0], at[1]));
                      });
    }
  } // namespace

  void
  BendTwistStudy::judge_frontier(const PlaneCurve &ours,
                                 Recorder         &recorder,
                                 Summary          &summary) const
  {
    const Comparison found = compare(ours, largest_y);
    recorder.begin_table(recorded::master, {"x", "y"});
    for (const Eigen::Vector2d &point : found.master)
      recorder.row(recorded::master, {point.x(), point.y()});
    summary.max_relative_error = found.error;
    summary.extra.emplace_back("max_distance_in_x", largest_error_in_x(ours));
    judge(summary, found.distance);
  }

  std::optional<BranchPoint>
  BendTwistStudy::find_pitchfork(Model &model, Recorder &recorder) const
  {
    // A straight rod hangs; its natural curvature grows; then gravity grows
    // until the planar shape loses its stability. Controls that are there
    // already have set both loads.
    model.set_parameter("gravity", 0.);
    model.set_parameter("natural curvature 1", 0.);
    EquilibriumSolver solver(model, newton);
    Equilibrium       hanging =
      solver.load(model.initial_state(),
                  {{"gravity", gamma_of(planar_x, start_y)}});
    if (hanging.converged())
      hanging =
        solver.load(hanging.q, {{"natural curvature 1", phi_of(start_y)}});
    if (!hanging.converged())
      {
        report_failure(recorder,
                       std::string("the planar start was not found: ") +
                         to_string(hanging.outcome));
        return {};
      }
    Controls controls = make_controls(model, planar_x, start_y);
    std::optional<BranchPoint> pitchfork;
    BranchFollower(controls, 0, newton, branch)
      .follow(hanging.q, 1, [&](const BranchPoint &point) {
        if (point.kind == PointKind::bifurcation)
          pitchfork = point;
        return !pitchfork;
      });
    if (!pitchfork)
      report_failure(recorder, "the planar shape did not lose its stability");
    return pitchfork;
  }

  StudyResult
  BendTwistStudy::run_frontier(Workplace &workplace)
  {
    StudyResult result;
    if (!FrontierRun::has_work(workplace.groups))
      return result;

    const std::unique_ptr<Model> model =
      workplace.model.build(body(), workplace.groups.group());
    Recorder &recorder = workplace.recorder;
    recorder.begin_table(recorded::results,
                         {"x", "y", "side", "slack", "iterations"});

    // Up the left branch, and down, through the nose, up the right branch: the
    // start is where both take about the same time.
    FrontierOptions options = frontier;
    options.maximum         = {{1., largest_y}};
    FrontierRun run(workplace,
                    make_controls(*model, planar_x, start_y),
                    newton,
                    options,
                    n_shapes);
    if (!run.is_resumed())
      {
        const auto pitchfork = find_pitchfork(*model, recorder);
        if (!pitchfork)
          return result;
        run.start_from(*pitchfork, {pitchfork->parameter, start_y});
      }
    result.is_interrupted = !run.track([&](const FrontierRun::Point &p) {
      recorder.row(recorded::results,
                   {p.point.controls[0],
                    p.point.controls[1],
                    p.side > 0 ? "left" : "right",
                    p.point.slack,
                    static_cast<long>(p.point.iterations)});
    });
    if (result.is_interrupted || workplace.groups.group_index() != 0)
      return result;

    // From left to right.
    PlaneCurve curve = run.curve();
    std::reverse(curve.begin(), curve.end());
    recorder.begin_table(recorded::frontier, {"x", "y", "gamma", "phi"});
    for (const Eigen::Vector2d &point : curve)
      recorder.row(recorded::frontier,
                   {point.x(),
                    point.y(),
                    gamma_of(point.x(), point.y()),
                    phi_of(point.y())});
    if (curve.empty())
      return result;
    const Eigen::Vector2d nose =
      *std::min_element(curve.begin(),
                        curve.end(),
                        [](const Eigen::Vector2d &a, const Eigen::Vector2d &b) {
                          return a.y() < b.y();
                        });
    std::ostringstream words;
    words << std::setprecision(4)
          << "planar for any weight below y = " << nose.y()
          << " turns; above, three-dimensional between two branches that meet "
             "at x = "
          << nose.x();
    result.summary.answer = words.str();
    if (poisson_ratio == master_poisson_ratio && largest_y <= last_y)
      judge_frontier(curve, recorder, result.summary);
    return result;
  }
} // namespace slender
