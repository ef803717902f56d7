// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/body_parameters.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/mass_parameters.h>
#include <slender/studies/motion_parameters.h>

#include <deal.II/base/parameter_handler.h>

namespace slender
{
  using namespace dealii::Patterns;

  void
  TimeParameters::declare(dealii::ParameterHandler &prm)
  {
    prm.enter_subsection("Time");
    prm.add_parameter("End", end, "When the motion ends [time].", Double(0.));
    prm.add_parameter("Step",
                      step,
                      "Length of a time step [time]; of the first one, where "
                      "steps are adaptive.",
                      Double());
    prm.add_parameter(
      "Integrator",
      integrator,
      "'implicit euler' is of first order and damps everything; 'newmark' with "
      "beta = 1/4 and gamma = 1/2 is of second order and damps nothing, "
      "'generalised alpha' damps what the step cannot resolve, 'bdf2' damps "
      "likewise; 'implicit midpoint' keeps momenta to round-off; 'verlet' is "
      "explicit: its steps have a limit.",
      Selection("implicit euler|newmark|generalised alpha|bdf2|implicit "
                "midpoint|verlet"));
    prm.add_parameter("Spectral radius",
                      spectral_radius,
                      "Of 'generalised alpha': what one step leaves of an "
                      "oscillation that is infinitely fast [1].",
                      Double(0., 1.));
    prm.add_parameter("Newmark beta",
                      beta,
                      "Of 'newmark' [1]; with a gamma above 1/2, (gamma + "
                      "1/2)^2/4 damps best.",
                      Double(1e-3, 1.));
    prm.add_parameter("Newmark gamma",
                      gamma,
                      "Of 'newmark' [1]: above 1/2 it damps, and is of first "
                      "order only.",
                      Double(0.5, 1.));
    prm.add_parameter("Adaptive",
                      is_adaptive,
                      "Choose the steps so that the estimated error of each is "
                      "about the 'Tolerance'.");
    prm.add_parameter("Tolerance",
                      tolerance,
                      "For adaptive steps: error of places that one step may "
                      "add, as a root mean square [length].",
                      Double(1e-300));
    prm.add_parameter("Smallest step",
                      smallest_step,
                      "A step that fails is halved, but not below this "
                      "[time].",
                      Double(1e-300));
    prm.add_parameter("Largest step",
                      largest_step,
                      "For adaptive steps: none is longer [time].",
                      Double(1e-300));
    prm.add_parameter("Rows every",
                      rows_every,
                      "Time between two rows of the results [time]; 0 for a "
                      "row after each step.",
                      Double(0.));
    prm.add_parameter("Shapes every",
                      shapes_every,
                      "Time between two shapes [time]; 0 for one at each row.",
                      Double(0.));
    declare_masses(prm, masses);
    prm.leave_subsection();
  }

  void
  TimeParameters::check() const
  {
    const TimeParameters usual;
    if (!(step > 0.))
      throw InputError("a time step has to be above zero", "Time/Step");
    check_idle(integrator == "generalised alpha",
               spectral_radius,
               usual.spectral_radius,
               "Time/Spectral radius",
               "'Integrator' is 'generalised alpha'");
    for (const auto &[value, default_value, name] :
         {std::make_tuple(beta, usual.beta, "Time/Newmark beta"),
          std::make_tuple(gamma, usual.gamma, "Time/Newmark gamma")})
      check_idle(integrator == "newmark",
                 value,
                 default_value,
                 name,
                 "'Integrator' is 'newmark'");
    if (integrator == "newmark" && 2. * beta < gamma)
      throw InputError("Newmark's method is stable for any step only where "
                       "beta is at least half of gamma",
                       "Time/Newmark beta");
    for (const auto &[value, default_value, name] :
         {std::make_tuple(tolerance, usual.tolerance, "Time/Tolerance"),
          std::make_tuple(largest_step,
                          usual.largest_step,
                          "Time/Largest step")})
      check_idle(is_adaptive, value, default_value, name, "'Adaptive' is true");
    if (smallest_step > step)
      throw InputError("the smallest step is longer than the step",
                       "Time/Smallest step");
    if (is_adaptive && largest_step < step)
      throw InputError("the largest step is shorter than the first one",
                       "Time/Largest step");
  }

  IntegratorOptions
  TimeParameters::make() const
  {
    IntegratorOptions options;
    options.kind =
      integrator == "implicit euler"      ? IntegratorKind::implicit_euler
      : integrator == "newmark"           ? IntegratorKind::newmark
      : integrator == "bdf2"              ? IntegratorKind::bdf2
      : integrator == "implicit midpoint" ? IntegratorKind::implicit_midpoint
      : integrator == "verlet"            ? IntegratorKind::verlet
                                          : IntegratorKind::generalised_alpha;
    options.beta            = beta;
    options.gamma           = gamma;
    options.spectral_radius = spectral_radius;
    return options;
  }

  void
  declare_damping(dealii::ParameterHandler &prm, DampingOptions &damping)
  {
    prm.enter_subsection("Damping");
    prm.add_parameter("Stretch",
                      damping.strain_rate.stretch,
                      "Strain-rate damping of stretch and shear, and of the "
                      "membrane of shells: viscosity over Young's modulus "
                      "[time].",
                      Double(0.));
    prm.add_parameter("Bending",
                      damping.strain_rate.bending,
                      "The same of bending [time].",
                      Double(0.));
    prm.add_parameter("Twist",
                      damping.strain_rate.twist,
                      "The same of the twist of rods [time].",
                      Double(0.));
    prm.add_parameter("Lambda",
                      damping.strain_rate.lambda,
                      "For the membrane of shells, instead of 'Stretch': first "
                      "coefficient of an isotropic law of viscosity [force "
                      "time/length^2].",
                      Double(0.));
    prm.add_parameter("Mu",
                      damping.strain_rate.mu,
                      "The second coefficient of that law [force "
                      "time/length^2].",
                      Double(0.));
    prm.add_parameter("Exponent",
                      damping.strain_rate.exponent,
                      "Of a power law for 'Stretch', 'Bending' and 'Twist' of "
                      "discrete elastic rods: they are multiplied by (rate "
                      "over 'Reference rate') to the power of this less one "
                      "[1]; 1 for viscosities that do not depend on the rate.",
                      Double(0.05, 5.));
    prm.add_parameter("Reference rate",
                      damping.strain_rate.reference_rate,
                      "Of the power law: the rate of strain at which they are "
                      "what they are [1/time]; of curvatures and twist that "
                      "times the radius of the section.",
                      Double(1e-300));
    prm.add_parameter("Rayleigh alpha",
                      damping.alpha,
                      "A drag in proportion to mass and velocity: force per "
                      "mass and velocity [1/time].",
                      Double(0.));
    prm.add_parameter("Rayleigh beta",
                      damping.beta,
                      "Damping by the tangent stiffness times this and the "
                      "velocity [time]; unlike the strain-rate laws it slows "
                      "rotations of a body under tension.",
                      Double(0.));
    prm.leave_subsection();
  }

  void
  check_damping_law(const DampingOptions &damping)
  {
    const DissipationOptions &law = damping.strain_rate;
    const DissipationOptions  usual;
    check_idle(law.stretch != 0. || law.bending != 0. || law.twist != 0.,
               law.exponent,
               usual.exponent,
               "Damping/Exponent",
               "'Stretch', 'Bending' or 'Twist' is above zero");
    check_idle(law.is_power_law(),
               law.reference_rate,
               usual.reference_rate,
               "Damping/Reference rate",
               "'Exponent' is not 1");
    if (law.is_power_law() && damping.beta != 0.)
      throw InputError("a power law of strain rates does not go with "
                       "Rayleigh's damping",
                       "Damping/Rayleigh beta");
  }
} // namespace slender
