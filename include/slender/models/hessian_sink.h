// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_hessian_sink_h
#define slender_models_hessian_sink_h

#include <slender/base/types.h>

namespace slender
{
  /**
   * Where a model's Hessian goes, block by block. A model does not know
   * whether that is a distributed PETSc matrix, a banded factorisation of one
   * rank, or a list of couplings from which a pattern is made.
   */
  class HessianSink
  {
  public:
    virtual ~HessianSink() = default;

    /// Adds a symmetric n x n block. `unknowns` are local numbers; a negative
    /// one belongs to a prescribed value, its row and column are skipped.
    virtual void
    add(const Index *unknowns, Index n, const double *block) = 0;
  };
} // namespace slender

#endif
