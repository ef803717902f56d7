// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/progress.h>
#include <slender/studies/bend_twist.h>
#include <slender/validation/master_curve.h>

#include <deal.II/base/parameter_handler.h>

#include <boost/math/constants/constants.hpp>

namespace slender
{
  namespace
  {
    constexpr double pi = boost::math::constants::pi<double>();

    /// Planar for every natural curvature: to the right of the frontier.
    constexpr double planar_x = 0.7;

    double
    phi_of(const double y)
    {
      return 2. * pi * y;
    }

    double
    gamma_of(const double x, const double y)
    {
      return std::pow(x * phi_of(y), 3);
    }

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

  BendTwistStudy::BendTwistStudy()
  {
    branch.minimum      = 0.05;
    branch.maximum      = 1.;
    branch.first_step   = 0.02;
    frontier.minimum    = {{0.05, 0.3}};
    frontier.first_step = 0.002;
    // The left branch is wavy with a period of one turn.
    frontier.largest_step = 0.005;
  }

  void
  BendTwistStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Bend twist");
    prm.add_parameter("Poisson's ratio",
                      poisson_ratio,
                      "Poisson's ratio [1]; the master curve is that of 0.5, "
                      "for other values there is no verdict.",
                      Double(-0.999, 0.5));
    prm.add_parameter("Extensible",
                      extensible,
                      "Let the rod stretch as its radius has it; the master "
                      "curve is that of a rod that does not stretch.");
    prm.add_parameter("Radius",
                      radius,
                      "Radius of the rod [length of the rod]; it matters only "
                      "where the rod may stretch.",
                      Double(1e-8, 0.5));
    prm.add_parameter("Largest y",
                      largest_y,
                      "The frontier is tracked up to this number of natural "
                      "turns, on both branches [1].",
                      Double(1., 100.));
    prm.add_parameter("Start y",
                      start_y,
                      "Number of natural turns at which the right branch is "
                      "looked for first [1].",
                      Double(1., 100.));
    prm.add_parameter("Shapes",
                      n_shapes,
                      "Number of shapes to write for ParaView and the report "
                      "[1].",
                      Integer(0, 10000));
    prm.leave_subsection();
    frontier.declare(prm);
    newton.declare(prm);
  }

  void
  BendTwistStudy::check() const
  {
    if (start_y > largest_y)
      throw InputError("'Start y' is above 'Largest y'", "Bend twist/Start y");
  }

  RodBody
  BendTwistStudy::body() const
  {
    RodBody rod;
    rod.radius   = radius;
    rod.axial    = extensible ? 4. / (radius * radius) : 0.;
    rod.twisting = 1. / (1. + poisson_ratio);
    // Downwards; the natural curvature about director 1 bends it in the plane
    // of x and z. The section is round, so the name of the director does not
    // matter; but with director 1 along y what leaves the plane are unknowns
    // of their own (y and some components of the quaternion), which are zero
    // to the last digit on the planar branch: round-off cannot break the
    // symmetry on which the pitchfork rests.
    rod.start_frame = {-Vector3::UnitZ(), Vector3::UnitY()};
    return rod;
  }

  void
  BendTwistStudy::judge(StudyResult &result) const
  {
    const Table               table = master_table("bend_twist");
    const std::vector<double> xs    = table.column("x");
    const std::vector<double> ys    = table.column("y");
    // The axes of the paper's figure are those of the recipe's grid.
    const LogPlot plot(MasterCurve{{0.105, 0.95}, {0.3, 10.}});
    PlaneCurve    master, master_in_plot, ours_in_plot;
    for (std::size_t i = 0; i < xs.size(); ++i)
      if (ys[i] <= largest_y)
        {
          master.emplace_back(std::log(xs[i]), std::log(ys[i]));
          master_in_plot.push_back(plot(xs[i], ys[i]));
        }

    // Across the curve, relative to the coordinates, and in x alone where it
    // is steep.
    double                    relative = 0., in_x = 0.;
    const std::vector<double> our_x = result.frontier->column("x");
    const std::vector<double> our_y = result.frontier->column("y");
    for (std::size_t i = 0; i < our_x.size(); ++i)
      {
        ours_in_plot.push_back(plot(our_x[i], our_y[i]));
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
  BendTwistStudy::run(const Workplace &workplace)
  {
    StudyResult result;
    // One rod: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    const std::unique_ptr<Model> model =
      workplace.model.build(body(), workplace.groups.group());
    Summary   &summary = result.summary;
    const auto fail    = [&](const std::string &why) {
      ++summary.failed;
      result.results.add_remark(why);
      workplace.log(why);
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
        return pitchfork.q.size() == 0;
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
              {static_cast<double>(i), model->draw(all[i].q)});
          }
      }
    result.series.push_back(shapes);
    if (poisson_ratio == 0.5 && largest_y <= 10.)
      judge(result);
    return result;
  }
} // namespace slender
