// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_projective_steps_h
#define slender_dynamics_projective_steps_h

#include <slender/dynamics/motion.h>
#include <slender/solvers/projective_search.h>

#include <memory>

namespace slender
{
  /// How projective dynamics steps through time.
  struct ProjectiveOptions
  {
    int         iterations = 100; ///< local and global ones of a step
    double      time_step  = 1.;  ///< [time]
    double      tolerance  = 0.;  ///< of the residual, ends iterations earlier
    std::string linear_solver = "automatic";
  };

  /**
   * Time steps of projective dynamics, for Motion: the incremental potential of
   * a step by implicit Euler is approached by some local/global iterations (see
   * ProjectiveSearch). A step ends after a number of these, wherever they have
   * got to. The matrix G + M/h^2 is made when the length of steps changes.
   *
   * Without damping; inertia has to be linear in the unknowns.
   */
  class ProjectiveSteps
  {
  public:
    /// The body that is in motion has to outlive it.
    ProjectiveSteps(const System &body, const ProjectiveOptions &options);
    ~ProjectiveSteps();

    /// Those of a motion that takes such steps.
    MotionOptions
    motion_options();

    /// The search of MotionOptions; it refers to this.
    StepSearch
    search();

    /// Of all steps so far.
    long
    n_iterations() const
    {
      return iterations_done;
    }

  private:
    const System                     &body;
    ProjectiveOptions                 options;
    std::unique_ptr<ProjectiveSearch> projective; ///< once there is a step
    double                            length          = 0.;
    long                              iterations_done = 0;
  };
} // namespace slender

#endif
