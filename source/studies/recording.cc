// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/recorder.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>
#include <slender/studies/study.h>

#include <algorithm>

namespace slender
{
  const char *const static_stability_alone =
    "a load has no potential: unstable directions are those in which the body "
    "diverges; static stability does not exclude flutter, which depends on "
    "masses";

  namespace
  {
    /// How far a mode is drawn from the equilibrium, as a root mean square of
    /// the (dimensionless) unknowns: visible, and still a small rotation.
    constexpr double mode_amplitude = 0.05;
  } // namespace

  std::string
  column_name(std::string name)
  {
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
  }

  Drawing
  draw_mode(const System &system, const Vector &q, const Vector &mode)
  {
    const double length = root_mean_square(system.layout(), mode);
    return system.draw(q + mode_amplitude / length * mode);
  }

  double
  largest_displacement(const System &system,
                       const Vector &q,
                       const Vector &mode)
  {
    const double  step   = 1e-6 / root_mean_square(system.layout(), mode);
    const Drawing ahead  = system.draw(q + step * mode),
                  behind = system.draw(q - step * mode);
    double largest       = 0.;
    for (std::size_t i = 0; i < ahead.points.size(); ++i)
      largest = std::max(largest, (ahead.points[i] - behind.points[i]).norm());
    MPI_Allreduce(MPI_IN_PLACE,
                  &largest,
                  1,
                  MPI_DOUBLE,
                  MPI_MAX,
                  system.layout().communicator);
    return largest / (2. * step);
  }

  const char *
  point_code::of(const PointKind kind)
  {
    switch (kind)
      {
        case PointKind::start:
        case PointKind::end:
          return end;
        case PointKind::requested:
          return requested;
        case PointKind::fold:
          return fold;
        case PointKind::bifurcation:
          return bifurcation;
        case PointKind::regular:
          break;
      }
    return regular;
  }

  const char *
  point_code::of(const FrontierEvent event)
  {
    switch (event)
      {
        case FrontierEvent::cusp:
          return cusp;
        case FrontierEvent::double_pitchfork:
          return double_pitchfork;
        case FrontierEvent::hilltop:
          return hilltop;
        case FrontierEvent::none:
          break;
      }
    return regular;
  }

  namespace
  {
    void
    explain_code(Recorder &recorder, const char *code, const char *words)
    {
      recorder.remark(recorded::results,
                      std::string("kind ") + code + " = " + words);
    }
  } // namespace

  void
  point_code::explain_events(Recorder &recorder)
  {
    explain_code(recorder, cusp, "cusp: two folds become one");
    explain_code(recorder,
                 double_pitchfork,
                 "double: two pitchforks, another mode breaks the symmetry as "
                 "well");
    explain_code(recorder, hilltop, "hilltop: a pitchfork on a fold");
  }

  void
  point_code::explain(Recorder &recorder)
  {
    const auto say = [&](const char *code, const char *words) {
      explain_code(recorder, code, words);
    };
    say(end, "end: a branch or a frontier begins or ends there");
    say(bifurcation, "bifurcation: another branch crosses");
    say(fold, "fold: the parameter turns back");
    say(requested, "request: a value that was asked for");
    say(failure, "failure: the continuation failed beyond");
    say(regular, "regular: none of these");
  }

  Archive
  labelled_state(const System              &system,
                 const std::string         &model_name,
                 const std::string         &kind,
                 const State               &state,
                 const Vector              *null_vector,
                 const std::vector<Vector> &companions)
  {
    Archive archive;
    archive.words["model"] = model_name;
    archive.words["kind"]  = kind;
    saved_state::put(archive, "body", system, state);
    if (null_vector)
      saved_state::put(archive, "null vector", system, *null_vector);
    for (std::size_t i = 0; i < companions.size(); ++i)
      saved_state::put(archive,
                       "companion " + std::to_string(i),
                       system,
                       companions[i]);
    return archive;
  }
} // namespace slender
