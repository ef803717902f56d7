// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_kinematics_h
#define slender_systems_kinematics_h

#include <slender/systems/system.h>

#include <memory>
#include <vector>

namespace slender
{
  class TouchingPoints;

  /// What a system may know about how it moves, beyond its energy. Solvers ask
  /// through the functions below; a system that does not say has the defaults.
  class Kinematics
  {
  public:
    virtual ~Kinematics() = default;

    /**
     * How the unknowns change in motions that strain no body, whatever loads
     * act on it: rigid ones, and the spin of a rod's sections about their
     * tangents. What is held does not move along, so that a motion as such may
     * well cost energy; which of their combinations do not is found by
     * neutral_motions().
     */
    virtual std::vector<Vector>
    free_motions(const Vector &q) const = 0;

    /// A change of the unknowns (root mean square) that matters: one for a rod
    /// that bends freely, the thickness in units of its size for a shell, which
    /// begins to stretch then.
    virtual double
    displacement_scale() const
    {
      return 1.;
    }

    /// The points with which it can touch something; null if it has none.
    /// Collective.
    virtual std::unique_ptr<TouchingPoints>
    touching_points() const;
  };

  /// None by default.
  std::vector<Vector>
  free_motions(const System &system, const Vector &q);

  /// One by default, and at most.
  double
  displacement_scale(const System &system);

  /// Throws InputError for a system that has none.
  std::unique_ptr<TouchingPoints>
  touching_points(const System &system);
} // namespace slender

#endif
