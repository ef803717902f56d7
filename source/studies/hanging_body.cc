// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/hanging_body.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>

namespace slender
{
  namespace
  {
    class NewtonBody : public HangingBody
    {
    public:
      NewtonBody(std::unique_ptr<Model> the_model, const NewtonOptions &newton)
        : HangingBody(std::move(the_model))
        , solver(*model, newton)
      {}

    protected:
      Settled
      settle(const Vector      &from,
             const std::string &parameter,
             const double       value) override
      {
        const Equilibrium found = solver.load(from, {{parameter, value}});
        Settled           settled{found.q, found.iterations, ""};
        if (!found.converged())
          settled.failure = to_string(found.outcome);
        else if (const Index n = solver.inertia(found.q).negative; n > 0)
          settled.failure = "the equilibrium is unstable in " +
                            std::to_string(n) +
                            (n == 1 ? " direction" : " directions");
        return settled;
      }

    private:
      EquilibriumSolver solver;
    };

    class ProjectiveBody : public HangingBody
    {
    public:
      ProjectiveBody(std::unique_ptr<Model>    the_model,
                     const ProjectiveSettling &settling)
        : HangingBody(std::move(the_model))
        , how(settling)
        , steps(*model, settling.steps)
        , motion(*model, steps.motion_options())
      {}

    protected:
      Settled
      settle(const Vector      &from,
             const std::string &parameter,
             const double       value) override
      {
        model->set_parameter(parameter, value);
        motion.start(model->initial_state(), 0.);
        const double weight = motion.residual();
        motion.start(from, 0.);
        Settled settled{from, 0, ""};
        for (int n = 0; n < how.max_steps; ++n)
          {
            const Motion::Step step = motion.step(how.steps.time_step);
            settled.iterations += step.iterations;
            if (!step.converged())
              {
                settled.failure = to_string(step.outcome);
                return settled;
              }
            if (motion.residual() <= how.tolerance * weight)
              {
                settled.q = motion.now().unknowns.place;
                return settled;
              }
          }
        settled.q       = motion.now().unknowns.place;
        settled.failure = "not at rest after " +
                          std::to_string(settled.iterations) +
                          " local and global iterations";
        return settled;
      }

    private:
      ProjectiveSettling how;
      ProjectiveSteps    steps;
      Motion             motion;
    };
  } // namespace

  HangingBody::HangingBody(std::unique_ptr<Model> the_model)
    : model(std::move(the_model))
    , q(model->initial_state())
  {}

  void
  HangingBody::ramp(const double gravity, const double gamma)
  {
    for (double share = std::min(1., 1. / gamma); share < 1.; share *= 2.)
      q = settle(q, "gravity", share * gravity).q;
  }

  Sample
  HangingBody::sample(
    const std::string                                     &parameter,
    const double                                           value,
    const double                                           gamma,
    const std::function<Recorder::Shape(const Drawing &)> &draw)
  {
    const Settled settled = settle(q, parameter, value);
    q                     = settled.q;
    Sample sample;
    sample.values     = {gamma, Table::unknown};
    sample.iterations = settled.iterations;
    sample.failure    = settled.failure;
    if (!sample.failure.empty())
      return sample;
    const auto   measured = model->measure(q);
    const double aspect   = -find_measurement(measured, "end z") /
                          find_measurement(measured, "end x");
    if (!std::isfinite(aspect))
      {
        sample.failure = to_string(Outcome::not_finite);
        return sample;
      }
    sample.values[1] = aspect;
    if (draw)
      sample.shape = draw(model->draw(q));
    return sample;
  }

  std::unique_ptr<HangingBody>
  make_hanging_body(std::unique_ptr<Model> model, const NewtonOptions &newton)
  {
    return std::make_unique<NewtonBody>(std::move(model), newton);
  }

  std::unique_ptr<HangingBody>
  make_hanging_body(std::unique_ptr<Model>    model,
                    const ProjectiveSettling &settling)
  {
    return std::make_unique<ProjectiveBody>(std::move(model), settling);
  }

  void
  ProjectiveSettling::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Projective dynamics");
    prm.add_parameter("Iterations",
                      steps.iterations,
                      "Local and global iterations of a time step [1].",
                      Integer(1, 1000000));
    prm.add_parameter("Time step",
                      steps.time_step,
                      "Length of a time step [sqrt(rho h L^4 / D)]; long steps "
                      "by implicit Euler damp all motion.",
                      Double(1e-6, 1e9));
    prm.add_parameter("Maximum steps",
                      max_steps,
                      "Time steps after which a body that still moves is given "
                      "up [1].",
                      Integer(1, 100000000));
    prm.add_parameter("Tolerance",
                      tolerance,
                      "A body is at rest when the root mean square of the "
                      "out-of-balance forces is below this [those of its "
                      "weight].",
                      Double(1e-12, 1.));
    prm.leave_subsection();
  }
} // namespace slender
