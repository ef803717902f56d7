// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/relaxation.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/sweep.h>
#include <slender/validation/phase_map.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    using namespace lateral_buckling;

    /// A plate under one weight after the other: a column of the grid.
    class HeavyPlate
    {
    public:
      HeavyPlate(std::unique_ptr<Model> plate, const NewtonOptions &newton)
        : model(std::move(plate))
        , solver(*model, newton)
        , relaxation(*model, newton)
        , q(model->initial_state())
      {}

      /// The stable equilibrium that the plate finds from the one before, when
      /// a parameter changes: along with it as long as it can, off along the
      /// unstable direction where that state is unstable, and downhill where
      /// there is no equilibrium nearby.
      Equilibrium
      move(const std::string &parameter, const double value)
      {
        Equilibrium found = solver.load(q, {{parameter, value}});
        int         spent = found.iterations;
        if (!found.converged())
          {
            model->set_parameter(parameter, value);
            found = relaxation.relax(found.q);
            spent += found.iterations;
          }
        for (int i = 0; i < 3 && found.converged(); ++i)
          {
            if (solver.inertia(found.q).negative == 0)
              break;
            found = relaxation.leave(found.q);
            spent += found.iterations;
          }
        found.iterations = spent;
        if (found.converged())
          q = found.q;
        return found;
      }

      const Model &
      body() const
      {
        return *model;
      }

      const Vector &
      state() const
      {
        return q;
      }

    private:
      std::unique_ptr<Model> model;
      EquilibriumSolver      solver;
      Relaxation             relaxation;
      Vector                 q;
    };

    /// Whether point i of n is one of about `count` that are spread evenly.
    bool
    is_drawn(const std::size_t i, const std::size_t n, const std::size_t count)
    {
      // The middle of each of `count` parts.
      return count > 0 && i == (2 * (i * count / n) + 1) * n / (2 * count);
    }

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

    // A load step that Newton's method finds hard is often one to a state that
    // does not exist: to go downhill is faster than to insist.
    NewtonOptions options  = newton;
    options.max_step_cuts  = std::min(options.max_step_cuts, 4);
    options.max_iterations = std::min(options.max_iterations, 20);

    const auto drawn_columns =
      static_cast<std::size_t>(std::sqrt(static_cast<double>(n_shapes)));
    const std::size_t drawn_rows =
      drawn_columns > 0 ? n_shapes / drawn_columns : 0;

    const std::vector<Sample> samples = run_chains(
      workplace,
      "lateral buckling: samples",
      std::vector<std::size_t>(widths.size(), weights.size()),
      [&](const std::size_t chain, const std::function<void(Sample)> &done) {
        HeavyPlate plate(build_plate(workplace, widths[chain]), options);
        plate.move("gravity tilt", tilt);
        // It bends more and more: small loads first.
        for (const double part : {0.05, 0.15, 0.35, 0.65, 1.})
          plate.move("gravity", part * weights.front());
        plate.move("gravity tilt", 0.);
        for (std::size_t i = 0; i < weights.size(); ++i)
          {
            const Equilibrium found = plate.move("gravity", weights[i]);
            Sample            sample;
            sample.values     = {Table::unknown};
            sample.iterations = found.iterations;
            if (found.converged())
              sample.values = {
                lateral_displacement(plate.body(), plate.state())};
            else
              sample.failure = to_string(found.outcome);
            if (found.converged() &&
                is_drawn(chain, widths.size(), drawn_columns) &&
                is_drawn(i, weights.size(), drawn_rows))
              sample.drawing = plate.body().draw(plate.state());
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
