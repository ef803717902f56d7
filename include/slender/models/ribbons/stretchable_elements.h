// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_ribbons_stretchable_elements_h
#define slender_models_ribbons_stretchable_elements_h

#include <slender/models/ribbons/stretchable_kernel.h>

namespace slender::ribbons
{
  /**
   * Elements of a ribbon that stretches, see stretchable_kernel.h. Twist, both
   * curvatures and the stretch are quadratic in each element and continuous;
   * the curvature chi across the ribbon is cubic, with a continuous derivative.
   *
   * A clamp holds a whole edge: there tau, chi and chi' are zero.
   *
   * The membrane term has three Gauss points. With more of them a thin ribbon
   * would have to be developable at more points than its unknowns allow.
   */
  class StretchableElements : public RibbonElements
  {
  public:
    StretchableElements(const std::vector<double> &element_ends,
                        bool                       clamped_start,
                        bool                       clamped_end);

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
      return true;
    }

    double
    longest_step(const Vector &q, const Vector &direction) const override;
  };
} // namespace slender::ribbons

#endif
