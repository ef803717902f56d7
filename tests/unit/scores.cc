// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/validation/bend_twist_plane.h>
#include <slender/validation/cantilever_curve.h>
#include <slender/validation/elastica.h>
#include <slender/validation/lateral_buckling_plane.h>
#include <slender/validation/score.h>
#include <slender/validation/score_drawing.h>
#include <slender/validation/stick_slip_curve.h>
#include <slender/validation/stiffness_fit.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <sstream>

namespace
{
  using namespace slender;

  constexpr std::mt19937::result_type seed = 1;

  /// A simulator of the Cantilever: H/W as a function of Gamma.
  SimulatorRun
  cantilever_by(const std::function<double(double)> &aspect_ratio,
                const std::string                   &name = "simulator")
  {
    SimulatorRun run;
    run.name = name;
    for (int i = 0; i <= 70; ++i)
      {
        const double gamma = std::pow(10., -3. + 0.1 * i);
        run.samples.emplace_back(gamma, aspect_ratio(gamma));
      }
    return run;
  }

  const CantileverCurve &
  master()
  {
    static const CantileverCurve curve;
    return curve;
  }

  /// One that has `factor` times the right stiffness.
  SimulatorRun
  with_factor(const double factor)
  {
    return cantilever_by([factor](const double gamma) {
      return master().interpolated(gamma / factor);
    });
  }

  std::string
  hint_on(const SimulatorRun &run, const Protocol protocol)
  {
    const Score found = score(protocol, {run});
    std::string all;
    for (const std::string &hint : found.finest().hints)
      all += hint;
    return all;
  }

  bool
  holds(const std::string &text, const std::string &words)
  {
    return text.find(words) != std::string::npos;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(scores)

BOOST_AUTO_TEST_CASE(
  a_model_that_fails_when_it_is_refined_has_passed_by_accident)
{
  const RefinementRule rule({false, true, false});
  BOOST_TEST(!rule.first);
  BOOST_TEST(rule.accident.value() == 1u);
}

BOOST_AUTO_TEST_CASE(the_first_resolution_counts_that_passes_and_keeps_passing)
{
  const RefinementRule rule({true, false, true, true});
  BOOST_TEST(rule.first.value() == 2u);
  BOOST_TEST(rule.is_confirmed);
  BOOST_TEST(rule.accident.value() == 0u);
  BOOST_TEST(!RefinementRule({false, true}).is_confirmed);
  BOOST_TEST(!RefinementRule({true, true}).accident);
  BOOST_TEST(!RefinementRule(std::vector<bool>()).first);
}

BOOST_AUTO_TEST_CASE(the_interpolated_master_curve_is_the_elastica)
{
  for (const double gamma : {1.234e-3, 0.5, 7.7, 333., 9876.})
    {
      const double exact = elastica_aspect_ratio(gamma);
      BOOST_TEST(master().interpolated(gamma) == exact,
                 boost::test_tools::tolerance(1e-6));
      BOOST_TEST(master().gamma_of(exact) == gamma,
                 boost::test_tools::tolerance(1e-6));
      const double slope = std::log(elastica_aspect_ratio(gamma * 1.001) /
                                    elastica_aspect_ratio(gamma / 1.001)) /
                           (2. * std::log(1.001));
      BOOST_TEST(master().slope(gamma) == slope,
                 boost::test_tools::tolerance(1e-4));
    }
}

BOOST_AUTO_TEST_CASE(the_master_curve_itself_passes_without_a_hint)
{
  const Score found = score(Protocol::cantilever, {with_factor(1.)});
  BOOST_TEST(found.verdict == "OK");
  // Chords of ten samples per decade.
  BOOST_TEST(found.finest().comparison.distance < 1e-4);
  BOOST_TEST(found.finest().hints.empty());
}

BOOST_AUTO_TEST_CASE(a_wrong_factor_is_named)
{
  // Bridson's hinges and Grinspun's do not pass, 1 - nu^2 does, with a hint.
  const SimulatorRun bridson = with_factor(0.25), grinspun = with_factor(3.);
  BOOST_TEST(score(Protocol::cantilever, {bridson}).verdict == "KO");
  BOOST_TEST(holds(hint_on(bridson, Protocol::cantilever), "Bridson"));
  BOOST_TEST(score(Protocol::cantilever, {grinspun}).verdict == "KO");
  BOOST_TEST(holds(hint_on(grinspun, Protocol::cantilever), "Grinspun"));
  const std::string plate =
    hint_on(with_factor(1. - 0.35 * 0.35), Protocol::cantilever);
  BOOST_TEST(holds(plate, "1 - nu^2 for nu = 0.35"));
  const std::string seven = hint_on(with_factor(7.), Protocol::cantilever);
  BOOST_TEST(holds(seven, "7 times the right one: a constant factor"));
}

BOOST_AUTO_TEST_CASE(wrong_units_are_named)
{
  for (const double factor : {1e-3, 1e3, 1e6})
    BOOST_TEST(holds(hint_on(with_factor(factor), Protocol::cantilever),
                     "power of ten"));
  BOOST_TEST(
    holds(hint_on(with_factor(9.81), Protocol::cantilever), "gravity"));
}

BOOST_AUTO_TEST_CASE(the_elastica_is_known_as_far_as_samples_are_scored)
{
  for (const double gamma : {1e-8, 1e8})
    BOOST_TEST(master()(gamma) == master().interpolated(gamma),
               boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(a_shift_of_the_aspect_ratio_is_named)
{
  const SimulatorRun run = cantilever_by(
    [](const double gamma) { return 2.5 * master().interpolated(gamma); });
  BOOST_TEST(score(Protocol::cantilever, {run}).verdict == "KO");
  BOOST_TEST(holds(hint_on(run, Protocol::cantilever), "from the clamp"));
}

BOOST_AUTO_TEST_CASE(a_coarse_mesh_at_the_clamp_is_named)
{
  // It reaches no farther than half of its first element away from the clamp.
  const SimulatorRun run = cantilever_by([](const double gamma) {
    return master().interpolated(gamma) / (1. + gamma / 500.);
  });
  BOOST_TEST(score(Protocol::cantilever, {run}).verdict == "KO");
  BOOST_TEST(holds(hint_on(run, Protocol::cantilever), "clamp"));
  BOOST_TEST(holds(hint_on(run, Protocol::cantilever), "too stiff"));
}

BOOST_AUTO_TEST_CASE(noise_is_named)
{
  std::mt19937                     generator(seed);
  std::normal_distribution<double> noise(0., 0.6);
  const SimulatorRun               run = cantilever_by([&](const double gamma) {
    return master().interpolated(gamma) * std::exp(noise(generator));
  });
  BOOST_TEST(score(Protocol::cantilever, {run}).verdict == "KO");
  BOOST_TEST(holds(hint_on(run, Protocol::cantilever), "jump"));
}

BOOST_AUTO_TEST_CASE(runs_are_judged_together)
{
  SimulatorRun coarse = with_factor(1.), fine = with_factor(3.);
  coarse.name = "coarse";
  fine.name   = "fine";
  BOOST_TEST(score(Protocol::cantilever, {coarse, fine}).verdict == "KO");
  BOOST_TEST(score(Protocol::cantilever, {fine, coarse}).verdict == "OK");
}

BOOST_AUTO_TEST_CASE(a_small_part_of_the_plot_has_no_verdict)
{
  SimulatorRun run = with_factor(1.);
  run.samples.resize(20);
  BOOST_TEST(score(Protocol::cantilever, {run}).verdict == "none");
  run.samples.resize(2);
  BOOST_CHECK_THROW(score(Protocol::cantilever, {run}), InputError);
}

BOOST_AUTO_TEST_CASE(the_linear_law_of_lateral_buckling_is_recognised)
{
  SimulatorRun run;
  run.poisson_ratio = 0.35;
  for (int i = 1; i <= 10; ++i)
    run.samples.emplace_back(0.1 * i, 18.2 * 0.65 * std::sqrt(1.35) + 1.45 * i);
  const Score found = score(Protocol::lateral_buckling, {run});
  BOOST_TEST(found.verdict == "OK");
  BOOST_TEST(found.finest().comparison.error > 0.02);
  BOOST_TEST(holds(hint_on(run, Protocol::lateral_buckling), "linear fit"));
}

BOOST_AUTO_TEST_CASE(a_wrong_weight_of_bend_twist_is_recognised)
{
  SimulatorRun run;
  const auto   curve = bend_twist::master_frontier();
  for (std::size_t i = 0; i < curve.size(); i += 20)
    run.samples.emplace_back(1.2 * curve[i].x(), curve[i].y());
  BOOST_TEST(score(Protocol::bend_twist, {run}).verdict == "KO");
  BOOST_TEST(holds(hint_on(run, Protocol::bend_twist), "Gamma"));
}

BOOST_AUTO_TEST_CASE(a_wrong_friction_is_recognised)
{
  const StickSlipCurve curve;
  SimulatorRun         run;
  for (int i = 1; i <= 7; ++i)
    run.samples.emplace_back(curve.threshold(0.04 * i), 0.05 * i);
  BOOST_TEST(score(Protocol::stick_slip, {run}).verdict == "KO");
  BOOST_TEST(holds(hint_on(run, Protocol::stick_slip), "0.8 times"));
}

BOOST_AUTO_TEST_CASE(pictures_are_well_formed_whatever_a_run_is_called)
{
  SimulatorRun run         = with_factor(1.);
  run.name                 = "<b> & \"c\"";
  const Score        found = score(Protocol::cantilever, {run});
  std::ostringstream overlay, badge;
  draw_overlay(found, overlay);
  draw_badge(found, badge);
  BOOST_TEST(holds(overlay.str(), "&lt;b&gt; &amp; &quot;c&quot;"));
  BOOST_TEST(!holds(overlay.str(), "<b>"));
  BOOST_TEST(!holds(overlay.str(), "nan"));
  BOOST_TEST(holds(badge.str(), "OK"));
}

BOOST_AUTO_TEST_SUITE_END()



BOOST_AUTO_TEST_SUITE(stiffness_fits)

namespace
{
  constexpr double stiffness = 0.0123; // N m^2

  /// Twelve lengths of a strip of 50 g/m, with an error of each aspect ratio.
  struct Measured
  {
    std::vector<double> weights, ratios;

    explicit Measured(const std::function<double()> &noise)
    {
      for (int i = 0; i < 12; ++i)
        {
          const double length = 0.1 + 0.03 * i;
          weights.push_back(0.05 * 9.81 * std::pow(length, 3));
          ratios.push_back(master().interpolated(weights.back() / stiffness) *
                           std::exp(noise()));
        }
    }
  };

  /// In how many trials the interval of 95 % holds the truth.
  int
  covering(const int n_trials, const std::optional<double> told)
  {
    std::mt19937                     generator(seed);
    std::normal_distribution<double> noise(0., 0.01);
    int                              n = 0;
    for (int i = 0; i < n_trials; ++i)
      {
        const Measured     measured([&] { return noise(generator); });
        const StiffnessFit fit =
          fit_stiffness(measured.weights, measured.ratios, told);
        n += fit.low <= stiffness && stiffness <= fit.high ? 1 : 0;
      }
    return n;
  }
} // namespace

BOOST_AUTO_TEST_CASE(droops_without_noise_tell_the_stiffness_exactly)
{
  const Measured     measured([] { return 0.; });
  const StiffnessFit fit =
    fit_stiffness(measured.weights, measured.ratios, std::nullopt);
  BOOST_TEST(fit.factor == stiffness, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(fit.standard_error < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_common_error_is_a_factor_where_droops_are_small)
{
  // H/W = Gamma/8: two per cent more droop is two per cent less stiffness.
  const std::vector<double> weights = {1e-5, 2e-5};
  const StiffnessFit        fit     = fit_stiffness(weights,
                                         {1.02 * weights[0] / 8. / stiffness,
                                                     1.02 * weights[1] / 8. / stiffness},
                                         0.01);
  BOOST_TEST(fit.factor == stiffness / 1.02,
             boost::test_tools::tolerance(1e-5));
  BOOST_TEST(fit.standard_error == 0.01 / std::sqrt(2.),
             boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(the_uncertainty_holds_the_truth_as_often_as_it_says)
{
  BOOST_TEST(covering(100, std::nullopt) >= 95);
  // 95 %, within three standard deviations of that many trials: an interval
  // that is too wide fails as well.
  constexpr int n     = 10000;
  const double  three = 3. * std::sqrt(0.95 * 0.05 / n);
  for (const std::optional<double> told :
       {std::optional<double>(), std::optional<double>(0.01)})
    BOOST_TEST(std::abs(covering(n, told) / double(n) - 0.95) < three);
}

BOOST_AUTO_TEST_CASE(one_sample_needs_a_noise)
{
  BOOST_CHECK_THROW(fit_stiffness({1.}, {0.1}, std::nullopt), InputError);
  BOOST_TEST(fit_stiffness({1.}, {0.1}, 0.01).high > 1.);
}

BOOST_AUTO_TEST_SUITE_END()
