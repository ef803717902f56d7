// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/state_files.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/saved_state.h>
#include <slender/studies/starting_point.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/utilities.h>

#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    /// A state that moves further than this (root mean square of dimensionless
    /// unknowns) before it is an equilibrium was not one.
    constexpr double largest_correction = 1e-4;
  } // namespace

  void
  StartingPoint::declare(dealii::ParameterHandler &prm,
                         const std::string        &section_name)
  {
    using namespace dealii::Patterns;
    section = section_name;
    prm.add_parameter(
      "Start run",
      run,
      "Output directory of an earlier run with this body, from "
      "one of whose labelled points to start; empty to start "
      "from the body under its loads. With it, start values and "
      "what a search begins with do not count. It is looked for beside "
      "the parameter file, then in the working directory.",
      DirectoryName());
    prm.add_parameter("Start label",
                      label,
                      "Label of that point in its results.csv [1].",
                      Integer(1, 100000000));
  }

  std::filesystem::path
  StartingPoint::file() const
  {
    return std::filesystem::path(run) / state_file(label);
  }

  void
  StartingPoint::check() const
  {
    const StartingPoint usual;
    check_idle(is_from_run(),
               label,
               usual.label,
               section + "/Start label",
               "there is a 'Start run'");
    if (!is_from_run() || std::filesystem::is_regular_file(file()))
      return;
    std::string labels;
    for (const std::int64_t there : state_labels(run))
      labels += (labels.empty() ? "" : ", ") + std::to_string(there);
    if (labels.empty())
      throw InputError("'" + run + "' has no labelled points to start from",
                       section + "/Start run");
    throw InputError("'" + run + "' has no label " + std::to_string(label) +
                       "; it has " + labels,
                     section + "/Start label");
  }

  StartingPoint::Found
  StartingPoint::load(Model                         &model,
                      const NewtonOptions           &newton,
                      const BodyParameters          &body,
                      const std::vector<LoadTarget> &values) const
  {
    std::vector<LoadTarget> targets = values;
    for (const auto &[parameter, value] : body.loads())
      if (std::none_of(values.begin(),
                       values.end(),
                       [&name = parameter](const LoadTarget &target) {
                         return target.parameter == name;
                       }))
        targets.push_back({parameter, value});
    Found found;
    found.equilibrium =
      EquilibriumSolver(model, newton).load(model.initial_state(), targets);
    return found;
  }

  StartingPoint::Found
  StartingPoint::take_up(Model               &model,
                         const NewtonOptions &newton,
                         const Workplace     &workplace) const
  {
    const std::string here = section + "/Start run";
    Found             result;
    Vector            q;
    try
      {
        const ArchiveReader reader(file(), model.layout().communicator);
        if (reader.word("model") != workplace.model_name)
          throw InputError("'" + run + "' is a run with '" +
                           reader.word("model") + "', not with '" +
                           workplace.model_name + "'");
        result.kind       = reader.word("kind");
        const State state = saved_state::get_state(reader, "body", model);
        if (saved_state::has_vector(reader, "null vector"))
          result.null_vector =
            saved_state::get_vector(reader, "null vector", model);
        result.is_singular = saved_state::has_vector(reader, "null vector");
        for (std::string name = "companion 0";
             saved_state::has_vector(reader, name);
             name = "companion " + std::to_string(result.companions.size()))
          result.companions.push_back(
            saved_state::get_vector(reader, name, model));
        model.set_state(state);
        q = state.q;
      }
    catch (const InputError &error)
      {
        throw InputError(error.what(), here);
      }
    const Layout     &layout = model.layout();
    EquilibriumSolver solver(model, newton);
    solver.set_neutral_motions(result.companions);
    result.equilibrium = result.is_singular
                           ? solver.solve_held(q, result.null_vector)
                           : solver.solve(q);
    const double moved = root_mean_square(layout, result.equilibrium.q - q);
    if (!result.equilibrium.converged() || !(moved < largest_correction))
      {
        std::ostringstream line;
        line << "label " << label << " of '" << run
             << "' is not near an equilibrium of this body ";
        if (result.equilibrium.converged())
          line << "(the nearest is " << moved
               << " away, root mean square of dimensionless unknowns)";
        else
          line << "(" << to_string(result.equilibrium.outcome) << ")";
        line << "; the body has to be that of the earlier run";
        throw InputError(line.str(), section + "/Start label");
      }
    return result;
  }

  void
  StartingPoint::check_loads(const Model                    &model,
                             const BodyParameters           &body,
                             const std::vector<std::string> &varied) const
  {
    for (const auto &[name, value] : body.loads())
      {
        const double there = model.parameter(name);
        if (std::find(varied.begin(), varied.end(), name) != varied.end() ||
            std::abs(there - value) <= 1e-9 * std::abs(value))
          continue;
        std::ostringstream line;
        line << "'" << name << "' is " << value << " here, but " << there
             << " at label " << label << " of '" << run
             << "', whose loads count; leave it out";
        throw InputError(line.str(), body.path_of_load(name));
      }
  }

  void
  check_start_value(const BodyParameters &body,
                    const std::string    &parameter,
                    const double          start_value)
  {
    for (const auto &[name, value] : body.loads())
      if (name == parameter && value != start_value)
        {
          std::ostringstream line;
          line << "'" << name << "' varies, from a start value of "
               << start_value << "; the load of " << value
               << " says nothing, leave it out or start there";
          throw InputError(line.str(), body.path_of_load(name));
        }
  }

  double
  number_or(const std::string &text,
            const double       otherwise,
            const std::string &parameter_path)
  {
    const std::string number = dealii::Utilities::trim(text);
    if (number.empty())
      return otherwise;
    if (!dealii::Patterns::Double().match(number))
      throw InputError("'" + number + "' is not a number", parameter_path);
    return dealii::Utilities::string_to_double(number);
  }
} // namespace slender
