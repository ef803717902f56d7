// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_hanging_body_h
#define slender_studies_hanging_body_h

#include <slender/dynamics/projective_steps.h>
#include <slender/models/model.h>
#include <slender/statics/equilibrium.h>
#include <slender/studies/sweep.h>

#include <functional>
#include <memory>

namespace slender
{
  /// One rod or ribbon of the Cantilever, from sample to sample: each begins
  /// where the last one ended.
  class HangingBody
  {
  public:
    explicit HangingBody(std::unique_ptr<Model> model);
    virtual ~HangingBody() = default;

    /// Raises gravity from nothing, doubling Gamma, so that no step is large.
    void
    ramp(double gravity, double gamma);

    /// The ratio H/W under a parameter's next value: (gamma, ratio). `draw`
    /// takes a drawing of the body, if there is to be one.
    Sample
    sample(const std::string                                     &parameter,
           double                                                 value,
           double                                                 gamma,
           const std::function<Recorder::Shape(const Drawing &)> &draw = {});

  protected:
    /// What becomes of the body, and in words why it is none to be measured.
    struct Settled
    {
      Vector      q;
      int         iterations = 0;
      std::string failure;
    };

    virtual Settled
    settle(const Vector &from, const std::string &parameter, double value) = 0;

    std::unique_ptr<Model> model;

  private:
    Vector q;
  };

  /// Stable equilibria by Newton's method.
  std::unique_ptr<HangingBody>
  make_hanging_body(std::unique_ptr<Model> model, const NewtonOptions &newton);

  /// How projective dynamics is waited for.
  struct ProjectiveSettling
  {
    ProjectiveOptions steps;
    int               max_steps = 1000;
    /// At rest: out-of-balance forces over those of the weight.
    double tolerance = 1e-3;

    void
    declare(dealii::ParameterHandler &prm);
  };

  /// Motions by projective dynamics, until they are at rest or their steps are
  /// used up.
  std::unique_ptr<HangingBody>
  make_hanging_body(std::unique_ptr<Model>    model,
                    const ProjectiveSettling &settling);
} // namespace slender

#endif
