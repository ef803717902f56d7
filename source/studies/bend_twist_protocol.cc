// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/stable_path.h>
#include <slender/studies/bend_twist.h>
#include <slender/studies/phase_protocol.h>
#include <slender/validation/bend_twist_plane.h>
#include <slender/validation/phase_map.h>

#include <sstream>

namespace slender
{
  namespace
  {
    using namespace bend_twist;

    /// Samples nearer to the frontier than this fraction of x may be taken
    /// for the other state: the shape is hardly twisted there.
    constexpr double near_the_frontier = 0.01;

    PhaseReference
    reference_of_protocol()
    {
      const PhaseRegion region(master_frontier());
      PhaseReference    reference;
      reference.is_3d = [region](const double x, const double y) {
        return region.contains(x, y);
      };
      reference.distance = [region](const double x, const double y) {
        const double       distance = region.distance(x, y);
        std::ostringstream words;
        words << "distance to the frontier " << 100. * distance << " % of x";
        return PhaseReference::Distance{distance <= near_the_frontier,
                                        words.str()};
      };
      reference.frontier = master_in_box();
      return reference;
    }
  } // namespace

  StudyResult
  BendTwistStudy::run_protocol(Workplace &workplace)
  {
    const std::vector<double> xs = logspace(first_x, last_x, n_columns);
    const std::vector<double> ys = logspace(first_y, last_y, n_rows);

    Sweep sweep;
    sweep.what    = "bend twist: samples";
    sweep.lengths = std::vector<std::size_t>(ys.size(), xs.size());
    sweep.run     = [&](const std::size_t                  row,
                    const std::function<void(Sample)> &done) {
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
          Sample            sample = make_sample(found, 1, [&] {
            return std::vector<double>{
              find_measurement(model->measure(path.state()), "total twist")};
          });
          const std::size_t number = row * xs.size() + column;
          if (found.converged() &&
              is_drawn(row, ys.size(), column, xs.size(), n_shapes))
            sample.shape =
              workplace.recorder.write_shape(recorded::shapes,
                                             static_cast<std::int64_t>(number),
                                             static_cast<double>(number),
                                             model->draw(path.state()),
                                             workplace.groups.group());
          done(sample);
        }
    };

    PhasePlane plane;
    plane.names         = {{"x", "y"}};
    plane.frontier_name = "y";
    plane.measure_name  = "measure";
    plane.tolerance     = twist_tolerance;
    plane.xs            = xs;
    plane.ys            = ys;
    plane.place         = [&](const std::size_t i) {
      return std::make_pair(i % xs.size(), i / xs.size());
    };
    plane.to_plot   = plot();
    plane.time_name = "number of the sample [1]";
    std::optional<PhaseReference> reference;
    if (poisson_ratio == master_poisson_ratio)
      reference = reference_of_protocol();
    return sample_phases(workplace, std::move(sweep), plane, reference);
  }
} // namespace slender
