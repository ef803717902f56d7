// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_places_h
#define slender_base_places_h

#include <slender/base/types.h>

#include <cstdint>
#include <vector>

namespace slender
{
  /**
   * Where one rank's values stand in a whole that does not depend on the
   * number of ranks: the local value numbers[k] stands at places[k] of `size`
   * values. One local value may stand at several places, several ranks may
   * name the same place with the same value, and some places may be named by
   * none.
   */
  struct Places
  {
    std::int64_t              size = 0;
    std::vector<std::int64_t> places;
    std::vector<Index>        numbers;
  };
} // namespace slender

#endif
