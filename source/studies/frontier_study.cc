// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/recorder.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/effects.h>
#include <slender/studies/frontier_run.h>
#include <slender/studies/frontier_study.h>
#include <slender/studies/recording.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    const std::string section = "Frontier";

    constexpr const char *frontiers_done = "frontiers";

    std::string
    path_of(const std::string &name, const std::size_t axis)
    {
      return section + "/" + name + " " + std::to_string(axis + 1);
    }

    /// A cell of the table.
    Table::Cell
    known(const double value)
    {
      return std::isfinite(value) ? Table::Cell(value) : Table::unknown;
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
                      "The how manieth bifurcations or folds on the way are "
                      "tracked, such as '1' or '1, 2, 3', each as a frontier "
                      "of its own [1].",
                      List(Integer(1, 1000), 1, 1000));
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
    for (std::size_t i = 1; i < which.size(); ++i)
      if (which[i] <= which[i - 1])
        throw InputError("numbers of bifurcations or folds have to grow",
                         section + "/Which");
    check_idle(!start.is_from_run(),
               which,
               std::vector<int>{1},
               section + "/Which",
               "there is no 'Start run'");
    start.check();
  }

  std::vector<FrontierStudy::Start>
  FrontierStudy::search(Model &model, const Vector &from) const
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
    std::vector<Start> found;
    int                n = 0;
    Controls           controls(model, {axes[0].parameter});
    BranchFollower(controls, 0, newton, options)
      .follow(from, goes_down ? -1 : 1, [&](const BranchPoint &point) {
        if (point.kind == wanted &&
            std::find(which.begin(), which.end(), ++n) != which.end())
          found.push_back({n, point, model.state(point.q)});
        return found.size() < which.size();
      });
    return found;
  }

  int
  FrontierStudy::n_pieces() const
  {
    return FrontierRun::n_sides;
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
    check_potential(*model, varied, "a frontier");

    if (!start.is_from_run())
      {
        for (std::size_t i = 0; i < 2; ++i)
          check_start_value(*body,
                            axes[i].parameter,
                            axes[i].start_value(path_of("Start value", i)));
        return;
      }
    const std::string wanted =
      kind == "fold" ? point_code::fold : point_code::bifurcation;
    if (found.kind != wanted)
      throw InputError("the label is of kind " + found.kind +
                         "; a frontier of this kind starts from " + wanted,
                       section + "/Start label");
    start.check_loads(*model, *body, {axes[0].parameter, axes[1].parameter});
  }

  StudyResult
  FrontierStudy::run(Workplace &workplace)
  {
    StudyResult result;
    if (!FrontierRun::has_work(workplace.groups))
      return result;

    MPI_Comm                     group    = workplace.groups.group();
    const std::unique_ptr<Model> model    = body->build(workplace.model, group);
    Recorder                    &recorder = workplace.recorder;
    std::vector<std::string>     columns  = {"label",
                                             "kind",
                                             "side",
                                             column_name(axes[0].parameter),
                                             column_name(axes[1].parameter),
                                             "slack",
                                             "iterations",
                                             "second_eigenvalue",
                                             "second_distance",
                                             "unstable",
                                             "which"};
    for (const Measurement &m : model->measure(model->initial_state()))
      columns.push_back(column_name(m.name));
    recorder.begin_table(recorded::results, columns);

    FrontierOptions options = frontier;
    options.kind =
      kind == "fold" ? FrontierKind::fold : FrontierKind::pitchfork;
    for (std::size_t i = 0; i < 2; ++i)
      {
        options.minimum[i] = axes[i].minimum;
        options.maximum[i] = axes[i].maximum;
      }
    FrontierRun run(workplace,
                    *model,
                    {axes[0].parameter, axes[1].parameter},
                    newton,
                    options,
                    n_shapes);

    std::vector<std::string> of_curve = {column_name(axes[0].parameter),
                                         column_name(axes[1].parameter)};
    if (which.size() > 1)
      of_curve.emplace_back("which");
    recorder.begin_table(recorded::frontier, of_curve);
    const bool is_resumed = run.is_resumed();
    if (!is_resumed)
      {
        point_code::explain(recorder);
        point_code::explain_events(recorder);
      }
    const std::string code =
      kind == "fold" ? point_code::fold : point_code::bifurcation;
    // One of a family is tracked after the other; how many are finished is
    // counted, so that a resumed run knows.
    const auto member = [&](const std::size_t i) {
      return static_cast<long>(which[i]);
    };
    const auto n_done = [&] {
      return static_cast<std::size_t>(recorder.counted(frontiers_done));
    };
    PlaneCurve whole;
    const auto record = [&](const FrontierRun::Point &p) {
      const bool is_event = p.point.event != FrontierEvent::none;
      Table::Row row      = {
             p.label,
        is_event    ? point_code::of(p.point.event)
             : p.is_last ? (p.has_failed ? point_code::failure : point_code::end)
                         : (p.label > 0 ? code : point_code::regular),
        p.side > 0 ? "up" : "down",
             p.point.controls[0],
             p.point.controls[1],
             p.point.slack,
             static_cast<long>(p.point.iterations),
             known(p.point.outlook.second_eigenvalue),
             known(p.point.outlook.second_distance),
        p.point.outlook.n_unstable < 0
               ? Table::Cell(Table::unknown)
               : Table::Cell(static_cast<long>(p.point.outlook.n_unstable)),
             member(n_done())};
      for (const Measurement &m : p.measurements)
        row.emplace_back(m.value);
      recorder.row(recorded::results, row);
    };
    const auto track = [&] {
      if (!run.track(record))
        return false;
      for (const Eigen::Vector2d &point : run.curve())
        {
          Table::Row row = {point.x(), point.y()};
          if (which.size() > 1)
            row.emplace_back(member(n_done()));
          recorder.row(recorded::frontier, row);
          whole.push_back(point);
        }
      recorder.count(frontiers_done);
      return true;
    };
    bool goes_on = !is_resumed || track();
    if (goes_on && n_done() < which.size())
      {
        const std::vector<Start> starts = find_starts(*model, workplace);
        while (goes_on && n_done() < starts.size())
          {
            const Start &next = starts[n_done()];
            model->set_state(next.state);
            run.start_from(next.point,
                           {model->parameter(axes[0].parameter),
                            model->parameter(axes[1].parameter)});
            goes_on = track();
          }
      }
    if (!goes_on)
      {
        result.is_interrupted = true;
        return result;
      }
    if (workplace.groups.group_index() != 0)
      return result;
    if (which.size() > 1)
      result.summary.answer =
        std::to_string(n_done()) + " frontiers were tracked";
    else if (!whole.empty())
      {
        const auto [low, high] =
          std::minmax_element(whole.begin(),
                              whole.end(),
                              [](const auto &a, const auto &b) {
                                return a.x() < b.x();
                              });
        std::ostringstream words;
        words << std::setprecision(6) << "it "
              << (kind == "fold" ? "snaps" : "buckles") << " at "
              << axes[0].parameter << " = " << low->x() << " ... " << high->x()
              << " for " << axes[1].parameter << " = " << low->y() << " ... "
              << high->y();
        result.summary.answer = words.str();
      }
    return result;
  }

  std::vector<FrontierStudy::Start>
  FrontierStudy::find_starts(Model &model, const Workplace &workplace) const
  {
    Recorder &recorder = workplace.recorder;
    if (start.is_from_run())
      {
        const auto found = start.take_up(model, newton, workplace);
        Start      first{1, {}, model.state(found.equilibrium.q)};
        first.point.q           = found.equilibrium.q;
        first.point.null_vector = found.null_vector;
        return {first};
      }
    const auto found = start.load(
      model,
      newton,
      *body,
      {{axes[0].parameter, axes[0].start_value(path_of("Start value", 0))},
       {axes[1].parameter, axes[1].start_value(path_of("Start value", 1))}});
    if (!found.equilibrium.converged())
      {
        report_failure(recorder,
                       std::string("the start was not found: ") +
                         to_string(found.equilibrium.outcome));
        return {};
      }
    const std::vector<Start> starts = search(model, found.equilibrium.q);
    for (const Start &one : starts)
      {
        std::ostringstream line;
        line << kind << " " << one.which << " at " << axes[0].parameter << " = "
             << std::setprecision(10) << one.point.parameter;
        recorder.log(line.str());
      }
    for (std::size_t i = starts.size(); i < which.size(); ++i)
      {
        std::ostringstream line;
        line << "no " << kind;
        if (which[i] > 1)
          line << " number " << which[i];
        line << " was found between " << axes[0].parameter << " = "
             << axes[0].minimum << " and " << axes[0].maximum;
        report_failure(recorder, line.str());
      }
    return starts;
  }
} // namespace slender
