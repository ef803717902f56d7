// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/linear_buckling.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/recording.h>
#include <slender/studies/sweep.h>

#include <sstream>

namespace slender
{
  StudyResult
  LateralBucklingStudy::run_eigenvalue(Workplace &workplace)
  {
    Recorder &recorder = workplace.recorder;
    recorder.begin_table(
      recorded::results,
      {"width", "mode", "gamma", "reference", "relative_error"});
    recorder.begin_series(recorded::modes, "number of the row [1]");

    Sweep sweep;
    sweep.what    = "lateral buckling: modes";
    sweep.lengths = std::vector<std::size_t>(widths.size(), n_modes);
    sweep.run     = [&](const std::size_t                  chain,
                    const std::function<void(Sample)> &done) {
      const std::unique_ptr<Model> plate =
        build_plate(workplace, widths[chain]);
      const Vector q = plate->initial_state();
      // Strains under Gamma* = 1 are of the order of (h/L)^2.
      const auto modes = buckling_modes(*plate, q, "gravity", 1., n_modes);
      for (int i = 0; i < n_modes; ++i)
        {
          Sample sample;
          sample.values = {Table::unknown};
          if (static_cast<std::size_t>(i) < modes.size())
            {
              const std::size_t number  = chain * n_modes + i;
              Drawing           drawing = draw_mode(*plate, q, modes[i].mode);
              drawing.globals.emplace_back("gamma", modes[i].load);
              sample.values = {modes[i].load};
              sample.shape =
                recorder.write_shape(recorded::modes,
                                     static_cast<std::int64_t>(number),
                                     static_cast<double>(number),
                                     drawing,
                                     workplace.groups.group());
            }
          else
            sample.failure = "the eigenvalue did not converge";
          done(sample);
        }
    };

    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    PlaneCurve curve;
    sweep.record =
      [&](const std::size_t chain, const std::size_t i, const Sample &sample) {
        const double width     = widths[chain];
        const double gamma     = sample.values[0];
        const double reference = i == 0 && master && master->covers(width)
                                   ? (*master)(width)
                                   : Table::unknown;
        recorder.row(recorded::results,
                     {width,
                      static_cast<long>(i) + 1,
                      gamma,
                      reference,
                      gamma / reference - 1.});
        std::ostringstream where;
        where << "width = " << width << ", mode = " << i + 1;
        count_sample(recorder, sample, where.str());
        if (i == 0 && sample.failure.empty())
          curve.emplace_back(width, gamma);
      };
    StudyResult result;
    result.is_interrupted = !run_sweep(workplace, sweep);
    if (result.is_interrupted || !workplace.groups.is_first_rank())
      return result;
    recorder.begin_table(recorded::frontier, {"width", "gamma_critical"});
    for (const Eigen::Vector2d &point : curve)
      recorder.row(recorded::frontier, {point.x(), point.y()});
    judge_frontier(curve, recorder, result.summary);
    return result;
  }
} // namespace slender
