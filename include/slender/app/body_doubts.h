// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_body_doubts_h
#define slender_app_body_doubts_h

#include <slender/base/parameter_file.h>

#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /**
   * Lines about a rod or a shell that is allowed but may not have been meant:
   * sizes and material that the file leaves to their defaults, and a body so
   * thick that no theory of slender ones applies, as one has whose lengths are
   * in different units.
   *
   * @param prm with the values of the file.
   */
  std::vector<std::string>
  doubts_about_body(const dealii::ParameterHandler &prm,
                    const ParameterFile            &file);
} // namespace slender

#endif
