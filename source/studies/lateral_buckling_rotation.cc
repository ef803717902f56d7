// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/heavy_plate.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/sweep.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace slender
{
  namespace
  {
    /// A plate that is tilted from one side to the other.
    struct Swing
    {
      double              width, gamma;
      std::vector<double> angles; ///< one after the other

      std::string
      name() const
      {
        return angles.front() > angles.back() ? "down" : "up";
      }

      std::string
      description() const
      {
        std::ostringstream text;
        text << "width = " << width << ", gamma = " << gamma << ", tilted "
             << name();
        return text.str();
      }
    };

    constexpr const char *upright = "upright"; ///< in the plane of the clamp
    constexpr const char *leaning = "leaning"; ///< to where its weight pulls it
    constexpr const char *holding = "holding"; ///< to the other side, still

    const char *
    state_of(const double angle, const double lean, const double tolerance)
    {
      if (std::abs(lean) <= tolerance)
        return upright;
      return lean * angle < 0. ? holding : leaning;
    }
  } // namespace

  std::vector<double>
  LateralBucklingStudy::angles() const
  {
    const int n =
      static_cast<int>(std::floor(largest_angle / angle_step + 1e-9));
    std::vector<double> values;
    for (int i = n; i >= -n; --i)
      values.push_back(i * angle_step);
    return values;
  }

  StudyResult
  LateralBucklingStudy::run_rotation(const Workplace &workplace)
  {
    const std::vector<double> down     = angles();
    const std::size_t         n_angles = down.size();
    std::vector<Swing>        swings;
    for (const double width : widths)
      for (const double gamma : rotated_gammas)
        {
          swings.push_back({width, gamma, down});
          if (both_ways)
            swings.push_back({width, gamma, {down.rbegin(), down.rend()}});
        }

    // A tilted clamp is an upright one under tilted gravity; what is measured
    // there is in the frame of the clamp.
    const std::vector<Sample> samples = run_chains(
      workplace,
      "lateral buckling: angles",
      std::vector<std::size_t>(swings.size(), n_angles),
      [&](const std::size_t chain, const std::function<void(Sample)> &done) {
        const Swing &swing = swings[chain];
        HeavyPlate   plate(build_plate(workplace, swing.width), newton);
        plate.tilt_and_load(swing.angles.front(), swing.gamma);
        for (std::size_t i = 0; i < n_angles; ++i)
          {
            const double      angle  = swing.angles[i];
            const Equilibrium found  = plate.move("gravity tilt", angle);
            Sample            sample = make_sample(found, 2, [&] {
              return std::vector<double>{plate.lean(), plate.lean_rate()};
            });
            if (found.converged() && is_spread(chain * n_angles + i,
                                               swings.size() * n_angles,
                                               n_shapes))
              {
                sample.drawing = plate.draw();
                sample.drawing->globals.emplace_back("gamma", swing.gamma);
                sample.drawing->globals.emplace_back("angle", angle);
              }
            done(sample);
          }
      });

    StudyResult result;
    if (samples.empty())
      return result;
    result.results    = Table({"width",
                               "gamma",
                               "tilted",
                               "angle",
                               "lateral_displacement",
                               "slope",
                               "state",
                               "iterations"});
    const auto remark = [&](const std::string &line) {
      result.results.add_remark(line);
      workplace.log(line);
    };
    Series   shapes{"shapes", {}};
    Summary &summary = result.summary;
    long     n_snaps = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      {
        const Sample &sample = samples[i];
        const Swing  &swing  = swings[i / n_angles];
        const double  angle  = swing.angles[i % n_angles];
        const double  lean = sample.values[0], slope = sample.values[1];
        ++summary.samples;
        summary.newton_iterations += sample.iterations;
        std::ostringstream line;
        if (!sample.failure.empty())
          {
            ++summary.failed;
            line << "sample at " << swing.description() << ", angle = " << angle
                 << " failed: " << sample.failure;
            remark(line.str());
          }
        result.results.add_row(
          {swing.width,
           swing.gamma,
           swing.name(),
           angle,
           lean,
           slope,
           sample.failure.empty()
             ? state_of(angle, lean, displacement_tolerance)
             : "failed",
           sample.iterations});
        if (sample.drawing)
          shapes.items.push_back({static_cast<double>(i), *sample.drawing});
        // From one side to the other without being upright in between.
        if (i % n_angles == 0)
          continue;
        const double before = samples[i - 1].values[0];
        if (lean * before < 0. &&
            std::min(std::abs(lean), std::abs(before)) > displacement_tolerance)
          {
            ++n_snaps;
            line << swing.description() << ": snaps over between the angles "
                 << swing.angles[i % n_angles - 1] << " and " << angle;
            remark(line.str());
          }
      }
    summary.extra.emplace_back("snaps", n_snaps);
    result.series.push_back(shapes);
    extrapolate(result);
    return result;
  }

  void
  LateralBucklingStudy::extrapolate(StudyResult &result) const
  {
    // To first order in the angle a, with membrane forces in proportion to
    // Gamma*,
    //
    //   (K + Gamma* K_g) q = Gamma* a f .
    //
    // Eigenvalues come in pairs +-Gamma_i, with modes that are mirror images of
    // each other across the middle of the plate, in which the mean of the two
    // corners is the same. So the slope of the displacement d is
    //
    //   (dd/da) / Gamma* = sum_i c_i / (Gamma_i^2 - Gamma*^2) .
    //
    // Near the first pole the others are a constant; three weights tell that,
    // c_1 and Gamma_1. (Southwell's plot, with the constant.)
    struct Point
    {
      double square, compliance; ///< Gamma*^2 and (dd/da) / Gamma*
    };
    std::map<double, std::vector<Point>> points; // of each width
    const auto all_widths = result.results.column("width");
    const auto gammas     = result.results.column("gamma");
    const auto all_angles = result.results.column("angle");
    const auto leans      = result.results.column("lateral_displacement");
    const auto slopes     = result.results.column("slope");
    for (std::size_t i = 0; i < gammas.size(); ++i)
      if (all_angles[i] == 0. && std::abs(leans[i]) <= displacement_tolerance)
        {
          std::vector<Point> &of_width = points[all_widths[i]];
          const Point point{gammas[i] * gammas[i], slopes[i] / gammas[i]};
          // A plate that was tilted both ways is there twice.
          if (of_width.empty() || of_width.back().square < point.square)
            of_width.push_back(point);
        }

    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    result.frontier =
      Table({"width", "gamma_critical", "reference", "relative_error"});
    for (const auto &[width, of_width] : points)
      {
        const std::size_t n = of_width.size();
        if (n < 3)
          continue;
        const Point  a = of_width[n - 3], b = of_width[n - 2];
        const Point  c = of_width[n - 1];
        const double ratio =
          (c.compliance - b.compliance) / (c.square - b.square) /
          ((b.compliance - a.compliance) / (b.square - a.square));
        const double pole = (ratio * c.square - a.square) / (ratio - 1.);
        // Far from a pole there is none to be seen.
        if (!(ratio > 1.) || !(pole > c.square))
          continue;
        const double gamma = std::sqrt(pole);
        const double reference =
          master && master->covers(width) ? (*master)(width) : Table::unknown;
        const double error = gamma / reference - 1.;
        result.frontier->add_row({width, gamma, reference, error});
        if (std::isfinite(error))
          result.summary.max_relative_error =
            std::max(result.summary.max_relative_error.value_or(0.),
                     std::abs(error));
      }
  }
} // namespace slender
