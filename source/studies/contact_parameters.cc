// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/contact_parameters.h>

#include <deal.II/base/parameter_handler.h>

#include <iomanip>
#include <sstream>

namespace slender
{
  using namespace dealii::Patterns;

  void
  ContactParameters::declare(dealii::ParameterHandler &prm)
  {
    prm.enter_subsection("Contact");
    prm.add_parameter(
      "Method",
      method,
      "How rods keep out of each other and of themselves: 'imc' by a smooth "
      "energy that lets them penetrate and hover a little, 'barrier' by one "
      "that is infinite where they touch, so that nothing penetrates, 'spt' by "
      "forces that are corrected until nothing penetrates; 'none' lets them "
      "pass through each other.",
      Selection("none|imc|barrier|spt"));
    prm.add_parameter("Force",
                      options.force,
                      "Twice the force between two edges where they touch "
                      "('imc'; later it adapts) or in the middle of the gap "
                      "('barrier') [force]; 0 for a hundredth of the bending "
                      "stiffness over the squared radius.",
                      Double(0.));
    prm.add_parameter("Sharpness",
                      options.sharpness,
                      "Of 'imc': the force comes within this part of the "
                      "radius, its inverse [1].",
                      Double(1., 1e4));
    prm.add_parameter("Smoothing",
                      options.smoothing,
                      "Of 'imc': how sharply the smooth distance of two edges "
                      "follows the exact one [1].",
                      Double(1., 1e5));
    prm.add_parameter("Adaption",
                      options.adaption,
                      "Of 'imc': part by which the force grows or shrinks at "
                      "most in a step, where rods penetrate or hover too much "
                      "[1]; 0 to keep it.",
                      Double(0., 0.5));
    prm.add_parameter("Depth",
                      options.depth,
                      "Of 'imc': rods that penetrate deeper than this are "
                      "pushed apart by a force that grows with the square of "
                      "the rest, besides that of the paper, which has an upper "
                      "bound [radius]; 0 for the paper's alone.",
                      Double(0., 0.5));
    prm.add_parameter("Explicit iterations",
                      options.explicit_iterations,
                      "Of 'imc': the first so many iterations of a step go "
                      "without the contacts' second derivatives, whose matrix "
                      "is a band then, and friction is that of the velocities "
                      "before the step (20 in the paper's hybrid scheme); 0 "
                      "for contact and friction that are implicit [1].",
                      Integer(0, 1000));
    prm.add_parameter("Gap",
                      options.gap,
                      "Of 'barrier': distance of surfaces at which the force "
                      "begins [radius].",
                      Double(1e-6, 0.5));
    prm.add_parameter("Friction",
                      options.friction,
                      "Coefficient of Coulomb's friction [1].",
                      Double(0., 10.));
    prm.add_parameter("Creep speed",
                      options.creep_speed,
                      "Points that slide faster than this feel the whole "
                      "friction; one that sticks creeps at less "
                      "[length/time].",
                      Double(1e-300));
    prm.add_parameter("Tolerance",
                      options.tolerance,
                      "Of 'spt': rods that penetrate less are left alone "
                      "[radius].",
                      Double(1e-9, 0.1));
    prm.leave_subsection();
  }

  void
  ContactParameters::check() const
  {
    const RodContactOptions usual;
    const bool              is_imc = method == "imc",
               is_energy           = is_imc || method == "barrier";
    check_idle(is_energy,
               options.force,
               usual.force,
               "Contact/Force",
               "'Method' is 'imc' or 'barrier'");
    for (const auto &[value, default_value, name] :
         {std::make_tuple(options.sharpness,
                          usual.sharpness,
                          "Contact/Sharpness"),
          std::make_tuple(options.smoothing,
                          usual.smoothing,
                          "Contact/Smoothing"),
          std::make_tuple(options.adaption, usual.adaption, "Contact/Adaption"),
          std::make_tuple(options.depth, usual.depth, "Contact/Depth")})
      check_idle(is_imc, value, default_value, name, "'Method' is 'imc'");
    check_idle(is_imc,
               options.explicit_iterations,
               usual.explicit_iterations,
               "Contact/Explicit iterations",
               "'Method' is 'imc'");
    check_idle(method == "barrier",
               options.gap,
               usual.gap,
               "Contact/Gap",
               "'Method' is 'barrier'");
    check_idle(method == "spt",
               options.tolerance,
               usual.tolerance,
               "Contact/Tolerance",
               "'Method' is 'spt'");
    check_idle(is_on(),
               options.friction,
               usual.friction,
               "Contact/Friction",
               "'Method' is not 'none'");
    check_idle(options.friction != 0.,
               options.creep_speed,
               usual.creep_speed,
               "Contact/Creep speed",
               "'Friction' is not zero");
  }

  RodContactOptions
  ContactParameters::make() const
  {
    if (!is_on())
      throw InputError("nothing touches with 'none'", "Contact/Method");
    RodContactOptions result = options;
    result.method            = method == "imc"       ? ContactMethod::imc
                               : method == "barrier" ? ContactMethod::barrier
                                                     : ContactMethod::spt;
    return result;
  }

  NewtonOptions
  ContactParameters::search(NewtonOptions newton) const
  {
    const bool has_energy =
      method == "barrier" ||
      (method == "imc" && options.explicit_iterations == 0);
    if (has_energy && newton.line_search == "automatic")
      newton.line_search = "descend";
    newton.trusts_short_steps = has_energy;
    return newton;
  }

  void
  check_overlap(const RodContact  &contact,
                const Vector      &q,
                const std::string &parameter_path)
  {
    const RodContact::Overlap overlap = contact.deepest_overlap(q);
    if (!overlap.exists)
      return;
    std::ostringstream text;
    text << std::setprecision(4) << "rods overlap at the start: rod "
         << overlap.chain[0] + 1 << " at " << overlap.arc_length[0]
         << " of its length and rod " << overlap.chain[1] + 1 << " at "
         << overlap.arc_length[1] << ", near (" << overlap.place.x() << ", "
         << overlap.place.y() << ", " << overlap.place.z() << "), by "
         << overlap.depth;
    throw InputError(text.str(), parameter_path);
  }
} // namespace slender
