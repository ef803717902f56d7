// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/output/recorder.h>
#include <slender/studies/frontier_messages.h>
#include <slender/studies/frontier_progress.h>
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
        {
          is_resumed = true;
          reached.restore(*checkpoint, system);
        }
    }

    /// Whether the second side is tracked by the second group, at the same
    /// time.
    bool
    is_shared() const
    {
      return workplace.groups.n_groups() > 1 && reached.sides.size() > 1;
    }

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

    bool             is_resumed = false;
    FrontierProgress reached;
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
    return groups.group_index() < n_sides;
  }

  void
  FrontierRun::start_from(const BranchPoint         &point,
                          const std::vector<double> &start_controls,
                          const int                  only_side)
  {
    Implementation &self = *implementation;
    self.reached.begin(self.system.state(point.q),
                       start_controls,
                       point.null_vector,
                       only_side != 0 ? std::vector<int>{only_side}
                                      : std::vector<int>{1, -1});
  }

  void
  FrontierRun::Implementation::flush(
    const std::function<void(const Point &)> &record,
    const std::optional<FrontierEnd>         &end)
  {
    if (!reached.pending)
      return;
    if (reached.pending->is_known)
      {
        reached.pending.reset();
        return;
      }
    const std::int64_t   number = reached.n_points++;
    const FrontierPoint &point  = reached.pending->point;
    const bool           is_drawn =
      n_shapes > 0 && (end.has_value() || Recorder::wants(number, n_shapes));
    // Whoever calls goes on where the system stands now.
    const State present = system.state(point.q);
    system.set_state(reached.pending->state);
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
                                    reached.pending->state,
                                    &point.null_vector),
                     group);
    recorder.count(recorded::samples);
    recorder.count(recorded::iterations, point.iterations);
    if (point.doubt > 0.)
      ++reached.n_doubts;
    if (point.outlook.n_unstable > 0)
      ++reached.n_late;
    reached.largest_doubt = std::max(reached.largest_doubt, point.doubt);
    record({point,
            reached.pending->measurements,
            reached.sides.front(),
            label,
            end.has_value(),
            end == FrontierEnd::step_failed ||
              end == FrontierEnd::no_symmetry || end == FrontierEnd::cusp});
    system.set_state(present);
    reached.pending.reset();
  }

  void
  FrontierRun::Implementation::take(
    const FrontierPoint                      &point,
    const std::function<void(const Point &)> &record)
  {
    flush(record, {});
    PlaneCurve &of_side  = reached.curve_of_side();
    const bool  is_known = of_side.empty() && (!reached.curves[0].empty() ||
                                              !reached.curves[1].empty());
    reached.pending      = {point,
                            system.measure(point.q),
                            system.state(point.q),
                            is_known};
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
        recorder.checkpoint(reached.to_archive(system, &at), group);
      return !asked;
    });
    if (reached.cursor)
      {
        const FrontierCursor at = *reached.cursor;
        reached.cursor.reset();
        return tracker.resume(at, observer);
      }
    system.set_state(reached.start);
    controls.set(reached.start_controls);
    return tracker.track(
      reached.start.q, reached.mode, 1, reached.sides.front(), observer);
  }

  FrontierEnd
  FrontierRun::Implementation::receive_side(const Taker &take_point)
  {
    // Whoever is interrupted now begins with this side.
    recorder.checkpoint(reached.to_archive(system, nullptr), group);
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
    reached.cursor.reset();
    reached.pending.reset();
    reached.sides.erase(reached.sides.begin());
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
    const PlaneCurve  &of_side = reached.curve_of_side();
    std::ostringstream line;
    line << "towards " << (reached.sides.front() > 0 ? "larger " : "smaller ")
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
    for (; !self.reached.sides.empty();
         self.reached.sides.erase(self.reached.sides.begin()))
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
    if (self.reached.n_doubts > 0)
      {
        std::ostringstream line;
        line << "at " << self.reached.n_doubts
             << " points another mode is critical, up to "
             << std::setprecision(2) << self.reached.largest_doubt
             << " of the box away: loads are uncertain by that";
        self.recorder.log(line.str());
        self.recorder.remark(recorded::results, line.str());
      }
    if (self.reached.n_late > 0)
      {
        std::ostringstream line;
        line << "at " << self.reached.n_late
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
    const PlaneCurve &up = implementation->reached.curves[0];
    PlaneCurve        whole(implementation->reached.curves[1].rbegin(),
                     implementation->reached.curves[1].rend());
    if (!up.empty())
      whole.insert(whole.end(), up.begin() + (whole.empty() ? 0 : 1), up.end());
    return whole;
  }
} // namespace slender
