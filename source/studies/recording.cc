// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/gather_drawing.h>
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
    return gather_drawing(model.draw(q + mode_amplitude / length * mode),
                          model.layout().communicator);
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
    solution.state = gather(model.layout(), q);
    if (null_vector)
      solution.null_vector = gather(model.layout(), *null_vector);
    solution.history = model.history();
    return solution;
  }
} // namespace slender
