// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_recorder_h
#define slender_output_recorder_h

#include <slender/base/drawing.h>
#include <slender/base/table.h>
#include <slender/output/archive.h>
#include <slender/output/series_file.h>

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /**
   * What a study records into, as it comes: rows, remarks, shapes, states, and
   * checkpoints from which it can be resumed. One implementation writes files
   * (FileRecorder), another keeps all in memory for tests (MemoryRecorder).
   *
   * Every rank of a run has one. Tables, the lists of shapes, counters and the
   * log are those of the run's first rank: calls on other ranks do nothing.
   * Shapes and states are written by the ranks that share the body.
   *
   * What cannot be written is a DiskError.
   */
  class Recorder
  {
  public:
    /// A shape that has been written and is to be listed in its series.
    struct Shape
    {
      std::string       series;
      SeriesFile::Entry entry;
    };

    virtual ~Recorder() = default;

    // ------------------------------------------------------------ tables ---

    /// Begins the table "NAME.csv" ("results", "frontier", ...). In a run that
    /// is resumed, the table is the one of the checkpoint; the columns have to
    /// be the same.
    virtual void
    begin_table(const std::string              &table,
                const std::vector<std::string> &columns) = 0;

    /// Counts numbers that are not finite, see not_finite().
    void
    row(const std::string &table, const Table::Row &cells);

    virtual void
    remark(const std::string &table, const std::string &text) = 0;

    /// How many numbers in all rows were infinite, or NaN without being
    /// Table::unknown: a study that computed such has failed, without noticing.
    std::int64_t
    not_finite() const;

    // ------------------------------------------------------------ shapes ---

    /// Begins a series; on all ranks. In a run that is resumed from a
    /// checkpoint it is the one of that.
    /// @param time_name what ParaView's "time" is, with its unit:
    ///        "gravity [length/time^2]"
    virtual void
    begin_series(const std::string &series, const std::string &time_name) = 0;

    /**
     * Writes a shape; collective over the ranks of its body, wherever they are
     * in the run. It becomes part of the series when the run's first rank
     * learns of it and calls list().
     *
     * @param number the caller's, distinct within the series: the same file is
     *        written by whatever group, on whatever number of ranks
     * @param time orders the series, see begin_series(); it also becomes one
     *        of the drawing's globals
     * @param piece this rank's
     */
    virtual Shape
    write_shape(const std::string &series,
                std::int64_t       number,
                double             time,
                const Drawing     &piece,
                MPI_Comm           body) = 0;

    virtual void
    list(const Shape &shape) = 0;

    /// write_shape() and list(), for bodies that the first rank has a share of.
    void
    shape(const std::string &series,
          std::int64_t       number,
          double             time,
          const Drawing     &piece,
          MPI_Comm           body);

    /// Whether to draw point `number` of a series whose length nobody knows,
    /// of which `count` to 2 `count` shapes are to be kept. For a series that
    /// is drawn by this rule, shape_of_many() takes the place of shape().
    static bool
    wants(std::int64_t number, std::int64_t count);

    /// Like shape(); removes every second shape when there are 2 `count`.
    void
    shape_of_many(const std::string &series,
                  std::int64_t       number,
                  double             time,
                  const Drawing     &piece,
                  MPI_Comm           body,
                  std::int64_t       count);

    /// Keeps the shapes whose numbers are multiples of `stride`.
    virtual void
    thin(const std::string &series, std::int64_t stride) = 0;

    // ------------------------------------------------------------ states ---

    /// A state from which a later run can start, as "states/label_N.h5".
    /// Collective over the ranks of its body.
    virtual void
    state(std::int64_t label, const Archive &archive, MPI_Comm body) = 0;

    /**
     * All that it takes to go on from here: the study's own words, numbers and
     * arrays, together with how far the tables, series and counters have come.
     * It replaces the checkpoint before it, and is the last that is recorded
     * of a step: what came after it is recorded again by a resumed run, and
     * what should have come before it is missing. Collective; the first rank of
     * the communicator is that of the run. Names that begin with "recorder/"
     * are the recorder's.
     */
    virtual void
    checkpoint(const Archive &archive, MPI_Comm communicator) = 0;

    /// The checkpoint from which this run is resumed; null if there is none.
    /// Collective.
    virtual std::unique_ptr<ArchiveReader>
    last_checkpoint(MPI_Comm communicator) const = 0;

    // ------------------------------------------------------------- words ---

    /// A line for the user and for the log.
    virtual void
    log(const std::string &line) = 0;

    /// Figures that a study counts for its summary ("samples", "failed",
    /// "newton_iterations"). They are part of a checkpoint, so that a resumed
    /// run goes on counting.
    void
    count(const std::string &counter, double amount = 1.);

    /// 0 for what was never counted.
    double
    counted(const std::string &counter) const;

  protected:
    virtual void
    add_row(const std::string &table, const Table::Row &cells) = 0;

    std::map<std::string, double> counters;
    std::int64_t                  n_not_finite = 0;
  };
} // namespace slender

#endif
