// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/score_command.h>
#include <slender/base/errors.h>
#include <slender/base/printable.h>
#include <slender/validation/score.h>
#include <slender/validation/score_drawing.h>
#include <slender/validation/stiffness_fit.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <ostream>
#include <sstream>

namespace slender
{
  namespace
  {
    /// Samples that are listed one by one.
    constexpr std::size_t most_listed = 10;

    /// The protocol in front of the files; its words may stand apart.
    Protocol
    take_protocol(std::vector<std::string> &files, const std::string &option)
    {
      if (files.empty())
        throw InputError(option + " needs the name of a protocol behind it: "
                                  "cantilever, bend-twist, lateral-buckling or "
                                  "stick-slip");
      std::size_t n    = 1;
      std::string name = files[0];
      if (files.size() > 1)
        for (const Protocol protocol : all_protocols())
          if (files[0] + " " + files[1] == name_of(protocol))
            {
              name = name_of(protocol);
              n    = 2;
            }
      const Protocol protocol = find_protocol(name);
      files.erase(files.begin(),
                  files.begin() + static_cast<std::ptrdiff_t>(n));
      return protocol;
    }

    void
    write_file(const std::filesystem::path               &file,
               const std::function<void(std::ostream &)> &write)
    {
      std::error_code error;
      if (file.has_parent_path())
        std::filesystem::create_directories(file.parent_path(), error);
      std::ofstream out(file);
      if (out)
        write(out);
      out.close();
      if (!out)
        throw InputError("'" + file.string() + "' cannot be written");
    }

    std::string
    per_cent(const double part)
    {
      std::ostringstream out;
      out << std::setprecision(3) << 100. * part << " %";
      return out.str();
    }

    void
    print_run(const RunScore &run, const Axes &axes, std::ostream &out)
    {
      const Comparison &found = run.comparison;
      out << "run '" << printable(run.name) << "': " << run.samples.size()
          << " samples, "
          << (!run.is_judged ? "no verdict"
              : run.agrees   ? "agrees"
                             : "does not agree")
          << "\n  distance       " << per_cent(found.distance)
          << " of the plot (below 5 % is asked for)\n";
      if (found.error > 0.)
        out << "  largest error  " << std::setprecision(3)
            << (run.is_relative ? per_cent(found.error) :
                                  [&] {
                                    std::ostringstream words;
                                    words << std::setprecision(3)
                                          << found.error << " in " << axes.x;
                                    return words.str();
                                  }())
            << ", at " << axes.x << " = " << std::setprecision(5)
            << found.worst.x() << ", " << axes.y << " = " << found.worst.y()
            << '\n';
      if (!run.misclassified.empty())
        out << "  misclassified  " << run.misclassified.size() << " samples\n";
      for (std::size_t i = 0;
           i < std::min(most_listed, run.misclassified.size());
           ++i)
        out << "    " << run.misclassified[i] << '\n';
      if (run.misclassified.size() > most_listed)
        out << "    ... (all are in score.csv)\n";
      for (const std::string &remark : run.remarks)
        out << "  note: " << printable(remark) << '\n';
      for (const std::string &hint : run.hints)
        out << "  hint: " << hint << '\n';
    }

    /// The verdict and why, in a sentence.
    std::string
    in_words(const Score &score)
    {
      const RefinementRule &rule = score.rule;
      if (score.verdict == "none")
        return "no verdict: too little of the plot is covered";
      if (score.runs.size() == 1)
        return score.verdict +
               (rule.first ? ", for this resolution; runs at finer ones (a "
                             "column 'run') would show that it stays so"
                           : "");
      if (!rule.first)
        return rule.accident
                 ? "KO: run '" + score.runs[*rule.accident].name +
                     "' agrees by accident, as finer ones do not (rule 9)"
                 : "KO: the finest run does not agree";
      std::string text = "OK: passes from run '" +
                         score.runs[*rule.first].name + "' on (rule 9)";
      if (!rule.is_confirmed)
        text += ", which is the finest: a finer one would show that it stays "
                "so";
      if (rule.accident)
        text +=
          "; run '" + score.runs[*rule.accident].name + "' agreed by accident";
      return text;
    }

    void
    write_table(const Score &score, std::ostream &out)
    {
      Table table({"run",
                   "samples",
                   "verdict",
                   "distance",
                   "largest_error",
                   "worst_x",
                   "worst_y",
                   "misclassified"});
      for (const RunScore &run : score.runs)
        {
          table.add_row({run.name,
                         static_cast<long>(run.samples.size()),
                         !run.is_judged ? "none"
                         : run.agrees   ? "OK"
                                        : "KO",
                         run.comparison.distance,
                         run.comparison.error,
                         run.comparison.worst.x(),
                         run.comparison.worst.y(),
                         static_cast<long>(run.misclassified.size())});
          for (const std::string &line : run.misclassified)
            table.add_remark(run.name + ": misclassified: " + line);
          for (const std::string &line : run.remarks)
            table.add_remark(run.name + ": note: " + line);
          for (const std::string &line : run.hints)
            table.add_remark(run.name + ": hint: " + line);
        }
      table.add_remark("verdict: " + in_words(score));
      table.write_csv(out);
    }

    ExitCode
    template_command(const Protocol     protocol,
                     const CommandLine &command,
                     std::ostream      &out)
    {
      if (command.output.empty())
        write_template(protocol, out);
      else
        {
          if (std::filesystem::exists(command.output))
            throw InputError("'" + command.output +
                             "' is there already; it is not replaced");
          write_file(command.output, [&](std::ostream &file) {
            write_template(protocol, file);
          });
        }
      return finished;
    }

    /// What can hardly be meant, but is not impossible.
    std::vector<std::string>
    doubts_about(const DroopMeasurements &droops, const StiffnessFit &fit)
    {
      std::vector<std::string> doubts;
      constexpr double         far_off = 0.2;
      if (fit.scatter > far_off)
        doubts.emplace_back(
          "the samples do not follow the curve of a heavy strip; H is how far "
          "the end is below the clamp, W how far it is away from it, L the "
          "length beyond the clamp");
      if (!droops.is_in_units)
        return doubts;
      constexpr double longest = 10., stiffest = 2e12, softest = 1e3;
      const double     modulus =
        droops.width && droops.thickness
              ? 12. * fit.factor / (*droops.width * std::pow(*droops.thickness, 3))
              : 1e9;
      if (droops.longest > longest)
        doubts.emplace_back("a strip of " +
                            std::to_string(std::lround(droops.longest)) +
                            " m: lengths are in metres");
      if (modulus > stiffest || modulus < softest)
        doubts.emplace_back("no material is like that: lengths are in metres, "
                            "masses in kilograms");
      return doubts;
    }
  } // namespace

  ExitCode
  score_command(const CommandLine &command, std::ostream &out)
  {
    std::vector<std::string> files    = command.files;
    const Protocol           protocol = take_protocol(files, "--score");
    if (command.is_template)
      {
        if (!files.empty())
          throw InputError("--template takes no file, but '" + files[0] +
                           "' was given; --output says where it goes");
        return template_command(protocol, command, out);
      }
    if (files.empty())
      throw InputError("--score " + name_of(protocol) +
                       " needs a .csv file behind it; --score --template '" +
                       name_of(protocol) + "' writes an example");
    std::vector<SimulatorRun> runs;
    for (const std::string &file : files)
      for (const SimulatorRun &run :
           simulator_runs(protocol, read_samples(file), file))
        runs.push_back(run);
    const Score result = score(protocol, runs);

    for (const RunScore &run : result.runs)
      print_run(run, axes_of(protocol), out);
    out << "verdict: " << printable(in_words(result)) << '\n';

    std::string folder = "score_" + name_of(protocol);
    for (char &c : folder)
      c = c == ' ' ? '_' : c;
    const std::filesystem::path directory =
      command.output.empty() ? std::filesystem::path("output") / folder
                             : std::filesystem::path(command.output);
    write_file(directory / "score.csv",
               [&](std::ostream &file) { write_table(result, file); });
    write_file(directory / "overlay.svg",
               [&](std::ostream &file) { draw_overlay(result, file); });
    write_file(directory / "badge.svg",
               [&](std::ostream &file) { draw_badge(result, file); });
    out << "written: " << directory.string()
        << "/score.csv, overlay.svg, badge.svg\n";
    return result.verdict == "OK"   ? finished
           : result.verdict == "KO" ? judged_ko
                                    : incomplete;
  }

  ExitCode
  fit_command(const CommandLine &command, std::ostream &out)
  {
    std::vector<std::string> files    = command.files;
    const Protocol           protocol = take_protocol(files, "--fit");
    if (protocol != Protocol::cantilever)
      throw InputError("--fit is for the cantilever, whose droop tells the "
                       "bending stiffness");
    if (files.size() != 1)
      throw InputError("--fit cantilever needs one .csv file behind it");
    const DroopMeasurements droops =
      read_droops(read_samples(files[0]), files[0]);
    const StiffnessFit fit =
      fit_stiffness(droops.gammas, droops.aspect_ratios, command.noise);

    const auto print = [&](const std::string &what,
                           const double       unit,
                           const std::string &unit_name) {
      out << std::left << std::setw(24) << what << std::setprecision(5)
          << unit * fit.factor << unit_name << ", from " << unit * fit.low
          << " to " << unit * fit.high << " with 95 % (" << std::setprecision(2)
          << 100. * fit.standard_error << " % standard error)\n";
    };
    if (droops.is_in_units)
      print("bending stiffness EI", 1., " N m^2");
    else
      {
        print("stiffness factor", 1., "");
        out << std::left << std::setw(24) << "scale of Gamma"
            << std::setprecision(5) << 1. / fit.factor << ", from "
            << 1. / fit.high << " to " << 1. / fit.low << '\n';
      }
    if (droops.is_in_units && droops.width && droops.thickness)
      {
        // E I = E' w h^3/12, with E' = E/(1 - nu^2) if the strip is wide.
        const double moment =
          *droops.width * std::pow(*droops.thickness, 3) / 12.;
        print("E/(1 - nu^2)", 1e-9 / moment, " GPa");
        if (droops.poisson)
          {
            print("Young's modulus E",
                  1e-9 * (1. - std::pow(*droops.poisson, 2)) / moment,
                  " GPa");
            out << "This E is that of a wide strip, for ribbons and shells; a "
                   "rod of rectangular section\nhas this droop with "
                   "E/(1 - nu^2) as its 'Young's modulus'.\n";
          }
      }
    out << std::left << std::setw(24) << "samples" << fit.n_samples
        << "; H/W is off the curve by " << std::setprecision(3)
        << 100. * fit.scatter << " % (r.m.s.), by at most "
        << 100. * std::abs(fit.worst) << " % (sample " << fit.worst_sample + 1
        << ")\n";
    if (command.noise && fit.scatter > 2. * *command.noise)
      out << "note: the samples scatter more than twice as much as --noise "
             "says; without it the uncertainty is taken from them\n";
    for (const std::string &line : doubts_about(droops, fit))
      out << "note: " << line << '\n';
    out << "The uncertainty is that of H/W alone; an error of the mass, or "
           "three times that of L, comes on top.\n";
    return finished;
  }
} // namespace slender
