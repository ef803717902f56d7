// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/vector_parameter.h>

#include <deal.II/base/parameter_handler.h>

#include <sstream>

namespace slender
{
  void
  add_vector(dealii::ParameterHandler &prm,
             const std::string        &name,
             Vector3                  &value,
             const std::string        &documentation)
  {
    std::ostringstream text;
    // Adding zero makes 0 of -0, which only confuses.
    text << value.x() + 0. << ", " << value.y() + 0. << ", " << value.z() + 0.;
    prm.declare_entry(name,
                      text.str(),
                      dealii::Patterns::List(dealii::Patterns::Double(), 3, 3),
                      documentation);
    prm.add_action(name, [&value](const std::string &list) {
      const auto parts = dealii::Utilities::split_string_list(list);
      for (int c = 0; c < 3; ++c)
        value(c) = dealii::Utilities::string_to_double(parts[c]);
    });
  }

  void
  check_direction(const Vector3 &direction, const std::string &parameter_path)
  {
    if (direction == Vector3::Zero())
      throw InputError("a direction may not be zero", parameter_path);
  }

  bool
  lies_in(const Vector3 &direction, const std::array<bool, 3> &fixed)
  {
    for (int c = 0; c < 3; ++c)
      if (!fixed[c] && direction(c) != 0.)
        return false;
    return true;
  }

  void
  check_is_held(const Vector3             &direction,
                const std::array<bool, 3> &fixed,
                const std::string         &parameter_path)
  {
    for (int c = 0; c < 3; ++c)
      if (!fixed[c] && direction(c) != 0.)
        throw InputError(std::string("the displacement has a part along ") +
                           "xyz"[c] + ", in which nothing is fixed",
                         parameter_path);
  }

  std::optional<Vector3>
  parse_position(const std::string &text, const std::string &parameter_path)
  {
    if (text.empty())
      return {};
    const dealii::Patterns::List three_numbers(dealii::Patterns::Double(),
                                               3,
                                               3);
    if (!three_numbers.match(text))
      throw InputError(
        "'" + text +
          "' is not a position; three numbers 'x, y, z' are expected",
        parameter_path);
    const auto parts = dealii::Utilities::split_string_list(text);
    Vector3    position;
    for (int c = 0; c < 3; ++c)
      position(c) = dealii::Utilities::string_to_double(parts[c]);
    return position;
  }
} // namespace slender
