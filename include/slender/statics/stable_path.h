// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_stable_path_h
#define slender_statics_stable_path_h

#include <slender/statics/equilibrium.h>
#include <slender/statics/relaxation.h>

#include <string>

namespace slender
{
  /// A body under one load after the other, always in a stable equilibrium:
  /// what the recipes of the protocols do in an experiment.
  class StablePath
  {
  public:
    /// Starts from the system's initial state.
    StablePath(System &system, const NewtonOptions &newton);

    /**
     * The stable equilibrium that the body finds from the one before when a
     * parameter changes: along with it as long as it can, off along the
     * unstable direction where that state is unstable, and downhill where there
     * is no equilibrium nearby. A symmetric body stays symmetric until that is
     * unstable.
     */
    Equilibrium
    move(const std::string &parameter, double value);

    /// Goes on from another equilibrium.
    void
    set(const Vector &equilibrium)
    {
      q = equilibrium;
    }

    /// How the last equilibrium moves as a parameter grows, see
    /// EquilibriumSolver.
    std::optional<Vector>
    rate(const std::string &parameter);

    /// The last equilibrium that was found.
    const Vector &
    state() const
    {
      return q;
    }

  private:
    System           &system;
    EquilibriumSolver solver;
    Relaxation        relaxation;
    Vector            q;
  };
} // namespace slender

#endif
