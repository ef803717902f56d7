// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/kirchhoff_kernel.h>
#include <slender/models/rods/kirchhoff_rod.h>
#include <slender/systems/dissipation.h>

namespace slender
{
  namespace
  {
    using finite_elements::evaluate;
    using kirchhoff::Curvature;
    using kirchhoff::Stretch;
  } // namespace

  /// Of twist and curvatures at the points of the bending term, and of stretch
  /// and shear at those of the stretching term, three at each.
  class KirchhoffRod::StrainRates : public Dissipation
  {
  public:
    StrainRates(const KirchhoffRod &the_rod, const DissipationOptions &the_law)
      : rod(the_rod)
      , law(the_law)
    {}

    Vector
    strains(const Vector &q) const override
    {
      const Vector        full = rod.full_state(q);
      std::vector<double> values;
      const auto          add = [&](const Vector3 &strain) {
        values.insert(values.end(), strain.data(), strain.data() + 3);
      };
      for_each_point([&](const Element &element) {
        const ElementUnknowns u = rod.gather(element, full);
        return std::make_pair(
          [&, u](const QuadraturePoint &point) {
            add(Curvature::value(evaluate(curvature_inputs, point.shape, u)));
          },
          [&, u](const QuadraturePoint &point) {
            add(Stretch::value(evaluate(stretch_inputs, point.shape, u)));
          });
      });
      return Eigen::Map<const Vector>(values.data(),
                                      static_cast<Index>(values.size()));
    }

    double
    potential(const Vector &strains) const override
    {
      double     sum = 0.;
      Index      at  = 0;
      const auto add = [&](const double weight, const Vector3 &stiffness) {
        const Vector3 e = strains.segment<3>(at);
        sum += 0.5 * weight * e.dot(stiffness.cwiseProduct(e));
        at += 3;
      };
      for_each_point([&](const Element &) {
        return std::make_pair(
          [&](const QuadraturePoint &point) { add(point.weight, bending()); },
          [&](const QuadraturePoint &point) {
            add(point.weight, stretching());
          });
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
      const Vector    full = rod.full_state(q);
      Vector          g    = Vector::Zero(full.size());
      Index           at   = 0;
      ElementUnknowns local(7, rod.degree + 1);
      for (const Element &element : rod.elements)
        {
          const ElementUnknowns u = rod.gather(element, full);
          local.setZero();
          for (const QuadraturePoint &point : element.bending)
            finite_elements::add_gradient(
              curvature_inputs,
              point.shape,
              factor * rate * point.weight,
              kirchhoff::energy_gradient<Curvature>(
                evaluate(curvature_inputs, point.shape, u),
                bending(),
                next(origin, at)),
              local);
          for (const QuadraturePoint &point : element.stretching)
            finite_elements::add_gradient(
              stretch_inputs,
              point.shape,
              factor * rate * point.weight,
              kirchhoff::energy_gradient<Stretch>(
                evaluate(stretch_inputs, point.shape, u),
                stretching(),
                next(origin, at)),
              local);
          for (Index i = 0; i < local.size(); ++i)
            g(element.positions[i]) += local.data()[i];
        }
      gradient += rod.to_unknowns(g).head(rod.layout().n_local());
    }

    void
    add_hessian(const Vector &q,
                const Vector &origin,
                const double  rate,
                const double  factor,
                HessianSink  &sink) const override
    {
      const Vector    full = rod.full_state(q);
      Index           at   = 0;
      const Index     n    = 7 * (rod.degree + 1);
      Eigen::MatrixXd local(n, n);
      for (const Element &element : rod.elements)
        {
          const ElementUnknowns u = rod.gather(element, full);
          local.setZero();
          for (const QuadraturePoint &point : element.bending)
            add_point<Curvature>(curvature_inputs,
                                 point,
                                 u,
                                 bending(),
                                 next(origin, at),
                                 factor * rate,
                                 local);
          for (const QuadraturePoint &point : element.stretching)
            add_point<Stretch>(stretch_inputs,
                               point,
                               u,
                               stretching(),
                               next(origin, at),
                               factor * rate,
                               local);
          rod.to_unknowns(element, local);
          sink.add(element.unknowns.data(), n, local.data());
        }
    }

  private:
    Vector3
    bending() const
    {
      return rod.stiffness_of_curvature.cwiseProduct(
        Vector3(law.twist, law.bending, law.bending));
    }

    Vector3
    stretching() const
    {
      return law.stretch * rod.stiffness_of_stretch;
    }

    static Vector3
    next(const Vector &origin, Index &at)
    {
      at += 3;
      return origin.segment<3>(at - 3);
    }

    template <class Law, class Inputs>
    static void
    add_point(const Inputs          &inputs,
              const QuadraturePoint &point,
              const ElementUnknowns &u,
              const Vector3         &stiffness,
              const Vector3         &origin,
              const double           factor,
              Eigen::MatrixXd       &local)
    {
      const auto    z      = evaluate(inputs, point.shape, u);
      const auto    strain = Law::strain(z);
      const Vector3 stress = stiffness.cwiseProduct(strain.value - origin);
      finite_elements::add_hessian<7>(
        inputs,
        point.shape,
        factor * point.weight,
        kirchhoff::energy_hessian<Law>(z, strain, stiffness, stress),
        local);
    }

    /// In the order of the strains; what is done at the two kinds of points of
    /// an element is made for each element.
    template <class MakeActions>
    void
    for_each_point(const MakeActions &make) const
    {
      for (const Element &element : rod.elements)
        {
          const auto [at_bending, at_stretching] = make(element);
          for (const QuadraturePoint &point : element.bending)
            at_bending(point);
          for (const QuadraturePoint &point : element.stretching)
            at_stretching(point);
        }
    }

    const KirchhoffRod      &rod;
    const DissipationOptions law;
  };

  std::unique_ptr<Dissipation>
  KirchhoffRod::dissipation(const DissipationOptions &options) const
  {
    check_damping(options);
    refuse_power_law(options);
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
