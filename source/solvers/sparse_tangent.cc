// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/sparse_tangent.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace slender
{
  SparseTangent::SparseTangent(const Layout    &a_layout,
                               const Couplings &couplings)
    : layout(a_layout)
    , nodes(couplings.rows(layout.size))
    , factor(nodes.lower)
    , padded(static_cast<std::size_t>(node_size) * nodes.n_nodes)
  {}

  void
  SparseTangent::clear()
  {
    std::fill(factor.matrix.begin(), factor.matrix.end(), 0.);
    // Empty places of nodes are on their own.
    for (Index a = 0; a < nodes.n_nodes; ++a)
      for (Index k = nodes.sizes[a]; k < node_size; ++k)
        factor.matrix[16 * static_cast<std::size_t>(nodes.lower.begins[a]) +
                      5 * static_cast<std::size_t>(k)] = 1.;
    next          = 0;
    is_factorised = false;
  }

  void
  SparseTangent::look_up(const Index *unknowns, const Index n)
  {
    // What was remembered of this block and those behind it does not hold.
    member_begins.resize(next + 1);
    move_begins.resize(next + 1);
    members.resize(member_begins.back());
    moves.resize(move_begins.back());
    members.insert(members.end(), unknowns, unknowns + n);
    for (Index b = 0; b < n; ++b)
      for (Index a = 0; a < n; ++a)
        {
          if (unknowns[a] < 0 || unknowns[b] < 0)
            continue;
          const Index row    = nodes.place[unknowns[a]] / node_size,
                      column = nodes.place[unknowns[b]] / node_size;
          if (row < column)
            continue;
          const auto begin = nodes.lower.columns.begin();
          const auto last  = begin + nodes.lower.begins[column + 1];
          const auto found =
            std::lower_bound(begin + nodes.lower.begins[column], last, row);
          if (found == last || *found != row)
            throw std::logic_error("a block of a Hessian is outside the "
                                   "pattern of the matrix");
          const Index from = b * n + a,
                      to   = static_cast<Index>(16 * (found - begin)) +
                           node_size * (nodes.place[unknowns[b]] % node_size) +
                           nodes.place[unknowns[a]] % node_size;
          // The unknowns of a node follow each other in both.
          if (moves.size() > move_begins.back() &&
              moves.back().from + moves.back().number == from &&
              moves.back().to + moves.back().number == to)
            ++moves.back().number;
          else
            moves.push_back({from, to, 1});
        }
    member_begins.push_back(members.size());
    move_begins.push_back(moves.size());
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
    double     *values = factor.matrix.data();
    const Move *last   = moves.data() + move_begins[next + 1];
    for (const Move *move = moves.data() + move_begins[next]; move != last;
         ++move)
      {
        double       *to   = values + move->to;
        const double *from = block + move->from;
        for (Index k = 0; k < move->number; ++k)
          to[k] += from[k];
      }
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
    std::fill(padded.begin(), padded.end(), 0.);
    std::vector<double> out(padded.size(), 0.);
    for (Index i = 0; i < layout.size; ++i)
      padded[nodes.place[i]] = x(i);
    factor.multiply(padded.data(), out.data());
    Vector y(layout.size);
    for (Index i = 0; i < layout.size; ++i)
      y(i) = out[nodes.place[i]];
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
    is_regular = factor.factorise();
    return is_regular;
  }

  bool
  SparseTangent::solve_in_place(Eigen::Ref<Vector> x)
  {
    if (!factorise())
      return false;
    std::fill(padded.begin(), padded.end(), 0.);
    for (Index i = 0; i < layout.size; ++i)
      padded[nodes.place[i]] = x(i);
    factor.solve(padded.data());
    for (Index i = 0; i < layout.size; ++i)
      x(i) = padded[nodes.place[i]];
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
    for (const double pivot : factor.pivots())
      ++(pivot < 0. ? result.negative : result.positive);
    result.positive -= node_size * nodes.n_nodes - layout.size;
    return result;
  }

  long
  SparseTangent::n_factorisations() const
  {
    return factorisations;
  }
} // namespace slender
