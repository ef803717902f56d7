// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/mass_points.h>

#include <Eigen/Geometry>

namespace slender::mass_points
{
  Vector
  masses(const std::vector<double> &lengths,
         const RodBody             &body,
         const bool                 has_directors)
  {
    std::vector<double> result;
    for (const double element : lengths)
      for (const double w : weights)
        {
          const double length = w * element * body.length;
          result.insert(result.end(), 3, body.mass_per_length * length);
          if (has_directors)
            for (const double rotary : {body.rotary_1, body.rotary_2})
              result.insert(result.end(), 3, rotary * length);
        }
    return Eigen::Map<const Vector>(result.data(),
                                    static_cast<Index>(result.size()));
  }

  Kinetics::Moments
  moments(const Vector &masses,
          const Index   stride,
          const Vector &y,
          const Vector &rates)
  {
    Kinetics::Moments sum;
    for (Index at = 0; at < y.size(); at += 3)
      {
        const double  m = masses(at);
        const Vector3 x = y.segment<3>(at), v = rates.segment<3>(at);
        sum.angular_momentum += m * x.cross(v);
        if (at % stride == 0)
          {
            sum.mass += m;
            sum.first += m * x;
            sum.second += m * x.squaredNorm();
            sum.linear_momentum += m * v;
          }
      }
    return sum;
  }

  Vector
  rates_in(const VelocityField &field, const Index stride, const Vector &y)
  {
    Vector dy = y;
    for (Index at = 0; at < dy.size(); at += stride)
      {
        const Vector3 x   = y.segment<3>(at);
        dy.segment<3>(at) = field.velocity(x);
        if (stride == 3)
          continue;
        const Vector3 d1 = y.segment<3>(at + 3), d2 = y.segment<3>(at + 6);
        const Vector3 spin    = field.spin(x, d1.cross(d2));
        dy.segment<3>(at + 3) = spin.cross(d1);
        dy.segment<3>(at + 6) = spin.cross(d2);
      }
    return dy;
  }
} // namespace slender::mass_points
