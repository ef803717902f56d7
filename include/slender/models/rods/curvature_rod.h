// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_curvature_rod_h
#define slender_models_rods_curvature_rod_h

#include <slender/models/rods/curvature_loads.h>
#include <slender/models/rods/rod_model.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/sole_support.h>

namespace slender
{
  /// How a curvature-based rod is discretised.
  struct CurvatureRodDiscretisation
  {
    curvature::Interpolation strain   = curvature::Interpolation::constant;
    int                      elements = 30;
    double grading = 1.; ///< length of the last element over the first's

    /// Curvature 1 is the only unknown; twist and curvature 2 stay zero.
    bool planar = false;
  };

  /**
   * A rod whose unknowns are its strains kappa = (twist, kappa_1, kappa_2):
   * constant in each element (super helix, Bertails et al. 2006) or linear and
   * continuous (super clothoid, Casati and Bertails-Descoubes 2013). Frame and
   * centreline follow by integration from the clamped start,
   *
   *   R' = R [kappa]x,   r' = t = R e1,
   *
   * so that the rod does not stretch, whatever its axial stiffness, and
   *
   *   E = int 1/2 (kappa - kappa0).C (kappa - kappa0) ds - int f.t ds
   *       - (F + w).r(0) - M alpha(R(1)),
   *
   * with the force f(s) = F + (1 - s) w of all that acts beyond s. The gradient
   * is the weak form of the balance of moments,
   *
   *   dE = int d kappa.(C (kappa - kappa0) - R^T mu) ds,
   *
   * see curvature_loads.h for the moment mu and the second derivatives. The
   * integration is exact to round-off (curvature_kernel.h), so that these are
   * derivatives of the discrete energy.
   *
   * An end that is held is a constraint. The forces and moments with which it
   * is held are Lagrange multipliers, further unknowns at the end of the
   * state, and the energy is the Lagrangian
   *
   *   E - lambda.(r(1) - r_held) - nu.2 vec(q(1) q_held*).
   *
   * Where a straight rod is held in its own direction at both ends the thrust
   * is undetermined: the constraint has no gradient, the Hessian is singular.
   *
   * The unknowns couple all with all and are few: they live on the first rank
   * of the communicator, the other ranks have none.
   */
  class CurvatureRod : public RodModel, public Kinematics, public SoleSupport
  {
  public:
    /// Throws InputError if the start is not clamped, or if the rod is too
    /// short for the place where its end is held.
    CurvatureRod(const RodBody                    &body,
                 const CurvatureRodDiscretisation &discretisation,
                 MPI_Comm                          communicator);

    const Layout &
    layout() const override;

    Index
    n_multipliers() const override;

    /// The strains of the initial shape; where the end is held elsewhere, they
    /// are changed by as little elastic energy as it takes to meet it.
    Vector
    initial_state() const override;

    /// Of a rod with a free end: the spin, together with the turn about the
    /// clamped tangent that takes it back at the start.
    std::vector<Vector>
    free_motions(const Vector &q) const override;

    /// The ends of its elements.
    std::unique_ptr<TouchingPoints>
    touching_points() const override;

    double
    energy(const Vector &q) const override;

    Vector
    gradient(const Vector &q) const override;

    void
    hessian(const Vector &q, HessianSink &sink) const override;

    /// All of them on the first rank.
    std::vector<RodStation>
    local_stations(const Vector &q) const override;

    std::array<Vector3, 2>
    reactions(const Vector &q) const override;

    std::string
    support_force() const override
    {
      return "start force";
    }

    /// The same strains: a rigid motion does not change them, and it is the
    /// clamp that gives the rod its place.
    Vector
    moved(const Vector  &q,
          const Vector4 &rotation,
          const Vector3 &translation) const override;

    /// Of points along the rod, which move with all strains before them.
    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const override;

    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override;

  protected:
    void
    parameters_changed() override;

    std::optional<Vector4>
    loaded_frame(const Vector &q) const override;

    bool
    owns_end_load() const override;

  private:
    class ElementEnds;
    class MovingPoints;
    class StrainRates;

    using Shape   = curvature::Shape;
    using Strains = curvature::Strains;

    /// With what the end is held; zero where it is free.
    struct Multipliers
    {
      Vector3 force  = Vector3::Zero();
      Vector3 moment = Vector3::Zero();
    };

    void
    choose_constraints(bool planar);

    Index
    n_strain_unknowns() const;

    Strains
    strains_of(const Vector &q) const;

    Multipliers
    multipliers_of(const Vector &q) const;

    /// All unknowns, on every rank.
    Vector
    broadcast(const Vector &q) const;

    /// What is known of the strains, for those that are unknowns.
    Vector
    select(const Strains &strains) const;

    Vector
    meet_held_end(Vector q) const;

    Eigen::MatrixXd
    elastic_hessian() const;

    /// The potential of what turns the end, with its derivatives with respect
    /// to the end's quaternion.
    struct EndPotential
    {
      double          value;
      Vector4         gradient;
      Eigen::Matrix4d hessian;
    };

    EndPotential
    end_potential(const Vector4 &end_frame, const Multipliers &held) const;

    curvature::Loads
    loads(const Vector4 &end_frame, const Multipliers &held) const;

    /// By how much the end misses its place.
    Vector
    constraints(const curvature::Pose &end) const;

    /// Derivatives of the constraints, one column each.
    Eigen::MatrixXd
    constraint_gradients(const Shape &shape) const;

    curvature::StrainField field;
    Eigen::MatrixXd        overlaps; ///< of the field's shape functions
    Layout                 the_layout;
    std::vector<Index>     unknown_strains; ///< numbers in Strains
    std::vector<int>       held_directions; ///< of the end
    std::vector<int>       held_rotations;

    // What depends on the parameters.
    Vector3              stiffness, natural;
    curvature::Pose      start, held_end;
    quaternion::Matrix34 misalignment; ///< 2 vec(q q_held*) = misalignment q
  };
} // namespace slender

#endif
