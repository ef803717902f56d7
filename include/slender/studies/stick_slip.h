// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_stick_slip_h
#define slender_studies_stick_slip_h

#include <slender/studies/strip_motion.h>
#include <slender/studies/study.h>
#include <slender/studies/sweep.h>
#include <slender/validation/stick_slip_curve.h>

#include <string>
#include <vector>

namespace slender
{
  /**
   * The Stick-Slip protocol (Romero et al. 2021, section 4.5; recipe manual,
   * Algorithms 5 and 6): a strip is clamped upright and pressed against a rough
   * floor by a strain epsilon. Its tip sticks until friction over thrust
   * reaches the coefficient of friction mu. The frontier of stick and slip in
   * the plane of epsilon and mu ends at a triple point, beyond which a part of
   * the strip lies on the floor.
   *
   * Length, bending stiffness and mass of the strip are one.
   */
  class StickSlipStudy : public Study
  {
  public:
    StickSlipStudy();

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
    std::unique_ptr<Model>
    build(const Workplace &workplace) const;

    StudyResult
    run_frontier(Workplace &workplace);

    StudyResult
    run_protocol(Workplace &workplace);

    /// All laws of friction, each with two time steps and two tolerances.
    StudyResult
    run_laws(Workplace &workplace);

    /// One friction: samples at all strains, quasi-statically or in motion.
    void
    press(std::size_t                        chain,
          Workplace                         &workplace,
          const std::function<void(Sample)> &done) const;

    void
    press_in_motion(std::size_t                        chain,
                    Workplace                         &workplace,
                    const std::function<void(Sample)> &done) const;

    /// Told at each of some strains, up to where the run is to end; no motion
    /// if it has failed. Returns whether to go on.
    using MotionObserver = std::function<bool(std::size_t        i,
                                              const StripMotion *motion,
                                              PressedStrip      &strip,
                                              bool               slipped,
                                              double             threshold)>;

    void
    press_in_motion(double                     friction,
                    const StripMotionOptions  &options,
                    double                     step,
                    Model                     &model,
                    const std::vector<double> &at,
                    bool                       ends_with_slip,
                    const MotionObserver      &done) const;

    StripMotionOptions
    strip_motion_options(const std::string &name) const;

    /// How a motion under damping is stepped.
    MotionOptions
    motion_options() const;

    /// Of some samples a shape is kept.
    void
    draw(std::size_t         chain,
         std::size_t         i,
         Workplace          &workplace,
         const Model        &model,
         const PressedStrip &strip,
         Sample             &sample) const;

    /// Lets a strip that has slipped move until it rests.
    bool
    settle(Model &model, PressedStrip &strip) const;

    /// Pushes a strip of which something slips to a strain; where it snaps it
    /// moves until it rests. False if it does not.
    bool
    slide(double epsilon, Model &model, PressedStrip &strip) const;

    std::vector<double>
    strains() const;

    std::string         mode       = "protocol";
    std::string         simulation = "quasi-static";
    std::string         criterion  = "displacement";
    std::vector<double> frictions = {0., 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35};
    double              strain_step          = 1. / 60.;
    double              largest_strain       = 0.6;
    double              slip_tolerance       = 1e-3;
    double              first_strain         = 1e-3;
    double              longest_step         = 0.01;
    double              bracket              = 1e-9;
    double              side_load            = 1.;
    double              width                = 0.1;
    double              thickness_ratio      = 1e-3;
    int                 cells_along          = 20;
    int                 cells_across         = 2;
    double              speed                = 0.01;
    double              time_step            = 5e-4;
    double              drag                 = 10.;
    int                 n_shapes             = 24;
    std::string         law                  = "coulomb";
    std::vector<std::string> laws            = friction_laws();
    double                   axial           = 0.;
    double                   viscosity       = 100.;
    int                      filter_rounds   = 10;
    double                   stick_stiffness = 0.1;
    int                      projections     = 100;
    double                   explicit_step   = 5e-5;
    bool                     ends_with_slip  = false;

    BodyKind      kind = BodyKind::rod;
    NewtonOptions newton;
  };
} // namespace slender

#endif
