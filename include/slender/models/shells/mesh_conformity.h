// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_mesh_conformity_h
#define slender_models_shells_mesh_conformity_h

#include <slender/models/shells/gmsh_file.h>
#include <slender/models/shells/polynomial_patch.h>

#include <string>
#include <vector>

namespace slender
{
  /**
   * Throws InputError of one line if the cells of a file do not make a surface
   * on which a shell can be trusted:
   *
   * - a cell that is inverted or degenerate, or has nodes far off its sides;
   * - two cells with the same corners, or that lie upon each other;
   * - neighbours that do not have all nodes of their common side in common;
   * - two nodes at the same place, unless slits are meant: the cells on both
   *   sides would not be joined, though they seem to be;
   * - a corner of a cell inside the side of another.
   *
   * @param patches of the cells, in the same order
   * @param slits whether cells may have sides at the same place and not be
   *        joined
   * @param path for errors
   */
  void
  check_conformity(const GmshFile                     &file,
                   const std::vector<PolynomialPatch> &patches,
                   bool                                slits,
                   const std::string                  &path);
} // namespace slender

#endif
