// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/progress.h>
#include <slender/studies/branch_recorder.h>
#include <slender/studies/branch_study.h>
#include <slender/studies/effects.h>

#include <deal.II/base/parameter_handler.h>

#include <deque>
#include <limits>
#include <sstream>

namespace slender
{
  namespace
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();

    /// A branch that is still to be followed.
    struct Leg
    {
      BranchPoint from;
      Vector      history;
      int         side     = 1;     ///< of the parameter or of the null vector
      bool        switches = false; ///< at a bifurcation
      int         depth    = 0;
    };
  } // namespace

  void
  BranchStudy::set_body_kind(const BodyKind kind)
  {
    body = make_body_parameters(kind);
  }

  void
  BranchStudy::set_sections(const std::vector<std::string> &names)
  {
    body->set_sections(names);
  }

  void
  BranchStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Branch");
    prm.add_parameter("Parameter",
                      parameter,
                      "The parameter of the model that varies, such as 'end "
                      "force', 'gravity' or 'end displacement' [in the unit of "
                      "that parameter].",
                      Anything());
    prm.add_parameter("Minimum",
                      options.minimum,
                      "Lower end of its range [unit of the parameter].",
                      Double());
    prm.add_parameter("Maximum",
                      options.maximum,
                      "Upper end of its range [unit of the parameter].",
                      Double());
    prm.add_parameter("Start value",
                      start_text,
                      "Where the branch starts, within the range [unit of the "
                      "parameter]; empty for the minimum. The loads of the "
                      "parameter file act there already.",
                      Anything());
    prm.add_parameter("Requested values",
                      options.requested,
                      "Values of the parameter that are hit exactly, wherever "
                      "a branch passes them [unit of the parameter].",
                      List(Double(), 0, 1000000));
    start.declare(prm, "Branch");
    prm.add_parameter("Direction",
                      direction,
                      "'up' and 'down' say how the parameter moves first, "
                      "'both' follows the branch to both sides, 'switch' "
                      "leaves a labelled branch point along its null vector to "
                      "both sides; 'automatic' goes up, or down from the "
                      "maximum.",
                      Selection("automatic|up|down|both|switch"));
    prm.add_parameter("Switching depth",
                      switching_depth,
                      "How often a branch is left at its bifurcations for the "
                      "branches that cross there, to both sides [1]: 0 never, "
                      "1 from the first branch, 2 from those as well, ...",
                      Integer(0, 100));
    prm.add_parameter("Maximum branches",
                      max_branches,
                      "No more branches than this are followed [1].",
                      Integer(1, 100000));
    prm.add_parameter("Stop at",
                      stop_at,
                      "A branch ends at its first point of this kind; an "
                      "instability is any point that is not stable.",
                      Selection("nothing|fold|bifurcation|instability"));
    prm.add_parameter("Stop measurement",
                      stop_measurement,
                      "A measurement, such as 'end z', that ends a branch when "
                      "it leaves an interval; empty for none.",
                      Anything());
    prm.add_parameter("Stop below",
                      stop_below,
                      "Lower end of that interval [unit of the measurement]; "
                      "empty for none.",
                      Anything());
    prm.add_parameter("Stop above",
                      stop_above,
                      "Upper end of that interval [unit of the measurement]; "
                      "empty for none.",
                      Anything());
    prm.add_parameter("Eigenvalues",
                      n_eigenvalues,
                      "Number of lowest eigenvalues of the Hessian to compute "
                      "at every point [1]; the stability index needs none.",
                      Integer(0, 100));
    prm.add_parameter("Draw every",
                      draw_every,
                      "Every how many points a shape is drawn [1]; special "
                      "points always are, 0 draws these only.",
                      Integer(0, 1000000));
    prm.leave_subsection();
    options.declare(prm);
    body->declare(prm);
    newton.declare(prm);
  }

  double
  BranchStudy::start_value() const
  {
    return number_or(start_text, options.minimum, "Branch/Start value");
  }

  void
  BranchStudy::check() const
  {
    body->check();
    if (!(options.minimum < options.maximum))
      throw InputError("the range is empty: 'Maximum' has to be above "
                       "'Minimum'",
                       "Branch/Maximum");
    const double value = start_value();
    if (!start.is_from_run() &&
        (value < options.minimum || value > options.maximum))
      throw InputError("'Start value' is outside of the range from 'Minimum' "
                       "to 'Maximum'",
                       "Branch/Start value");
    for (const double requested : options.requested)
      if (requested < options.minimum || requested > options.maximum)
        throw InputError("a requested value is outside of the range from "
                         "'Minimum' to 'Maximum'",
                         "Branch/Requested values");
    if (options.smallest_step > options.largest_step)
      throw InputError("'Smallest step' is above 'Largest step'",
                       "Continuation/Smallest step");
    if (direction == "switch" && !start.is_from_run())
      throw InputError("only a labelled branch point of an earlier run can be "
                       "left along its null vector: set 'Start run'",
                       "Branch/Direction");
    if (options.method == ContinuationMethod::natural &&
        (switching_depth > 0 || direction == "switch"))
      throw InputError(
        "natural continuation cannot leave a branch along a null "
        "vector, at a constant parameter; use 'arc length'",
        "Continuation/Method");
    number_or(stop_below, 0., "Branch/Stop below");
    number_or(stop_above, 0., "Branch/Stop above");
    if (stop_measurement.empty() && !(stop_below + stop_above).empty())
      throw InputError("a limit says something only where there is a 'Stop "
                       "measurement'",
                       stop_below.empty() ? "Branch/Stop above"
                                          : "Branch/Stop below");
    if (!stop_measurement.empty() && (stop_below + stop_above).empty())
      throw InputError("'Stop measurement' says something only with 'Stop "
                       "below' or 'Stop above'",
                       "Branch/Stop measurement");
    if (!stop_below.empty() && !stop_above.empty() &&
        !(number_or(stop_below, 0., "") < number_or(stop_above, 0., "")))
      throw InputError("the interval is empty: 'Stop above' has to be above "
                       "'Stop below'",
                       "Branch/Stop above");
    start.check();
  }

  bool
  BranchStudy::stops_at(const BranchPoint              &point,
                        const std::vector<Measurement> &measurements) const
  {
    if ((stop_at == "fold" && point.kind == PointKind::fold) ||
        (stop_at == "bifurcation" && point.kind == PointKind::bifurcation) ||
        (stop_at == "instability" && point.n_negative > 0))
      return true;
    if (stop_measurement.empty())
      return false;
    const double value = find_measurement(measurements, stop_measurement);
    return value < number_or(stop_below, -infinity, "") ||
           value > number_or(stop_above, infinity, "");
  }

  std::vector<int>
  BranchStudy::first_sides(const double first_value) const
  {
    if (direction == "both" || direction == "switch")
      return {1, -1};
    const bool is_down =
      direction == "down" ||
      (direction == "automatic" && first_value == options.maximum);
    return {is_down ? -1 : 1};
  }

  void
  BranchStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    if (!stop_measurement.empty())
      try
        {
          find_measurement(model->measure(model->initial_state()),
                           stop_measurement);
        }
      catch (const InputError &error)
        {
          throw InputError(error.what(), "Branch/Stop measurement");
        }
    StartingPoint::Found found;
    if (start.is_from_run())
      found = start.take_up(*model, newton, workplace);
    else
      apply_loads(*model, *body);
    check_effects(
      *model,
      *body,
      {{parameter, options.minimum, options.maximum, "Branch/Parameter"}});

    if (!start.is_from_run())
      {
        check_start_value(*body, parameter, start_value());
        return;
      }
    const double value = model->parameter(parameter);
    if (direction == "switch" && found.kind != "BP")
      throw InputError("the label is of kind " + found.kind +
                         ", not a branch point (BP)",
                       "Branch/Start label");
    if (value < options.minimum || value > options.maximum)
      throw InputError("the labelled point is outside of the range",
                       "Branch/Start label");
    start.check_loads(*model, *body, {parameter});
  }

  StudyResult
  BranchStudy::run(const Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    Summary   &summary = result.summary;
    const auto fail    = [&](const std::string &why) {
      report_failure(workplace, result, why);
    };

    BranchRecorder recorder(
      *model, parameter, n_eigenvalues, draw_every, workplace, result);

    StartingPoint::Found found =
      start.is_from_run()
        ? start.take_up(*model, newton, workplace)
        : start.load(*model, newton, *body, {{parameter, start_value()}});
    if (!found.equilibrium.converged())
      {
        fail(std::string("the start was not found: ") +
             to_string(found.equilibrium.outcome));
        return result;
      }
    Controls       at_work(*model, {parameter});
    BranchFollower follower(at_work, 0, newton, options);
    BranchPoint    first;
    first.q           = found.equilibrium.q;
    first.parameter   = model->parameter(parameter);
    first.null_vector = found.null_vector;

    std::deque<Leg> legs;
    const bool      switches = direction == "switch";
    for (const int side : first_sides(first.parameter))
      legs.push_back({first, model->history(), side, switches, 0});

    Progress progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "branch: points",
                      0);
    long     n_bifurcations = 0, n_folds = 0;
    for (int branch = 1; !legs.empty() && branch <= max_branches; ++branch)
      {
        const Leg leg = legs.front();
        legs.pop_front();
        const auto observer = [&](const BranchPoint &point) {
          const std::vector<Measurement> measurements = model->measure(point.q);
          recorder.add(branch, point, measurements);
          progress.advance();
          n_folds += point.kind == PointKind::fold;
          n_bifurcations += point.kind == PointKind::bifurcation;
          if (point.kind == PointKind::bifurcation &&
              leg.depth < switching_depth)
            for (const int side : {1, -1})
              legs.push_back(
                {point, model->history(), side, true, leg.depth + 1});
          return !stops_at(point, measurements);
        };
        at_work.set({leg.from.parameter});
        model->set_history(leg.history);
        const BranchEnd end =
          leg.switches ? follower.switch_branch(leg.from, leg.side, observer)
                       : follower.follow(leg.from.q, leg.side, observer);
        recorder.finish(end);
        std::ostringstream line;
        line << "branch " << branch << " ended: " << to_string(end);
        if (end == BranchEnd::step_failed)
          {
            line << " beyond " << parameter << " = "
                 << model->parameter(parameter);
            fail(line.str());
          }
        else
          workplace.log(line.str());
      }
    for (const double value : follower.lost_requests())
      {
        std::ostringstream line;
        line << "the requested value " << parameter << " = " << value
             << " was passed but not reached";
        fail(line.str());
      }
    summary.extra = {{"bifurcations", static_cast<double>(n_bifurcations)},
                     {"folds", static_cast<double>(n_folds)}};
    return result;
  }
} // namespace slender
