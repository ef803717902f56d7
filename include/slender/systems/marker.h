// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_marker_h
#define slender_systems_marker_h

#include <slender/base/types.h>

#include <array>
#include <vector>

namespace slender
{
  /**
   * A material point of a body that something outside of it takes hold of: the
   * way from the body's unknowns to a position and three directions there, and
   * the way back for forces and stiffnesses.
   *
   * It is evaluated on the one rank that owns it.
   */
  class Marker
  {
  public:
    static constexpr int n_numbers = 12;

    /// Position, then the directions 1, 2, 3, in the user's units.
    using Numbers = Eigen::Matrix<double, n_numbers, 1>;

    /// How the numbers depend on the unknowns near a state.
    struct Linearisation
    {
      Numbers            numbers;
      std::vector<Index> unknowns; ///< local numbers, negative if prescribed
      Eigen::Matrix<double, n_numbers, Eigen::Dynamic> rates;
    };

    virtual ~Marker() = default;

    virtual bool
    is_mine() const = 0;

    /// Which of the directions belong to a frame that moves rigidly: all of a
    /// rod's section, but only the normal of a shell.
    virtual std::array<bool, 3>
    rigid_directions() const
    {
      return {{true, true, true}};
    }

    // On the rank that owns it, at a share of the body's vector.

    virtual Linearisation
    linearise(const Vector &q) const = 0;

    /// sum_i weights_i d2 numbers_i / dq2, in the order of the unknowns.
    virtual Eigen::MatrixXd
    curvature(const Vector &q, const Numbers &weights) const = 0;
  };
} // namespace slender

#endif
