// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/output/recorder.h>
#include <slender/studies/branch_journey.h>
#include <slender/studies/branch_study.h>
#include <slender/studies/effects.h>
#include <slender/studies/recording.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace slender
{
  namespace
  {
    constexpr double infinity = std::numeric_limits<double>::infinity();

    constexpr const char *n_bifurcations = "bifurcations";
    constexpr const char *n_folds        = "folds";
    constexpr const char *n_undecided    = "undecided points";

    /// An instability in a sentence; empty for other points.
    std::string
    in_words(const BranchPoint &point, const std::string &parameter)
    {
      if (point.kind != PointKind::fold && point.kind != PointKind::bifurcation)
        return "";
      const std::string what =
        point.kind == PointKind::fold ? "it snaps at a fold" : "it buckles";
      std::ostringstream text;
      // Where steps are long beside the distance of instabilities, two searches
      // for one may end at two of them.
      constexpr double rough = 0.01;
      if (point.uncertainty > rough * std::abs(point.parameter))
        text << std::setprecision(2) << what << " near " << parameter << " = "
             << point.parameter << ", give or take " << point.uncertainty
             << ": steps are too long to tell instabilities apart; a shorter "
                "range has shorter ones, or set 'Largest step'";
      else
        text << std::setprecision(10) << what << " at " << parameter << " = "
             << point.parameter;
      return text.str();
    }
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
    prm.add_parameter(
      "Label where",
      label_where,
      "Formulas of measurements and of the parameter, separated "
      "by semicolons, such as 'end y - 0.3; end z': wherever "
      "one of them vanishes on a branch, that point is found "
      "and gets a label [the unit of the formula].",
      Anything());
    prm.add_parameter("Stop where",
                      stop_where,
                      "Likewise, but a branch ends at the first of these "
                      "points.",
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

  BranchStudy::Formulas
  BranchStudy::formulas(const System &system) const
  {
    std::vector<std::string> names = {parameter};
    for (const Measurement &m : system.measure(system.initial_state()))
      names.push_back(m.name);
    Formulas result;
    result.all = formulas_to_be_zero(label_where, names, "Branch/Label where");
    result.n_labels = result.all.size();
    for (const Formula &formula :
         formulas_to_be_zero(stop_where, names, "Branch/Stop where"))
      result.all.push_back(formula);
    return result;
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
    formulas(*model);
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
    if (direction == "switch" && found.kind != point_code::bifurcation)
      throw InputError("the label is of kind " + found.kind +
                         ", not a branch point (" + point_code::bifurcation +
                         ")",
                       "Branch/Start label");
    if (value < options.minimum || value > options.maximum)
      throw InputError("the labelled point is outside of the range",
                       "Branch/Start label");
    start.check_loads(*model, *body, {parameter});
  }

  StudyResult
  BranchStudy::run(Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    MPI_Comm                     group    = workplace.groups.group();
    const std::unique_ptr<Model> model    = body->build(workplace.model, group);
    Recorder                    &recorder = workplace.recorder;
    const auto     controls = [&] { return Controls(*model, {parameter}); };
    const Formulas sought   = formulas(*model);
    std::vector<std::string> texts;
    for (const Formula &formula : sought.all)
      texts.push_back(formula.text());
    BranchRecorder of_branches(
      *model, parameter, texts, n_eigenvalues, draw_every, workplace);

    Journey    journey;
    const auto checkpoint = recorder.last_checkpoint(group);
    if (checkpoint)
      {
        journey = from_archive(*checkpoint, *model);
        of_branches.resume(journey.recorded);
      }
    else
      {
        point_code::explain(recorder);
        StartingPoint::Found found =
          start.is_from_run()
            ? start.take_up(*model, newton, workplace)
            : start.load(*model, newton, *body, {{parameter, start_value()}});
        if (!found.equilibrium.converged())
          {
            report_failure(recorder,
                           std::string("the start was not found: ") +
                             to_string(found.equilibrium.outcome));
            return result;
          }
        BranchPoint first;
        first.q           = found.equilibrium.q;
        first.parameter   = model->parameter(parameter);
        first.null_vector = found.null_vector;
        first.companions  = found.companions;
        for (const int side : first_sides(first.parameter))
          journey.legs.push_back(
            {first, model->state(first.q), side, direction == "switch", 0});
      }

    Controls       at_work = controls();
    BranchFollower follower(at_work, 0, newton, options);
    Progress       progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "branch: points",
                      0);
    const auto     observer = [&](const BranchPoint &point) {
      const std::vector<Measurement> measurements = model->measure(point.q);
      if (!all_finite(measurements))
        {
          std::ostringstream line;
          line << "branch " << journey.branch << " stopped at " << parameter
               << " = " << point.parameter << ": "
               << to_string(Outcome::not_finite);
          report_failure(recorder, line.str());
          return false;
        }
      of_branches.add(journey.branch, point, measurements);
      progress.advance();
      if (point.lost_since)
        {
          std::ostringstream line;
          line << std::setprecision(6) << "between " << parameter << " = "
               << *point.lost_since << " and " << point.parameter
               << " stability changes, and where was not found: eigenvalues "
                      "are as small as round-off, or two vanish together";
          report_failure(recorder, line.str());
          if (journey.answer.empty())
            journey.answer = line.str();
        }
      if (journey.answer.empty())
        journey.answer = in_words(point, parameter);
      recorder.count(n_undecided, point.is_undecided ? 1. : 0.);
      recorder.count(n_folds, point.kind == PointKind::fold ? 1. : 0.);
      recorder.count(n_bifurcations,
                     point.kind == PointKind::bifurcation ? 1. : 0.);
      if (point.kind == PointKind::bifurcation &&
          journey.leg.depth < switching_depth)
        for (const int side : {1, -1})
          journey.legs.push_back(
            {point, model->state(point.q), side, true, journey.leg.depth + 1});
      const bool is_stop = point.function >= static_cast<int>(sought.n_labels);
      return !is_stop && !stops_at(point, measurements);
    };
    std::vector<BranchFollower::StateFunction> functions;
    for (const Formula &formula : sought.all)
      functions.emplace_back([&model, &formula, this](const Vector &q) {
        std::vector<double> quantities = {model->parameter(parameter)};
        for (const Measurement &m : model->measure(q))
          quantities.push_back(m.value);
        return formula.value(quantities);
      });
    follower.set_functions(functions);
    follower.set_watcher([&](const BranchCursor &cursor) {
      const bool asked = interruption_requested(group);
      if (workplace.clock.is_due(group) || asked)
        {
          journey.cursor   = cursor;
          journey.state    = of_branches.waiting_state();
          journey.recorded = of_branches.position();
          recorder.checkpoint(to_archive(journey, *model), group);
        }
      return !asked;
    });

    // What leaves a bifurcation that a branch passes through is a part of that
    // branch.
    const auto drop_legs_from = [&](const BranchPoint &point) {
      journey.legs.erase(std::remove_if(journey.legs.begin(),
                                        journey.legs.end(),
                                        [&](const Leg &leg) {
                                          return leg.switches &&
                                                 leg.from.parameter ==
                                                   point.parameter &&
                                                 leg.from.arc_length ==
                                                   point.arc_length;
                                        }),
                         journey.legs.end());
    };

    bool goes_on = checkpoint != nullptr;
    while (goes_on || (!journey.legs.empty() && journey.branch <= max_branches))
      {
        BranchEnd end;
        if (goes_on)
          {
            // The point at which it was interrupted waits again.
            of_branches.add(journey.branch,
                            journey.cursor.last,
                            model->measure(journey.cursor.last.q));
            at_work = controls();
            end     = follower.resume(journey.cursor, observer);
            goes_on = false;
          }
        else
          {
            journey.leg = journey.legs.front();
            journey.legs.pop_front();
            model->set_state(journey.leg.state);
            at_work = controls();
            std::vector<BranchPoint> landmarks;
            for (const Leg &leg : journey.legs)
              if (leg.switches && leg.side > 0)
                landmarks.push_back(leg.from);
            follower.set_landmarks(landmarks, [&](const std::size_t i) {
              std::ostringstream line;
              line << "branch " << journey.branch
                   << " passes through the bifurcation at " << parameter
                   << " = " << std::setprecision(10) << landmarks[i].parameter;
              recorder.log(line.str());
              drop_legs_from(landmarks[i]);
            });
            end = journey.leg.switches
                    ? follower.switch_branch(journey.leg.from,
                                             journey.leg.side,
                                             observer)
                    : follower.follow(journey.leg.from.q,
                                      journey.leg.side,
                                      observer);
          }
        if (end == BranchEnd::interrupted)
          {
            result.is_interrupted = true;
            return result;
          }
        of_branches.finish(end);
        std::ostringstream line;
        line << "branch " << journey.branch << " ended: " << to_string(end);
        if (end == BranchEnd::retraced)
          line << " (branch " << follower.retraced_branch() << ")";
        if (end == BranchEnd::closed && journey.leg.switches)
          drop_legs_from(journey.leg.from);
        if (end == BranchEnd::step_failed || end == BranchEnd::new_symmetry)
          {
            line << " beyond " << parameter << " = "
                 << model->parameter(parameter);
            report_failure(recorder, line.str());
          }
        else
          recorder.log(line.str());
        ++journey.branch;
      }
    for (const double value : follower.lost_requests())
      {
        std::ostringstream line;
        line << "the requested value " << parameter << " = " << value
             << " was passed but not reached";
        report_failure(recorder, line.str());
      }
    if (follower.n_lost_zeros() > 0)
      report_failure(recorder,
                     std::to_string(follower.n_lost_zeros()) +
                       " zeros of formulas were passed but not reached");
    result.summary.extra  = {{n_bifurcations, recorder.counted(n_bifurcations)},
                             {n_folds, recorder.counted(n_folds)}};
    result.summary.answer = journey.answer.empty()
                              ? "it neither folds nor bifurcates on the way"
                              : journey.answer;
    if (const double n = recorder.counted(n_undecided); n > 0.)
      {
        std::ostringstream line;
        line << "the stability of " << n
             << " points is undecided: eigenvalues are as small as round-off";
        recorder.log(line.str());
        result.summary.answer += "; " + line.str();
      }
    return result;
  }
} // namespace slender
