// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/frontier_progress.h>

#include <cmath>

namespace slender
{
  namespace
  {
    std::vector<double>
    to_numbers(const PlaneCurve &curve)
    {
      std::vector<double> numbers;
      for (const Eigen::Vector2d &point : curve)
        numbers.insert(numbers.end(), {point.x(), point.y()});
      return numbers;
    }

    std::vector<double>
    to_numbers(const FrontierOutlook &outlook)
    {
      return {outlook.second_eigenvalue,
              outlook.second_distance,
              outlook.cubic,
              outlook.second_breaks_symmetry ? 1. : 0.,
              static_cast<double>(outlook.n_unstable)};
    }

    FrontierOutlook
    to_outlook(const std::vector<double> &numbers)
    {
      return {numbers[0],
              numbers[1],
              numbers[2],
              numbers[3] != 0.,
              static_cast<Index>(std::lround(numbers[4]))};
    }

    PlaneCurve
    to_curve(const std::vector<double> &numbers)
    {
      PlaneCurve curve;
      for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        curve.emplace_back(numbers[i], numbers[i + 1]);
      return curve;
    }
  } // namespace

  void
  FrontierProgress::begin(const State               &the_start,
                          const std::vector<double> &the_controls,
                          const Vector              &the_mode,
                          const std::vector<int>    &the_sides)
  {
    start          = the_start;
    start_controls = the_controls;
    mode           = the_mode;
    sides          = the_sides;
    for (PlaneCurve &curve : curves)
      curve.clear();
    n_doubts      = 0;
    n_late        = 0;
    largest_doubt = 0.;
  }

  Archive
  FrontierProgress::to_archive(const System         &system,
                               const FrontierCursor *at) const
  {
    Archive archive;
    archive.numbers["points"].values = {static_cast<double>(n_points)};
    archive.numbers["doubts"].values = {static_cast<double>(n_doubts),
                                        largest_doubt,
                                        static_cast<double>(n_late)};
    for (const int side : {0, 1})
      archive.numbers["side " + std::to_string(side)].values =
        to_numbers(curves[side]);
    archive.numbers["sides"].values.assign(sides.begin(), sides.end());
    archive.numbers["start controls"].values = start_controls;
    saved_state::put(archive, "start", system, start);
    saved_state::put(archive, "mode", system, mode);
    std::vector<double> &numbers = archive.numbers["cursor"].values;
    if (!at)
      return archive;

    numbers                    = {at->present.u[0],
                                  at->present.u[1],
                                  at->rate.u[0],
                                  at->rate.u[1],
                                  at->step,
                                  static_cast<double>(at->n_points),
                                  static_cast<double>(at->n_held)};
    std::vector<double> &trail = archive.numbers["trail"].values;
    for (const FrontierCursor::Milestone &m : at->trail)
      trail.insert(trail.end(), {m.u[0], m.u[1], m.distance, m.cubic});
    archive.numbers["outlook"].values = to_numbers(at->outlook);
    archive.numbers["pending outlook"].values =
      to_numbers(pending->point.outlook);
    archive.numbers["pending"].values = {pending->point.controls[0],
                                         pending->point.controls[1],
                                         pending->point.slack,
                                         static_cast<double>(
                                           pending->point.iterations),
                                         pending->is_known ? 1. : 0.,
                                         pending->point.doubt};
    // The point that waits is the present one.
    saved_state::put(archive, "present", system, pending->state);
    saved_state::put(archive, "rate", system, at->rate.q);
    saved_state::put(archive, "mode", system, at->modes);
    saved_state::put(archive, "antisymmetric", system, at->antisymmetric);
    return archive;
  }

  void
  FrontierProgress::restore(const ArchiveReader &reader, System &system)
  {
    n_points = std::lround(reader.numbers("points", 1)[0]);
    const std::vector<double> doubts = reader.numbers("doubts", 3);
    n_doubts                         = std::lround(doubts[0]);
    largest_doubt                    = doubts[1];
    n_late                           = std::lround(doubts[2]);
    for (const int side : {0, 1})
      curves[side] =
        to_curve(reader.numbers("side " + std::to_string(side)).values);
    for (const double side : reader.numbers("sides").values)
      sides.push_back(static_cast<int>(side));
    start_controls = reader.numbers("start controls", 2);
    start          = saved_state::get_state(reader, "start", system);
    mode           = saved_state::get_vector(reader, "mode", system);
    if (reader.numbers("cursor").values.empty())
      return;

    const std::vector<double> numbers = reader.numbers("cursor", 7);
    cursor.emplace();
    cursor->present.u               = {{numbers[0], numbers[1]}};
    cursor->rate.u                  = {{numbers[2], numbers[3]}};
    cursor->step                    = numbers[4];
    cursor->n_points                = static_cast<int>(std::lround(numbers[5]));
    cursor->n_held                  = static_cast<int>(std::lround(numbers[6]));
    const std::vector<double> trail = reader.numbers("trail").values;
    for (std::size_t i = 0; i + 3 < trail.size(); i += 4)
      cursor->trail.push_back(
        {{{trail[i], trail[i + 1]}}, trail[i + 2], trail[i + 3]});
    cursor->outlook = to_outlook(reader.numbers("outlook", 5));
    cursor->modes   = saved_state::get_vectors(reader, "mode", system);
    cursor->antisymmetric =
      saved_state::get_vectors(reader, "antisymmetric", system);
    cursor->rate.q      = saved_state::get_vector(reader, "rate", system);
    const State present = saved_state::get_state(reader, "present", system);
    cursor->present.q   = present.q;

    system.set_state(present);
    const std::vector<double> waiting = reader.numbers("pending", 6);
    pending.emplace();
    pending->point.controls   = {{waiting[0], waiting[1]}};
    pending->point.slack      = waiting[2];
    pending->point.iterations = static_cast<int>(std::lround(waiting[3]));
    pending->is_known         = waiting[4] != 0.;
    pending->point.doubt      = waiting[5];
    pending->point.outlook = to_outlook(reader.numbers("pending outlook", 5));
    pending->point.q       = present.q;
    pending->point.null_vector = cursor->modes.at(0);
    pending->state             = present;
    pending->measurements      = system.measure(present.q);
  }
} // namespace slender
