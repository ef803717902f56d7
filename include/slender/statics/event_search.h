// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_event_search_h
#define slender_statics_event_search_h

#include <slender/statics/continuation_step.h>
#include <slender/statics/soft_modes.h>
#include <slender/statics/stability_count.h>

#include <optional>
#include <vector>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /**
   * Where along a step of a branch eigenvalues of the Hessian vanish. Their
   * number follows from the inertia at both ends; bisection isolates each, and
   * the secant method on the Rayleigh quotient of the critical mode locates it,
   * twice, from different ends: by how much the two results differ is what is
   * known of the error.
   */
  class EventSearch
  {
  public:
    EventSearch(System              &system,
                const NewtonOptions &newton,
                const BranchOptions &options,
                ContinuationStep    &step);

    /// All points between the base point and the one ahead at which an
    /// eigenvalue vanishes. Of those that are too close to be told apart the
    /// first one stands for all.
    std::vector<BranchPoint>
    find(const BranchPoint &base, const BranchPoint &ahead);

    /// From the signs of a factorisation, less those that are known to be
    /// round-off.
    Index
    count_negative(const Vector &q, double parameter);

    /// Looks at the body at the start of a branch: where signs of pivots are
    /// round-off, negative Rayleigh quotients are counted from then on. All
    /// stability then is undecided, but bifurcations are seen.
    void
    examine(const Vector &q, double parameter);

    bool
    counts_quotients() const
    {
      return has_wrong_pivots;
    }

    /// How many negative pivots no Rayleigh quotient confirms.
    void
    set_doubtful(const Index n)
    {
      n_doubtful = n;
    }

    /// A count that is in doubt, by Rayleigh quotients: as many directions as
    /// have negative ones certainly are unstable.
    StabilityCount
    verified(const Vector &q, double parameter, Index count);

    /// The equilibrium at a parameter value, from a guess.
    std::optional<Vector>
    at_parameter(const Vector &guess, double value);

  private:
    using Location = ContinuationStep::Location;

    /// An interval of arc length ahead of the base point, with the numbers of
    /// unstable directions at its ends.
    struct Interval
    {
      double low, high;
      Index  n_low, n_high;
    };

    /**
     * Between two points of a branch on which the parameter moves one way:
     * states at given parameters, between which cubic polynomials in p guess.
     * The modes that change stability are kept out of the searches. The arc
     * length would be no help close to a bifurcation: where two branches cross
     * it does not tell which one is meant.
     */
    struct Span
    {
      Location                from, to;
      double                  length;
      ContinuationStep::Rates rates;
      std::vector<Vector>     kept_out;

      double
      parameter(double distance) const;

      Vector
      guess(double distance) const;
    };

    /// The state at a distance: on the span, if there is one, else as the
    /// step's at_distance(); but if that fails, slightly further on, at a
    /// distance that is then changed.
    std::optional<Location>
    look(double &distance, double shift);

    /// None where the branch turns back or nearly does so.
    std::optional<Span>
    make_span(const BranchPoint &first, const BranchPoint &second);

    /// The one in a short interval; none if the inertia was mistaken.
    std::optional<BranchPoint>
    find_one(const BranchPoint &base, const Interval &interval);

    /// A zero of an eigenvalue, and what belongs to it.
    struct Zero
    {
      double              distance;
      Location            location;
      double              eigenvalue;
      double              rate;  ///< of the eigenvalue as the parameter grows
      std::vector<Vector> modes; ///< whose eigenvalues vanish
      double              spread = 0.; ///< of others that nearly do
    };

    /// Where to begin: the ends of the interval, and what was found there.
    struct Bracket
    {
      double   low, high;
      Location start, end;
      double   value_low, value_high;
    };

    /// The state next to a guess in which there is no force but along some
    /// modes, and along these it has not moved.
    Equilibrium
    search(const Vector &guess, std::vector<Vector> kept_out);

    /// The secant method on the Rayleigh quotient of a mode.
    std::optional<Zero>
    locate(const Bracket &bracket,
           bool           is_fold,
           SoftModes     &modes,
           NoxVector      mode);

    /// Whether the parameter moves one way before an interval and the other
    /// way after it: there is a fold within. None if the branch cannot be
    /// looked at there.
    std::optional<bool>
    turns_back(const Interval &interval);

    /// Whether two directions are rather parallel than orthogonal.
    bool
    are_parallel(const Vector &a, const Vector &b) const;

    System           &system;
    BranchOptions     options;
    ContinuationStep &step;
    EquilibriumSolver equilibrium;
    Newton            held; ///< searches that keep modes out
    Index             n_doubtful = 0;

    bool                     has_wrong_pivots = false; ///< see examine()
    std::optional<SoftModes> watched;                  ///< if so

    std::optional<Span> span; ///< while events are sought
  };
} // namespace slender

#endif
