// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/branch_journey.h>
#include <slender/studies/saved_state.h>

#include <cmath>

namespace slender
{
  namespace
  {
    std::vector<double>
    numbers_of(const BranchPoint &point)
    {
      return {static_cast<double>(point.kind),
              point.parameter,
              point.arc_length,
              static_cast<double>(point.n_negative),
              static_cast<double>(point.iterations),
              point.is_undecided ? 1. : 0.};
    }

    void
    set_numbers(BranchPoint &point, const std::vector<double> &numbers)
    {
      point.kind         = static_cast<PointKind>(std::lround(numbers[0]));
      point.parameter    = numbers[1];
      point.arc_length   = numbers[2];
      point.n_negative   = static_cast<Index>(std::lround(numbers[3]));
      point.iterations   = static_cast<int>(std::lround(numbers[4]));
      point.is_undecided = numbers[5] != 0.;
    }

    /// How many numbers that are.
    constexpr std::size_t n_numbers = 6;

    void
    put(Archive           &archive,
        const std::string &name,
        const System      &system,
        const Leg         &leg)
    {
      std::vector<double> &numbers = archive.numbers[name + "/leg"].values;
      numbers                      = numbers_of(leg.from);
      numbers.insert(numbers.end(),
                     {static_cast<double>(leg.side),
                      leg.switches ? 1. : 0.,
                      static_cast<double>(leg.depth)});
      saved_state::put(archive, name, system, leg.state);
      if (leg.switches)
        saved_state::put(archive,
                         name + "/null vector",
                         system,
                         leg.from.null_vector);
      saved_state::put(archive,
                       name + "/companions",
                       system,
                       leg.from.companions);
    }

    Leg
    get_leg(const ArchiveReader &reader,
            const std::string   &name,
            const System        &system)
    {
      const std::vector<double> numbers =
        reader.numbers(name + "/leg", n_numbers + 3);
      Leg leg;
      set_numbers(leg.from, numbers);
      leg.side     = static_cast<int>(numbers[n_numbers]);
      leg.switches = numbers[n_numbers + 1] != 0.;
      leg.depth    = static_cast<int>(numbers[n_numbers + 2]);
      leg.state    = saved_state::get_state(reader, name, system);
      leg.from.q   = leg.state.q;
      if (leg.switches)
        leg.from.null_vector =
          saved_state::get_vector(reader, name + "/null vector", system);
      leg.from.companions =
        saved_state::get_vectors(reader, name + "/companions", system);
      return leg;
    }
  } // namespace

  Archive
  to_archive(const Journey &journey, const System &system)
  {
    Archive archive;
    archive.numbers["journey"].values = {
      static_cast<double>(journey.branch),
      static_cast<double>(journey.legs.size()),
      static_cast<double>(journey.recorded.rows),
      static_cast<double>(journey.recorded.labels)};
    archive.words["answer"] = journey.answer;
    put(archive, "under way", system, journey.leg);
    for (std::size_t i = 0; i < journey.legs.size(); ++i)
      put(archive, "leg " + std::to_string(i), system, journey.legs[i]);

    const BranchCursor &cursor  = journey.cursor;
    std::vector<double> numbers = numbers_of(cursor.last);
    numbers.insert(numbers.end(),
                   {cursor.direction_of_parameter,
                    cursor.unit_parameter,
                    cursor.length,
                    static_cast<double>(cursor.n_steps),
                    static_cast<double>(cursor.n_repeated),
                    cursor.deviation,
                    static_cast<double>(cursor.n_doubtful),
                    cursor.starts_at_bifurcation ? 1. : 0.,
                    cursor.start_parameter,
                    static_cast<double>(cursor.n_lost_zeros)});
    archive.numbers["cursor"].values = numbers;
    archive.numbers["lost"].values   = cursor.lost;
    saved_state::put(archive, "cursor", system, journey.state);
    saved_state::put(archive, "cursor/direction", system, cursor.direction);
    saved_state::put(archive, "cursor/start", system, cursor.start);
    saved_state::put(archive, "cursor/neutral", system, cursor.neutral);
    archive.numbers["trails"].values = cursor.trails.numbers();
    return archive;
  }

  Journey
  from_archive(const ArchiveReader &reader, System &system)
  {
    const std::vector<double> overview = reader.numbers("journey", 4);
    Journey                   journey;
    journey.branch          = static_cast<int>(overview[0]);
    journey.recorded.rows   = std::lround(overview[2]);
    journey.recorded.labels = std::lround(overview[3]);
    journey.answer          = reader.word("answer");
    journey.leg             = get_leg(reader, "under way", system);
    for (int i = 0; i < static_cast<int>(overview[1]); ++i)
      journey.legs.push_back(
        get_leg(reader, "leg " + std::to_string(i), system));

    const std::vector<double> numbers =
      reader.numbers("cursor", n_numbers + 10);
    BranchCursor &cursor = journey.cursor;
    set_numbers(cursor.last, numbers);
    const double *further         = numbers.data() + n_numbers;
    cursor.direction_of_parameter = further[0];
    cursor.unit_parameter         = further[1];
    cursor.length                 = further[2];
    cursor.n_steps                = static_cast<int>(further[3]);
    cursor.n_repeated             = static_cast<int>(further[4]);
    cursor.deviation              = further[5];
    cursor.n_doubtful             = static_cast<Index>(further[6]);
    cursor.starts_at_bifurcation  = further[7] != 0.;
    cursor.start_parameter        = further[8];
    cursor.n_lost_zeros           = static_cast<int>(further[9]);
    cursor.lost                   = reader.numbers("lost").values;
    cursor.trails.set_numbers(reader.numbers("trails").values);
    cursor.start   = saved_state::get_vector(reader, "cursor/start", system);
    cursor.neutral = saved_state::get_vectors(reader, "cursor/neutral", system);
    const State state = saved_state::get_state(reader, "cursor", system);
    cursor.last.q     = state.q;
    cursor.direction =
      saved_state::get_vector(reader, "cursor/direction", system);
    system.set_state(state);
    return journey;
  }
} // namespace slender
