// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/memory_recorder.h>

#include <algorithm>

namespace slender
{
  void
  MemoryRecorder::begin_table(const std::string              &table,
                              const std::vector<std::string> &columns)
  {
    tables[table] = Table(columns);
  }



  void
  MemoryRecorder::add_row(const std::string &table, const Table::Row &cells)
  {
    tables.at(table).add_row(cells);
  }



  void
  MemoryRecorder::remark(const std::string &table, const std::string &text)
  {
    tables.at(table).add_remark(text);
  }



  void
  MemoryRecorder::begin_series(const std::string &name,
                               const std::string &time_name)
  {
    series[name] = {time_name, {}, {}};
  }



  Recorder::Shape
  MemoryRecorder::write_shape(const std::string &name,
                              const std::int64_t number,
                              const double       time,
                              const Drawing     &piece,
                              MPI_Comm)
  {
    series.at(name).drawings[number] = piece;
    return {name, {number, time, ""}};
  }



  void
  MemoryRecorder::list(const Shape &shape)
  {
    series.at(shape.series).entries.push_back(shape.entry);
  }



  void
  MemoryRecorder::thin(const std::string &name, const std::int64_t stride)
  {
    Series    &thinned = series.at(name);
    auto      &entries = thinned.entries;
    const auto is_out  = [stride](const std::int64_t number) {
      return number % stride != 0;
    };
    entries.erase(std::remove_if(entries.begin(),
                                 entries.end(),
                                 [&](const SeriesFile::Entry &entry) {
                                   return is_out(entry.number);
                                 }),
                  entries.end());
    for (auto item = thinned.drawings.begin(); item != thinned.drawings.end();)
      item =
        is_out(item->first) ? thinned.drawings.erase(item) : std::next(item);
  }



  void
  MemoryRecorder::state(const std::int64_t label,
                        const Archive     &archive,
                        MPI_Comm)
  {
    states[label] = archive;
  }



  void
  MemoryRecorder::checkpoint(const Archive &archive, MPI_Comm)
  {
    checkpoints.push_back(archive);
  }



  std::unique_ptr<ArchiveReader>
  MemoryRecorder::last_checkpoint(MPI_Comm) const
  {
    return nullptr;
  }



  void
  MemoryRecorder::log(const std::string &line)
  {
    lines.push_back(line);
  }
} // namespace slender
