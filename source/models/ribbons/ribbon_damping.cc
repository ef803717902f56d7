// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/ribbons/ribbon.h>
#include <slender/systems/dissipation.h>

#include <numeric>

namespace slender
{
  using curvature::n_points;
  using curvature::rule;

  /**
   * Twist, both curvatures and stretch at points along the ribbon, with the
   * stiffnesses of a narrow strip: D = 1/2 int beta . C (de/dt)^2 ds. What
   * curls across the ribbon is not damped of itself.
   */
  class Ribbon::StrainRates : public Dissipation
  {
  public:
    StrainRates(const Ribbon &the_ribbon, const DissipationOptions &law)
      : ribbon(the_ribbon)
    {
      const Vector3 C = ribbon.curvature_stiffness();
      stiffness << law.twist * C(0), law.bending * C(1), law.bending * C(2),
        law.stretch * ribbon.axial_stiffness(0.);
    }

    Vector
    strains(const Vector &q) const override
    {
      Vector e(n_strains());
      for_each_point(
        [&](const Index at, const Index element, const double xi, double) {
          e.segment<4>(at) = measures(element, xi, q).value.head<4>();
        });
      return e;
    }

    double
    potential(const Vector &rates) const override
    {
      double sum = 0.;
      for_each_point([&](const Index at, Index, double, const double weight) {
        const Strain e = rates.segment<4>(at);
        sum += 0.5 * weight * e.dot(stiffness.cwiseProduct(e));
      });
      return sum;
    }

    void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 const double  rate,
                 const double  factor,
                 Vector       &gradient) const override
    {
      for_each_point([&](const Index  at,
                         const Index  element,
                         const double xi,
                         const double weight) {
        const auto   m = measures(element, xi, q);
        const Strain stress =
          factor * rate * weight *
          stiffness.cwiseProduct(m.value.head<4>() - origin.segment<4>(at));
        const ribbons::LocalVector g = m.rate.topRows<4>().transpose() * stress;
        const auto                &mine = ribbon.elements->unknowns(element);
        for (std::size_t i = 0; i < mine.size(); ++i)
          if (mine[i] >= 0)
            gradient(mine[i]) += g(static_cast<Index>(i));
      });
    }

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                const double  rate,
                const double  factor,
                HessianSink  &sink) const override
    {
      for_each_point([&](const Index  at,
                         const Index  element,
                         const double xi,
                         const double weight) {
        const auto                 m = measures(element, xi, q);
        const auto                 B = m.rate.topRows<4>();
        const Strain               C = factor * rate * weight * stiffness;
        ribbons::LocalMatrix       H = B.transpose() * C.asDiagonal() * B;
        const ribbons::LocalMatrix bilinear =
          ribbon.elements->twist_hessian(element, xi);
        if (bilinear.size() > 0)
          H += C(0) * (m.value(0) - origin(at)) * bilinear;
        const auto &mine = ribbon.elements->unknowns(element);
        sink.add(mine.data(), static_cast<Index>(mine.size()), H.data());
      });
    }

  private:
    using Strain = Eigen::Vector4d;

    Index
    n_strains() const
    {
      return ribbon.layout().n_owned() == 0
               ? 0
               : 4 * n_points * ribbon.elements->n_elements();
    }

    ribbons::Measures
    measures(const Index element, const double xi, const Vector &q) const
    {
      return ribbon.elements->measures(element,
                                       xi,
                                       ribbon.elements->gather(element, q));
    }

    /// With the place of the point's strains, its element, where in that it
    /// is, and its weight.
    template <class Action>
    void
    for_each_point(const Action &action) const
    {
      for (Index at = 0; at < n_strains(); at += 4)
        {
          const Index element = at / (4 * n_points);
          const int   g       = at / 4 % n_points;
          action(at,
                 element,
                 rule().points(g),
                 ribbon.elements->length(element) * rule().weights(g));
        }
    }

    const Ribbon &ribbon;
    Strain        stiffness;
  };

  std::unique_ptr<Dissipation>
  Ribbon::dissipation(const DissipationOptions &options) const
  {
    check_damping(options);
    refuse_power_law(options);
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
