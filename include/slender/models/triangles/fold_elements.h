// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_fold_elements_h
#define slender_models_triangles_fold_elements_h

#include <slender/models/triangles/triangle_elements.h>

namespace slender
{
  namespace triangles
  {
    /// Of every rule but FoldRule::vector: energies of scalar folds.
    std::unique_ptr<Elements>
    make_fold_elements(FoldRule rule);
  } // namespace triangles
} // namespace slender

#endif
