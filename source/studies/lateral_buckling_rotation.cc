// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/heavy_plate.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/sweep.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    /// A plate that is tilted from one side to the other.
    struct Swing
    {
      double width, gamma;
      int    sign; ///< of the angle at which it begins

      std::string
      name() const
      {
        return sign > 0 ? "down" : "up";
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
    const std::vector<double> descending = angles();
    const std::size_t         n_angles   = descending.size();
    std::vector<Swing>        swings;
    for (const double width : widths)
      for (const double gamma : rotated_gammas)
        for (const int sign : {1, -1})
          if (sign > 0 || both_ways)
            swings.push_back({width, gamma, sign});

    // A tilted clamp is an upright one under tilted gravity; what is measured
    // there is in the frame of the clamp.
    const std::vector<Sample> samples = run_chains(
      workplace,
      "lateral buckling: angles",
      std::vector<std::size_t>(swings.size(), n_angles),
      [&](const std::size_t chain, const std::function<void(Sample)> &done) {
        const Swing &swing = swings[chain];
        HeavyPlate   plate(build_plate(workplace, swing.width), newton);
        plate.tilt_and_load(swing.sign * descending.front(), swing.gamma);
        for (std::size_t i = 0; i < n_angles; ++i)
          {
            const double      angle = swing.sign * descending[i];
            const Equilibrium found = plate.move("gravity tilt", angle);
            Sample            sample;
            sample.values     = {Table::unknown, Table::unknown};
            sample.iterations = found.iterations;
            if (found.converged())
              sample.values = {plate.lean(), plate.lean_rate()};
            else
              sample.failure = to_string(found.outcome);
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
        const double  angle  = swing.sign * descending[i % n_angles];
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
                 << swing.sign * descending[i % n_angles - 1] << " and "
                 << angle;
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
    // The eigenvalues come in pairs of both signs, +-Gamma_i, whose modes are
    // mirror images of each other; the mean of the two corners is the same for
    // both. Thus the slope of the displacement d over the angle is
    //
    //   dd/da = Gamma* sum_i c_i / (1 - (Gamma*/Gamma_i)^2) ,
    //
    // and (Southwell) Gamma* / (dd/da) is nearly linear in Gamma*^2 as long as
    // the first term dominates, with its zero at Gamma_1^2.
    struct Point
    {
      double width, square, inverse;
    };
    std::vector<Point> points;
    const auto         all_widths = result.results.column("width");
    const auto         gammas     = result.results.column("gamma");
    const auto         all_angles = result.results.column("angle");
    const auto         leans  = result.results.column("lateral_displacement");
    const auto         slopes = result.results.column("slope");
    for (std::size_t i = 0; i < gammas.size(); ++i)
      if (all_angles[i] == 0. && std::abs(leans[i]) <= displacement_tolerance &&
          slopes[i] > 0.)
        points.push_back(
          {all_widths[i], gammas[i] * gammas[i], gammas[i] / slopes[i]});

    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    result.frontier =
      Table({"width", "gamma_critical", "reference", "relative_error"});
    double error = 0.;
    bool   known = false;
    for (const double width : widths)
      {
        // The two heaviest, which stand side by side in the table; a plate that
        // was tilted both ways is there twice.
        const Point *last = nullptr, *one_but_last = nullptr;
        for (const Point &point : points)
          if (point.width == width && (!last || point.square > last->square))
            {
              one_but_last = last;
              last         = &point;
            }
        if (!one_but_last || one_but_last->inverse <= last->inverse)
          continue;
        const double square =
          last->square + last->inverse * (last->square - one_but_last->square) /
                           (one_but_last->inverse - last->inverse);
        const double gamma = std::sqrt(square);
        const double reference =
          master && master->covers(width) ? (*master)(width) : Table::unknown;
        result.frontier->add_row(
          {width, gamma, reference, gamma / reference - 1.});
        if (std::isfinite(reference))
          {
            error = std::max(error, std::abs(gamma / reference - 1.));
            known = true;
          }
      }
    if (known)
      result.summary.max_relative_error = error;
  }
} // namespace slender
