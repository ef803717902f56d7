// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/linear_buckling.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/recording.h>
#include <slender/studies/sweep.h>

#include <sstream>

namespace slender
{
  StudyResult
  LateralBucklingStudy::run_eigenvalue(const Workplace &workplace)
  {
    const std::vector<Sample> samples = run_chains(
      workplace,
      "lateral buckling: modes",
      std::vector<std::size_t>(widths.size(), n_modes),
      [&](const std::size_t chain, const std::function<void(Sample)> &done) {
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
                sample.values  = {modes[i].load};
                sample.drawing = draw_mode(*plate, q, modes[i].mode);
                sample.drawing->globals.emplace_back("gamma", modes[i].load);
              }
            else
              sample.failure = "the eigenvalue did not converge";
            done(sample);
          }
      });

    StudyResult result;
    if (samples.empty())
      return result;
    const auto master = lateral_buckling::MasterFrontier::find(poisson_ratio);
    result.results =
      Table({"width", "mode", "gamma", "reference", "relative_error"});
    result.frontier = Table({"width", "gamma_critical"});
    Series modes{"modes", {}};
    for (std::size_t i = 0; i < samples.size(); ++i)
      {
        const double width     = widths[i / n_modes];
        const long   number    = static_cast<long>(i) % n_modes + 1;
        const double gamma     = samples[i].values[0];
        const double reference = number == 1 && master && master->covers(width)
                                   ? (*master)(width)
                                   : Table::unknown;
        result.results.add_row(
          {width, number, gamma, reference, gamma / reference - 1.});
        ++result.summary.samples;
        if (!samples[i].failure.empty())
          {
            ++result.summary.failed;
            std::ostringstream line;
            line << "mode " << number << " at width " << width
                 << " failed: " << samples[i].failure;
            result.results.add_remark(line.str());
            workplace.log(line.str());
            continue;
          }
        if (number == 1)
          result.frontier->add_row({width, gamma});
        modes.items.push_back({static_cast<double>(i), *samples[i].drawing});
      }
    result.series.push_back(modes);
    judge(result);
    return result;
  }
} // namespace slender
