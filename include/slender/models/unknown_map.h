// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_unknown_map_h
#define slender_models_unknown_map_h

#include <slender/base/layout.h>

#include <functional>
#include <map>
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
     * @param relevant those that its elements touch, in any order
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

    /// Position of a relevant degree of freedom in the extended vector.
    Index
    position(Index dof) const;

    /// The relevant prescribed degrees of freedom in the order in which the
    /// extended vector holds them.
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
    Layout                 the_layout;
    std::vector<Index>     local_dofs; ///< dof of each local unknown
    std::vector<Index>     prescribed;
    std::map<Index, Index> positions;
  };
} // namespace slender

#endif
