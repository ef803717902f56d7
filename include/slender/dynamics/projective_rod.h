// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_projective_rod_h
#define slender_dynamics_projective_rod_h

#include <slender/contact/contact.h>
#include <slender/contact/obstacle.h>

#include <vector>

namespace slender
{
  /// A straight rod of equal edges, clamped at its start.
  struct ProjectiveRodOptions
  {
    double  length = 1., bending = 1., axial = 1e4, mass_per_length = 1.;
    Vector3 direction  = Vector3::UnitX(); ///< in which it is clamped
    double  drag       = 0.;               ///< [1/time]
    int     iterations = 100; ///< of projections and solutions, in a step
  };

  /**
   * A rod in Projective Dynamics (Bouaziz et al. 2014). An implicit Euler step
   * minimises the potential of inertia and of
   *
   *   1/2 EA/l (|e| - l)^2  of edges,  1/2 EI/l^3 |x_- - 2 x + x_+|^2  of
   * nodes,
   *
   * by turns: each edge is projected to its length, and places follow from one
   * linear system whose matrix A = M (1/h^2 + c/h) + L never changes.
   *
   * Friction (Ly et al. 2020) is projected, too: in each turn a point that
   * touches is told the force on it as if its neighbours stayed where they were
   * in the turn before, by which it would have the velocity that its mass alone
   * allows; the force of the obstacle is the one that makes that velocity obey
   * Signorini and Coulomb, and enters the linear system from outside.
   */
  class ProjectiveRod
  {
  public:
    /// From places of the nodes at rest (3 x n), the first of which is held.
    ProjectiveRod(const Eigen::Matrix3Xd     &places,
                  const ProjectiveRodOptions &options);

    /// Obstacles are where they are at the step's end.
    void
    step(double length, const Obstacles &obstacles);

    const Eigen::Matrix3Xd &
    places() const
    {
      return x;
    }

    /// Of the last step.
    const std::vector<Contact> &
    contacts() const
    {
      return found;
    }

    /// Of places in the last turn: how far from converged [length].
    double
    last_change() const
    {
      return change;
    }

    /// Elastic.
    double
    energy() const;

  private:
    void
    prepare(double length);

    ProjectiveRodOptions options;
    double               edge;
    Eigen::Matrix3Xd     x, velocity;
    Vector               mass;            ///< of nodes
    Eigen::MatrixXd      L;               ///< sum of w S^T S over all nodes
    Eigen::MatrixXd      inverse;         ///< of A, for the nodes that move
    double               inverse_of = 0.; ///< the step's length
    std::vector<Contact> found;
    double               change = 0.;
  };
} // namespace slender

#endif
