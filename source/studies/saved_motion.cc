// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/saved_motion.h>
#include <slender/studies/saved_state.h>

namespace slender::saved_motion
{
  void
  put(Archive &archive, const System &system, const MotionState &moment)
  {
    const Instant &x = moment.unknowns;
    saved_state::put(archive, "body", system, moment.state);
    for (const auto &[name, vector] :
         {std::make_pair("rate", &x.rate),
          std::make_pair("second", &x.second),
          std::make_pair("balanced", &x.balanced),
          std::make_pair("before", &x.before),
          std::make_pair("rate before", &x.rate_before)})
      if (vector->size() > 0)
        saved_state::put(archive, name, system, *vector);
    archive.numbers["moment"].values = {moment.time,
                                        moment.dissipated,
                                        moment.work,
                                        x.step_before};
  }

  MotionState
  get(const ArchiveReader &reader, const System &system)
  {
    const std::vector<double> numbers = reader.numbers("moment", 4);
    MotionState               moment;
    moment.time       = numbers[0];
    moment.dissipated = numbers[1];
    moment.work       = numbers[2];
    moment.state      = saved_state::get_state(reader, "body", system);
    Instant &x        = moment.unknowns;
    x.place           = moment.state.q;
    x.step_before     = numbers[3];
    for (const auto &[name, vector] :
         {std::make_pair("rate", &x.rate),
          std::make_pair("second", &x.second),
          std::make_pair("balanced", &x.balanced),
          std::make_pair("before", &x.before),
          std::make_pair("rate before", &x.rate_before)})
      if (saved_state::has_vector(reader, name))
        *vector = saved_state::get_vector(reader, name, system);
    return moment;
  }
} // namespace slender::saved_motion
