// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_rotating_spring_h
#define slender_tests_support_rotating_spring_h

#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>
#include <slender/systems/system.h>

namespace slender::test
{
  /**
   * A mass on a spring whose other end is fixed at the origin (Sanchez-Banderas
   * and Otaduy 2018, section 3.6): the strain is e = |x|/L - 1, the energy
   * L k e^2/2.
   */
  class RotatingSpring : public System
  {
  public:
    static constexpr double length = 2., stiffness = 100., mass = 1.;

    RotatingSpring()
    {
      the_layout.size = the_layout.end = 3;
    }

    const Layout &
    layout() const override
    {
      return the_layout;
    }

    double
    energy_unit() const override
    {
      return 1.;
    }

    Vector
    initial_state() const override
    {
      return length * Vector3::UnitX();
    }

    static double
    strain(const Vector &x)
    {
      return x.norm() / length - 1.;
    }

    double
    energy(const Vector &x) const override
    {
      return 0.5 * length * stiffness * std::pow(strain(x), 2);
    }

    Vector
    gradient(const Vector &x) const override
    {
      return stiffness * strain(x) * x.normalized();
    }

    void
    hessian(const Vector &x, HessianSink &sink) const override
    {
      add_hessian(x, stiffness, strain(x), sink);
    }

    /// Of a spring with a given strain.
    static void
    add_hessian(const Vector &x,
                const double  stiffness,
                const double  strain,
                HessianSink  &sink)
    {
      const Vector3         t     = x.normalized();
      const Eigen::Matrix3d along = t * t.transpose();
      const Eigen::Matrix3d H =
        stiffness * (along / length +
                     strain / x.norm() * (Eigen::Matrix3d::Identity() - along));
      const Index all[] = {0, 1, 2};
      sink.add(all, 3, H.data());
    }

    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &) const override
    {
      return std::make_unique<Mass>();
    }

    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override
    {
      return std::make_unique<Damper>(options.stretch);
    }

    std::vector<Measurement>
    measure(const Vector &) const override
    {
      return {};
    }

    Drawing
    draw(const Vector &) const override
    {
      return {};
    }

  private:
    class Mass : public Kinetics
    {
    public:
      Mass()
      {
        the_masses = Vector::Constant(3, mass);
      }
      bool
      is_linear() const override
      {
        return true;
      }
      Vector
      coordinates(const Vector &q) const override
      {
        return q;
      }
      Vector
      rates(const Vector &, const Vector &direction) const override
      {
        return direction;
      }
      void
      pull_back(const Vector &,
                const Vector &forces,
                Vector       &gradient) const override
      {
        gradient += forces;
      }
      void
      add_hessian(const Vector &,
                  const double factor,
                  const Vector &,
                  HessianSink &sink) const override
      {
        const double m = factor * mass;
        for (Index i = 0; i < 3; ++i)
          sink.add(&i, 1, &m);
      }
      Moments
      moments(const Vector &q, const Vector &rates) const override
      {
        const Vector3 x = q, v = rates;
        return {
          mass, mass * x, mass * x.squaredNorm(), mass * v, mass * x.cross(v)};
      }
      Vector
      rates_in(const Vector &q, const VelocityField &field) const override
      {
        return field.velocity(q);
      }
    };

    class Damper : public Dissipation
    {
    public:
      explicit Damper(const double the_beta)
        : beta(the_beta)
      {}
      Vector
      strains(const Vector &q) const override
      {
        return Vector::Constant(1, strain(q));
      }
      double
      potential(const Vector &e) const override
      {
        return 0.5 * beta * length * stiffness * e(0) * e(0);
      }
      void
      add_gradient(const Vector &q,
                   const Vector &origin,
                   const double  rate,
                   const double  factor,
                   Vector       &gradient) const override
      {
        gradient += factor * rate * beta * stiffness * (strain(q) - origin(0)) *
                    q.normalized();
      }
      void
      add_hessian(const Vector &q,
                  const Vector &origin,
                  const double  rate,
                  const double  factor,
                  HessianSink  &sink) const override
      {
        RotatingSpring::add_hessian(q,
                                    factor * rate * beta * stiffness,
                                    strain(q) - origin(0),
                                    sink);
      }

    private:
      double beta;
    };

    Layout the_layout;
  };
} // namespace slender::test

#endif
