// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/validation/cantilever_samples.h>
#include <slender/validation/stiffness_fit.h>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    /// Both tails of what is left out of 95 %.
    constexpr double upper_tail = 0.025;

    /// A column that holds one value for all samples.
    std::optional<double>
    constant(const SampleColumns &columns, const std::string &name)
    {
      if (!columns.has(name))
        return {};
      const double value = columns.number(name, 0);
      for (std::size_t i = 1; i < columns.n_samples(); ++i)
        if (columns.number(name, i) != value)
          columns.complain(i,
                           "'" + name +
                             "' differs from that of the first sample; one "
                             "strip has one");
      return value;
    }
  } // namespace

  StiffnessFit
  fit_stiffness(const std::vector<double>  &gammas,
                const std::vector<double>  &aspect_ratios,
                const std::optional<double> noise)
  {
    const std::size_t n = gammas.size();
    if (n < 1 || (n < 2 && !noise))
      throw InputError("a fit with its uncertainty needs at least two samples, "
                       "or one and --noise");
    const CantileverCurve master;
    StiffnessFit          fit{};
    fit.n_samples = n;
    // The samples' own stiffnesses, weighted by how well they tell them, are a
    // first guess; Gauss and Newton do the rest.
    double sum = 0., weights = 0.;
    for (std::size_t i = 0; i < n; ++i)
      {
        const double gamma  = master.gamma_of(aspect_ratios[i]);
        const double weight = std::pow(master.slope(gamma), 2);
        sum += weight * std::log(gammas[i] / gamma);
        weights += weight;
      }
    double     logarithm = sum / weights, information = 0., squares = 0.;
    const auto residual = [&](const std::size_t i) {
      return std::log(aspect_ratios[i] /
                      master.interpolated(gammas[i] / std::exp(logarithm)));
    };
    for (int iteration = 0; iteration < 50; ++iteration)
      {
        double gradient = 0.;
        information = squares = 0.;
        for (std::size_t i = 0; i < n; ++i)
          {
            // The stiffer, the less it droops.
            const double slope = master.slope(gammas[i] / std::exp(logarithm));
            gradient -= slope * residual(i);
            information += slope * slope;
            squares += residual(i) * residual(i);
          }
        const double step = gradient / information;
        logarithm += step;
        if (std::abs(step) < 1e-13)
          break;
      }
    for (std::size_t i = 0; i < n; ++i)
      if (std::abs(residual(i)) >= std::abs(fit.worst))
        {
          fit.worst        = residual(i);
          fit.worst_sample = i;
        }
    fit.scatter = n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : 0.;
    fit.standard_error = noise.value_or(fit.scatter) / std::sqrt(information);
    const double quantile =
      noise
        ? boost::math::quantile(
            boost::math::complement(boost::math::normal(), upper_tail))
        : boost::math::quantile(boost::math::complement(
            boost::math::students_t(static_cast<double>(n - 1)), upper_tail));
    fit.factor = std::exp(logarithm);
    fit.low    = fit.factor * std::exp(-quantile * fit.standard_error);
    fit.high   = fit.factor * std::exp(quantile * fit.standard_error);
    return fit;
  }

  DroopMeasurements
  read_droops(const Table &table, const std::string &source)
  {
    const SampleColumns columns(table, source);
    DroopMeasurements   droops{};
    const bool          has_stiffness =
      columns.has("gamma") || columns.has("EI") || columns.has("E");
    droops.is_in_units = !has_stiffness;
    if (!has_stiffness)
      {
        if (!columns.has("L"))
          columns.require("gamma", "'L'");
        if (!columns.has("mass_per_length"))
          columns.require("mass", "'mass_per_length'");
      }
    for (std::size_t i = 0; i < columns.n_samples(); ++i)
      {
        droops.aspect_ratios.push_back(cantilever_aspect_ratio(columns, i));
        if (has_stiffness)
          {
            droops.gammas.push_back(cantilever_gamma(columns, i));
            continue;
          }
        const double mass_per_length =
          columns.has("mass_per_length")
            ? columns.positive("mass_per_length", i)
            : columns.positive("mass", i) / columns.positive("total_length", i);
        droops.gammas.push_back(mass_per_length *
                                columns.positive_or("g", i, standard_gravity) *
                                std::pow(columns.positive("L", i), 3));
        droops.longest = std::max(droops.longest, columns.number("L", i));
        if (columns.has("H") && columns.number("H", i) > columns.number("L", i))
          columns.complain(i, "'H' is larger than 'L'; both are in metres");
        // A ruler's error is allowed for.
        if (columns.has("H") && columns.has("W") &&
            std::hypot(columns.number("H", i), columns.number("W", i)) >
              1.05 * columns.number("L", i))
          columns.complain(i,
                           "'H' and 'W' are farther from the clamp than 'L' "
                           "reaches; all are in metres");
      }
    if (droops.is_in_units)
      {
        droops.width     = constant(columns, "width");
        droops.thickness = constant(columns, "thickness");
        droops.poisson   = constant(columns, "poisson");
        for (const auto *length : {&droops.width, &droops.thickness})
          if (*length && !(**length > 0.))
            columns.complain("'width' and 'thickness' are positive lengths");
      }
    return droops;
  }
} // namespace slender
