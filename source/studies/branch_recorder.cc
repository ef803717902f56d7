// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/gather_drawing.h>
#include <slender/statics/stability.h>
#include <slender/studies/branch_recorder.h>
#include <slender/studies/recording.h>

#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    /// The names that AUTO-07p has for them.
    std::string
    code_of(const PointKind kind)
    {
      switch (kind)
        {
          case PointKind::start:
          case PointKind::end:
            return "EP";
          case PointKind::requested:
            return "UZ";
          case PointKind::fold:
            return "LP";
          case PointKind::bifurcation:
            return "BP";
          case PointKind::regular:
            break;
        }
      return "RG";
    }
  } // namespace

  BranchRecorder::BranchRecorder(Model             &the_model,
                                 const std::string &the_parameter,
                                 const int          eigenvalues,
                                 const int          draw_every_nth,
                                 const Workplace   &the_workplace,
                                 StudyResult       &the_result)
    : model(the_model)
    , parameter(the_parameter)
    , n_eigenvalues(eigenvalues)
    , draw_every(draw_every_nth)
    , workplace(the_workplace)
    , result(the_result)
  {
    std::vector<std::string> columns = {"branch",
                                        "label",
                                        "kind",
                                        column_name(parameter),
                                        "arc_length",
                                        "stability_index",
                                        "iterations"};
    for (const Measurement &m : model.measure(model.initial_state()))
      columns.push_back(column_name(m.name) +
                        (column_name(m.name) == columns[3] ? "_measured" : ""));
    for (int i = 1; i <= n_eigenvalues; ++i)
      columns.push_back("eigenvalue_" + std::to_string(i));
    result.results = Table(columns);
    result.series  = {{"shapes", {}}, {"modes", {}}};
  }

  void
  BranchRecorder::add(const int                       branch,
                      const BranchPoint              &point,
                      const std::vector<Measurement> &measurements)
  {
    flush();
    pending = {branch, code_of(point.kind), point, measurements};
    // Directions and history are those of the moment.
    history = model.history();
  }

  void
  BranchRecorder::finish(const BranchEnd end)
  {
    if (!pending)
      return;
    if (pending->kind == "RG")
      pending->kind = end == BranchEnd::step_failed ? "MX" : "EP";
    flush();
  }

  void
  BranchRecorder::flush()
  {
    if (!pending)
      return;
    const BranchPoint &point      = pending->point;
    const bool         is_special = pending->kind != "RG";
    const long         label      = is_special ? ++last_label : 0;
    // Whoever calls goes on where the model stands now.
    const double present = model.parameter(parameter);
    model.set_parameter(parameter, point.parameter);
    result.results.add_row(row(label));
    const long n = ++result.summary.samples;
    result.summary.newton_iterations += point.iterations;
    if (is_special || (draw_every > 0 && n % draw_every == 0))
      result.series[0].items.push_back(
        {static_cast<double>(n),
         gather_drawing(model.draw(point.q), model.layout().communicator)});
    if (is_special)
      {
        keep(label);
        say(label);
      }
    model.set_parameter(parameter, present);
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
        const auto pairs = lowest_eigenpairs(model, point.q, n_eigenvalues);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n_eigenvalues);
             ++i)
          cells.emplace_back(i < pairs.size() ? pairs[i].value
                                              : Table::unknown);
      }
    return cells;
  }

  void
  BranchRecorder::keep(const long label)
  {
    const BranchPoint &point = pending->point;
    const bool         is_singular =
      point.kind == PointKind::fold || point.kind == PointKind::bifurcation;
    if (is_singular)
      result.series[1].items.push_back(
        {static_cast<double>(label),
         draw_mode(model, point.q, point.null_vector)});
    result.solutions.push_back(
      save(model,
           label,
           pending->kind,
           point.q,
           is_singular ? &point.null_vector : nullptr));
    result.solutions.back().history = history;
  }

  void
  BranchRecorder::say(const long label) const
  {
    std::ostringstream line;
    line << "branch " << pending->branch << ", label " << label << ", "
         << pending->kind << ": " << parameter << " = " << std::setprecision(10)
         << pending->point.parameter << ", " << pending->point.n_negative
         << " unstable";
    workplace.log(line.str());
  }
} // namespace slender
