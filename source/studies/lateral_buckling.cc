// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_words.h>
#include <slender/models/ribbons/ribbon.h>
#include <slender/output/recorder.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/frontier_run.h>
#include <slender/studies/lateral_buckling.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <sstream>

namespace slender
{
  LateralBucklingStudy::LateralBucklingStudy()
  {
    for (int i = 1; i <= 10; ++i)
      widths.push_back(i / 10.);
    frontier.first_step   = 0.025;
    frontier.largest_step = 0.05;
  }

  void
  LateralBucklingStudy::set_body_kind(const BodyKind of_model)
  {
    if (of_model == BodyKind::rod)
      throw InputError("this study is about shells and ribbons; --list shows "
                       "all models",
                       "Model");
    kind = of_model;
  }

  void
  LateralBucklingStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Lateral buckling");
    prm.add_parameter("Mode",
                      mode,
                      "'frontier' tracks the load at which the plate buckles "
                      "over all widths, 'eigenvalue' computes it by linear "
                      "buckling analysis, 'protocol' samples the plane on the "
                      "recipe's grid (Algorithm 4) and finds the frontier "
                      "between the samples, 'rotation' tilts the clamp from "
                      "side to side and records how far the free end goes.",
                      Selection("frontier|eigenvalue|protocol|rotation"));
    prm.add_parameter("Poisson's ratio",
                      poisson_ratio,
                      "Poisson's ratio [1]; there are master curves, and "
                      "verdicts, for 0, 0.2, 0.35 and 0.5.",
                      Double(-0.999, 0.5));
    prm.add_parameter("Thickness ratio",
                      thickness_ratio,
                      "Thickness of the plate [length of the plate]; the "
                      "master curve is that of a thin plate.",
                      Double(1e-6, 0.1));
    prm.add_parameter("Cells along",
                      cells_along,
                      "Number of cells along the plate [1].",
                      Integer(1, 10000));
    prm.add_parameter("Cells across",
                      cells_across,
                      "Number of cells across the plate [1].",
                      Integer(1, 10000));
    prm.add_parameter("Grading along",
                      grading_along,
                      "Largest over smallest cell along the plate; the "
                      "smallest are at the clamp [1].",
                      Double(1., 1e6));
    prm.add_parameter("Grading across",
                      grading_across,
                      "Largest over smallest cell across the plate; the "
                      "smallest are at the long edges [1].",
                      Double(1., 1e6));
    prm.add_parameter("Smallest width",
                      smallest_width,
                      "Mode 'frontier': width at which it begins [length of "
                      "the plate].",
                      Double(1e-3, 10.));
    prm.add_parameter("Largest width",
                      largest_width,
                      "Mode 'frontier': width at which it ends [length of the "
                      "plate].",
                      Double(1e-3, 10.));
    prm.add_parameter("Overload",
                      overload,
                      "Mode 'frontier': the shapes are those of plates whose "
                      "load is above the critical one by this part of it [1].",
                      Double(1e-3, 10.));
    prm.add_parameter("Widths",
                      widths,
                      "Modes 'eigenvalue', 'protocol' and 'rotation': widths, "
                      "ascending [length of the plate].",
                      List(Double(1e-3, 10.), 1));
    prm.add_parameter("Modes",
                      n_modes,
                      "Mode 'eigenvalue': number of buckling modes for each "
                      "width [1].",
                      Integer(1, 100));
    prm.add_parameter("Smallest gamma",
                      smallest_gamma,
                      "Mode 'protocol': last value of Gamma* [1].",
                      Double(1e-3, 1e4));
    prm.add_parameter("Largest gamma",
                      largest_gamma,
                      "Mode 'protocol': first value of Gamma* [1].",
                      Double(1e-3, 1e4));
    prm.add_parameter("Gamma step",
                      gamma_step,
                      "Mode 'protocol': step between values of Gamma* [1]; 0.5 "
                      "in the recipe.",
                      Double(1e-3, 1e4));
    prm.add_parameter("Gammas",
                      rotated_gammas,
                      "Mode 'rotation': values of Gamma*, ascending [1].",
                      List(Double(1e-6, 1e4), 1));
    prm.add_parameter("Largest angle",
                      largest_angle,
                      "Mode 'rotation': the clamp is tilted to both sides by "
                      "at most this angle, about the long axis of the plate "
                      "[rad].",
                      Double(1e-6, 1.5));
    prm.add_parameter("Angle step",
                      angle_step,
                      "Mode 'rotation': step between angles, which are its "
                      "multiples [rad].",
                      Double(1e-6, 1.5));
    prm.add_parameter(
      "Both ways",
      both_ways,
      "Mode 'rotation': tilt the clamp from the largest angle "
      "to the opposite one and also, with another plate, the "
      "other way; where the plate has buckled, the two differ.");
    prm.add_parameter("Tilt",
                      tilt,
                      "Mode 'protocol': angle between the plate and gravity "
                      "while that is raised, so that the plate can fall to "
                      "one side [rad].",
                      Double(1e-3, 1.5));
    prm.add_parameter("Displacement tolerance",
                      displacement_tolerance,
                      "Modes 'protocol' and 'rotation': a shape is "
                      "three-dimensional if its free end is farther to the "
                      "side than this [length of the plate].",
                      Double(1e-12, 1.));
    prm.add_parameter("Shapes",
                      n_shapes,
                      "Modes 'frontier', 'protocol' and 'rotation': number "
                      "of shapes to write for ParaView and the report [1].",
                      Integer(0, 10000));
    prm.leave_subsection();
    frontier.declare(prm);
    newton.declare(prm);
  }

  void
  LateralBucklingStudy::check_modes() const
  {
    const LateralBucklingStudy usual;
    const auto only_in = [&](const std::vector<std::string> &modes,
                             const auto                     &value,
                             const auto                     &default_value,
                             const char                     *name) {
      check_idle(std::find(modes.begin(), modes.end(), mode) != modes.end(),
                 value,
                 default_value,
                 std::string("Lateral buckling/") + name,
                 "'Mode' is " + parameter_words::quoted_list(modes, " or "));
    };
    only_in({"frontier"},
            smallest_width,
            usual.smallest_width,
            "Smallest width");
    only_in({"frontier"}, largest_width, usual.largest_width, "Largest width");
    only_in({"frontier"}, overload, usual.overload, "Overload");
    only_in({"eigenvalue", "protocol", "rotation"},
            widths,
            usual.widths,
            "Widths");
    only_in({"eigenvalue"}, n_modes, usual.n_modes, "Modes");
    only_in({"protocol"},
            smallest_gamma,
            usual.smallest_gamma,
            "Smallest gamma");
    only_in({"protocol"}, largest_gamma, usual.largest_gamma, "Largest gamma");
    only_in({"protocol"}, gamma_step, usual.gamma_step, "Gamma step");
    only_in({"rotation"}, rotated_gammas, usual.rotated_gammas, "Gammas");
    only_in({"rotation"}, largest_angle, usual.largest_angle, "Largest angle");
    only_in({"rotation"}, angle_step, usual.angle_step, "Angle step");
    only_in({"rotation"}, both_ways, usual.both_ways, "Both ways");
    only_in({"protocol"}, tilt, usual.tilt, "Tilt");
    only_in({"protocol", "rotation"},
            displacement_tolerance,
            usual.displacement_tolerance,
            "Displacement tolerance");
    only_in({"frontier", "protocol", "rotation"},
            n_shapes,
            usual.n_shapes,
            "Shapes");
    check_idle(mode == "frontier",
               frontier,
               usual.frontier,
               "'Mode' is 'frontier'");
  }

  void
  LateralBucklingStudy::check_kind() const
  {
    const LateralBucklingStudy usual;
    const auto                 of_shells =
      [&](const auto &value, const auto &default_value, const char *name) {
        check_idle(kind == BodyKind::shell,
                   value,
                   default_value,
                   std::string("Lateral buckling/") + name,
                   "the model is one of shells; ribbons have 'Elements'");
      };
    of_shells(cells_along, usual.cells_along, "Cells along");
    of_shells(cells_across, usual.cells_across, "Cells across");
    of_shells(grading_along, usual.grading_along, "Grading along");
    of_shells(grading_across, usual.grading_across, "Grading across");
  }

  void
  LateralBucklingStudy::check() const
  {
    check_modes();
    check_kind();
    if (mode == "frontier" && smallest_width >= largest_width)
      throw InputError("'Smallest width' is not below 'Largest width'",
                       "Lateral buckling/Smallest width");
    if (mode == "protocol" && smallest_gamma > largest_gamma)
      throw InputError("'Smallest gamma' is above 'Largest gamma'",
                       "Lateral buckling/Smallest gamma");
    if (mode == "rotation" && angle_step > largest_angle)
      throw InputError("'Angle step' is above 'Largest angle'",
                       "Lateral buckling/Angle step");
    const auto is_ascending = [](const std::vector<double> &values) {
      return std::adjacent_find(values.begin(),
                                values.end(),
                                std::greater_equal<>()) == values.end();
    };
    if (mode != "frontier" && !is_ascending(widths))
      throw InputError("the widths are not in ascending order",
                       "Lateral buckling/Widths");
    if (mode == "rotation" && !is_ascending(rotated_gammas))
      throw InputError("the values of Gamma* are not in ascending order",
                       "Lateral buckling/Gammas");
  }

  std::vector<double>
  LateralBucklingStudy::gammas() const
  {
    const int n = static_cast<int>(
      std::floor((largest_gamma - smallest_gamma) / gamma_step + 1e-9));
    std::vector<double> values;
    for (int i = 0; i <= n; ++i)
      values.push_back(largest_gamma - i * gamma_step);
    return values;
  }

  std::unique_ptr<Model>
  LateralBucklingStudy::build_plate(const Workplace &workplace,
                                    const double     width) const
  {
    // D = 1, and a weight of one per area.
    const double young =
      12. * (1. - poisson_ratio * poisson_ratio) / std::pow(thickness_ratio, 3);
    const double density = 1. / thickness_ratio;
    if (kind == BodyKind::ribbon)
      {
        // On its edge: its width is upright.
        RodBody strip =
          strip_body(1., width, thickness_ratio, young, poisson_ratio, density);
        strip.gravity_direction = -Vector3::UnitY();
        return workplace.model.build(strip, workplace.groups.group());
      }
    workplace.model.check_size(static_cast<double>(cells_along) * cells_across,
                               "Lateral buckling/Cells along");
    ShellBody plate;
    plate.thickness         = thickness_ratio;
    plate.poisson           = poisson_ratio;
    plate.young             = young;
    plate.density           = density;
    plate.gravity_direction = -Vector3::UnitY();
    plate.edges             = {ShellEdge::clamped("left")};
    for (const double side : {-1., 1.})
      {
        ShellPoint corner;
        corner.name     = side < 0. ? "bottom" : "top";
        corner.position = {1., side * width / 2., 0.};
        plate.points.push_back(corner);
      }

    Rectangle rectangle;
    rectangle.width     = width;
    rectangle.cells     = {cells_along, cells_across};
    rectangle.grading_x = grading_along;
    rectangle.grading_y = grading_across;
    return workplace.model.build(plate,
                                 *make_surface(rectangle),
                                 workplace.groups.group());
  }

  void
  LateralBucklingStudy::judge_frontier(const PlaneCurve &frontier_curve,
                                       Recorder         &recorder,
                                       Summary          &summary) const
  {
    using namespace lateral_buckling;
    if (frontier_curve.empty())
      return;
    const auto by_gamma = [](const Eigen::Vector2d &a,
                             const Eigen::Vector2d &b) {
      return a.y() < b.y();
    };
    const auto [low, high] = std::minmax_element(frontier_curve.begin(),
                                                 frontier_curve.end(),
                                                 by_gamma);
    std::ostringstream words;
    words << std::setprecision(4) << "upright up to Gamma* = " << low->y()
          << " ... " << high->y() << " for w/L = " << low->x() << " ... "
          << high->x() << "; buckles sideways beyond";
    summary.answer = words.str();

    const auto master = MasterFrontier::find(poisson_ratio);
    if (!master)
      return;
    // The plot begins at a width of 0.1; the error is that of all points there.
    const Comparison found = compare(frontier_curve, *master);
    if (found.master.empty())
      return;
    recorder.begin_table(recorded::master, {"width", "gamma_critical"});
    for (const Eigen::Vector2d &point : found.master)
      recorder.row(recorded::master, {point.x(), point.y()});
    summary.max_relative_error = found.error;
    summary.extra.emplace_back("max_relative_error_below_0.1",
                               error_of_narrow(frontier_curve, *master));
    judge(summary, found.distance);
  }

  int
  LateralBucklingStudy::n_pieces() const
  {
    const int n_widths = static_cast<int>(widths.size());
    if (mode == "frontier")
      return std::max(FrontierRun::n_sides, n_shapes);
    return mode == "rotation"
             ? n_widths * static_cast<int>(rotated_gammas.size()) *
                 (both_ways ? 2 : 1)
             : n_widths;
  }

  void
  LateralBucklingStudy::rehearse(const Workplace &workplace) const
  {
    if ((mode == "frontier" || mode == "eigenvalue") &&
        !workplace.model.is_stiff_at_rest())
      throw InputError("a flat ribbon of this model has no stiffness against "
                       "twist, so that it does not buckle in a mode of its "
                       "own; 'set Mode = protocol' finds where it gives way",
                       "Lateral buckling/Mode");
    build_plate(workplace, mode == "frontier" ? largest_width : widths.front());
  }

  StudyResult
  LateralBucklingStudy::run(Workplace &workplace)
  {
    if (mode == "protocol")
      return run_protocol(workplace);
    if (mode == "rotation")
      return run_rotation(workplace);
    return mode == "eigenvalue" ? run_eigenvalue(workplace)
                                : run_frontier(workplace);
  }
} // namespace slender
