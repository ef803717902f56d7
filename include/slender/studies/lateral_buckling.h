// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_lateral_buckling_h
#define slender_studies_lateral_buckling_h

#include <slender/statics/branch.h>
#include <slender/statics/frontier.h>
#include <slender/studies/study.h>
#include <slender/studies/sweep.h>
#include <slender/validation/lateral_buckling_plane.h>

#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * The Lateral Buckling protocol (Romero et al. 2021, section 4.4; recipe
   * manual, Algorithm 4): a plate of length L, width w and thickness h stands
   * on its edge, clamped at one of its short sides, under its own weight, which
   * acts in its plane. Beyond which Gamma* = rho h g L^3 / D does it give way
   * to the side?
   *
   * The frontier is tracked as a pitchfork bifurcation with the width as a
   * continuous parameter; or it is found as the recipe has it, between the
   * samples of a grid; or from the eigenvalues of linear buckling analysis.
   * The complementary rotation experiment tilts the clamp and records how far
   * the free end goes to the side.
   */
  class LateralBucklingStudy : public Study
  {
  public:
    LateralBucklingStudy();

    void
    set_body_kind(BodyKind kind) override;

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
    /// Refuses settings of modes that were not chosen.
    void
    check_modes() const;

    /// Refuses settings of the other kind of body.
    void
    check_kind() const;

    /// A plate, or a ribbon, of length one in the plane of x and y, in units in
    /// which gravity is Gamma*.
    std::unique_ptr<Model>
    build_plate(const Workplace &workplace, double width) const;

    StudyResult
    run_frontier(Workplace &workplace);

    StudyResult
    run_eigenvalue(Workplace &workplace);

    StudyResult
    run_protocol(Workplace &workplace);

    StudyResult
    run_rotation(Workplace &workplace);

    /// Where the narrowest plate buckles; none, and reported, if it was not
    /// found.
    std::optional<BranchPoint>
    find_start(Model &model, Recorder &recorder) const;

    /// Plates under loads beyond the frontier; false if it was interrupted.
    bool
    draw_buckled(Workplace &workplace, const PlaneCurve &frontier_curve) const;

    /// A plate beyond its critical width and load, which has left its plane.
    Sample
    buckle(Workplace             &workplace,
           int                    number,
           const Eigen::Vector2d &critical) const;

    /// Widths and critical loads, on the first group; none if it was
    /// interrupted.
    std::optional<PlaneCurve>
    track_frontier(Workplace &workplace) const;

    /// Compares points (width, Gamma*) of the frontier with the master curve,
    /// which is recorded.
    void
    judge_frontier(const PlaneCurve &frontier_curve,
                   Recorder         &recorder,
                   Summary          &summary) const;

    /// The values of Gamma* of the protocol, descending.
    std::vector<double>
    gammas() const;

    /// The angles of the rotation experiment, descending, symmetric about zero.
    std::vector<double>
    angles() const;

    /// How an upright plate gives way to a tilt.
    struct UprightPlate
    {
      double width, gamma, slope;
    };

    /// The critical Gamma* of each width by Southwell's plot, from the rates at
    /// which upright plates give way to a tilt.
    void
    extrapolate(const std::vector<UprightPlate> &plates,
                Recorder                        &recorder,
                Summary                         &summary) const;

    BodyKind kind = BodyKind::shell;

    std::string mode            = "frontier";
    double      poisson_ratio   = 0.35;
    double      thickness_ratio = 1e-3;

    int    cells_along = 8, cells_across = 4;
    double grading_along = 8., grading_across = 4.;

    double              smallest_width = 0.05, largest_width = 1.;
    std::vector<double> widths;
    double              overload = 0.5;
    int                 n_modes  = 3;
    double smallest_gamma = 10., largest_gamma = 40., gamma_step = 0.5;
    std::vector<double> rotated_gammas = {10., 15., 18., 24., 40.};
    double              largest_angle = 0.2, angle_step = 0.02;
    bool                both_ways              = true;
    double              tilt                   = 0.2;
    double              displacement_tolerance = 1e-4;
    int                 n_shapes               = 6;

    NewtonOptions   newton;
    FrontierOptions frontier;
  };
} // namespace slender

#endif
