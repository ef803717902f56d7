// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_spread_h
#define slender_output_spread_h

#include <cstddef>
#include <cstdint>

namespace slender
{
  // Which of many states are drawn, so that a few pictures are spread evenly
  // over all of them. One rule where it is known how many there will be, and
  // one where it is not.

  /// Whether sample i of n is one of `count` that are spread evenly: it
  /// is in the middle of one of `count` equal parts.
  inline bool
  is_spread(const std::size_t i, const std::size_t n, const std::size_t count)
  {
    if (count >= n)
      return true;
    // The first middle that is not before i; middles are more than one apart.
    const std::size_t part = (2 * i * count + n - 1) / (2 * n);
    return count > 0 && i == (2 * part + 1) * n / (2 * count);
  }

  /**
   * How far apart the shapes of a series are when point i has come (the first
   * is 0) and nobody knows how many will: the smallest power of two with which
   * no more than 2 `count` shapes are drawn. When it doubles, every second
   * shape is removed, so that from the `count`-th point on there are between
   * `count` and 2 `count` of them, evenly spread. It depends on nothing but i,
   * so that there is nothing to save.
   */
  inline std::int64_t
  spread_stride(const std::int64_t i, const std::int64_t count)
  {
    std::int64_t stride = 1;
    while (count > 0 && i / stride >= 2 * count)
      stride *= 2;
    return stride;
  }
} // namespace slender

#endif
