// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_strip_motion_h
#define slender_studies_strip_motion_h

#include <slender/dynamics/motion.h>
#include <slender/studies/pressed_strip.h>

#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /// How the strip of the Stick-Slip protocol moves, and by which law of
  /// friction.
  struct StripMotionOptions
  {
    std::string   law = "coulomb";
    MotionOptions motion;           ///< without a search
    double        speed     = 0.01; ///< of the floor [length/time]
    double        viscosity = 100.; ///< 'viscous' [force time/length]
    int           rounds    = 10;   ///< 'bridson-harmon', of impulses
    double        thickness = 1e-4; ///< 'bridson-harmon' [length]
    double        repulsion = 1e4;  ///< 'bridson-harmon' [force/length]
    double        stick     = 0.1;  ///< 'penalty' [m/h^2]
    int           turns     = 100;  ///< 'projective'
    double        axial     = 0.;   ///< 'projective' [EI/L^2]
  };

  /// All names of laws.
  const std::vector<std::string> &
  friction_laws();

  /**
   * The strip while the floor comes at a constant speed. The clamp stands and
   * the floor moves, which is the same motion.
   */
  class StripMotion
  {
  public:
    virtual ~StripMotion() = default;

    /// False if it failed.
    virtual bool
    step(double length) = 0;

    virtual double
    time() const = 0;

    /// How far the tip has gone along the floor.
    virtual double
    tip_displacement() const = 0;

    virtual PressedStrip::Forces
    forces() const = 0;

    /// What may be taken in one step; infinite where there is no limit.
    virtual double
    stable_step() const;

    /// Puts the strip where the motion has it; false if the motion has another
    /// body than the strip's.
    virtual bool
    put(PressedStrip &strip) const = 0;

    /// Searches, or what takes the time otherwise.
    virtual long
    iterations() const = 0;
  };

  /// From where the strip stands, at rest. All have to outlive it. Throws
  /// InputError for a body that the law cannot move.
  std::unique_ptr<StripMotion>
  make_strip_motion(const StripMotionOptions &options,
                    System                   &system,
                    PressedStrip             &strip);
} // namespace slender

#endif
