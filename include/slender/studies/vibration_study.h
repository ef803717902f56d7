// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_vibration_study_h
#define slender_studies_vibration_study_h

#include <slender/studies/body_parameters.h>
#include <slender/studies/response_parameters.h>
#include <slender/studies/study.h>
#include <slender/systems/kinetics.h>

namespace slender
{
  /**
   * Natural frequencies and modes of a user's own body about its equilibrium,
   * as all loads are raised together from zero to their values.
   */
  class VibrationStudy : public Study
  {
  public:
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
    std::unique_ptr<BodyParameters> body;
    NewtonOptions                   newton;
    MassOptions                     masses;
    int                             n_modes  = 6;
    int                             n_steps  = 1;
    int                             n_frames = 12;
    ResponseParameters              response;
  };
} // namespace slender

#endif
