// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/ghosts.h>
#include <slender/solvers/nox_vector.h>

namespace slender
{
  Vector
  with_ghosts(const Layout &layout, const Vector &share)
  {
    const NoxVector vector(layout, share);
    return petsc::local_values(vector.handle());
  }
} // namespace slender
