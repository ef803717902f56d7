// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/base/progress.h>
#include <slender/output/recorder.h>
#include <slender/statics/stability.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/effects.h>
#include <slender/studies/equilibrium_study.h>
#include <slender/studies/load_steps.h>
#include <slender/studies/recording.h>
#include <slender/studies/saved_state.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <optional>
#include <sstream>

namespace slender
{
  namespace
  {
    constexpr const char *equilibria_table = "equilibria";

  } // namespace

  std::string
  EquilibriumStudy::in_words(
    const std::vector<Measurement>     &measured,
    const int                           step,
    const std::vector<Measurement>     &at_rest,
    const std::optional<StabilityCount> stability) const
  {
    const auto value_in = [](const std::vector<Measurement> &of,
                             const char *name) -> std::optional<double> {
      for (const Measurement &m : of)
        if (m.name == name)
          return m.value;
      return {};
    };
    const auto value = [&](const char *name) {
      return value_in(measured, name);
    };
    // A file without loads, or with a weight but no density.
    const auto end_stays = [&] {
      double size = 0., way = 0.;
      for (const char *name : {"end x", "end y", "end z"})
        {
          const auto before = value_in(at_rest, name);
          if (!before)
            return false;
          size = std::max(size, std::abs(*before));
          way  = std::max(way, std::abs(*value(name) - *before));
        }
      return way <= 1e-12 * size;
    };
    std::ostringstream words;
    words << std::setprecision(6);
    if (step == n_steps)
      words << "under its full load ";
    else
      words << "under " << 100. * step / n_steps << " % of its load ";
    if (value("end x"))
      words << "the end of the rod is "
            << (end_stays() ? "where it was without, " : "") << "at ("
            << *value("end x") << ", " << *value("end y") << ", "
            << *value("end z") << ")";
    else if (value("largest displacement"))
      words << "the shell moves by at most " << *value("largest displacement");
    else
      return "";
    if (stability && stability->n_negative > 0)
      words << ", but this equilibrium is unstable, in "
            << stability->n_negative
            << (stability->n_negative == 1 ? " direction" : " directions")
            << ": nothing stays there. The study 'branch' says where it gives "
               "way";
    return words.str();
  }

  void
  EquilibriumStudy::set_body_kind(const BodyKind kind)
  {
    body = make_body_parameters(kind);
  }

  void
  EquilibriumStudy::set_sections(const std::vector<std::string> &names)
  {
    body->set_sections(names);
    obstacles.set_sections(names);
    // What obstacles hold needs no other support.
    if (!obstacles.is_empty())
      body->let_free();
  }

  void
  EquilibriumStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Equilibrium");
    prm.add_parameter("Load steps",
                      n_steps,
                      "Number of equal steps in which all loads are raised "
                      "from zero [1]; a step that does not converge is halved.",
                      Integer(1, 1000000));
    prm.add_parameter("Stability",
                      counts_signs,
                      "Count the negative eigenvalues of the Hessian at every "
                      "step; this needs one more factorisation, which a very "
                      "large body may not have the memory for.");
    prm.add_parameter("Eigenvalues",
                      n_eigenvalues,
                      "Number of lowest eigenvalues of the Hessian to compute "
                      "at every step [1]; at the last step their modes are "
                      "drawn.",
                      Integer(0, 100));
    prm.add_parameter("Find all",
                      finds_all,
                      "Look for other equilibria under the full load as well, "
                      "connected with the first one or not, by deflation; they "
                      "are listed in equilibria.csv, and branches can start "
                      "from them.");
    prm.add_parameter("Maximum equilibria",
                      deflation.most_equilibria,
                      "For 'Find all': no more than these are found [1].",
                      Integer(2, 100000));
    prm.add_parameter("Directions",
                      deflation.n_modes,
                      "For 'Find all': along how many soft modes of each "
                      "equilibrium others are looked for [1].",
                      Integer(1, 1000));
    prm.leave_subsection();
    obstacles.declare(prm);
    body->declare(prm);
    newton.declare(prm);
  }

  void
  EquilibriumStudy::check() const
  {
    body->check();
    obstacles.check();
    if (!obstacles.is_empty() && finds_all)
      throw InputError("other equilibria are not looked for where there are "
                       "obstacles",
                       "Equilibrium/Find all");
    if (!obstacles.is_empty() && n_eigenvalues > 0)
      throw InputError("eigenvalues do not know of obstacles",
                       "Equilibrium/Eigenvalues");
    // Searches with contact take full steps, up to a tolerance of steps.
    const NewtonOptions usual_newton;
    const auto          is_newtons =
      [&](const auto &value, const auto &usual_value, const char *name) {
        check_idle(obstacles.is_empty(),
                   value,
                   usual_value,
                   std::string("Newton/") + name,
                   "there are no obstacles");
      };
    is_newtons(newton.line_search, usual_newton.line_search, "Line search");
    is_newtons(newton.max_step_cuts,
               usual_newton.max_step_cuts,
               "Maximum step cuts");
    is_newtons(newton.residual_tolerance,
               usual_newton.residual_tolerance,
               "Residual tolerance");
    const DeflationOptions usual;
    check_idle(finds_all,
               deflation.most_equilibria,
               usual.most_equilibria,
               "Equilibrium/Maximum equilibria",
               "'Find all' is true");
    check_idle(finds_all,
               deflation.n_modes,
               usual.n_modes,
               "Equilibrium/Directions",
               "'Find all' is true");
  }

  void
  EquilibriumStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    apply_loads(*model, *body);
    obstacles.check_start(*model, model->initial_state());
    check_effects(*model, *body, {});
    if (!obstacles.is_empty())
      check_potential(*model, {}, "a body among obstacles");
  }

  std::optional<StabilityCount>
  EquilibriumStudy::put_stability(Table::Row    &row,
                                  const System  &system,
                                  SystemTangent &tangent,
                                  const Vector  &q) const
  {
    if (!counts_signs)
      {
        row.insert(row.end(), {Table::unknown, Table::unknown});
        return {};
      }
    const StabilityCount count = count_unstable(system, tangent, q);
    row.emplace_back(static_cast<long>(count.n_negative));
    row.emplace_back(count.is_undecided ? 1L : 0L);
    return count;
  }

  StudyResult
  EquilibriumStudy::run(Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;
    if (!obstacles.is_empty())
      return run_among_obstacles(workplace);

    MPI_Comm                     group = workplace.groups.group();
    const std::unique_ptr<Model> model = body->build(workplace.model, group);
    EquilibriumSolver            solver(*model, newton);
    Recorder                    &recorder = workplace.recorder;
    Progress                     progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "equilibrium",
                      n_steps);

    const std::vector<Measurement> at_rest =
      model->measure(model->initial_state());
    std::vector<std::string> columns = {"step", "load"};
    for (const Measurement &m : at_rest)
      columns.push_back(column_name(m.name));
    columns.push_back("negative_eigenvalues");
    columns.push_back("undecided");
    for (int i = 1; i <= n_eigenvalues; ++i)
      columns.push_back("eigenvalue_" + std::to_string(i));
    columns.push_back("iterations");
    recorder.begin_table(recorded::results, columns);
    recorder.begin_series(recorded::shapes, "part of the load [1]");
    if (n_eigenvalues > 0)
      recorder.begin_series(recorded::modes, "number of the eigenvalue [1]");

    bool                          is_undecided = false;
    std::optional<StabilityCount> stability;
    std::vector<Measurement>      measured;
    const auto record = [&](Equilibrium &found, const int step) {
      measured = measure(*model, found);
      if (!found.converged())
        return;
      const double load = static_cast<double>(step) / n_steps;
      Table::Row   row  = {static_cast<long>(step), load};
      for (const Measurement &m : measured)
        row.emplace_back(m.value);
      stability = put_stability(row, *model, solver.tangent(), found.q);
      is_undecided |= stability && stability->is_undecided;
      if (n_eigenvalues > 0)
        {
          const auto pairs = lowest_eigenpairs(*model, found.q, n_eigenvalues);
          for (std::size_t i = 0; i < static_cast<std::size_t>(n_eigenvalues);
               ++i)
            row.emplace_back(i < pairs.size() ? pairs[i].value
                                              : Table::unknown);
          if (step == n_steps)
            for (std::size_t i = 0; i < pairs.size(); ++i)
              recorder.shape(recorded::modes,
                             static_cast<std::int64_t>(i),
                             static_cast<double>(i + 1),
                             draw_mode(*model, found.q, pairs[i].mode),
                             group);
        }
      row.emplace_back(static_cast<long>(found.iterations));
      recorder.row(recorded::results, row);
      recorder.shape(recorded::shapes, step, load, model->draw(found.q), group);
      recorder.count(recorded::samples);
      recorder.count(recorded::iterations, found.iterations);
      progress.advance();
    };

    // The unloaded body is an equilibrium too, and the first that is shown.
    Equilibrium found;
    int         step = 0; // the last that is done
    if (const auto checkpoint = recorder.last_checkpoint(group))
      {
        const State state = saved_state::get_state(*checkpoint, "body", *model);
        model->set_state(state);
        found.q  = state.q;
        step     = static_cast<int>(checkpoint->count("step"));
        measured = model->measure(found.q);
      }
    else
      {
        found = solver.solve(model->initial_state());
        if (found.converged())
          record(found, 0);
      }
    const LoadSteps loading{*model,
                            solver,
                            *body,
                            n_steps,
                            record,
                            [&](Archive &archive, const int at) {
                              archive.numbers["step"].values = {
                                static_cast<double>(at)};
                            }};
    if (!loading.go(workplace, n_steps, found, step))
      {
        result.is_interrupted = true;
        return result;
      }
    if (!model->has_potential())
      report_remark(recorder, static_stability_alone);
    if (is_undecided)
      report_remark(recorder,
                    "stability is undecided: the lowest eigenvalues are as "
                    "small as round-off of the matrix");
    if (finds_all && found.converged() && !find_all(*model, found.q, workplace))
      {
        result.is_interrupted = true;
        return result;
      }
    // A run may be resumed behind its last step.
    if (!stability && counts_signs && !measured.empty())
      stability = count_unstable(*model, solver.tangent(), found.q);
    result.summary.answer = in_words(measured, step, at_rest, stability);
    return result;
  }

  bool
  EquilibriumStudy::find_all(Model        &model,
                             const Vector &q,
                             Workplace    &workplace) const
  {
    MPI_Comm   group    = workplace.groups.group();
    Recorder  &recorder = workplace.recorder;
    bool       asked    = false;
    Equilibria all =
      find_equilibria(model, newton, model.state(q), deflation, [&] {
        asked = interruption_requested(group);
        return !asked;
      });
    if (asked)
      return false;
    // The lowest first.
    const auto energy = [&](const State &state) {
      model.set_state(state);
      return sum_over_ranks(model.layout(), model.energy(state.q));
    };
    std::vector<std::pair<double, const State *>> sorted;
    for (const State &state : all.states)
      sorted.emplace_back(energy(state), &state);
    std::stable_sort(sorted.begin(),
                     sorted.end(),
                     [](const auto &a, const auto &b) {
                       return a.first < b.first;
                     });

    std::vector<std::string> columns = {"label"};
    for (const Measurement &m : model.measure(q))
      columns.push_back(column_name(m.name));
    columns.emplace_back("negative_eigenvalues");
    columns.emplace_back("undecided");
    recorder.begin_table(equilibria_table, columns);
    recorder.begin_series(equilibria_table, "label [1]");
    EquilibriumSolver solver(model, newton);
    long              label = 0;
    for (const auto &one : sorted)
      {
        const State &state = *one.second;
        model.set_state(state);
        Table::Row row = {++label};
        for (const Measurement &m : model.measure(state.q))
          row.emplace_back(m.value);
        put_stability(row, model, solver.tangent(), state.q);
        recorder.row(equilibria_table, row);
        recorder.shape(equilibria_table,
                       label,
                       static_cast<double>(label),
                       model.draw(state.q),
                       group);
        recorder.state(label,
                       labelled_state(model,
                                      workplace.model_name,
                                      point_code::end,
                                      state,
                                      nullptr),
                       group);
      }
    std::ostringstream line;
    line << label << " equilibria under the full load, in " << all.n_searches
         << " searches";
    if (all.are_enough)
      line << "; there may be more, 'Maximum equilibria' has been reached";
    recorder.log(line.str());
    recorder.remark(equilibria_table, line.str());
    return true;
  }
} // namespace slender
