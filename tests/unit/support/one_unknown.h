// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_one_unknown_h
#define slender_tests_support_one_unknown_h

#include <slender/systems/system.h>

namespace slender::test
{
  /// A system of one unknown x, whose energy is a function of it.
  class OneUnknown : public System
  {
  public:
    OneUnknown()
    {
      the_layout.size = the_layout.end = 1;
    }

    virtual double
    value(double x) const = 0;

    virtual double
    slope(double x) const = 0;

    virtual double
    bend(double x) const = 0;

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
      return Vector::Zero(1);
    }

    double
    energy(const Vector &q) const override
    {
      return value(q(0));
    }

    Vector
    gradient(const Vector &q) const override
    {
      return Vector::Constant(1, slope(q(0)));
    }

    void
    hessian(const Vector &q, HessianSink &sink) const override
    {
      const Index  first     = 0;
      const double stiffness = bend(q(0));
      sink.add(&first, 1, &stiffness);
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
    Layout the_layout;
  };
} // namespace slender::test

#endif
