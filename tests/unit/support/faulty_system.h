// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_faulty_system_h
#define slender_tests_support_faulty_system_h

#include <slender/systems/structure.h>

#include <functional>
#include <limits>
#include <vector>

namespace slender::test
{
  /// A system whose gradient or Hessian is wrong whenever it is asked for the
  /// n-th time, for chosen n.
  class FaultySystem : public Structure
  {
  public:
    using Structure::Structure;

    using Choice = std::function<bool(int n)>;

    Choice is_undefined = [](int) { return false; }; ///< of gradients: NaN
    Choice is_singular  = [](int) { return false; }; ///< of Hessians: zero

    mutable int n_gradients = 0, n_hessians = 0;

    Vector
    gradient(const Vector &q) const override
    {
      Vector g = Structure::gradient(q);
      if (is_undefined(++n_gradients))
        g.setConstant(std::numeric_limits<double>::quiet_NaN());
      return g;
    }

    void
    hessian(const Vector &q, HessianSink &sink) const override
    {
      pass_on(sink, [&](HessianSink &s) { Structure::hessian(q, s); });
    }

    void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const override
    {
      pass_on(sink, [&](HessianSink &s) {
        Structure::newton_tangent(q, previous, s);
      });
    }

  private:
    /// Multiplies what it passes on.
    class ScaledSink : public HessianSink
    {
    public:
      ScaledSink(HessianSink &the_sink, const double the_factor)
        : sink(the_sink)
        , factor(the_factor)
      {}

      void
      add(const Index *unknowns, const Index n, const double *block) override
      {
        sink.add(unknowns, n, scaled(n, block).data());
      }

      void
      add_global(const Index  *unknowns,
                 const Index   n,
                 const double *block) override
      {
        sink.add_global(unknowns, n, scaled(n, block).data());
      }

    private:
      std::vector<double>
      scaled(const Index n, const double *block) const
      {
        std::vector<double> result(block, block + n * n);
        for (double &entry : result)
          entry *= factor;
        return result;
      }

      HessianSink &sink;
      double       factor;
    };

    template <class Fill>
    void
    pass_on(HessianSink &sink, const Fill &fill) const
    {
      ScaledSink scaled(sink, is_singular(++n_hessians) ? 0. : 1.);
      fill(scaled);
    }
  };
} // namespace slender::test

#endif
