// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/recording.h>

#include <algorithm>
#include <cmath>

namespace slender
{
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
  draw_mode(const Model &model, const Vector &q, const Vector &mode)
  {
    const double length = root_mean_square(model.layout(), mode);
    return model.draw(q + mode_amplitude / length * mode);
  }

  Solution
  save(const Model       &model,
       const long         label,
       const std::string &kind,
       const Vector      &q,
       const Vector      *null_vector)
  {
    Solution solution;
    solution.label = label;
    solution.kind  = kind;
    for (const Model::Parameter &p : model.parameters())
      solution.parameters.emplace_back(p.name, *p.value);
    MPI_Comm     communicator = model.layout().communicator;
    const Places places       = model.unknown_places();
    solution.state            = gather(communicator, places, q);
    if (null_vector)
      solution.null_vector = gather(communicator, places, *null_vector);
    solution.history =
      gather(communicator, model.history_places(), model.history());
    return solution;
  }
} // namespace slender
