// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/heavy_plate.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/phase_protocol.h>

#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    using namespace lateral_buckling;

    PhaseReference
    reference_of_protocol(const MasterFrontier      &master,
                          const std::vector<double> &widths,
                          const double               gamma_step)
    {
      PhaseReference reference;
      reference.is_3d = [master](const double width, const double gamma) {
        return master.covers(width) ? std::optional<bool>(gamma > master(width))
                                    : std::nullopt;
      };
      reference.distance = [master, gamma_step](const double width,
                                                const double gamma) {
        const double       distance = std::abs(gamma - master(width));
        std::ostringstream words;
        words << "gamma is " << distance / gamma_step
              << " steps from the frontier";
        return PhaseReference::Distance{distance <= gamma_step, words.str()};
      };
      if (master.covers(widths.front()) && master.covers(widths.back()))
        reference.frontier =
          master_curve(master, widths.front(), widths.back());
      return reference;
    }
  } // namespace

  StudyResult
  LateralBucklingStudy::run_protocol(Workplace &workplace)
  {
    const std::vector<double> weights = gammas();

    Sweep sweep;
    sweep.what    = "lateral buckling: samples";
    sweep.lengths = std::vector<std::size_t>(widths.size(), weights.size());
    sweep.run     = [&](const std::size_t                  chain,
                    const std::function<void(Sample)> &done) {
      HeavyPlate plate(build_plate(workplace, widths[chain]), newton);
      plate.load_tilted(tilt, weights.front());
      for (std::size_t i = 0; i < weights.size(); ++i)
        {
          const Equilibrium found  = plate.move("gravity", weights[i]);
          Sample            sample = make_sample(found, 1, [&] {
            return std::vector<double>{plate.lateral_displacement()};
          });
          if (found.converged() &&
              is_drawn(chain, widths.size(), i, weights.size(), n_shapes))
            {
              const std::size_t number  = chain * weights.size() + i;
              Drawing           drawing = plate.draw();
              drawing.globals.emplace_back("gamma", weights[i]);
              sample.shape =
                workplace.recorder.write_shape(recorded::shapes,
                                               static_cast<std::int64_t>(
                                                 number),
                                               static_cast<double>(number),
                                               drawing,
                                               workplace.groups.group());
            }
          done(sample);
        }
    };

    PhasePlane plane;
    plane.names         = {{"width", "gamma"}};
    plane.frontier_name = "gamma_critical";
    plane.measure_name  = "lateral_displacement";
    plane.tolerance     = displacement_tolerance;
    plane.xs            = widths;
    plane.ys            = {weights.rbegin(), weights.rend()};
    plane.place         = [n = weights.size()](const std::size_t i) {
      return std::make_pair(i / n, n - 1 - i % n);
    };
    plane.to_plot   = in_plot;
    plane.time_name = "number of the sample [1]";
    std::optional<PhaseReference> reference;
    if (const auto master = MasterFrontier::find(poisson_ratio))
      reference = reference_of_protocol(*master, widths, gamma_step);
    return sample_phases(workplace, std::move(sweep), plane, reference);
  }
} // namespace slender
