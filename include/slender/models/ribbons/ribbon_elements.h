// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_ribbons_ribbon_elements_h
#define slender_models_ribbons_ribbon_elements_h

#include <slender/models/ribbons/ribbon_work.h>

#include <optional>

namespace slender::ribbons
{
  /// A ribbon's section, with lengths in units of the ribbon's length.
  struct Section
  {
    double  width          = 0.1;
    double  thickness      = 1e-3;
    double  poisson        = 0.;
    Vector3 natural_strain = Vector3::Zero(); ///< twist, curvatures 1 and 2
  };

  /// An elastic energy with its derivatives.
  struct Elastic
  {
    double      energy = 0.;
    LocalVector gradient;
    LocalMatrix hessian;
  };

  /**
   * The elements of a ribbon: which unknowns they have, how strains follow from
   * them, and what elastic energy they cost, in units of E I / L with the
   * bending stiffness E I = E w h^3/12 of a narrow strip.
   */
  class RibbonElements : public Elements
  {
  public:
    using Elements::Elements;

    void
    set_section(const Section &section)
    {
      the_section = section;
    }

    /// The unknowns of a ribbon with a constant strain.
    virtual Vector
    initial_state(const Vector3 &strain) const = 0;

    virtual Elastic
    elastic(Index element, const LocalVector &u) const = 0;

    /// Elastic energy per length at a point.
    virtual double
    density(Index element, double xi, const LocalVector &u) const = 0;

    /// Curvature across the ribbon.
    virtual double
    transverse_curvature(Index              element,
                         double             xi,
                         const LocalVector &u) const = 0;

    /// A developable surface has straight lines along d1 + slope t.
    virtual std::optional<double>
    slope(Index element, double xi, const LocalVector &u) const = 0;

    /// Whether the twist is free of the curvature, and so has inertia where the
    /// ribbon is flat.
    virtual bool
    has_twist_of_its_own() const = 0;

    /// How far the unknowns may go along a direction.
    virtual double
    longest_step(const Vector &q, const Vector &direction) const = 0;

  protected:
    Section the_section;
  };
} // namespace slender::ribbons

#endif
