// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_series_file_h
#define slender_output_series_file_h

#include <slender/output/open_file.h>
#include <slender/output/run_files.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A series of shapes as ParaView opens it (.pvd), complete after every shape
   * and extended in place: the cost of a shape does not depend on how many
   * there are, and none is kept in memory. The shapes themselves are written by
   * write_shape().
   *
   * What ParaView calls time may be any quantity that orders the shapes; the
   * file names it in a comment.
   */
  class SeriesFile
  {
  public:
    struct Entry
    {
      std::int64_t number = 0; ///< of the shape: the caller's, in any order
      double       time   = 0.;
      std::string  file; ///< beside the .pvd
    };

    /// How far a series has come.
    struct Position
    {
      std::int64_t shapes = 0;
      std::int64_t stride = 1;  ///< to which it was thinned
      std::int64_t last   = -1; ///< the largest number of a shape
    };

    /// Begins a new series, in the place of an earlier one. Its file
    /// fields/NAME.pvd appears with its first shape.
    SeriesFile(RunFiles          &files,
               const std::string &name,
               const std::string &time_name);

    /**
     * Goes on with a series from an earlier position: shapes that came after
     * it are dropped. If the series was thinned since, those that fell out are
     * not missed: the caller is going to thin it again. Throws InputError if
     * the file does not have that many shapes or means another time.
     */
    SeriesFile(RunFiles          &files,
               const std::string &name,
               const std::string &time_name,
               Position           position);

    SeriesFile(const SeriesFile &) = delete;
    SeriesFile &
    operator=(const SeriesFile &) = delete;

    /// Throws DiskError, with the series as it was, if the disk is full.
    void
    add(const Entry &entry);

    /// Keeps the shapes whose numbers are multiples of `stride`, itself a
    /// multiple of the stride before, and removes the files of all others.
    void
    thin(std::int64_t stride);

    Position
    position() const;

    /// Waits until the series is on the disk.
    void
    sync();

    /// The name of the files of a shape without its ending, in the run's
    /// directory: "fields/NAME_0007".
    static std::filesystem::path
    stem(const std::string &name, std::int64_t number);

    /// All shapes of a .pvd file that this class wrote.
    static std::vector<Entry>
    read(const std::filesystem::path &file);

  private:
    /// Writes the whole file anew, atomically.
    void
    write_all(const std::vector<Entry> &entries);

    RunFiles                 &files;
    std::string               name;
    std::string               time_name;
    std::unique_ptr<OpenFile> file;
    std::int64_t              end = 0; ///< of the last shape in the file
    Position                  reached;
  };
} // namespace slender

#endif
