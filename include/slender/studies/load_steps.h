// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_load_steps_h
#define slender_studies_load_steps_h

#include <slender/output/archive.h>
#include <slender/statics/equilibrium.h>
#include <slender/studies/body_parameters.h>
#include <slender/studies/study.h>

#include <functional>

namespace slender
{
  /**
   * All loads of a body raised together in equal steps, one equilibrium after
   * the other, with checkpoints in between.
   */
  struct LoadSteps
  {
    Model                &model;
    EquilibriumSolver    &solver;
    const BodyParameters &body;
    int                   n_steps; ///< to the full load

    /// Records an equilibrium after a step; it may look at it more closely.
    std::function<void(Equilibrium &found, int step)> record;

    /// What a checkpoint holds besides the state of the body.
    std::function<void(Archive &archive, int step)> save;

    /// Goes on from the equilibrium after `step` up to `last_step`; both are
    /// those of the last equilibrium that was found then. A failure is
    /// reported. False if the run is to be interrupted.
    bool
    go(Workplace   &workplace,
       int          last_step,
       Equilibrium &found,
       int         &step) const;
  };
} // namespace slender

#endif
