// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/power_law.h>

namespace slender
{
  /**
   * The stretch of the edges that this rank owns, then twist and curvatures,
   * integrated over a joint, of its nodes. What turns at a hinge is not damped
   * there.
   *
   * Curvatures projected on two directors, unlike an angle, have a gradient
   * where the rod is straight: rates of bending have a direction there.
   */
  class DiscreteElasticRod::StrainRates : public Dissipation
  {
  public:
    StrainRates(const DiscreteElasticRod &the_rod,
                const DissipationOptions &the_law)
      : rod(the_rod)
      , law(the_law)
      , power_law(law.exponent)
      , n_owned_edges(std::max(0, std::min(rod.end, rod.n_edges) - rod.begin))
    {}

    Vector
    strains(const Vector &q) const override
    {
      const Shape shape = rod.shape_of(rod.full_state(q));
      Vector      e = Vector::Zero(n_owned_edges + 3 * (rod.end - rod.begin));
      for (Index k = 0; k < n_owned_edges; ++k)
        e(k) = stretch(shape, rod.begin + k);
      rod.along_the_rod(
        rod.begin,
        rod.end,
        [&](const Index edge) { return rod.frame_of_edge(shape, edge); },
        [&](const Index i, const Vector4 *before, const Vector4 *behind) {
          if (!rod.is_joint(i))
            return;
          const auto [frame_0, frame_1] = rod.frames_at_joint(before, behind);
          e.segment<3>(of_joint(i)) =
            discrete_rod::strain_between(frame_0,
                                         frame_1,
                                         rod.joints[i].previous_twist);
        });
      return e;
    }

    double
    potential(const Vector &rates) const override
    {
      return 0.5 * sum_over_strains(rates, [&](const double x) {
               return power_law.potential(x);
             });
    }

    double
    power(const Vector &rates) const override
    {
      return sum_over_strains(rates, [&](const double x) {
        return x * x * power_law.multiplier(x);
      });
    }

    void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 const double  rate,
                 const double  factor,
                 Vector       &gradient) const override
    {
      const Vector  full  = rod.full_state(q);
      const Shape   shape = rod.shape_of(full);
      const Present law_now(*this, q, origin, rate, factor);
      Vector        g = Vector::Zero(full.size());
      for (Index k = 0; k < n_owned_edges; ++k)
        {
          const Index   i       = rod.begin + k;
          const Vector3 tension = law_now.stretch_stiffness(k) *
                                  (stretch(shape, i) - law_now.natural(k)) *
                                  shape.edge(i).normalized();
          for (int c = 0; c < 3; ++c)
            {
              g(rod.positions[4 * i + c]) -= tension(c);
              g(rod.positions[4 * (i + 1) + c]) += tension(c);
            }
        }
      for_each_joint(
        shape,
        [&](const Index i, const EdgeFrame *before, const EdgeFrame *behind) {
          rod.add_joint_gradient(law_now.joint(i), i, before, behind, g);
        });
      gradient += g.head(rod.layout().n_local());
    }

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                const double  rate,
                const double  factor,
                HessianSink  &sink) const override
    {
      const Shape   shape = rod.shape_of(rod.full_state(q));
      const Present law_now(*this, q, origin, rate, factor);
      for (Index k = 0; k < n_owned_edges; ++k)
        {
          const Index i = rod.begin + k;
          rod.add_stretch_hessian(i,
                                  shape.edge(i),
                                  law_now.stretch_stiffness(k),
                                  stretch(shape, i) - law_now.natural(k),
                                  sink);
        }
      for_each_joint(
        shape,
        [&](const Index i, const EdgeFrame *before, const EdgeFrame *behind) {
          rod.add_joint_hessian(law_now.joint(i), i, before, behind, sink);
        });
    }

    bool
    join(const Vector &origin,
         const double  rate,
         const double  factor) const override
    {
      if (law.is_power_law())
        return false;
      // C (e - e0)^2 + b C (e - e1)^2 is (1 + b) C (e - e2)^2 and a constant,
      // with e2 = (e0 + b e1)/(1 + b).
      const double of_stretch = factor * rate * law.stretch;
      auto         sum        = std::make_unique<Stiffened>();
      sum->joints             = rod.joints;
      sum->stretch_stiffness  = (1. + of_stretch) * rod.stretch_stiffness;
      sum->natural_stretch =
        Window<double>(rod.begin, rod.begin + n_owned_edges);
      for (Index k = 0; k < n_owned_edges; ++k)
        sum->natural_stretch[rod.begin + k] =
          of_stretch / (1. + of_stretch) * origin(k);
      const Vector3 b = factor * rate * coefficients();
      for (Index i = rod.begin; i < rod.end; ++i)
        if (rod.is_joint(i))
          {
            Joint &joint = sum->joints[i];
            joint.natural =
              (joint.natural + b.cwiseProduct(origin.segment<3>(of_joint(i))))
                .cwiseQuotient(Vector3::Ones() + b);
            joint.stiffness += b.cwiseProduct(joint.stiffness);
          }
      rod.stiffened = std::move(sum);
      return true;
    }

    void
    leave() const override
    {
      rod.stiffened.reset();
    }

  private:
    Index
    of_joint(const Index node) const
    {
      return n_owned_edges + 3 * (node - rod.begin);
    }

    double
    stretch(const Shape &shape, const Index edge) const
    {
      return shape.edge(edge).norm() / rod.rest_length[edge] - 1.;
    }

    Vector3
    coefficients() const
    {
      return {law.twist, law.bending, law.bending};
    }

    /// Of the strains of a joint, which are integrated along it.
    double
    reference_rate(const Index node) const
    {
      return law.reference_rate * rod.body.length / rod.body.radius *
             rod.node_length[node];
    }

    /// Of C_d r^2 f(e'/r) over all strains, with their reference rates r.
    template <class Function>
    double
    sum_over_strains(const Vector &rates, const Function &f) const
    {
      double       sum = 0.;
      const double r   = law.reference_rate;
      for (Index k = 0; k < n_owned_edges; ++k)
        sum += law.stretch * rod.stretch_stiffness *
               rod.rest_length[rod.begin + k] * r * r * f(rates(k) / r);
      for (Index i = rod.begin; i < rod.end; ++i)
        if (rod.is_joint(i))
          {
            const Joint  &joint = rod.joints[i];
            const double  s     = reference_rate(i);
            const Vector3 x     = rates.segment<3>(of_joint(i)) / s;
            const Vector3 C     = coefficients().cwiseProduct(joint.stiffness);
            for (int c = 0; c < 3; ++c)
              sum += C(c) * s * s * f(x(c)) / joint.length;
          }
      return sum;
    }

    /// The quadratic law that stands for factor W at a place.
    class Present
    {
    public:
      Present(const StrainRates &the_damping,
              const Vector      &q,
              const Vector      &the_origin,
              const double       the_rate,
              const double       factor)
        : damping(the_damping)
        , origin(the_origin)
        , rate(the_rate)
        , scale(factor * the_rate)
      {
        if (damping.law.is_power_law())
          strains = damping.strains(q);
      }

      double
      stretch_stiffness(const Index k) const
      {
        return scale * damping.law.stretch * damping.rod.stretch_stiffness *
               at(k, damping.law.reference_rate).stiffness;
      }

      /// The natural value of a strain.
      double
      natural(const Index k) const
      {
        return natural(k, damping.law.reference_rate);
      }

      /// The joint of a node with other stiffnesses and natural strains.
      Joint
      joint(const Index node) const
      {
        Joint         result = damping.rod.joints[node];
        const double  r      = damping.reference_rate(node);
        const Vector3 beta   = scale * damping.coefficients();
        for (int c = 0; c < 3; ++c)
          {
            const Index k = damping.of_joint(node) + c;
            result.stiffness(c) *= beta(c) * at(k, r).stiffness;
            result.natural(c) = natural(k, r);
          }
        return result;
      }

    private:
      OsculatingLaw
      at(const Index k, const double reference) const
      {
        if (strains.size() == 0)
          return {1., 1.};
        return osculating(damping.power_law,
                          rate * (strains(k) - origin(k)) / reference);
      }

      double
      natural(const Index k, const double reference) const
      {
        if (strains.size() == 0)
          return origin(k);
        return strains(k) -
               at(k, reference).distance * (strains(k) - origin(k));
      }

      const StrainRates &damping;
      const Vector      &origin;
      double             rate, scale;
      Vector             strains;
    };

    template <class Action>
    void
    for_each_joint(const Shape &shape, const Action &action) const
    {
      if (law.bending == 0. && law.twist == 0.)
        return;
      rod.along_the_rod(
        rod.begin,
        rod.end,
        [&](const Index edge) {
          return EdgeFrame(rod.sources[edge],
                           shape.edge(edge),
                           shape.theta[edge]);
        },
        [&](const Index i, const EdgeFrame *before, const EdgeFrame *behind) {
          if (rod.is_joint(i))
            action(i, before, behind);
        });
    }

    const DiscreteElasticRod &rod;
    const DissipationOptions  law;
    const PowerLaw            power_law;
    Index                     n_owned_edges;
  };

  std::unique_ptr<Dissipation>
  DiscreteElasticRod::dissipation(const DissipationOptions &options) const
  {
    check_damping(options);
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
