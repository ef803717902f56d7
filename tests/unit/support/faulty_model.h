// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_faulty_model_h
#define slender_tests_support_faulty_model_h

#include <slender/models/forwarding_model.h>

#include <functional>
#include <limits>
#include <vector>

namespace slender::test
{
  /// A model whose gradient or Hessian is wrong whenever it is asked for the
  /// n-th time, for chosen n.
  class FaultyModel : public ForwardingModel
  {
  public:
    explicit FaultyModel(Model &model)
      : ForwardingModel(model)
      , values(model.parameters().size())
    {
      for (std::size_t i = 0; i < values.size(); ++i)
        {
          const Parameter &p = model.parameters()[i];
          values[i]          = *p.value;
          add_parameter(p.name, p.description, values[i], p.scale);
        }
    }

    using Choice = std::function<bool(int n)>;

    Choice is_undefined = [](int) { return false; }; ///< of gradients: NaN
    Choice is_singular  = [](int) { return false; }; ///< of Hessians: zero

    mutable int n_gradients = 0, n_hessians = 0;

    Vector
    gradient(const Vector &q) const override
    {
      Vector g = body.gradient(q);
      if (is_undefined(++n_gradients))
        g.setConstant(std::numeric_limits<double>::quiet_NaN());
      return g;
    }

    void
    hessian(const Vector &q, HessianSink &sink) const override
    {
      pass_on(sink, [&](HessianSink &s) { body.hessian(q, s); });
    }

    void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const override
    {
      pass_on(sink,
              [&](HessianSink &s) { body.newton_tangent(q, previous, s); });
    }

  protected:
    void
    parameters_changed() override
    {
      for (std::size_t i = 0; i < values.size(); ++i)
        body.set_parameter(parameters()[i].name, values[i]);
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
        std::vector<double> scaled(block, block + n * n);
        for (double &entry : scaled)
          entry *= factor;
        sink.add(unknowns, n, scaled.data());
      }

    private:
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

    std::vector<double> values;
  };
} // namespace slender::test

#endif
