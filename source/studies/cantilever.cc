// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/ribbons/ribbon.h>
#include <slender/output/spread.h>
#include <slender/studies/cantilever.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/hanging_body.h>
#include <slender/studies/sweep.h>
#include <slender/validation/cantilever_curve.h>

#include <deal.II/base/parameter_handler.h>

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <array>
#include <iomanip>
#include <map>
#include <sstream>

namespace slender
{
  namespace
  {
    // Recipe manual, Algorithm 2. A rod's thickness is its diameter.
    constexpr double                redundant_density     = 1287.; // kg/m^3
    constexpr std::array<double, 2> redundant_lengths     = {{0.5, 0.8}}; // m
    constexpr std::array<double, 2> redundant_thicknesses = {
      {1e-3, 2.5e-3}}; // m

    /// By its weight, beyond which a ribbon collapses at the clamp; see
    /// doc/theory/shells.md, "A ribbon that hangs".
    constexpr double largest_strain = 0.0409;

    constexpr double pi = boost::math::constants::pi<double>();

    /// A sample's values: gamma, aspect ratio, then what varied.
    enum Value
    {
      gamma_value,
      aspect_value,
      length_value,
      thickness_value,
      young_value
    };

    /// Compares a curve, whose points may come in any order, with the master
    /// curve over its range; where both of them go, in a sentence.
    void
    judge_curve(const MasterCurve     &ours,
                const CantileverCurve &reference,
                Summary               &summary)
    {
      judge(summary, reference.distance(ours));

      // Of the samples that were found.
      std::map<double, double> found;
      for (std::size_t i = 0; i < ours.x.size(); ++i)
        if (ours.y[i] > 0.)
          found[ours.x[i]] = ours.y[i];
      std::ostringstream words;
      if (found.empty())
        words << "no sample has an aspect ratio";
      else
        {
          words << std::setprecision(4) << "H/W grows from "
                << found.begin()->second
                << " at Gamma = " << found.begin()->first << " to "
                << found.rbegin()->second
                << " at Gamma = " << found.rbegin()->first;
        }
      summary.answer = words.str();
    }

    /// What draws sample i of n, if it is one that is drawn.
    std::function<Recorder::Shape(const Drawing &)>
    drawer(Workplace        &workplace,
           const std::size_t i,
           const std::size_t n,
           const int         n_shapes,
           const double      gamma)
    {
      if (!is_spread(i, n, n_shapes))
        return {};
      return [&workplace, i, gamma](const Drawing &drawing) {
        return workplace.recorder.write_shape(recorded::shapes,
                                              static_cast<std::int64_t>(i),
                                              gamma,
                                              drawing,
                                              workplace.groups.group());
      };
    }
  } // namespace

  void
  CantileverStudy::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Cantilever");
    prm.add_parameter("Redundant",
                      redundant,
                      "Sample the curve with rods of several lengths, "
                      "thicknesses and Young's moduli in SI units (recipe "
                      "manual, Algorithm 2) instead of one rod under growing "
                      "gravity (Algorithm 1).");
    prm.add_parameter("Softest modulus",
                      softest,
                      "Algorithm 2: Young's moduli go down to this one [Pa]. A "
                      "shell cannot carry a weight that would strain it by "
                      "more than 4 %, rho g L/E; with 1e6 its strains are at "
                      "most 1 %.",
                      Double(1e4, 1e10));
    prm.add_parameter("Solver",
                      solver,
                      "'newton' finds stable equilibria; 'projective dynamics' "
                      "waits for a 'projective shell' to come to rest by local "
                      "and global iterations with one factorised matrix.",
                      Selection("newton|projective dynamics"));
    prm.add_parameter("Extensible",
                      extensible,
                      "Let the rod stretch as its material and radius have it. "
                      "The master curve is that of a rod that does not "
                      "stretch.");
    prm.add_parameter(
      "Radius",
      radius,
      "Radius of the rod of Algorithm 1 [length of the rod]; it "
      "matters only where the rod may stretch.",
      Double(1e-8, 0.5));
    prm.add_parameter("Poisson's ratio",
                      poisson,
                      "Of a ribbon, which models of shells and ribbons take "
                      "[1]; the master curve is that of 0.",
                      Double(-0.999, 0.5));
    prm.add_parameter("Ribbon width",
                      ribbon_width,
                      "Width of a ribbon [length of the ribbon].",
                      Double(1e-6, 1e3));
    prm.add_parameter("Ribbon thickness",
                      ribbon_thickness,
                      "Thickness of a ribbon [length of the ribbon].",
                      Double(1e-8, 0.1));
    prm.add_parameter("Cells along",
                      cells_along,
                      "Number of cells along a ribbon [1].",
                      Integer(1, 100000));
    prm.add_parameter("Cells across",
                      cells_across,
                      "Number of cells across the half of a ribbon that is "
                      "modelled; the other one is its mirror image [1].",
                      Integer(1, 100000));
    prm.add_parameter("Grading",
                      grading,
                      "Length of a ribbon's last cell over that of its first, "
                      "at the clamp [1].",
                      Double(1e-6, 1e6));
    prm.add_parameter("First exponent",
                      first_exponent,
                      "Algorithm 1: the sweep starts at Gamma = 10^(this) [1].",
                      Double(-12., 12.));
    prm.add_parameter("Last exponent",
                      last_exponent,
                      "Algorithm 1: the sweep ends at Gamma = 10^(this) [1].",
                      Double(-12., 12.));
    prm.add_parameter("Exponent step",
                      exponent_step,
                      "Algorithm 1: step of the exponent [1].",
                      Double(1e-6, 24.));
    prm.add_parameter("Chains",
                      n_chains,
                      "Algorithm 1: the sweep is cut into this many chains of "
                      "samples that start from one another [1]; groups of "
                      "ranks share the chains, and the results do not depend "
                      "on the number of ranks.",
                      Integer(1, 100000));
    prm.add_parameter("Shapes",
                      n_shapes,
                      "Number of shapes to write for ParaView and the report "
                      "[1].",
                      Integer(0, 10000));
    prm.leave_subsection();
    newton.declare(prm);
    projective.declare(prm);
  }

  void
  CantileverStudy::check() const
  {
    if (last_exponent < first_exponent)
      throw InputError("the sweep is empty: 'Last exponent' is below 'First "
                       "exponent'",
                       "Cantilever/Last exponent");
    if (kind == BodyKind::ribbon)
      {
        const CantileverStudy usual;
        const auto            of_others = [](const auto &value,
                                  const auto &default_value,
                                  const char *name,
                                  const char *kinds) {
          check_idle(false,
                     value,
                     default_value,
                     std::string("Cantilever/") + name,
                     std::string("the model is one of ") + kinds);
        };
        of_others(radius, usual.radius, "Radius", "rods");
        of_others(extensible, usual.extensible, "Extensible", "rods");
        of_others(cells_along, usual.cells_along, "Cells along", "shells");
        of_others(cells_across, usual.cells_across, "Cells across", "shells");
        of_others(grading, usual.grading, "Grading", "shells");
      }
    check_idle(redundant,
               softest,
               CantileverStudy().softest,
               "Cantilever/Softest modulus",
               "'Redundant' is true");
    if (kind != BodyKind::rod)
      check_idle(!redundant,
                 ribbon_thickness,
                 CantileverStudy().ribbon_thickness,
                 "Cantilever/Ribbon thickness",
                 "'Redundant' is false");
    if (is_projective() && kind != BodyKind::shell)
      throw InputError("projective dynamics is for 'Model = projective shell'",
                       "Cantilever/Solver");
    if (!is_projective())
      {
        const ProjectiveSettling usual;
        const auto               of_projective =
          [](const auto &value, const auto &default_value, const char *name) {
            check_idle(false,
                       value,
                       default_value,
                       std::string("Projective dynamics/") + name,
                       "'Solver' is 'projective dynamics'");
          };
        of_projective(projective.steps.iterations,
                      usual.steps.iterations,
                      "Iterations");
        of_projective(projective.steps.time_step,
                      usual.steps.time_step,
                      "Time step");
        of_projective(projective.max_steps, usual.max_steps, "Maximum steps");
        of_projective(projective.tolerance, usual.tolerance, "Tolerance");
      }
  }

  bool
  CantileverStudy::is_projective() const
  {
    return solver == "projective dynamics";
  }

  std::unique_ptr<HangingBody>
  CantileverStudy::hanging(std::unique_ptr<Model> body) const
  {
    if (!is_projective())
      return make_hanging_body(std::move(body), newton);
    ProjectiveSettling settling  = projective;
    settling.steps.linear_solver = newton.linear_solver;
    return make_hanging_body(std::move(body), settling);
  }

  void
  CantileverStudy::set_body_kind(const BodyKind of_model)
  {
    kind = of_model;
  }

  std::unique_ptr<Model>
  CantileverStudy::shell_ribbon(const Workplace &workplace,
                                const double     length,
                                const double     thickness,
                                const double     young_modulus,
                                const double     density) const
  {
    ShellBody body;
    body.poisson   = poisson;
    body.thickness = thickness;
    body.young     = young_modulus;
    body.density   = density;
    // Half of it, from the line in its middle: the end's point is a node for
    // any number and degree of the cells.
    const double half = ribbon_width * length / 2;
    workplace.model.check_size(static_cast<double>(cells_along) * cells_across,
                               "Cantilever/Cells along");
    body.edges = {ShellEdge::clamped("left"), ShellEdge::symmetry("bottom", 1)};
    body.points = {{"end", Vector3(length, -half / 2, 0.)}};
    return workplace.model.build(
      body,
      *make_surface(
        Rectangle{length, half, {cells_along, cells_across}, grading, 1.}),
      workplace.groups.group());
  }

  RodBody
  CantileverStudy::round_rod(const double length,
                             const double r,
                             const double young_modulus,
                             const double poisson_ratio,
                             const double density) const
  {
    const double area   = pi * r * r;
    const double second = pi * std::pow(r, 4) / 4.; // moment of area

    RodBody body;
    body.length          = length;
    body.radius          = r;
    body.axial           = extensible ? young_modulus * area : 0.;
    body.bending_1       = young_modulus * second;
    body.bending_2       = young_modulus * second;
    body.twisting        = young_modulus * second / (1. + poisson_ratio);
    body.mass_per_length = density * area;
    return body;
  }

  RodBody
  CantileverStudy::simple_rod() const
  {
    return round_rod(1.,
                     radius,
                     4. / (pi * std::pow(radius, 4)),
                     0.5,
                     1. / (pi * radius * radius));
  }

  std::unique_ptr<Model>
  CantileverStudy::simple_body(const Workplace &workplace) const
  {
    // A ribbon is of bending stiffness D = 1 per width and of mass one per
    // area, so that Gamma is the acceleration of gravity.
    const double young =
      12. * (1. - poisson * poisson) / std::pow(ribbon_thickness, 3);
    const double density = 1. / ribbon_thickness;
    if (kind == BodyKind::shell)
      return shell_ribbon(workplace, 1., ribbon_thickness, young, density);
    const RodBody body =
      kind == BodyKind::ribbon
        ? strip_body(
            1., ribbon_width, ribbon_thickness, young, poisson, density)
        : simple_rod();
    return workplace.model.build(body, workplace.groups.group());
  }

  RodBody
  CantileverStudy::redundant_body(const double length,
                                  const double thickness,
                                  const double young_modulus) const
  {
    if (kind == BodyKind::ribbon)
      return strip_body(length,
                        ribbon_width * length,
                        thickness,
                        young_modulus,
                        poisson,
                        redundant_density);
    constexpr double ratio = 0.3;
    return round_rod(
      length, thickness / 2, young_modulus, ratio, redundant_density);
  }

  Sweep
  CantileverStudy::simple_sweep(Workplace &workplace) const
  {
    const auto n = static_cast<std::size_t>(
      std::floor((last_exponent - first_exponent) / exponent_step + 1e-9) + 1);
    const auto gamma = [this](const std::size_t i) {
      return std::pow(10.,
                      first_exponent + static_cast<double>(i) * exponent_step);
    };

    Sweep sweep;
    sweep.what    = "cantilever";
    sweep.lengths = chain_lengths(n, n_chains);
    sweep.run =
      [=, &workplace, lengths = sweep.lengths](const std::size_t chain,
                                               const auto       &done) {
        const std::size_t first = Sweep{"", lengths, {}, {}}.first(chain);
        const auto        body  = hanging(simple_body(workplace));
        body->ramp(gamma(first), gamma(first));
        for (std::size_t i = first; i < first + lengths[chain]; ++i)
          done(body->sample("gravity",
                            gamma(i),
                            gamma(i),
                            drawer(workplace, i, n, n_shapes, gamma(i))));
      };
    return sweep;
  }

  Sweep
  CantileverStudy::redundant_sweep(Workplace &workplace) const
  {
    // The recipe's 25 moduli are four to a decade.
    constexpr double largest_modulus = 1e10; // Pa
    const int        n_moduli =
      1 + static_cast<int>(4. * std::log10(largest_modulus / softest) + 1e-9);
    constexpr double  gravity = 9.81; // m/s^2
    const std::size_t n_pairs =
      redundant_lengths.size() * redundant_thicknesses.size();

    Sweep sweep;
    sweep.what    = "redundant cantilever";
    sweep.lengths = std::vector<std::size_t>(n_pairs, n_moduli);
    sweep.run     = [=, &workplace](const std::size_t chain, const auto &done) {
      const double length =
        redundant_lengths[chain / redundant_thicknesses.size()];
      const double thickness =
        redundant_thicknesses[chain % redundant_thicknesses.size()];
      const bool    is_shell = kind == BodyKind::shell;
      const RodBody body =
        is_shell ? RodBody()
                     : redundant_body(length, thickness, largest_modulus);
      // Weight over stiffness, that of a plate where it is a ribbon: D w =
      // E I / (1 - nu^2).
      const double plate = 1. - poisson * poisson;
      const double ratio =
        is_shell ? 12. * plate * redundant_density /
                     (largest_modulus * thickness * thickness)
                     : body.mass_per_length *
                     (kind == BodyKind::ribbon ? plate : 1.) / body.bending_1;
      const auto gamma = [&](const double modulus) {
        return ratio * gravity * std::pow(length, 3) * largest_modulus /
               modulus;
      };
      const auto hung = hanging(
        is_shell
          ? shell_ribbon(
              workplace, length, thickness, largest_modulus, redundant_density)
          : workplace.model.build(body, workplace.groups.group()));
      HangingBody &rod = *hung;
      rod.ramp(gravity, gamma(largest_modulus));
      rod.sample("gravity", gravity, gamma(largest_modulus));
      for (int i = 0; i < n_moduli; ++i)
        {
          const double modulus = largest_modulus * std::pow(10., -i / 4.);
          Sample       sample =
            rod.sample(is_shell ? "young" : "stiffness",
                       is_shell ? modulus : modulus / largest_modulus,
                       gamma(modulus),
                       drawer(workplace,
                              chain * n_moduli + i,
                              n_pairs * n_moduli,
                              n_shapes,
                              gamma(modulus)));
          const double strain = redundant_density * gravity * length / modulus;
          if (is_shell && !sample.failure.empty() && strain > largest_strain)
            sample.failure += "; its weight would strain it by " +
                              std::to_string(std::lround(100. * strain)) +
                              " %, and no ribbon carries more than 4 %";
          sample.values.insert(sample.values.end(),
                               {length, thickness, modulus});
          done(sample);
        }
    };
    return sweep;
  }

  int
  CantileverStudy::n_pieces() const
  {
    return redundant ? static_cast<int>(redundant_lengths.size() *
                                        redundant_thicknesses.size())
                     : n_chains;
  }

  void
  CantileverStudy::rehearse(const Workplace &workplace) const
  {
    const std::unique_ptr<Model> body = simple_body(workplace);
    if (is_projective())
      {
        const Vector      q = body->initial_state();
        HessianMultiplier nowhere(q);
        slender::projective(*body).projective_tangent(nowhere);
      }
  }

  StudyResult
  CantileverStudy::run(Workplace &workplace)
  {
    Recorder                &recorder = workplace.recorder;
    std::vector<std::string> columns  = {
       "gamma", "aspect_ratio", "reference", "relative_error", "iterations"};
    if (redundant)
      columns.insert(columns.end(), {"length", "thickness", "young_modulus"});
    recorder.begin_table(recorded::results, columns);
    recorder.begin_series(recorded::shapes, "Gamma [1]");

    StudyResult           result;
    Summary              &summary = result.summary;
    const CantileverCurve reference;
    MasterCurve           ours;
    Sweep                 sweep =
      redundant ? redundant_sweep(workplace) : simple_sweep(workplace);
    sweep.record = [&](std::size_t, std::size_t, const Sample &sample) {
      const double gamma    = sample.values[gamma_value];
      const double aspect   = sample.values[aspect_value];
      const double expected = reference(gamma);
      const double error    = std::abs(aspect / expected - 1.);
      Table::Row   row = {gamma, aspect, expected, error, sample.iterations};
      for (std::size_t i = length_value; i < sample.values.size(); ++i)
        row.emplace_back(sample.values[i]);
      recorder.row(recorded::results, row);
      std::ostringstream where;
      where << "Gamma = " << gamma;
      count_sample(recorder, sample, where.str());
      ours.x.push_back(gamma);
      ours.y.push_back(aspect);
      if (sample.failure.empty())
        summary.max_relative_error =
          worse(summary.max_relative_error.value_or(0.), error);
    };
    result.is_interrupted = !run_sweep(workplace, sweep);
    if (!result.is_interrupted && workplace.groups.is_first_rank())
      judge_curve(ours, reference, summary);
    return result;
  }
} // namespace slender
