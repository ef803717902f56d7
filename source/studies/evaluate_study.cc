// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/formula.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/triangles/triangle_shell.h>
#include <slender/output/recorder.h>
#include <slender/studies/evaluate_study.h>
#include <slender/studies/thin_limit.h>

#include <deal.II/base/parameter_handler.h>

#include <iomanip>
#include <optional>
#include <sstream>

namespace slender
{
  namespace
  {
    const char *const position_names[3] = {"Position x",
                                           "Position y",
                                           "Position z"};
    const char *const metric_names[3] = {"Metric xx", "Metric xy", "Metric yy"};
    const char *const curvature_names[3] = {"Curvature xx",
                                            "Curvature xy",
                                            "Curvature yy"};

    /// The norm of a vector of which each rank has its part.
    double
    norm_over_ranks(const Layout &layout, const Vector &part)
    {
      Vector all                                  = Vector::Zero(layout.size);
      all.segment(layout.begin, layout.n_owned()) = part.head(layout.n_owned());
      for (std::size_t i = 0; i < layout.ghosts.size(); ++i)
        all(layout.ghosts[i]) += part(layout.n_owned() + static_cast<Index>(i));
      MPI_Allreduce(MPI_IN_PLACE,
                    all.data(),
                    layout.size,
                    MPI_DOUBLE,
                    MPI_SUM,
                    layout.communicator);
      return all.norm();
    }
  } // namespace

  class EvaluateStudy::Formulas
  {
  public:
    explicit Formulas(const EvaluateStudy &study)
    {
      const auto formula = [](const std::string &text, const char *name) {
        return Formula(text,
                       {"x", "y", "z", "p"},
                       std::string("Evaluate/") + name);
      };
      for (int i = 0; i < 3; ++i)
        {
          position.push_back(formula(study.position[i], position_names[i]));
          metric.push_back(formula(study.metric[i], metric_names[i]));
          if (!study.curvature[i].empty())
            curvature[i] = formula(study.curvature[i], curvature_names[i]);
        }
    }

    Vector3
    place(const Vector3 &x, const double p) const
    {
      Vector3 result;
      for (int c = 0; c < 3; ++c)
        result(c) = position[c]({x(0), x(1), x(2), p});
      return result;
    }

    /// The stress-free state for a value of p.
    GrowthLaw
    law(const double p) const
    {
      const auto field = [p](const Formula &formula) {
        return [formula, p](const Vector3 &x) {
          return formula({x(0), x(1), x(2), p});
        };
      };
      GrowthLaw result;
      result.kind    = GrowthKind::prescribed;
      result.is_data = true;
      result.metric  = {{field(metric[0]), field(metric[2]), field(metric[1])}};
      for (const auto &[i, component] : {std::make_pair(0, 0), {1, 2}, {2, 1}})
        if (curvature[component])
          result.curvature[i] = field(*curvature[component]);
      return result;
    }

  private:
    std::vector<Formula>                  position, metric;
    std::array<std::optional<Formula>, 3> curvature; ///< or that at rest
  };

  void
  EvaluateStudy::set_body_kind(const BodyKind kind)
  {
    if (kind != BodyKind::shell)
      throw InputError("this study is about shells; --list shows all models",
                       "Model");
  }

  void
  EvaluateStudy::set_sections(const std::vector<std::string> &names)
  {
    shell.set_sections(names);
  }

  void
  EvaluateStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Evaluate");
    for (int i = 0; i < 3; ++i)
      prm.add_parameter(position_names[i],
                        position[i],
                        "Where a point goes that is at (x, y, z) at rest: a "
                        "formula in x, y, z and p [length].",
                        Anything());
    for (int i = 0; i < 3; ++i)
      prm.add_parameter(metric_names[i],
                        metric[i],
                        "Component of the stress-free metric, in the frame of "
                        "the rest surface whose first axis is along the "
                        "natural direction: a formula in x, y, z and p [1].",
                        Anything());
    for (int i = 0; i < 3; ++i)
      prm.add_parameter(curvature_names[i],
                        curvature[i],
                        "Component of the stress-free curvature, likewise "
                        "[1/length]; empty for that of the rest surface.",
                        Anything());
    prm.add_parameter("Values",
                      values,
                      "Values that p takes, one row of the results for each "
                      "[1].",
                      List(Double(), 1));
    prm.add_parameter("Exact integral",
                      is_exact,
                      "Also integrate Koiter's energy of the formulas "
                      "themselves, and compare.");
    prm.leave_subsection();
    shell.let_free();
    shell.declare(prm);
  }

  void
  EvaluateStudy::check() const
  {
    shell.check();
    if (!shell.loads().empty())
      throw InputError("no load acts where shapes are evaluated; '" +
                         shell.loads().front().parameter + "' does nothing",
                       shell.path_of_load(shell.loads().front().parameter));
    for (const ShellEdge &edge : shell.described_body().edges)
      if (edge.normal_fixed ||
          edge.position_fixed != std::array<bool, 3>{{false, false, false}})
        throw InputError("every point goes where the formulas send it; edge '" +
                           edge.name + "' cannot be held",
                         "Edge 1/Hold");
    for (const ShellPoint &point : shell.described_body().points)
      if (point.position_fixed != std::array<bool, 3>{{false, false, false}})
        throw InputError("every point goes where the formulas send it; point "
                         "'" +
                           point.name + "' cannot be held",
                         "Point 1/Fixed directions");
    if (!shell.described_body().growth_law.is_trivial())
      throw InputError("the stress-free state is that of the section "
                       "'Evaluate' here",
                       "Growth/Law");
    const Formulas formulas(*this);
  }

  ShellBody
  EvaluateStudy::body(const Formulas &formulas, const double p) const
  {
    ShellBody result  = shell.described_body();
    result.growth_law = formulas.law(p);
    result.growth     = 1.;
    return result;
  }

  std::unique_ptr<Model>
  EvaluateStudy::build(const Workplace &workplace,
                       const Formulas  &formulas,
                       const double     p) const
  {
    const ShellBody body = this->body(formulas, p);
    return workplace.model.build(body,
                                 *shell.surface(),
                                 workplace.groups.group());
  }

  void
  EvaluateStudy::rehearse(const Workplace &workplace) const
  {
    if (workplace.groups.group_index() != 0)
      return;
    const Formulas formulas(*this);
    for (const double p : values)
      for (const Vector3 &x : shell.surface()->mesh().vertices)
        {
          try
            {
              sample(formulas.law(p), x);
            }
          catch (const InputError &error)
            {
              std::ostringstream text;
              text << error.what() << ", for p = " << p;
              throw InputError(text.str(), "Evaluate/Metric xx");
            }
          if (!formulas.place(x, p).allFinite())
            {
              std::ostringstream where;
              where << "the formulas send (" << x(0) << ", " << x(1) << ", "
                    << x(2) << ") nowhere for p = " << p;
              throw InputError(where.str(), "Evaluate/Position x");
            }
        }
    build(workplace, formulas, values.front());
  }

  StudyResult
  EvaluateStudy::run(Workplace &workplace)
  {
    StudyResult result;
    // One body: only the first group has something to do.
    if (workplace.groups.group_index() != 0)
      return result;
    MPI_Comm                 group    = workplace.groups.group();
    Recorder                &recorder = workplace.recorder;
    const Formulas           formulas(*this);
    std::vector<std::string> columns = {
      "p", "energy", "membrane_energy", "bending_energy", "force"};
    if (is_exact)
      columns.insert(columns.end(),
                     {"exact_energy",
                      "exact_membrane_energy",
                      "exact_bending_energy",
                      "relative_error"});
    recorder.begin_table(recorded::results, columns);
    recorder.begin_series(recorded::shapes, "p [1]");
    const auto surface = shell.surface();
    double     worst   = 0.;
    for (std::size_t i = 0; i < values.size(); ++i)
      {
        const double p     = values[i];
        const auto   model = build(workplace, formulas, p);
        const auto   move  = [&](const Vector3 &rest, const Vector3 &) {
          return formulas.place(rest, p);
        };
        Vector q;
        double size = 1.;
        if (const auto *koiter = dynamic_cast<const KoiterShell *>(model.get()))
          {
            q    = koiter->transformed(koiter->initial_state(), move);
            size = koiter->size();
          }
        else if (const auto *of_triangles =
                   dynamic_cast<const TriangleShell *>(model.get()))
          {
            q = of_triangles->transformed(of_triangles->initial_state(), move);
            size = of_triangles->size();
          }
        const auto   measured = model->measure(q);
        const double membrane = find_measurement(measured, "membrane energy");
        const double bending  = find_measurement(measured, "bending energy");
        Table::Row   row      = {p,
                                 membrane + bending,
                                 membrane,
                                 bending,
                                 model->energy_unit() / size *
                                   norm_over_ranks(model->layout(),
                                            model->gradient(q))};
        if (is_exact)
          {
            const ThinLimitEnergy exact =
              thin_limit_energy(*surface,
                                body(formulas, p),
                                [&](const Vector3 &x) {
                                  return formulas.place(x, p);
                                });
            const double total = exact.membrane + exact.bending;
            const double error = std::abs((membrane + bending) / total - 1.);
            worst              = std::max(worst, error);
            row.insert(row.end(),
                       {total, exact.membrane, exact.bending, error});
          }
        recorder.row(recorded::results, row);
        recorder.shape(recorded::shapes,
                       static_cast<std::int64_t>(i),
                       p,
                       model->draw(q),
                       group);
        recorder.count(recorded::samples);
        std::ostringstream words;
        words << std::setprecision(6) << "energy " << membrane + bending
              << " (membrane " << membrane << ", bending " << bending
              << ") at p = " << p;
        result.summary.answer = words.str();
      }
    if (is_exact)
      result.summary.max_relative_error = worst;
    return result;
  }
} // namespace slender
