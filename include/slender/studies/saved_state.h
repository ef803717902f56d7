// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_saved_state_h
#define slender_studies_saved_state_h

#include <slender/output/archive.h>
#include <slender/systems/system.h>

#include <string>
#include <vector>

/// States of systems, and vectors of their unknowns, in an archive: saved on
/// some number of ranks, taken up on any other.
namespace slender::saved_state
{
  /// Under names that begin with `name`. Collective.
  void
  put(Archive           &archive,
      const std::string &name,
      const System      &system,
      const State       &state);

  /// A direction in the space of unknowns, such as a mode.
  void
  put(Archive           &archive,
      const std::string &name,
      const System      &system,
      const Vector      &direction);

  /// Any number of them.
  void
  put(Archive                   &archive,
      const std::string         &name,
      const System              &system,
      const std::vector<Vector> &directions);

  /// Whether there is a direction of that name.
  bool
  has_vector(const ArchiveReader &reader, const std::string &name);

  /// Throws InputError if the archive is not of such a system. Collective.
  State
  get_state(const ArchiveReader &reader,
            const std::string   &name,
            const System        &system);

  Vector
  get_vector(const ArchiveReader &reader,
             const std::string   &name,
             const System        &system);

  std::vector<Vector>
  get_vectors(const ArchiveReader &reader,
              const std::string   &name,
              const System        &system);
} // namespace slender::saved_state

#endif
