// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/rod_body.h>
#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/stick_slip.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/touching_points.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace slender
{
  StickSlipStudy::StickSlipStudy()
  {
    // Contact forces of a time step are sought to the paper's tolerance.
    newton.step_tolerance = 1e-11;
  }

  void
  StickSlipStudy::set_body_kind(const BodyKind the_kind)
  {
    kind = the_kind;
  }

  void
  StickSlipStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Stick slip");
    prm.add_parameter("Mode",
                      mode,
                      "'protocol' presses the strip against floors of several "
                      "roughnesses and finds where its tip slips, 'frontier' "
                      "follows the ratio of friction to thrust at a tip that "
                      "sticks up to the triple point, 'laws' finds thresholds "
                      "in motion by several laws of friction, each with two "
                      "time steps and two tolerances.",
                      Selection("protocol|frontier|laws"));
    prm.add_parameter("Simulation",
                      simulation,
                      "'quasi-static': a sequence of equilibria; 'dynamic': a "
                      "slow motion, as the recipe has it.",
                      Selection("quasi-static|dynamic"));
    prm.add_parameter("Criterion",
                      criterion,
                      "Mode 'protocol': the tip has slipped when it has gone "
                      "farther than 'Slip tolerance' (Algorithm 5, "
                      "'displacement') or when friction over thrust has "
                      "reached the coefficient of friction (Algorithm 6, "
                      "'force').",
                      Selection("displacement|force"));
    prm.add_parameter("Frictions",
                      frictions,
                      "Mode 'protocol': coefficients of friction [1]; 0 to "
                      "0.35 by 0.05 in the recipe.",
                      List(Double(0.), 1, 1000));
    prm.add_parameter("Strain step",
                      strain_step,
                      "Distance of two strains at which the state is recorded "
                      "[1]; 1/60 in the recipe.",
                      Double(1e-5, 0.6));
    prm.add_parameter("Largest strain",
                      largest_strain,
                      "The last one [1]; 0.6 in the recipe.",
                      Double(1e-3, 0.6));
    prm.add_parameter("Slip tolerance",
                      slip_tolerance,
                      "Displacement of the tip above which it has slipped "
                      "[length of the strip].",
                      Double(1e-9, 0.1));
    prm.add_parameter("First strain",
                      first_strain,
                      "Strain at which the strip is put on the floor, buckled "
                      "[1].",
                      Double(1e-5, 0.01));
    prm.add_parameter("Longest step",
                      longest_step,
                      "Quasi-static steps in the strain are at most this long "
                      "[1].",
                      Double(1e-6, 0.1));
    prm.add_parameter("Bracket",
                      bracket,
                      "The strain at which the tip slips is enclosed to this "
                      "[1].",
                      Double(1e-13, 1e-2));
    prm.add_parameter("Width",
                      width,
                      "Of a strip that is a shell [length of the strip].",
                      Double(1e-3, 1.));
    prm.add_parameter("Thickness ratio",
                      thickness_ratio,
                      "Of a strip that is a shell [length of the strip].",
                      Double(1e-5, 0.1));
    prm.add_parameter("Cells along",
                      cells_along,
                      "Of a strip that is a shell [1].",
                      Integer(1, 10000));
    prm.add_parameter("Cells across",
                      cells_across,
                      "Of a strip that is a shell [1].",
                      Integer(1, 10000));
    prm.add_parameter("Speed",
                      speed,
                      "Of the floor, where the simulation is dynamic [length "
                      "of the strip per time]; 0.01 in the recipe.",
                      Double(1e-6, 10.));
    prm.add_parameter("Time step",
                      time_step,
                      "Where the simulation is dynamic [time]; 0.5 ms in the "
                      "recipe.",
                      Double(1e-6, 1.));
    prm.add_parameter("Drag",
                      drag,
                      "Damping: force per mass and velocity [1/time]. A strip "
                      "that has slipped comes to rest by it.",
                      Double(0., 1e4));
    prm.add_parameter("End with slip",
                      ends_with_slip,
                      "Where the simulation is dynamic: a tip that has slipped "
                      "is not followed any further; its samples at larger "
                      "strains repeat the last one.");
    prm.add_parameter("Law",
                      law,
                      "Of friction, where the simulation is dynamic: "
                      "'coulomb', exact at the end of each time step; "
                      "'viscous', friction times velocity; 'bridson-harmon', a "
                      "filter of velocities after the step; 'penalty', "
                      "explicit steps with a spring for sticking; "
                      "'projective', friction projected within the iterations "
                      "of Projective Dynamics.",
                      Selection(
                        "coulomb|viscous|bridson-harmon|penalty|projective"));
    prm.add_parameter("Laws",
                      laws,
                      "Mode 'laws': those to compare.",
                      List(Selection("coulomb|viscous|bridson-harmon|penalty|"
                                     "projective"),
                           1,
                           5));
    prm.add_parameter("Axial stiffness",
                      axial,
                      "Of a strip that is a rod [EI/L^2]; 0: it does not "
                      "stretch. 'penalty' and 'projective' need one.",
                      Double(0., 1e9));
    prm.add_parameter("Viscosity",
                      viscosity,
                      "Law 'viscous': friction over velocity, for a "
                      "coefficient of friction of one [EI/L^3 time].",
                      Double(1e-6, 1e12));
    prm.add_parameter("Filter rounds",
                      filter_rounds,
                      "Law 'bridson-harmon': rounds of impulses in a step [1].",
                      Integer(0, 100000));
    prm.add_parameter("Stick stiffness",
                      stick_stiffness,
                      "Law 'penalty': of the spring for sticking, in units of "
                      "the mass of a point over the squared time step [1].",
                      Double(1e-9, 1.));
    prm.add_parameter("Projections",
                      projections,
                      "Law 'projective': iterations in a step [1].",
                      Integer(1, 100000));
    prm.add_parameter("Explicit time step",
                      explicit_step,
                      "Mode 'laws': of the law 'penalty' [time].",
                      Double(1e-9, 1.));
    prm.add_parameter("Shapes",
                      n_shapes,
                      "Number of shapes to write for ParaView and the report "
                      "[1].",
                      Integer(0, 10000));
    prm.leave_subsection();
    newton.declare(prm);
  }

  void
  StickSlipStudy::check() const
  {
    const StickSlipStudy usual;
    const auto           only = [&](const bool  matters,
                          const auto &value,
                          const auto &default_value,
                          const char *name,
                          const char *where) {
      check_idle(matters,
                 value,
                 default_value,
                 std::string("Stick slip/") + name,
                 where);
    };
    const char *is_protocol = "'Mode' is 'protocol'";
    const bool  protocol    = mode == "protocol" || mode == "laws";
    only(mode == "protocol",
         simulation,
         usual.simulation,
         "Simulation",
         is_protocol);
    only(protocol, criterion, usual.criterion, "Criterion", is_protocol);
    only(protocol, frictions, usual.frictions, "Frictions", is_protocol);
    const char *is_dynamic = "'Simulation' is 'dynamic'";
    const bool  dynamic    = simulation == "dynamic" || mode == "laws";
    // Friction is at its limit in the first steps already, in which the tip
    // does not move to speak of.
    if (dynamic && criterion == "force")
      throw InputError("'Criterion = force' is for 'quasi-static'; in a motion "
                       "the tip's displacement tells slip",
                       "Stick slip/Criterion");
    only(dynamic, speed, usual.speed, "Speed", is_dynamic);
    only(dynamic, time_step, usual.time_step, "Time step", is_dynamic);
    const bool alone = dynamic && mode == "protocol";
    only(alone, law, usual.law, "Law", is_dynamic);
    only(
      alone, ends_with_slip, usual.ends_with_slip, "End with slip", is_dynamic);
    only(dynamic, axial, usual.axial, "Axial stiffness", is_dynamic);
    only(dynamic, viscosity, usual.viscosity, "Viscosity", "a law is viscous");
    const auto of_law = [&](const auto &value,
                            const auto &default_value,
                            const char *name,
                            const char *its_law) {
      only(alone && law == its_law,
           value,
           default_value,
           name,
           (std::string("'Law' is '") + its_law + "'").c_str());
    };
    of_law(filter_rounds,
           usual.filter_rounds,
           "Filter rounds",
           "bridson-harmon");
    of_law(stick_stiffness,
           usual.stick_stiffness,
           "Stick stiffness",
           "penalty");
    of_law(projections, usual.projections, "Projections", "projective");
    const bool compares = mode == "laws";
    only(compares, laws, usual.laws, "Laws", "'Mode' is 'laws'");
    only(compares,
         explicit_step,
         usual.explicit_step,
         "Explicit time step",
         "'Mode' is 'laws'");
    const auto is_asked_for = [&](const char *name) {
      return alone ? law == name
                   : compares &&
                       std::find(laws.begin(), laws.end(), name) != laws.end();
    };
    for (const char *name : {"penalty", "projective"})
      if (is_asked_for(name) && axial == 0. && kind == BodyKind::rod)
        throw InputError(std::string("the law '") + name +
                           "' needs a rod that stretches",
                         "Stick slip/Axial stiffness");
    if (is_asked_for("projective") && kind != BodyKind::rod)
      throw InputError("the law 'projective' is one for rods",
                       alone ? "Stick slip/Law" : "Stick slip/Laws");
    const char *is_static = "'Simulation' is 'quasi-static'";
    only(!dynamic, longest_step, usual.longest_step, "Longest step", is_static);
    only(!dynamic, bracket, usual.bracket, "Bracket", is_static);
    const char *is_shell = "the model is a shell";
    const bool  shell    = kind == BodyKind::shell;
    only(shell, width, usual.width, "Width", is_shell);
    only(shell,
         thickness_ratio,
         usual.thickness_ratio,
         "Thickness ratio",
         is_shell);
    only(shell, cells_along, usual.cells_along, "Cells along", is_shell);
    only(shell, cells_across, usual.cells_across, "Cells across", is_shell);
    for (std::size_t i = 1; i < frictions.size(); ++i)
      if (!(frictions[i] > frictions[i - 1]))
        throw InputError("coefficients of friction have to ascend",
                         "Stick slip/Frictions");
    if (first_strain > strain_step)
      throw InputError("'First strain' is above 'Strain step'",
                       "Stick slip/First strain");
  }

  std::unique_ptr<Model>
  StickSlipStudy::build(const Workplace &workplace) const
  {
    if (kind == BodyKind::rod)
      {
        // A ribbon: stiff in its plane, so that it bends in that of x and z.
        RodBody rod;
        rod.bending_2         = 100.;
        rod.twisting          = 2.;
        rod.axial             = axial;
        rod.gravity_direction = Vector3::UnitZ();
        return workplace.model.build(rod, workplace.groups.group());
      }
    workplace.model.check_size(static_cast<double>(cells_along) * cells_across,
                               "Stick slip/Cells along");
    // D w = 1, and a mass of one per length.
    ShellBody strip;
    strip.thickness         = thickness_ratio;
    strip.poisson           = 0.;
    strip.young             = 12. / (std::pow(thickness_ratio, 3) * width);
    strip.density           = 1. / (thickness_ratio * width);
    strip.gravity_direction = Vector3::UnitZ();
    strip.edges             = {ShellEdge::clamped("left")};
    Rectangle rectangle;
    rectangle.width = width;
    rectangle.cells = {cells_along, cells_across};
    return workplace.model.build(strip,
                                 *make_surface(rectangle),
                                 workplace.groups.group());
  }

  std::vector<double>
  StickSlipStudy::strains() const
  {
    std::vector<double> result;
    for (int i = 1; i * strain_step < largest_strain * (1. + 1e-9); ++i)
      result.push_back(i * strain_step);
    return result;
  }

  int
  StickSlipStudy::n_pieces() const
  {
    const int n_frictions = static_cast<int>(frictions.size());
    if (mode == "frontier")
      return 1;
    return mode == "laws" ? static_cast<int>(laws.size()) * n_frictions
                          : n_frictions;
  }

  void
  StickSlipStudy::rehearse(const Workplace &workplace) const
  {
    const auto model = build(workplace);
    touching_points(*model);
    // A law that the body cannot have, or a step that it would not survive, is
    // refused here.
    const auto try_law = [&](const std::string &name, const double step) {
      StripMotionOptions options = strip_motion_options(name);
      PressedStrip       strip(*model, newton);
      const auto         motion = make_strip_motion(options, *model, strip);
      if (const double limit = motion->stable_step(); step > limit)
        {
          std::ostringstream text;
          text << "explicit steps of this strip are stable only up to "
               << limit;
          throw InputError(text.str(),
                           mode == "laws" ? "Stick slip/Explicit time step"
                                          : "Stick slip/Time step");
        }
    };
    if (mode == "laws")
      for (const std::string &name : laws)
        try_law(name, explicit_step);
    else if (simulation == "dynamic")
      try_law(law, time_step);
  }

  StudyResult
  StickSlipStudy::run(Workplace &workplace)
  {
    return mode == "protocol" ? run_protocol(workplace)
           : mode == "laws"   ? run_laws(workplace)
                              : run_frontier(workplace);
  }
} // namespace slender
