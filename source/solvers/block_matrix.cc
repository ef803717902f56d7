// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/block_matrix.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparsity_tools.h>

#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <iterator>
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

    /// Takes down which unknowns share a block.
    class PatternWriter : public HessianSink
    {
    public:
      PatternWriter(const std::vector<PetscInt>    &global_numbers,
                    dealii::DynamicSparsityPattern &a_pattern)
        : global(global_numbers)
        , pattern(a_pattern)
      {}

      void
      add(const Index *unknowns, const Index n, const double *) override
      {
        columns.clear();
        for (Index i = 0; i < n; ++i)
          if (unknowns[i] >= 0)
            columns.push_back(global[unknowns[i]]);
        std::sort(columns.begin(), columns.end());
        for (const auto row : columns)
          pattern.add_entries(row, columns.begin(), columns.end(), true);
      }

      void
      add_global(const Index *unknowns, const Index n, const double *) override
      {
        std::vector<Index> known;
        std::copy_if(unknowns,
                     unknowns + n,
                     std::back_inserter(known),
                     [](const Index i) { return i >= 0; });
        across_ranks.push_back(known);
      }

      /// Unknowns that share a block, whoever owns them.
      std::vector<std::vector<Index>> across_ranks;

    private:
      const std::vector<PetscInt>                 &global;
      dealii::DynamicSparsityPattern              &pattern;
      std::vector<dealii::types::global_dof_index> columns;
    };

    /// This rank's rows, as PETSc wants them; columns have global numbers.
    struct CompressedRows
    {
      std::vector<PetscInt> begins = {0};
      std::vector<PetscInt> columns;
    };

    CompressedRows
    pattern_of(const System                &system,
               const Vector                &q,
               const std::vector<PetscInt> &global)
    {
      const Layout    &layout = system.layout();
      dealii::IndexSet owned(layout.size), relevant(layout.size);
      owned.add_range(layout.begin, layout.end);
      relevant.add_range(layout.begin, layout.end);
      relevant.add_indices(layout.ghosts.begin(), layout.ghosts.end());

      dealii::DynamicSparsityPattern pattern(layout.size,
                                             layout.size,
                                             relevant);
      PatternWriter                  writer(global, pattern);
      system.hessian(q, writer);
      // Few blocks cross ranks: everyone learns of all.
      for (const auto &of_rank :
           dealii::Utilities::MPI::all_gather(layout.communicator,
                                              writer.across_ranks))
        for (const std::vector<Index> &block : of_rank)
          for (const Index i : block)
            if (i >= layout.begin && i < layout.end)
              for (const Index j : block)
                pattern.add(i, j);
      // PETSc wants all entries of the diagonal, even if they stay zero.
      for (Index i = layout.begin; i < layout.end; ++i)
        pattern.add(i, i);
      dealii::SparsityTools::distribute_sparsity_pattern(pattern,
                                                         owned,
                                                         layout.communicator,
                                                         relevant);
      CompressedRows rows;
      rows.begins.reserve(layout.n_owned() + 1);
      for (Index i = layout.begin; i < layout.end; ++i)
        rows.begins.push_back(rows.begins.back() +
                              static_cast<PetscInt>(pattern.row_length(i)));
      rows.columns.reserve(rows.begins.back());
      for (Index i = layout.begin; i < layout.end; ++i)
        for (auto entry = pattern.begin(i); entry != pattern.end(i); ++entry)
          rows.columns.push_back(static_cast<PetscInt>(entry->column()));
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
    : n_owned(system.layout().n_owned())
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
    check(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE));
    check(MatSetOption(matrix, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
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
    check(MatZeroEntries(matrix));
    for (Part &part : parts)
      if (part.matrix)
        check(MatSeqAIJGetArray(part.matrix, &part.values));
  }

  void
  BlockMatrix::find_runs(const Index *unknowns, const Index n)
  {
    runs.clear();
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
        runs.push_back({part, column, j, 1, 0});
      }
  }

  void
  BlockMatrix::add_row(const Index row, const double *values)
  {
    for (const Run &run : runs)
      {
        const Part   &part   = parts[run.part];
        PetscScalar  *target = part.values + part.begins[row] + run.place;
        const double *source = values + run.first;
        for (Index j = 0; j < run.length; ++j)
          target[j] += source[j];
      }
  }

  void
  BlockMatrix::add(const Index *unknowns, const Index n, const double *block)
  {
    find_runs(unknowns, n);
    rows_of_others.clear();
    Index previous = -1;
    for (Index i = 0; i < n; ++i)
      {
        const Index row = unknowns[i];
        if (row < 0)
          continue;
        // Symmetric: columns of the block are its rows.
        const double *values = block + static_cast<std::size_t>(i) * n;
        if (row >= n_owned)
          {
            rows_of_others.push_back(row);
            values_of_others.resize(rows_of_others.size() * n);
            std::copy(values, values + n, values_of_others.end() - n);
            continue;
          }
        if (previous < 0 || row != previous + 1 || !repeats[row])
          for (Run &run : runs)
            run.place = parts[run.part].place(row, run.column, run.length);
        add_row(row, values);
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
    global_blocks.push_back({{unknowns, unknowns + n},
                             {block, block + static_cast<std::size_t>(n) * n}});
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
