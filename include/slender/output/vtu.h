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
  /// What orders the shapes of a series, which ParaView calls time whatever it
  /// is: "gravity [length/time^2]".
  struct NamedTime
  {
    std::string name;
    double      value = 0.;
  };

  /// Writes a drawing as an XML unstructured grid (.vtu) for ParaView; a time
  /// is written with the drawing's globals, under its own name.
  void
  write_vtu(std::ostream    &out,
            const Drawing   &drawing,
            const NamedTime *time = nullptr);

  /// Whether all cells are poly lines, so that the drawing can be poly data.
  bool
  has_curves_alone(const Drawing &drawing);

  /// Writes a drawing of curves alone as XML poly data (.vtp), which ParaView's
  /// filters for lines (Tube, Ribbon) take as it is.
  void
  write_vtp(std::ostream    &out,
            const Drawing   &drawing,
            const NamedTime *time = nullptr);

  /// The first lines of a file of that VTK type, up to <VTKFile ...>.
  std::string
  vtk_file_header(const std::string &type);
} // namespace slender

#endif
