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

#include <cmath>

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
                      "sticks up to the triple point.",
                      Selection("protocol|frontier"));
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
    const bool  protocol    = mode == "protocol";
    only(protocol, simulation, usual.simulation, "Simulation", is_protocol);
    only(protocol, criterion, usual.criterion, "Criterion", is_protocol);
    only(protocol, frictions, usual.frictions, "Frictions", is_protocol);
    const char *is_dynamic = "'Simulation' is 'dynamic'";
    const bool  dynamic    = simulation == "dynamic";
    only(dynamic, speed, usual.speed, "Speed", is_dynamic);
    only(dynamic, time_step, usual.time_step, "Time step", is_dynamic);
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

  void
  StickSlipStudy::rehearse(const Workplace &workplace) const
  {
    const auto model = build(workplace);
    touching_points(*model);
  }

  StudyResult
  StickSlipStudy::run(Workplace &workplace)
  {
    return mode == "protocol" ? run_protocol(workplace)
                              : run_frontier(workplace);
  }
} // namespace slender
