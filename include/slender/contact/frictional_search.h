// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_frictional_search_h
#define slender_contact_frictional_search_h

#include <slender/contact/contact.h>
#include <slender/contact/obstacle.h>
#include <slender/solvers/newton.h>

#include <memory>
#include <optional>
#include <vector>

namespace slender
{
  /**
   * States of a system whose points touch obstacles: what is out of balance is
   * borne by forces that obey Signorini and Coulomb,
   *
   *   dE/dq = H^T r,   gap >= 0, r_n >= 0, gap r_n = 0,
   *   |r_t| <= mu r_n, with slip only against r_t = mu r_n,
   *
   * where slip is measured from where the points were when a step began. So it
   * serves a load step of statics as well as a time step, whose inertia is a
   * part of E.
   *
   * Each iteration is one of Newton's method for the body,
   * K dq = -dE/dq + H^T r. Either contacts are springs with forces of their own
   * in K (see AugmentedStep), which costs hardly more than the body alone; or,
   * where that does not converge, r solves the contacts' own problem (see
   * solve_coulomb()) with W = H K^-1 H^T. Where many points of a body in motion
   * come to touch at once, a descent finds out first what they do (see
   * Landing). Friction is exact at its threshold.
   */
  class FrictionalSearch
  {
  public:
    /// All have to outlive it. The points are those of the system's only body.
    FrictionalSearch(System               &system,
                     const TouchingPoints &points,
                     const Obstacles      &obstacles,
                     const NewtonOptions  &options);
    ~FrictionalSearch();

    /**
     * @param begin where the points were when the step began, which obstacles
     *   have carried along since
     * @param previous the full_state() at the step's beginning
     * @param guess_of_forces of an earlier search, or none
     */
    Equilibrium
    search(const Vector                &guess,
           const Eigen::Matrix3Xd      &begin,
           const std::optional<Vector> &previous          = {},
           const std::vector<Contact>  &guess_of_contacts = {});

    /// What this rank's points that touch at q, as a step of that length begins
    /// there, bear if forces on them alone keep them there: of a body at rest,
    /// its contacts. None of bodies whose unknowns are no places of points.
    std::vector<Contact>
    borne(const Vector &q, double length);

    /// This rank's contacts at the state that was found, with those that are
    /// open but were tried.
    const std::vector<Contact> &
    contacts() const;

    /// Of all contact problems of the last search.
    int
    contact_iterations() const;

    /// How contacts are solved for.
    enum class Method
    {
      automatic, ///< as springs; after a landing, or condensed, if that fails
      augmented,
      condensed
    };
    Method method = Method::automatic;

    /// Searches that had to be repeated with the contacts' own problem.
    long
    n_condensed() const;

    /// ... or from where a descent led to.
    long
    n_landings() const;

    /// Seconds that went into contacts in all searches, and in all.
    struct Times
    {
      double contacts = 0., all = 0.;
    };
    const Times &
    times() const;

    /// How many eigenvalues of the tangent are negative where the contacts
    /// that touch hold their points: of a state that is stable, none.
    Index
    n_negative();

    /// The factors of friction of all obstacles are multiplied by this: an
    /// infinite one makes all stick.
    double friction_factor = 1.;

    /// A search ends, without a result, once something slips.
    bool must_stick = false;

    /// Of a time step [time]: obstacles carry what sticks to them along, with
    /// their velocity.
    double step_length = 0.;

    /// A time step, whose inertia holds the body: contacts are settled in fewer
    /// substitutions than an equilibrium allows, see AugmentedStep.
    bool in_motion = false;

    /// Springs of the last search serve the next step of the same length; else
    /// a search does not depend on those before it.
    bool keeps_springs = true;

    /// Where it is not zero, friction is no Coulomb's but this times the
    /// obstacle's coefficient and the velocity along it, in a time step
    /// [force time/length].
    double viscosity = 0.;

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };
} // namespace slender

#endif
