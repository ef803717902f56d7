// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/progress.h>
#include <slender/statics/stability.h>
#include <slender/studies/effects.h>
#include <slender/studies/equilibrium_study.h>
#include <slender/studies/recording.h>

#include <deal.II/base/parameter_handler.h>

namespace slender
{
  void
  EquilibriumStudy::set_body_kind(const BodyKind kind)
  {
    body = make_body_parameters(kind);
  }

  void
  EquilibriumStudy::set_sections(const std::vector<std::string> &names)
  {
    body->set_sections(names);
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
    prm.leave_subsection();
    body->declare(prm);
    newton.declare(prm);
  }

  void
  EquilibriumStudy::check() const
  {
    body->check();
  }

  void
  EquilibriumStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    apply_loads(*model, *body);
    check_effects(*model, *body, {});
  }

  StudyResult
  EquilibriumStudy::run(const Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;

    const std::unique_ptr<Model> model =
      body->build(workplace.model, workplace.groups.group());
    EquilibriumSolver solver(*model, newton);
    Summary          &summary = result.summary;
    Series            shapes{"shapes", {}}, modes{"modes", {}};
    Progress          progress(workplace.progress,
                      workplace.progress_is_terminal,
                      "equilibrium",
                      n_steps);

    std::vector<std::string> columns = {"step", "load"};
    for (const Measurement &m : model->measure(model->initial_state()))
      columns.push_back(column_name(m.name));
    columns.push_back("negative_eigenvalues");
    for (int i = 1; i <= n_eigenvalues; ++i)
      columns.push_back("eigenvalue_" + std::to_string(i));
    columns.push_back("iterations");
    result.results = Table(columns);

    const auto record = [&](const Equilibrium &found, const double load) {
      Table::Row row = {summary.samples, load};
      for (const Measurement &m : model->measure(found.q))
        row.emplace_back(m.value);
      if (counts_signs)
        row.emplace_back(static_cast<long>(solver.inertia(found.q).negative -
                                           model->n_multipliers()));
      else
        row.emplace_back(Table::unknown);
      if (n_eigenvalues > 0)
        {
          const auto pairs = lowest_eigenpairs(*model, found.q, n_eigenvalues);
          for (std::size_t i = 0; i < static_cast<std::size_t>(n_eigenvalues);
               ++i)
            row.emplace_back(i < pairs.size() ? pairs[i].value
                                              : Table::unknown);
          if (load == 1.)
            for (std::size_t i = 0; i < pairs.size(); ++i)
              modes.items.push_back(
                {static_cast<double>(i + 1),
                 draw_mode(*model, found.q, pairs[i].mode)});
        }
      row.emplace_back(static_cast<long>(found.iterations));
      result.results.add_row(row);
      shapes.items.push_back({load, model->draw(found.q)});
      ++summary.samples;
      summary.newton_iterations += found.iterations;
      progress.advance();
    };

    // The unloaded body is an equilibrium too, and the first that is shown.
    Equilibrium found = solver.solve(model->initial_state());
    if (found.converged())
      record(found, 0.);
    for (int step = 1; step <= n_steps && found.converged(); ++step)
      {
        const double            load = static_cast<double>(step) / n_steps;
        std::vector<LoadTarget> targets;
        for (const auto &[parameter, value] : body->loads())
          targets.push_back({parameter, load * value});
        found = solver.load(found.q, targets);
        if (found.converged())
          record(found, load);
      }
    if (!found.converged())
      {
        ++summary.failed;
        std::ostringstream line;
        line << "stopped after "
             << (summary.samples > 0
                   ? 100. * std::get<double>(result.results.rows().back()[1])
                   : 0.)
             << " % of the load: " << to_string(found.outcome);
        result.results.add_remark(line.str());
        workplace.log(line.str());
      }
    result.series = {shapes};
    if (!modes.items.empty())
      result.series.push_back(modes);
    return result;
  }
} // namespace slender
