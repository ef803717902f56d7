// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/heavy_plate.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/sweep.h>
#include <slender/validation/phase_map.h>

#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    using namespace lateral_buckling;

    std::string
    name_of(const bool is_3d)
    {
      return is_3d ? "3D" : "2D";
    }
  } // namespace

  StudyResult
  LateralBucklingStudy::run_protocol(const Workplace &workplace)
  {
    const std::vector<double> weights = gammas();

    const auto drawn_columns =
      static_cast<std::size_t>(std::sqrt(static_cast<double>(n_shapes)));
    const std::size_t drawn_rows =
      drawn_columns > 0 ? n_shapes / drawn_columns : 0;

    const std::vector<Sample> samples = run_chains(
      workplace,
      "lateral buckling: samples",
      std::vector<std::size_t>(widths.size(), weights.size()),
      [&](const std::size_t chain, const std::function<void(Sample)> &done) {
        HeavyPlate plate(build_plate(workplace, widths[chain]), newton);
        plate.load_tilted(tilt, weights.front());
        for (std::size_t i = 0; i < weights.size(); ++i)
          {
            const Equilibrium found = plate.move("gravity", weights[i]);
            Sample            sample;
            sample.values     = {Table::unknown};
            sample.iterations = found.iterations;
            if (found.converged())
              sample.values = {plate.lateral_displacement()};
            else
              sample.failure = to_string(found.outcome);
            if (found.converged() &&
                is_spread(chain, widths.size(), drawn_columns) &&
                is_spread(i, weights.size(), drawn_rows))
              {
                sample.drawing = plate.draw();
                sample.drawing->globals.emplace_back("gamma", weights[i]);
              }
            done(sample);
          }
      });

    StudyResult result;
    if (samples.empty())
      return result;
    result.results =
      Table({"width", "gamma", "lateral_displacement", "state", "iterations"});
    const auto remark = [&](const std::ostringstream &line) {
      result.results.add_remark(line.str());
      workplace.log(line.str());
    };

    const auto master = MasterFrontier::find(poisson_ratio);
    PhaseMap   map(widths, {weights.rbegin(), weights.rend()});
    Series     shapes{"shapes", {}};
    Summary   &summary       = result.summary;
    long       misclassified = 0, misclassified_away = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      {
        const Sample     &sample = samples[i];
        const std::size_t column = i / weights.size();
        const std::size_t row    = weights.size() - 1 - i % weights.size();
        const double      width  = widths[column];
        const double      gamma  = weights[i % weights.size()];
        const double      displacement = sample.values[0];
        const bool        is_3d        = displacement > displacement_tolerance;
        ++summary.samples;
        summary.newton_iterations += sample.iterations;
        std::ostringstream line;
        if (!sample.failure.empty())
          {
            ++summary.failed;
            line << "sample at width = " << width << ", gamma = " << gamma
                 << " failed: " << sample.failure;
            remark(line);
            result.results.add_row(
              {width, gamma, displacement, "failed", sample.iterations});
            continue;
          }
        map.set_inside(column, row, is_3d);
        result.results.add_row(
          {width, gamma, displacement, name_of(is_3d), sample.iterations});
        if (sample.drawing)
          shapes.items.push_back({static_cast<double>(i), *sample.drawing});
        if (!master || !master->covers(width))
          continue;
        const double critical = (*master)(width);
        if (is_3d != (gamma > critical))
          {
            const bool is_near = std::abs(gamma - critical) <= gamma_step;
            ++misclassified;
            misclassified_away += is_near ? 0 : 1;
            line << "misclassified: width = " << width << ", gamma = " << gamma
                 << " is " << name_of(is_3d) << " instead of "
                 << name_of(!is_3d) << ", gamma is "
                 << std::abs(gamma - critical) / gamma_step
                 << " steps from the frontier";
            remark(line);
          }
      }
    result.series.push_back(shapes);

    const std::vector<PlaneCurve> pieces = map.frontier();
    std::vector<PlaneCurve>       pieces_in_plot;
    result.frontier = Table({"width", "gamma_critical", "piece"});
    for (std::size_t k = 0; k < pieces.size(); ++k)
      {
        pieces_in_plot.emplace_back();
        for (const Eigen::Vector2d &point : pieces[k])
          {
            result.frontier->add_row(
              {point.x(), point.y(), static_cast<long>(k)});
            pieces_in_plot.back().push_back(in_plot(point.x(), point.y()));
          }
      }
    if (!master || !master->covers(widths.front()) ||
        !master->covers(widths.back()))
      return result;

    summary.extra.emplace_back("misclassified", misclassified);
    summary.extra.emplace_back("misclassified_away", misclassified_away);
    summary.distance = hausdorff_distance(
      pieces_in_plot, master_in_plot(*master, widths.front(), widths.back()));
    summary.verdict =
      *summary.distance < passing_distance ? Verdict::OK : Verdict::KO;
    return result;
  }
} // namespace slender
