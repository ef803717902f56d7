// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/output/recorder.h>
#include <slender/studies/branch_recorder.h>
#include <slender/studies/branch_study.h>
#include <slender/studies/effects.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iomanip>
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
      State       state;            ///< of the body there
      int         side     = 1;     ///< of the parameter or of the null vector
      bool        switches = false; ///< at a bifurcation
      int         depth    = 0;
    };

    /// What a checkpoint holds: the branch that is under way and those that
    /// wait.
    struct Journey
    {
      int                      branch = 1;
      Leg                      leg;    ///< under way
      std::deque<Leg>          legs;   ///< that wait
      BranchCursor             cursor; ///< on the one that is under way
      State                    state;  ///< of the body at its last point
      BranchRecorder::Position recorded;
      std::string              answer; ///< where it first became unstable
    };

    std::vector<double>
    numbers_of(const BranchPoint &point)
    {
      return {static_cast<double>(point.kind),
              point.parameter,
              point.arc_length,
              static_cast<double>(point.n_negative),
              static_cast<double>(point.iterations),
              point.is_undecided ? 1. : 0.};
    }

    void
    set_numbers(BranchPoint &point, const std::vector<double> &numbers)
    {
      point.kind         = static_cast<PointKind>(std::lround(numbers[0]));
      point.parameter    = numbers[1];
      point.arc_length   = numbers[2];
      point.n_negative   = static_cast<Index>(std::lround(numbers[3]));
      point.iterations   = static_cast<int>(std::lround(numbers[4]));
      point.is_undecided = numbers[5] != 0.;
    }

    /// How many numbers that are.
    constexpr std::size_t n_numbers = 6;

    void
    put(Archive                   &archive,
        const std::string         &name,
        const System              &system,
        const std::vector<Vector> &vectors)
    {
      archive.numbers[name].values = {static_cast<double>(vectors.size())};
      for (std::size_t i = 0; i < vectors.size(); ++i)
        saved_state::put(archive,
                         name + " " + std::to_string(i),
                         system,
                         vectors[i]);
    }

    std::vector<Vector>
    get_vectors(const ArchiveReader &reader,
                const std::string   &name,
                const System        &system)
    {
      std::vector<Vector> vectors;
      const auto n = static_cast<std::size_t>(reader.numbers(name, 1)[0]);
      for (std::size_t i = 0; i < n; ++i)
        vectors.push_back(saved_state::get_vector(
          reader, name + " " + std::to_string(i), system));
      return vectors;
    }

    void
    put(Archive           &archive,
        const std::string &name,
        const System      &system,
        const Leg         &leg)
    {
      std::vector<double> &numbers = archive.numbers[name + "/leg"].values;
      numbers                      = numbers_of(leg.from);
      numbers.insert(numbers.end(),
                     {static_cast<double>(leg.side),
                      leg.switches ? 1. : 0.,
                      static_cast<double>(leg.depth)});
      saved_state::put(archive, name, system, leg.state);
      if (leg.switches)
        saved_state::put(archive,
                         name + "/null vector",
                         system,
                         leg.from.null_vector);
      put(archive, name + "/companions", system, leg.from.companions);
    }

    Leg
    get_leg(const ArchiveReader &reader,
            const std::string   &name,
            const System        &system)
    {
      const std::vector<double> numbers =
        reader.numbers(name + "/leg", n_numbers + 3);
      Leg leg;
      set_numbers(leg.from, numbers);
      leg.side     = static_cast<int>(numbers[n_numbers]);
      leg.switches = numbers[n_numbers + 1] != 0.;
      leg.depth    = static_cast<int>(numbers[n_numbers + 2]);
      leg.state    = saved_state::get_state(reader, name, system);
      leg.from.q   = leg.state.q;
      if (leg.switches)
        leg.from.null_vector =
          saved_state::get_vector(reader, name + "/null vector", system);
      leg.from.companions = get_vectors(reader, name + "/companions", system);
      return leg;
    }

    Archive
    to_archive(const Journey &journey, const System &system)
    {
      Archive archive;
      archive.numbers["journey"].values = {
        static_cast<double>(journey.branch),
        static_cast<double>(journey.legs.size()),
        static_cast<double>(journey.recorded.rows),
        static_cast<double>(journey.recorded.labels)};
      archive.words["answer"] = journey.answer;
      put(archive, "under way", system, journey.leg);
      for (std::size_t i = 0; i < journey.legs.size(); ++i)
        put(archive, "leg " + std::to_string(i), system, journey.legs[i]);

      const BranchCursor &cursor  = journey.cursor;
      std::vector<double> numbers = numbers_of(cursor.last);
      numbers.insert(numbers.end(),
                     {cursor.direction_of_parameter,
                      cursor.unit_parameter,
                      cursor.length,
                      static_cast<double>(cursor.n_steps),
                      static_cast<double>(cursor.n_repeated),
                      cursor.deviation,
                      static_cast<double>(cursor.n_doubtful),
                      cursor.starts_at_bifurcation ? 1. : 0.,
                      cursor.start_parameter});
      archive.numbers["cursor"].values = numbers;
      archive.numbers["lost"].values   = cursor.lost;
      saved_state::put(archive, "cursor", system, journey.state);
      saved_state::put(archive, "cursor/direction", system, cursor.direction);
      saved_state::put(archive, "cursor/start", system, cursor.start);
      put(archive, "cursor/neutral", system, cursor.neutral);
      archive.numbers["trails"].values = cursor.trails.numbers();
      return archive;
    }

    Journey
    from_archive(const ArchiveReader &reader, System &system)
    {
      const std::vector<double> overview = reader.numbers("journey", 4);
      Journey                   journey;
      journey.branch          = static_cast<int>(overview[0]);
      journey.recorded.rows   = std::lround(overview[2]);
      journey.recorded.labels = std::lround(overview[3]);
      journey.answer          = reader.word("answer");
      journey.leg             = get_leg(reader, "under way", system);
      for (int i = 0; i < static_cast<int>(overview[1]); ++i)
        journey.legs.push_back(
          get_leg(reader, "leg " + std::to_string(i), system));

      const std::vector<double> numbers =
        reader.numbers("cursor", n_numbers + 9);
      BranchCursor &cursor = journey.cursor;
      set_numbers(cursor.last, numbers);
      const double *further         = numbers.data() + n_numbers;
      cursor.direction_of_parameter = further[0];
      cursor.unit_parameter         = further[1];
      cursor.length                 = further[2];
      cursor.n_steps                = static_cast<int>(further[3]);
      cursor.n_repeated             = static_cast<int>(further[4]);
      cursor.deviation              = further[5];
      cursor.n_doubtful             = static_cast<Index>(further[6]);
      cursor.starts_at_bifurcation  = further[7] != 0.;
      cursor.start_parameter        = further[8];
      cursor.lost                   = reader.numbers("lost").values;
      cursor.trails.set_numbers(reader.numbers("trails").values);
      cursor.start   = saved_state::get_vector(reader, "cursor/start", system);
      cursor.neutral = get_vectors(reader, "cursor/neutral", system);
      const State state = saved_state::get_state(reader, "cursor", system);
      cursor.last.q     = state.q;
      cursor.direction =
        saved_state::get_vector(reader, "cursor/direction", system);
      system.set_state(state);
      return journey;
    }

    constexpr const char *n_bifurcations = "bifurcations";
    constexpr const char *n_folds        = "folds";
    constexpr const char *n_undecided    = "undecided points";

    /// An instability in a sentence; empty for other points.
    std::string
    in_words(const BranchPoint &point, const std::string &parameter)
    {
      if (point.kind != PointKind::fold && point.kind != PointKind::bifurcation)
        return "";
      std::ostringstream text;
      text << std::setprecision(10)
           << (point.kind == PointKind::fold ? "it snaps at a fold at "
                                             : "it buckles at ")
           << parameter << " = " << point.parameter;
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
    BranchRecorder of_branches(
      *model, parameter, n_eigenvalues, draw_every, workplace);

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
      return !stops_at(point, measurements);
    };
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
