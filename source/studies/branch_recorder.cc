// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/recorder.h>
#include <slender/statics/stability.h>
#include <slender/studies/branch_recorder.h>
#include <slender/studies/recording.h>

#include <iomanip>
#include <sstream>

namespace slender
{
  BranchRecorder::BranchRecorder(System                         &the_system,
                                 const std::string              &the_parameter,
                                 const std::vector<std::string> &the_formulas,
                                 const int                       eigenvalues,
                                 const int                       draw_every_nth,
                                 const Workplace                &the_workplace)
    : system(the_system)
    , parameter(the_parameter)
    , formulas(the_formulas)
    , n_eigenvalues(eigenvalues)
    , draw_every(draw_every_nth)
    , workplace(the_workplace)
    , recorder(the_workplace.recorder)
  {
    std::vector<std::string> columns = {"branch",
                                        "label",
                                        "kind",
                                        column_name(parameter),
                                        "arc_length",
                                        "stability_index",
                                        "iterations"};
    for (const Measurement &m : system.measure(system.initial_state()))
      columns.push_back(column_name(m.name) +
                        (column_name(m.name) == columns[3] ? "_measured" : ""));
    for (int i = 1; i <= n_eigenvalues; ++i)
      columns.push_back("eigenvalue_" + std::to_string(i));
    for (const char *column : {"undecided",
                               "critical_eigenvalues",
                               "eigenvalue_left",
                               "uncertainty",
                               "koiter_a",
                               "koiter_b"})
      columns.emplace_back(column);
    if (!formulas.empty())
      columns.emplace_back("formula");
    recorder.begin_table(recorded::results, columns);
    recorder.begin_series(recorded::shapes, "number of the row [1]");
    recorder.begin_series(recorded::modes, "label [1]");
  }

  void
  BranchRecorder::resume(const Position &position)
  {
    reached = position;
  }

  void
  BranchRecorder::add(const int                       branch,
                      const BranchPoint              &point,
                      const std::vector<Measurement> &measurements)
  {
    flush();
    // Directions and history are those of the moment.
    pending = {branch,
               point_code::of(point.kind),
               point,
               measurements,
               system.state(point.q)};
  }

  void
  BranchRecorder::finish(const BranchEnd end)
  {
    if (!pending)
      return;
    if (pending->kind == point_code::regular)
      pending->kind =
        end == BranchEnd::step_failed ? point_code::failure : point_code::end;
    flush();
  }

  void
  BranchRecorder::flush()
  {
    if (!pending)
      return;
    const BranchPoint &point      = pending->point;
    const bool         is_special = pending->kind != point_code::regular;
    const long         label      = is_special ? ++reached.labels : 0;
    // Whoever calls goes on where the system stands now.
    const State present = system.state(point.q);
    system.set_state(pending->state);
    if (!system.has_potential() && !has_told_of_flutter)
      {
        recorder.log(static_stability_alone);
        has_told_of_flutter = true;
      }
    recorder.row(recorded::results, row(label));
    recorder.count(recorded::samples);
    recorder.count(recorded::iterations, point.iterations);
    const long n = ++reached.rows;
    if (is_special || (draw_every > 0 && n % draw_every == 0))
      recorder.shape(recorded::shapes,
                     n,
                     static_cast<double>(n),
                     system.draw(point.q),
                     workplace.groups.group());
    if (is_special)
      {
        keep(label);
        say(label);
      }
    system.set_state(present);
    pending.reset();
  }

  Table::Row
  BranchRecorder::row(const long label) const
  {
    const BranchPoint &point = pending->point;
    Table::Row         cells = {static_cast<long>(pending->branch),
                                label,
                                pending->kind,
                                point.parameter,
                                point.arc_length,
                                static_cast<long>(point.n_negative),
                                static_cast<long>(point.iterations)};
    for (const Measurement &m : pending->measurements)
      cells.emplace_back(m.value);
    if (n_eigenvalues > 0)
      {
        const auto pairs = lowest_eigenpairs(system, point.q, n_eigenvalues);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n_eigenvalues);
             ++i)
          cells.emplace_back(i < pairs.size() ? pairs[i].value
                                              : Table::unknown);
      }
    cells.emplace_back(point.is_undecided ? 1L : 0L);
    const bool is_singular =
      point.kind == PointKind::fold || point.kind == PointKind::bifurcation;
    cells.emplace_back(static_cast<long>(point.n_critical));
    cells.emplace_back(is_singular ? point.eigenvalue : Table::unknown);
    cells.emplace_back(is_singular ? point.uncertainty : Table::unknown);
    const Koiter koiter = koiter_coefficients();
    cells.emplace_back(koiter.a);
    cells.emplace_back(koiter.b);
    if (!formulas.empty())
      cells.emplace_back(static_cast<long>(point.function + 1));
    return cells;
  }

  BranchRecorder::Koiter
  BranchRecorder::koiter_coefficients() const
  {
    const BranchPoint &point = pending->point;
    if (!point.post_buckling || point.parameter == 0.)
      return {Table::unknown, Table::unknown};
    const double unit =
      largest_displacement(system, point.q, point.null_vector);
    return {point.post_buckling->slope / point.parameter / unit,
            0.5 * point.post_buckling->curvature / point.parameter /
              (unit * unit)};
  }

  void
  BranchRecorder::keep(const long label)
  {
    const BranchPoint &point = pending->point;
    const bool         is_singular =
      point.kind == PointKind::fold || point.kind == PointKind::bifurcation;
    if (is_singular)
      recorder.shape(recorded::modes,
                     label,
                     static_cast<double>(label),
                     draw_mode(system, point.q, point.null_vector),
                     workplace.groups.group());
    recorder.state(label,
                   labelled_state(system,
                                  workplace.model_name,
                                  pending->kind,
                                  pending->state,
                                  is_singular ? &point.null_vector : nullptr,
                                  point.companions),
                   workplace.groups.group());
  }

  void
  BranchRecorder::say(const long label) const
  {
    std::ostringstream line;
    line << "branch " << pending->branch << ", label " << label << ", "
         << pending->kind << ": " << parameter << " = " << std::setprecision(10)
         << pending->point.parameter;
    const BranchPoint &point = pending->point;
    if (point.function >= 0)
      line << ", where " << formulas[static_cast<std::size_t>(point.function)]
           << " = 0";
    if (point.null_vector.size() > 0 && point.uncertainty > 0.)
      line << std::setprecision(1) << " +- " << point.uncertainty;
    line << ", " << point.n_negative
         << (point.is_undecided ? " or more unstable (undecided)"
                                : " unstable");
    if (point.companions.size() == 1)
      line << ", double";
    else if (point.n_critical > 1)
      line << ", " << point.n_critical << " eigenvalues vanish together";
    recorder.log(line.str());
  }
} // namespace slender
