// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_growing_shell_h
#define slender_models_shells_growing_shell_h

#include <slender/models/shells/shell_body.h>
#include <slender/models/shells/shell_term.h>
#include <slender/models/shells/surface_elements.h>

namespace slender
{
  /**
   * A shell whose stress-free state follows what is in it, as what makes it
   * grow sees it. Nodes are those of its elements().
   */
  class GrowingShell
  {
  public:
    virtual ~GrowingShell() = default;

    virtual const ShellBody &
    description() const = 0;

    /// The unit of length of the unknowns.
    virtual double
    size() const = 0;

    /// In which something can spread.
    virtual SurfaceElements
    elements_of_surface() const = 0;

    /// What is in the shell (moisture, heat) on its upper and its lower side
    /// at the nodes, one column each: the growth law takes it from the first
    /// field (growth = 0) to the second (growth = 1), instead of what the law
    /// says of moisture. Throws InputError where it would leave nothing of a
    /// fibre. Collective.
    virtual void
    set_moisture(const Eigen::Matrix2Xd &before,
                 const Eigen::Matrix2Xd &after) = 0;

    /// Positions of the nodes at rest and in a state, in units of size().
    virtual const NodalVectors &
    positions_at_rest() const = 0;

    virtual NodalVectors
    node_positions(const Vector &q) const = 0;

    /// The state in which every node that is free to move has gone where a
    /// function of its rest and its present position sends it.
    virtual Vector
    transformed(
      const Vector &q,
      const std::function<Vector3(const Vector3 &rest, const Vector3 &present)>
        &f) const = 0;
  };
} // namespace slender

#endif
