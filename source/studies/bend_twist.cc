// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/bend_twist.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/frontier_run.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>

namespace slender
{
  BendTwistStudy::BendTwistStudy()
  {
    branch.minimum      = 0.05;
    branch.maximum      = 1.;
    branch.first_step   = 0.02;
    frontier.minimum    = {{0.05, 0.3}};
    frontier.first_step = 0.002;
    // The left branch is wavy with a period of one turn.
    frontier.largest_step = 0.005;
  }

  void
  BendTwistStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Bend twist");
    prm.add_parameter("Mode",
                      mode,
                      "'frontier' tracks the frontier between planar and "
                      "three-dimensional shapes as a bifurcation, 'protocol' "
                      "samples the plane on the recipe's grid (Algorithm 3) "
                      "and finds the frontier between the samples.",
                      Selection("frontier|protocol"));
    prm.add_parameter("Poisson's ratio",
                      poisson_ratio,
                      "Poisson's ratio [1]; the master curve is that of 0.5, "
                      "for other values there is no verdict.",
                      Double(-0.999, 0.5));
    prm.add_parameter("Extensible",
                      extensible,
                      "Let the rod stretch as its radius has it; the master "
                      "curve is that of a rod that does not stretch.");
    prm.add_parameter("Radius",
                      radius,
                      "Radius of the rod [length of the rod]; it matters only "
                      "where the rod may stretch.",
                      Double(1e-8, 0.5));
    prm.add_parameter("Largest y",
                      largest_y,
                      "Mode 'frontier': it is tracked up to this number of "
                      "natural turns, on both branches [1].",
                      Double(1., 100.));
    prm.add_parameter("Start y",
                      start_y,
                      "Mode 'frontier': number of natural turns at which the "
                      "left branch is looked for first [1].",
                      Double(1., 100.));
    prm.add_parameter("Rows",
                      n_rows,
                      "Mode 'protocol': number of values of y from 0.3 to 10, "
                      "in a constant ratio [1]; 23 in the recipe.",
                      Integer(1, 10000));
    prm.add_parameter("Columns",
                      n_columns,
                      "Mode 'protocol': number of values of x from 0.105 to "
                      "0.95, in a constant ratio [1]; 30 in the recipe.",
                      Integer(1, 10000));
    prm.add_parameter("Twist tolerance",
                      twist_tolerance,
                      "Mode 'protocol': a shape is three-dimensional if its "
                      "twist, the integral of |tau| along the rod, is above "
                      "this [rad].",
                      Double(1e-12, 10.));
    prm.add_parameter("Shapes",
                      n_shapes,
                      "Number of shapes to write for ParaView and the report "
                      "[1].",
                      Integer(0, 10000));
    prm.leave_subsection();
    frontier.declare(prm);
    newton.declare(prm);
  }

  void
  BendTwistStudy::check() const
  {
    const BendTwistStudy usual;
    const auto           check_mode = [&](const char *its_mode,
                                const auto &value,
                                const auto &default_value,
                                const char *name) {
      check_idle(mode == its_mode,
                 value,
                 default_value,
                 std::string("Bend twist/") + name,
                 std::string("'Mode' is '") + its_mode + "'");
    };
    check_mode("frontier", largest_y, usual.largest_y, "Largest y");
    check_mode("frontier", start_y, usual.start_y, "Start y");
    check_mode("protocol", n_rows, usual.n_rows, "Rows");
    check_mode("protocol", n_columns, usual.n_columns, "Columns");
    check_mode("protocol",
               twist_tolerance,
               usual.twist_tolerance,
               "Twist tolerance");
    check_idle(mode == "frontier",
               frontier,
               usual.frontier,
               "'Mode' is 'frontier'");
    if (mode == "frontier" && start_y > largest_y)
      throw InputError("'Start y' is above 'Largest y'", "Bend twist/Start y");
  }

  RodBody
  BendTwistStudy::body() const
  {
    RodBody rod;
    rod.radius   = radius;
    rod.axial    = extensible ? 4. / (radius * radius) : 0.;
    rod.twisting = 1. / (1. + poisson_ratio);
    // Downwards; the natural curvature about director 1 bends it in the plane
    // of x and z. The section is round, so the name of the director does not
    // matter; but with director 1 along y what leaves the plane are unknowns
    // of their own (y and some components of the quaternion), which are zero
    // to the last digit on the planar branch: round-off cannot break the
    // symmetry on which the pitchfork rests.
    rod.start_frame = {-Vector3::UnitZ(), Vector3::UnitY()};
    return rod;
  }

  int
  BendTwistStudy::n_pieces() const
  {
    return mode == "protocol" ? n_rows : FrontierRun::n_sides;
  }

  void
  BendTwistStudy::rehearse(const Workplace &workplace) const
  {
    workplace.model.build(body(), workplace.groups.group());
  }

  StudyResult
  BendTwistStudy::run(Workplace &workplace)
  {
    return mode == "protocol" ? run_protocol(workplace)
                              : run_frontier(workplace);
  }
} // namespace slender
