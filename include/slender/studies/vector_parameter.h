// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_vector_parameter_h
#define slender_studies_vector_parameter_h

#include <slender/base/types.h>

#include <array>
#include <optional>
#include <string>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// Declares a parameter of three numbers, "x, y, z", bound to a vector.
  void
  add_vector(dealii::ParameterHandler &prm,
             const std::string        &name,
             Vector3                  &value,
             const std::string        &documentation);

  /// Throws InputError if a vector that is to be a direction is zero.
  void
  check_direction(const Vector3 &direction, const std::string &parameter_path);

  /// Whether a direction has parts along fixed coordinate axes only.
  bool
  lies_in(const Vector3 &direction, const std::array<bool, 3> &fixed);

  /// Throws InputError if something that is held in some coordinate directions
  /// is to be displaced along another one.
  void
  check_is_held(const Vector3             &direction,
                const std::array<bool, 3> &fixed,
                const std::string         &parameter_path);

  /// Three numbers "x, y, z", or nothing for an empty text; throws InputError
  /// for anything else.
  std::optional<Vector3>
  parse_position(const std::string &text, const std::string &parameter_path);
} // namespace slender

#endif
