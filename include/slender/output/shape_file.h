// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_shape_file_h
#define slender_output_shape_file_h

#include <slender/base/drawing.h>
#include <slender/output/run_files.h>
#include <slender/output/vtu.h>

#include <mpi.h>

#include <filesystem>
#include <string>

namespace slender
{
  /**
   * Writes the picture of a body that several ranks share; collective over
   * `body`. Each rank writes its piece and the first the file that names the
   * pieces; on one rank there is one file. Drawings of curves alone become
   * poly data (.vtp, .pvtp), which ParaView's Tube takes as it is; all others
   * unstructured grids (.vtu, .pvtu).
   *
   * @param files this rank's
   * @param stem "fields/shapes_0007": what all names begin with. Files of an
   *        earlier shape with that stem are removed
   * @param piece this rank's; it may be empty, on some ranks
   * @param time becomes a field of the files, under its own name
   * @return the name of the file to open, on all ranks ("shapes_0007.pvtu",
   *         without its folder)
   *
   * Throws DiskError on all ranks if any cannot write.
   */
  std::string
  write_shape(RunFiles                    &files,
              const std::filesystem::path &stem,
              const Drawing               &piece,
              const NamedTime             &time,
              MPI_Comm                     body);

  /// Removes all files of a shape that write_shape() may have written on any
  /// number of ranks.
  void
  remove_shape(RunFiles &files, const std::filesystem::path &stem);
} // namespace slender

#endif
