// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/bend_twist_plane.h>
#include <slender/validation/cantilever_curve.h>
#include <slender/validation/lateral_buckling_plane.h>
#include <slender/validation/score_hints.h>
#include <slender/validation/stick_slip_curve.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    /// Errors below this are no mistakes.
    constexpr double one_per_cent = 0.01;

    std::string
    as_text(const double number)
    {
      std::ostringstream out;
      out << std::setprecision(3) << number;
      return out.str();
    }

    double
    mean(const std::vector<double> &values)
    {
      double sum = 0.;
      for (const double value : values)
        sum += value;
      return sum / static_cast<double>(values.size());
    }

    double
    scatter(const std::vector<double> &values)
    {
      const double centre = mean(values);
      double       sum    = 0.;
      for (const double value : values)
        sum += (value - centre) * (value - centre);
      return std::sqrt(sum / static_cast<double>(values.size()));
    }

    double
    largest(const std::vector<double> &values)
    {
      double result = 0.;
      for (const double value : values)
        result = std::max(result, std::abs(value));
      return result;
    }

    /// Von Neumann's ratio of the mean square of successive differences to the
    /// variance: about 2 for noise, near 0 for a smooth error.
    double
    roughness(const std::vector<double> &values)
    {
      double sum = 0.;
      for (std::size_t i = 1; i < values.size(); ++i)
        sum += std::pow(values[i] - values[i - 1], 2);
      return sum / static_cast<double>(values.size() - 1) /
             std::pow(std::max(scatter(values), 1e-300), 2);
    }

    /// Where a stiffness may have come from that is `factor` times the right
    /// one.
    std::string
    origin_of(const double factor)
    {
      // A mesh that is not fine adds its own per cents; 9.81 is not 10.
      const auto is = [&](const double value, const double tolerance = 0.04) {
        return std::abs(factor / value - 1.) < tolerance;
      };
      if (is(9.81, 0.01) || is(1. / 9.81, 0.01))
        return "9.81: the acceleration of gravity is missing, or is there "
               "twice";
      const double decades = std::log10(factor);
      if (std::abs(decades) > 0.9 &&
          std::abs(decades - std::round(decades)) < 0.01)
        return "a power of ten: units (mm and m, g and kg, cm and m)";
      if (is(0.25))
        return "1/4: Bridson's bending of a hinge taken for D, or a radius "
               "taken for a diameter";
      if (is(4.))
        return "4: a diameter taken for a radius";
      if (is(16.) || is(1. / 16.))
        return "16: a diameter and a radius in the moment of area";
      if (is(3.))
        return "3: Grinspun's bending of a hinge, or Projective Dynamics with "
               "the weight D (alpha = 1/3 is right), on a body that bends in "
               "one direction only";
      if (is(1. / 3.))
        return "1/3: the weight of a hinge was divided by three where that was "
               "done already";
      if (is(12.) || is(1. / 12.))
        return "12: that of h^3/12";
      if (is(2.) || is(0.5))
        return "2: an edge counted twice, or E I/2 in the place of E I";
      if (is(8.) || is(0.125))
        return "8: half of the length or of the thickness, cubed";
      if (factor > 0.74 && factor < 0.99)
        return "1 - nu^2 for nu = " + as_text(std::sqrt(1. - factor)) +
               ": E h^3/12 in the place of the plate's D, or a narrow ribbon "
               "whose edges curl, scored by D";
      if (factor > 1.01 && factor < 1.34)
        return "1/(1 - nu^2) for nu = " + as_text(std::sqrt(1. - 1. / factor)) +
               ": the plate's D in the place of E I";
      return "";
    }

    std::string
    sentence_on_factor(const double       factor,
                       const std::string &what,
                       const std::string &which = "the whole curve")
    {
      const std::string origin = origin_of(factor);
      return which + " is that of " + what + " " + as_text(factor) +
             " times the right one" +
             (origin.empty() ? ": a constant factor" : ", perhaps " + origin);
    }

    /// A set of logarithms of ratios that are the same everywhere.
    bool
    is_constant_factor(const std::vector<double> &logarithms)
    {
      return std::abs(mean(logarithms)) > one_per_cent &&
             scatter(logarithms) < 0.12 * std::abs(mean(logarithms));
    }

    constexpr const char *words_on_noise =
      "the errors jump from sample to sample: the solver has not converged, "
      "or the shape was read before it was at rest";

    bool
    is_noise(const std::vector<double> &logarithms)
    {
      return logarithms.size() > 7 && scatter(logarithms) > one_per_cent &&
             roughness(logarithms) > 0.8;
    }

    // ------------------------------------------------------- Cantilever ---

    std::string
    sentence_on_ratio(const std::vector<double> &logarithms)
    {
      return "H/W is " + as_text(std::exp(mean(logarithms))) +
             " times the right one everywhere: H and W are not measured from "
             "the clamp, or at another point than the end";
    }

    /// What stiffnesses at large Gamma have in excess, as logarithms.
    std::string
    sentence_on_clamp(const std::vector<double> &heavy)
    {
      const bool is_stiff =
        *std::max_element(heavy.begin(), heavy.end()) >= largest(heavy);
      return is_stiff ? "it is too stiff at large Gamma only: too few elements "
                        "at the clamp, where all the bending is"
                      : "it is too soft at large Gamma only: it stretches (a "
                        "thickness that is too large), or has too few elements "
                        "at the clamp";
    }

    std::vector<std::string>
    of_cantilever(const PlaneCurve &curve)
    {
      static const CantileverCurve master;
      // The stiffness that a sample seems to have, and its error in H/W. The
      // lightest hardly feel the mesh at the clamp.
      std::vector<double> stiffness, ratio, inverse, lightest, light, heavy;
      for (const Eigen::Vector2d &point : curve)
        {
          const double right = master.interpolated(point.x());
          stiffness.push_back(std::log(point.x() / master.gamma_of(point.y())));
          ratio.push_back(std::log(point.y() / right));
          inverse.push_back(std::log(point.y() * right));
          (point.x() < 100. ? light : heavy).push_back(stiffness.back());
          if (point.x() < 10.)
            lightest.push_back(stiffness.back());
        }
      if (largest(ratio) < one_per_cent)
        return {};
      if (largest(inverse) < 0.2 * largest(ratio) && scatter(ratio) > 0.5)
        return {"these are values of W/H: H is how far the end is below the "
                "clamp, W how far it is away from it"};
      if (is_constant_factor(ratio) &&
          scatter(ratio) < 0.5 * scatter(stiffness))
        return {sentence_on_ratio(ratio)};
      if (lightest.size() > 4 && !heavy.empty() &&
          is_constant_factor(lightest) && std::abs(mean(lightest)) > 0.03)
        {
          std::vector<double> rest;
          for (const double value : heavy)
            rest.push_back(value - mean(lightest));
          if (largest(rest) > 0.02 + 4. * scatter(lightest))
            return {sentence_on_factor(std::exp(mean(lightest)),
                                       "a stiffness",
                                       "up to Gamma = 10 the curve"),
                    sentence_on_clamp(rest)};
        }
      if (is_constant_factor(stiffness) &&
          scatter(stiffness) <= 1.2 * scatter(ratio))
        return {sentence_on_factor(std::exp(mean(stiffness)), "a stiffness")};
      if (is_constant_factor(ratio))
        return {sentence_on_ratio(ratio)};
      if (is_noise(ratio))
        return {words_on_noise};
      if (!light.empty() && !heavy.empty() &&
          largest(heavy) > 4. * largest(light))
        return {sentence_on_clamp(heavy)};
      return {};
    }

    // ------------------------------------------------- Lateral Buckling ---

    /// The paper's linear fit, section 4.4.
    double
    linear_law(const double width, const double nu)
    {
      return 18.2 * (1. - nu) * std::sqrt(1. + nu) + 14.5 * width;
    }

    std::vector<std::string>
    of_lateral_buckling(const PlaneCurve &curve, const double nu)
    {
      const auto          master = lateral_buckling::MasterFrontier::find(nu);
      std::vector<double> ratio, from_law, narrow, wide;
      for (const Eigen::Vector2d &point : curve)
        if (master && master->covers(point.x()))
          {
            ratio.push_back(std::log(point.y() / (*master)(point.x())));
            from_law.push_back(std::log(point.y() / linear_law(point.x(), nu)));
            (point.x() < 0.5 ? narrow : wide).push_back(ratio.back());
          }
      if (ratio.empty() || largest(ratio) < one_per_cent)
        return {};
      if (largest(from_law) < 0.005)
        return {"these are values of the linear fit 18.2 (1 - nu) sqrt(1 + nu) "
                "+ 14.5 w/L, which is itself off by up to 3 %: compute the "
                "frontier"};
      if (is_constant_factor(ratio))
        return {sentence_on_factor(std::exp(mean(ratio)), "a stiffness")};
      if (is_noise(ratio))
        return {words_on_noise};
      if (!narrow.empty() && !wide.empty() && mean(ratio) > 0.05)
        return {"it buckles too late: bending and twisting are coupled wrongly "
                "by the mesh (energies of hinges), or the plate cannot shear "
                "and stretch in its plane (locking, a developable ribbon)"};
      return {};
    }

    // ------------------------------------------------------- Bend-Twist ---

    std::vector<std::string>
    of_bend_twist(const PlaneCurve &curve)
    {
      PlaneCurve master, ours;
      for (const Eigen::Vector2d &point : bend_twist::master_frontier())
        if (master.empty() ||
            std::abs(std::log(point.y()) - master.back().y()) > 0.01)
          master.emplace_back(std::log(point.x()), std::log(point.y()));
      for (const Eigen::Vector2d &point : curve)
        ours.emplace_back(std::log(point.x()), std::log(point.y()));
      const auto distance = [&](const double shift) {
        double sum = 0.;
        for (const Eigen::Vector2d &point : ours)
          sum +=
            distance_from_smooth_curve({point.x() - shift, point.y()}, master);
        return sum / static_cast<double>(ours.size());
      };
      if (ours.size() < 5 || distance(0.) < one_per_cent)
        return {};
      double best = 0.;
      for (int i = -300; i <= 300; ++i)
        if (const double shift = 0.01 * i; distance(shift) < distance(best))
          best = shift;
      // x is the cube root of weight over stiffness.
      if (std::abs(best) > 0.015 && distance(best) < 0.3 * distance(0.))
        return {sentence_on_factor(std::exp(3. * best),
                                   "a Gamma (weight over stiffness)")};
      return {};
    }

    // ------------------------------------------------------- Stick-Slip ---

    std::vector<std::string>
    of_stick_slip(const PlaneCurve &curve)
    {
      const StickSlipCurve master;
      std::vector<double>  ratio, late;
      for (const Eigen::Vector2d &point : curve)
        if (point.y() > 0. && point.x() > 0. &&
            point.y() < master.triple_point().y())
          {
            late.push_back(point.x() - master.threshold(point.y()));
            if (point.x() < master.triple_point().x())
              ratio.push_back(
                std::log(master.force_ratio(point.x()) / point.y()));
          }
      if (late.empty() || largest(late) < one_per_cent)
        return {};
      if (ratio.size() > 2 && is_constant_factor(ratio))
        return {"tips slip as if the coefficient of friction were " +
                as_text(std::exp(mean(ratio))) + " times what it is"};
      const double centre = mean(late);
      if (centre > one_per_cent)
        return {"tips slip too late: friction is not bounded by mu times the "
                "thrust (a viscous or a sticking law), or the floor comes too "
                "fast"};
      if (centre < -one_per_cent)
        return {"tips slip too early: they creep below the threshold (a "
                "viscous law, a tolerance or a time step that is too large)"};
      return {};
    }
  } // namespace

  std::vector<std::string>
  hints_for(const Protocol              protocol,
            const PlaneCurve           &curve,
            const std::optional<double> poisson_ratio)
  {
    switch (protocol)
      {
        case Protocol::cantilever:
          return of_cantilever(curve);
        case Protocol::bend_twist:
          return of_bend_twist(curve);
        case Protocol::lateral_buckling:
          return of_lateral_buckling(curve, poisson_ratio.value_or(0.35));
        default:
          return of_stick_slip(curve);
      }
  }
} // namespace slender
