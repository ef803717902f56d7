// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/contact/curve_topology.h>
#include <slender/output/recorder.h>
#include <slender/studies/contact_motion.h>
#include <slender/studies/knot.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_motion.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    constexpr double pi = 3.141592653589793;

    /// Where a run is, besides the moment itself.
    struct Progression
    {
      double length     = 0.; ///< of the next step
      double steps      = 0.;
      double rows       = 0.;
      double shapes     = 0.;
      double iterations = 0.;
      double cuts       = 0.; ///< steps that failed
      // Since the last row.
      double force_time = 0., time = 0., row_iterations = 0., row_steps = 0.;
      double deepest = 0.; ///< penetration
      double highest = 0.; ///< of what the nearest edges were apart
      // Over the whole run.
      double largest_force = 0., at_shortening = 0.; ///< while it is pulled
      double inverted_at = 0., inverted_force = 0.;
      double settling = 0.; ///< iterations with which it came to rest

      std::vector<double>
      numbers() const
      {
        return {length,
                steps,
                rows,
                shapes,
                iterations,
                cuts,
                force_time,
                time,
                row_iterations,
                row_steps,
                deepest,
                highest,
                largest_force,
                at_shortening,
                inverted_at,
                inverted_force,
                settling};
      }

      void
      set(const std::vector<double> &n)
      {
        double *places[] = {&length,
                            &steps,
                            &rows,
                            &shapes,
                            &iterations,
                            &cuts,
                            &force_time,
                            &time,
                            &row_iterations,
                            &row_steps,
                            &deepest,
                            &highest,
                            &largest_force,
                            &at_shortening,
                            &inverted_at,
                            &inverted_force,
                            &settling};
        for (std::size_t i = 0; i < n.size(); ++i)
          *places[i] = n[i];
      }
    };

    /// The radius of the loop, by its mean curvature over a fifth of what the
    /// knot takes of the rod, opposite to the braid.
    double
    loop_radius(const DiscreteElasticRod &rod,
                const Vector             &q,
                const double              shortening)
    {
      contact::Places3 x(3, rod.n_nodes());
      rod.place_nodes(q, x);
      const Index  n      = rod.n_nodes();
      const double length = rod.arc_length(n - 1);
      double       turned = 0., along = 0.;
      for (Index i = 1; i + 1 < n; ++i)
        {
          if (std::abs(rod.arc_length(i) - 0.5 * length) > 0.1 * shortening)
            continue;
          const Vector3 before = (x.col(i) - x.col(i - 1)).normalized(),
                        behind = (x.col(i + 1) - x.col(i)).normalized();
          turned +=
            2. * std::asin(std::min(1., 0.5 * (behind - before).norm()));
          along += 0.5 * (rod.arc_length(i + 1) - rod.arc_length(i - 1));
        }
      return along / turned;
    }

    /// Eq. 25: F h^2/B of a trefoil, by Audoly, Clauvelin and Neukirch.
    double
    theory(const double epsilon, const double friction)
    {
      return 0.5 * std::pow(epsilon, 4) +
             0.492 * friction * std::pow(epsilon, 3);
    }
  } // namespace

  std::unique_ptr<KnotStudy::Knot>
  KnotStudy::build(const Workplace &workplace) const
  {
    const auto make = [&](const Eigen::Matrix3Xd &polygon) {
      return workplace.model.build(body(polygon), workplace.groups.group());
    };
    // How many segments a rod has is the model's to say.
    Eigen::Matrix3Xd ends(3, 2);
    ends.col(0).setZero();
    ends.col(1)    = rod.length * Vector3::UnitX();
    auto knot      = std::make_unique<Knot>();
    knot->model    = make(ends);
    auto *measured = dynamic_cast<DiscreteElasticRod *>(knot->model.get());
    if (!measured)
      throw InputError("knots are tied in rods of the model 'discrete elastic "
                       "rod'",
                       "Model");
    OverhandKnot shape   = geometry;
    shape.length         = rod.length;
    shape.radius         = rod.radius;
    shape.segments       = measured->n_nodes() - 1;
    const double uniform = rod.length / shape.segments;
    if (std::abs(measured->arc_length(1) - uniform) > 1e-6 * uniform)
      throw InputError("a knot needs segments of equal lengths: 1",
                       "Discrete elastic rod/Grading");
    const Eigen::Matrix3Xd polygon = shape.polygon();
    knot->n_crossings              = static_cast<int>(
      contact::crossings(polygon, Vector3(0.01, 0.02, 1.)).size());

    knot->model   = make(polygon);
    knot->rod     = dynamic_cast<DiscreteElasticRod *>(knot->model.get());
    knot->q       = knot->rod->put_on(polygon);
    knot->system  = std::make_unique<Structure>(*knot->model);
    auto term     = std::make_unique<RodContact>(contact.make());
    knot->contact = term.get();
    knot->system->add_term("contact", std::move(term));
    knot->contact->start(knot->q);
    check_overlap(*knot->contact, knot->q, "Rod/Radius");
    return knot;
  }

  void
  KnotStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() == 0)
      Motion(*build(workplace)->system, motion_options());
  }

  std::string
  KnotStudy::what_passed(const Knot &knot, const Vector &q) const
  {
    // The writhe of a loose knot is near its number of crossings, and jumps by
    // two where strands pass through each other. (Or, later, where a loop turns
    // over.)
    Eigen::Matrix3Xd x(3, knot.rod->n_nodes());
    knot.rod->place_nodes(q, x);
    const double writhe = std::abs(contact::writhe(x));
    if (std::abs(writhe - knot.n_crossings) < 1.)
      return "";
    std::ostringstream text;
    text << "strands of the knot have passed through each other: its writhe is "
         << std::setprecision(3) << writhe << " instead of about "
         << knot.n_crossings;
    return text.str();
  }

  Vector
  KnotStudy::settled(Knot &knot, int &iterations) const
  {
    // The strands of the braid unbend and hit each other: a soft and strong
    // contact takes that up, and leaves a gap. Long steps of implicit Euler's
    // method damp all but the slowest motion.
    RodContactOptions soft;
    soft.sharpness = 40.; // nothing is left of it at the end of the reach
    soft.reach     = 0.6;
    soft.adaption  = 0.;
    soft.force     = 5. * rod.bending_stiffness() / (rod.radius * rod.radius);
    Structure system(*knot.model);
    auto     *cushion = new RodContact(soft);
    system.add_term("contact", std::unique_ptr<Term>(cushion));
    cushion->start(knot.q);
    // In honey first, lest they hit hard, then in ever thinner fluids.
    Vector q = knot.q;
    for (const double drag : {300., 30., 3.})
      {
        MotionOptions options = motion_options();
        options.damping.alpha += drag;
        ContactMotion motion(system,
                             *cushion,
                             options,
                             {5e-4, 0.02, smallest_step, 1.2});
        motion.motion().start(q, 0.);
        while (motion.time() < settling * (1. - 1e-12))
          {
            const auto taken = motion.advance(settling);
            iterations += taken.iterations;
            if (!taken.succeeded)
              throw std::runtime_error("the knot does not come to rest: " +
                                       taken.why);
          }
        q = motion.place();
      }
    if (const std::string passed = what_passed(knot, q); !passed.empty())
      throw std::runtime_error("while it came to rest, " + passed);
    // A soft contact begins with the forces that there are.
    if (contact.options.force == 0.)
      knot.contact->set_force(
        2. * find_measurement(cushion->measure(q), "largest contact force"));
    return q;
  }

  StudyResult
  KnotStudy::run(Workplace &workplace)
  {
    StudyResult result;
    if (workplace.groups.group_index() != 0)
      return result;
    MPI_Comm                    group    = workplace.groups.group();
    Recorder                   &recorder = workplace.recorder;
    const std::unique_ptr<Knot> knot     = build(workplace);
    System                     &system   = *knot->system;

    const auto drive = [&](const double time) {
      system.set_parameter("start displacement", pulled(time));
      system.set_parameter("end displacement", pulled(time));
    };
    ContactMotion motion(system,
                         *knot->contact,
                         motion_options(),
                         {step, step, smallest_step, 2.},
                         drive);
    Progression   done;
    const double  h = rod.radius, unit = rod.bending_stiffness() / (h * h);
    const double  turning       = 0.5 * (geometry.shortening - tight) / speed;
    const auto    shortening_at = [&](const double time) {
      return geometry.shortening - 2. * pulled(time);
    };
    const auto pull_force = [&](const Vector &q) {
      const auto forces = knot->rod->reactions(q);
      return 0.5 * (forces[1].x() - forces[0].x());
    };

    recorder.begin_table(recorded::results,
                         {"time",
                          "shortening",
                          "epsilon",
                          "pull_force",
                          "dimensionless_force",
                          "theory",
                          "contacts",
                          "least_gap",
                          "penetration",
                          "hovering",
                          "contact_force",
                          "largest_contact_force",
                          "largest_curvature",
                          "loop_radius",
                          "end_distance",
                          "steps",
                          "iterations"});
    recorder.begin_series(recorded::shapes, "time [time]");
    const auto record_row = [&] {
      const Vector &q       = motion.place();
      const double  time    = motion.time();
      const double  e       = shortening_at(time);
      const double  epsilon = std::sqrt(2. * pi * h / e);
      const double  force =
        done.time > 0. ? done.force_time / done.time : pull_force(q);
      const bool is_pulled = time <= turning * (1. + 1e-9);
      const auto touching  = knot->contact->measure(q);
      const auto measured  = knot->rod->measure(q);
      recorder.row(
        recorded::results,
        {time,
         e,
         epsilon,
         force,
         force / unit,
         theory(epsilon,
                is_pulled ? contact.options.friction
                          : -contact.options.friction),
         find_measurement(touching, "contacts"),
         find_measurement(touching, "least gap"),
         std::max(done.deepest, find_measurement(touching, "penetration")),
         std::max(done.highest, find_measurement(touching, "least gap")),
         find_measurement(touching, "contact force"),
         find_measurement(touching, "largest contact force"),
         find_measurement(measured, "largest curvature"),
         loop_radius(*knot->rod, q, e),
         find_measurement(measured, "end distance"),
         std::lround(done.row_steps),
         std::lround(done.row_iterations)});
      recorder.count(recorded::samples);
      // A loop that turns over lets the force drop by half; so does the jerk
      // with which the pull begins. Strands that slip let it tremble.
      constexpr double drop = 0.7, begins = 0.9;
      if (is_pulled && e < begins * geometry.shortening)
        {
          if (force > done.largest_force)
            {
              done.largest_force = force;
              done.at_shortening = e;
            }
          else if (force < drop * done.largest_force && done.inverted_at == 0.)
            {
              done.inverted_at    = done.at_shortening;
              done.inverted_force = done.largest_force;
            }
        }
      done.force_time = done.time = done.deepest = done.highest = 0.;
      done.row_steps = done.row_iterations = 0.;
      ++done.rows;
    };
    const auto record_shape = [&] {
      const Vector &q       = motion.place();
      Drawing       drawing = system.draw(q);
      drawing.point_fields.push_back(
        {"contact_force", knot->contact->forces(q)});
      recorder.shape(recorded::shapes,
                     std::lround(done.shapes),
                     motion.time(),
                     drawing,
                     group);
      ++done.shapes;
    };

    if (const auto checkpoint = recorder.last_checkpoint(group))
      {
        done.set(checkpoint->numbers("knot", done.numbers().size()));
        motion.motion().set(saved_motion::get(*checkpoint, system));
        motion.next_length = done.length;
      }
    else
      {
        int          spent = 0;
        const Vector q     = settled(*knot, spent);
        done.settling      = spent;
        system.commit(q);
        knot->contact->start(q);
        motion.motion().start(q, 0.);
        record_row();
        record_shape();
      }

    const double end = end_time();
    Progress     progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "knot",
                      std::max(1L, std::lround(end / rows_every)));
    const auto   has_come = [&](const double when) {
      return motion.time() >= when - 1e-9 * step;
    };
    while (!has_come(end))
      {
        const bool asked = interruption_requested(group);
        if (workplace.clock.is_due(group) || asked)
          {
            Archive archive;
            done.length = motion.next_length;
            saved_motion::put(archive, system, motion.motion().now());
            archive.numbers["knot"].values = done.numbers();
            recorder.checkpoint(archive, group);
          }
        if (asked)
          {
            result.is_interrupted = true;
            return result;
          }
        const double now   = motion.time();
        const auto   taken = motion.advance(
          now < turning * (1. - 1e-12) ? std::min(end, turning) : end);
        done.iterations += taken.iterations;
        done.row_iterations += taken.iterations;
        done.cuts += taken.failed;
        recorder.count(recorded::iterations, taken.iterations);
        if (!taken.succeeded)
          {
            std::ostringstream line;
            line << "stopped at time " << now << ", shortening "
                 << shortening_at(now) << ": a step of " << taken.length
                 << " fails (" << taken.why << ")";
            report_failure(recorder, line.str());
            break;
          }
        ++done.steps;
        ++done.row_steps;
        const Vector &q = motion.place();
        done.force_time += taken.length * pull_force(q);
        done.time += taken.length;
        const double gap = knot->contact->least_gap(q);
        done.deepest     = std::max(done.deepest, -gap);
        done.highest     = std::max(done.highest, gap);
        if (has_come(done.rows * rows_every) || has_come(end))
          {
            record_row();
            progress.advance();
          }
        if (has_come(done.shapes * shapes_every) || has_come(end))
          record_shape();
      }

    std::ostringstream words;
    words << std::setprecision(4) << "a knot with " << knot->n_crossings
          << " crossings, pulled from a shortening of " << geometry.shortening
          << " to " << shortening_at(motion.time()) << "; the largest force is "
          << done.largest_force << " at " << done.at_shortening;
    if (done.inverted_at > 0.)
      words << "; the loop turns over at a shortening of " << done.inverted_at
            << " and a force of " << done.inverted_force;
    result.summary.answer = words.str();
    result.summary.extra  = {{"crossings", knot->n_crossings},
                             {"largest_force", done.largest_force},
                             {"largest_force_at", done.at_shortening},
                             {"inverted_at", done.inverted_at},
                             {"inverted_force", done.inverted_force},
                             {"steps", done.steps},
                             {"failed_steps", done.cuts},
                             {"settling_iterations", done.settling},
                             {"iterations_per_step",
                              done.iterations / std::max(1., done.steps)}};
    return result;
  }
} // namespace slender
