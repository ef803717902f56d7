// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_frontier_messages_h
#define slender_studies_frontier_messages_h

#include <slender/base/groups.h>
#include <slender/statics/frontier.h>

#include <list>
#include <optional>
#include <vector>

namespace slender
{
  /// A point of a frontier on its way to the group that records it: with the
  /// state of the system there, or how its side has ended.
  struct FrontierMessage
  {
    FrontierPoint              point;
    State                      state;
    std::optional<FrontierEnd> end; ///< without a point
  };

  /// Each rank of a group tells the rank of the first group that has the same
  /// number there: groups share their bodies alike. Letters wait with their
  /// sender until they are taken.
  class FrontierOutbox
  {
  public:
    explicit FrontierOutbox(const Groups &groups);
    ~FrontierOutbox();

    void
    send(const FrontierMessage &message);

  private:
    struct Letter
    {
      std::vector<double> numbers;
      MPI_Request         request = MPI_REQUEST_NULL;
    };

    const Groups     &groups;
    std::list<Letter> letters;
  };

  /// The next message from another group; waits for it.
  FrontierMessage
  next_frontier_message(const Groups &groups, int from_group);
} // namespace slender

#endif
