// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_vtu_h
#define slender_output_vtu_h

#include <slender/base/drawing.h>

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace slender
{
  /// Writes a drawing as an XML unstructured grid (.vtu) for ParaView.
  void
  write_vtu(std::ostream &out, const Drawing &drawing);

  /// Writes the collection file (.pvd) that ParaView opens as a series: pairs
  /// of a time (or load) and the name of a .vtu file next to it.
  void
  write_pvd(std::ostream                                      &out,
            const std::vector<std::pair<double, std::string>> &series);
} // namespace slender

#endif
