// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/systems/spring.h>

#include <cmath>
#include <utility>

namespace slender
{
  Spring::Spring(Hold         one,
                 Hold         other,
                 const double its_stiffness,
                 const double its_length)
    : PairTerm(std::move(one), {std::move(other)})
    , stiffness(its_stiffness)
    , length(its_length)
    , was_active(stiffness != 0.)
  {
    add_parameter("stiffness",
                  "stiffness of the spring [force/length]",
                  stiffness,
                  1.);
    add_parameter("length",
                  "length of the spring without force [length]",
                  length,
                  1.);
  }

  void
  Spring::parameters_changed()
  {
    if (is_active() != was_active)
      ++changes;
    was_active = is_active();
  }

  double
  Spring::value(std::size_t /*pair*/, const PairNumbers &numbers) const
  {
    const Vector3 along =
      numbers.segment<3>(Marker::n_numbers) - numbers.head<3>();
    return 0.5 * stiffness * std::pow(along.norm() - length, 2);
  }

  Spring::PairNumbers
  Spring::slope(std::size_t /*pair*/, const PairNumbers &numbers) const
  {
    const Vector3 along =
      numbers.segment<3>(Marker::n_numbers) - numbers.head<3>();
    // Ends that meet pull in no direction.
    const double  size                   = along.norm();
    const Vector3 force                  = size > 0.
                                             ? Vector3(stiffness * (1. - length / size) * along)
                                             : Vector3::Zero();
    PairNumbers   result                 = PairNumbers::Zero();
    result.head<3>()                     = -force;
    result.segment<3>(Marker::n_numbers) = force;
    return result;
  }

  Spring::PairMatrix
  Spring::bend(std::size_t /*pair*/, const PairNumbers &numbers) const
  {
    constexpr int   n     = Marker::n_numbers;
    const Vector3   along = numbers.segment<3>(n) - numbers.head<3>();
    const double    size  = along.norm();
    Eigen::Matrix3d K     = stiffness * Eigen::Matrix3d::Identity();
    if (size > 0.)
      {
        const Vector3 t = along / size;
        K -= stiffness * length / size *
             (Eigen::Matrix3d::Identity() - t * t.transpose());
      }
    PairMatrix result        = PairMatrix::Zero();
    result.block<3, 3>(0, 0) = K;
    result.block<3, 3>(0, n) = -K;
    result.block<3, 3>(n, 0) = -K;
    result.block<3, 3>(n, n) = K;
    return result;
  }
} // namespace slender
