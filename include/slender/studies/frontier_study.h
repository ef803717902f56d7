// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_frontier_study_h
#define slender_studies_frontier_study_h

#include <slender/statics/branch.h>
#include <slender/statics/frontier.h>
#include <slender/studies/body_parameters.h>
#include <slender/studies/starting_point.h>
#include <slender/studies/study.h>

namespace slender
{
  /**
   * Where a user's own body buckles or snaps, as two parameters vary: a curve
   * in the plane of the two, tracked point by point through its turns.
   *
   * The first point is found on a branch in the first parameter, or taken from
   * an earlier run.
   */
  class FrontierStudy : public Study
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

    int
    n_pieces() const override;

    void
    rehearse(const Workplace &workplace) const override;

    StudyResult
    run(Workplace &workplace) override;

  private:
    struct Axis
    {
      std::string parameter;
      double      minimum, maximum;
      std::string start;

      double
      start_value(const std::string &path) const;
    };

    void
    declare_axis(dealii::ParameterHandler &prm, std::size_t i);

    /// A point from which a frontier is tracked.
    struct Start
    {
      int         which; ///< of the bifurcations or folds on the way
      BranchPoint point;
      State       state;
    };

    /// Those that were asked for; what was not found is reported.
    std::vector<Start>
    find_starts(Model &model, const Workplace &workplace) const;

    /// Bifurcations or folds on a branch in the first parameter.
    std::vector<Start>
    search(Model &model, const Vector &from) const;

    std::unique_ptr<BodyParameters> body;
    NewtonOptions                   newton;
    BranchOptions                   branch;
    FrontierOptions                 frontier;
    StartingPoint                   start;
    Axis axes[2] = {{"end force", 0., 10., ""}, {"gravity", 0., 10., ""}};
    std::string      kind      = "pitchfork";
    std::string      direction = "automatic";
    std::vector<int> which     = {1};
    int              n_shapes  = 50;
  };
} // namespace slender

#endif
