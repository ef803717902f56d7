// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/triangles/fold_elements.h>
#include <slender/models/triangles/projective_elements.h>
#include <slender/models/triangles/triangle_elements.h>

#include <stdexcept>

namespace slender
{
  namespace triangles
  {
    void
    Elements::add_projective_hessian(const std::vector<std::array<Index, 3>> &,
                                     HessianSink &) const
    {
      throw std::logic_error("these triangles have no projections");
    }

    namespace
    {
      [[noreturn]] void
      refuse_damping()
      {
        throw std::logic_error("these triangles are not damped");
      }
    } // namespace

    std::unique_ptr<Elements>
    Elements::clone() const
    {
      refuse_damping();
    }

    Vector
    Elements::strains(const Configuration &) const
    {
      refuse_damping();
    }

    void
    Elements::blend_natural(const Vector &, double, double)
    {
      refuse_damping();
    }

    void
    Elements::scale(double, double)
    {
      refuse_damping();
    }

    std::unique_ptr<Elements>
    make_elements(const FoldRule rule)
    {
      return rule == FoldRule::vector ? make_projective_elements()
                                      : make_fold_elements(rule);
    }
  } // namespace triangles
} // namespace slender
