// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_file_recorder_h
#define slender_output_file_recorder_h

#include <slender/output/recorder.h>
#include <slender/output/run_directory.h>
#include <slender/output/table_file.h>

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /**
   * Records into the directory of a run: NAME.csv, fields/, states/, log.txt,
   * and checkpoint.h5 as long as the run is not finished.
   *
   * The unfinished directory is kept, whatever becomes of the run, as soon as
   * there is a row, a shape, a state or a checkpoint in it.
   */
  class FileRecorder : public Recorder
  {
  public:
    static constexpr const char *checkpoint_name = "checkpoint.h5";

    /**
     * Collective over `world`. If the directory was taken up again, tables and
     * series go on from its checkpoint, if there is one, and begin anew (with
     * the log continued) if not.
     *
     * @param directory the first rank's, which outlives this; null elsewhere
     * @param show is called with every line of the log, on the first rank
     *
     * Throws InputError on all ranks if the checkpoint cannot be read.
     */
    FileRecorder(MPI_Comm                                        world,
                 RunDirectory                                   *directory,
                 const std::function<void(const std::string &)> &show = {});
    ~FileRecorder() override;

    void
    begin_table(const std::string              &table,
                const std::vector<std::string> &columns) override;

    void
    remark(const std::string &table, const std::string &text) override;

    void
    begin_series(const std::string &series,
                 const std::string &time_name) override;

    Shape
    write_shape(const std::string &series,
                std::int64_t       number,
                double             time,
                const Drawing     &piece,
                MPI_Comm           body) override;

    void
    list(const Shape &shape) override;

    void
    thin(const std::string &series, std::int64_t stride) override;

    void
    state(std::int64_t label, const Archive &archive, MPI_Comm body) override;

    void
    checkpoint(const Archive &archive, MPI_Comm communicator) override;

    std::unique_ptr<ArchiveReader>
    last_checkpoint(MPI_Comm communicator) const override;

    void
    log(const std::string &line) override;

    /// This rank's files, for what has a form of its own: summary, journal.
    RunFiles &
    files();

    /// Throws, on all ranks of a communicator with the first of all, what the
    /// first rank could not write since. Collective.
    void
    check_written(MPI_Comm communicator) const;

    /// Closes the tables and series, after which the directory may be
    /// finished, and removes what only a resumed run needs: checkpoint and
    /// journal. Collective.
    void
    close();

  protected:
    void
    add_row(const std::string &table, const Table::Row &cells) override;

  private:
    class Log;

    /**
     * The first rank writes tables, series and the log, while others go on. If
     * it cannot, and others would wait for it for ever, it keeps the error,
     * asks all to end as a signal would, and throws with them at the next
     * collective call.
     */
    void
    write_alone(const std::function<void()> &work);

    /// Throws std::logic_error for a table that was not begun.
    TableFile &
    table_named(const std::string &name);

    SeriesFile &
    series_named(const std::string &name);

    /// From now on there is something to lose.
    void
    keep();

    /// Takes counters and positions from a checkpoint.
    void
    restore(const ArchiveReader &reader);

    /// Null if the checkpoint, if there is one, knows nothing of that name.
    const std::vector<std::int64_t> *
    position_of(const std::string &name, std::size_t n_counts) const;

    void
    save(const std::filesystem::path &name,
         const Archive               &archive,
         MPI_Comm                     communicator);

    MPI_Comm                  world;
    RunDirectory             *directory;
    std::unique_ptr<RunFiles> other_files; ///< on all ranks but the first
    bool                      has_checkpoint = false;
    bool                      is_alone       = true; ///< the only rank
    std::exception_ptr        error; ///< why nothing more is written

    /// How far tables and series had come at the checkpoint.
    std::map<std::string, std::vector<std::int64_t>> positions;

    std::map<std::string, std::unique_ptr<TableFile>>  tables;
    std::map<std::string, std::unique_ptr<SeriesFile>> all_series;
    std::map<std::string, std::string>                 time_names;
    std::unique_ptr<Log>                               log_file;
    std::function<void(const std::string &)>           show;
  };
} // namespace slender

#endif
