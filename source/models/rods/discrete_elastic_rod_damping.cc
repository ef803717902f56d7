// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/systems/dissipation.h>

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
    potential(const Vector &strains) const override
    {
      double sum = 0.;
      for (Index k = 0; k < n_owned_edges; ++k)
        sum += 0.5 * stretch_stiffness() * rod.rest_length[rod.begin + k] *
               std::pow(strains(k), 2);
      for (Index i = rod.begin; i < rod.end; ++i)
        if (rod.is_joint(i))
          {
            const Vector3 e = strains.segment<3>(of_joint(i));
            const Joint   j = joint(i, Vector3::Zero(), 1.);
            sum += 0.5 * e.dot(j.stiffness.cwiseProduct(e)) / j.length;
          }
      return sum;
    }

    void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 const double  factor,
                 Vector       &gradient) const override
    {
      const Vector full  = rod.full_state(q);
      const Shape  shape = rod.shape_of(full);
      Vector       g     = Vector::Zero(full.size());
      for (Index k = 0; k < n_owned_edges; ++k)
        {
          const Index   i       = rod.begin + k;
          const Vector3 tension = factor * stretch_stiffness() *
                                  (stretch(shape, i) - origin(k)) *
                                  shape.edge(i).normalized();
          for (int c = 0; c < 3; ++c)
            {
              g(rod.positions[4 * i + c]) -= tension(c);
              g(rod.positions[4 * (i + 1) + c]) += tension(c);
            }
        }
      for_each_joint(shape,
                     [&](const Index      i,
                         const EdgeFrame *before,
                         const EdgeFrame *behind) {
                       rod.add_joint_gradient(
                         joint(i, origin.segment<3>(of_joint(i)), factor),
                         i,
                         before,
                         behind,
                         g);
                     });
      gradient += g.head(rod.layout().n_local());
    }

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                const double  factor,
                HessianSink  &sink) const override
    {
      const Shape shape = rod.shape_of(rod.full_state(q));
      for (Index k = 0; k < n_owned_edges; ++k)
        {
          const Index i = rod.begin + k;
          rod.add_stretch_hessian(i,
                                  shape.edge(i),
                                  factor * stretch_stiffness(),
                                  stretch(shape, i) - origin(k),
                                  sink);
        }
      for_each_joint(shape,
                     [&](const Index      i,
                         const EdgeFrame *before,
                         const EdgeFrame *behind) {
                       rod.add_joint_hessian(
                         joint(i, origin.segment<3>(of_joint(i)), factor),
                         i,
                         before,
                         behind,
                         sink);
                     });
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

    double
    stretch_stiffness() const
    {
      return law.stretch * rod.stretch_stiffness;
    }

    /// The joint of a node, from whose strains `origin` is taken off.
    Joint
    joint(const Index node, const Vector3 &origin, const double factor) const
    {
      Joint result = rod.joints[node];
      result.stiffness =
        factor * result.stiffness.cwiseProduct(
                   Vector3(law.twist, law.bending, law.bending));
      result.natural = origin;
      return result;
    }

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
    Index                     n_owned_edges;
  };

  std::unique_ptr<Dissipation>
  DiscreteElasticRod::dissipation(const DissipationOptions &options) const
  {
    check_damping(options);
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
