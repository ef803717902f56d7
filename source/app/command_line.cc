// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/command_line.h>
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>

#include <sstream>

namespace slender
{
  const char *
  CommandLine::usage()
  {
    return R"(slender_fem: rods and other slender elastic bodies, their equilibria and how
well they agree with the protocols of Romero et al. 2021.

  slender_fem FILE.prm [--set "Section/Name=value"]... [--output DIR]
      runs the study that the file describes
  slender_fem FILE.prm ... --resume
      continues a run that was killed or interrupted; if the parameters have
      changed, only with --resume-changed instead
  slender_fem --validate FILE.prm... [--set ...]
      checks files and computes nothing
  slender_fem --score PROTOCOL FILE.csv... [--output DIR]
      samples of your own simulator against the master curve of a protocol
      (cantilever, bend-twist, lateral-buckling, stick-slip): distance,
      verdict, hints; DIR gets a plot and a badge
  slender_fem --score --template PROTOCOL       an example of such a file
  slender_fem --fit cantilever FILE.csv [--noise PART]
      the bending stiffness that measured droops tell, with its uncertainty
  slender_fem --list                            models and studies
  slender_fem --describe NAME                   parameters of a study or a model
  slender_fem --reference                       all of that, in JSON
  slender_fem --version                         versions of program and libraries
  slender_fem --help                            this text

On several processes: mpirun -n 8 slender_fem FILE.prm

Exit codes: 0 finished; 1 the input is wrong; 2 the study could not be
completed (some samples failed, or too few to be scored); 3 the verdict is KO,
of a score or where the file says 'set Fail on KO = true'; 4 it was interrupted
and can be resumed.
)";
  }

  namespace
  {
    double
    noise_from(const std::string &text)
    {
      std::istringstream in(text);
      double             value = 0.;
      if (!(in >> value) || !in.eof() || !(value > 0. && value < 1.))
        throw InputError("--noise is '" + text +
                         "'; the relative error of H/W, between 0 and 1, is "
                         "expected");
      return value;
    }
  } // namespace

  CommandLine
  CommandLine::parse(const std::vector<std::string> &arguments)
  {
    CommandLine command;
    const auto  value_of = [&](std::size_t &i, const std::string &what) {
      if (i + 1 >= arguments.size())
        throw InputError(arguments[i] + " needs " + what + " behind it");
      return arguments[++i];
    };
    std::string action;
    const auto set_action = [&](const Action meant, const std::string &option) {
      if (!action.empty() && action != option)
        throw InputError("one thing at a time: '" + action + "' and '" +
                         option + "' were given");
      command.action = meant;
      action         = option;
    };

    for (std::size_t i = 0; i < arguments.size(); ++i)
      {
        const std::string &argument = arguments[i];
        if (argument == "--help" || argument == "-h")
          set_action(Action::help, argument);
        else if (argument == "--version")
          set_action(Action::version, argument);
        else if (argument == "--list")
          set_action(Action::list, argument);
        else if (argument == "--reference")
          set_action(Action::reference, argument);
        else if (argument == "--describe")
          {
            set_action(Action::describe, argument);
            command.name = value_of(i, "the name of a study or a model");
          }
        else if (argument == "--validate")
          {
            set_action(Action::validate, argument);
            command.files.push_back(value_of(i, "a parameter file"));
          }
        else if (argument == "--score")
          set_action(Action::score, argument);
        else if (argument == "--fit")
          set_action(Action::fit, argument);
        else if (argument == "--template")
          command.is_template = true;
        else if (argument == "--noise")
          command.noise = noise_from(value_of(i, "a number"));
        else if (argument == "--set")
          command.overrides.push_back(value_of(i, "\"Section/Name=value\""));
        else if (argument == "--resume" || argument == "--resume-changed")
          {
            command.resumes = true;
            command.accepts_changes =
              command.accepts_changes || argument == "--resume-changed";
          }
        else if (argument == "--output")
          {
            command.output = value_of(i, "a directory");
            if (command.output.empty())
              throw InputError("--output needs the name of a directory");
          }
        else if (argument.size() > 1 && argument[0] == '-')
          {
            const auto near = nearest_name(argument,
                                           {"--help",
                                            "--version",
                                            "--list",
                                            "--describe",
                                            "--reference",
                                            "--validate",
                                            "--score",
                                            "--template",
                                            "--fit",
                                            "--noise",
                                            "--set",
                                            "--resume",
                                            "--resume-changed",
                                            "--output"});
            throw InputError("there is no option '" + argument + "'" +
                             (near ? "; did you mean '" + *near + "'?"
                                   : "; --help shows all options"));
          }
        else
          command.files.push_back(argument);
      }
    const bool takes_file =
      command.action == Action::run || command.action == Action::validate ||
      command.action == Action::score || command.action == Action::fit ||
      command.action == Action::help;
    if (!takes_file && !command.files.empty())
      throw InputError("'" + action + "' takes no parameter file, but '" +
                       command.files.front() + "' was given");
    if (command.is_template && command.action != Action::score)
      throw InputError("--template is for --score");
    if (command.noise && command.action != Action::fit)
      throw InputError("--noise is for --fit");
    if (!command.overrides.empty() &&
        (command.action == Action::score || command.action == Action::fit))
      throw InputError("'" + action + "' has no parameters to --set");
    if (command.action != Action::run && command.resumes)
      throw InputError("'" + action + "' has nothing to resume");
    if (command.action != Action::run)
      return command;
    if (command.files.empty())
      throw InputError("no parameter file was given; --help shows how to "
                       "call the program");
    if (command.files.size() > 1)
      throw InputError("one parameter file at a time: '" + command.files[0] +
                       "' and '" + command.files[1] + "' were given");
    command.file = command.files.front();
    return command;
  }
} // namespace slender
