// SPDX-License-Identifier: LGPL-2.1-or-later
//
// What contacts with friction cost in a time step: the strip of the Stick-Slip
// protocol, a rod that lies on a floor, a cloth that does. With an argument,
// bodies whose names contain it alone. See benchmarks/README.md.
#include "timing.h"

#include <slender/contact/stopwatch.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/dynamics/motion.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/kirchhoff_rod.h>
#include <slender/models/triangles/triangle_shell.h>
#include <slender/studies/pressed_strip.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

namespace
{
  using namespace slender;
  using namespace slender::benchmarks;

  /// Of the names of bodies that are measured.
  std::string wanted;

  MotionOptions
  euler()
  {
    MotionOptions options;
    options.integrator.kind           = IntegratorKind::implicit_euler;
    options.inertia.rotary            = false;
    options.newton.residual_tolerance = 1e-17;
    return options;
  }

  /// From a state, a number of steps; a line of the table.
  void
  measure(
    const char                        *what,
    System                            &system,
    const Obstacles                   &obstacles,
    MotionOptions                      options,
    const Vector                      &start,
    const Vector3                     &velocity,
    const double                       h,
    const int                          n,
    const std::function<void(double)> &drive = [](double) {})
  {
    if (std::string(what).find(wanted) == std::string::npos)
      return;
    FrictionalSteps steps(system, obstacles, options.newton);
    steps.starts_warm = true;
    options.search    = steps.search();
    Motion motion(system, options);
    motion.start(start, 0., velocity);
    long         iterations = 0, failed = 0;
    std::size_t  most    = 0;
    const double begin   = now();
    double       elapsed = 0.; // by the clock that contacts go by
    {
      const Stopwatch stopwatch(elapsed);
      for (int i = 0; i < n; ++i)
        {
          drive((i + 1) * h);
          const Motion::Step step = motion.step(h);
          iterations += step.iterations;
          failed += step.converged() ? 0 : 1;
          std::size_t touching = 0;
          for (const Contact &contact : steps.contacts())
            touching += contact.state == ContactState::open ? 0 : 1;
          most = std::max(most, touching);
        }
    }
    const double                      seconds = now() - begin;
    const FrictionalSteps::Statistics counts  = steps.statistics();
    std::printf("| %s | %d | %zu | %.3g ms | %.2f | %.2f | %.1f %% | %ld |\n",
                what,
                static_cast<int>(system.layout().size),
                most,
                1e3 * seconds / n,
                static_cast<double>(iterations) / n,
                static_cast<double>(counts.contact_iterations) / n,
                100. * counts.seconds_in_contacts / elapsed,
                failed);
  }

  RodBody
  strip_body()
  {
    RodBody body;
    body.bending_2         = 100.;
    body.twisting          = 2.;
    body.gravity_direction = Vector3::UnitZ();
    return body;
  }

  /// That of the protocol, at the recipe's speed.
  void
  press(const char *what, System &system)
  {
    NewtonOptions newton;
    newton.step_tolerance = 1e-11;
    PressedStrip strip(system, newton);
    strip.set_friction(std::numeric_limits<double>::infinity());
    if (!strip.buckle(0.02, 1.))
      return;
    strip.set_friction(0.3);
    strip.floor()[0].velocity = -0.01 * Vector3::UnitX();
    MotionOptions options     = euler();
    options.damping.alpha     = 10.;
    options.newton            = newton;
    measure(what,
            system,
            strip.floor(),
            options,
            strip.state(),
            Vector3::Zero(),
            5e-4,
            2000,
            [&](const double t) { strip.push(0.02 + 0.01 * t); });
  }

  Obstacles
  rough_floor(const double friction)
  {
    Obstacle result;
    result.shape    = make_plane(Vector3::Zero(), Vector3::UnitZ());
    result.friction = friction;
    return {result};
  }
} // namespace

int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  if (argc > 1)
    wanted = argv[1];
  std::printf("| body | unknowns | contacts | a step | Newton iterations | "
              "solutions for contacts | share of contacts | failed |\n"
              "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  {
    KirchhoffRodDiscretisation discretisation;
    discretisation.elements = 40;
    discretisation.degree   = 3;
    KirchhoffRod rod(strip_body(), discretisation, MPI_COMM_SELF);
    press("strip, kirchhoff rod, 40 cubic elements", rod);
  }
  {
    DiscreteElasticRodDiscretisation discretisation;
    discretisation.segments = 40;
    DiscreteElasticRod rod(strip_body(), discretisation, MPI_COMM_SELF);
    press("strip, discrete elastic rod, 40 segments", rod);
  }
  {
    CurvatureRodDiscretisation discretisation;
    discretisation.elements = 20;
    CurvatureRod rod(strip_body(), discretisation, MPI_COMM_SELF);
    press("strip, super helix, 20 elements", rod);
  }
  {
    // Slides at first, sticks then.
    RodBody body           = strip_body();
    body.start             = RodEnd();
    body.gravity           = 10.;
    body.gravity_direction = -Vector3::UnitZ();
    DiscreteElasticRodDiscretisation discretisation;
    discretisation.segments = 300;
    DiscreteElasticRod rod(body, discretisation, MPI_COMM_SELF);
    for (const double v : {0., 1.})
      measure(v > 0. ? "rod on a floor, slides, then sticks"
                     : "rod on a floor, at rest",
              rod,
              rough_floor(0.3),
              euler(),
              rod.initial_state(),
              v * Vector3::UnitX(),
              5e-3,
              200);
  }
  {
    ShellBody body;
    body.thickness         = 1e-3;
    body.young             = 1e5;
    body.density           = 300.;
    body.edges             = {};
    body.gravity           = 9.81;
    body.gravity_direction = -Vector3::UnitZ();
    Rectangle square;
    square.length = square.width = 0.5;
    square.cells                 = {32, 32};
    TriangleShell cloth(body,
                        *make_surface(square),
                        TriangleShellDiscretisation(),
                        MPI_COMM_SELF);
    for (const double v : {0., 0.3})
      measure(v > 0. ? "cloth on a floor, slides, then sticks"
                     : "cloth on a floor, at rest",
              cloth,
              rough_floor(0.3),
              euler(),
              cloth.initial_state(),
              v * Vector3::UnitX(),
              5e-3,
              40);
  }
  return 0;
}
