// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_kinetics_h
#define slender_systems_kinetics_h

#include <slender/systems/hessian_sink.h>
#include <slender/systems/velocity_field.h>

namespace slender
{
  struct Layout;

  /// How the mass of a body is put down to its unknowns.
  struct MassOptions
  {
    /// The mass stands at the nodes; else it is spread as the shape functions
    /// are (a consistent mass matrix).
    bool lumped = false;

    /// Sections of rods resist being turned.
    bool rotary = true;
  };

  /**
   * The inertia of a system: coordinates y(q) in which its kinetic energy has
   * masses that do not depend on the state,
   *
   *   T = 1/2 sum_i m_i (dy_i/dt)^2.
   *
   * Most are the places of material points: the quadrature points of cells
   * (consistent masses) or the nodes (lumped ones); others are angles and
   * directions of sections. Whatever the unknowns are, inertia in these
   * coordinates is a matter of points with masses, and
   *
   *   M(q) = (dy/dq)^T diag(m) (dy/dq).
   *
   * Masses, coordinates and time are in the user's units. Every coordinate
   * stands on one rank; y is that rank's share. It refers to the system, under
   * whose present parameters the coordinates are, and which outlives it.
   */
  class Kinetics
  {
  public:
    virtual ~Kinetics() = default;

    const Vector &
    masses() const
    {
      return the_masses;
    }

    /// Whether y is an affine function of the unknowns.
    virtual bool
    is_linear() const = 0;

    /// y(q).
    virtual Vector
    coordinates(const Vector &q) const = 0;

    /// (dy/dq) dq, for a direction with valid ghosts.
    virtual Vector
    rates(const Vector &q, const Vector &direction) const = 0;

    /// (d2y/dq2) [dq, dq].
    virtual Vector
    second_rates(const Vector &q, const Vector &direction) const;

    /// Adds (dy/dq)^T f, this rank's part like System::gradient().
    virtual void
    pull_back(const Vector &q,
              const Vector &forces,
              Vector       &gradient) const = 0;

    /// Adds (dy/dq)^T diag(factor m) (dy/dq) + sum_i f_i d2y_i/dq2. The blocks
    /// are among those of the system's Hessian. Where is_linear() forces have
    /// no part in it, and none need be given.
    virtual void
    add_hessian(const Vector &q,
                double        factor,
                const Vector &forces,
                HessianSink  &sink) const = 0;

    /// The mass matrix M(q).
    void
    add_mass(const Vector &q, HessianSink &sink) const;

    /// This rank's part.
    double
    kinetic_energy(const Vector &rates) const;

    /// Sums over the material points: this rank's part.
    struct Moments
    {
      double  mass             = 0.;
      Vector3 first            = Vector3::Zero(); ///< sum m x
      double  second           = 0.;              ///< sum m |x|^2
      Vector3 linear_momentum  = Vector3::Zero();
      Vector3 angular_momentum = Vector3::Zero(); ///< about the origin

      void
      add(const Moments &other);
    };

    /// Of the system at q with the rates dy/dt.
    virtual Moments
    moments(const Vector &q, const Vector &rates) const = 0;

    /// dy/dt of the motion in which material points have the velocities of a
    /// field, and sections turn with what they consist of.
    virtual Vector
    rates_in(const Vector &q, const VelocityField &field) const = 0;

    /// Those of the rigid motion in which a point at x has the velocity
    /// v + w x x.
    Vector
    rigid_rates(const Vector  &q,
                const Vector3 &velocity,
                const Vector3 &angular_velocity) const
    {
      return rates_in(q, VelocityField::rigid(velocity, angular_velocity));
    }

    /// What the rates of coordinates leave out because frames from which angles
    /// are measured move themselves, at the rates `direction` of the unknowns:
    /// with it, a motion is the same before and after System::commit().
    virtual Vector
    frame_rates(const Vector &q, const Vector &direction) const;

  protected:
    Vector the_masses;
  };

  /// Moments over all ranks.
  Kinetics::Moments
  sum_over_ranks(const Layout &layout, const Kinetics::Moments &mine);
} // namespace slender

#endif
