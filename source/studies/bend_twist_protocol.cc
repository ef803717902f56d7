// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/stable_path.h>
#include <slender/studies/bend_twist.h>
#include <slender/studies/bend_twist_plane.h>
#include <slender/studies/sweep.h>
#include <slender/validation/phase_map.h>

#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    using namespace bend_twist;

    /// Samples nearer to the frontier than this fraction of x may be taken
    /// for the other state: the shape is hardly twisted there.
    constexpr double near_the_frontier = 0.01;

    std::string
    name_of(const bool is_3d)
    {
      return is_3d ? "3D" : "2D";
    }
  } // namespace

  StudyResult
  BendTwistStudy::run_protocol(const Workplace &workplace)
  {
    const std::vector<double> xs = logspace(first_x, last_x, n_columns);
    const std::vector<double> ys = logspace(first_y, last_y, n_rows);

    // About as many columns as rows of shapes, as the plot is nearly square.
    const int drawn_rows =
      static_cast<int>(std::sqrt(static_cast<double>(n_shapes)));
    const int drawn_columns = drawn_rows > 0 ? n_shapes / drawn_rows : 0;

    const std::vector<Sample> samples = run_chains(
      workplace,
      "bend twist: samples",
      std::vector<std::size_t>(ys.size(), xs.size()),
      [&](const std::size_t row, const std::function<void(Sample)> &done) {
        RodBody rod             = body();
        rod.natural_curvature_1 = phi_of(ys[row]);
        rod.initial_strain      = rod.natural_strain();
        const std::unique_ptr<Model> model =
          workplace.model.build(rod, workplace.groups.group());
        // It starts in its plane.
        StablePath path(*model, newton);
        for (std::size_t column = 0; column < xs.size(); ++column)
          {
            const Equilibrium found =
              path.move("gravity", gamma_of(xs[column], ys[row]));
            Sample sample;
            sample.values     = {Table::unknown};
            sample.iterations = found.iterations;
            if (found.converged())
              sample.values = {
                find_measurement(model->measure(path.state()), "total twist")};
            else
              sample.failure = to_string(found.outcome);
            if (found.converged() && is_spread(row, ys.size(), drawn_rows) &&
                is_spread(column, xs.size(), drawn_columns))
              sample.drawing = model->draw(path.state());
            done(sample);
          }
      });

    StudyResult result;
    if (samples.empty())
      return result;
    result.results    = Table({"x", "y", "measure", "state", "iterations"});
    const auto remark = [&](const std::ostringstream &line) {
      result.results.add_remark(line.str());
      workplace.log(line.str());
    };

    const PlaneCurve  master = master_frontier();
    const PhaseRegion region(master);
    const bool        has_master = poisson_ratio == master_poisson_ratio;
    PhaseMap          map(xs, ys);
    Series            shapes{"shapes", {}};
    Summary          &summary       = result.summary;
    long              misclassified = 0, misclassified_away = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      {
        const Sample     &sample = samples[i];
        const std::size_t column = i % xs.size(), row = i / xs.size();
        const double      x = xs[column], y = ys[row];
        const double      twist = sample.values[0];
        const bool        is_3d = twist > twist_tolerance;
        ++summary.samples;
        summary.newton_iterations += sample.iterations;
        if (!sample.failure.empty())
          {
            ++summary.failed;
            std::ostringstream line;
            line << "sample at x = " << x << ", y = " << y
                 << " failed: " << sample.failure;
            remark(line);
            result.results.add_row({x, y, twist, "failed", sample.iterations});
            continue;
          }
        map.set_inside(column, row, is_3d);
        result.results.add_row(
          {x, y, twist, name_of(is_3d), sample.iterations});
        if (sample.drawing)
          shapes.items.push_back({static_cast<double>(i), *sample.drawing});
        if (has_master && is_3d != region.contains(x, y))
          {
            const double distance = region.distance(x, y);
            ++misclassified;
            misclassified_away += distance > near_the_frontier ? 1 : 0;
            std::ostringstream line;
            line << "misclassified: x = " << x << ", y = " << y << " is "
                 << name_of(is_3d) << " instead of " << name_of(!is_3d)
                 << ", distance to the frontier " << 100. * distance
                 << " % of x";
            remark(line);
          }
      }
    result.series.push_back(shapes);

    const LogPlot                 to_plot = plot();
    const std::vector<PlaneCurve> pieces  = map.frontier();
    std::vector<PlaneCurve>       pieces_in_plot;
    result.frontier = Table({"x", "y", "piece"});
    for (std::size_t k = 0; k < pieces.size(); ++k)
      {
        pieces_in_plot.emplace_back();
        for (const Eigen::Vector2d &point : pieces[k])
          {
            result.frontier->add_row(
              {point.x(), point.y(), static_cast<long>(k)});
            pieces_in_plot.back().push_back(to_plot(point.x(), point.y()));
          }
      }
    if (!has_master)
      return result;

    summary.extra.emplace_back("misclassified", misclassified);
    summary.extra.emplace_back("misclassified_away", misclassified_away);
    PlaneCurve master_in_plot;
    for (const Eigen::Vector2d &point : master)
      if (point.x() >= first_x && point.x() <= last_x && point.y() <= last_y)
        master_in_plot.push_back(to_plot(point.x(), point.y()));
    summary.distance = hausdorff_distance(pieces_in_plot, master_in_plot);
    summary.verdict =
      *summary.distance < passing_distance ? Verdict::OK : Verdict::KO;
    return result;
  }
} // namespace slender
