// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_motion_study_h
#define slender_studies_motion_study_h

#include <slender/studies/body_parameters.h>
#include <slender/studies/contact_parameters.h>
#include <slender/studies/drives.h>
#include <slender/studies/initial_velocity.h>
#include <slender/studies/motion_parameters.h>
#include <slender/studies/obstacle_parameters.h>
#include <slender/studies/rod_arrangement.h>
#include <slender/studies/study.h>

namespace slender
{
  class TouchingRods;

  /**
   * A user's own body in motion: from its shape at rest or from an equilibrium,
   * with a velocity, under loads and supports that are functions of time.
   */
  class MotionStudy : public Study
  {
  public:
    MotionStudy();

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
    class Moving;
    class Record;

    MotionOptions
    options() const;

    /// Throws InputError for settings that do not go with rods that touch.
    void
    check_contact() const;

    /// Null where nothing touches.
    std::unique_ptr<TouchingRods>
    make_rods(const Workplace &workplace) const;

    /// The body with its loads, where the motion begins; none if there is no
    /// such equilibrium.
    Equilibrium
    place_at_start(Model &model) const;

    std::unique_ptr<BodyParameters> body;
    NewtonOptions                   newton;
    TimeParameters                  time;
    DampingOptions                  damping;
    Drives                          drives;
    ObstacleParameters              obstacles;
    RodArrangement                  rods;
    ContactParameters               contact; ///< of rods
    bool                            is_rod = false;
    std::string                     start  = "rest";
    InitialVelocity                 velocity;
    double                          stops_below = 0.;
  };
} // namespace slender

#endif
