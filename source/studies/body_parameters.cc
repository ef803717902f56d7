// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/body_parameters.h>
#include <slender/studies/rod_parameters.h>
#include <slender/studies/shell_parameters.h>

namespace slender
{
  std::unique_ptr<BodyParameters>
  make_body_parameters(const BodyKind kind)
  {
    if (kind == BodyKind::shell)
      return std::make_unique<ShellParameters>();
    return std::make_unique<RodParameters>();
  }
} // namespace slender
