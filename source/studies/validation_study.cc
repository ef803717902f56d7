// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/output/recorder.h>
#include <slender/studies/configured_study.h>
#include <slender/studies/sweep.h>
#include <slender/studies/validation_study.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

namespace slender
{
  namespace
  {
    // Tables of this study alone.
    constexpr const char *table_1 = "table", *curves = "curves",
                         *masters = "masters", *properties = "checks";

    /// Of the values of a sample: the case's figures, then its curve.
    enum Value
    {
      distance_value,
      error_value,
      failed_value,
      seconds_value,
      first_of_curve
    };

    /// A curve that is drawn needs no more points.
    constexpr std::size_t most_points = 300;

    /// The table and the columns in which a study has its curve.
    PlaneCurve
    curve_of(const Protocol protocol, const MemoryRecorder &recorded)
    {
      const bool is_droop = protocol == Protocol::cantilever;
      const auto table =
        recorded.tables.find(is_droop ? recorded::results : recorded::frontier);
      PlaneCurve curve;
      if (table == recorded.tables.end())
        return curve;
      const std::vector<std::string> &names = table->second.columns();
      const std::vector<double>       x     = table->second.column(names[0]);
      const std::vector<double>       y     = table->second.column(names[1]);
      const std::size_t               step  = x.size() / most_points + 1;
      for (std::size_t i = 0; i < x.size(); i += step)
        if (!Table::is_unknown(x[i]) && !Table::is_unknown(y[i]))
          curve.emplace_back(x[i], y[i]);
      return curve;
    }

    /// On the first rank of a group, where the study has recorded.
    Sample
    sample_of(const Protocol protocol, const ConfiguredStudy::Outcome &outcome)
    {
      const Summary &summary = outcome.summary;
      Sample         sample;
      sample.iterations = summary.newton_iterations;
      sample.values     = {summary.distance.value_or(Table::unknown),
                           summary.max_relative_error.value_or(Table::unknown),
                           static_cast<double>(summary.failed),
                           summary.seconds};
      for (const Eigen::Vector2d &point : curve_of(protocol, outcome.recorded))
        sample.values.insert(sample.values.end(), {point.x(), point.y()});
      return sample;
    }

    Sample
    failed_sample(const std::string &why)
    {
      Sample sample;
      sample.failure = why;
      sample.values  = {Table::unknown, Table::unknown, 0., 0.};
      return sample;
    }

    std::string
    verdict_of(const CaseResult &one)
    {
      return one.agrees() ? "OK" : "KO";
    }
  } // namespace

  ValidationStudy::ValidationStudy()
  {
    for (const Protocol protocol : all_protocols())
      protocols.push_back(name_of(protocol));
    checks = property_names();
  }

  void
  ValidationStudy::set_body_kind(BodyKind)
  {}

  std::string
  ValidationStudy::chosen_by() const
  {
    return "Validation/Models";
  }

  void
  ValidationStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    std::string checks_pattern = "none";
    for (const std::string &name : property_names())
      checks_pattern += "|" + name;
    prm.enter_subsection("Validation");
    prm.add_parameter("Protocols",
                      protocols,
                      "Those to try.",
                      List(Selection("cantilever|bend twist|lateral buckling|"
                                     "stick slip"),
                           1,
                           4));
    prm.add_parameter("Models",
                      models,
                      "Models, or lines of the table by their names; empty for "
                      "all that apply.",
                      List(Anything(), 0, 100));
    prm.add_parameter("Resolutions",
                      resolutions,
                      "Of those that each model has; a model passes if one "
                      "passes and all finer ones do.",
                      List(Selection("coarse|medium|fine"), 1, 3));
    prm.add_parameter("Bodies",
                      n_bodies,
                      "How many bodies of the same dimensionless regime, at "
                      "most, are tried with each resolution [1].",
                      Integer(1, 3));
    prm.add_parameter("Cantilever samples",
                      n_gammas,
                      "Values of Gamma from 10^-3 to 10^4 [1]; 281 in the "
                      "recipe. Projective dynamics has a fourth of them.",
                      Integer(8, 1000));
    prm.add_parameter("Largest y",
                      largest_y,
                      "Number of natural turns up to which the frontier of "
                      "Bend-Twist is tracked [1]; 10 in the recipe.",
                      Double(1.5, 10.));
    prm.add_parameter("Checks",
                      checks,
                      "Properties that the protocols do not show: invariance "
                      "under rigid motion ('objectivity'), errors of thin "
                      "bodies ('locking'), 'order' of convergence, first "
                      "'frequency', drift of 'energy'; or 'none'.",
                      List(Selection(checks_pattern), 1, 10));
    prm.leave_subsection();
  }

  bool
  ValidationStudy::is_chosen(const std::string &name,
                             const std::string &model) const
  {
    return models.empty() ||
           std::find(models.begin(), models.end(), name) != models.end() ||
           std::find(models.begin(), models.end(), model) != models.end();
  }

  std::vector<Entrant>
  ValidationStudy::entrants() const
  {
    std::vector<Entrant> chosen;
    for (Entrant entrant : validation_entrants())
      {
        const auto is_wanted = [&](const Entrant::Resolution &one) {
          return std::find(resolutions.begin(), resolutions.end(), one.level) !=
                 resolutions.end();
        };
        if (std::find(protocols.begin(),
                      protocols.end(),
                      name_of(entrant.protocol)) == protocols.end() ||
            !is_chosen(entrant.name, entrant.model))
          continue;
        auto &all = entrant.resolutions;
        all.erase(std::remove_if(all.begin(),
                                 all.end(),
                                 std::not_fn(is_wanted)),
                  all.end());
        if (entrant.bodies.size() > static_cast<std::size_t>(n_bodies))
          entrant.bodies.resize(n_bodies);
        if (!all.empty())
          chosen.push_back(entrant);
      }
    return chosen;
  }

  std::vector<PropertyCheck>
  ValidationStudy::property_checks() const
  {
    std::vector<PropertyCheck> chosen;
    for (const PropertyCheck &one : all_property_checks())
      if (std::find(checks.begin(), checks.end(), one.kind) != checks.end() &&
          is_chosen(one.model, one.model))
        chosen.push_back(one);
    return chosen;
  }

  Settings
  ValidationStudy::settings_of(const Entrant             &entrant,
                               const Entrant::Resolution &resolution,
                               const Entrant::Body       &body) const
  {
    Settings settings = entrant.settings;
    for (const Settings *more : {&resolution.settings, &body.settings})
      settings.insert(settings.end(), more->begin(), more->end());
    std::ostringstream own;
    const bool         is_redundant =
      std::find(settings.begin(),
                settings.end(),
                "Cantilever/Redundant=true") != settings.end();
    if (entrant.protocol == Protocol::cantilever && !is_redundant)
      own << "Cantilever/Exponent step="
          << 7. / (entrant.name == "projective dynamics" ? n_gammas / 4
                                                         : n_gammas - 1);
    else if (entrant.protocol == Protocol::bend_twist)
      own << "Bend twist/Largest y=" << largest_y;
    if (!own.str().empty())
      settings.push_back(own.str());
    return settings;
  }

  void
  ValidationStudy::check() const
  {
    const auto knows = [](const std::vector<Entrant> &all,
                          const std::string          &name) {
      return std::any_of(all.begin(), all.end(), [&](const Entrant &one) {
        return name == one.name || name == one.model;
      });
    };
    const std::vector<Entrant> all = validation_entrants(), chosen = entrants();
    for (const std::string &name : models)
      if (!knows(all, name))
        {
          std::vector<std::string> names;
          for (const Entrant &one : all)
            names.insert(names.end(), {one.name, one.model});
          const auto near = nearest_name(name, names);
          throw InputError(
            "no line of the table is called '" + name +
              "', nor has such a model" +
              (near ? "; did you mean '" + *near + "'?"
                    : "; doc/validation.md has the table, --list all models"),
            chosen_by());
        }
      else if (!knows(chosen, name))
        throw InputError("'" + name +
                           "' has no line with these protocols and resolutions",
                         chosen_by());
    if (chosen.empty())
      throw InputError("no line of the table has these protocols and "
                       "resolutions",
                       "Validation/Resolutions");
    if (checks.size() > 1 &&
        std::find(checks.begin(), checks.end(), "none") != checks.end())
      throw InputError("'none' contradicts the other checks",
                       "Validation/Checks");
  }

  int
  ValidationStudy::n_pieces() const
  {
    std::size_t n = property_checks().size();
    for (const Entrant &entrant : entrants())
      n += entrant.resolutions.size() * entrant.bodies.size();
    return static_cast<int>(n);
  }

  void
  ValidationStudy::rehearse(const Workplace &workplace) const
  {
    // The coarsest of each; settings of all.
    for (const Entrant &entrant : entrants())
      for (const Entrant::Body &body : entrant.bodies)
        for (const Entrant::Resolution &one : entrant.resolutions)
          {
            const ConfiguredStudy study(name_of(entrant.protocol),
                                        entrant.model,
                                        settings_of(entrant, one, body));
            if (&one == &entrant.resolutions.front())
              study.rehearse(workplace.groups.group());
          }
    for (const PropertyCheck &one : property_checks())
      for (const PropertyCheck::Trial &trial : one.trials)
        ConfiguredStudy(trial.study, trial.model, trial.settings)
          .rehearse(workplace.groups.group());
  }

  StudyResult
  ValidationStudy::run(Workplace &workplace)
  {
    const std::vector<Entrant>       all    = entrants();
    const std::vector<PropertyCheck> extras = property_checks();
    std::vector<CaseResult>          cases;
    for (const Entrant &entrant : all)
      for (const Entrant::Resolution &resolution : entrant.resolutions)
        for (const Entrant::Body &body : entrant.bodies)
          {
            CaseResult one;
            one.entrant    = &entrant;
            one.resolution = &resolution;
            one.body       = &body;
            cases.push_back(one);
          }

    MPI_Comm group = workplace.groups.group();
    Sweep    sweep;
    sweep.what = "validation: cases";
    sweep.lengths.assign(cases.size() + extras.size(), 1);
    sweep.run = [&](const std::size_t                  chain,
                    const std::function<void(Sample)> &done) {
      try
        {
          if (chain >= cases.size())
            {
              const auto sample =
                run_check(extras[chain - cases.size()], group);
              if (sample)
                done(*sample);
              return;
            }
          const CaseResult        &one = cases[chain];
          ConfiguredStudy          study(name_of(one.entrant->protocol),
                                one.entrant->model,
                                settings_of(*one.entrant,
                                            *one.resolution,
                                            *one.body));
          ConfiguredStudy::Outcome outcome;
          study.run(group, outcome);
          if (!outcome.is_interrupted)
            done(sample_of(one.entrant->protocol, outcome));
        }
      catch (const InputError &error)
        {
          // All ranks of the group have refused the body.
          done(failed_sample(error.what()));
        }
    };

    Recorder &recorder = workplace.recorder;
    recorder.begin_table(recorded::results,
                         {"case",
                          "protocol",
                          "model",
                          "resolution",
                          "setting",
                          "verdict",
                          "distance",
                          "max_relative_error",
                          "failed",
                          "seconds"});
    recorder.begin_table(curves, {"protocol", "model", "resolution", "x", "y"});
    recorder.begin_table(properties,
                         {"check", "model", "value", "bound", "verdict"});
    sweep.record = [&](const std::size_t chain,
                       std::size_t,
                       const Sample &sample) {
      recorder.count(recorded::samples);
      recorder.count(recorded::iterations,
                     static_cast<double>(sample.iterations));
      if (chain >= cases.size())
        {
          const PropertyCheck &extra = extras[chain - cases.size()];
          const double         value = sample.values[0];
          if (!sample.failure.empty())
            report_failure(recorder,
                           extra.check + " of " + extra.model + ": " +
                             sample.failure);
          recorder.row(properties,
                       {extra.check,
                        extra.model,
                        value,
                        extra.bound,
                        extra.passes(value) ? "OK" : "KO"});
          return;
        }
      CaseResult &one = cases[chain];
      one.failure     = sample.failure;
      one.distance    = sample.values[distance_value];
      one.error       = sample.values[error_value];
      one.failed      = std::lround(sample.values[failed_value]);
      one.seconds     = sample.values[seconds_value];
      for (std::size_t i = first_of_curve; i + 1 < sample.values.size(); i += 2)
        one.curve.emplace_back(sample.values[i], sample.values[i + 1]);
      const Entrant    &entrant = *one.entrant;
      const std::string what = name_of(entrant.protocol) + ", " + entrant.name +
                               ", " + one.resolution->words + ", " +
                               one.body->name;
      if (!one.failure.empty())
        report_failure(recorder, what + ": " + one.failure);
      recorder.row(recorded::results,
                   {static_cast<long>(chain + 1),
                    name_of(entrant.protocol),
                    entrant.name,
                    one.resolution->words,
                    one.body->name,
                    verdict_of(one),
                    one.distance,
                    one.error,
                    one.failed,
                    one.seconds});
      // One body for each resolution is enough to see.
      if (one.body == &entrant.bodies.front())
        for (const Eigen::Vector2d &point : one.curve)
          recorder.row(curves,
                       {name_of(entrant.protocol),
                        entrant.name,
                        one.resolution->words,
                        point.x(),
                        point.y()});
      std::ostringstream line;
      line << what << ": " << verdict_of(one) << ", distance "
           << 100. * one.distance << " %, " << one.seconds << " s";
      recorder.log(line.str());
    };
    StudyResult result;
    result.is_interrupted = !run_sweep(workplace, sweep);
    if (result.is_interrupted || !workplace.groups.is_first_rank())
      return result;

    recorder.begin_table(masters, {"protocol", "x", "y"});
    for (const Protocol protocol : all_protocols())
      if (std::find(protocols.begin(), protocols.end(), name_of(protocol)) !=
          protocols.end())
        for (const Eigen::Vector2d &point : master_of(protocol))
          recorder.row(masters, {name_of(protocol), point.x(), point.y()});

    recorder.begin_table(table_1,
                         {"protocol",
                          "model",
                          "verdict",
                          "distance",
                          "resolution",
                          "seconds",
                          "paper",
                          "remark"});
    std::vector<TableLine> lines;
    long                   n_passing = 0, n_different = 0;
    for (const Entrant &entrant : all)
      {
        std::vector<CaseResult> own;
        std::copy_if(cases.begin(),
                     cases.end(),
                     std::back_inserter(own),
                     [&](const CaseResult &one) {
                       return one.entrant == &entrant;
                     });
        const TableLine line = judge_entrant(own);
        lines.push_back(line);
        n_passing += line.verdict == "OK" ? 1 : 0;
        n_different += line.differs() ? 1 : 0;
        recorder.row(table_1,
                     {name_of(line.protocol),
                      line.model,
                      line.verdict,
                      line.distance,
                      line.resolution,
                      line.seconds,
                      line.paper,
                      line.remark});
      }
    result.texts["table.md"] = as_markdown(lines);
    std::ostringstream answer;
    answer << n_passing << " of " << lines.size()
           << " models and solvers pass; " << n_different
           << " verdicts differ from the paper's";
    result.summary.answer = answer.str();
    result.summary.extra.emplace_back("lines", lines.size());
    result.summary.extra.emplace_back("passing", n_passing);
    result.summary.extra.emplace_back("different", n_different);
    return result;
  }
} // namespace slender
