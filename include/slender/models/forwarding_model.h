// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_forwarding_model_h
#define slender_models_forwarding_model_h

#include <slender/models/model.h>

namespace slender
{
  /// Another model, but for what a derived class overrides. Parameters are not
  /// passed on: they are set on the other model.
  class ForwardingModel : public Model
  {
  public:
    explicit ForwardingModel(Model &model)
      : body(model)
    {}

    const Layout &
    layout() const override
    {
      return body.layout();
    }

    int
    dimension() const override
    {
      return body.dimension();
    }

    Index
    n_multipliers() const override
    {
      return body.n_multipliers();
    }

    Vector
    initial_state() const override
    {
      return body.initial_state();
    }

    double
    energy(const Vector &q) const override
    {
      return body.energy(q);
    }

    Vector
    gradient(const Vector &q) const override
    {
      return body.gradient(q);
    }

    void
    hessian(const Vector &q, HessianSink &sink) const override
    {
      body.hessian(q, sink);
    }

    void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const override
    {
      body.newton_tangent(q, previous, sink);
    }

    Vector
    hessian_times(const Vector &q, const Vector &direction) const override
    {
      return body.hessian_times(q, direction);
    }

    Vector
    full_state(const Vector &q) const override
    {
      return body.full_state(q);
    }

    bool
    commit(const Vector &q) override
    {
      return body.commit(q);
    }

    Vector
    history() const override
    {
      return body.history();
    }

    void
    set_history(const Vector &history) override
    {
      body.set_history(history);
    }

    Places
    unknown_places() const override
    {
      return body.unknown_places();
    }

    Places
    history_places() const override
    {
      return body.history_places();
    }

    std::vector<Measurement>
    measure(const Vector &q) const override
    {
      return body.measure(q);
    }

    Drawing
    draw(const Vector &q) const override
    {
      return body.draw(q);
    }

  protected:
    Model &body;
  };
} // namespace slender

#endif
