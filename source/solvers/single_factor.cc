// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/single_factor.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <smumps_c.h>
#include <vector>

namespace slender
{
  using petsc::check;
  using petsc::Owned;

  /// MUMPS's own names: "job" says what to do, icntl[k - 1] is ICNTL(k) of its
  /// manual, infog[0] is negative after a failure.
  struct SingleFactor::Implementation
  {
    explicit Implementation(Mat matrix)
    {
      check(PetscObjectGetComm(reinterpret_cast<PetscObject>(matrix), &ranks));
      MPI_Comm_rank(ranks, &rank);
      std::memset(&mumps, 0, sizeof mumps);
      mumps.sym          = 1; // pivots as they come
      mumps.par          = 1;
      mumps.comm_fortran = static_cast<MUMPS_INT>(MPI_Comm_c2f(ranks));
      run(-1);
      for (int k = 0; k < 3; ++k)
        mumps.icntl[k] = -1; // no messages
      mumps.icntl[3]  = 0;
      mumps.icntl[12] = 1; // no ScaLAPACK, which refuses negative pivots
      mumps.icntl[17] = 3; // each rank has its own entries
      mumps.icntl[27] = 1; // the analysis is sequential
      check(MatCreateVecs(matrix, &scale, nullptr));
      check(VecDuplicate(scale, &scaled));
      check(VecScatterCreateToAll(scale, &to_all, &all));
      check(VecScatterCreateToZero(scale, &to_first, &first));
      find_pattern(matrix);
      run(1);
    }

    ~Implementation()
    {
      run(-2);
    }

    Implementation(const Implementation &) = delete;
    Implementation &
    operator=(const Implementation &) = delete;

    void
    run(const int job)
    {
      mumps.job = job;
      smumps_c(&mumps);
    }

    bool
    is_good() const
    {
      return mumps.infog[0] >= 0;
    }

    /// One half of the matrix, numbered from one.
    void
    find_pattern(Mat matrix)
    {
      PetscInt begin, end, size;
      check(MatGetSize(matrix, &size, nullptr));
      check(MatGetOwnershipRange(matrix, &begin, &end));
      for (PetscInt row = begin; row < end; ++row)
        {
          PetscInt        n;
          const PetscInt *of_row;
          check(MatGetRow(matrix, row, &n, &of_row, nullptr));
          for (PetscInt k = 0; k < n; ++k)
            if (of_row[k] >= row)
              {
                rows.push_back(row + 1);
                columns.push_back(of_row[k] + 1);
              }
          check(MatRestoreRow(matrix, row, &n, &of_row, nullptr));
        }
      entries.resize(rows.size());
      mumps.n       = size;
      mumps.nnz_loc = static_cast<MUMPS_INT8>(rows.size());
      mumps.irn_loc = rows.data();
      mumps.jcn_loc = columns.data();
      mumps.a_loc   = entries.data();
    }

    /// With ones on the diagonal, or minus ones, so that units of unknowns
    /// cost no digits.
    void
    set_entries(Mat matrix)
    {
      check(MatGetDiagonal(matrix, scale));
      {
        PetscInt     n;
        PetscScalar *values;
        check(VecGetLocalSize(scale, &n));
        check(VecGetArray(scale, &values));
        for (PetscInt i = 0; i < n; ++i)
          values[i] =
            values[i] != 0. ? 1. / std::sqrt(std::abs(values[i])) : 1.;
        check(VecRestoreArray(scale, &values));
      }
      check(
        VecScatterBegin(to_all, scale, all, INSERT_VALUES, SCATTER_FORWARD));
      check(VecScatterEnd(to_all, scale, all, INSERT_VALUES, SCATTER_FORWARD));
      const PetscScalar *factors;
      check(VecGetArrayRead(all, &factors));
      PetscInt begin, end;
      check(MatGetOwnershipRange(matrix, &begin, &end));
      auto entry = entries.begin();
      for (PetscInt row = begin; row < end; ++row)
        {
          PetscInt           n;
          const PetscInt    *of_row;
          const PetscScalar *values;
          check(MatGetRow(matrix, row, &n, &of_row, &values));
          for (PetscInt k = 0; k < n; ++k)
            if (of_row[k] >= row)
              *entry++ = static_cast<float>(factors[row] * values[k] *
                                            factors[of_row[k]]);
          check(MatRestoreRow(matrix, row, &n, &of_row, &values));
        }
      check(VecRestoreArrayRead(all, &factors));
    }

    void
    factorise()
    {
      // Where the analysis foresaw too little memory, a larger margin, in
      // percent.
      for (int margin = 20; margin <= 500; margin *= 5)
        {
          constexpr int too_small = -8, also_too_small = -9;
          mumps.icntl[13] = margin;
          run(2);
          if (mumps.infog[0] != too_small && mumps.infog[0] != also_too_small)
            return;
        }
    }

    MPI_Comm                             ranks;
    int                                  rank = 0;
    SMUMPS_STRUC_C                       mumps;
    std::vector<MUMPS_INT>               rows, columns;
    std::vector<float>                   entries, right_side;
    Owned<Vec, VecDestroy>               scale, scaled; // 1/sqrt|diagonal|
    Owned<Vec, VecDestroy>               all, first;
    Owned<VecScatter, VecScatterDestroy> to_all, to_first;
  };

  SingleFactor::SingleFactor()  = default;
  SingleFactor::~SingleFactor() = default;

  bool
  SingleFactor::factorise(Mat matrix)
  {
    if (!implementation)
      implementation = std::make_unique<Implementation>(matrix);
    Implementation &self = *implementation;
    self.set_entries(matrix);
    self.factorise();
    const MUMPS_INT n_negative = self.mumps.infog[11];
    return self.is_good() && n_negative == 0;
  }

  void
  SingleFactor::solve(Vec b, Vec x)
  {
    Implementation &self = *implementation;
    check(VecPointwiseMult(self.scaled, b, self.scale));
    // Whatever its size, single precision can hold it.
    PetscReal size;
    check(VecNorm(self.scaled, NORM_INFINITY, &size));
    if (!(size > 0.) || !std::isfinite(size))
      {
        check(VecCopy(self.scaled, x));
        return;
      }
    check(VecScatterBegin(
      self.to_first, self.scaled, self.first, INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(
      self.to_first, self.scaled, self.first, INSERT_VALUES, SCATTER_FORWARD));
    PetscInt     n;
    PetscScalar *values;
    check(VecGetLocalSize(self.first, &n));
    check(VecGetArray(self.first, &values));
    self.right_side.resize(n);
    std::transform(values,
                   values + n,
                   self.right_side.begin(),
                   [&](const double v) {
                     return static_cast<float>(v / size);
                   });
    self.mumps.rhs  = self.right_side.data();
    self.mumps.nrhs = 1;
    self.mumps.lrhs = self.mumps.n;
    self.run(3);
    std::transform(self.right_side.begin(),
                   self.right_side.end(),
                   values,
                   [&](const float v) { return size * v; });
    check(VecRestoreArray(self.first, &values));
    check(VecScatterBegin(
      self.to_first, self.first, self.scaled, INSERT_VALUES, SCATTER_REVERSE));
    check(VecScatterEnd(
      self.to_first, self.first, self.scaled, INSERT_VALUES, SCATTER_REVERSE));
    check(VecPointwiseMult(x, self.scaled, self.scale));
  }
} // namespace slender
