// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_equilibrium_study_h
#define slender_studies_equilibrium_study_h

#include <slender/base/table.h>
#include <slender/statics/deflation.h>
#include <slender/statics/equilibrium.h>
#include <slender/statics/stability_count.h>
#include <slender/studies/body_parameters.h>
#include <slender/studies/obstacle_parameters.h>
#include <slender/studies/study.h>

#include <optional>

namespace slender
{
  /**
   * A user's own body: all loads of the parameter file are raised together from
   * zero to their values in equal steps. Every equilibrium on the way is
   * measured, drawn, and judged for its stability.
   */
  class EquilibriumStudy : public Study
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
    /// Two cells: how many directions are unstable, and whether that is
    /// undecided; returned, too, where it is asked for.
    std::optional<StabilityCount>
    put_stability(Table::Row    &row,
                  const System  &system,
                  SystemTangent &tangent,
                  const Vector  &q) const;

    /// Where something is in the way, with contact and friction.
    StudyResult
    run_among_obstacles(Workplace &workplace);

    /// Where the body has gone, in a sentence, and that it would not stay
    /// there.
    std::string
    in_words(const std::vector<Measurement> &measured,
             int                             step,
             const std::vector<Measurement> &at_rest,
             std::optional<StabilityCount>   stability) const;

    /// Equilibria under the full load besides the one that was found, as a
    /// table; false if it was interrupted.
    bool
    find_all(Model &model, const Vector &q, Workplace &workplace) const;

    std::unique_ptr<BodyParameters> body;
    ObstacleParameters              obstacles;
    NewtonOptions                   newton;
    int                             n_steps       = 10;
    bool                            counts_signs  = true;
    int                             n_eigenvalues = 0;
    bool                            finds_all     = false;
    DeflationOptions                deflation;
  };
} // namespace slender

#endif
