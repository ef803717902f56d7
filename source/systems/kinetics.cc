// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/layout.h>
#include <slender/systems/kinetics.h>

namespace slender
{
  Vector
  Kinetics::second_rates(const Vector &, const Vector &) const
  {
    return Vector::Zero(the_masses.size());
  }

  Vector
  Kinetics::frame_rates(const Vector &, const Vector &) const
  {
    return Vector::Zero(the_masses.size());
  }

  void
  Kinetics::add_mass(const Vector &q, HessianSink &sink) const
  {
    add_hessian(q, 1., Vector::Zero(the_masses.size()), sink);
  }

  double
  Kinetics::kinetic_energy(const Vector &rates) const
  {
    return 0.5 * rates.dot(the_masses.cwiseProduct(rates));
  }

  void
  Kinetics::Moments::add(const Moments &other)
  {
    mass += other.mass;
    first += other.first;
    second += other.second;
    linear_momentum += other.linear_momentum;
    angular_momentum += other.angular_momentum;
  }

  Kinetics::Moments
  sum_over_ranks(const Layout &layout, const Kinetics::Moments &mine)
  {
    Eigen::Matrix<double, 11, 1> all;
    all << mine.mass, mine.first, mine.second, mine.linear_momentum,
      mine.angular_momentum;
    MPI_Allreduce(MPI_IN_PLACE,
                  all.data(),
                  static_cast<int>(all.size()),
                  MPI_DOUBLE,
                  MPI_SUM,
                  layout.communicator);
    Kinetics::Moments sum;
    sum.mass             = all(0);
    sum.first            = all.segment<3>(1);
    sum.second           = all(4);
    sum.linear_momentum  = all.segment<3>(5);
    sum.angular_momentum = all.segment<3>(8);
    return sum;
  }
} // namespace slender
