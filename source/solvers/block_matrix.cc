// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/block_matrix.h>
#include <slender/solvers/couplings.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace slender
{
  namespace
  {
    using petsc::check;
    using petsc::Owned;

    /// Global numbers by local ones.
    std::vector<PetscInt>
    global_numbers(const Layout &layout)
    {
      std::vector<PetscInt> numbers(layout.n_owned());
      std::iota(numbers.begin(), numbers.end(), layout.begin);
      numbers.insert(numbers.end(), layout.ghosts.begin(), layout.ghosts.end());
      return numbers;
    }

    /// Which columns the rows of this rank have in blocks of other ranks, and
    /// in its own that reach across ranks: pairs of the row's local number and
    /// the column's global one.
    std::vector<std::pair<Index, PetscInt>>
    columns_from_others(const Layout                &layout,
                        const Couplings             &couplings,
                        const CompressedRows        &rows,
                        const std::vector<PetscInt> &global)
    {
      int n_ranks;
      MPI_Comm_size(layout.communicator, &n_ranks);
      std::vector<Index> ends(n_ranks); // of the ranks' unknowns
      MPI_Allgather(
        &layout.end, 1, MPI_INT, ends.data(), 1, MPI_INT, layout.communicator);

      // For each row its number, how many columns follow, and these.
      std::map<unsigned int, std::vector<PetscInt>> messages;
      const auto begin_row = [&](const PetscInt    row,
                                 const std::size_t n_columns) -> auto &
      {
        const auto owner = static_cast<unsigned int>(
          std::upper_bound(ends.begin(), ends.end(), row) - ends.begin());
        std::vector<PetscInt> &message = messages[owner];
        message.push_back(row);
        message.push_back(static_cast<PetscInt>(n_columns));
        return message;
      };
      for (Index row = layout.n_owned(); row < layout.n_local(); ++row)
        {
          auto &message =
            begin_row(global[row], rows.begins[row + 1] - rows.begins[row]);
          for (Index k = rows.begins[row]; k < rows.begins[row + 1]; ++k)
            message.push_back(global[rows.columns[k]]);
        }
      for (const std::vector<Index> &block : couplings.blocks_across_ranks())
        for (const Index row : block)
          {
            auto &message = begin_row(row, block.size());
            message.insert(message.end(), block.begin(), block.end());
          }
      std::vector<std::pair<Index, PetscInt>> result;
      for (const auto &[sender, message] :
           dealii::Utilities::MPI::some_to_some(layout.communicator, messages))
        for (std::size_t at = 0; at < message.size(); at += 2 + message[at + 1])
          for (PetscInt k = 0; k < message[at + 1]; ++k)
            result.emplace_back(message[at] - layout.begin,
                                message[at + 2 + k]);
      std::sort(result.begin(), result.end());
      return result;
    }

    /// This rank's rows, as PETSc wants them; columns have global numbers.
    /// PETSc wants all entries of the diagonal, even if they stay zero.
    CompressedRows
    pattern_of(const System                &system,
               const Vector                &q,
               const std::vector<PetscInt> &global)
    {
      const Layout        &layout = system.layout();
      const Couplings      couplings(system, q);
      const CompressedRows local = couplings.rows(layout.n_local());
      const auto more = columns_from_others(layout, couplings, local, global);

      CompressedRows rows;
      rows.begins.reserve(layout.n_owned() + 1);
      rows.columns.reserve(local.begins[layout.n_owned()] + more.size());
      auto other = more.begin();
      for (Index row = 0; row < layout.n_owned(); ++row)
        {
          for (Index k = local.begins[row]; k < local.begins[row + 1]; ++k)
            rows.columns.push_back(global[local.columns[k]]);
          for (; other != more.end() && other->first == row; ++other)
            rows.columns.push_back(other->second);
          const auto begin = rows.columns.begin() + rows.begins.back();
          std::sort(begin, rows.columns.end());
          rows.columns.erase(std::unique(begin, rows.columns.end()),
                             rows.columns.end());
          rows.begins.push_back(static_cast<PetscInt>(rows.columns.size()));
        }
      return rows;
    }

    /// The matrix's parts of owned and of other columns; the latter with the
    /// global numbers of its columns.
    struct SequentialParts
    {
      Mat             owned = nullptr, others = nullptr;
      const PetscInt *columns_of_others   = nullptr;
      PetscInt        n_columns_of_others = 0;
    };

    SequentialParts
    sequential_parts(Mat matrix)
    {
      SequentialParts parts;
      PetscBool       is_distributed;
      check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(matrix),
                                   MATMPIAIJ,
                                   &is_distributed));
      if (!is_distributed)
        {
          parts.owned = matrix;
          return parts;
        }
      check(MatMPIAIJGetSeqAIJ(
        matrix, &parts.owned, &parts.others, &parts.columns_of_others));
      check(MatGetSize(parts.others, nullptr, &parts.n_columns_of_others));
      return parts;
    }
  } // namespace

  void
  BlockMatrix::Part::find_pattern(Mat part)
  {
    matrix = part;
    PetscInt  n;
    PetscBool is_done;
    check(MatGetRowIJ(
      matrix, 0, PETSC_FALSE, PETSC_FALSE, &n, &begins, &columns, &is_done));
  }

  bool
  BlockMatrix::Part::has_equal_rows(const Index row, const Index other) const
  {
    return matrix == nullptr || std::equal(columns + begins[row],
                                           columns + begins[row + 1],
                                           columns + begins[other],
                                           columns + begins[other + 1]);
  }

  Index
  BlockMatrix::Part::place(const Index row,
                           const Index first_column,
                           const Index n_columns) const
  {
    const PetscInt *begin = columns + begins[row],
                   *end   = columns + begins[row + 1];
    const PetscInt *at    = std::lower_bound(begin, end, first_column);
    // Columns ascend: between the right ends stand the right ones.
    if (first_column == none || end - at < n_columns || *at != first_column ||
        at[n_columns - 1] != first_column + n_columns - 1)
      throw std::logic_error("a block couples unknowns that were not coupled "
                             "when the pattern of the matrix was made");
    return static_cast<Index>(at - begin);
  }

  BlockMatrix::BlockMatrix(const System &system, const Vector &q)
    : is_symmetric(system.has_potential())
    , n_owned(system.layout().n_owned())
  {
    const Layout               &layout = system.layout();
    const std::vector<PetscInt> global = global_numbers(layout);

    check(MatCreate(layout.communicator, &matrix));
    check(MatSetSizes(matrix, n_owned, n_owned, layout.size, layout.size));
    check(MatSetType(matrix, MATAIJ));
    {
      const CompressedRows rows = pattern_of(system, q, global);
      // Only the one that fits the matrix does something.
      check(MatSeqAIJSetPreallocationCSR(
        matrix, rows.begins.data(), rows.columns.data(), nullptr));
      check(MatMPIAIJSetPreallocationCSR(
        matrix, rows.begins.data(), rows.columns.data(), nullptr));
    }
    if (is_symmetric)
      {
        check(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
        check(MatSetOption(matrix, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
      }
    check(MatSetOption(matrix, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
    Owned<ISLocalToGlobalMapping, ISLocalToGlobalMappingDestroy> numbering;
    check(ISLocalToGlobalMappingCreate(layout.communicator,
                                       1,
                                       static_cast<PetscInt>(global.size()),
                                       global.data(),
                                       PETSC_COPY_VALUES,
                                       &numbering));
    check(MatSetLocalToGlobalMapping(matrix, numbering, numbering));

    const SequentialParts found = sequential_parts(matrix);
    parts[0].find_pattern(found.owned);
    if (found.others)
      parts[1].find_pattern(found.others);
    column_in_part.resize(layout.n_local(), none);
    std::iota(column_in_part.begin(), column_in_part.begin() + n_owned, 0);
    const PetscInt *others = found.columns_of_others,
                   *end    = others + found.n_columns_of_others;
    for (Index i = n_owned; i < layout.n_local(); ++i)
      {
        const PetscInt *at = std::lower_bound(others, end, global[i]);
        if (at != end && *at == global[i])
          column_in_part[i] = static_cast<Index>(at - others);
      }
    repeats.resize(n_owned, false);
    for (Index row = 1; row < n_owned; ++row)
      repeats[row] = parts[0].has_equal_rows(row, row - 1) &&
                     parts[1].has_equal_rows(row, row - 1);
  }

  void
  BlockMatrix::clear()
  {
    next = 0;
    check(MatZeroEntries(matrix));
    for (Part &part : parts)
      if (part.matrix)
        check(MatSeqAIJGetArray(part.matrix, &part.values));
  }

  void
  BlockMatrix::record(const Index      *unknowns,
                      const Index       n,
                      Numbers          &to,
                      const std::size_t begin) const
  {
    std::vector<Run> runs;
    for (Index j = 0; j < n; ++j)
      {
        if (unknowns[j] < 0)
          continue;
        const Index part   = unknowns[j] < n_owned ? 0 : 1;
        const Index column = column_in_part[unknowns[j]];
        if (!runs.empty())
          {
            Run &last = runs.back();
            if (last.part == part && last.first + last.length == j &&
                last.column != none && last.column + last.length == column)
              {
                ++last.length;
                continue;
              }
          }
        runs.push_back({part, j, 1, column});
      }
    std::vector<Index> places;
    Index              previous = -1;
    for (Index i = 0; i < n; ++i)
      {
        const Index row = unknowns[i];
        if (row < 0 || row >= n_owned)
          continue;
        if (!is_like(row, previous))
          for (const Run &run : runs)
            places.push_back(
              parts[run.part].place(row, run.column, run.length));
        previous = row;
      }
    to.resize(begin);
    to.insert(to.end(), {0, n});
    to.insert(to.end(), unknowns, unknowns + n);
    to.push_back(static_cast<Index>(runs.size()));
    for (const Run &run : runs)
      to.insert(to.end(), {run.part, run.first, run.length});
    to.insert(to.end(), places.begin(), places.end());
    to[begin] = static_cast<Index>(to.size() - begin);
  }

  const double *
  BlockMatrix::by_rows(const Index n, const double *block)
  {
    if (is_symmetric) // its columns are its rows
      return block;
    transposed.resize(static_cast<std::size_t>(n) * n);
    Eigen::Map<Eigen::MatrixXd>(transposed.data(), n, n) =
      Eigen::Map<const Eigen::MatrixXd>(block, n, n).transpose();
    return transposed.data();
  }

  void
  BlockMatrix::add(const Index *unknowns, const Index n, const double *block)
  {
    const double *rows = by_rows(n, block);
    // Half a gigabyte of records.
    constexpr std::size_t most    = std::size_t(1) << 27;
    const bool            is_full = next >= records.size() && next > most;
    if (is_full)
      record(unknowns, n, record_of_one, 0);
    else if (next >= records.size() || records[next + 1] != n ||
             !std::equal(unknowns, unknowns + n, records.data() + next + 2))
      record(unknowns, n, records, next); // of others from here on
    const Index *of_block =
      is_full ? record_of_one.data() : records.data() + next;
    if (!is_full)
      next += static_cast<std::size_t>(*of_block);
    const Index *at     = of_block + 2 + n;
    const Index  n_runs = *at;
    const Index *runs   = at + 1;
    const Index *ahead  = runs + 3 * n_runs; // places of the next kind of row
    const Index *places = ahead;

    rows_of_others.clear();
    Index previous = -1;
    for (Index i = 0; i < n; ++i)
      {
        const Index row = unknowns[i];
        if (row < 0)
          continue;
        const double *values = rows + static_cast<std::size_t>(i) * n;
        if (row >= n_owned)
          {
            rows_of_others.push_back(row);
            values_of_others.resize(rows_of_others.size() * n);
            std::copy(values, values + n, values_of_others.end() - n);
            continue;
          }
        if (!is_like(row, previous))
          {
            places = ahead;
            ahead += n_runs;
          }
        for (Index r = 0; r < n_runs; ++r)
          {
            const Part   &part   = parts[runs[3 * r]];
            const double *source = values + runs[3 * r + 1];
            const Index   length = runs[3 * r + 2];
            PetscScalar  *target = part.values + part.begins[row] + places[r];
            if (length == 3)
              {
                target[0] += source[0];
                target[1] += source[1];
                target[2] += source[2];
              }
            else
              for (Index j = 0; j < length; ++j)
                target[j] += source[j];
          }
        previous = row;
      }
    if (!rows_of_others.empty())
      check(MatSetValuesLocal(matrix,
                              static_cast<PetscInt>(rows_of_others.size()),
                              rows_of_others.data(),
                              n,
                              unknowns,
                              values_of_others.data(),
                              ADD_VALUES));
  }

  void
  BlockMatrix::add_global(const Index  *unknowns,
                          const Index   n,
                          const double *block)
  {
    const double *rows = by_rows(n, block);
    global_blocks.push_back({{unknowns, unknowns + n},
                             {rows, rows + static_cast<std::size_t>(n) * n}});
  }

  void
  BlockMatrix::finish()
  {
    for (Part &part : parts)
      if (part.matrix)
        check(MatSeqAIJRestoreArray(part.matrix, &part.values));
    // PETSc skips negative numbers.
    for (const GlobalBlock &block : global_blocks)
      check(MatSetValues(matrix,
                         static_cast<PetscInt>(block.unknowns.size()),
                         block.unknowns.data(),
                         static_cast<PetscInt>(block.unknowns.size()),
                         block.unknowns.data(),
                         block.values.data(),
                         ADD_VALUES));
    global_blocks.clear();
    check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  }
} // namespace slender
