// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/saved_motion.h>
#include <slender/studies/saved_state.h>

namespace slender::saved_state
{
  void
  put(Archive &archive, const System &system, const MotionState &moment)
  {
    const Instant &x = moment.unknowns;
    put(archive, "body", system, moment.state);
    put(archive, "rate", system, x.rate);
    put(archive, "second", system, x.second);
    put(archive, "balanced", system, x.balanced);
    if (x.before.size() > 0)
      {
        put(archive, "before", system, x.before);
        put(archive, "rate before", system, x.rate_before);
      }
    archive.numbers["moment"].values = {moment.time,
                                        moment.dissipated,
                                        moment.work,
                                        x.step_before};
  }

  MotionState
  get_motion(const ArchiveReader &reader, const System &system)
  {
    const std::vector<double> numbers = reader.numbers("moment", 4);
    MotionState               moment;
    moment.time       = numbers[0];
    moment.dissipated = numbers[1];
    moment.work       = numbers[2];
    moment.state      = get_state(reader, "body", system);
    Instant &x        = moment.unknowns;
    x.place           = moment.state.q;
    x.rate            = get_vector(reader, "rate", system);
    x.second          = get_vector(reader, "second", system);
    x.balanced        = get_vector(reader, "balanced", system);
    x.step_before     = numbers[3];
    if (has_vector(reader, "before"))
      {
        x.before      = get_vector(reader, "before", system);
        x.rate_before = get_vector(reader, "rate before", system);
      }
    return moment;
  }
} // namespace slender::saved_state
