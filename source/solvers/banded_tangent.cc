// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/banded_tangent.h>
#include <slender/solvers/petsc.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>

#include <cmath>
#include <limits>
#include <set>

namespace slender
{
  namespace
  {
    /// Takes down which unknowns share a block.
    class CouplingRecorder : public HessianSink
    {
    public:
      explicit CouplingRecorder(const Index n)
        : neighbours(n)
      {}

      void
      add(const Index *unknowns, const Index n, const double *) override
      {
        for (Index i = 0; i < n; ++i)
          if (unknowns[i] >= 0)
            for (Index j = 0; j < n; ++j)
              if (unknowns[j] >= 0)
                neighbours[unknowns[i]].insert(unknowns[j]);
      }

      void
      add_global(const Index  *unknowns,
                 const Index   n,
                 const double *block) override
      {
        add(unknowns, n, block);
      }

      std::vector<std::set<Index>> neighbours;
    };

    /// The position of each unknown in an order with a narrow band.
    std::vector<Index>
    narrow_order(const std::vector<std::vector<Index>> &couplings)
    {
      using Graph = boost::adjacency_list<
        boost::vecS,
        boost::vecS,
        boost::undirectedS,
        boost::property<boost::vertex_color_t,
                        boost::default_color_type,
                        boost::property<boost::vertex_degree_t, int>>>;
      Graph graph(couplings.size());
      for (std::size_t i = 0; i < couplings.size(); ++i)
        for (const Index j : couplings[i])
          if (static_cast<std::size_t>(j) < i)
            boost::add_edge(i, j, graph);

      std::vector<Graph::vertex_descriptor> sequence(couplings.size());
      boost::cuthill_mckee_ordering(graph,
                                    sequence.rbegin(),
                                    boost::get(boost::vertex_color, graph),
                                    boost::make_degree_map(graph));
      std::vector<Index> order(couplings.size());
      for (std::size_t i = 0; i < sequence.size(); ++i)
        order[sequence[i]] = static_cast<Index>(i);
      return order;
    }
  } // namespace

  std::vector<std::vector<Index>>
  couplings(const System &system, const Vector &q)
  {
    CouplingRecorder recorder(system.layout().n_local());
    system.hessian(q, recorder);
    std::vector<std::vector<Index>> result;
    for (const auto &set : recorder.neighbours)
      result.emplace_back(set.begin(), set.end());
    return result;
  }

  BandedTangent::BandedTangent(const std::vector<std::vector<Index>> &couplings)
    : n(static_cast<Index>(couplings.size()))
    , width(0)
    , order(narrow_order(couplings))
  {
    for (Index i = 0; i < n; ++i)
      for (const Index j : couplings[i])
        width = std::max(width, std::abs(order[i] - order[j]));
    matrix.assign(static_cast<std::size_t>(n) * (width + 1), 0.);
  }

  Index
  BandedTangent::bandwidth() const
  {
    return width;
  }

  void
  BandedTangent::clear()
  {
    std::fill(matrix.begin(), matrix.end(), 0.);
    is_factorised = false;
  }

  void
  BandedTangent::add(const Index *unknowns, const Index m, const double *block)
  {
    for (Index j = 0; j < m; ++j)
      {
        if (unknowns[j] < 0)
          continue;
        const Index column = order[unknowns[j]];
        double     *start =
          matrix.data() + static_cast<std::size_t>(column) * width;
        for (Index i = 0; i < m; ++i)
          if (unknowns[i] >= 0 && order[unknowns[i]] >= column)
            start[order[unknowns[i]]] += block[j * m + i];
      }
  }

  void
  BandedTangent::finish()
  {}

  bool
  BandedTangent::factorise()
  {
    factor = matrix;
    // A pivot that is this small compared with its column is not known at all.
    const double tiny = std::numeric_limits<double>::epsilon();

    is_regular    = true;
    is_factorised = true;
    ++factorisations;
    Vector column(width);
    for (Index j = 0; j < n; ++j)
      {
        double *a = factor.data() + static_cast<std::size_t>(j) * (width + 1);
        const Index  m     = std::min(width, n - 1 - j);
        const double pivot = a[0];
        const double size =
          std::abs(matrix[static_cast<std::size_t>(j) * (width + 1)]);
        if (!std::isfinite(pivot) || std::abs(pivot) <= tiny * tiny * size ||
            pivot == 0.)
          {
            is_regular = false;
            return false;
          }
        Eigen::Map<Vector> below(a + 1, m);
        column.head(m) = below;
        below /= pivot;
        for (Index i = 0; i < m; ++i)
          if (column(i) != 0.)
            Eigen::Map<Vector>(a +
                                 static_cast<std::size_t>(i + 1) * (width + 1),
                               m - i) -= column(i) * below.tail(m - i);
      }
    return true;
  }

  Vector
  BandedTangent::multiply(const Vector &x) const
  {
    Vector y = Vector::Zero(n);
    for (Index j = 0; j < n; ++j)
      {
        const double *a =
          matrix.data() + static_cast<std::size_t>(j) * (width + 1);
        const Index                    m = std::min(width, n - 1 - j);
        const Eigen::Map<const Vector> below(a + 1, m);
        y(j) += a[0] * x(j) + below.dot(x.segment(j + 1, m));
        y.segment(j + 1, m) += x(j) * below;
      }
    return y;
  }

  Vector
  BandedTangent::solve_once(Vector b) const
  {
    for (Index j = 0; j < n; ++j)
      {
        const double *a =
          factor.data() + static_cast<std::size_t>(j) * (width + 1);
        const Index m = std::min(width, n - 1 - j);
        b.segment(j + 1, m) -= b(j) * Eigen::Map<const Vector>(a + 1, m);
      }
    for (Index j = n - 1; j >= 0; --j)
      {
        const double *a =
          factor.data() + static_cast<std::size_t>(j) * (width + 1);
        const Index m = std::min(width, n - 1 - j);
        b(j)          = b(j) / a[0] -
               Eigen::Map<const Vector>(a + 1, m).dot(b.segment(j + 1, m));
      }
    return b;
  }

  void
  BandedTangent::apply(Vec x, Vec y) const
  {
    const Vector values = petsc::local_values(x);
    Vector       banded(n), result(n);
    for (Index i = 0; i < n; ++i)
      banded(order[i]) = values(i);
    banded = multiply(banded);
    for (Index i = 0; i < n; ++i)
      result(i) = banded(order[i]);
    petsc::set_values(y, result);
  }

  bool
  BandedTangent::solve(Vec b, Vec x)
  {
    if (!is_factorised)
      factorise();
    if (!is_regular)
      return false;

    const Vector values = petsc::local_values(b);
    Vector       rhs(n), result(n);
    for (Index i = 0; i < n; ++i)
      rhs(order[i]) = values(i);

    Vector solution = solve_once(rhs);
    // Without pivoting an indefinite matrix may lose digits: win them back.
    const double target = 1e-13 * rhs.norm();
    double       before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < 3; ++step)
      {
        const Vector residual = rhs - multiply(solution);
        const double size     = residual.norm();
        if (!std::isfinite(size))
          return false;
        if (size <= target || size > 0.1 * before)
          break;
        before = size;
        solution += solve_once(residual);
      }
    for (Index i = 0; i < n; ++i)
      result(i) = solution(order[i]);
    petsc::set_values(x, result);
    return solution.allFinite();
  }

  Inertia
  BandedTangent::inertia()
  {
    if (!is_factorised)
      factorise();
    Inertia result;
    if (!is_regular)
      {
        result.zero = n;
        return result;
      }
    for (Index j = 0; j < n; ++j)
      {
        const double pivot = factor[static_cast<std::size_t>(j) * (width + 1)];
        ++(pivot > 0. ? result.positive : result.negative);
      }
    return result;
  }

  long
  BandedTangent::n_factorisations() const
  {
    return factorisations;
  }
} // namespace slender
