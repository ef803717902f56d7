// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_unknown_map_h
#define slender_models_unknown_map_h

#include <slender/base/layout.h>

#include <functional>
#include <vector>

namespace slender
{
  /**
   * The way from degrees of freedom to unknowns: prescribed degrees of freedom
   * are not unknowns, the others keep their order.
   *
   * A model's elements address an extended vector, [owned | ghosts |
   * prescribed], so that gathering needs no branch; positions from n_local()
   * on are prescribed values and are skipped when scattering.
   */
  class UnknownMap
  {
  public:
    UnknownMap() = default;

    /**
     * @param communicator of the body
     * @param n_dofs on all ranks together
     * @param owned_begin, owned_end the degrees of freedom this rank owns
     * @param relevant those of other ranks that its elements touch, in any
     *   order; its own may be among them
     * @param prescribed all prescribed ones of the body, on every rank
     */
    UnknownMap(MPI_Comm           communicator,
               Index              n_dofs,
               Index              owned_begin,
               Index              owned_end,
               std::vector<Index> relevant,
               std::vector<Index> prescribed);

    const Layout &
    layout() const;

    /// Position of an owned or relevant degree of freedom in the extended
    /// vector; throws std::out_of_range for others.
    Index
    position(Index dof) const;

    /// The prescribed ones among them, in the order in which the extended
    /// vector holds them.
    const std::vector<Index> &
    prescribed_dofs() const;

    /// [q | prescribed values].
    Vector
    extend(const Vector &q, const Vector &prescribed_values) const;

    /// A Vector of unknowns (owned and ghosts) with the value that `value`
    /// gives for each degree of freedom.
    Vector
    collect(const std::function<double(Index dof)> &value) const;

  private:
    Layout             the_layout;
    Index              owned_begin = 0, owned_end = 0;
    std::vector<Index> prescribed; ///< owned or relevant, ascending
    std::vector<Index> ghosts;     ///< degrees of freedom, ascending
  };
} // namespace slender

#endif
