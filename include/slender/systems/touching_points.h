// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_touching_points_h
#define slender_systems_touching_points_h

#include <slender/systems/hessian_sink.h>

#include <string>
#include <vector>

namespace slender
{
  /**
   * The material points of a body that can touch something: their places as
   * functions of its unknowns, in the user's unit of length. Every point
   * stands on one rank; numbers of points are that rank's own.
   *
   * It refers to the body, which outlives it.
   */
  class TouchingPoints
  {
  public:
    virtual ~TouchingPoints() = default;

    virtual Index
    size() const = 0;

    /// Where a point is on the body, for those who read: "s = 0.5".
    virtual std::string
    name(Index point) const = 0;

    virtual Eigen::Matrix3Xd
    places(const Vector &q) const = 0;

    /// Whether the diagonal of the body's Hessian tells how a point gives way
    /// while its neighbours are held. Not where they keep their distances
    /// within an element by a penalty: the diagonal is as stiff as that.
    virtual bool
    give_way_by_diagonal() const
    {
      return true;
    }

    /// How one of them moves with the unknowns.
    struct Rates
    {
      std::vector<Index> unknowns; ///< local numbers, negative if prescribed
      Eigen::Matrix3Xd   rates;
    };

    virtual std::vector<Rates>
    rates(const Vector &q, const std::vector<Index> &points) const = 0;

    /// Adds -sum_i f_i . d2x_i/dq2 for forces on some of them: the stiffness of
    /// dead loads. Nothing where places are linear in the unknowns.
    virtual void
    add_load_hessian(const Vector & /*q*/,
                     const std::vector<Index> & /*points*/,
                     const Eigen::Matrix3Xd & /*forces*/,
                     HessianSink & /*sink*/) const
    {}
  };
} // namespace slender

#endif
