// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_rod_model_h
#define slender_models_rods_rod_model_h

#include <slender/models/model.h>
#include <slender/models/quantity.h>
#include <slender/models/rods/end_loads.h>
#include <slender/models/rods/rod_body.h>
#include <slender/models/rods/rod_stations.h>
#include <slender/systems/marker.h>

#include <array>
#include <memory>
#include <optional>

namespace slender
{
  enum class RodSide
  {
    start,
    end
  };

  /**
   * The potential of a moment M about an axis a that is fixed in space,
   *
   *   V(q) = -M alpha,   alpha = 2 atan2(q.v, q.u),
   *
   * where alpha is the angle of the rotation q q_ref* about a (the twist of
   * its swing-twist decomposition): u = q_ref, v = a q_ref. For rotations
   * about a it is the dead moment; a moment that is fixed in space for all
   * rotations would not be conservative.
   *
   * A quaternion tells the angle but for multiples of two turns. It is followed
   * through them from one accepted state to the next, so that V is smooth
   * within two turns around the last one.
   */
  class MomentPotential
  {
  public:
    MomentPotential() = default;
    MomentPotential(const Vector3 &axis, const Vector4 &reference_frame);

    /// The angle, on the branch nearest to the accepted one.
    double
    angle(const Vector4 &q) const;

    void
    accept(double angle);

    double
    accepted_angle() const;

    Vector4
    gradient(const Vector4 &q) const;

    Eigen::Matrix4d
    hessian(const Vector4 &q) const;

    const Vector4 &
    reference_frame() const
    {
      return u;
    }

  private:
    Vector4 u        = Vector4::UnitX();
    Vector4 v        = Vector4::UnitY();
    double  accepted = 0.;
  };

  /**
   * What all rods have in common: the body, its named parameters, its
   * measurements and its drawing.
   *
   * Inside, lengths are in units of the rod's length L and energies in units
   * of B/L with the smaller bending stiffness B; then gravity enters as the
   * gravito-bending parameter rho A g L^3 / B alone.
   *
   * The history of a rod begins with the angle by which the moment at its end
   * has turned that end: a frame does not tell whole turns. It stands on the
   * rank that owns the end; models with more history append theirs.
   */
  class RodModel : public Model
  {
  public:
    explicit RodModel(const RodBody &body);

    /// Stations of this rank's piece of the rod in the order of arc length.
    /// Pieces do not overlap, and ranks have them in the same order.
    virtual std::vector<RodStation>
    local_stations(const Vector &q) const = 0;

    /// Those of the whole rod, on every rank: for small rods.
    std::vector<RodStation>
    stations(const Vector &q) const;

    /// The forces that the held start and end exert on the rod, in the user's
    /// units; zero in directions in which they are free. The same on every
    /// rank.
    virtual std::array<Vector3, 2>
    reactions(const Vector &q) const = 0;

    Vector3
    reaction(const Vector &q, RodSide side) const;

    /// The state moved rigidly: every position r becomes R r + c (lengths in
    /// units of L), every frame is turned by R. Only for tests of objectivity:
    /// the held ends do not move along.
    virtual Vector
    moved(const Vector  &q,
          const Vector4 &rotation,
          const Vector3 &translation) const = 0;

    /// The section at s in [0, 1] of the length, as something to take hold of:
    /// its directions are the tangent and the two directors. Collective; the
    /// rod has to outlive it. Throws InputError where a model has none.
    virtual std::shared_ptr<const Marker>
    section(double s) const;

    bool
    commit(const Vector &q) override;

    Vector
    history() const override;

    void
    set_history(const Vector &history) override;

    Places
    history_places() const override;

    std::vector<Measurement>
    measure(const Vector &q) const override;

    Drawing
    draw(const Vector &q) const override;

    /// B/L.
    double
    energy_unit() const override;

    bool
    has_potential() const override;

  protected:
    /// The frame on which the end moment acts, on the one rank that owns the
    /// end; none elsewhere, and in models without such a moment.
    virtual std::optional<Vector4>
    loaded_frame(const Vector &q) const;

    virtual bool
    owns_end_load() const;

    /// Dimensionless stiffnesses of (twist, curvature 1, curvature 2).
    Vector3
    curvature_stiffness() const;

    /// EA L^2 / B, or `inextensible` where the body does not stretch.
    double
    axial_stiffness(double inextensible) const;

    /// k GA L^2 / B along d1 and d2, or `unshearable` where sections stay
    /// normal to the centreline.
    std::array<double, 2>
    shear_stiffness(double unshearable) const;

    /// Throws InputError for a body whose sections shear.
    void
    refuse_shear() const;

    Vector3
    natural_strain() const;

    Vector3
    weight_per_length() const;

    Vector3
    end_force() const;

    double
    end_moment() const;

    // What acts on the end without a potential, see end_loads.h.

    /// Whether there is an end force that turns with the end.
    bool
    force_follows() const;

    end_loads::FollowingForce
    following_force(const Vector4 &end_frame) const;

    /// Whether there is an end moment that is fixed in space.
    bool
    moment_is_fixed() const;

    end_loads::FixedMoment
    fixed_moment(const Vector4 &end_frame) const;

    /// Position and frame of the initial shape at s in [0, 1].
    struct Placement
    {
      Vector3 position;
      Vector4 frame;
    };

    Placement
    initial_placement(double s) const;

    /// Where an end is held under the present parameters. Meaningful in those
    /// components that RodEnd declares fixed.
    Placement
    held_placement(RodSide side) const;

    /// Throws InputError for laws of damping that rods do not have.
    static void
    check_damping(const DissipationOptions &options);

    static void
    refuse_power_law(const DissipationOptions &options);

    RodBody body;

    MomentPotential moment_potential;

  private:
    Placement
    curved_placement(double s) const;

    double
    bending_unit() const; ///< B
  };

  /// The parameters and measurements of every rod.
  const Quantities &
  rod_quantities();

  /// The end of the first `i` of `n` intervals of [0, 1] whose lengths grow
  /// geometrically, the last being `grading` times as long as the first.
  double
  graded_point(int i, int n, double grading);

  /// All of them, from 0 to 1.
  std::vector<double>
  graded_points(int n, double grading);
} // namespace slender

#endif
