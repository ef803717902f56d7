// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/director_rates.h>
#include <slender/models/rods/end_loads.h>

namespace slender::end_loads
{
  FollowingForce
  following_force(const Vector3 &in_frame, const Vector4 &q)
  {
    const quaternion::DirectorRates directors = quaternion::director_rates(q);
    FollowingForce                  result;
    result.force.setZero();
    result.rate.setZero();
    for (int i = 0; i < 3; ++i)
      {
        result.force += in_frame(i) * directors.directors.segment<3>(3 * i);
        result.rate += in_frame(i) * directors.rates.middleRows<3>(3 * i);
      }
    return result;
  }

  FixedMoment
  fixed_moment(const Vector3 &moment, const Vector4 &q)
  {
    Vector4 m;
    m << 0., moment;
    const Eigen::Matrix4d L = quaternion::left_matrix(m);
    const double          s = q.squaredNorm();
    FixedMoment           result;
    result.force = 2. / s * L * q;
    result.rate  = 2. / s * (L - result.force * q.transpose());
    return result;
  }
} // namespace slender::end_loads
