// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_triangle_builders_h
#define slender_models_triangles_triangle_builders_h

#include <slender/models/model_list.h>

namespace slender
{
  /// Mid-edge normals: section "Midedge shell".
  std::unique_ptr<ModelBuilder>
  make_midedge_shell_builder();

  /// Hinges: section "Hinge shell".
  std::unique_ptr<ModelBuilder>
  make_hinge_shell_builder();

  /// Energies of folded edges: section "Discrete shell".
  std::unique_ptr<ModelBuilder>
  make_discrete_shell_builder();

  /// Energies of projective dynamics: section "Projective shell".
  std::unique_ptr<ModelBuilder>
  make_projective_shell_builder();
} // namespace slender

#endif
