// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_evaluate_study_h
#define slender_studies_evaluate_study_h

#include <slender/studies/shell_parameters.h>
#include <slender/studies/study.h>

namespace slender
{
  /**
   * Energies, forces and strains of shapes that are given, not sought: a shell
   * whose points go where formulas send them, and whose stress-free state may
   * be given by formulas too. A number p in the formulas takes one value after
   * the other.
   */
  class EvaluateStudy : public Study
  {
  public:
    void
    set_body_kind(BodyKind kind) override;

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
    class Formulas;

    ShellBody
    body(const Formulas &formulas, double p) const;

    std::unique_ptr<Model>
    build(const Workplace &workplace, const Formulas &formulas, double p) const;

    ShellParameters            shell;
    std::array<std::string, 3> position = {{"x", "y", "z"}};
    std::array<std::string, 3> metric   = {{"1", "0", "1"}};
    std::array<std::string, 3> curvature;
    std::vector<double>        values   = {0.};
    bool                       is_exact = true;
  };
} // namespace slender

#endif
