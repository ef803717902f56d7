// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_branch_recorder_h
#define slender_studies_branch_recorder_h

#include <slender/statics/branch.h>
#include <slender/studies/study.h>

#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * Writes the points of branches into a result: rows, shapes, modes, and
   * labelled points from which a later run can start. The last point waits
   * until it is known whether its branch ends there.
   */
  class BranchRecorder
  {
  public:
    /**
     * @param parameter the one that varies
     * @param n_eigenvalues of the Hessian to compute at every point
     * @param draw_every every how many points a shape is drawn; special ones
     *        always are, 0 draws these only
     */
    BranchRecorder(Model             &model,
                   const std::string &parameter,
                   int                n_eigenvalues,
                   int                draw_every,
                   const Workplace   &workplace,
                   StudyResult       &result);

    /// Takes a point at which the model stands; collective.
    void
    add(int                             branch,
        const BranchPoint              &point,
        const std::vector<Measurement> &measurements);

    /// The last point ends its branch; collective.
    void
    finish(BranchEnd end);

  private:
    struct Pending
    {
      int                      branch;
      std::string              kind;
      BranchPoint              point;
      std::vector<Measurement> measurements;
    };

    /// Writes the point that waits, if there is one.
    void
    flush();

    Table::Row
    row(long label) const;

    /// What a special point has in addition: a mode, and all that it takes to
    /// start from it again.
    void
    keep(long label);

    void
    say(long label) const;

    Model                 &model;
    std::string            parameter;
    int                    n_eigenvalues;
    int                    draw_every;
    const Workplace       &workplace;
    StudyResult           &result;
    std::optional<Pending> pending;
    Vector                 history; ///< of the model at the pending point
    long                   last_label = 0;
  };
} // namespace slender

#endif
