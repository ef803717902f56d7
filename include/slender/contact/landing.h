// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_landing_h
#define slender_contact_landing_h

#include <slender/contact/contact_potential.h>
#include <slender/solvers/ghosts.h>
#include <slender/solvers/system_tangent.h>
#include <slender/systems/structure.h>
#include <slender/systems/tether.h>

#include <vector>

namespace slender
{
  /**
   * Where a body in a time step comes to lie when many of its points meet
   * obstacles at once: from afar, surely, and roughly. Contacts are a
   * ContactPotential, and Newton's method goes down the energy of all: where
   * its tangent is not positive definite (a cloth that is compressed), a tether
   * to the iterate makes it so. Springs of contacts are soft at first, so that
   * a body finds its folds before contacts become exact; at each balance their
   * forces become those of the sites, and springs stiffer. What sticks, slips
   * and opens, and forces that are nearly right, are where FrictionalSearch
   * begins.
   */
  class Landing
  {
  public:
    /// All have to outlive it. The points are those of the system's only body.
    Landing(System               &system,
            const TouchingPoints &points,
            const Obstacles      &obstacles,
            LinearSolver          solver);

    struct Result
    {
      Vector               q;
      std::vector<Contact> contacts; ///< this rank's, that are not open
      bool                 converged  = false;
      int                  iterations = 0;
    };

    /**
     * @param begin where the points were when the step began
     * @param guess_of_contacts their forces are begun with
     * @param step_length in which obstacles carry along what sticks to them
     */
    Result
    search(const Vector               &guess,
           const Eigen::Matrix3Xd     &begin,
           const std::vector<Contact> &guess_of_contacts,
           double                      step_length);

  private:
    void
    place_sites(const Eigen::Matrix3Xd     &begin,
                const std::vector<Contact> &guess_of_contacts,
                double                      step_length);

    /// How stiff the body is at q.
    void
    measure(const Vector &q);

    /// Normals of sites and limits of friction become those at q.
    void
    survey(const Vector &q);

    /// Forces at q become the sites' own. Returns by how much they change,
    /// relative to the largest.
    double
    take_forces(const Vector &q);

    double
    energy(const Vector &q) const;

    /// Newton's step, with as strong a tether as it takes. False if there is
    /// none.
    bool
    step_from(const Vector &q, const Vector &gradient, Vector &step);

    /// How much of a step goes downhill far enough.
    double
    part_of(const Vector &step, const Vector &q, const Vector &gradient) const;

    std::vector<Contact>
    contacts(const Vector &q) const;

    const System         &system;
    const TouchingPoints &points;
    const Obstacles      &obstacles;
    Structure             structure;
    ContactPotential     *potential; ///< of that structure
    Tether               *tether;    ///< likewise
    Exchange              exchange;
    SystemTangent         tangent;
    double body_stiffness = 0.; ///< of a point, its neighbours held
    double diagonal       = 0.; ///< of the Hessian, the mean of such points
    double strength       = 0.; ///< of the tether
  };
} // namespace slender

#endif
