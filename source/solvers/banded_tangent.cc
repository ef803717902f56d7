// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/banded_tangent.h>
#include <slender/solvers/narrow_order.h>
#include <slender/solvers/petsc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace slender
{
  namespace
  {
    // Sums, or the like, over the ranks.
    void
    reduce(double *values, const Index n, MPI_Op operation, MPI_Comm comm)
    {
      MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, operation, comm);
    }

    void
    reduce(Index *values, const Index n, MPI_Op operation, MPI_Comm comm)
    {
      MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_INT, operation, comm);
    }

    void
    make_set(std::vector<Index> &numbers)
    {
      std::sort(numbers.begin(), numbers.end());
      numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }

    /// The numbers of all ranks, ascending.
    std::vector<Index>
    united(const std::vector<Index> &mine, MPI_Comm communicator)
    {
      int n_ranks;
      MPI_Comm_size(communicator, &n_ranks);
      std::vector<int> counts(n_ranks), begins(n_ranks + 1, 0);
      const int        count = static_cast<int>(mine.size());
      MPI_Allgather(
        &count, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator);
      for (int r = 0; r < n_ranks; ++r)
        begins[r + 1] = begins[r] + counts[r];
      std::vector<Index> all(begins.back());
      MPI_Allgatherv(mine.data(),
                     count,
                     MPI_INT,
                     all.data(),
                     counts.data(),
                     begins.data(),
                     MPI_INT,
                     communicator);
      make_set(all);
      return all;
    }
  } // namespace

  BandedTangent::BandedTangent(const Layout    &a_layout,
                               const Couplings &couplings)
    : layout(a_layout)
  {
    find_interface(couplings);
    order_interior(couplings);
    find_border(couplings);

    Index span = touched.empty() ? 0 : touched.back() - touched.front();
    reduce(&span, 1, MPI_MAX, layout.communicator);
    complement = SymmetricBand(n_interface, span);
  }

  void
  BandedTangent::find_interface(const Couplings &couplings)
  {
    // Who reads an unknown of another rank also adds to it.
    std::vector<Index> across = layout.ghosts;
    for (const std::vector<Index> &block : couplings.blocks_across_ranks())
      across.insert(across.end(), block.begin(), block.end());
    make_set(across);
    const std::vector<Index> interface = united(across, layout.communicator);
    n_interface                        = static_cast<Index>(interface.size());

    place.assign(layout.n_local(), 0);
    for (Index k = 0; k < n_interface; ++k)
      {
        const bool is_known =
          to_local_numbers(layout, &interface[k], 1, local_numbers);
        if (is_known)
          place[local_numbers[0]] = -1 - static_cast<Index>(touched.size());
        if (is_known ||
            std::binary_search(across.begin(), across.end(), interface[k]))
          {
            touched.push_back(k);
            touched_unknowns.push_back(interface[k]);
          }
      }
    Index next = 0;
    for (Index &p : place)
      if (p >= 0)
        p = next++;
  }

  void
  BandedTangent::order_interior(const Couplings &couplings)
  {
    const auto width_of = [&](const std::vector<Index> *order) {
      Index result = 0;
      for (std::size_t b = 0; b < couplings.n_blocks(); ++b)
        {
          Index lowest = std::numeric_limits<Index>::max(), highest = -1;
          for (const Index i : couplings.block(b))
            if (place[i] >= 0)
              {
                const Index p = order ? (*order)[place[i]] : place[i];
                lowest        = std::min(lowest, p);
                highest       = std::max(highest, p);
              }
          result = std::max(result, highest >= 0 ? highest - lowest : 0);
        }
      return result;
    };

    // No order makes a band narrower than its largest block.
    Index n = 0, largest_block = 0;
    for (const Index p : place)
      n += p >= 0 ? 1 : 0;
    for (std::size_t b = 0; b < couplings.n_blocks(); ++b)
      {
        const auto block = couplings.block(b);
        largest_block =
          std::max(largest_block,
                   static_cast<Index>(std::count_if(block.begin(),
                                                    block.end(),
                                                    [&](const Index i) {
                                                      return place[i] >= 0;
                                                    })));
      }

    width = width_of(nullptr);
    if (width + 1 > largest_block)
      {
        Couplings          inner;
        std::vector<Index> places;
        for (std::size_t b = 0; b < couplings.n_blocks(); ++b)
          {
            places.clear();
            for (const Index i : couplings.block(b))
              places.push_back(place[i]);
            inner.add(places.data(),
                      static_cast<Index>(places.size()),
                      nullptr);
          }
        const std::vector<Index> order = narrow_order(inner.rows(n));
        if (const Index narrow = width_of(&order); narrow < width)
          {
            width = narrow;
            for (Index &p : place)
              if (p >= 0)
                p = order[p];
          }
      }
    interior = SymmetricBand(n, width);
    reduce(&width, 1, MPI_MAX, layout.communicator);
  }

  void
  BandedTangent::find_border(const Couplings &couplings)
  {
    for (std::size_t b = 0; b < couplings.n_blocks(); ++b)
      {
        const auto block = couplings.block(b);
        if (std::any_of(block.begin(), block.end(), [&](const Index i) {
              return place[i] < 0;
            }))
          for (const Index i : block)
            if (place[i] >= 0)
              border_rows.push_back(place[i]);
      }
    make_set(border_rows);
  }

  Index
  BandedTangent::bandwidth() const
  {
    return width;
  }

  Index
  BandedTangent::interface_bandwidth() const
  {
    return complement.bandwidth();
  }

  void
  BandedTangent::clear()
  {
    interior.clear();
    const auto n_touched = static_cast<Index>(touched.size());
    border.setZero(static_cast<Index>(border_rows.size()), n_touched);
    corner.setZero(n_touched, n_touched);
    is_factorised = false;
  }

  void
  BandedTangent::add(const Index *unknowns, const Index m, const double *block)
  {
    // What is in the interior, in the order of the band: elements number their
    // unknowns in a few runs, so that hardly anything is to be moved.
    ordered.clear();
    bool touches_interface = false, is_in_order = true;
    for (Index i = 0; i < m; ++i)
      if (unknowns[i] >= 0)
        {
          const Index p = place[unknowns[i]];
          if (p < 0)
            {
              touches_interface = true;
              continue;
            }
          ordered.push_back({p, i});
          for (std::size_t k = ordered.size() - 1;
               k > 0 && ordered[k - 1].place > p;
               --k)
            {
              std::swap(ordered[k - 1], ordered[k]);
              is_in_order = false;
            }
        }
    if (!ordered.empty() &&
        ordered.back().place - ordered.front().place > interior.bandwidth())
      throw std::logic_error("a block couples unknowns that are farther apart "
                             "than the band is wide that was made for the "
                             "matrix");
    // One behind the other, as in a rod: then rows are, too.
    const bool is_run = is_in_order && m > 0 &&
                        static_cast<Index>(ordered.size()) == m &&
                        ordered.back().place - ordered.front().place == m - 1;
    for (auto column = ordered.begin(); column != ordered.end(); ++column)
      {
        double       *lower = interior.lower(column->place);
        const double *from  = block + column->number * m;
        if (is_run)
          for (Index k = column->number; k < m; ++k)
            lower[column->place - column->number + k] += from[k];
        else
          for (auto row = column; row != ordered.end(); ++row)
            lower[row->place] += from[row->number];
      }
    if (touches_interface)
      add_to_border(unknowns, m, block);
  }

  void
  BandedTangent::add_to_border(const Index  *unknowns,
                               const Index   m,
                               const double *block)
  {
    for (Index j = 0; j < m; ++j)
      {
        if (unknowns[j] < 0 || place[unknowns[j]] >= 0)
          continue;
        const Index column = -1 - place[unknowns[j]];
        for (Index i = 0; i < m; ++i)
          if (unknowns[i] >= 0)
            {
              const Index p = place[unknowns[i]];
              (p >= 0 ? border(border_row(p), column)
                      : corner(-1 - p, column)) += block[j * m + i];
            }
      }
  }

  void
  BandedTangent::add_global(const Index  *unknowns,
                            const Index   m,
                            const double *block)
  {
    if (to_local_numbers(layout, unknowns, m, local_numbers))
      {
        add(local_numbers.data(), m, block);
        return;
      }
    for (Index i = 0; i < m; ++i)
      if (unknowns[i] >= 0)
        {
          const auto at = std::lower_bound(touched_unknowns.begin(),
                                           touched_unknowns.end(),
                                           unknowns[i]);
          if (at == touched_unknowns.end() || *at != unknowns[i])
            throw std::logic_error("a block couples unknowns of several ranks "
                                   "that were not coupled when the matrix was "
                                   "made");
          local_numbers[i] = static_cast<Index>(at - touched_unknowns.begin());
        }
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < m; ++i)
        if (unknowns[i] >= 0 && unknowns[j] >= 0)
          corner(local_numbers[i], local_numbers[j]) += block[j * m + i];
  }

  Index
  BandedTangent::border_row(const Index p) const
  {
    const auto at = std::lower_bound(border_rows.begin(), border_rows.end(), p);
    if (at == border_rows.end() || *at != p)
      throw std::logic_error("a block couples an unknown with the interface of "
                             "two ranks that was not coupled when the matrix "
                             "was made");
    return static_cast<Index>(at - border_rows.begin());
  }

  void
  BandedTangent::finish()
  {}

  bool
  BandedTangent::factorise()
  {
    if (is_factorised)
      return is_regular;
    is_factorised = true;
    ++factorisations;
    Index is_good = interior.factorise() ? 1 : 0;
    reduce(&is_good, 1, MPI_MIN, layout.communicator);
    is_regular = is_good == 1;
    if (!is_regular || n_interface == 0)
      return is_regular;

    Eigen::MatrixXd share = corner;
    interior.subtract_schur_complement(border_rows, border, share);
    complement.clear();
    for (std::size_t j = 0; j < touched.size(); ++j)
      for (std::size_t i = j; i < touched.size(); ++i)
        complement.lower(touched[j])[touched[i]] +=
          share(static_cast<Index>(i), static_cast<Index>(j));
    reduce(complement.entries().data(),
           static_cast<Index>(complement.entries().size()),
           MPI_SUM,
           layout.communicator);
    is_regular = complement.factorise();
    return is_regular;
  }

  BandedTangent::Pieces
  BandedTangent::pieces_of(const Vector &values) const
  {
    Pieces pieces{Vector(interior.size()), Vector::Zero(n_interface)};
    for (Index i = 0; i < layout.n_owned(); ++i)
      if (place[i] >= 0)
        pieces.interior(place[i]) = values(i);
      else
        pieces.interface(touched[-1 - place[i]]) = values(i);
    reduce(pieces.interface.data(), n_interface, MPI_SUM, layout.communicator);
    return pieces;
  }

  void
  BandedTangent::put(const Pieces &pieces, Vec v) const
  {
    Vector values(layout.n_local());
    for (Index i = 0; i < layout.n_local(); ++i)
      values(i) = place[i] >= 0 ? pieces.interior(place[i])
                                : pieces.interface(touched[-1 - place[i]]);
    petsc::set_values(v, values);
  }

  void
  BandedTangent::put(const Pieces &pieces, Eigen::Ref<Vector> owned) const
  {
    for (Index i = 0; i < layout.n_owned(); ++i)
      owned(i) = place[i] >= 0 ? pieces.interior(place[i])
                               : pieces.interface(touched[-1 - place[i]]);
  }

  double
  BandedTangent::norm(const Pieces &pieces) const
  {
    double square = pieces.interior.squaredNorm();
    reduce(&square, 1, MPI_SUM, layout.communicator);
    return std::sqrt(square + pieces.interface.squaredNorm());
  }

  BandedTangent::Pieces
  BandedTangent::multiply(const Pieces &x) const
  {
    Pieces y{interior.multiply(x.interior), Vector::Zero(n_interface)};
    if (n_interface == 0)
      return y;
    const Vector on_interface = x.interface(touched);
    y.interior(border_rows) += border * on_interface;
    y.interface(touched) +=
      corner * on_interface + border.transpose() * x.interior(border_rows);
    reduce(y.interface.data(), n_interface, MPI_SUM, layout.communicator);
    return y;
  }

  BandedTangent::Pieces
  BandedTangent::solve_once(Pieces b) const
  {
    if (n_interface == 0)
      {
        interior.solve(b.interior);
        return b;
      }
    Vector alone = b.interior; // the solution with the interface held
    interior.solve(alone);
    Vector pull = Vector::Zero(n_interface);
    pull(touched) += border.transpose() * alone(border_rows);
    reduce(pull.data(), n_interface, MPI_SUM, layout.communicator);
    b.interface -= pull;
    complement.solve(b.interface);

    b.interior(border_rows) -= border * b.interface(touched);
    interior.solve(b.interior);
    return b;
  }

  void
  BandedTangent::apply(Vec x, Vec y) const
  {
    put(multiply(pieces_of(petsc::local_values(x))), y);
  }

  void
  BandedTangent::apply(Eigen::Ref<Eigen::MatrixXd> columns) const
  {
    for (Index k = 0; k < columns.cols(); ++k)
      put(multiply(pieces_of(Vector(columns.col(k)))), columns.col(k));
  }

  bool
  BandedTangent::solve(Vec b, Vec x)
  {
    if (!factorise())
      return false;

    const Pieces rhs      = pieces_of(petsc::local_values(b));
    Pieces       solution = solve_once(rhs);
    // Without pivoting an indefinite matrix may lose digits: win them back.
    const double target = 1e-13 * norm(rhs);
    double       before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < 3; ++step)
      {
        Pieces residual    = multiply(solution);
        residual.interior  = rhs.interior - residual.interior;
        residual.interface = rhs.interface - residual.interface;
        const double size  = norm(residual);
        if (!std::isfinite(size))
          return false;
        if (size <= target || size > 0.1 * before)
          break;
        before            = size;
        const Pieces more = solve_once(std::move(residual));
        solution.interior += more.interior;
        solution.interface += more.interface;
      }
    put(solution, x);
    return std::isfinite(norm(solution));
  }

  bool
  BandedTangent::solve(Eigen::Ref<Eigen::MatrixXd> columns)
  {
    if (!factorise())
      return false;
    for (Index k = 0; k < columns.cols(); ++k)
      put(solve_once(pieces_of(Vector(columns.col(k)))), columns.col(k));
    return true;
  }

  Inertia
  BandedTangent::inertia()
  {
    Inertia result;
    if (!factorise())
      {
        result.zero = layout.size;
        return result;
      }
    result.negative = interior.n_negative_pivots();
    reduce(&result.negative, 1, MPI_SUM, layout.communicator);
    result.negative += complement.n_negative_pivots();
    result.positive = layout.size - result.negative;
    return result;
  }

  long
  BandedTangent::n_factorisations() const
  {
    return factorisations;
  }
} // namespace slender
