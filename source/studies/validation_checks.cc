// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/quaternion.h>
#include <slender/studies/validation_checks.h>
#include <slender/validation/master_curve.h>

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    using Trial    = PropertyCheck::Trial;
    using Outcomes = PropertyCheck::Outcomes;

    const std::vector<std::string> rods    = {"kirchhoff rod",
                                              "discrete elastic rod",
                                              "super helix",
                                              "super clothoid"};
    const std::vector<std::string> ribbons = {"super ribbon",
                                              "stretchable ribbon"};
    const std::vector<std::string> shells  = {"koiter shell",
                                              "midedge shell",
                                              "hinge shell",
                                              "discrete shell",
                                              "projective shell"};

    std::string
    setting(const std::string &path, const double value)
    {
      std::ostringstream out;
      out << std::setprecision(17) << path << '=' << value;
      return out.str();
    }

    std::string
    setting(const std::string &path, const Vector3 &value)
    {
      std::ostringstream out;
      out << std::setprecision(17) << path << '=' << value(0) << ", "
          << value(1) << ", " << value(2);
      return out.str();
    }

    std::vector<double>
    column(const ConfiguredStudy::Outcome &outcome, const std::string &name)
    {
      return outcome.recorded.tables.at(recorded::results).column(name);
    }

    // ------------------------------------------------------ objectivity ---

    /// A strip of steel under its weight and a force, in a frame of its own.
    Trial
    bent_strip(const std::string &model, const Vector4 &turn)
    {
      const auto turned = [&](const Vector3 &v) {
        return Vector3(quaternion::rotate(turn, v));
      };
      return {"equilibrium",
              model,
              {"Rod/Length=0.3",
               "Rod/Section=rectangular",
               "Rod/Width=0.01",
               "Rod/Thickness=0.0005",
               "Rod/Young's modulus=200e9",
               "Rod/Poisson's ratio=0.3",
               "Rod/Density=7850",
               "Start/Hold=clamped",
               "Loads/Gravity=9.81",
               "Loads/End force=0.5",
               "Equilibrium/Load steps=4",
               "Equilibrium/Eigenvalues=0",
               setting("Rod/Tangent", turned({1., 0., 0.})),
               setting("Rod/Director 1", turned({0., 1., 0.})),
               setting("Loads/Gravity direction", turned({0., 0., -1.})),
               setting("Loads/End force direction", turned({0., 0.6, -0.8}))}};
    }

    /// A piece of paper that is rolled and stretched, at two places.
    Trial
    rolled_sheet(const std::string &model)
    {
      const std::string x = "(0.0101*sin(100*x))", y = "y",
                        z = "(0.0101*cos(100*x))";
      return {"evaluate",
              model,
              {"Shell/Young's modulus=2e9",
               "Shell/Poisson's ratio=0.3",
               "Shell/Thickness=1e-4",
               "Shell/Density=250",
               "Surface/Shape=rectangle",
               "Surface/Length=0.02",
               "Surface/Width=0.01",
               "Surface/Cells along u=12",
               "Surface/Cells along v=6",
               "Evaluate/Position x=cos(p)*" + x + "-sin(p)*" + z + "+p",
               "Evaluate/Position y=" + y + "-2*p",
               "Evaluate/Position z=sin(p)*" + x + "+cos(p)*" + z,
               "Evaluate/Values=0, 2"}};
    }

    double
    change_of_energy(const double before, const double after)
    {
      return std::abs(after / before - 1.);
    }

    void
    add_objectivity(std::vector<PropertyCheck> &list)
    {
      // Round-off of energies, and of the equilibria that are compared.
      constexpr double bound = 1e-6;
      const Vector4 turn = quaternion::from_rotation_vector({0.7, -1.1, 1.9});
      for (const auto *names : {&rods, &ribbons})
        for (const std::string &model : *names)
          list.push_back(
            {"objectivity",
             "objectivity: energy of a strip in another frame",
             model,
             {bent_strip(model, quaternion::from_rotation_vector({0., 0., 0.})),
              bent_strip(model, turn)},
             [](const Outcomes &o) {
               return change_of_energy(column(o[0], "elastic_energy").back(),
                                       column(o[1], "elastic_energy").back());
             },
             bound});
      for (const std::string &model : shells)
        list.push_back({"objectivity",
                        "objectivity: energy of a rolled sheet that is moved",
                        model,
                        {rolled_sheet(model)},
                        [](const Outcomes &o) {
                          const auto energy = column(o[0], "energy");
                          return change_of_energy(energy.at(0), energy.at(1));
                        },
                        bound});
    }

    // ---------------------------------------------------- the Cantilever ---

    /// A few weights of the protocol.
    Trial
    droop(const std::string &model,
          const double       first,
          const double       last,
          const Settings    &more)
    {
      Settings settings = {setting("Cantilever/First exponent", first),
                           setting("Cantilever/Last exponent", last),
                           "Cantilever/Exponent step=0.5",
                           "Cantilever/Chains=1",
                           "Cantilever/Shapes=0"};
      settings.insert(settings.end(), more.begin(), more.end());
      return {"cantilever", model, settings};
    }

    double
    largest_error(const ConfiguredStudy::Outcome &outcome)
    {
      return outcome.summary.failed > 0
               ? Table::unknown
               : outcome.summary.max_relative_error.value_or(Table::unknown);
    }

    void
    add_locking(std::vector<PropertyCheck> &list)
    {
      // A tenth of what passes in the plot of the protocol.
      constexpr double bound = 0.05;
      const auto       add   = [&](const std::string &model,
                           const Settings    &settings,
                           const bool         is_rod) {
        for (const double thickness : {1e-2, 1e-3, 1e-4, 1e-5})
          {
            Settings all = settings;
            all.push_back(setting(is_rod ? "Cantilever/Radius"
                                         : "Cantilever/Ribbon thickness",
                                  is_rod ? thickness / 2. : thickness));
            std::ostringstream name;
            name << "locking: error at h/L = " << thickness;
            list.push_back(
              {"locking",
               name.str(),
               model,
               {droop(model, -2., 2., all)},
               [](const Outcomes &o) { return largest_error(o[0]); },
               bound});
          }
      };
      add("kirchhoff rod",
          {"Cantilever/Extensible=true", "Kirchhoff rod/Elements=8"},
          true);
      add("discrete elastic rod",
          {"Cantilever/Extensible=true", "Discrete elastic rod/Segments=60"},
          true);
      add("stretchable ribbon",
          {"Stretchable ribbon/Elements=6", "Stretchable ribbon/Grading=8"},
          false);
      add("koiter shell",
          {"Cantilever/Cells along=8", "Koiter shell/Degree=3"},
          false);
      for (const char *model : {"midedge shell", "hinge shell"})
        add(model,
            {"Cantilever/Cells along=60", "Cantilever/Cells across=3"},
            false);
    }

    void
    add_order(std::vector<PropertyCheck> &list)
    {
      const auto add = [&](const std::string &model,
                           const std::string &path,
                           const int          coarse,
                           const Settings    &more,
                           const double       least) {
        std::vector<Trial> trials;
        for (const int n : {coarse, 2 * coarse})
          {
            Settings settings = more;
            settings.push_back(setting(path, n));
            trials.push_back(droop(model, 0., 1., settings));
          }
        list.push_back({"order",
                        "order of convergence of H/W",
                        model,
                        trials,
                        [](const Outcomes &o) {
                          return std::log2(largest_error(o[0]) /
                                           largest_error(o[1]));
                        },
                        least,
                        true});
      };
      add("kirchhoff rod",
          "Kirchhoff rod/Elements",
          4,
          {"Kirchhoff rod/Degree=2", "Kirchhoff rod/Grading=1"},
          3.5);
      add("discrete elastic rod",
          "Discrete elastic rod/Segments",
          20,
          {"Discrete elastic rod/Grading=1"},
          1.9);
      add("super helix",
          "Super helix/Elements",
          10,
          {"Super helix/Grading=1"},
          1.9);
      add("super clothoid",
          "Super clothoid/Elements",
          5,
          {"Super clothoid/Grading=1"},
          1.9);
      add("super ribbon",
          "Super ribbon/Elements",
          5,
          {"Super ribbon/Grading=1"},
          1.9);
      add("koiter shell",
          "Cantilever/Cells along",
          3,
          {"Koiter shell/Degree=2", "Cantilever/Grading=1"},
          1.9);
      for (const char *model : {"midedge shell", "hinge shell"})
        add(model,
            "Cantilever/Cells along",
            20,
            {"Cantilever/Grading=1", "Cantilever/Cells across=2"},
            1.);
    }

    // --------------------------------------------------------- dynamics ---

    void
    add_frequency(std::vector<PropertyCheck> &list)
    {
      // A steel ruler of 300 x 30 x 1 mm, clamped at one end.
      constexpr double length = 0.3, width = 0.03, thickness = 1e-3,
                       young = 200e9, density = 7850.;
      // cos b cosh b = -1.
      constexpr double b = 1.875104068711961;
      const double     exact =
        b * b * std::sqrt(young * thickness * thickness / 12. / density) /
        (length * length * boost::math::constants::two_pi<double>());
      for (const std::string &model : rods)
        list.push_back({"frequency",
                        "first frequency of a clamped ruler: error",
                        model,
                        {{"vibration",
                          model,
                          {"Vibration/Modes=1",
                           setting("Rod/Length", length),
                           "Rod/Section=rectangular",
                           setting("Rod/Width", width),
                           setting("Rod/Thickness", thickness),
                           setting("Rod/Young's modulus", young),
                           "Rod/Poisson's ratio=0.3",
                           setting("Rod/Density", density),
                           "Rod/Tangent=1, 0, 0",
                           "Rod/Director 1=0, 1, 0",
                           "Start/Hold=clamped"}}},
                        [exact](const Outcomes &o) {
                          return std::abs(
                            column(o[0], "frequency").front() / exact - 1.);
                        },
                        5e-3});
    }

    void
    add_energy(std::vector<PropertyCheck> &list)
    {
      // A strip of rubber that falls from the horizontal and swings.
      for (const std::string &model : rods)
        list.push_back({"energy",
                        "drift of energy in a swing of 0.5 s",
                        model,
                        {{"motion",
                          model,
                          {"Time/End=0.5",
                           "Time/Step=0.002",
                           "Time/Integrator=newmark",
                           "Time/Shapes every=1",
                           "Rod/Length=0.3",
                           "Rod/Section=rectangular",
                           "Rod/Width=0.02",
                           "Rod/Thickness=0.002",
                           "Rod/Young's modulus=2e6",
                           "Rod/Density=1100",
                           "Rod/Tangent=1, 0, 0",
                           "Rod/Director 1=0, 1, 0",
                           "Start/Hold=clamped",
                           "Loads/Gravity=9.81"}}},
                        [](const Outcomes &o) {
                          double drift = 0., most = 0.;
                          for (const double e : column(o[0], "balance"))
                            drift = worse(drift, std::abs(e));
                          for (const double e : column(o[0], "kinetic_energy"))
                            most = worse(most, e);
                          return drift / most;
                        },
                        5e-3});
    }
  } // namespace

  const std::vector<std::string> &
  property_names()
  {
    static const std::vector<std::string> names = {
      "objectivity", "locking", "order", "frequency", "energy"};
    return names;
  }

  const std::vector<PropertyCheck> &
  all_property_checks()
  {
    static const std::vector<PropertyCheck> all = [] {
      std::vector<PropertyCheck> list;
      add_objectivity(list);
      add_locking(list);
      add_order(list);
      add_frequency(list);
      add_energy(list);
      return list;
    }();
    return all;
  }

  std::optional<Sample>
  run_check(const PropertyCheck &check, MPI_Comm communicator)
  {
    Sample   sample;
    Outcomes outcomes(check.trials.size());
    for (std::size_t i = 0; i < check.trials.size(); ++i)
      {
        const Trial &trial = check.trials[i];
        ConfiguredStudy(trial.study, trial.model, trial.settings)
          .run(communicator, outcomes[i]);
        if (outcomes[i].is_interrupted)
          return {};
        sample.iterations += outcomes[i].summary.newton_iterations;
      }
    // Others have recorded nothing.
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    sample.values = {rank == 0 ? check.read(outcomes) : Table::unknown};
    return sample;
  }
} // namespace slender
