// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/spread.h>
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
  LateralBucklingStudy::run_rotation(Workplace &workplace)
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

    Recorder &recorder = workplace.recorder;
    recorder.begin_table(recorded::results,
                         {"width",
                          "gamma",
                          "tilted",
                          "angle",
                          "lateral_displacement",
                          "slope",
                          "state",
                          "iterations"});
    recorder.begin_series(recorded::shapes, "number of the row [1]");

    // A tilted clamp is an upright one under tilted gravity; what is measured
    // there is in the frame of the clamp.
    Sweep sweep;
    sweep.what    = "lateral buckling: angles";
    sweep.lengths = std::vector<std::size_t>(swings.size(), n_angles);
    sweep.run     = [&](const std::size_t                  chain,
                    const std::function<void(Sample)> &done) {
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
          const std::size_t number = chain * n_angles + i;
          if (found.converged() &&
              is_spread(number, swings.size() * n_angles, n_shapes))
            {
              Drawing drawing = plate.draw();
              drawing.globals.emplace_back("gamma", swing.gamma);
              drawing.globals.emplace_back("angle", angle);
              sample.shape =
                recorder.write_shape(recorded::shapes,
                                     static_cast<std::int64_t>(number),
                                     static_cast<double>(number),
                                     drawing,
                                     workplace.groups.group());
            }
          done(sample);
        }
    };

    long                      n_snaps = 0;
    double                    before  = 0.;
    std::vector<UprightPlate> upright_plates;
    sweep.record =
      [&](const std::size_t chain, const std::size_t i, const Sample &sample) {
        const Swing       &swing = swings[chain];
        const double       angle = swing.angles[i];
        const double       lean = sample.values[0], slope = sample.values[1];
        std::ostringstream where;
        where << swing.description() << ", angle = " << angle;
        recorder.row(recorded::results,
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
        count_sample(recorder, sample, where.str());
        if (angle == 0. && std::abs(lean) <= displacement_tolerance)
          upright_plates.push_back({swing.width, swing.gamma, slope});
        // From one side to the other without being upright in between.
        if (i > 0 && lean * before < 0. &&
            std::min(std::abs(lean), std::abs(before)) > displacement_tolerance)
          {
            ++n_snaps;
            std::ostringstream line;
            line << swing.description() << ": snaps over between the angles "
                 << swing.angles[i - 1] << " and " << angle;
            report_remark(recorder, line.str());
          }
        before = lean;
      };
    StudyResult result;
    result.is_interrupted = !run_sweep(workplace, sweep);
    if (result.is_interrupted || !workplace.groups.is_first_rank())
      return result;
    result.summary.extra.emplace_back("snaps", n_snaps);
    std::ostringstream words;
    words << n_snaps << (n_snaps == 1 ? " plate snaps" : " plates snap")
          << " from one side to the other";
    result.summary.answer = words.str();
    extrapolate(upright_plates, recorder, result.summary);
    return result;
  }

  void
  LateralBucklingStudy::extrapolate(const std::vector<UprightPlate> &plates,
                                    Recorder                        &recorder,
                                    Summary &summary) const
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
    for (const UprightPlate &plate : plates)
      {
        std::vector<Point> &of_width = points[plate.width];
        const Point point{plate.gamma * plate.gamma, plate.slope / plate.gamma};
        // A plate that was tilted both ways is there twice.
        if (of_width.empty() || of_width.back().square < point.square)
          of_width.push_back(point);
      }

    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    recorder.begin_table(
      recorded::frontier,
      {"width", "gamma_critical", "reference", "relative_error"});
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
        recorder.row(recorded::frontier, {width, gamma, reference, error});
        if (std::isfinite(error))
          summary.max_relative_error =
            std::max(summary.max_relative_error.value_or(0.), std::abs(error));
      }
  }
} // namespace slender
