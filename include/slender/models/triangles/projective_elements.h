// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_projective_elements_h
#define slender_models_triangles_projective_elements_h

#include <slender/models/triangles/triangle_elements.h>

namespace slender
{
  namespace triangles
  {
    /// Of FoldRule::vector.
    std::unique_ptr<Elements>
    make_projective_elements();
  } // namespace triangles
} // namespace slender

#endif
