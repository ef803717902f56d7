// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/solvers/ghosts.h>
#include <slender/studies/saved_state.h>

#include <algorithm>
#include <cmath>

namespace slender::saved_state
{
  namespace
  {
    std::string
    unknowns_of(const std::string &name)
    {
      return name + "/unknowns";
    }

    std::string
    history_of(const std::string &name)
    {
      return name + "/history";
    }

    std::string
    parameters_of(const std::string &name)
    {
      return name + "/parameters";
    }

    /// Sizes are known to all ranks, so that all of them refuse.
    Vector
    array_of(const ArchiveReader &reader,
             const std::string   &name,
             const Places        &places,
             const Index          n_local)
    {
      const auto saved = reader.arrays().find(name);
      if (saved != reader.arrays().end() && saved->second != places.size)
        throw InputError("the saved state is one of another mesh: '" + name +
                         "' has " + std::to_string(saved->second) +
                         " numbers there and " + std::to_string(places.size) +
                         " here");
      return reader.array(name, places, n_local);
    }
  } // namespace

  void
  put(Archive           &archive,
      const std::string &name,
      const System      &system,
      const State       &state)
  {
    put(archive, name, system, state.q);
    const Places places = system.history_places();
    if (places.size > 0)
      archive.arrays[history_of(name)] = {places, state.history};
    Archive::Numbers &parameters = archive.numbers[parameters_of(name)];
    parameters.values            = state.parameters;
    for (const System::Parameter &p : system.parameters())
      parameters.names.push_back(p.name);
  }

  void
  put(Archive           &archive,
      const std::string &name,
      const System      &system,
      const Vector      &direction)
  {
    archive.arrays[unknowns_of(name)] = {system.unknown_places(), direction};
  }

  bool
  has_vector(const ArchiveReader &reader, const std::string &name)
  {
    return reader.arrays().count(unknowns_of(name)) > 0;
  }

  Vector
  get_vector(const ArchiveReader &reader,
             const std::string   &name,
             const System        &system)
  {
    const Layout &layout = system.layout();
    return with_ghosts(layout,
                       array_of(reader,
                                unknowns_of(name),
                                system.unknown_places(),
                                layout.n_local()));
  }

  State
  get_state(const ArchiveReader &reader,
            const std::string   &name,
            const System        &system)
  {
    State                   state;
    const Archive::Numbers &saved = reader.numbers(parameters_of(name));
    // By name: a later version may have more of them.
    state.parameters = system.parameter_values();
    if (saved.names.size() != saved.values.size())
      throw InputError("the saved state has parameters without names");
    for (std::size_t i = 0; i < saved.names.size(); ++i)
      {
        const auto &all = system.parameters();
        const auto  found =
          std::find_if(all.begin(), all.end(), [&](const System::Parameter &p) {
            return p.name == saved.names[i];
          });
        if (found == all.end())
          throw InputError("the saved state has a parameter '" +
                           saved.names[i] + "', which this body does not have");
        state.parameters[found - all.begin()] = saved.values[i];
      }
    state.q             = get_vector(reader, name, system);
    const Places places = system.history_places();
    if (places.size > 0)
      state.history = array_of(reader,
                               history_of(name),
                               places,
                               static_cast<Index>(system.history().size()));
    return state;
  }

  void
  put(Archive                   &archive,
      const std::string         &name,
      const System              &system,
      const std::vector<Vector> &directions)
  {
    archive.numbers["number of " + name].values = {
      static_cast<double>(directions.size())};
    for (std::size_t i = 0; i < directions.size(); ++i)
      put(archive, name + " " + std::to_string(i), system, directions[i]);
  }

  std::vector<Vector>
  get_vectors(const ArchiveReader &reader,
              const std::string   &name,
              const System        &system)
  {
    std::vector<Vector> vectors;
    const long n = std::lround(reader.numbers("number of " + name, 1)[0]);
    for (long i = 0; i < n; ++i)
      vectors.push_back(
        get_vector(reader, name + " " + std::to_string(i), system));
    return vectors;
  }
} // namespace slender::saved_state
