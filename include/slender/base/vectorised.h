// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_vectorised_h
#define slender_base_vectorised_h

/**
 * Before a function: it is built for the baseline instruction set and once more
 * for AVX2 and FMA, and the loader takes what the machine has. Of use for plain
 * loops over arrays, which the compiler vectorises; Eigen decides about its
 * instructions when it is preprocessed. What is called has to be inlined to be
 * built alike.
 *
 * Products that are fused with sums round once instead of twice: the last
 * digits depend on the machine, but not on the run.
 *
 * The address sanitiser instruments what chooses between the two before it is
 * ready for that, and clang-tidy has no use for it.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
  !defined(__SANITIZE_ADDRESS__)
#  define SLENDER_VECTORISED \
    __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#  define SLENDER_VECTORISED
#endif

/// Before a function that only vectorised ones call.
#if defined(__GNUC__)
#  define SLENDER_INLINED inline __attribute__((always_inline))
#else
#  define SLENDER_INLINED inline
#endif

namespace slender
{
  /// Four numbers that are added and multiplied together, wherever they begin.
  typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

  SLENDER_INLINED Four &
  four(double *at)
  {
    return *reinterpret_cast<Four *>(at);
  }

  SLENDER_INLINED const Four &
  four(const double *at)
  {
    return *reinterpret_cast<const Four *>(at);
  }
} // namespace slender

#endif
