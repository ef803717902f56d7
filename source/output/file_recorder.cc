// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/output/file_recorder.h>
#include <slender/output/journal.h>
#include <slender/output/shape_file.h>
#include <slender/output/state_files.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <stdexcept>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    // What the recorder adds to a checkpoint.
    const std::string own_prefix     = "recorder/";
    const std::string tables_prefix  = own_prefix + "table/";
    const std::string series_prefix  = own_prefix + "series/";
    const std::string counter_prefix = own_prefix + "counter/";
    const std::string not_finite_key = own_prefix + "not finite";

    bool
    begins_with(const std::string &text, const std::string &prefix)
    {
      return text.compare(0, prefix.size(), prefix) == 0;
    }



    Archive::Numbers
    to_numbers(const std::vector<std::int64_t> &counts)
    {
      return {{counts.begin(), counts.end()}, {}};
    }



    /// Counts that a checkpoint holds; they were checked when it was opened.
    std::vector<std::int64_t>
    to_counts(const std::vector<double> &numbers)
    {
      return {numbers.begin(), numbers.end()};
    }
  } // namespace



  /// log.txt: continued when a run is resumed.
  class FileRecorder::Log
  {
  public:
    explicit Log(const fs::path &path)
      : file(path, OpenFile::Mode::extend)
      , end(file.size())
    {}

    void
    add(const std::string &line)
    {
      file.write(line + '\n', end);
      end += static_cast<std::int64_t>(line.size()) + 1;
    }

  private:
    OpenFile     file;
    std::int64_t end;
  };



  FileRecorder::FileRecorder(
    MPI_Comm                                        communicator,
    RunDirectory                                   *run_directory,
    const std::function<void(const std::string &)> &show_line)
    : world(communicator)
    , directory(run_directory)
    , show(show_line)
  {
    namespace mpi   = dealii::Utilities::MPI;
    const auto rank = static_cast<int>(mpi::this_mpi_process(world));
    if ((directory != nullptr) != (rank == 0))
      throw std::logic_error("the first rank alone owns the run's directory");
    is_alone = mpi::n_mpi_processes(world) == 1;

    std::string path;
    if (directory != nullptr)
      path = fs::absolute(directory->unfinished_path()).string();
    path = mpi::broadcast(world, path);
    if (directory == nullptr)
      do_on_all_or_none(world, [&] {
        other_files = std::make_unique<RunFiles>(path, rank);
      });
    else
      do_on_all_or_none(world, [&] {
        log_file =
          std::make_unique<Log>(directory->files().announce("log.txt"));
      });

    has_checkpoint =
      mpi::broadcast(world,
                     directory != nullptr && directory->is_resumed() &&
                       fs::exists(fs::path(path) / checkpoint_name));
    if (has_checkpoint)
      restore(*last_checkpoint(world));
  }



  FileRecorder::~FileRecorder() = default;



  void
  FileRecorder::restore(const ArchiveReader &reader)
  {
    for (const auto &[name, numbers] : reader.numbers())
      if (begins_with(name, counter_prefix))
        counters[name.substr(counter_prefix.size())] =
          reader.numbers(name, 1).front();
      else if (begins_with(name, own_prefix) && name != not_finite_key)
        {
          for (const double number : numbers.values)
            if (!(std::abs(number) < 1e15) || number != std::floor(number))
              throw InputError("the checkpoint in '" +
                               files().directory().string() +
                               "' holds a position that is not a count");
          positions[name] = to_counts(numbers.values);
        }
    n_not_finite = reader.count(not_finite_key);
  }



  const std::vector<std::int64_t> *
  FileRecorder::position_of(const std::string &name,
                            const std::size_t  n_counts) const
  {
    const auto found = positions.find(name);
    if (found == positions.end())
      return nullptr;
    if (found->second.size() != n_counts)
      throw InputError("the checkpoint holds no position of '" + name + "'");
    return &found->second;
  }



  RunFiles &
  FileRecorder::files()
  {
    return directory != nullptr ? directory->files() : *other_files;
  }



  void
  FileRecorder::keep()
  {
    if (directory != nullptr)
      directory->keep();
  }



  void
  FileRecorder::write_alone(const std::function<void()> &work)
  {
    if (directory == nullptr || error)
      return;
    if (is_alone)
      return work();
    const auto give_up = [this] {
      error = std::current_exception();
      request_interruption();
    };
    try
      {
        work();
      }
    catch (const DiskError &)
      {
        give_up();
      }
    catch (const InputError &)
      {
        give_up();
      }
  }



  void
  FileRecorder::check_written(MPI_Comm communicator) const
  {
    if (!is_alone)
      do_on_all_or_none(communicator, [&] {
        if (error)
          std::rethrow_exception(error);
      });
  }



  // ------------------------------------------------------------- tables ---

  void
  FileRecorder::begin_table(const std::string              &table,
                            const std::vector<std::string> &columns)
  {
    write_alone([&] {
      const fs::path file = files().announce(table + ".csv");
      if (const auto *position = position_of(tables_prefix + table, 2))
        tables[table] = std::make_unique<TableFile>(
          file, columns, TableFile::Position{(*position)[0], (*position)[1]});
      else
        tables[table] = std::make_unique<TableFile>(file, columns);
    });
  }



  TableFile &
  FileRecorder::table_named(const std::string &name)
  {
    const auto found = tables.find(name);
    if (found == tables.end())
      throw std::logic_error("no table '" + name + "' was begun");
    return *found->second;
  }



  void
  FileRecorder::add_row(const std::string &table, const Table::Row &cells)
  {
    write_alone([&] {
      table_named(table).add_row(cells);
      keep();
    });
  }



  void
  FileRecorder::remark(const std::string &table, const std::string &text)
  {
    write_alone([&] { table_named(table).add_remark(text); });
  }



  // ------------------------------------------------------------- shapes ---

  void
  FileRecorder::begin_series(const std::string &series,
                             const std::string &time_name)
  {
    time_names[series] = time_name;
    write_alone([&] {
      if (const auto *position = position_of(series_prefix + series, 3))
        all_series[series] = std::make_unique<SeriesFile>(
          files(),
          series,
          time_name,
          SeriesFile::Position{(*position)[0], (*position)[1], (*position)[2]});
      else
        all_series[series] =
          std::make_unique<SeriesFile>(files(), series, time_name);
    });
  }



  SeriesFile &
  FileRecorder::series_named(const std::string &name)
  {
    const auto found = all_series.find(name);
    if (found == all_series.end())
      throw std::logic_error("no series '" + name + "' was begun");
    return *found->second;
  }



  Recorder::Shape
  FileRecorder::write_shape(const std::string &series,
                            const std::int64_t number,
                            const double       time,
                            const Drawing     &piece,
                            MPI_Comm           body)
  {
    const auto time_name = time_names.find(series);
    if (time_name == time_names.end())
      throw std::logic_error("no series '" + series + "' was begun");
    check_written(body);
    const std::string file =
      slender::write_shape(files(),
                           SeriesFile::stem(series, number),
                           piece,
                           {time_name->second, time},
                           body);
    keep();
    return {series, {number, time, file}};
  }



  void
  FileRecorder::list(const Shape &shape)
  {
    write_alone([&] {
      series_named(shape.series).add(shape.entry);
      keep();
    });
  }



  void
  FileRecorder::thin(const std::string &series, const std::int64_t stride)
  {
    write_alone([&] { series_named(series).thin(stride); });
  }



  // ------------------------------------------------------------- states ---

  void
  FileRecorder::state(const std::int64_t label,
                      const Archive     &archive,
                      MPI_Comm           body)
  {
    save(state_file(label), archive, body);
  }



  void
  FileRecorder::checkpoint(const Archive &archive, MPI_Comm communicator)
  {
    // What a checkpoint speaks of is on the disk before it.
    do_on_all_or_none(communicator, [&] {
      for (const auto &item : tables)
        item.second->sync();
      for (const auto &item : all_series)
        item.second->sync();
      files().sync();
    });

    Archive whole = archive;
    for (const auto &[name, table] : tables)
      whole.numbers[tables_prefix + name] =
        to_numbers({table->position().bytes, table->position().rows});
    for (const auto &[name, series] : all_series)
      whole.numbers[series_prefix + name] =
        to_numbers({series->position().shapes,
                    series->position().stride,
                    series->position().last});
    for (const auto &[name, value] : counters)
      whole.numbers[counter_prefix + name] = {{value}, {}};
    whole.numbers[not_finite_key] = to_numbers({n_not_finite});
    save(checkpoint_name, whole, communicator);
  }



  void
  FileRecorder::save(const fs::path &name,
                     const Archive  &archive,
                     MPI_Comm        communicator)
  {
    check_written(communicator);
    do_on_all_or_none(communicator, [&] {
      if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
        files().announce(name);
    });
    write_archive(files().directory() / name, communicator, archive);
    keep();
  }



  std::unique_ptr<ArchiveReader>
  FileRecorder::last_checkpoint(MPI_Comm communicator) const
  {
    if (!has_checkpoint)
      return nullptr;
    const RunFiles &own =
      directory != nullptr ? directory->files() : *other_files;
    return std::make_unique<ArchiveReader>(own.directory() / checkpoint_name,
                                           communicator);
  }



  // -------------------------------------------------------------- words ---

  void
  FileRecorder::log(const std::string &line)
  {
    if (directory != nullptr && show)
      show(line);
    write_alone([&] { log_file->add(line); });
  }



  void
  FileRecorder::close()
  {
    // Every rank has written all that it writes.
    MPI_Barrier(world);
    check_written(world);
    tables.clear();
    all_series.clear();
    log_file.reset();
    do_on_all_or_none(world, [&] {
      if (directory == nullptr)
        return;
      files().remove(checkpoint_name);
      Journal(files()).remove();
    });
  }
} // namespace slender
