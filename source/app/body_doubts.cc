// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/body_doubts.h>

#include <deal.II/base/parameter_handler.h>

#include <algorithm>
#include <sstream>

namespace slender
{
  namespace
  {
    /// A body that is shorter than this many thicknesses is not slender.
    constexpr double least_slenderness = 5.;

    using Path = std::vector<std::string>;

    /// Whether a mass matters: under gravity, which may be what varies, and
    /// wherever something moves.
    bool
    has_weight_or_moves(const dealii::ParameterHandler &prm,
                        const ParameterFile            &file)
    {
      const std::string study = file.find("Study").value_or("");
      if (study == "motion" || study == "vibration" || study == "knot")
        return true;
      if (prm.subsection_path_exists({"Loads"}) &&
          prm.get_double(Path{"Loads"}, "Gravity") != 0.)
        return true;
      const auto &settings = file.settings();
      return std::any_of(settings.begin(),
                         settings.end(),
                         [](const ParameterFile::Setting &setting) {
                           return setting.path.find("/Parameter") !=
                                    std::string::npos &&
                                  setting.value == "gravity";
                         });
    }

    std::string
    words_on_defaults(const dealii::ParameterHandler &prm,
                      const ParameterFile            &file,
                      const std::string              &section,
                      const std::vector<std::string> &names)
    {
      std::string left, blamed;
      for (const std::string &name : names)
        if (!file.find(section + "/" + name))
          {
            left += (left.empty() ? "" : ", ") + name + " = " +
                    prm.get(Path{section}, name);
            blamed = file.origin(section + "/" + name);
          }
      return left.empty() ? ""
                          : blamed + ": section '" + section +
                              "' leaves to defaults: " + left;
    }

    std::string
    words_on_thickness(const double       length,
                       const std::string &of_what,
                       const double       thickness,
                       const std::string &blamed)
    {
      if (length >= least_slenderness * thickness)
        return "";
      std::ostringstream words;
      words << blamed << ": " << of_what << " is " << length
            << ", its thickness " << thickness
            << ": that is not slender, as all models assume; are all lengths "
               "in the same unit?";
      return words.str();
    }

    std::vector<std::string>
    of_rod(const dealii::ParameterHandler &prm, const ParameterFile &file)
    {
      const Path rod{"Rod"};
      // A knot's rod is round and knows nothing else.
      const bool        is_knot = file.find("Study").value_or("") == "knot";
      const std::string section =
        is_knot ? "circular" : prm.get(rod, "Section");
      if (section == "stiffnesses")
        return {};
      const bool               is_round = section == "circular";
      std::vector<std::string> names    = {"Length"};
      for (const char *name : {"Radius", "Width", "Thickness"})
        if ((std::string(name) == "Radius") == is_round)
          names.emplace_back(name);
      names.insert(names.end(), {"Young's modulus", "Poisson's ratio"});
      if (has_weight_or_moves(prm, file))
        names.emplace_back("Density");

      std::vector<std::string> lines = {
        words_on_defaults(prm, file, "Rod", names)};
      // A thick rod on purpose.
      if (!is_knot && prm.get_bool(rod, "Shear deformation"))
        return lines;
      const double thickness = is_round ? 2. * prm.get_double(rod, "Radius")
                                        : prm.get_double(rod, "Thickness");
      lines.push_back(words_on_thickness(prm.get_double(rod, "Length"),
                                         "the length of the rod",
                                         thickness,
                                         file.origin("Rod/Length")));
      return lines;
    }

    std::vector<std::string>
    of_shell(const dealii::ParameterHandler &prm, const ParameterFile &file)
    {
      std::vector<std::string> names = {"Thickness",
                                        "Young's modulus",
                                        "Poisson's ratio"};
      if (has_weight_or_moves(prm, file))
        names.emplace_back("Density");
      std::vector<std::string> lines = {
        words_on_defaults(prm, file, "Shell", names)};
      if (!prm.subsection_path_exists({"Surface"}))
        return lines;
      const Path        surface{"Surface"};
      const std::string shape = prm.get(surface, "Shape");
      if (shape == "mesh file")
        return lines;
      const std::string size = shape == "rectangle" ? "Length" : "Radius";
      lines.push_back(
        words_on_thickness(prm.get_double(surface, size),
                           "'" + size + "' of the shell",
                           prm.get_double(Path{"Shell"}, "Thickness"),
                           file.origin("Shell/Thickness")));
      return lines;
    }
  } // namespace

  std::vector<std::string>
  doubts_about_body(const dealii::ParameterHandler &prm,
                    const ParameterFile            &file)
  {
    std::vector<std::string> lines;
    if (prm.subsection_path_exists({"Rod"}))
      lines = of_rod(prm, file);
    else if (prm.subsection_path_exists({"Shell"}))
      lines = of_shell(prm, file);
    lines.erase(std::remove(lines.begin(), lines.end(), ""), lines.end());
    return lines;
  }
} // namespace slender
