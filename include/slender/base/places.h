// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_places_h
#define slender_base_places_h

#include <slender/base/types.h>

#include <cstdint>
#include <vector>

namespace slender
{
  /**
   * Where the numbers that one rank holds stand in a whole that does not depend
   * on the number of ranks: the rank's value numbers[k] stands at places[k].
   * One value may stand at several places, and several ranks may hold the same
   * place, with the same value.
   */
  struct Places
  {
    std::int64_t              size = 0; ///< of the whole
    std::vector<std::int64_t> places;
    std::vector<Index>        numbers;
  };
} // namespace slender

#endif
