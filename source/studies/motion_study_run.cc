// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/contact/passage.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/output/recorder.h>
#include <slender/studies/contact_recording.h>
#include <slender/studies/motion_study.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_motion.h>
#include <slender/studies/time_steps.h>
#include <slender/studies/touching_rods.h>
#include <slender/systems/sole_support.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  /**
   * The motion that a file asks for: a body alone, one among obstacles, or rods
   * that touch each other.
   */
  class MotionStudy::Moving
  {
  public:
    Moving(const MotionStudy &the_study, const Workplace &workplace)
      : study(the_study)
      , rods(study.make_rods(workplace))
      , body(rods
               ? nullptr
               : study.body->build(workplace.model, workplace.groups.group()))
      , driven(study.drives.make())
    {
      MotionOptions options = study.options();
      if (rods)
        options.newton = study.contact.search(study.newton);
      else
        obstacles = study.obstacles.make(study.obstacles.length_of(*body));
      if (!obstacles.empty())
        {
          frictional.emplace(*body, obstacles, study.newton);
          options.search = frictional->search();
        }
      Motion::Drive drive;
      if (is_driven())
        drive = [this](const double t) { drive_to(t); };
      the_motion.emplace(system(), options, drive);
    }

    Moving(const Moving &) = delete;
    Moving &
    operator=(const Moving &) = delete;

    System &
    system() const
    {
      return rods ? rods->system() : *body;
    }

    Motion &
    motion()
    {
      return *the_motion;
    }

    /// Null unless there are obstacles.
    const FrictionalSteps *
    contacts() const
    {
      return frictional ? &*frictional : nullptr;
    }

    const Obstacles &
    in_the_way() const
    {
      return obstacles;
    }

    /// What friction has taken in a step that ends now, of all that it took
    /// before. Collective.
    double
    friction_after(const double before, MPI_Comm group) const
    {
      if (rods)
        return rods->friction_work();
      return frictional
               ? before +
                   sum_of_contacts(group, frictional->contacts()).dissipated
               : before;
    }

    /// The work of obstacles that move in the last step. Collective.
    double
    work_of_obstacles() const
    {
      double mine = 0.;
      if (frictional)
        for (const Contact &one : frictional->contacts())
          if (one.state != ContactState::open)
            mine += one.force.dot(obstacles[one.obstacle].velocity);
      return the_motion->now().unknowns.step_before *
             sum_over_ranks(system().layout(), mine);
    }

    /// At time zero, from rest or from an equilibrium.
    Outcome
    begin()
    {
      Equilibrium place;
      if (rods)
        place.q = rods->start();
      else
        place = study.place_at_start(*body);
      if (!place.converged())
        return place.outcome;
      if (is_driven())
        drive_to(0.);
      const Kinetics &inertia = the_motion->inertia();
      const auto      moments =
        sum_over_ranks(system().layout(),
                       inertia.moments(place.q,
                                       Vector::Zero(inertia.masses().size())));
      const double size = std::sqrt(moments.second / moments.mass);
      the_motion->start(place.q, 0., study.velocity.make(size));
      return Outcome::converged;
    }

    /// One that led through something was taken back.
    struct Step
    {
      Motion::Step step;
      std::string  passage; ///< in words; empty if there was none

      bool
      succeeded() const
      {
        return step.converged() && passage.empty();
      }
    };

    Step
    step(const double length, const bool is_shortest)
    {
      if (rods)
        {
          const TouchingRods::Step taken = rods->take(*the_motion, length);
          return {taken.step,
                  taken.passed ? "rods pass through each other" : ""};
        }
      if (!frictional)
        return {the_motion->step(length), ""};
      const Eigen::Matrix3Xd from = places();
      Step                   result{the_motion->step(length), ""};
      if (result.step.converged())
        result.passage = passage_from(from, length, is_shortest);
      if (!result.passage.empty())
        the_motion->undo();
      return result;
    }

    std::vector<Measurement>
    measure(const Vector &q) const
    {
      return rods ? rods->measure(q) : system().measure(q);
    }

    /// What is measured now. Collective.
    std::vector<Measurement>
    measure_now(MPI_Comm group) const
    {
      std::vector<Measurement> result =
        measure(the_motion->now().unknowns.place);
      if (dynamic_cast<const SoleSupport *>(body.get()))
        let_support_bear(*body,
                         the_motion->inertial_force() + contact_force(group),
                         result);
      return result;
    }

    /// What it measures, in the order in which it does.
    std::vector<Measurement>
    measure_at_start() const
    {
      return measure(rods ? rods->start() : system().initial_state());
    }

    Drawing
    draw(const Vector &q) const
    {
      return rods ? rods->draw(q) : system().draw(q);
    }

    /// Of the balance of what acts on the body at rest.
    double
    residual() const
    {
      return frictional
               ? frictional->residual(*body, the_motion->now().unknowns.place)
               : the_motion->residual();
    }

    bool
    is_still() const
    {
      return study.stops_below > 0. && residual() < study.stops_below &&
             the_motion->energies().kinetic <
               study.stops_below * system().energy_unit();
    }

  private:
    /// Of the points that can touch obstacles, now.
    Eigen::Matrix3Xd
    places() const
    {
      return frictional->points().places(the_motion->now().unknowns.place);
    }

    /// What the last step should not have led through, in words. Of corners
    /// that it cuts a shorter one can tell more.
    std::string
    passage_from(const Eigen::Matrix3Xd &from,
                 const double            length,
                 const bool              is_shortest) const
    {
      const Passage worst = worst_passage(
        obstacles, from, places(), length, system().layout().communicator);
      if (worst.kind == Passage::none ||
          (worst.kind == Passage::cut && is_shortest))
        return "";
      return "the body passes through " + obstacles[worst.obstacle].name;
    }

    /// Of all obstacles on the body.
    Vector3
    contact_force(MPI_Comm group) const
    {
      return frictional ? sum_of_contacts(group, frictional->contacts()).force
                        : Vector3(Vector3::Zero());
    }

    bool
    is_driven() const
    {
      bool moves = !driven.is_empty();
      for (const Obstacle &obstacle : obstacles)
        moves = moves || obstacle.velocity.norm() > 0.;
      return moves;
    }

    void
    drive_to(const double t)
    {
      if (!driven.is_empty())
        driven(system(), t);
      for (Obstacle &obstacle : obstacles)
        obstacle.shift = t * obstacle.velocity;
    }

    const MotionStudy                  &study;
    const std::unique_ptr<TouchingRods> rods; ///< null unless rods touch
    const std::unique_ptr<Model>        body; ///< null where they do
    Drives::Applied                     driven;
    Obstacles                           obstacles;
    std::optional<FrictionalSteps>      frictional; ///< with obstacles
    std::optional<Motion>               the_motion;
  };

  /// The rows and shapes of a motion, and its balance of energies.
  class MotionStudy::Record
  {
  public:
    Record(Recorder &the_recorder, MPI_Comm the_group, Moving &the_body)
      : recorder(the_recorder)
      , group(the_group)
      , moving(the_body)
    {}

    void
    begin_files() const
    {
      std::vector<std::string> columns = {"step",
                                          "time",
                                          "step_length",
                                          "kinetic_energy",
                                          "potential_energy",
                                          "dissipated_energy",
                                          "work",
                                          "balance",
                                          "momentum_x",
                                          "momentum_y",
                                          "momentum_z",
                                          "angular_momentum_x",
                                          "angular_momentum_y",
                                          "angular_momentum_z"};
      for (const Measurement &m : moving.measure_at_start())
        columns.push_back(column_name(m.name));
      columns.insert(columns.end(), {"residual", "iterations"});
      if (moving.contacts())
        {
          columns.insert(columns.end(),
                         {"contacts",
                          "slipping",
                          "pressure",
                          "force_x",
                          "force_y",
                          "force_z",
                          "friction_energy"});
          begin_contact_table(recorder);
        }
      recorder.begin_table(recorded::results, columns);
      recorder.begin_series(recorded::shapes, "time [time]");
    }

    /// From now on the sum of energies should not change.
    void
    begin_balance()
    {
      first_sum = sum(moving.motion().energies());
    }

    /// After every step that is kept.
    void
    account_for_contacts()
    {
      friction = moving.friction_after(friction, group);
      work += moving.work_of_obstacles();
    }

    void
    row(const long n_steps)
    {
      const Motion           &motion  = moving.motion();
      const MotionEnergies    e       = motion.energies();
      const Kinetics::Moments moments = motion.moments();
      const MotionState      &moment  = motion.now();
      const double            balance = sum(e) + friction - work - first_sum;
      worst                           = std::max(worst, std::abs(balance));
      Table::Row row                  = {n_steps,
                                         moment.time,
                                         moment.unknowns.step_before,
                                         e.kinetic,
                                         e.potential,
                                         e.dissipated,
                                         e.work + work,
                                         balance};
      for (const Vector3 &v :
           {moments.linear_momentum, moments.angular_momentum})
        for (int c = 0; c < 3; ++c)
          row.emplace_back(v(c));
      for (const Measurement &m : moving.measure_now(group))
        row.emplace_back(m.value);
      row.emplace_back(moving.residual());
      row.emplace_back(iterations);
      iterations = 0;
      if (moving.contacts())
        add_contacts(row, moment);
      recorder.row(recorded::results, row);
      recorder.count(recorded::samples);
    }

    void
    shape(const long number) const
    {
      const MotionState &moment = moving.motion().now();
      recorder.shape(recorded::shapes,
                     number,
                     moment.time,
                     moving.draw(moment.unknowns.place),
                     group);
    }

    std::vector<double>
    numbers() const
    {
      return {
        first_sum, worst, static_cast<double>(iterations), friction, work};
    }
    static constexpr std::size_t n_numbers = 5;

    void
    set(const std::vector<double> &numbers)
    {
      first_sum  = numbers[0];
      worst      = numbers[1];
      iterations = std::lround(numbers[2]);
      friction   = numbers[3];
      work       = numbers[4];
    }

    long   iterations = 0;  ///< since the last row
    double worst      = 0.; ///< departure from the balance of energies

  private:
    static double
    sum(const MotionEnergies &e)
    {
      return e.kinetic + e.potential + e.dissipated - e.work;
    }

    void
    add_contacts(Table::Row &row, const MotionState &moment) const
    {
      const auto       &contacts = moving.contacts()->contacts();
      const ContactSums sums     = sum_of_contacts(group, contacts);
      row.insert(row.end(),
                 {sums.touching,
                  sums.slipping,
                  sums.pressure,
                  sums.force(0),
                  sums.force(1),
                  sums.force(2),
                  friction});
      record_contacts(recorder,
                      group,
                      moment.time,
                      moving.in_the_way(),
                      contacts,
                      moving.contacts()->points().places(
                        moment.unknowns.place));
    }

    Recorder &recorder;
    MPI_Comm  group;
    Moving   &moving;
    double    first_sum = 0.;
    double    friction  = 0.; ///< energy that it took, since the start
    double    work      = 0.; ///< of obstacles that move, since the start
  };

  StudyResult
  MotionStudy::run(Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    MPI_Comm  group    = workplace.groups.group();
    Recorder &recorder = workplace.recorder;
    Moving    moving(*this, workplace);
    Motion   &motion = moving.motion();
    TimeSteps steps(time, Integrator(time.make()).order());
    Record    record(recorder, group, moving);
    record.begin_files();
    const auto record_row = [&] {
      record.row(steps.n_steps);
      ++steps.n_rows;
    };
    const auto record_shape = [&] {
      record.shape(steps.n_shapes);
      ++steps.n_shapes;
    };

    if (const auto checkpoint = recorder.last_checkpoint(group))
      {
        motion.set(saved_motion::get(*checkpoint, moving.system()));
        steps.set(checkpoint->numbers("steps", TimeSteps::n_numbers));
        record.set(checkpoint->numbers("record", Record::n_numbers));
      }
    else if (const Outcome begun = moving.begin(); begun != Outcome::converged)
      {
        report_failure(recorder,
                       std::string("there is no equilibrium to start from: ") +
                         to_string(begun));
        return result;
      }
    else
      {
        record.begin_balance();
        record_row();
        record_shape();
      }

    Progress progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "motion",
                      std::max(1L, std::lround(time.end / time.step)));
    bool     is_still = false;
    while (!steps.has_ended(motion.now().time) && !is_still)
      {
        const bool asked = interruption_requested(group);
        if (workplace.clock.is_due(group) || asked)
          {
            Archive archive;
            saved_motion::put(archive, moving.system(), motion.now());
            archive.numbers["steps"].values  = steps.numbers();
            archive.numbers["record"].values = record.numbers();
            recorder.checkpoint(archive, group);
          }
        if (asked)
          {
            result.is_interrupted = true;
            return result;
          }

        const double       now    = motion.now().time;
        const double       length = steps.length_from(now);
        const Moving::Step taken =
          moving.step(length, steps.is_shortest(length));
        const Motion::Step &step = taken.step;
        record.iterations += step.iterations;
        recorder.count(recorded::iterations, step.iterations);
        if (!taken.succeeded())
          {
            if (steps.halve(length))
              continue;
            std::ostringstream line;
            line << "stopped at time " << now << ": a step of " << length
                 << " fails ("
                 << (taken.passage.empty() ? to_string(step.outcome)
                                           : taken.passage)
                 << ")";
            report_failure(recorder, line.str());
            break;
          }
        if (steps.is_too_coarse(length, step.error))
          {
            motion.undo();
            steps.shorten(length, step.error);
            continue;
          }
        steps.accept(length, step.error);
        record.account_for_contacts();

        const double t     = motion.now().time;
        is_still           = moving.is_still();
        const bool is_last = steps.has_ended(t) || is_still;
        if (steps.row_is_due(t, length, is_last))
          record_row();
        if (steps.shape_is_due(t, length, is_last))
          record_shape();
        progress.advance();
      }

    std::ostringstream words;
    words << std::setprecision(6) << (is_still ? "at rest" : "moved")
          << " until time " << motion.now().time << " in " << steps.n_steps
          << " steps; the balance of energies is off by at most "
          << record.worst;
    result.summary.answer = words.str();
    return result;
  }
} // namespace slender
