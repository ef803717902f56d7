// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_places_h
#define slender_base_places_h

#include <slender/base/types.h>

#include <cstdint>
#include <vector>

namespace slender
{
  /**
   * Where the numbers of a rank's Vector stand in the whole vector as it is
   * saved, whose order depends on the body alone and not on the number of
   * ranks.
   *
   * Entry k says that the local value `numbers[k]` stands at `places[k]`. One
   * local value may stand at several places (a node of a closed curve that is
   * counted twice), and several ranks may name the same place (ghosts); they
   * then hold the same value. Places that nobody names (of prescribed values)
   * are zero.
   */
  struct Places
  {
    std::int64_t              size = 0; ///< of the whole, on all ranks alike
    std::vector<std::int64_t> places;   ///< each in [0, size)
    std::vector<Index>        numbers;  ///< as many as places
  };
} // namespace slender

#endif
