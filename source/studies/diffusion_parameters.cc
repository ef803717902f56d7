// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/formula.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/diffusion_parameters.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/utilities.h>

namespace slender
{
  namespace
  {
    const std::array<std::string, 2> names = {{" top", " bottom"}};

    DiffusionOptions::TimeField
    time_field(const std::string &text, const std::string &name)
    {
      if (text == "0")
        return {};
      return formula_of_place_and_time(text, "Diffusion/" + name);
    }
  } // namespace

  void
  DiffusionParameters::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Diffusion");
    prm.add_parameter("Coefficients",
                      coefficients,
                      "How fast moisture or heat spreads [length^2/time]: one "
                      "number, or three for that along the natural direction "
                      "of the shell, across it, and through the thickness.",
                      List(Double(0.), 1, 3));
    prm.add_parameter("Degree through thickness",
                      degree,
                      "Of the polynomials through the thickness [1]: 1 is a "
                      "linear profile.",
                      Integer(1, 6));
    prm.add_parameter("Order in time",
                      order,
                      "1 is implicit Euler, 2 a method of two stages [1].",
                      Integer(1, 2));
    prm.add_parameter("Place",
                      place,
                      "Whether distances, and x, y and z in the formulas of "
                      "sources and surroundings, are those of the shell at "
                      "rest or in its present position.",
                      Selection("rest|present"));
    for (int i = 0; i < 2; ++i)
      {
        Side &side = sides[i];
        prm.add_parameter("Source" + names[i],
                          side.source,
                          "What comes into being on this side, and linearly "
                          "between the two [1/time]: a formula in x, y, z and "
                          "the time t. 'top' is the side of the normal.",
                          Anything());
        prm.add_parameter("Exchange" + names[i],
                          side.exchange,
                          "What passes through this side, for each unit of "
                          "difference from the surroundings [length/time]: a "
                          "formula in x, y, z of the shell at rest.",
                          Anything());
        prm.add_parameter("Surroundings" + names[i],
                          side.surroundings,
                          "Moisture or temperature beyond this side [1]: a "
                          "formula in x, y, z and t.",
                          Anything());
      }
    prm.leave_subsection();
  }

  DiffusionOptions
  DiffusionParameters::make() const
  {
    DiffusionOptions result;
    const auto       numbers = dealii::Utilities::string_to_double(
      dealii::Utilities::split_string_list(coefficients));
    result.coefficients.setConstant(numbers.front());
    if (numbers.size() == 3)
      result.coefficients = {numbers[0], numbers[1], numbers[2]};
    result.degree = degree;
    for (int i = 0; i < 2; ++i)
      {
        result.source[i] = time_field(sides[i].source, "Source" + names[i]);
        result.surroundings[i] =
          time_field(sides[i].surroundings, "Surroundings" + names[i]);
        if (sides[i].exchange != "0")
          result.exchange[i] =
            formula_of_place(sides[i].exchange,
                             "Diffusion/Exchange" + names[i]);
      }
    return result;
  }

  bool
  DiffusionParameters::is_active() const
  {
    const DiffusionParameters usual;
    bool                      active = coefficients != usual.coefficients;
    for (const Side &side : sides)
      active = active || side.source != "0" || side.exchange != "0";
    return active;
  }

  void
  DiffusionParameters::check() const
  {
    make();
    const DiffusionParameters usual;
    const auto numbers = dealii::Utilities::split_string_list(coefficients);
    if (numbers.size() == 2)
      throw InputError("'Coefficients' are one number or three: along, across "
                       "and through the shell",
                       "Diffusion/Coefficients");
    for (int i = 0; i < 2; ++i)
      check_idle(sides[i].exchange != "0",
                 sides[i].surroundings,
                 usual.sides[i].surroundings,
                 "Diffusion/Surroundings" + names[i],
                 "'Exchange" + names[i] + "' is not 0");
    const auto check =
      [&](const auto &value, const auto &otherwise, const std::string &name) {
        check_idle(is_active(),
                   value,
                   otherwise,
                   "Diffusion/" + name,
                   "something spreads or comes in");
      };
    check(degree, usual.degree, "Degree through thickness");
    check(order, usual.order, "Order in time");
    check(place, usual.place, "Place");
  }
} // namespace slender
