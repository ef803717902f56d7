// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/contact_load.h>
#include <slender/systems/structure.h>

namespace slender
{
  ContactLoad::ContactLoad(const TouchingPoints &the_points)
    : points(the_points)
  {}

  void
  ContactLoad::set(const std::vector<Force> &the_forces)
  {
    loaded.clear();
    stiffnesses.clear();
    forces.resize(3, static_cast<Index>(the_forces.size()));
    for (const Force &one : the_forces)
      {
        forces.col(static_cast<Index>(loaded.size())) = one.force;
        loaded.push_back(one.point);
        stiffnesses.push_back(one.stiffness);
      }
  }

  void
  ContactLoad::join(const Structure &the_structure)
  {
    structure = &the_structure;
  }

  double
  ContactLoad::energy(const Vector &q) const
  {
    const Eigen::Matrix3Xd x   = points.places(q);
    double                 sum = 0.;
    for (std::size_t i = 0; i < loaded.size(); ++i)
      sum -= forces.col(static_cast<Index>(i)).dot(x.col(loaded[i]));
    return sum / structure->energy_unit();
  }

  void
  ContactLoad::add_gradient(const Vector &q, Vector &gradient) const
  {
    const auto rates = points.rates(q, loaded);
    for (std::size_t i = 0; i < loaded.size(); ++i)
      {
        const Vector f = rates[i].rates.transpose() *
                         forces.col(static_cast<Index>(i)) /
                         structure->energy_unit();
        for (std::size_t k = 0; k < rates[i].unknowns.size(); ++k)
          if (rates[i].unknowns[k] >= 0)
            gradient(rates[i].unknowns[k]) -= f(static_cast<Index>(k));
      }
  }

  void
  ContactLoad::add_hessian(const Vector &q, HessianSink &sink) const
  {
    const double unit  = structure->energy_unit();
    const auto   rates = points.rates(q, loaded);
    points.add_load_hessian(q, loaded, forces / unit, sink);
    for (std::size_t i = 0; i < loaded.size(); ++i)
      if (!stiffnesses[i].isZero(0.))
        {
          const Eigen::MatrixXd block =
            rates[i].rates.transpose() * stiffnesses[i] * rates[i].rates / unit;
          sink.add(rates[i].unknowns.data(), block.rows(), block.data());
        }
  }

  void
  ContactLoad::add_hessian_times(const Vector &q,
                                 const Vector &direction,
                                 Vector       &product) const
  {
    HessianMultiplier multiplier(direction);
    add_hessian(q, multiplier);
    product += multiplier.product();
  }
} // namespace slender
