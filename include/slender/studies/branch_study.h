// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_branch_study_h
#define slender_studies_branch_study_h

#include <slender/base/formula.h>
#include <slender/statics/branch.h>
#include <slender/studies/body_parameters.h>
#include <slender/studies/starting_point.h>
#include <slender/studies/study.h>

namespace slender
{
  /**
   * Equilibria of a user's own body as one parameter varies: where they fold
   * back, where they lose stability, and where other branches lead.
   *
   * Special points have labels and the names that users of AUTO-07p know:
   * EP (end point), BP (branch point), LP (limit point, a fold), UZ (value that
   * was asked for), MX (the continuation failed there); RG is a regular point.
   */
  class BranchStudy : public Study
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
    double
    start_value() const;

    /// Where to go from the first point: up or down, or along the null vector
    /// or against it.
    std::vector<int>
    first_sides(double first_value) const;

    /// Whether the branch is to end here.
    bool
    stops_at(const BranchPoint              &point,
             const std::vector<Measurement> &measurements) const;

    /// Whose zeros are looked for along a branch.
    struct Formulas
    {
      std::vector<Formula> all;
      std::size_t          n_labels; ///< that come first; others end a branch
    };

    Formulas
    formulas(const System &system) const;

    std::unique_ptr<BodyParameters> body;
    NewtonOptions                   newton;
    BranchOptions                   options;
    StartingPoint                   start;
    std::string                     parameter = "end force";
    std::string                     start_text;
    std::string                     direction       = "automatic";
    int                             switching_depth = 0;
    int                             max_branches    = 20;
    std::string                     stop_at         = "nothing";
    std::string                     stop_measurement;
    std::string                     stop_below, stop_above;
    std::string                     label_where, stop_where;
    int                             n_eigenvalues = 0;
    int                             draw_every    = 1;
  };
} // namespace slender

#endif
