// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/lagged_friction.h>

namespace slender::contact
{
  LaggedFriction::Slip
  LaggedFriction::slip(const Vector3 &displacement) const
  {
    Slip result;
    result.tangential = displacement - normal * normal.dot(displacement);
    result.length     = result.tangential.norm();
    const double w0 = width, y = result.length;
    if (y < w0)
      {
        result.energy = limit * (y * y / w0 - y * y * y / (3. * w0 * w0));
        result.slope_over_length = limit * (2. - y / w0) / w0;
        result.bend              = limit * (2. - 2. * y / w0) / w0;
      }
    else
      {
        result.energy            = limit * (y - w0 / 3.);
        result.slope_over_length = limit / y;
        result.bend              = 0.;
      }
    return result;
  }

  Vector3
  LaggedFriction::force(const Vector3 &displacement) const
  {
    const Slip s = slip(displacement);
    return s.slope_over_length * s.tangential;
  }

  Eigen::Matrix3d
  LaggedFriction::stiffness(const Vector3  &displacement,
                            const Stiffness kind) const
  {
    const Slip      s = slip(displacement);
    Eigen::Matrix3d H = s.slope_over_length * (Eigen::Matrix3d::Identity() -
                                               normal * normal.transpose());
    if (s.length > 0. && kind == Stiffness::tangent)
      {
        const Vector3 e = s.tangential / s.length;
        H += ((s.bend - s.slope_over_length) * e) * e.transpose();
      }
    return H;
  }
} // namespace slender::contact
