// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/validation_cases.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    using Resolutions = std::vector<Entrant::Resolution>;
    using Bodies      = std::vector<Entrant::Body>;

    std::string
    as_text(const double number)
    {
      std::ostringstream out;
      out << number;
      return out.str();
    }

    /// Numbers of one setting, coarse to fine.
    Resolutions
    of_numbers(const std::string         &path,
               const std::vector<double> &numbers,
               const std::string         &what)
    {
      const char *const levels[] = {"coarse", "medium", "fine"};
      Resolutions       result;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        result.push_back({levels[i],
                          as_text(numbers[i]) + " " + what,
                          numbers[i],
                          {path + "=" + as_text(numbers[i])}});
      return result;
    }

    /// Cells along a plate, and so many across for each of them.
    Resolutions
    of_cells(const std::string         &section,
             const std::vector<double> &along,
             const double               per_cell_across)
    {
      Resolutions result = of_numbers(section + "/Cells along", along, "cells");
      for (Entrant::Resolution &one : result)
        one.settings.push_back(
          section + "/Cells across=" +
          as_text(std::max(1., std::floor(one.number / per_cell_across))));
      return result;
    }

    Settings
    operator+(Settings a, const Settings &b)
    {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    }

    // ------------------------------------------------------- Cantilever ---

    const Settings no_shapes = {"Cantilever/Shapes=0"};

    /// Bodies of rods. The redundant ones are the recipe's Algorithm 2, up to
    /// Gamma = 10^7, where elements have to be short at the clamp.
    Bodies
    rods(const std::string &section, const double grading)
    {
      Bodies bodies = {{"one rod", {}}};
      if (section == "Discrete elastic rod" || section == "Kirchhoff rod")
        bodies.push_back(
          {"stretches, r/L = 1e-3",
           {"Cantilever/Extensible=true", "Cantilever/Radius=1e-3"}});
      bodies.push_back({"100 rods in SI units",
                        {"Cantilever/Redundant=true",
                         section + "/Grading=" + as_text(grading)}});
      return bodies;
    }

    const Bodies ribbons = {{"h/L = 1e-3", {}},
                            {"h/L = 3e-4",
                             {"Cantilever/Ribbon thickness=3e-4"}},
                            {"w/L = 0.05", {"Cantilever/Ribbon width=0.05"}}};

    std::vector<Entrant>
    cantilevers()
    {
      std::vector<Entrant> list;
      const auto           add = [&](Entrant entrant) {
        entrant.protocol = Protocol::cantilever;
        entrant.settings = entrant.settings + no_shapes;
        list.push_back(std::move(entrant));
      };
      add({{},
           "kirchhoff rod",
           "kirchhoff rod",
           {"Kirchhoff rod/Degree=4", "Kirchhoff rod/Grading=20"},
           of_numbers("Kirchhoff rod/Elements", {4, 8, 16}, "elements"),
           rods("Kirchhoff rod", 1000.),
           "OK (200 elts)",
           "the paper's is Abaqus"});
      add({{},
           "discrete elastic rod",
           "discrete elastic rod",
           {"Discrete elastic rod/Grading=1"},
           of_numbers("Discrete elastic rod/Segments",
                      {75, 150, 300},
                      "segments"),
           rods("Discrete elastic rod", 1000.),
           "OK (300 elts)",
           ""});
      add({{},
           "super helix",
           "super helix",
           {"Super helix/Grading=1"},
           of_numbers("Super helix/Elements", {12, 25, 50}, "elements"),
           rods("Super helix", 1000.),
           "OK (50 elts)",
           ""});
      add({{},
           "super clothoid",
           "super clothoid",
           {"Super clothoid/Grading=1"},
           of_numbers("Super clothoid/Elements", {5, 10, 20}, "elements"),
           rods("Super clothoid", 1000.),
           "OK (20 elts)",
           ""});
      add({{},
           "super ribbon",
           "super ribbon",
           {"Super ribbon/Grading=1", "Cantilever/Poisson's ratio=0.35"},
           of_numbers("Super ribbon/Elements", {5, 10, 20}, "elements"),
           ribbons,
           "OK (20 elts)",
           ""});
      add({{},
           "stretchable ribbon",
           "stretchable ribbon",
           {"Stretchable ribbon/Grading=8", "Cantilever/Poisson's ratio=0"},
           of_numbers("Stretchable ribbon/Elements", {6, 12}, "elements"),
           ribbons,
           "–",
           "ours alone"});
      add({{},
           "koiter shell",
           "koiter shell",
           {"Koiter shell/Degree=3", "Cantilever/Grading=20"},
           of_cells("Cantilever", {4, 8, 16}, 1000.),
           ribbons,
           "OK (Res 0)",
           "the paper's is FenicsShell"});
      add({{},
           "koiter shell (too thick)",
           "koiter shell",
           {"Koiter shell/Degree=3",
            "Cantilever/Grading=1",
            "Cantilever/Ribbon thickness=0.1"},
           of_cells("Cantilever", {4, 8, 16}, 1000.),
           {{"h/L = 0.1", {}}},
           "–",
           "rule (9) at work: a ribbon as thick as it is wide"});
      const auto     triangles = of_cells("Cantilever", {60, 120, 240}, 20.);
      const Settings uniform   = {"Cantilever/Grading=1"};
      add({{},
           "midedge shell",
           "midedge shell",
           uniform,
           triangles,
           ribbons,
           "OK (Res 0)",
           "the paper's is LibShell; Res 0 has 120 points along"});
      add({{},
           "hinge shell",
           "hinge shell",
           uniform,
           triangles,
           ribbons,
           "–",
           "ours alone"});
      const auto discrete = [&](const std::string &bending,
                                const std::string &paper,
                                const std::string &remark) {
        add({{},
             "discrete shell (" + bending + ")",
             "discrete shell",
             uniform + Settings{"Discrete shell/Bending=" + bending},
             triangles,
             ribbons,
             paper,
             remark});
      };
      discrete("cylinder", "OK (Res +)", "the factor 1 of an edge's energy");
      discrete("grinspun",
               "OK (Res +)",
               "the printed factor 3 is three times too stiff for a cylinder; "
               "the paper's code must have had 1");
      discrete("bridson", "KO", "the factor 1/4; the paper's is Arcsim");
      add({{},
           "projective shell (Newton)",
           "projective shell",
           uniform,
           triangles,
           ribbons,
           "–",
           "the energies of Projective Dynamics, minimised"});
      add({{},
           "projective dynamics",
           "projective shell",
           uniform + Settings{"Cantilever/Solver=projective dynamics",
                              "Cantilever/Ribbon thickness=0.03",
                              "Cantilever/Chains=1",
                              "Projective dynamics/Time step=10",
                              "Projective dynamics/Maximum steps=150",
                              "Projective dynamics/Tolerance=0.02",
                              "Projective dynamics/Iterations=200"},
           of_cells("Cantilever", {20, 40}, 20.),
           {{"h/L = 0.03", {}}},
           "KO",
           "thick enough for the iterations to end, it stretches"});
      return list;
    }

    // ------------------------------------------------------- Bend-Twist ---

    std::vector<Entrant>
    bend_twists()
    {
      const Bodies         bodies     = {{"does not stretch", {}},
                                         {"stretches, r/L = 5e-4",
                                          {"Bend twist/Extensible=true",
                                           "Bend twist/Radius=5e-4"}}};
      const Bodies         curvatures = {{"does not stretch", {}}};
      std::vector<Entrant> list;
      const auto           add = [&](Entrant entrant) {
        entrant.protocol = Protocol::bend_twist;
        entrant.settings = entrant.settings + Settings{"Bend twist/Shapes=0"};
        list.push_back(std::move(entrant));
      };
      add({{},
           "kirchhoff rod",
           "kirchhoff rod",
           {"Kirchhoff rod/Degree=4", "Kirchhoff rod/Constraint stiffness=1e9"},
           of_numbers("Kirchhoff rod/Elements", {12, 20, 40}, "elements"),
           bodies,
           "KO",
           "the paper's is Abaqus, whose shapes were wrong near the frontier; "
           "here the frontier is tracked"});
      add({{},
           "discrete elastic rod",
           "discrete elastic rod",
           {"Discrete elastic rod/Constraint stiffness=1e9"},
           of_numbers("Discrete elastic rod/Segments",
                      {50, 100, 200},
                      "segments"),
           bodies,
           "OK (200 elts)",
           ""});
      add({{},
           "super helix",
           "super helix",
           {},
           of_numbers("Super helix/Elements", {20, 30, 60}, "elements"),
           curvatures,
           "OK (30 elts)",
           ""});
      add({{},
           "super clothoid",
           "super clothoid",
           {},
           of_numbers("Super clothoid/Elements", {15, 25, 50}, "elements"),
           curvatures,
           "OK (25 elts)",
           ""});
      return list;
    }

    // ------------------------------------------------- Lateral Buckling ---

    std::vector<Entrant>
    lateral_bucklings()
    {
      const std::string    section  = "Lateral buckling";
      const Bodies         plates   = {{"h/L = 1e-3", {}},
                                       {"h/L = 3e-4",
                                        {section + "/Thickness ratio=3e-4"}}};
      const Settings       frontier = {section + "/Mode=frontier",
                                       section + "/Shapes=0",
                                       section + "/Smallest width=0.1"};
      const Settings       triangle = {section + "/Grading along=1",
                                       section + "/Grading across=1",
                                       "Frontier tracking/Largest step=0.2"};
      std::vector<Entrant> list;
      const auto           add = [&](Entrant entrant) {
        entrant.protocol = Protocol::lateral_buckling;
        list.push_back(std::move(entrant));
      };
      add({{},
           "koiter shell",
           "koiter shell",
           frontier + Settings{"Koiter shell/Degree=4"},
           of_cells(section, {4, 8, 12}, 2.),
           plates,
           "OK (Res 0)",
           "the paper's is FenicsShell"});
      add({{},
           "stretchable ribbon",
           "stretchable ribbon",
           frontier + Settings{"Stretchable ribbon/Grading=8"},
           of_numbers("Stretchable ribbon/Elements", {6, 12}, "elements"),
           plates,
           "–",
           "ours alone"});
      add({{},
           "super ribbon",
           "super ribbon",
           {section + "/Mode=protocol",
            section + "/Shapes=0",
            section + "/Largest gamma=50",
            section + "/Gamma step=1"},
           of_numbers("Super ribbon/Elements", {10, 20}, "elements"),
           plates,
           "KO",
           "it must not stretch, and twists too little"});
      for (const std::string normals : {"tangent", "average", "sine"})
        add({{},
             "midedge shell (" + normals + ")",
             "midedge shell",
             frontier + triangle + Settings{"Midedge shell/Normals=" + normals},
             of_cells(section, {50, 75, 100}, 4.),
             plates,
             normals == "average" ? "OK (Res ++)" : "OK (Res +)",
             "the paper's is LibShell; Res + has 75 points along"});
      add({{},
           "hinge shell",
           "hinge shell",
           frontier + triangle,
           of_cells(section, {50, 75, 100}, 4.),
           plates,
           "–",
           "ours alone"});
      for (const std::string bending : {"cylinder", "grinspun"})
        add(
          {{},
           "discrete shell (" + bending + ")",
           "discrete shell",
           frontier + triangle + Settings{"Discrete shell/Bending=" + bending},
           of_cells(section, {50, 75}, 4.),
           plates,
           "KO",
           "its twist is that of the mesh, not of the plate"});
      return list;
    }

    // ------------------------------------------------------- Stick-Slip ---

    std::vector<Entrant>
    stick_slips()
    {
      const Settings       samples = {"Stick slip/Shapes=0",
                                      "Stick slip/Largest strain=0.4"};
      std::vector<Entrant> list;
      const auto           add = [&](Entrant entrant) {
        entrant.protocol = Protocol::stick_slip;
        entrant.settings = samples + entrant.settings;
        list.push_back(std::move(entrant));
      };
      const Bodies   criteria = {{"by the tip's way",
                                  {"Stick slip/Criterion=displacement"}},
                                 {"by forces", {"Stick slip/Criterion=force"}}};
      const Settings still    = {
           "Stick slip/Frictions=0.05, 0.1, 0.15, 0.2, 0.25, "
              "0.3, 0.35"};
      add({{},
           "coulomb at rest (kirchhoff rod)",
           "kirchhoff rod",
           still + Settings{"Kirchhoff rod/Degree=3"},
           of_numbers("Kirchhoff rod/Elements", {6, 12, 24}, "elements"),
           criteria,
           "OK (dt = 9 us)",
           "the paper's is Abaqus, in motion"});
      add(
        {{},
         "coulomb at rest (discrete rod)",
         "discrete elastic rod",
         still,
         of_numbers("Discrete elastic rod/Segments", {10, 20, 40}, "segments"),
         criteria,
         "–",
         "ours alone"});
      const auto law = [&](const std::string         &name,
                           const std::string         &title,
                           const std::vector<double> &steps,
                           const Settings            &settings,
                           const std::string         &paper,
                           const std::string         &remark) {
        Resolutions by_step =
          of_numbers("Stick slip/Time step", steps, "time step");
        for (Entrant::Resolution &one : by_step)
          {
            one.words  = "dt = " + as_text(one.number);
            one.number = 1. / one.number;
          }
        add({{},
             title,
             "discrete elastic rod",
             Settings{"Stick slip/Simulation=dynamic",
                      "Stick slip/Law=" + name,
                      "Stick slip/End with slip=true",
                      "Stick slip/Frictions=0.05, 0.15, 0.25, 0.35",
                      "Discrete elastic rod/Segments=20"} +
               settings,
             by_step,
             {{"speed 0.01", {}}, {"speed 0.02", {"Stick slip/Speed=0.02"}}},
             paper,
             remark});
      };
      const Settings axial = {"Stick slip/Axial stiffness=1e5"};
      law("coulomb",
          "coulomb in motion",
          {2e-3, 1e-3, 5e-4},
          {},
          "OK (dt=0.5 ms)",
          "the paper's is So-Bogus");
      law("viscous", "viscous friction", {2e-3, 1e-3, 5e-4}, {}, "KO", "");
      law("bridson-harmon",
          "bridson-harmon",
          {1e-3, 5e-4, 2.5e-4},
          axial,
          "KO",
          "the filter alone, on a rod: the paper's is Arcsim's cloth");
      law("penalty",
          "penalty (explicit steps)",
          {5e-5, 2.5e-5, 9e-6},
          axial,
          "OK (dt=9 us)",
          "the paper's is Abaqus");
      law("projective",
          "projective friction",
          {1e-3, 5e-4, 2.5e-4},
          axial,
          "KO",
          "the projections alone, on a rod, with enough of them");
      // As many more iterations as steps.
      int projections = 100;
      for (Entrant::Resolution &one : list.back().resolutions)
        {
          one.settings.push_back("Stick slip/Projections=" +
                                 std::to_string(projections));
          one.words += ", " + std::to_string(projections) + " projections";
          projections *= 2;
        }
      return list;
    }
  } // namespace

  const std::vector<Entrant> &
  validation_entrants()
  {
    static const std::vector<Entrant> all = [] {
      std::vector<Entrant> list;
      for (const auto &part :
           {cantilevers(), bend_twists(), lateral_bucklings(), stick_slips()})
        list.insert(list.end(), part.begin(), part.end());
      return list;
    }();
    return all;
  }
} // namespace slender
