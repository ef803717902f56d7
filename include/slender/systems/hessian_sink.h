// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_hessian_sink_h
#define slender_systems_hessian_sink_h

#include <slender/base/types.h>

#include <stdexcept>

namespace slender
{
  /**
   * Where a system's Hessian goes, block by block. A system does not know
   * whether that is a distributed PETSc matrix, a banded factorisation of one
   * rank, or a list of couplings from which a pattern is made.
   */
  class HessianSink
  {
  public:
    virtual ~HessianSink() = default;

    /// Adds an n x n block, column by column; symmetric if the system has a
    /// potential. `unknowns` are local numbers; a negative one belongs to a
    /// prescribed value, its row and column are skipped.
    virtual void
    add(const Index *unknowns, Index n, const double *block) = 0;

    /// The same with global numbers, of unknowns that this rank need not know:
    /// a joint may tie bodies of different ranks.
    virtual void
    add_global(const Index * /*unknowns*/,
               Index /*n*/,
               const double * /*block*/)
    {
      throw std::logic_error("this sink does not reach across ranks");
    }
  };

  /// Multiplies the Hessian with a vector instead of storing it; for systems
  /// whose blocks stay on the rank.
  class HessianMultiplier : public HessianSink
  {
  public:
    explicit HessianMultiplier(const Vector &direction)
      : factor(direction)
      , result(Vector::Zero(direction.size()))
    {}

    void
    add(const Index *unknowns, const Index n, const double *block) override
    {
      for (Index j = 0; j < n; ++j)
        if (unknowns[j] >= 0)
          for (Index i = 0; i < n; ++i)
            if (unknowns[i] >= 0)
              result(unknowns[i]) += block[j * n + i] * factor(unknowns[j]);
    }

    const Vector &
    product() const
    {
      return result;
    }

  private:
    const Vector &factor;
    Vector        result;
  };

  /// Keeps the diagonal of the Hessian alone; for systems whose blocks stay on
  /// the rank.
  class HessianDiagonal : public HessianSink
  {
  public:
    explicit HessianDiagonal(const Index n)
      : diagonal(Vector::Zero(n))
    {}

    void
    add(const Index *unknowns, const Index n, const double *block) override
    {
      for (Index i = 0; i < n; ++i)
        if (unknowns[i] >= 0)
          diagonal(unknowns[i]) += block[i * n + i];
    }

    Vector diagonal;
  };
} // namespace slender

#endif
