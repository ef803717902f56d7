// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/sparse_tangent.h>

#include <algorithm>
#include <cholmod.h>
#include <cmath>
#include <stdexcept>

namespace slender
{
  namespace
  {
    void
    prepare(cholmod_common &common, const int ordering)
    {
      cholmod_start(&common);
      common.supernodal                 = CHOLMOD_SIMPLICIAL;
      common.final_ll                   = 0;
      common.print                      = 0;
      common.quick_return_if_not_posdef = 0;
      common.nmethods                   = 1;
      common.method[0].ordering         = ordering;
      common.postorder                  = ordering == CHOLMOD_NATURAL ? 0 : 1;
    }

    /// A matrix whose upper triangle is in arrays of ours.
    cholmod_sparse
    upper_triangle(const Index          size,
                   std::vector<Index>  &begins,
                   std::vector<Index>  &rows,
                   std::vector<double> &values)
    {
      cholmod_sparse matrix{};
      matrix.nrow   = static_cast<std::size_t>(size);
      matrix.ncol   = matrix.nrow;
      matrix.nzmax  = rows.size();
      matrix.p      = begins.data();
      matrix.i      = rows.data();
      matrix.x      = values.data();
      matrix.stype  = 1;
      matrix.itype  = CHOLMOD_INT;
      matrix.xtype  = CHOLMOD_REAL;
      matrix.dtype  = CHOLMOD_DOUBLE;
      matrix.sorted = 1;
      matrix.packed = 1;
      return matrix;
    }

    /// Where each unknown goes in an order with little fill.
    std::vector<Index>
    sparse_order(const CompressedRows &all)
    {
      const auto         size   = static_cast<Index>(all.begins.size()) - 1;
      std::vector<Index> begins = {0}, rows;
      for (Index j = 0; j < size; ++j)
        {
          for (Index k = all.begins[j];
               k < all.begins[j + 1] && all.columns[k] <= j;
               ++k)
            rows.push_back(all.columns[k]);
          begins.push_back(static_cast<Index>(rows.size()));
        }
      std::vector<double> values(rows.size(), 0.);
      cholmod_common      common;
      prepare(common, CHOLMOD_AMD);
      cholmod_sparse     matrix = upper_triangle(size, begins, rows, values);
      cholmod_factor    *factor = cholmod_analyze(&matrix, &common);
      std::vector<Index> place(static_cast<std::size_t>(size));
      if (factor)
        for (Index k = 0; k < size; ++k)
          place[static_cast<const int *>(factor->Perm)[k]] = k;
      cholmod_free_factor(&factor, &common);
      const bool has_failed = common.status < CHOLMOD_OK;
      cholmod_finish(&common);
      if (has_failed)
        throw std::runtime_error("CHOLMOD could not order a matrix");
      return place;
    }
  } // namespace

  struct SparseTangent::Factor
  {
    explicit Factor(const cholmod_sparse &the_matrix)
      : matrix(the_matrix)
    {
      prepare(common, CHOLMOD_NATURAL);
      lower = cholmod_analyze(&matrix, &common);
      if (!lower)
        throw std::runtime_error("CHOLMOD could not analyse a matrix");
    }

    ~Factor()
    {
      cholmod_free_dense(&solution, &common);
      cholmod_free_dense(&work_1, &common);
      cholmod_free_dense(&work_2, &common);
      cholmod_free_factor(&lower, &common);
      cholmod_finish(&common);
    }

    Factor(const Factor &) = delete;
    Factor &
    operator=(const Factor &) = delete;

    /// The j-th pivot.
    double
    pivot(const std::size_t j) const
    {
      return static_cast<const double *>(
        lower->x)[static_cast<const int *>(lower->p)[j]];
    }

    cholmod_common  common{};
    cholmod_sparse  matrix{};
    cholmod_factor *lower    = nullptr;
    cholmod_dense  *solution = nullptr, *work_1 = nullptr, *work_2 = nullptr;
  };

  SparseTangent::SparseTangent(const Layout    &a_layout,
                               const Couplings &couplings)
    : layout(a_layout)
  {
    const CompressedRows all = couplings.rows(layout.size);
    place                    = sparse_order(all);

    // The matrix is kept in that order, so that CHOLMOD need not sort it each
    // time: the columns of the upper triangle.
    std::vector<std::vector<Index>> columns(
      static_cast<std::size_t>(layout.size));
    for (Index i = 0; i < layout.size; ++i)
      for (Index k = all.begins[i]; k < all.begins[i + 1]; ++k)
        if (const Index p_i = place[i], p_j = place[all.columns[k]]; p_i <= p_j)
          columns[static_cast<std::size_t>(p_j)].push_back(p_i);
    begins.assign(1, 0);
    for (std::vector<Index> &column : columns)
      {
        std::sort(column.begin(), column.end());
        rows.insert(rows.end(), column.begin(), column.end());
        begins.push_back(static_cast<Index>(rows.size()));
      }
    values.assign(rows.size(), 0.);
    factor = std::make_unique<Factor>(
      upper_triangle(layout.size, begins, rows, values));
  }

  SparseTangent::~SparseTangent() = default;

  void
  SparseTangent::clear()
  {
    std::fill(values.begin(), values.end(), 0.);
    next          = 0;
    is_factorised = false;
  }

  void
  SparseTangent::look_up(const Index *unknowns, const Index n)
  {
    // What was remembered of this block and those behind it does not hold.
    member_begins.resize(next + 1);
    place_begins.resize(next + 1);
    members.resize(member_begins.back());
    places.resize(place_begins.back());
    members.insert(members.end(), unknowns, unknowns + n);
    for (Index b = 0; b < n; ++b)
      for (Index a = 0; a < n; ++a)
        if (unknowns[a] >= 0 && unknowns[b] >= 0 &&
            place[unknowns[a]] <= place[unknowns[b]])
          {
            const Index column = place[unknowns[b]], row = place[unknowns[a]];
            const auto  first = rows.begin() + begins[column],
                       last   = rows.begin() + begins[column + 1];
            const auto found  = std::lower_bound(first, last, row);
            if (found == last || *found != row)
              throw std::logic_error("a block of a Hessian is outside the "
                                     "pattern of the matrix");
            places.push_back(static_cast<Index>(found - rows.begin()));
          }
        else
          places.push_back(-1);
    member_begins.push_back(members.size());
    place_begins.push_back(places.size());
  }

  void
  SparseTangent::add(const Index *unknowns, const Index n, const double *block)
  {
    const bool is_known =
      next + 1 < member_begins.size() &&
      member_begins[next + 1] - member_begins[next] ==
        static_cast<std::size_t>(n) &&
      std::equal(unknowns,
                 unknowns + n,
                 members.begin() +
                   static_cast<std::ptrdiff_t>(member_begins[next]));
    if (!is_known)
      look_up(unknowns, n);
    const Index *to = places.data() + place_begins[next];
    for (Index k = 0; k < n * n; ++k)
      if (to[k] >= 0)
        values[static_cast<std::size_t>(to[k])] += block[k];
    ++next;
  }

  void
  SparseTangent::add_global(const Index  *unknowns,
                            const Index   n,
                            const double *block)
  {
    add(unknowns, n, block); // the numbers are the same on one rank
  }

  void
  SparseTangent::finish()
  {}

  Vector
  SparseTangent::product(const Vector &x) const
  {
    Vector in(layout.size), out = Vector::Zero(layout.size), y(layout.size);
    for (Index i = 0; i < layout.size; ++i)
      in(place[i]) = x(i);
    for (Index j = 0; j < layout.size; ++j)
      for (Index k = begins[j]; k < begins[j + 1]; ++k)
        {
          const Index i = rows[static_cast<std::size_t>(k)];
          out(i) += values[static_cast<std::size_t>(k)] * in(j);
          if (i != j)
            out(j) += values[static_cast<std::size_t>(k)] * in(i);
        }
    for (Index i = 0; i < layout.size; ++i)
      y(i) = out(place[i]);
    return y;
  }

  void
  SparseTangent::apply(Vec x, Vec y) const
  {
    petsc::set_values(y, product(petsc::local_values(x)));
  }

  void
  SparseTangent::apply(Eigen::Ref<Eigen::MatrixXd> columns) const
  {
    for (Index k = 0; k < columns.cols(); ++k)
      columns.col(k) = product(columns.col(k));
  }

  bool
  SparseTangent::factorise()
  {
    if (is_factorised)
      return is_regular;
    is_factorised = true;
    ++factorisations;
    is_regular =
      cholmod_factorize(&factor->matrix, factor->lower, &factor->common) != 0 &&
      factor->lower->minor == factor->lower->n;
    for (std::size_t j = 0; is_regular && j < factor->lower->n; ++j)
      is_regular = std::isfinite(factor->pivot(j)) && factor->pivot(j) != 0.;
    return is_regular;
  }

  bool
  SparseTangent::solve_in_place(Eigen::Ref<Vector> x)
  {
    if (!factorise())
      return false;
    Vector ordered(layout.size);
    for (Index i = 0; i < layout.size; ++i)
      ordered(place[i]) = x(i);
    cholmod_dense right{};
    right.nrow  = static_cast<std::size_t>(layout.size);
    right.ncol  = 1;
    right.nzmax = right.nrow;
    right.d     = right.nrow;
    right.x     = ordered.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    if (cholmod_solve2(CHOLMOD_A,
                       factor->lower,
                       &right,
                       nullptr,
                       &factor->solution,
                       nullptr,
                       &factor->work_1,
                       &factor->work_2,
                       &factor->common) == 0)
      return false;
    const auto *found = static_cast<const double *>(factor->solution->x);
    for (Index i = 0; i < layout.size; ++i)
      x(i) = found[place[i]];
    return x.allFinite();
  }

  bool
  SparseTangent::solve(Vec b, Vec x)
  {
    Vector values_of_b = petsc::local_values(b);
    if (!solve_in_place(values_of_b))
      return false;
    petsc::set_values(x, values_of_b);
    return true;
  }

  bool
  SparseTangent::solve(Eigen::Ref<Eigen::MatrixXd> columns)
  {
    for (Index k = 0; k < columns.cols(); ++k)
      {
        Vector column = columns.col(k);
        if (!solve_in_place(column))
          return false;
        columns.col(k) = column;
      }
    return true;
  }

  Inertia
  SparseTangent::inertia()
  {
    Inertia result;
    if (!factorise())
      {
        result.zero = layout.size;
        return result;
      }
    for (std::size_t j = 0; j < factor->lower->n; ++j)
      ++(factor->pivot(j) < 0. ? result.negative : result.positive);
    return result;
  }

  long
  SparseTangent::n_factorisations() const
  {
    return factorisations;
  }

  double
  SparseTangent::n_factor_entries() const
  {
    return factor->common.lnz;
  }
} // namespace slender
