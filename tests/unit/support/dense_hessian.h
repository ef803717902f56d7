// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_dense_hessian_h
#define slender_tests_support_dense_hessian_h

#include <slender/models/model.h>

namespace slender::test
{
  /// A Hessian as a full matrix, for bodies on one rank.
  class DenseSink : public HessianSink
  {
  public:
    explicit DenseSink(const Index n)
      : matrix(Eigen::MatrixXd::Zero(n, n))
    {}

    void
    add(const Index *unknowns, const Index n, const double *block) override
    {
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i)
          if (unknowns[i] >= 0 && unknowns[j] >= 0)
            matrix(unknowns[i], unknowns[j]) += block[j * n + i];
    }

    /// On one rank they are the same.
    void
    add_global(const Index  *unknowns,
               const Index   n,
               const double *block) override
    {
      add(unknowns, n, block);
    }

    Eigen::MatrixXd matrix;
  };

  inline Eigen::MatrixXd
  dense_hessian(const Model &model, const Vector &q)
  {
    DenseSink sink(model.layout().size);
    model.hessian(q, sink);
    return sink.matrix;
  }

  inline Eigen::MatrixXd
  dense_newton_tangent(const Model  &model,
                       const Vector &q,
                       const Vector &previous)
  {
    DenseSink sink(model.layout().size);
    model.newton_tangent(q, previous, sink);
    return sink.matrix;
  }
} // namespace slender::test

#endif
