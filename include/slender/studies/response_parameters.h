// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_response_parameters_h
#define slender_studies_response_parameters_h

#include <slender/dynamics/receptance.h>
#include <slender/models/model.h>
#include <slender/output/recorder.h>
#include <slender/studies/body_parameters.h>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /**
   * The section "Response" of the study of vibrations: how a measurement
   * answers to a load that oscillates, over a range of frequencies.
   */
  class ResponseParameters
  {
  public:
    void
    declare(dealii::ParameterHandler &prm);

    void
    check(const BodyParameters &body) const;

    /// Throws InputError for what this body does not have, and for supports,
    /// which drag masses along. The model is left as it was.
    void
    check_model(Model &model, const Kinetics &kinetics) const;

    bool
    is_wanted() const
    {
      return !options.forcing.empty();
    }

    // If it is wanted:

    void
    begin(Recorder &recorder) const;

    void
    record(Recorder                       &recorder,
           Model                          &model,
           const Kinetics                 &kinetics,
           const Vector                   &q,
           const std::vector<NaturalMode> &modes,
           LinearSolver                    solver) const;

  private:
    ReceptanceOptions options;
    double            lowest   = 0.;
    double            highest  = 0.;
    int               n_points = 201;
  };
} // namespace slender

#endif
