// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_memory_recorder_h
#define slender_output_memory_recorder_h

#include <slender/output/recorder.h>

#include <map>
#include <string>
#include <vector>

namespace slender
{
  /// Keeps all that a study records, on every rank what was recorded there:
  /// for tests.
  class MemoryRecorder : public Recorder
  {
  public:
    struct Series
    {
      std::string                     time_name;
      std::vector<SeriesFile::Entry>  entries;  ///< that were listed
      std::map<std::int64_t, Drawing> drawings; ///< by number
    };

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

    /// Null: nothing is ever resumed from memory.
    std::unique_ptr<ArchiveReader>
    last_checkpoint(MPI_Comm communicator) const override;

    void
    log(const std::string &line) override;

    std::map<std::string, Table>    tables;
    std::map<std::string, Series>   series;
    std::map<std::int64_t, Archive> states;
    std::vector<Archive>            checkpoints;
    std::vector<std::string>        lines;

  protected:
    void
    add_row(const std::string &table, const Table::Row &cells) override;
  };
} // namespace slender

#endif
