// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_continuation_step_h
#define slender_statics_continuation_step_h

#include <slender/solvers/system_group.h>
#include <slender/statics/branch.h>

#include <LOCA_GlobalData.H>
#include <LOCA_MultiContinuation_AbstractStrategy.H>
#include <LOCA_MultiContinuation_ExtendedVector.H>

#include <optional>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /**
   * Single steps along a branch (LOCA): from a base point, along its tangent,
   * to the equilibrium at a given distance. Any number of distances can be
   * looked at before the step is taken, which is how events between two points
   * are found.
   */
  class ContinuationStep
  {
  public:
    /// A state and the parameter that belongs to it.
    struct Location
    {
      Vector q;
      double parameter;
    };

    ContinuationStep(Controls            &controls,
                     std::size_t          control,
                     const NewtonOptions &newton,
                     const BranchOptions &options);
    ~ContinuationStep();

    /// Makes an equilibrium at the present controls the base point, with the
    /// parameter growing or falling, ...
    void
    begin(const Vector &q, int sign);

    /// ... or a bifurcation, along a mode or against it, and without moving
    /// along others.
    void
    begin(const Vector              &q,
          int                        sign,
          const Vector              &mode,
          const std::vector<Vector> &others);

    /// The base point and the tangent there; the parameter in its unit.
    struct Base
    {
      Vector q;
      double unit_parameter;
      Vector direction;
      double direction_of_parameter;
      /// Kept out of all steps from here, see neutral_motions().
      std::vector<Vector> neutral;
    };

    Base
    base_point() const;

    /// Makes an earlier base point the base point again.
    void
    resume(const Base &base);

    /// The equilibrium at a distance ahead of the base point.
    std::optional<Location>
    at_distance(double distance);

    /// How far it was from where the tangent predicted it, over the length of
    /// the step.
    double
    correction() const
    {
      return last_correction;
    }

    /// Newton iterations since this was last asked.
    int
    take_iterations();

    /// The last equilibrium that was found will be the next base point, ...
    void
    mark();

    /// ... to which the tangent has turned by an angle with this cosine, ...
    double
    turn();

    /// ... and becomes it. Directions there may have changed when the state
    /// was committed, see System::commit().
    void
    advance(bool directions_have_changed);

    /// Between two locations: how far along the base point's tangent, and how
    /// far in all.
    struct Distance
    {
      double along, whole;
    };

    Distance
    between(const Location &from, const Location &to) const;

    Location
    base_location() const;

    /// dq/dp at the base point and at what was marked, after turn(); none where
    /// the branch turns back between them, or is nearly about to.
    struct Rates
    {
      Vector at_base, ahead;
    };

    std::optional<Rates>
    rates() const;

    /// Motions that cost no energy at the base point, ...
    const std::vector<Vector> &
    neutral_motions() const
    {
      return neutral;
    }

    /// ... and at what was marked, after turn().
    const std::vector<Vector> &
    neutral_motions_ahead() const
    {
      return next_neutral;
    }

    /// The base point, before anything was looked at ahead of it.
    Location
    location() const;

    void
    set_parameter(double value);

    /// Holds whatever was last factorised.
    SystemTangent &
    matrix()
    {
      return *tangent;
    }

  private:
    /// A group at a state and the present controls.
    void
    make_group(const Vector &q);

    /// Whether the system can go straight from one state to another, see
    /// System::longest_step(). What acts then is that of the second one.
    bool
    is_passable(const Vector &from, const Vector &to);

    using Strategy       = LOCA::MultiContinuation::AbstractStrategy;
    using ExtendedVector = LOCA::MultiContinuation::ExtendedVector;

    /// Gives the control such a unit that a step from q along the branch has a
    /// length, whatever the parameter's unit and the number of unknowns n:
    ///
    ///   ds^2 = |dq|^2 / (n d^2) + dp^2 / range^2,
    ///
    /// with d the distance from the initial state, at least the system's
    /// displacement_scale() and at most one, as a power of two. LOCA measures
    /// by the Euclidean norm; with the range being d sqrt(n) units long, that
    /// is d sqrt(n) times our norm.
    void
    measure_steps(const Vector &q);

    /// Motions that are kept out from now on.
    void
    set_neutral(const std::vector<Vector> &motions);

    /// The next steps go from where the group stands.
    void
    set_base();

    /// The tangent of the branch where the group stands, in the direction in
    /// which it came.
    void
    compute_tangent();

    /// Gives it unit length; LOCA's has dp/ds = 1, which natural continuation
    /// keeps.
    void
    set_tangent(ExtendedVector &along, double sign);

    double
    range() const
    {
      return options.maximum - options.minimum;
    }

    Controls                            &controls;
    std::size_t                          control;
    System                              &system;
    double                               scale; ///< see measure_steps()
    NewtonOptions                        newton;
    BranchOptions                        options;
    Teuchos::RCP<Teuchos::ParameterList> list;
    Teuchos::RCP<LOCA::GlobalData>       global_data;
    Teuchos::RCP<SystemTangent>          tangent;

    Teuchos::RCP<Strategy>       group, base, marked;
    Teuchos::RCP<ExtendedVector> direction;      ///< the tangent at the base
    Teuchos::RCP<ExtendedVector> next_direction; ///< at what was marked
    std::vector<Vector>          neutral, next_neutral;
    double                       last_correction = 0.;
    int                          iterations      = 0;
  };
} // namespace slender

#endif
