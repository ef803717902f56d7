// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_ribbons_developable_elements_h
#define slender_models_ribbons_developable_elements_h

#include <slender/models/ribbons/ribbon_elements.h>
#include <slender/models/ribbons/wunderlich_kernel.h>

namespace slender::ribbons
{
  /// Which energy a developable ribbon has.
  enum class DevelopableEnergy
  {
    wunderlich,
    sadowsky ///< the limit of narrow ribbons
  };

  /**
   * Elements of an inextensible ribbon (Charrondiere et al. 2020): the normal
   * curvature omega and the slope eta of the straight lines of the surface are
   * linear in each element and continuous, so that the twist omega eta is
   * quadratic,
   *
   *   E = 1/2 C int e(omega, eta, eta') + delta eta^2 ds,
   *   C = D w/(E I) = 1/(1 - nu^2),
   *
   * see wunderlich_kernel.h. The curvature 2 in the plane of the ribbon is
   * zero.
   *
   * A flat piece has no straight lines of its own: where omega = 0, nothing but
   * the small stiffness delta determines eta.
   */
  class DevelopableElements : public RibbonElements
  {
  public:
    /// @param clamped_slope whether the straight lines are along the clamp at
    /// the start
    DevelopableElements(const std::vector<double> &element_ends,
                        DevelopableEnergy          energy,
                        double                     slope_stiffness,
                        bool                       clamped_slope);

    Vector
    initial_state(const Vector3 &strain) const override;

    Measures
    measures(Index element, double xi, const LocalVector &u) const override;

    LocalMatrix
    twist_hessian(Index element, double xi) const override;

    Elastic
    elastic(Index element, const LocalVector &u) const override;

    double
    density(Index element, double xi, const LocalVector &u) const override;

    double
    transverse_curvature(Index              element,
                         double             xi,
                         const LocalVector &u) const override;

    std::optional<double>
    slope(Index element, double xi, const LocalVector &u) const override;

    bool
    has_twist_of_its_own() const override
    {
      return false;
    }

    double
    longest_step(const Vector &q, const Vector &direction) const override;

  private:
    Wunderlich
    at(Index element, double xi, const LocalVector &u) const;

    double
    bending_stiffness() const
    {
      return 1. / (1. - the_section.poisson * the_section.poisson);
    }

    DevelopableEnergy energy;
    double            slope_stiffness;
  };
} // namespace slender::ribbons

#endif
