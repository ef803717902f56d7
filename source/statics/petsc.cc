// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/petsc.h>

#include <algorithm>

namespace slender::petsc
{
  namespace
  {
    /// Access to [owned | ghosts] of a ghosted vector for as long as it lives.
    class LocalForm
    {
    public:
      explicit LocalForm(Vec v)
        : global(v)
      {
        check(VecGhostGetLocalForm(global, &local));
        check(VecGetLocalSize(local, &size));
        check(VecGetArray(local, &values));
      }

      ~LocalForm()
      {
        VecRestoreArray(local, &values);
        VecGhostRestoreLocalForm(global, &local);
      }

      LocalForm(const LocalForm &) = delete;
      LocalForm &
      operator=(const LocalForm &) = delete;

      Eigen::Map<Vector>
      map()
      {
        return {values, size};
      }

    private:
      Vec          global;
      Vec          local  = nullptr;
      PetscScalar *values = nullptr;
      PetscInt     size   = 0;
    };
  } // namespace

  Vector
  local_values(Vec v)
  {
    check(VecGhostUpdateBegin(v, INSERT_VALUES, SCATTER_FORWARD));
    check(VecGhostUpdateEnd(v, INSERT_VALUES, SCATTER_FORWARD));
    return LocalForm(v).map();
  }

  void
  set_values(Vec v, const Vector &values)
  {
    LocalForm(v).map() = values;
  }

  void
  set_and_accumulate(Vec v, const Vector &values)
  {
    set_values(v, values);
    check(VecGhostUpdateBegin(v, ADD_VALUES, SCATTER_REVERSE));
    check(VecGhostUpdateEnd(v, ADD_VALUES, SCATTER_REVERSE));
  }
} // namespace slender::petsc
