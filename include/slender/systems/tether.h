// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_tether_h
#define slender_systems_tether_h

#include <slender/systems/term.h>

namespace slender
{
  /// Ties a system to a state by a weak spring at each unknown.
  class Tether : public Term
  {
  public:
    void
    tie(const Vector &owned, const double its_strength)
    {
      anchor   = owned;
      strength = its_strength;
    }

    double
    energy(const Vector &q) const override
    {
      return 0.5 * strength * (q.head(anchor.size()) - anchor).squaredNorm();
    }

    void
    add_gradient(const Vector &q, Vector &gradient) const override
    {
      gradient.head(anchor.size()) +=
        strength * (q.head(anchor.size()) - anchor);
    }

    void
    add_hessian(const Vector &, HessianSink &sink) const override
    {
      for (Index i = 0; i < anchor.size(); ++i)
        sink.add(&i, 1, &strength);
    }

    void
    add_hessian_times(const Vector &,
                      const Vector &direction,
                      Vector       &product) const override
    {
      product.head(anchor.size()) += strength * direction.head(anchor.size());
    }

  private:
    Vector anchor;
    double strength = 0.;
  };
} // namespace slender

#endif
