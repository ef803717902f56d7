// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/ribbons/stretchable_elements.h>

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <limits>

namespace slender::ribbons
{
  namespace
  {
    using namespace stretchable;

    /// Local unknowns: tau, kappa_1, kappa_2 and epsilon at the beginning, in
    /// the middle and at the end; then chi and its scaled slope at both ends.
    constexpr int n_local = 16, n_fields = 4, first_chi = 12;

    using Shapes = Eigen::Matrix<double, n_inputs, n_local>;
    using Local  = Eigen::Matrix<double, n_local, 1>;

    /// Slopes of chi are unknowns times one over a length near their node, so
    /// that no unknown is softer than others because elements are short.
    Shapes
    shapes(const double x, const RibbonElements &elements, const Index element)
    {
      const double length = elements.length(element);
      const double before = elements.length(std::max(0, element - 1));
      const double behind =
        elements.length(std::min(element + 1, elements.n_elements() - 1));
      const double value[] = {(1. - x) * (1. - 2. * x),
                              4. * x * (1. - x),
                              x * (2. * x - 1.)};
      const double rate[]  = {4. * x - 3., 4. - 8. * x, 4. * x - 1.};
      Shapes       N       = Shapes::Zero();
      for (int node = 0; node < 3; ++node)
        {
          for (int field = 0; field < n_fields; ++field)
            N(field, n_fields * node + field) = value[node];
          N(tau_rate, n_fields * node) = rate[node] / length;
        }
      // Hermite's cubics.
      const double l = length;
      N.block<1, 4>(chi, first_chi) << 1. + x * x * (2. * x - 3.),
        l * x * (1. - x) * (1. - x), x * x * (3. - 2. * x),
        l * x * x * (x - 1.);
      N.block<1, 4>(chi_rate, first_chi) << 6. * x * (x - 1.) / l,
        (1. - x) * (1. - 3. * x), 6. * x * (1. - x) / l, x * (3. * x - 2.);
      N.block<1, 4>(chi_bend, first_chi) << (12. * x - 6.) / (l * l),
        (6. * x - 4.) / l, (6. - 12. * x) / (l * l), (6. * x - 2.) / l;
      N.col(first_chi + 1) *= 2. / (before + length);
      N.col(first_chi + 3) *= 2. / (length + behind);
      return N;
    }

    Local
    fixed(const LocalVector &u)
    {
      return u.head<n_local>();
    }

    /// The points and weights of a Gauss rule on [0, 1].
    template <unsigned int n>
    std::array<std::pair<double, double>, n>
    gauss_rule()
    {
      // Of the symmetric pairs Boost has those with x >= 0.
      using Gauss = boost::math::quadrature::gauss<double, n>;
      std::array<std::pair<double, double>, n> points;
      unsigned int                             i = 0;
      for (unsigned int k = 0; k < Gauss::abscissa().size(); ++k)
        for (const double sign : {-1., 1.})
          if (sign > 0. || Gauss::abscissa()[k] > 0.)
            points[i++] = {0.5 + 0.5 * sign * Gauss::abscissa()[k],
                           0.5 * Gauss::weights()[k]};
      return points;
    }
  } // namespace

  StretchableElements::StretchableElements(
    const std::vector<double> &element_ends,
    const bool                 clamped_start,
    const bool                 clamped_end)
    : RibbonElements(element_ends)
  {
    Index      next    = 0;
    const auto node_at = [&](const bool is_clamped, const bool is_vertex) {
      std::array<Index, n_fields + 2> node;
      node.fill(-1);
      for (int i = 0; i < (is_vertex ? n_fields + 2 : n_fields); ++i)
        if (!is_clamped || (i > 0 && i < n_fields))
          node[i] = next++;
      return node;
    };
    auto begin = node_at(clamped_start, true);
    for (Index element = 0; element < n_elements(); ++element)
      {
        const auto middle = node_at(false, false);
        const auto end =
          node_at(clamped_end && element + 1 == n_elements(), true);
        std::vector<Index> local;
        for (const auto &node : {begin, middle, end})
          local.insert(local.end(), node.begin(), node.begin() + n_fields);
        for (const auto &node : {begin, end})
          local.insert(local.end(), node.begin() + n_fields, node.end());
        add_element_unknowns(local);
        begin = end;
      }
  }

  Vector
  StretchableElements::initial_state(const Vector3 &strain) const
  {
    Vector q = Vector::Zero(n_unknowns());
    for (Index element = 0; element < n_elements(); ++element)
      for (int node = 0; node < 3; ++node)
        for (int field = 0; field < 3; ++field)
          if (const Index i = unknowns(element)[n_fields * node + field];
              i >= 0)
            q(i) = strain(field);
    return q;
  }

  Measures
  StretchableElements::measures(const Index        element,
                                const double       xi,
                                const LocalVector &u) const
  {
    const Shapes N = shapes(xi, *this, element);
    Measures     m;
    m.rate.resize(n_measures, n_local);
    m.rate.topRows<n_fields>() = N.topRows<n_fields>();
    m.rate.row(mass_offset)    = mass_offset_rate(the_section) * N.row(chi);
    m.value                    = m.rate * fixed(u);
    return m;
  }

  LocalMatrix
  StretchableElements::twist_hessian(Index /*element*/, double /*xi*/) const
  {
    return LocalMatrix();
  }

  Elastic
  StretchableElements::elastic(const Index element, const LocalVector &u) const
  {
    static const auto membrane_points = gauss_rule<3>();
    static const auto bending_points  = gauss_rule<4>();
    const double      l               = length(element);

    Elastic                                 result;
    Local                                   gradient = Local::Zero();
    Eigen::Matrix<double, n_local, n_local> hessian;
    hessian.setZero();
    const auto add = [&](const auto &points, const auto &law) {
      for (const auto &[xi, weight] : points)
        {
          const Shapes  N = shapes(xi, *this, element);
          const Density e = law(N * fixed(u), the_section);
          result.energy += l * weight * e.value;
          gradient += l * weight * N.transpose() * e.gradient;
          hessian += l * weight * N.transpose() * e.hessian * N;
        }
    };
    add(membrane_points, membrane);
    add(bending_points, bending);
    result.gradient = gradient;
    result.hessian  = hessian;
    return result;
  }

  double
  StretchableElements::density(const Index        element,
                               const double       xi,
                               const LocalVector &u) const
  {
    const Vector8 z = shapes(xi, *this, element) * fixed(u);
    return membrane(z, the_section).value + bending(z, the_section).value;
  }

  double
  StretchableElements::transverse_curvature(const Index        element,
                                            const double       xi,
                                            const LocalVector &u) const
  {
    return shapes(xi, *this, element).row(chi) * fixed(u);
  }

  std::optional<double>
  StretchableElements::slope(Index /*element*/,
                             double /*xi*/,
                             const LocalVector & /*u*/) const
  {
    return {};
  }

  double
  StretchableElements::longest_step(const Vector & /*q*/,
                                    const Vector & /*direction*/) const
  {
    return std::numeric_limits<double>::infinity();
  }
} // namespace slender::ribbons
