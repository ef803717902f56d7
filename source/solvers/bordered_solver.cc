// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/bordered_solver.h>

#include <LOCA_Abstract_TransposeSolveGroup.H>
#include <Teuchos_ParameterList.hpp>

namespace slender
{
  namespace
  {
    using Group = NOX::Abstract::Group;
  }

  void
  MixedBlockElimination::setMatrixBlocks(
    const Teuchos::RCP<const LOCA::BorderedSolver::AbstractOperator>       &op,
    const Teuchos::RCP<const MultiVector>                                  &A,
    const Teuchos::RCP<const LOCA::MultiContinuation::ConstraintInterface> &B,
    const Teuchos::RCP<const DenseMatrix>                                  &C)
  {
    jacobian =
      Teuchos::rcp_dynamic_cast<const LOCA::BorderedSolver::JacobianOperator>(
        op, true);
    right       = A;
    constraints = Teuchos::rcp_dynamic_cast<
      const LOCA::MultiContinuation::ConstraintInterfaceMVDX>(B, true);
    corner_block = C;
    is_prepared  = false;
  }

  void
  MixedBlockElimination::prepare() const
  {
    if (is_prepared)
      return;
    const int          m = constraints->numConstraints();
    const MultiVector *left =
      constraints->isDXZero() ? nullptr : constraints->getDX();
    const auto &shape     = jacobian->getGroup()->getX();
    const auto  vector_of = [&](const MultiVector *block, const int k) {
      auto v = shape.clone(NOX::ShapeCopy);
      if (block)
        *v = (*block)[k];
      else
        v->init(0.);
      return v;
    };
    columns.clear();
    rows.clear();
    corner.assign(m, std::vector<double>(m, 0.));
    for (int k = 0; k < m; ++k)
      {
        columns.push_back(vector_of(right.get(), k));
        rows.push_back(vector_of(left, k));
        if (!corner_block.is_null())
          for (int l = 0; l < m; ++l)
            corner[k][l] = (*corner_block)(k, l);
      }
    is_prepared = true;
  }

  MixedBlockElimination::Status
  MixedBlockElimination::initForSolve()
  {
    is_prepared = false;
    return Group::Ok;
  }

  MixedBlockElimination::Status
  MixedBlockElimination::initForTransposeSolve()
  {
    is_prepared = false;
    return Group::Ok;
  }

  MixedBlockElimination::Status
  MixedBlockElimination::apply(const MultiVector &X,
                               const DenseMatrix &Y,
                               MultiVector       &U,
                               DenseMatrix       &V) const
  {
    prepare();
    const std::size_t m = columns.size();
    for (int j = 0; j < X.numVectors(); ++j)
      {
        const Status status = jacobian->getGroup()->applyJacobian(X[j], U[j]);
        if (status != Group::Ok)
          return status;
        for (std::size_t k = 0; k < m; ++k)
          {
            U[j].update(Y(k, j), *columns[k], 1.);
            V(k, j) = rows[k]->innerProduct(X[j]);
            for (std::size_t l = 0; l < m; ++l)
              V(k, j) += corner[k][l] * Y(l, j);
          }
      }
    return Group::Ok;
  }

  MixedBlockElimination::Status
  MixedBlockElimination::applyTranspose(const MultiVector &X,
                                        const DenseMatrix &Y,
                                        MultiVector       &U,
                                        DenseMatrix       &V) const
  {
    prepare();
    const std::size_t m = columns.size();
    for (int j = 0; j < X.numVectors(); ++j)
      {
        const Status status =
          jacobian->getGroup()->applyJacobianTranspose(X[j], U[j]);
        if (status != Group::Ok)
          return status;
        for (std::size_t k = 0; k < m; ++k)
          {
            U[j].update(Y(k, j), *rows[k], 1.);
            V(k, j) = columns[k]->innerProduct(X[j]);
            for (std::size_t l = 0; l < m; ++l)
              V(k, j) += corner[l][k] * Y(l, j);
          }
      }
    return Group::Ok;
  }

  MixedBlockElimination::Bordered
  MixedBlockElimination::copy_of(const Bordered &v) const
  {
    return {v.x->clone(NOX::DeepCopy), v.y};
  }

  double
  MixedBlockElimination::dot(const Bordered &a, const Bordered &b)
  {
    double sum = a.x->innerProduct(*b.x);
    for (std::size_t i = 0; i < std::min(a.y.size(), b.y.size()); ++i)
      sum += a.y[i] * b.y[i];
    return sum;
  }

  void
  MixedBlockElimination::add(Bordered       &a,
                             const double    factor,
                             const Bordered &b)
  {
    a.x->update(factor, *b.x, 1.);
    for (std::size_t i = 0; i < std::min(a.y.size(), b.y.size()); ++i)
      a.y[i] += factor * b.y[i];
  }

  MixedBlockElimination::Bordered
  MixedBlockElimination::column(const std::size_t k, const bool transpose) const
  {
    Bordered v{(transpose ? rows : columns)[k], {}};
    for (std::size_t l = 0; l < k; ++l)
      v.y.push_back(transpose ? corner[k][l] : corner[l][k]);
    return v;
  }

  MixedBlockElimination::Status
  MixedBlockElimination::solve(const std::size_t level,
                               const bool        transpose,
                               const Bordered   &rhs,
                               Bordered         &x) const
  {
    if (level == 0)
      {
        Teuchos::ParameterList list;
        const auto             group = jacobian->getGroup();
        if (!transpose)
          return group->applyJacobianInverse(list, *rhs.x, *x.x);
        const auto transposable =
          Teuchos::rcp_dynamic_cast<const LOCA::Abstract::TransposeSolveGroup>(
            group, true);
        return transposable->applyJacobianTransposeInverse(list, *rhs.x, *x.x);
      }

    // The system | M b; c^T d | with one border less in M.
    const std::size_t k = level - 1;
    const Bordered    b = column(k, transpose);
    const Bordered    c = column(k, !transpose);
    const double      d = corner[k][k];

    Bordered f = copy_of(rhs);
    f.y.resize(k);
    double g = rhs.y[k];

    const auto inner = [&](const bool t, const Bordered &r, Bordered &result) {
      result = copy_of(r);
      return solve(k, t, r, result);
    };
    // Transposed elimination: y from M^T w = c.
    Bordered w, v, xi;
    Status   status = inner(!transpose, c, w);
    if (status != Group::Ok)
      return status;
    const double y_first = (g - dot(w, f)) / (d - dot(w, b));
    add(f, -y_first, b);
    g -= d * y_first;

    // Ordinary elimination of what is left.
    if ((status = inner(transpose, b, v)) != Group::Ok ||
        (status = inner(transpose, f, xi)) != Group::Ok)
      return status;
    const double y_second = (g - dot(c, xi)) / (d - dot(c, v));
    add(xi, -y_second, v);

    *x.x = *xi.x;
    x.y  = xi.y;
    x.y.push_back(y_first + y_second);
    return Group::Ok;
  }

  MixedBlockElimination::Status
  MixedBlockElimination::solve_all(const bool         transpose,
                                   const MultiVector *F,
                                   const DenseMatrix *G,
                                   MultiVector       &X,
                                   DenseMatrix       &Y) const
  {
    prepare();
    const std::size_t m = columns.size();
    for (int j = 0; j < X.numVectors(); ++j)
      {
        Bordered rhs{X[j].clone(NOX::ShapeCopy), std::vector<double>(m, 0.)};
        if (F)
          *rhs.x = (*F)[j];
        else
          rhs.x->init(0.);
        for (std::size_t k = 0; k < m; ++k)
          rhs.y[k] = G ? (*G)(k, j) : 0.;

        Bordered     solution = copy_of(rhs);
        const Status status   = solve(m, transpose, rhs, solution);
        if (status != Group::Ok)
          return status;
        X[j] = *solution.x;
        for (std::size_t k = 0; k < m; ++k)
          Y(k, j) = solution.y[k];
      }
    return Group::Ok;
  }

  MixedBlockElimination::Status
  MixedBlockElimination::applyInverse(Teuchos::ParameterList & /*list*/,
                                      const MultiVector *F,
                                      const DenseMatrix *G,
                                      MultiVector       &X,
                                      DenseMatrix       &Y) const
  {
    return solve_all(false, F, G, X, Y);
  }

  MixedBlockElimination::Status
  MixedBlockElimination::applyInverseTranspose(
    Teuchos::ParameterList & /*list*/,
    const MultiVector *F,
    const DenseMatrix *G,
    MultiVector       &X,
    DenseMatrix       &Y) const
  {
    return solve_all(true, F, G, X, Y);
  }

  void
  StrategyFactory::init(const Teuchos::RCP<LOCA::GlobalData> & /*data*/)
  {
    // Keeping the data would make a cycle of references.
  }

  bool
  StrategyFactory::createBorderedSolverStrategy(
    const std::string &strategy_name,
    const Teuchos::RCP<LOCA::Parameter::SublistParser> & /*top_parameters*/,
    const Teuchos::RCP<Teuchos::ParameterList> & /*parameters*/,
    Teuchos::RCP<LOCA::BorderedSolver::AbstractStrategy> &strategy)
  {
    if (strategy_name != MixedBlockElimination::name)
      return false;
    strategy = Teuchos::rcp(new MixedBlockElimination);
    return true;
  }
} // namespace slender
