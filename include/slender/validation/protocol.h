// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_protocol_h
#define slender_validation_protocol_h

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /// The protocols of Romero et al. 2021, section 4.
  enum class Protocol
  {
    cantilever,
    bend_twist,
    lateral_buckling,
    stick_slip
  };

  const std::vector<Protocol> &
  all_protocols();

  /// As in 'set Study = ': "bend twist".
  std::string
  name_of(Protocol protocol);

  /// Also with '-' or '_' between the words, and in capitals. Throws
  /// InputError, with the nearest name, for any other.
  Protocol
  find_protocol(const std::string &name);

  /// What is drawn along the axes of the paper's figure, and how.
  struct Axes
  {
    std::string x, y;
    bool        is_logarithmic;
  };

  Axes
  axes_of(Protocol protocol);

  /**
   * The paper's rule (9): a code passes if there is a resolution from which on
   * it agrees with the master curve, however it is refined further.
   *
   * @param agrees for each resolution, from the coarsest to the finest,
   *        whether all physical settings agree
   */
  struct RefinementRule
  {
    explicit RefinementRule(const std::vector<bool> &agrees);

    /// The first resolution that agrees and keeps agreeing; none: KO.
    std::optional<std::size_t> first;

    /// A finer one has shown that it does.
    bool is_confirmed = false;

    /// A coarser one agreed, and a finer one did not: by accident.
    std::optional<std::size_t> accident;
  };
} // namespace slender

#endif
