// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/validation/bend_twist_plane.h>
#include <slender/validation/cantilever_curve.h>
#include <slender/validation/cantilever_samples.h>
#include <slender/validation/lateral_buckling_plane.h>
#include <slender/validation/phase_map.h>
#include <slender/validation/sample_columns.h>
#include <slender/validation/simulator_file.h>
#include <slender/validation/stick_slip_curve.h>

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

namespace slender
{
  namespace
  {
    /// A user's file of samples has some hundreds of lines.
    constexpr std::uintmax_t largest_file = 100'000'000; // bytes

    /// Columns of our own tables that say nothing of the samples.
    bool
    is_ours(const std::string &name)
    {
      for (const char *known : {"reference",
                                "relative_error",
                                "iterations",
                                "measure",
                                "expected",
                                "piece",
                                "slack",
                                "side",
                                "gamma",
                                "phi",
                                "length",
                                "thickness",
                                "young_modulus",
                                "force_ratio",
                                "thrust",
                                "contact_length",
                                "tip_displacement",
                                "lateral_displacement",
                                "epsilon_master",
                                "error",
                                "twist"})
        if (name == known)
          return true;
      return false;
    }

    std::string
    in_small_letters(std::string name)
    {
      for (char &c : name)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return name;
    }

    /// Columns that may be there, and change what is made of the others.
    bool
    says_what_samples_are(const std::string &name)
    {
      const auto known = {"run", "state", "poisson", "g", "gamma_critical"};
      return std::find(known.begin(), known.end(), name) != known.end();
    }

    /// Whether a sample is in the second of two states, by its word or by a
    /// measure that is above the recipe's tolerance.
    bool
    is_beyond(const SampleColumns            &columns,
              const std::size_t               i,
              const std::vector<std::string> &first_words,
              const std::string              &second_word,
              const std::string              &measure,
              const double                    tolerance)
    {
      if (!columns.has("state"))
        return std::abs(columns.number(measure, i)) > tolerance;
      const std::string word = columns.word("state", i);
      if (word == second_word)
        return true;
      if (std::find(first_words.begin(), first_words.end(), word) ==
          first_words.end())
        columns.complain(i,
                         "'state' is '" + word + "'; '" + first_words[0] +
                           "' or '" + second_word + "' is expected");
      return false;
    }

    void
    read_bend_twist(const SampleColumns &columns,
                    const std::size_t    i,
                    SimulatorRun        &run)
    {
      if (columns.has("x"))
        run.samples.emplace_back(columns.positive("x", i),
                                 columns.positive("y", i));
      else
        {
          columns.require("gamma", "'x' and 'y'");
          const double phi = columns.positive("phi", i);
          run.samples.emplace_back(std::cbrt(columns.positive("gamma", i)) /
                                     phi,
                                   phi /
                                     boost::math::constants::two_pi<double>());
        }
      if (columns.has("state") || columns.has("twist"))
        run.states.push_back(
          is_beyond(columns, i, {"2D", "failed"}, "3D", "twist", 1e-3));
    }

    void
    read_lateral_buckling(const SampleColumns &columns,
                          const std::size_t    i,
                          SimulatorRun        &run)
    {
      columns.require("width");
      const double width = columns.positive("width", i);
      const double poisson =
        columns.has("poisson") ? columns.number("poisson", i) : 0.35;
      if (run.poisson_ratio && *run.poisson_ratio != poisson)
        columns.complain(i,
                         "'poisson' changes within a run; samples of another "
                         "Poisson's ratio are another run");
      run.poisson_ratio = poisson;
      if (!lateral_buckling::MasterFrontier::find(poisson))
        columns.complain(i,
                         "there is no master curve for this 'poisson'; 0, 0.2, "
                         "0.35 or 0.5 is expected");
      if (columns.has("gamma_critical"))
        {
          run.samples.emplace_back(width,
                                   columns.positive("gamma_critical", i));
          return;
        }
      columns.require("gamma", "'gamma_critical'");
      run.samples.emplace_back(width, columns.positive("gamma", i));
      if (!columns.has("state"))
        columns.require("lateral_displacement", "'state'");
      run.states.push_back(is_beyond(
        columns, i, {"2D", "failed"}, "3D", "lateral_displacement", 1e-4));
    }

    void
    read_stick_slip(const SampleColumns &columns,
                    const std::size_t    i,
                    SimulatorRun        &run)
    {
      columns.require("mu");
      columns.require("epsilon");
      const double mu      = columns.number("mu", i);
      const double epsilon = columns.number("epsilon", i);
      if (mu < 0.)
        columns.complain(i, "'mu' is negative");
      if (epsilon < 0. || epsilon > 1.)
        columns.complain(i,
                         "'epsilon' is not between 0 and 1: it is a part of "
                         "the strip's length");
      run.samples.emplace_back(epsilon, mu);
      if (columns.has("state") || columns.has("tip_displacement"))
        run.states.push_back(is_beyond(columns,
                                       i,
                                       {"STICK", "EXTENDED", "failed"},
                                       "SLIP",
                                       "tip_displacement",
                                       1e-3));
    }

    void
    read_sample(const Protocol       protocol,
                const SampleColumns &columns,
                const std::size_t    i,
                SimulatorRun        &run)
    {
      switch (protocol)
        {
          case Protocol::cantilever:
            run.samples.emplace_back(cantilever_gamma(columns, i),
                                     cantilever_aspect_ratio(columns, i));
            break;
          case Protocol::bend_twist:
            read_bend_twist(columns, i, run);
            break;
          case Protocol::lateral_buckling:
            read_lateral_buckling(columns, i, run);
            break;
          default:
            read_stick_slip(columns, i, run);
        }
    }
  } // namespace

  Table
  read_samples(const std::string &file)
  {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(file, error))
      throw InputError(file + ": there is no such file");
    if (!fs::is_regular_file(file, error))
      throw InputError(file + ": this is no ordinary file");
    if (fs::file_size(file, error) > largest_file || error)
      throw InputError(file + ": the file is larger than 100 MB");
    std::ifstream      in(file, std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();
    const std::string text = content.str();
    if (text.find('\0') != std::string::npos)
      throw InputError(file + ": this is not plain text (a .csv file in ASCII "
                              "or UTF-8 is expected)");
    std::size_t begin = 0;
    while (text[begin] == '#' && text.find('\n', begin) != std::string::npos)
      begin = text.find('\n', begin) + 1;
    const std::string header =
      text.substr(begin, text.find('\n', begin) - begin);
    for (const auto &[separator, words] :
         {std::pair{';', "';'"}, std::pair{'\t', "tabs"}})
      if (header.find(separator) != std::string::npos &&
          header.find(',') == std::string::npos)
        throw InputError(file + ": columns are separated by " + words +
                         "; commas are expected, and points in numbers");
    std::istringstream stream(text);
    return Table::read_csv(stream, file);
  }

  std::vector<SimulatorRun>
  simulator_runs(const Protocol     protocol,
                 const Table       &table,
                 const std::string &source)
  {
    const SampleColumns       columns(table, source);
    std::vector<SimulatorRun> runs;
    const bool                has_runs = columns.has("run");
    for (std::size_t i = 0; i < columns.n_samples(); ++i)
      {
        const std::string name =
          has_runs ? columns.word("run", i)
                   : std::filesystem::path(source).stem().string();
        auto run = std::find_if(runs.begin(), runs.end(), [&](const auto &r) {
          return r.name == name;
        });
        if (run == runs.end())
          {
            SimulatorRun fresh;
            fresh.name   = name;
            fresh.source = source;
            run          = runs.insert(runs.end(), fresh);
          }
        read_sample(protocol, columns, i, *run);
      }
    std::string ignored;
    for (const std::string &name : columns.unused())
      if (const std::string small = in_small_letters(name);
          small != name && says_what_samples_are(small))
        columns.complain("column '" + name + "' would be ignored; is '" +
                         small + "' meant?");
      else if (!is_ours(name))
        ignored += (ignored.empty() ? "'" : ", '") + name + "'";
    if (!ignored.empty())
      runs.front().remarks.push_back("columns that were not used: " + ignored);
    return runs;
  }

  namespace
  {
    void
    write_rows(std::ostream                   &out,
               const std::vector<std::string> &remarks,
               const std::vector<std::string> &columns,
               const std::vector<Table::Row>  &rows)
    {
      Table table(columns);
      for (const std::string &remark : remarks)
        table.add_remark(remark);
      for (const Table::Row &row : rows)
        table.add_row(row);
      table.write_csv(out);
    }
  } // namespace

  void
  write_template(const Protocol protocol, std::ostream &out)
  {
    std::vector<Table::Row> rows;
    const std::string       how =
      "A column 'run' with a name for each resolution, coarsest first, shows "
      "whether it converges.";
    if (protocol == Protocol::cantilever)
      {
        const MasterCurve curve =
          CantileverCurve().over(CantileverCurve::first_gamma,
                                 CantileverCurve::last_gamma);
        for (std::size_t i = 0; i < curve.x.size(); ++i)
          rows.push_back({curve.x[i], curve.y[i]});
        write_rows(out,
                   {"Cantilever: put your H/W in the place of aspect_ratio.",
                    "Instead of gamma and aspect_ratio: L, H, W, EI, "
                    "mass_per_length (and g), all in SI units.",
                    how},
                   {"gamma", "aspect_ratio"},
                   rows);
      }
    else if (protocol == Protocol::bend_twist)
      {
        using namespace bend_twist;
        const PhaseRegion region(master_frontier());
        for (const double y : logspace(first_y, last_y, 23))
          for (const double x : logspace(first_x, last_x, 30))
            rows.push_back({x, y, region.contains(x, y) ? "3D" : "2D"});
        write_rows(out,
                   {"Bend-Twist: put your state, 2D or 3D, in the place of the "
                    "one here.",
                    "x = Gamma^(1/3)/phi, y = phi/2pi; nu = 0.5. Or x, y of "
                    "the frontier, without states.",
                    how},
                   {"x", "y", "state"},
                   rows);
      }
    else if (protocol == Protocol::lateral_buckling)
      {
        const auto master = lateral_buckling::MasterFrontier::find(0.35);
        for (int i = 1; i <= 10; ++i)
          for (int j = 0; j <= 60; ++j)
            {
              const double width = i / 10., gamma = 40. - 0.5 * j;
              rows.push_back(
                {width, gamma, gamma > (*master)(width) ? "3D" : "2D"});
            }
        write_rows(out,
                   {"Lateral Buckling: put your state, 2D or 3D, in the place "
                    "of the one here; nu = 0.35.",
                    "width is w/L, gamma rho h g L^3/D. Or width and "
                    "gamma_critical of the frontier.",
                    how},
                   {"width", "gamma", "state"},
                   rows);
      }
    else
      {
        const StickSlipCurve master;
        for (int i = 0; i <= 7; ++i)
          for (int j = 1; j <= 36; ++j)
            {
              const double mu = 0.05 * i, epsilon = j / 60.;
              rows.push_back(
                {mu,
                 epsilon,
                 epsilon > master.threshold(mu) ? "SLIP" : "STICK"});
            }
        write_rows(out,
                   {"Stick-Slip: put your state, STICK or SLIP, in the place "
                    "of the one here.",
                    "epsilon is the way of the floor over the strip's length. "
                    "Or mu and epsilon of the thresholds, without states.",
                    how},
                   {"mu", "epsilon", "state"},
                   rows);
      }
  }
} // namespace slender
