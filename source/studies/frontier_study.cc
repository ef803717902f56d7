// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/progress.h>
#include <slender/studies/effects.h>
#include <slender/studies/frontier_study.h>
#include <slender/studies/recording.h>

#include <deal.II/base/parameter_handler.h>

#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    const std::string section = "Frontier";

    std::string
    path_of(const std::string &name, const std::size_t axis)
    {
      return section + "/" + name + " " + std::to_string(axis + 1);
    }
  } // namespace

  double
  FrontierStudy::Axis::start_value(const std::string &path) const
  {
    return number_or(start, minimum, path);
  }

  void
  FrontierStudy::declare_axis(dealii::ParameterHandler &prm,
                              const std::size_t         i)
  {
    using namespace dealii::Patterns;
    const std::string number = std::to_string(i + 1);
    prm.add_parameter("Parameter " + number,
                      axes[i].parameter,
                      "A parameter of the model that varies [in the unit of "
                      "that parameter].",
                      Anything());
    prm.add_parameter("Minimum " + number,
                      axes[i].minimum,
                      "Lower end of its range [unit of the parameter].",
                      Double());
    prm.add_parameter("Maximum " + number,
                      axes[i].maximum,
                      "Upper end of its range [unit of the parameter].",
                      Double());
    prm.add_parameter(
      "Start value " + number,
      axes[i].start,
      i == 0 ? "Where the search for a first point starts [unit of "
               "the parameter]; empty for the minimum."
             : "Its value during that search [unit of the parameter]; "
               "empty for the minimum.",
      Anything());
  }

  void
  FrontierStudy::set_body_kind(const BodyKind of_model)
  {
    body = make_body_parameters(of_model);
  }

  void
  FrontierStudy::set_sections(const std::vector<std::string> &names)
  {
    body->set_sections(names);
  }

  void
  FrontierStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection(section);
    prm.add_parameter("Kind",
                      kind,
                      "What is tracked: a 'pitchfork', where a symmetric state "
                      "loses its symmetry (buckling), or a 'fold', where a "
                      "branch turns back (snap-through).",
                      Selection("pitchfork|fold"));
    declare_axis(prm, 0);
    declare_axis(prm, 1);
    prm.add_parameter("Search direction",
                      direction,
                      "How parameter 1 moves in the search for a first point; "
                      "'automatic' goes up, or down from the maximum.",
                      Selection("automatic|up|down"));
    prm.add_parameter("Which",
                      which,
                      "The how manieth bifurcation or fold on the way is "
                      "tracked [1].",
                      Integer(1, 1000));
    start.declare(prm, section);
    prm.add_parameter("Shapes",
                      n_shapes,
                      "Number of shapes and modes to write for ParaView and "
                      "the report [1].",
                      Integer(0, 10000));
    prm.leave_subsection();
    branch.declare(prm);
    frontier.declare(prm);
    body->declare(prm);
    newton.declare(prm);
  }

  void
  FrontierStudy::check() const
  {
    body->check();
    for (std::size_t i = 0; i < 2; ++i)
      {
        if (!(axes[i].minimum < axes[i].maximum))
          throw InputError("the range is empty: 'Maximum " +
                             std::to_string(i + 1) +
                             "' has to be above 'Minimum " +
                             std::to_string(i + 1) + "'",
                           path_of("Maximum", i));
        const std::string path  = path_of("Start value", i);
        const double      value = axes[i].start_value(path);
        if (!start.is_from_run() &&
            (value < axes[i].minimum || value > axes[i].maximum))
          throw InputError("the start is outside of the range", path);
      }
    if (axes[0].parameter == axes[1].parameter)
      throw InputError("the two parameters have to be different",
                       path_of("Parameter", 1));
    start.check();
  }

  std::optional<BranchPoint>
  FrontierStudy::search(Model        &model,
                        Controls     &controls,
                        const Vector &from) const
  {
    BranchOptions options = branch;
    options.minimum       = axes[0].minimum;
    options.maximum       = axes[0].maximum;
    const bool goes_down =
      direction == "down" ||
      (direction == "automatic" &&
       model.parameter(axes[0].parameter) == options.maximum);
    const PointKind wanted =
      kind == "fold" ? PointKind::fold : PointKind::bifurcation;
    std::optional<BranchPoint> found;
    int                        n = 0;
    BranchFollower(controls, 0, newton, options)
      .follow(from, goes_down ? -1 : 1, [&](const BranchPoint &point) {
        if (point.kind == wanted && ++n == which)
          found = point;
        return !found;
      });
    return found;
  }

  void
  FrontierStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    std::vector<VariedParameter> varied;
    for (std::size_t i = 0; i < 2; ++i)
      varied.push_back({axes[i].parameter,
                        axes[i].minimum,
                        axes[i].maximum,
                        path_of("Parameter", i)});
    StartingPoint::Found found;
    if (start.is_from_run())
      found = start.take_up(*model, newton, workplace);
    else
      apply_loads(*model, *body);
    check_effects(*model, *body, varied);

    if (!start.is_from_run())
      {
        for (std::size_t i = 0; i < 2; ++i)
          check_start_value(*body,
                            axes[i].parameter,
                            axes[i].start_value(path_of("Start value", i)));
        return;
      }
    const std::string wanted = kind == "fold" ? "LP" : "BP";
    if (found.kind != wanted)
      throw InputError("the label is of kind " + found.kind +
                         "; a frontier of this kind starts from " + wanted,
                       section + "/Start label");
    start.check_loads(*model, *body, {axes[0].parameter, axes[1].parameter});
  }

  StudyResult
  FrontierStudy::run(const Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    const std::string        names[2] = {column_name(axes[0].parameter),
                                         column_name(axes[1].parameter)};
    Summary                 &summary  = result.summary;
    std::vector<std::string> columns  = {
       "label", "kind", names[0], names[1], "slack", "iterations"};
    for (const Measurement &m : model->measure(model->initial_state()))
      columns.push_back(column_name(m.name));
    result.results  = Table(columns);
    const auto fail = [&](const std::string &why) {
      report_failure(workplace, result, why);
    };

    // The first point.
    BranchPoint first;
    if (start.is_from_run())
      {
        const auto found  = start.take_up(*model, newton, workplace);
        first.q           = found.equilibrium.q;
        first.null_vector = found.null_vector;
      }
    else
      {
        const auto found =
          start.load(*model,
                     newton,
                     *body,
                     {{axes[0].parameter,
                       axes[0].start_value(path_of("Start value", 0))},
                      {axes[1].parameter,
                       axes[1].start_value(path_of("Start value", 1))}});
        if (!found.equilibrium.converged())
          {
            fail(std::string("the start was not found: ") +
                 to_string(found.equilibrium.outcome));
            return result;
          }
        Controls   along = Controls(*model, {axes[0].parameter});
        const auto point = search(*model, along, found.equilibrium.q);
        if (!point)
          {
            fail("no " + kind + " was found between " + axes[0].parameter +
                 " = " + std::to_string(axes[0].minimum) + " and " +
                 std::to_string(axes[0].maximum));
            return result;
          }
        along.set({point->parameter});
        first = *point;
        std::ostringstream line;
        line << "first " << kind << " at " << axes[0].parameter << " = "
             << std::setprecision(10) << point->parameter;
        workplace.log(line.str());
      }
    const Vector history = model->history();
    Controls     controls(*model, {axes[0].parameter, axes[1].parameter});
    const std::vector<double> origin = controls.values();

    // To both sides.
    FrontierOptions options = frontier;
    options.kind =
      kind == "fold" ? FrontierKind::fold : FrontierKind::pitchfork;
    for (std::size_t i = 0; i < 2; ++i)
      {
        options.minimum[i] = axes[i].minimum;
        options.maximum[i] = axes[i].maximum;
      }
    struct Item
    {
      FrontierPoint            point;
      Vector                   history;
      std::vector<Measurement> measurements;
      std::string              kind = "RG";
    };
    std::vector<Item> sides[2];
    Progress          progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "frontier: points",
                      0);
    for (const int side : {0, 1})
      {
        controls.set(origin);
        model->set_history(history);
        const FrontierEnd end =
          FrontierTracker(controls, newton, options)
            .track(first.q,
                   first.null_vector,
                   1,
                   side == 0 ? 1 : -1,
                   [&](const FrontierPoint &point) {
                     sides[side].push_back(
                       {point, model->history(), model->measure(point.q)});
                     progress.advance();
                     return true;
                   });
        if (!sides[side].empty())
          sides[side].back().kind =
            end == FrontierEnd::step_failed ? "MX" : "EP";
        std::ostringstream line;
        line << "towards " << (side == 0 ? "larger " : "smaller ")
             << axes[1].parameter << ": " << sides[side].size() << " points, "
             << to_string(end);
        if (end == FrontierEnd::step_failed ||
            end == FrontierEnd::no_bifurcation)
          {
            if (!sides[side].empty())
              {
                const auto &at = sides[side].back().point.controls;
                line << " beyond (" << at[0] << ", " << at[1] << ")";
              }
            fail(line.str());
          }
        else
          workplace.log(line.str());
      }

    // In one piece; the first point is on both sides.
    std::vector<Item> all(sides[1].rbegin(), sides[1].rend());
    if (!sides[0].empty())
      all.insert(all.end(),
                 sides[0].begin() + (all.empty() ? 0 : 1),
                 sides[0].end());
    result.frontier = Table({names[0], names[1]});
    result.series   = {{"shapes", {}}, {"modes", {}}};
    const std::size_t every =
      n_shapes > 0 ? std::max<std::size_t>(1, all.size() / n_shapes) : 0;
    long label = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      {
        const Item          &item  = all[i];
        const FrontierPoint &point = item.point;
        const bool           has_label =
          item.kind != "RG" || (every > 0 && i % every == 0);
        const std::string code = has_label && item.kind == "RG"
                                   ? (kind == "fold" ? "LP" : "BP")
                                   : item.kind;
        Table::Row        row  = {has_label ? ++label : 0,
                          code,
                          point.controls[0],
                          point.controls[1],
                          point.slack,
                          static_cast<long>(point.iterations)};
        for (const Measurement &m : item.measurements)
          row.emplace_back(m.value);
        result.results.add_row(row);
        result.frontier->add_row({point.controls[0], point.controls[1]});
        ++summary.samples;
        summary.newton_iterations += point.iterations;
        if (!has_label)
          continue;
        controls.set({point.controls[0], point.controls[1]});
        model->set_history(item.history);
        result.solutions.push_back(
          save(*model, label, code, point.q, &point.null_vector));
        result.series[0].items.push_back(
          {static_cast<double>(i), model->draw(point.q)});
        result.series[1].items.push_back(
          {static_cast<double>(i),
           draw_mode(*model, point.q, point.null_vector)});
      }
    return result;
  }
} // namespace slender
