// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/systems/joint.h>

#include <utility>

namespace slender
{
  namespace
  {
    /// How many times as stiff as the bodies a joint is that should not give.
    constexpr double stiffer = 1e9;
  } // namespace

  JointStiffness
  JointStiffness::rigid(const double energy_unit, const double length)
  {
    return {stiffer * energy_unit / (length * length), stiffer * energy_unit};
  }

  Joint::Joint(Hold                  one,
               std::vector<Hold>     the_others,
               const JointStiffness &how_stiff,
               const Freedom         the_freedom,
               const Vector3        &the_axis)
    : PairTerm(std::move(one), std::move(the_others))
    , stiffness(how_stiff)
    , freedom(the_freedom)
    , axis(the_axis.normalized())
  {}

  void
  Joint::join(const Structure &whole)
  {
    PairTerm::join(whole);
    const std::vector<PairNumbers> rest = numbers_at(whole.initial_state());
    for (std::size_t i = 0; i < rest.size(); ++i)
      {
        constexpr int n     = Marker::n_numbers;
        using Row           = Eigen::Matrix<double, 3, n_pair>;
        const auto identity = Eigen::Matrix3d::Identity();
        const auto vector   = [&](const int begin) {
          return Vector3(rest[i].segment<3>(begin));
        };
        Eigen::Matrix3d frame;
        frame << vector(3), vector(6), vector(9);

        PairMatrix sum = PairMatrix::Zero();
        // Adds 1/2 k |(direction of the other) - (the same in the frame)|^2.
        const auto keep = [&](Row row, const Vector3 &direction, double k) {
          const Vector3 in_frame = frame.transpose() * direction;
          for (int j = 0; j < 3; ++j)
            row.block<3, 3>(0, 3 + 3 * j) -= in_frame(j) * identity;
          sum += k * row.transpose() * row;
        };

        Row position               = Row::Zero();
        position.block<3, 3>(0, 0) = -identity;
        position.block<3, 3>(0, n) = identity;
        keep(position, vector(n) - vector(0), stiffness.position);
        const auto is_rigid = mine()[i].marker->rigid_directions();
        if (freedom == Freedom::none)
          for (int j = 0; j < 3; ++j)
            if (is_rigid[j])
              {
                Row row                           = Row::Zero();
                row.block<3, 3>(0, n + 3 + 3 * j) = identity;
                keep(row, vector(n + 3 + 3 * j), stiffness.rotation);
              }
        if (freedom == Freedom::hinge)
          {
            Row row = Row::Zero();
            for (int j = 0; j < 3; ++j)
              row.block<3, 3>(0, n + 3 + 3 * j) =
                axis.dot(vector(n + 3 + 3 * j)) * identity;
            keep(row, axis, stiffness.rotation);
          }
        bends.push_back(sum);
      }
  }

  double
  Joint::value(const std::size_t pair, const PairNumbers &numbers) const
  {
    return 0.5 * numbers.dot(bends[pair] * numbers);
  }

  Joint::PairNumbers
  Joint::slope(const std::size_t pair, const PairNumbers &numbers) const
  {
    return bends[pair] * numbers;
  }

  Joint::PairMatrix
  Joint::bend(const std::size_t pair, const PairNumbers & /*numbers*/) const
  {
    return bends[pair];
  }
} // namespace slender
