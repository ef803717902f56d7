// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/curve_topology.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/studies/knot_study.h>
#include <slender/studies/motion_parameters.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <sstream>

namespace slender
{
  KnotStudy::KnotStudy()
  {
    contact.method           = "imc";
    contact.options.friction = 0.1;
    // Steps judge convergence; a nanometre of a rod of a metre will do.
    newton.step_tolerance     = 1e-9;
    newton.residual_tolerance = 1e-17;
    newton.max_iterations     = 30;
  }

  void
  KnotStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    rod.declare(prm);
    prm.enter_subsection("Knot");
    prm.add_parameter("Unknotting number",
                      geometry.unknotting_number,
                      "An overhand knot has 2n + 1 crossings: n = 1 is the "
                      "trefoil [1].",
                      Integer(1, 20));
    prm.add_parameter("Shortening at start",
                      geometry.shortening,
                      "Length of the rod less the distance of its ends, of the "
                      "loose knot at the start [length].",
                      Double(1e-12));
    prm.add_parameter("Shortening at end",
                      tight,
                      "The ends are pulled until it is this [length].",
                      Double(1e-12));
    prm.add_parameter("Loosen to",
                      loose,
                      "Then the ends are let go back, at the same speed, until "
                      "it is this [length]; 0 for not at all.",
                      Double(0.));
    prm.add_parameter("Pull speed",
                      speed,
                      "Of each of the two ends [length/time].",
                      Double(1e-300));
    prm.add_parameter("Viscosity",
                      viscosity,
                      "Drag on the rod: force per length and velocity [force "
                      "time/length^2].",
                      Double(0.));
    prm.add_parameter("Settling time",
                      settling,
                      "How long the knot comes to rest, without friction, "
                      "before it is pulled [time].",
                      Double(0.));
    prm.add_parameter("Time step",
                      step,
                      "Of implicit Euler's method [time]; one that fails is "
                      "halved, and steps grow back.",
                      Double(1e-300));
    prm.add_parameter("Smallest time step",
                      smallest_step,
                      "Steps are not halved below this [time].",
                      Double(1e-300));
    prm.add_parameter("Rows every",
                      rows_every,
                      "Time between two rows of the results [time]; forces are "
                      "means over that time.",
                      Double(1e-300));
    prm.add_parameter("Shapes every",
                      shapes_every,
                      "Time between two shapes [time].",
                      Double(1e-300));
    prm.leave_subsection();
    contact.declare(prm);
    declare_damping(prm, damping);
    newton.declare(prm);
  }

  void
  KnotStudy::check() const
  {
    contact.check();
    if (!contact.is_on())
      throw InputError("a knot is none if the rod passes through itself; "
                       "choose 'imc', 'barrier' or 'spt'",
                       "Contact/Method");
    if (tight >= geometry.shortening)
      throw InputError("pulling makes the shortening smaller than at the start",
                       "Knot/Shortening at end");
    if (loose != 0. && (loose <= tight || loose > geometry.shortening))
      throw InputError("loosening ends between the shortening at the end and "
                       "that at the start",
                       "Knot/Loosen to");
    if (smallest_step > step)
      throw InputError("the smallest step is longer than the step",
                       "Knot/Smallest time step");
  }

  double
  KnotStudy::pulled(const double time) const
  {
    const double t_tight = 0.5 * (geometry.shortening - tight) / speed;
    return speed * (time <= t_tight ? time : 2. * t_tight - time);
  }

  double
  KnotStudy::end_time() const
  {
    return 0.5 / speed *
           (geometry.shortening - tight + (loose > 0. ? loose - tight : 0.));
  }

  RodBody
  KnotStudy::body(const Eigen::Matrix3Xd &polygon) const
  {
    RodBody result        = rod.body();
    result.start.position = polygon.col(0);
    result.end.position   = polygon.col(polygon.cols() - 1);
    result.end.frame      = carried_frame(polygon, result.start_frame);
    // The carried tangent is the axis but for the polygon's corners.
    result.end.frame->tangent = Vector3::UnitX();
    // The writhe of the braid that it is made of must not become twist.
    result.end.rotation                 = RodEnd::Rotation::about_x;
    result.start.displacement_direction = -Vector3::UnitX();
    result.end.displacement_direction   = Vector3::UnitX();
    return result;
  }

  MotionOptions
  KnotStudy::motion_options() const
  {
    MotionOptions result;
    result.integrator.kind = IntegratorKind::implicit_euler;
    result.inertia.lumped  = true;
    result.damping         = damping;
    result.damping.alpha += viscosity / rod.mass_per_length();
    result.newton         = contact.search(newton);
    result.keeps_accounts = false;
    return result;
  }
} // namespace slender
