// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/output/recorder.h>
#include <slender/studies/frontier_messages.h>
#include <slender/studies/frontier_run.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <optional>
#include <sstream>

namespace slender
{
  namespace
  {
    /// A point that waits until it is known whether its side ends there.
    struct Pending
    {
      FrontierPoint            point;
      std::vector<Measurement> measurements;
      State                    state;
      bool is_known = false; ///< the start, which the other side has recorded
    };

    std::vector<double>
    to_numbers(const PlaneCurve &curve)
    {
      std::vector<double> numbers;
      for (const Eigen::Vector2d &point : curve)
        numbers.insert(numbers.end(), {point.x(), point.y()});
      return numbers;
    }

    std::vector<double>
    to_numbers(const FrontierOutlook &outlook)
    {
      return {outlook.second_eigenvalue,
              outlook.second_distance,
              outlook.cubic,
              outlook.second_breaks_symmetry ? 1. : 0.,
              static_cast<double>(outlook.n_unstable)};
    }

    FrontierOutlook
    to_outlook(const std::vector<double> &numbers)
    {
      return {numbers[0],
              numbers[1],
              numbers[2],
              numbers[3] != 0.,
              static_cast<Index>(std::lround(numbers[4]))};
    }

    void
    put_vectors(Archive                   &archive,
                const std::string         &name,
                const System              &system,
                const std::vector<Vector> &vectors)
    {
      archive.numbers["number of " + name].values = {
        static_cast<double>(vectors.size())};
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
      const long n = std::lround(reader.numbers("number of " + name, 1)[0]);
      for (long i = 0; i < n; ++i)
        vectors.push_back(saved_state::get_vector(
          reader, name + " " + std::to_string(i), system));
      return vectors;
    }

    PlaneCurve
    to_curve(const std::vector<double> &numbers)
    {
      PlaneCurve curve;
      for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        curve.emplace_back(numbers[i], numbers[i + 1]);
      return curve;
    }
  } // namespace

  struct FrontierRun::Implementation
  {
    Implementation(Workplace             &the_workplace,
                   Controls               the_controls,
                   const NewtonOptions   &the_newton,
                   const FrontierOptions &the_options,
                   const int              the_n_shapes)
      : workplace(the_workplace)
      , recorder(the_workplace.recorder)
      , group(the_workplace.groups.group())
      , controls(std::move(the_controls))
      , system(controls.system())
      , newton(the_newton)
      , options(the_options)
      , n_shapes(the_n_shapes)
      , progress(the_workplace.progress,
                 the_workplace.progress_is_terminal,
                 "frontier: points",
                 0)
    {
      recorder.begin_series(recorded::shapes, "number of the point [1]");
      recorder.begin_series(recorded::modes, "number of the point [1]");
      if (const auto checkpoint = recorder.last_checkpoint(group))
        restore(*checkpoint);
    }

    /// Whether the second side is tracked by the second group, at the same
    /// time.
    bool
    is_shared() const
    {
      return workplace.groups.n_groups() > 1 && sides.size() > 1;
    }

    void
    restore(const ArchiveReader &reader);

    /// Without a cursor: before a side is begun.
    Archive
    to_archive(const FrontierCursor *cursor) const;

    /// Takes points as they are found; the system stands there.
    using Taker = std::function<void(const FrontierPoint &)>;

    /// The first of the sides, from where an interrupted run was.
    FrontierEnd
    track_side(const Taker &take, bool keeps_checkpoints);

    /// The same by another group, which tells what it finds.
    FrontierEnd
    receive_side(const Taker &take);

    /// Takes what another group still has to tell.
    void
    discard_side() const;

    /// Tells the first group.
    void
    send_side();

    /// Keeps a point until the next one is known.
    void
    take(const FrontierPoint                      &point,
         const std::function<void(const Point &)> &record);

    /// Says how a side has ended.
    void
    report_end(FrontierEnd end);

    void
    flush(const std::function<void(const Point &)> &record,
          const std::optional<FrontierEnd>         &end);

    Workplace      &workplace;
    Recorder       &recorder;
    MPI_Comm        group;
    Controls        controls;
    System         &system;
    NewtonOptions   newton;
    FrontierOptions options;
    int             n_shapes;
    Progress        progress;

    State               start; ///< of the system
    std::vector<double> start_controls;
    Vector              mode;  ///< that becomes unstable there
    std::vector<int>    sides; ///< that are still to be tracked
    PlaneCurve          curves[2];
    long                n_points      = 0; ///< recorded
    long                n_doubts      = 0; ///< of these, see FrontierPoint
    long                n_late        = 0; ///< of these, buckled already
    double              largest_doubt = 0.;

    bool                          is_resumed = false;
    std::optional<FrontierCursor> cursor; ///< from which to go on
    std::optional<Pending>        pending;
  };

  FrontierRun::FrontierRun(Workplace                      &workplace,
                           System                         &system,
                           const std::vector<std::string> &parameters,
                           const NewtonOptions            &newton,
                           const FrontierOptions          &options,
                           const int                       n_shapes)
    : FrontierRun(workplace,
                  Controls(system, parameters),
                  newton,
                  options,
                  n_shapes)
  {}

  FrontierRun::FrontierRun(Workplace             &workplace,
                           Controls               controls,
                           const NewtonOptions   &newton,
                           const FrontierOptions &options,
                           const int              n_shapes)
    : implementation(std::make_unique<Implementation>(workplace,
                                                      std::move(controls),
                                                      newton,
                                                      options,
                                                      n_shapes))
  {}

  FrontierRun::~FrontierRun() = default;

  bool
  FrontierRun::is_resumed() const
  {
    return implementation->is_resumed;
  }

  bool
  FrontierRun::has_work(const Groups &groups)
  {
    return groups.group_index() < 2;
  }

  void
  FrontierRun::start_from(const BranchPoint         &point,
                          const std::vector<double> &start_controls,
                          const int                  only_side)
  {
    Implementation &self = *implementation;
    self.start           = self.system.state(point.q);
    self.start_controls  = start_controls;
    self.mode            = point.null_vector;
    self.sides =
      only_side != 0 ? std::vector<int>{only_side} : std::vector<int>{1, -1};
    // It may be the next one after another.
    for (PlaneCurve &curve : self.curves)
      curve.clear();
    self.n_doubts      = 0;
    self.n_late        = 0;
    self.largest_doubt = 0.;
  }

  Archive
  FrontierRun::Implementation::to_archive(const FrontierCursor *at) const
  {
    Archive archive;
    archive.numbers["points"].values = {static_cast<double>(n_points)};
    archive.numbers["doubts"].values = {static_cast<double>(n_doubts),
                                        largest_doubt,
                                        static_cast<double>(n_late)};
    for (const int side : {0, 1})
      archive.numbers["side " + std::to_string(side)].values =
        to_numbers(curves[side]);
    archive.numbers["sides"].values.assign(sides.begin(), sides.end());
    archive.numbers["start controls"].values = start_controls;
    saved_state::put(archive, "start", system, start);
    saved_state::put(archive, "mode", system, mode);
    std::vector<double> &numbers = archive.numbers["cursor"].values;
    if (!at)
      return archive;

    numbers                    = {at->present.u[0],
                                  at->present.u[1],
                                  at->rate.u[0],
                                  at->rate.u[1],
                                  at->step,
                                  static_cast<double>(at->n_points),
                                  static_cast<double>(at->n_held)};
    std::vector<double> &trail = archive.numbers["trail"].values;
    for (const FrontierCursor::Milestone &m : at->trail)
      trail.insert(trail.end(), {m.u[0], m.u[1], m.distance, m.cubic});
    archive.numbers["outlook"].values = to_numbers(at->outlook);
    archive.numbers["pending outlook"].values =
      to_numbers(pending->point.outlook);
    archive.numbers["pending"].values = {pending->point.controls[0],
                                         pending->point.controls[1],
                                         pending->point.slack,
                                         static_cast<double>(
                                           pending->point.iterations),
                                         pending->is_known ? 1. : 0.,
                                         pending->point.doubt};
    // The point that waits is the present one.
    saved_state::put(archive, "present", system, pending->state);
    saved_state::put(archive, "rate", system, at->rate.q);
    put_vectors(archive, "mode", system, at->modes);
    put_vectors(archive, "antisymmetric", system, at->antisymmetric);
    return archive;
  }

  void
  FrontierRun::Implementation::restore(const ArchiveReader &reader)
  {
    is_resumed = true;
    n_points   = std::lround(reader.numbers("points", 1)[0]);
    const std::vector<double> doubts = reader.numbers("doubts", 3);
    n_doubts                         = std::lround(doubts[0]);
    largest_doubt                    = doubts[1];
    n_late                           = std::lround(doubts[2]);
    for (const int side : {0, 1})
      curves[side] =
        to_curve(reader.numbers("side " + std::to_string(side)).values);
    for (const double side : reader.numbers("sides").values)
      sides.push_back(static_cast<int>(side));
    start_controls = reader.numbers("start controls", 2);
    start          = saved_state::get_state(reader, "start", system);
    mode           = saved_state::get_vector(reader, "mode", system);
    if (reader.numbers("cursor").values.empty())
      return;

    const std::vector<double> numbers = reader.numbers("cursor", 7);
    cursor.emplace();
    cursor->present.u               = {{numbers[0], numbers[1]}};
    cursor->rate.u                  = {{numbers[2], numbers[3]}};
    cursor->step                    = numbers[4];
    cursor->n_points                = static_cast<int>(std::lround(numbers[5]));
    cursor->n_held                  = static_cast<int>(std::lround(numbers[6]));
    const std::vector<double> trail = reader.numbers("trail").values;
    for (std::size_t i = 0; i + 3 < trail.size(); i += 4)
      cursor->trail.push_back(
        {{{trail[i], trail[i + 1]}}, trail[i + 2], trail[i + 3]});
    cursor->outlook       = to_outlook(reader.numbers("outlook", 5));
    cursor->modes         = get_vectors(reader, "mode", system);
    cursor->antisymmetric = get_vectors(reader, "antisymmetric", system);
    cursor->rate.q        = saved_state::get_vector(reader, "rate", system);
    const State present   = saved_state::get_state(reader, "present", system);
    cursor->present.q     = present.q;

    system.set_state(present);
    const std::vector<double> waiting = reader.numbers("pending", 6);
    pending.emplace();
    pending->point.controls   = {{waiting[0], waiting[1]}};
    pending->point.slack      = waiting[2];
    pending->point.iterations = static_cast<int>(std::lround(waiting[3]));
    pending->is_known         = waiting[4] != 0.;
    pending->point.doubt      = waiting[5];
    pending->point.outlook = to_outlook(reader.numbers("pending outlook", 5));
    pending->point.q       = present.q;
    pending->point.null_vector = cursor->modes.at(0);
    pending->state             = present;
    pending->measurements      = system.measure(present.q);
  }

  void
  FrontierRun::Implementation::flush(
    const std::function<void(const Point &)> &record,
    const std::optional<FrontierEnd>         &end)
  {
    if (!pending)
      return;
    if (pending->is_known)
      {
        pending.reset();
        return;
      }
    const std::int64_t   number = n_points++;
    const FrontierPoint &point  = pending->point;
    const bool           is_drawn =
      n_shapes > 0 && (end.has_value() || Recorder::wants(number, n_shapes));
    // Whoever calls goes on where the system stands now.
    const State present = system.state(point.q);
    system.set_state(pending->state);
    const bool is_event = point.event != FrontierEvent::none;
    const long label    = is_drawn || end || is_event ? number + 1 : 0;
    if (is_event)
      {
        std::ostringstream line;
        line << "a " << to_string(point.event) << " at (" << controls.name(0)
             << ", " << controls.name(1) << ") = (" << std::setprecision(8)
             << point.controls[0] << ", " << point.controls[1] << ")";
        recorder.log(line.str());
      }
    if (is_drawn)
      {
        const auto time = static_cast<double>(number);
        recorder.shape_of_many(recorded::shapes,
                               number,
                               time,
                               system.draw(point.q),
                               group,
                               n_shapes);
        recorder.shape_of_many(recorded::modes,
                               number,
                               time,
                               draw_mode(system, point.q, point.null_vector),
                               group,
                               n_shapes);
      }
    if (label > 0)
      recorder.state(label,
                     labelled_state(system,
                                    workplace.model_name,
                                    options.kind == FrontierKind::fold
                                      ? point_code::fold
                                      : point_code::bifurcation,
                                    pending->state,
                                    &point.null_vector),
                     group);
    recorder.count(recorded::samples);
    recorder.count(recorded::iterations, point.iterations);
    if (point.doubt > 0.)
      ++n_doubts;
    if (point.outlook.n_unstable > 0)
      ++n_late;
    largest_doubt = std::max(largest_doubt, point.doubt);
    record({point,
            pending->measurements,
            sides.front(),
            label,
            end.has_value(),
            end == FrontierEnd::step_failed ||
              end == FrontierEnd::no_symmetry || end == FrontierEnd::cusp});
    system.set_state(present);
    pending.reset();
  }

  void
  FrontierRun::Implementation::take(
    const FrontierPoint                      &point,
    const std::function<void(const Point &)> &record)
  {
    flush(record, {});
    const int   side     = sides.front();
    PlaneCurve &of_side  = curves[side > 0 ? 0 : 1];
    const bool  is_known = of_side.empty() && !curves[side > 0 ? 1 : 0].empty();
    pending = {point, system.measure(point.q), system.state(point.q), is_known};
    of_side.emplace_back(point.controls[0], point.controls[1]);
    progress.advance();
  }

  FrontierEnd
  FrontierRun::Implementation::track_side(const Taker &take_point,
                                          const bool   keeps_checkpoints)
  {
    const auto observer = [&](const FrontierPoint &point) {
      take_point(point);
      return true;
    };
    FrontierTracker tracker(controls, newton, options);
    tracker.set_watcher([&](const FrontierCursor &at) {
      const bool asked = interruption_requested(group);
      if (keeps_checkpoints && (workplace.clock.is_due(group) || asked))
        recorder.checkpoint(to_archive(&at), group);
      return !asked;
    });
    if (cursor)
      {
        const FrontierCursor at = *cursor;
        cursor.reset();
        return tracker.resume(at, observer);
      }
    system.set_state(start);
    controls.set(start_controls);
    return tracker.track(start.q, mode, 1, sides.front(), observer);
  }

  FrontierEnd
  FrontierRun::Implementation::receive_side(const Taker &take_point)
  {
    // Whoever is interrupted now begins with this side.
    recorder.checkpoint(to_archive(nullptr), group);
    while (true)
      {
        const FrontierMessage message =
          next_frontier_message(workplace.groups, 1);
        if (message.end)
          return *message.end;
        system.set_state(message.state);
        take_point(message.point);
      }
  }

  void
  FrontierRun::Implementation::discard_side() const
  {
    while (!next_frontier_message(workplace.groups, 1).end)
      ;
  }

  void
  FrontierRun::Implementation::send_side()
  {
    // What an interrupted run had reached is the first group's.
    cursor.reset();
    pending.reset();
    sides.erase(sides.begin());
    FrontierOutbox  outbox(workplace.groups);
    FrontierMessage last;
    last.end = FrontierEnd::step_failed;
    try
      {
        last.end = track_side(
          [&](const FrontierPoint &point) {
            outbox.send({point, system.state(point.q), {}});
          },
          false);
      }
    catch (...)
      {
        outbox.send(last);
        throw;
      }
    outbox.send(last);
  }

  void
  FrontierRun::Implementation::report_end(const FrontierEnd end)
  {
    const int          side    = sides.front();
    const PlaneCurve  &of_side = curves[side > 0 ? 0 : 1];
    std::ostringstream line;
    line << "towards " << (side > 0 ? "larger " : "smaller ")
         << controls.name(1) << ": " << of_side.size() << " points, "
         << to_string(end);
    if (end == FrontierEnd::step_failed || end == FrontierEnd::no_symmetry ||
        end == FrontierEnd::cusp || end == FrontierEnd::no_bifurcation)
      {
        if (!of_side.empty())
          line << " beyond (" << of_side.back().x() << ", "
               << of_side.back().y() << ")";
        report_failure(recorder, line.str());
      }
    else
      recorder.log(line.str());
  }

  bool
  FrontierRun::track(const std::function<void(const Point &)> &record)
  {
    Implementation &self      = *implementation;
    const bool      is_shared = self.is_shared();
    if (self.workplace.groups.group_index() != 0)
      {
        if (is_shared && self.workplace.groups.group_index() == 1)
          self.send_side();
        return true;
      }
    const auto take = [&](const FrontierPoint &point) {
      self.take(point, record);
    };
    bool is_first = true;
    for (; !self.sides.empty(); self.sides.erase(self.sides.begin()))
      {
        FrontierEnd end;
        if (is_shared && !is_first)
          end = self.receive_side(take);
        else
          try
            {
              end = self.track_side(take, true);
            }
          catch (...)
            {
              // Letters that nobody takes would keep their senders.
              if (is_shared)
                self.discard_side();
              throw;
            }
        if (end == FrontierEnd::interrupted)
          {
            if (is_shared && is_first)
              self.discard_side();
            return false;
          }
        self.flush(record, end);
        self.report_end(end);
        is_first = false;
      }
    if (self.n_doubts > 0)
      {
        std::ostringstream line;
        line << "at " << self.n_doubts
             << " points another mode is critical, up to "
             << std::setprecision(2) << self.largest_doubt
             << " of the box away: loads are uncertain by that";
        self.recorder.log(line.str());
        self.recorder.remark(recorded::results, line.str());
      }
    if (self.n_late > 0)
      {
        std::ostringstream line;
        line << "at " << self.n_late
             << " points another mode is unstable already: what is tracked is "
                "not the first load there";
        self.recorder.log(line.str());
        self.recorder.remark(recorded::results, line.str());
      }
    return true;
  }

  PlaneCurve
  FrontierRun::curve() const
  {
    // The start is on both sides.
    const PlaneCurve &up = implementation->curves[0];
    PlaneCurve        whole(implementation->curves[1].rbegin(),
                     implementation->curves[1].rend());
    if (!up.empty())
      whole.insert(whole.end(), up.begin() + (whole.empty() ? 0 : 1), up.end());
    return whole;
  }
} // namespace slender
