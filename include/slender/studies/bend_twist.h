// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_bend_twist_h
#define slender_studies_bend_twist_h

#include <slender/statics/branch.h>
#include <slender/statics/frontier.h>
#include <slender/studies/study.h>
#include <slender/validation/master_curve.h>

#include <optional>
#include <string>

namespace slender
{
  /**
   * The Bend-Twist protocol (Romero et al. 2021, section 4.3; recipe manual,
   * Algorithm 3): a rod whose natural shape is a circular arc of angle phi
   * hangs from a clamp that points downwards. Where is the planar shape
   * stable? With x = Gamma^(1/3)/phi and y = phi/2pi, the frontier between
   * planar and three-dimensional shapes is one curve.
   *
   * It is tracked as a pitchfork bifurcation, from y = 10 down its left branch,
   * through the nose, and up its right branch to y = 10; or it is found as the
   * recipe has it, between the samples of a grid.
   */
  class BendTwistStudy : public Study
  {
  public:
    BendTwistStudy();

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
    /// Straight, as long as it has no natural curvature.
    RodBody
    body() const;

    StudyResult
    run_frontier(Workplace &workplace);

    StudyResult
    run_protocol(Workplace &workplace);

    /// Where the planar shape of `start_y` turns loses its stability; none, and
    /// reported, if it was not found.
    std::optional<BranchPoint>
    find_pitchfork(Model &model, Recorder &recorder) const;

    /// Compares a frontier with the master curve, which is recorded.
    void
    judge_frontier(const PlaneCurve &ours,
                   Recorder         &recorder,
                   Summary          &summary) const;

    std::string mode            = "frontier";
    double      poisson_ratio   = 0.5;
    bool        extensible      = false;
    double      radius          = 5e-4;
    double      largest_y       = 10.;
    double      start_y         = 2.;
    int         n_rows          = 23;
    int         n_columns       = 30;
    double      twist_tolerance = 1e-3;
    int         n_shapes        = 12;

    NewtonOptions   newton;
    BranchOptions   branch;
    FrontierOptions frontier;
  };
} // namespace slender

#endif
