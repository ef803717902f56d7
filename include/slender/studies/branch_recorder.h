// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_branch_recorder_h
#define slender_studies_branch_recorder_h

#include <slender/base/table.h>
#include <slender/statics/branch.h>
#include <slender/studies/study.h>

#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * Records the points of branches: rows, shapes, modes, and labelled points
   * from which a later run can start. The last point waits until it is known
   * whether its branch ends there.
   */
  class BranchRecorder
  {
  public:
    /**
     * @param parameter the one that varies
     * @param formulas whose zeros are labelled
     * @param n_eigenvalues of the Hessian to compute at every point
     * @param draw_every every how many points a shape is drawn; special ones
     *        always are, 0 draws these only
     */
    BranchRecorder(System                         &system,
                   const std::string              &parameter,
                   const std::vector<std::string> &formulas,
                   int                             n_eigenvalues,
                   int                             draw_every,
                   const Workplace                &workplace);

    /// Takes a point at which the system stands; collective.
    void
    add(int                             branch,
        const BranchPoint              &point,
        const std::vector<Measurement> &measurements);

    /// The last point ends its branch; collective.
    void
    finish(BranchEnd end);

    /// How far it has come; the point that waits is not part of it.
    struct Position
    {
      long rows = 0, labels = 0;
    };

    Position
    position() const
    {
      return reached;
    }

    /// Of the system at the point that waits, as it was added.
    const State &
    waiting_state() const
    {
      return pending->state;
    }

    /// Goes on from there; the point that waited has to be added again.
    void
    resume(const Position &position);

  private:
    struct Pending
    {
      int                      branch;
      std::string              kind;
      BranchPoint              point;
      std::vector<Measurement> measurements;
      State                    state; ///< of the system at the point
    };

    /// Records the point that waits, if there is one.
    void
    flush();

    Table::Row
    row(long label) const;

    /**
     * Koiter's coefficients of a bifurcation: on the branch that crosses,
     *
     *   p / p_c = 1 + a d + b d^2
     *
     * with the displacement d of the point that the mode moves furthest, in
     * the user's unit of length; unknown for other points.
     */
    struct Koiter
    {
      double a, b;
    };

    Koiter
    koiter_coefficients() const;

    /// What a special point has in addition: a mode, and all that it takes to
    /// start from it again.
    void
    keep(long label);

    void
    say(long label) const;

    System                  &system;
    std::string              parameter;
    std::vector<std::string> formulas;
    int                      n_eigenvalues;
    int                      draw_every;
    const Workplace         &workplace;
    Recorder                &recorder;
    std::optional<Pending>   pending;
    Position                 reached;
    bool                     has_told_of_flutter = false;
  };
} // namespace slender

#endif
