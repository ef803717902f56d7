// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/gather_drawing.h>
#include <slender/base/progress.h>
#include <slender/studies/bend_twist.h>
#include <slender/studies/bend_twist_plane.h>

namespace slender
{
  namespace
  {
    using namespace bend_twist;

    /// Planar for every natural curvature: to the right of the frontier.
    constexpr double planar_x = 0.7;

    /// The protocol's coordinates; gravity is Gamma in the units of the rod.
    Controls
    make_controls(Model &model, const double x, const double y)
    {
      return Controls(model,
                      {"x", "y"},
                      {x, y},
                      {1., 1.},
                      [](Model &m, const std::vector<double> &at) {
                        m.set_parameter("natural curvature 1", phi_of(at[1]));
                        m.set_parameter("gravity", gamma_of(at[0], at[1]));
                      });
    }
  } // namespace

  void
  BendTwistStudy::judge_frontier(StudyResult &result) const
  {
    const LogPlot to_plot = plot();
    PlaneCurve    master, master_in_plot, ours_in_plot;
    for (const Eigen::Vector2d &point : master_frontier())
      {
        // All of it, as our ends may be a little beyond those of a part.
        master.emplace_back(std::log(point.x()), std::log(point.y()));
        if (point.y() <= largest_y)
          master_in_plot.push_back(to_plot(point.x(), point.y()));
      }

    // Across the curve, relative to the coordinates, and in x alone where it
    // is steep.
    double                    relative = 0., in_x = 0.;
    const std::vector<double> our_x = result.frontier->column("x");
    const std::vector<double> our_y = result.frontier->column("y");
    for (std::size_t i = 0; i < our_x.size(); ++i)
      {
        ours_in_plot.push_back(to_plot(our_x[i], our_y[i]));
        const double distance =
          distance_from_smooth_curve({std::log(our_x[i]), std::log(our_y[i])},
                                     master);
        relative = worse(relative, distance);
        in_x     = worse(in_x, distance * our_x[i]);
      }
    Summary &summary           = result.summary;
    summary.max_relative_error = relative;
    summary.extra.emplace_back("max_distance_in_x", in_x);
    summary.distance = hausdorff_distance(ours_in_plot, master_in_plot);
    summary.verdict =
      *summary.distance < passing_distance ? Verdict::OK : Verdict::KO;
  }

  StudyResult
  BendTwistStudy::run_frontier(const Workplace &workplace)
  {
    StudyResult result;
    // One rod: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    const std::unique_ptr<Model> model =
      workplace.model.build(body(), workplace.groups.group());
    Summary   &summary = result.summary;
    const auto fail    = [&](const std::string &why) {
      report_failure(workplace, result, why);
    };
    result.results = Table({"x", "y", "slack", "iterations"});

    // A straight rod hangs; its natural curvature grows; then gravity falls
    // until the planar shape loses its stability.
    EquilibriumSolver solver(*model, newton);
    Equilibrium       hanging =
      solver.load(model->initial_state(),
                  {{"gravity", gamma_of(planar_x, start_y)}});
    if (hanging.converged())
      hanging =
        solver.load(hanging.q, {{"natural curvature 1", phi_of(start_y)}});
    if (!hanging.converged())
      {
        fail(std::string("the planar start was not found: ") +
             to_string(hanging.outcome));
        return result;
      }
    Controls    controls = make_controls(*model, planar_x, start_y);
    BranchPoint pitchfork;
    BranchFollower(controls, 0, newton, branch)
      .follow(hanging.q, -1, [&](const BranchPoint &point) {
        if (point.kind == PointKind::bifurcation)
          pitchfork = point;
        return pitchfork.kind != PointKind::bifurcation;
      });
    if (pitchfork.kind != PointKind::bifurcation)
      {
        fail("the planar shape did not lose its stability");
        return result;
      }

    // Up the right branch, and down, through the nose, up the left branch.
    FrontierOptions options = frontier;
    options.maximum         = {{1., largest_y}};
    Progress                   progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "bend twist: points",
                      0);
    std::vector<FrontierPoint> right, left;
    for (const int direction : {1, -1})
      {
        std::vector<FrontierPoint> &points = direction > 0 ? right : left;
        controls.set({pitchfork.parameter, start_y});
        FrontierTracker   tracker(controls, newton, options);
        const FrontierEnd end = tracker.track(pitchfork.q,
                                              pitchfork.null_vector,
                                              1,
                                              direction,
                                              [&](const FrontierPoint &point) {
                                                points.push_back(point);
                                                progress.advance();
                                                return true;
                                              });
        if (end != FrontierEnd::left_box)
          fail(std::string(direction > 0 ? "right" : "left") +
               " branch: " + to_string(end));
      }
    // The start is on both.
    std::vector<FrontierPoint> all(left.rbegin(), left.rend());
    if (!right.empty())
      all.insert(all.end(), right.begin() + 1, right.end());

    result.frontier = Table({"x", "y", "gamma", "phi"});
    Series shapes{"shapes", {}};
    for (std::size_t i = 0; i < all.size(); ++i)
      {
        const double x = all[i].controls[0], y = all[i].controls[1];
        result.results.add_row(
          {x, y, all[i].slack, static_cast<long>(all[i].iterations)});
        result.frontier->add_row({x, y, gamma_of(x, y), phi_of(y)});
        ++summary.samples;
        summary.newton_iterations += all[i].iterations;
        if (n_shapes > 0 &&
            i % std::max<std::size_t>(1, all.size() / n_shapes) == 0)
          {
            controls.set({x, y});
            shapes.items.push_back(
              {static_cast<double>(i),
               gather_drawing(model->draw(all[i].q),
                              model->layout().communicator)});
          }
      }
    result.series.push_back(shapes);
    if (poisson_ratio == master_poisson_ratio && largest_y <= last_y)
      judge_frontier(result);
    return result;
  }
} // namespace slender
