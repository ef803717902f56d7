// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_node_points_h
#define slender_models_node_points_h

#include <slender/systems/system.h>
#include <slender/systems/touching_points.h>

#include <array>

namespace slender
{
  /// The nodes of a body whose places are among its unknowns,
  ///
  ///   x = X + unit u.
  class NodePoints : public TouchingPoints
  {
  public:
    NodePoints(const System &system,
               double        length_unit,
               bool          give_way_by_diagonal = true);

    /// A node that this rank owns: where its three numbers stand in the
    /// full_state(), and its offset [length]. One that cannot move at all is
    /// left out.
    void
    add(const std::array<Index, 3> &positions,
        const Vector3              &offset,
        const std::string          &name);

    Index
    size() const override
    {
      return static_cast<Index>(nodes.size());
    }

    std::string
    name(Index point) const override
    {
      return nodes[point].name;
    }

    bool
    give_way_by_diagonal() const override
    {
      return by_diagonal;
    }

    Eigen::Matrix3Xd
    places(const Vector &q) const override;

    std::vector<Rates>
    rates(const Vector &q, const std::vector<Index> &points) const override;

  private:
    struct Node
    {
      std::array<Index, 3> positions;
      Vector3              offset;
      std::string          name;
    };

    const System     &system;
    double            unit;
    bool              by_diagonal;
    std::vector<Node> nodes;
  };
} // namespace slender

#endif
