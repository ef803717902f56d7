// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_growth_study_h
#define slender_studies_growth_study_h

#include <slender/dynamics/motion.h>
#include <slender/studies/diffusion_parameters.h>
#include <slender/studies/growth_process.h>
#include <slender/studies/motion_parameters.h>
#include <slender/studies/shell_parameters.h>
#include <slender/studies/study.h>

namespace slender
{
  /**
   * A shell that grows, swells, dries or melts in the course of time: either
   * its parameter "growth" rises evenly, or what is in it spreads and comes in
   * from outside. It goes from one stable equilibrium to the next, or moves
   * with inertia and damping.
   */
  class GrowthStudy : public Study
  {
  public:
    GrowthStudy();

    void
    set_body_kind(BodyKind kind) override;

    bool
    takes_any_body() const override
    {
      return true;
    }

    void
    set_sections(const std::vector<std::string> &names) override;

    void
    declare(dealii::ParameterHandler &prm) override;

    void
    check() const override;

    void
    rehearse(const Workplace &workplace) const override;

    StudyResult
    run(Workplace &workplace) override;

  private:
    GrowthProcess::Settings
    settings() const;

    MotionOptions
    motion_options() const;

    /// A displacement of every node by random numbers that depend on its place
    /// alone.
    Vector
    perturbed(Model &shell) const;

    std::unique_ptr<ShellParameters> body;
    DiffusionParameters              diffusion;
    TimeParameters                   time;
    DampingOptions                   damping;
    NewtonOptions                    newton;
    std::string                      way          = "equilibria";
    double                           rise         = 1.;
    std::string                      thickness    = "1";
    double                           perturbation = 0.;
    unsigned int                     seed         = 1;
  };
} // namespace slender

#endif
