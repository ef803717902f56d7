// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/gather_drawing.h>
#include <slender/studies/cantilever.h>
#include <slender/studies/sweep.h>
#include <slender/validation/elastica.h>
#include <slender/validation/master_curve.h>

#include <deal.II/base/parameter_handler.h>

#include <boost/math/constants/constants.hpp>

namespace slender
{
  namespace
  {
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

    /// The table of reference/ and, between its values and beyond them, the
    /// elastica itself.
    class Reference
    {
    public:
      Reference()
      {
        const Table table = master_table("cantilever");
        curve = {table.column("gamma"), table.column("aspect_ratio")};
      }

      double
      operator()(const double gamma) const
      {
        // Powers of ten may differ in their last digit from the table's.
        const auto next = std::lower_bound(curve.x.begin(),
                                           curve.x.end(),
                                           gamma * (1. - 1e-12));
        if (next != curve.x.end() && std::abs(*next / gamma - 1.) < 1e-12)
          return curve.y[next - curve.x.begin()];
        return elastica_aspect_ratio(gamma);
      }

      /// The master curve over the range of a sweep.
      MasterCurve
      over(const double first, const double last) const
      {
        if (std::abs(first / curve.x.front() - 1.) < 1e-12 &&
            std::abs(last / curve.x.back() - 1.) < 1e-12)
          return curve;
        if (first == last)
          return {{first}, {(*this)(first)}};
        constexpr int n = 200;
        MasterCurve   part;
        for (int i = 0; i <= n; ++i)
          {
            part.x.push_back(first * std::pow(last / first, double(i) / n));
            part.y.push_back((*this)(part.x.back()));
          }
        return part;
      }

      const MasterCurve &
      whole_curve() const
      {
        return curve;
      }

    private:
      MasterCurve curve;
    };

    /// One rod or ribbon, from sample to sample.
    class HangingBody
    {
    public:
      HangingBody(std::unique_ptr<Model> the_model, const NewtonOptions &newton)
        : model(std::move(the_model))
        , solver(*model, newton)
        , q(model->initial_state())
      {}

      /// Raises gravity from nothing, doubling Gamma, so that no step is large.
      void
      ramp(const double gravity, const double gamma)
      {
        for (double share = std::min(1., 1. / gamma); share < 1.; share *= 2.)
          q = solver.load(q, {{"gravity", share * gravity}}).q;
      }

      Sample
      sample(const std::string &parameter,
             const double       value,
             const double       gamma,
             const bool         with_drawing)
      {
        const Equilibrium found = solver.load(q, {{parameter, value}});
        q                       = found.q;
        Sample sample;
        sample.values     = {gamma, Table::unknown};
        sample.iterations = found.iterations;
        if (!found.converged())
          {
            sample.failure = to_string(found.outcome);
            return sample;
          }
        if (const Index n = solver.inertia(q).negative; n > 0)
          {
            sample.failure = "the equilibrium is unstable in " +
                             std::to_string(n) +
                             (n == 1 ? " direction" : " directions");
            return sample;
          }
        const auto measured         = model->measure(q);
        sample.values[aspect_value] = -find_measurement(measured, "end z") /
                                      find_measurement(measured, "end x");
        if (with_drawing)
          sample.drawing =
            gather_drawing(model->draw(q), model->layout().communicator);
        return sample;
      }

    private:
      std::unique_ptr<Model> model;
      EquilibriumSolver      solver;
      Vector                 q;
    };

    /// Whether sample i of n is one of `count` that are spread evenly.
    bool
    is_selected(const std::size_t i,
                const std::size_t n,
                const std::size_t count)
    {
      if (count == 0)
        return false;
      if (count == 1 || n == 1)
        return i == 0;
      // The first and the last are among them.
      const std::size_t k = (i * (count - 1) + (n - 1) / 2) / (n - 1);
      return k < count && (k * (n - 1) + (count - 1) / 2) / (count - 1) == i;
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
                      "Of a ribbon, which a shell model takes [1]; the master "
                      "curve is that of 0.",
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
  }

  void
  CantileverStudy::check() const
  {
    if (last_exponent < first_exponent)
      throw InputError("the sweep is empty: 'Last exponent' is below 'First "
                       "exponent'",
                       "Cantilever/Last exponent");
    if (redundant && kind == BodyKind::shell)
      throw InputError("Algorithm 2 is about rods; a ribbon takes Algorithm 1, "
                       "'set Redundant = false'",
                       "Cantilever/Redundant");
  }

  void
  CantileverStudy::set_body_kind(const BodyKind of_model)
  {
    kind = of_model;
  }

  std::unique_ptr<Model>
  CantileverStudy::ribbon(const Workplace &workplace) const
  {
    // In units of its length and of its bending stiffness D per width, so that
    // Gamma is the acceleration of gravity.
    ShellBody body;
    body.poisson   = poisson;
    body.thickness = ribbon_thickness;
    body.young     = 12. * (1. - poisson * poisson) /
                 (ribbon_thickness * ribbon_thickness * ribbon_thickness);
    body.density = 1. / ribbon_thickness;
    // Half of it, from the line in its middle: the end's point is a node for
    // any number and degree of the cells.
    const double half = ribbon_width / 2;
    body.edges = {ShellEdge::clamped("left"), ShellEdge::symmetry("bottom", 1)};
    body.points = {{"end", Vector3(1., -half / 2, 0.)}};
    return workplace.model.build(
      body,
      *make_surface(
        Rectangle{1., half, {cells_along, cells_across}, grading, 1.}),
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

  std::vector<Sample>
  CantileverStudy::run_simple(const Workplace &workplace) const
  {
    const auto n = static_cast<std::size_t>(
      std::floor((last_exponent - first_exponent) / exponent_step + 1e-9) + 1);
    const auto gamma = [&](const std::size_t i) {
      return std::pow(10.,
                      first_exponent + static_cast<double>(i) * exponent_step);
    };
    const RodBody body = round_rod(1.,
                                   radius,
                                   4. / (pi * std::pow(radius, 4)),
                                   0.5,
                                   1. / (pi * radius * radius));

    const std::vector<std::size_t> lengths = chain_lengths(n, n_chains);
    return run_chains(
      workplace,
      "cantilever",
      lengths,
      [&](const std::size_t chain, const auto &done) {
        std::size_t first = 0;
        for (std::size_t c = 0; c < chain; ++c)
          first += lengths[c];
        HangingBody hanging(kind == BodyKind::shell
                              ? ribbon(workplace)
                              : workplace.model.build(body,
                                                      workplace.groups.group()),
                            newton);
        hanging.ramp(gamma(first), gamma(first));
        for (std::size_t i = first; i < first + lengths[chain]; ++i)
          done(hanging.sample(
            "gravity", gamma(i), gamma(i), is_selected(i, n, n_shapes)));
      });
  }

  std::vector<Sample>
  CantileverStudy::run_redundant(const Workplace &workplace) const
  {
    // Recipe manual, Algorithm 2. A rod's thickness is its diameter.
    const std::vector<double> all_lengths     = {0.5, 0.8};           // m
    const std::vector<double> all_thicknesses = {1e-3, 2.5e-3};       // m
    constexpr double  smallest_modulus = 1e4, largest_modulus = 1e10; // Pa
    constexpr int     n_moduli = 25;
    constexpr double  ratio    = 0.3;
    constexpr double  density  = 1287.; // kg/m^3
    constexpr double  gravity  = 9.81;  // m/s^2
    const std::size_t n_pairs  = all_lengths.size() * all_thicknesses.size();

    return run_chains(
      workplace,
      "redundant cantilever",
      std::vector<std::size_t>(n_pairs, n_moduli),
      [&](const std::size_t chain, const auto &done) {
        const double length = all_lengths[chain / all_thicknesses.size()];
        const double thickness =
          all_thicknesses[chain % all_thicknesses.size()];
        const RodBody body =
          round_rod(length, thickness / 2, largest_modulus, ratio, density);
        const auto gamma = [&](const double modulus) {
          return body.mass_per_length * gravity * std::pow(length, 3) /
                 (body.bending_1 * modulus / largest_modulus);
        };
        HangingBody rod(workplace.model.build(body, workplace.groups.group()),
                        newton);
        rod.ramp(gravity, gamma(largest_modulus));
        rod.sample("gravity", gravity, gamma(largest_modulus), false);
        for (int i = 0; i < n_moduli; ++i)
          {
            const double modulus =
              largest_modulus * std::pow(smallest_modulus / largest_modulus,
                                         double(i) / (n_moduli - 1));
            Sample sample = rod.sample(
              "stiffness",
              modulus / largest_modulus,
              gamma(modulus),
              is_selected(i, n_moduli, (n_shapes + n_pairs - 1) / n_pairs));
            sample.values.insert(sample.values.end(),
                                 {length, thickness, modulus});
            done(sample);
          }
      });
  }

  StudyResult
  CantileverStudy::run(const Workplace &workplace)
  {
    std::vector<Sample> samples =
      redundant ? run_redundant(workplace) : run_simple(workplace);

    StudyResult result;
    if (!workplace.groups.is_first_rank())
      return result;

    std::vector<std::string> columns = {
      "gamma", "aspect_ratio", "reference", "relative_error", "iterations"};
    if (redundant)
      columns.insert(columns.end(), {"length", "thickness", "young_modulus"});
    result.results = Table(columns);

    // The redundant sweep jumps back and forth; a curve goes along.
    std::sort(samples.begin(),
              samples.end(),
              [](const Sample &a, const Sample &b) {
                return a.values[gamma_value] < b.values[gamma_value];
              });

    const Reference   reference;
    const MasterCurve master =
      reference.over(samples.front().values[gamma_value],
                     samples.back().values[gamma_value]);
    // A single value has no extent to measure distances by.
    const LogPlot plot(master.x.size() > 1 ? master : reference.whole_curve());
    PlaneCurve    ours, theirs;
    for (std::size_t i = 0; i < master.x.size(); ++i)
      theirs.push_back(plot(master.x[i], master.y[i]));

    Summary &summary = result.summary;
    Series   shapes{"shapes", {}};
    for (const Sample &sample : samples)
      {
        const double gamma    = sample.values[gamma_value];
        const double aspect   = sample.values[aspect_value];
        const double expected = reference(gamma);
        const double error    = std::abs(aspect / expected - 1.);
        Table::Row   row = {gamma, aspect, expected, error, sample.iterations};
        for (std::size_t i = length_value; i < sample.values.size(); ++i)
          row.emplace_back(sample.values[i]);
        result.results.add_row(row);

        ++summary.samples;
        summary.newton_iterations += sample.iterations;
        if (!sample.failure.empty())
          {
            ++summary.failed;
            std::ostringstream line;
            line << "sample at Gamma = " << gamma
                 << " failed: " << sample.failure;
            result.results.add_remark(line.str());
            workplace.log(line.str());
            continue;
          }
        // A ratio that is not positive has no place in the plot.
        if (aspect > 0.)
          ours.push_back(plot(gamma, aspect));
        summary.max_relative_error =
          worse(summary.max_relative_error.value_or(0.), error);
        if (sample.drawing)
          shapes.items.push_back({gamma, *sample.drawing});
      }
    result.series.push_back(shapes);
    summary.distance = hausdorff_distance(ours, theirs);
    summary.verdict =
      *summary.distance < passing_distance ? Verdict::OK : Verdict::KO;
    return result;
  }
} // namespace slender
