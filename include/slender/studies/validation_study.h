// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_validation_study_h
#define slender_studies_validation_study_h

#include <slender/studies/own_models.h>
#include <slender/studies/study.h>
#include <slender/studies/validation_cases.h>
#include <slender/studies/validation_checks.h>
#include <slender/studies/validation_table.h>

#include <string>
#include <vector>

namespace slender
{
  struct Sample;

  /**
   * Table 1 of Romero et al. 2021 by one command: all protocols for all models
   * and solvers that apply, at several resolutions and for several bodies of
   * the same regime; a model passes by the paper's rule (9). Each case is one
   * of the other studies with settings, as a file of its own would have them,
   * and one chain of a sweep.
   */
  class ValidationStudy : public Study, public OwnModels
  {
  public:
    ValidationStudy();

    /// It has models of all kinds.
    void
    set_body_kind(BodyKind kind) override;

    std::string
    chosen_by() const override;

    void
    declare(dealii::ParameterHandler &prm) override;

    void
    check() const override;

    int
    n_pieces() const override;

    void
    rehearse(const Workplace &workplace) const override;

    StudyResult
    run(Workplace &workplace) override;

  private:
    /// What was chosen, with fewer resolutions and bodies perhaps.
    std::vector<Entrant>
    entrants() const;

    std::vector<PropertyCheck>
    property_checks() const;

    bool
    is_chosen(const std::string &name, const std::string &model) const;

    /// All settings of a case.
    Settings
    settings_of(const Entrant             &entrant,
                const Entrant::Resolution &resolution,
                const Entrant::Body       &body) const;

    std::vector<std::string> protocols;
    std::vector<std::string> models;
    std::vector<std::string> resolutions = {"coarse", "medium", "fine"};
    std::vector<std::string> checks;
    int                      n_bodies  = 3;
    int                      n_gammas  = 29;
    double                   largest_y = 10.;
  };
} // namespace slender

#endif
