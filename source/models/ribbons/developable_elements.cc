// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/ribbons/developable_elements.h>

#include <algorithm>

namespace slender::ribbons
{
  namespace
  {
    /// Local unknowns: omega at both ends, eta at both ends.
    constexpr int n_local = 4;

    /// Shape functions of (omega, eta, eta') in an element.
    Eigen::Matrix<double, 3, n_local>
    shapes(const double xi, const double length)
    {
      Eigen::Matrix<double, 3, n_local> N;
      N << 1. - xi, xi, 0., 0., //
        0., 0., 1. - xi, xi,    //
        0., 0., -1. / length, 1. / length;
      return N;
    }

    Eigen::Vector4d
    fixed(const LocalVector &u)
    {
      return u.head<n_local>();
    }
  } // namespace

  DevelopableElements::DevelopableElements(
    const std::vector<double> &element_ends,
    const DevelopableEnergy    which,
    const double               stiffness_of_slope,
    const bool                 clamped_slope)
    : RibbonElements(element_ends)
    , energy(which)
    , slope_stiffness(stiffness_of_slope)
  {
    // omega, eta at one node after the other; eta of the first may be fixed.
    const Index before = clamped_slope ? 1 : 0;
    const auto  omega  = [&](const Index node) {
      return node == 0 ? 0 : 2 * node - before;
    };
    const auto eta = [&](const Index node) {
      return node == 0 && clamped_slope ? -1 : 2 * node + 1 - before;
    };
    for (Index e = 0; e < n_elements(); ++e)
      add_element_unknowns({omega(e), omega(e + 1), eta(e), eta(e + 1)});
  }

  Vector
  DevelopableElements::initial_state(const Vector3 &strain) const
  {
    Vector q = Vector::Zero(n_unknowns());
    for (Index element = 0; element < n_elements(); ++element)
      for (int i = 0; i < 2; ++i)
        q(unknowns(element)[i]) = strain(curvature_1);
    return q;
  }

  Measures
  DevelopableElements::measures(const Index        element,
                                const double       xi,
                                const LocalVector &u) const
  {
    const auto            N = shapes(xi, length(element));
    const Eigen::Vector3d z = N * fixed(u);
    Measures              m;
    m.value << z(0) * z(1), z(0), 0., 0., 0.;
    m.rate.setZero(n_measures, n_local);
    m.rate.row(twist)       = z(1) * N.row(0) + z(0) * N.row(1);
    m.rate.row(curvature_1) = N.row(0);
    return m;
  }

  LocalMatrix
  DevelopableElements::twist_hessian(const Index element, const double xi) const
  {
    const auto N = shapes(xi, length(element));
    return N.row(0).transpose() * N.row(1) + N.row(1).transpose() * N.row(0);
  }

  Wunderlich
  DevelopableElements::at(const Index        element,
                          const double       xi,
                          const LocalVector &u) const
  {
    const Eigen::Vector3d z = shapes(xi, length(element)) * fixed(u);
    Wunderlich            e;
    e.width = energy == DevelopableEnergy::wunderlich ? the_section.width : 0.;
    e.poisson = the_section.poisson;
    e.natural = the_section.natural_strain(curvature_1);
    e.evaluate(z(0), z(1), z(2));
    e.value += slope_stiffness * z(1) * z(1);
    e.gradient(1) += 2. * slope_stiffness * z(1);
    e.hessian(1, 1) += 2. * slope_stiffness;
    return e;
  }

  Elastic
  DevelopableElements::elastic(const Index element, const LocalVector &u) const
  {
    Eigen::Vector4d gradient = Eigen::Vector4d::Zero();
    Eigen::Matrix4d hessian  = Eigen::Matrix4d::Zero();
    Elastic         result;
    // A polynomial of degree six, as eta' is constant in the element: four of
    // the eight points would do.
    for (int g = 0; g < n_points; ++g)
      {
        const double xi     = curvature::rule().points(g);
        const double weight = 0.5 * bending_stiffness() * length(element) *
                              curvature::rule().weights(g);
        const auto       N = shapes(xi, length(element));
        const Wunderlich e = at(element, xi, u);
        result.energy += weight * e.value;
        gradient += weight * N.transpose() * e.gradient;
        hessian += weight * N.transpose() * e.hessian * N;
      }
    result.gradient = gradient;
    result.hessian  = hessian;
    return result;
  }

  double
  DevelopableElements::density(const Index        element,
                               const double       xi,
                               const LocalVector &u) const
  {
    return 0.5 * bending_stiffness() * at(element, xi, u).value;
  }

  double
  DevelopableElements::transverse_curvature(const Index        element,
                                            const double       xi,
                                            const LocalVector &u) const
  {
    const Eigen::Vector3d z = shapes(xi, length(element)) * fixed(u);
    return z(0) * z(1) * z(1);
  }

  std::optional<double>
  DevelopableElements::slope(const Index        element,
                             const double       xi,
                             const LocalVector &u) const
  {
    return shapes(xi, length(element)).row(1).dot(fixed(u));
  }

  double
  DevelopableElements::longest_step(const Vector &q,
                                    const Vector &direction) const
  {
    // Straight lines may not meet on the ribbon: |w eta'| < 2.
    constexpr double share   = 0.9; // of the way there
    double           longest = std::numeric_limits<double>::infinity();
    if (energy == DevelopableEnergy::sadowsky)
      return longest;
    for (Index element = 0; element < n_elements(); ++element)
      {
        const auto rate = [&](const Vector &v) {
          const LocalVector u = gather(element, v);
          return the_section.width * (u(3) - u(2)) / length(element);
        };
        const double here = rate(q), change = rate(direction);
        if (change != 0. && std::abs(here) < 2.)
          longest =
            std::min(longest,
                     share * ((change > 0. ? 2. : -2.) - here) / change);
      }
    return longest;
  }
} // namespace slender::ribbons
