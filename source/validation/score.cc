// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/validation/bend_twist_plane.h>
#include <slender/validation/cantilever_curve.h>
#include <slender/validation/lateral_buckling_plane.h>
#include <slender/validation/phase_map.h>
#include <slender/validation/score.h>
#include <slender/validation/score_hints.h>
#include <slender/validation/stick_slip_curve.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <map>
#include <sstream>

namespace slender
{
  namespace
  {
    /// A verdict needs that part of the plot's range.
    constexpr double least_cover = 0.5;

    /// A gap between neighbours, in parts of the plot, that is worth a word.
    constexpr double wide_gap = 0.15;

    [[noreturn]] void
    complain(const SimulatorRun &run, const std::string &message)
    {
      throw InputError(run.source + ", run '" + run.name + "': " + message);
    }

    template <typename... Words>
    std::string
    words(const Words &...all)
    {
      std::ostringstream out;
      out << std::setprecision(4);
      (out << ... << all);
      return out.str();
    }

    /// Says so where a part of the range is missing; too little of it is not
    /// judged.
    void
    check_cover(RunScore          &score,
                const double       first,
                const double       last,
                const double       first_wanted,
                const double       last_wanted,
                const bool         is_logarithmic,
                const std::string &name)
    {
      const auto at = [&](const double x) {
        return is_logarithmic ? std::log(x) : x;
      };
      const double covered = (std::min(at(last), at(last_wanted)) -
                              std::max(at(first), at(first_wanted))) /
                             (at(last_wanted) - at(first_wanted));
      if (covered > 0.98)
        return;
      score.remarks.push_back(words("the samples are from ",
                                    name,
                                    " = ",
                                    first,
                                    " to ",
                                    last,
                                    ", the recipe's from ",
                                    first_wanted,
                                    " to ",
                                    last_wanted,
                                    "; what lies outside is not judged"));
      if (covered < least_cover)
        {
          score.is_judged = false;
          score.remarks.emplace_back(
            "that is less than half of the plot: there is no verdict");
        }
    }

    void
    remark_gap(RunScore                  &score,
               const std::vector<double> &ascending,
               const double               range,
               const bool                 is_logarithmic,
               const std::string         &name)
    {
      for (std::size_t i = 1; i < ascending.size(); ++i)
        {
          const double gap = is_logarithmic
                               ? std::log(ascending[i] / ascending[i - 1])
                               : ascending[i] - ascending[i - 1];
          if (gap > wide_gap * range)
            score.remarks.push_back(words("there are no samples between ",
                                          name,
                                          " = ",
                                          ascending[i - 1],
                                          " and ",
                                          ascending[i],
                                          ": the curve is taken as straight "
                                          "there"));
        }
    }

    /// The ends of a range of samples that are sorted by a coordinate.
    std::vector<double>
    sorted_coordinates(const PlaneCurve &samples, const int coordinate)
    {
      std::vector<double> values;
      for (const Eigen::Vector2d &point : samples)
        values.push_back(point[coordinate]);
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(),
                               values.end(),
                               [](const double a, const double b) {
                                 return std::abs(b - a) <= 1e-9 * std::abs(a);
                               }),
                   values.end());
      return values;
    }

    // ------------------------------------------------------- Cantilever ---

    void
    score_cantilever(const SimulatorRun &run, RunScore &score)
    {
      static const CantileverCurve master;
      const std::vector<double>    gammas = sorted_coordinates(run.samples, 0);
      if (gammas.size() < 3)
        complain(run,
                 "there are fewer than three values of Gamma; at least three "
                 "are expected, 281 in the recipe");
      // Beyond, rounding leaves nothing of the elastica.
      if (gammas.front() < 1e-8 || gammas.back() > 1e8)
        complain(run,
                 words("Gamma is ",
                       gammas.front() < 1e-8 ? gammas.front() : gammas.back(),
                       ", far from the recipe's 1e-3 to 1e4: the units are "
                       "wrong"));
      MasterCurve curve;
      PlaneCurve  sorted = run.samples;
      std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
        return a.x() < b.x();
      });
      for (const Eigen::Vector2d &point : sorted)
        {
          curve.x.push_back(point.x());
          curve.y.push_back(point.y());
          const double error =
            std::abs(point.y() / master.interpolated(point.x()) - 1.);
          if (error > score.comparison.error)
            {
              score.comparison.error = error;
              score.comparison.worst = point;
            }
        }
      score.comparison.distance = master.distance(curve);
      const MasterCurve part    = master.over(gammas.front(), gammas.back());
      for (std::size_t i = 0; i < part.x.size(); ++i)
        score.comparison.master.emplace_back(part.x[i], part.y[i]);
      score.pieces = {sorted};
      check_cover(score,
                  gammas.front(),
                  gammas.back(),
                  CantileverCurve::first_gamma,
                  CantileverCurve::last_gamma,
                  true,
                  "Gamma");
      remark_gap(score,
                 gammas,
                 std::log(CantileverCurve::last_gamma /
                          CantileverCurve::first_gamma),
                 true,
                 "Gamma");
    }

    // ----------------------------------------------- planes in two states ---

    /// The samples of a plane as a grid. All points of it have to be there.
    PhaseMap
    map_of(const SimulatorRun        &run,
           const std::vector<double> &xs,
           const std::vector<double> &ys)
    {
      if (xs.size() < 2 || ys.size() < 2)
        complain(run,
                 "samples with states have to be on a grid of at least two by "
                 "two; --score --template writes the recipe's");
      PhaseMap          map(xs, ys);
      std::vector<bool> is_there(xs.size() * ys.size(), false);
      const auto        index_of = [](const std::vector<double> &values,
                               const double               value) {
        return static_cast<std::size_t>(
          std::min_element(values.begin(),
                           values.end(),
                           [&](const double a, const double b) {
                             return std::abs(a - value) < std::abs(b - value);
                           }) -
          values.begin());
      };
      for (std::size_t i = 0; i < run.samples.size(); ++i)
        {
          const std::size_t column = index_of(xs, run.samples[i].x());
          const std::size_t row    = index_of(ys, run.samples[i].y());
          const std::size_t number = row * xs.size() + column;
          if (is_there[number])
            complain(run,
                     words("there are two samples at (",
                           xs[column],
                           ", ",
                           ys[row],
                           ")"));
          is_there[number] = true;
          map.set_inside(column, row, run.states[i]);
        }
      const auto missing = std::find(is_there.begin(), is_there.end(), false);
      if (missing != is_there.end())
        {
          const std::size_t number = missing - is_there.begin();
          complain(run,
                   words("the samples are not on a grid: there is none at (",
                         xs[number % xs.size()],
                         ", ",
                         ys[number / xs.size()],
                         ")"));
        }
      return map;
    }

    using Expected = std::function<std::optional<bool>(double, double)>;
    using HowFar   = std::function<std::string(double, double)>;
    using ToPlot   = std::function<Eigen::Vector2d(double, double)>;
    using Compare  = std::function<Comparison(const PlaneCurve &)>;

    /// The frontier between the samples, against the master curve.
    void
    score_map(const SimulatorRun             &run,
              RunScore                       &score,
              const std::vector<double>      &xs,
              const std::vector<double>      &ys,
              PlaneCurve                      master,
              const std::vector<std::string> &names,
              const Expected                 &expected,
              const HowFar                   &how_far,
              const ToPlot                   &to_plot,
              const Compare                  &compare_points)
    {
      for (std::size_t i = 0; i < run.samples.size(); ++i)
        {
          const double x = run.samples[i].x(), y = run.samples[i].y();
          const bool   state = run.states[i];
          if (expected(x, y).value_or(state) != state)
            score.misclassified.push_back(words(names[0],
                                                " = ",
                                                x,
                                                ", ",
                                                names[1],
                                                " = ",
                                                y,
                                                " is ",
                                                state ? "3D" : "2D",
                                                " instead of ",
                                                state ? "2D" : "3D",
                                                ", ",
                                                how_far(x, y)));
        }
      score.pieces = map_of(run, xs, ys).frontier();
      if (score.pieces.empty())
        score.remarks.push_back(words("all samples are ",
                                      run.states.front() ? "3D" : "2D",
                                      ": there is no frontier"));
      std::vector<PlaneCurve> in_plot;
      PlaneCurve              all, master_in_plot;
      for (const PlaneCurve &piece : score.pieces)
        {
          in_plot.emplace_back();
          for (const Eigen::Vector2d &point : piece)
            {
              in_plot.back().push_back(to_plot(point.x(), point.y()));
              all.push_back(point);
            }
        }
      score.comparison = compare_points(all);
      for (const Eigen::Vector2d &point : master)
        master_in_plot.push_back(to_plot(point.x(), point.y()));
      score.comparison.distance = hausdorff_distance(in_plot, master_in_plot);
      score.comparison.master   = std::move(master);
    }

    void
    score_bend_twist(const SimulatorRun &run, RunScore &score)
    {
      using namespace bend_twist;
      const std::vector<double> xs   = sorted_coordinates(run.samples, 0);
      const std::vector<double> ys   = sorted_coordinates(run.samples, 1);
      const double              nose = std::min_element(run.samples.begin(),
                                           run.samples.end(),
                                           [](const auto &a, const auto &b) {
                                             return a.y() < b.y();
                                           })
                            ->y();
      if (run.states.empty())
        {
          if (run.samples.size() < 5)
            complain(run,
                     "there are fewer than five points; the frontier goes down "
                     "its left branch, through the nose, up its right branch");
          const double top =
            std::abs(ys.back() / last_y - 1.) < 0.02 ? last_y : ys.back();
          score.comparison = compare(run.samples, std::min(top, last_y));
          score.pieces     = {run.samples};
          check_cover(score, nose, ys.back(), 0.8837, last_y, true, "y");
          return;
        }
      const PhaseRegion region(master_frontier());
      const LogPlot     to_plot = plot();
      PlaneCurve        master;
      for (const Eigen::Vector2d &point : master_in_box())
        if (point.x() >= xs.front() * (1. - 1e-9) &&
            point.x() <= xs.back() * (1. + 1e-9) &&
            point.y() <= ys.back() * (1. + 1e-9))
          master.push_back(point);
      check_cover(score, xs.front(), xs.back(), first_x, last_x, true, "x");
      check_cover(score, ys.front(), ys.back(), first_y, last_y, true, "y");
      score_map(
        run,
        score,
        xs,
        ys,
        master,
        {"x", "y"},
        [&](const double x, const double y) {
          return std::optional<bool>(region.contains(x, y));
        },
        [&](const double x, const double y) {
          const double far = region.distance(x, y);
          return std::isfinite(far)
                   ? words(100. * far, " % of x from the frontier")
                   : std::string("below the nose");
        },
        to_plot,
        [](const PlaneCurve &points) { return compare(points, last_y); });
    }

    void
    score_lateral_buckling(const SimulatorRun &run, RunScore &score)
    {
      using namespace lateral_buckling;
      const auto master = *MasterFrontier::find(*run.poisson_ratio);
      const std::vector<double> widths = sorted_coordinates(run.samples, 0);
      if (run.states.empty())
        {
          if (widths.size() < 3)
            complain(run,
                     "there are fewer than three widths; ten are the recipe's, "
                     "from 0.1 to 1");
          PlaneCurve sorted = run.samples;
          std::sort(sorted.begin(),
                    sorted.end(),
                    [](const auto &a, const auto &b) { return a.x() < b.x(); });
          score.comparison = compare(sorted, master);
          score.pieces     = {sorted};
          if (score.comparison.master.empty())
            complain(run, "no width is between 0.1 and 1 lengths");
        }
      check_cover(score,
                  widths.front(),
                  widths.back(),
                  first_width,
                  last_width,
                  false,
                  "w/L");
      remark_gap(score, widths, last_width - first_width, false, "w/L");
      if (run.states.empty())
        return;
      if (!master.covers(widths.front()) || !master.covers(widths.back()))
        complain(run, "a width is not between 0.05 and 1 lengths");
      score_map(
        run,
        score,
        widths,
        sorted_coordinates(run.samples, 1),
        master_curve(master, widths.front(), widths.back()),
        {"w/L", "Gamma*"},
        [&](const double width, const double gamma) {
          return std::optional<bool>(gamma > master(width));
        },
        [&](const double width, const double gamma) {
          return words(std::abs(gamma - master(width)),
                       " in Gamma* from the frontier");
        },
        in_plot,
        [&](const PlaneCurve &points) { return compare(points, master); });
    }

    // ------------------------------------------------------- Stick-Slip ---

    /// From samples that stick and slip: halfway between the last that sticks
    /// and the first that slips, for each friction.
    PlaneCurve
    thresholds_of(const SimulatorRun &run, RunScore &score)
    {
      const StickSlipCurve                     master;
      std::map<double, std::map<double, bool>> by_friction;
      for (std::size_t i = 0; i < run.samples.size(); ++i)
        {
          const double epsilon = run.samples[i].x(), mu = run.samples[i].y();
          if (!by_friction[mu].emplace(epsilon, run.states[i]).second)
            complain(run,
                     words("there are two samples at mu = ",
                           mu,
                           ", epsilon = ",
                           epsilon));
          const bool expected =
            mu < master.triple_point().y() && epsilon > master.threshold(mu);
          if (run.states[i] != expected)
            score.misclassified.push_back(
              words("mu = ",
                    mu,
                    ", epsilon = ",
                    epsilon,
                    run.states[i]
                      ? " slips, though it should stick, epsilon is "
                      : " sticks, though it should slip, epsilon "
                        "is ",
                    std::abs(epsilon - master.threshold(mu)),
                    " from the threshold"));
        }
      PlaneCurve thresholds;
      for (const auto &[mu, samples] : by_friction)
        {
          double                before = 0.;
          std::optional<double> after;
          for (const auto &[epsilon, slips] : samples)
            if (slips && !after)
              after = epsilon;
            else if (!slips && !after)
              before = epsilon;
            else if (!slips)
              {
                score.remarks.push_back(
                  words("mu = ", mu, " slips and sticks again"));
                break;
              }
          if (!after && mu < master.triple_point().y())
            score.remarks.push_back(words("mu = ",
                                          mu,
                                          " never slips; it is taken to slip "
                                          "at the largest epsilon"));
          thresholds.emplace_back(after ? 0.5 * (before + *after) : before, mu);
        }
      return thresholds;
    }

    void
    score_stick_slip(const SimulatorRun &run, RunScore &score)
    {
      const StickSlipCurve master;
      PlaneCurve           thresholds =
        run.states.empty() ? run.samples : thresholds_of(run, score);
      const std::vector<double> frictions = sorted_coordinates(thresholds, 1);
      if (frictions.size() < 3 || frictions[1] > master.triple_point().y())
        complain(run,
                 "there are fewer than three frictions below 0.3564; eight are "
                 "the recipe's, from 0 to 0.35");
      std::sort(thresholds.begin(),
                thresholds.end(),
                [](const auto &a, const auto &b) { return a.y() < b.y(); });
      score.comparison =
        master.compare(thresholds, frictions.front(), frictions.back());
      score.pieces      = {thresholds};
      score.is_relative = false;
      check_cover(
        score, frictions.front(), frictions.back(), 0., 0.35, false, "mu");
      remark_gap(score, frictions, 0.35, false, "mu");
    }

    RunScore
    score_run(const Protocol protocol, const SimulatorRun &run)
    {
      RunScore score;
      score.name    = run.name;
      score.samples = run.samples;
      score.remarks = run.remarks;
      switch (protocol)
        {
          case Protocol::cantilever:
            score_cantilever(run, score);
            break;
          case Protocol::bend_twist:
            score_bend_twist(run, score);
            break;
          case Protocol::lateral_buckling:
            score_lateral_buckling(run, score);
            break;
          default:
            score_stick_slip(run, score);
        }
      score.agrees = score.comparison.distance < passing_distance;
      PlaneCurve curve;
      for (const PlaneCurve &piece : score.pieces)
        curve.insert(curve.end(), piece.begin(), piece.end());
      // A frontier between samples jumps by half a step of their grid.
      if (run.states.empty() || !score.agrees)
        score.hints = hints_for(protocol, curve, run.poisson_ratio);
      return score;
    }
  } // namespace

  Score
  score(const Protocol protocol, const std::vector<SimulatorRun> &runs)
  {
    if (runs.empty())
      throw InputError("there is no run to score");
    Score             result;
    std::vector<bool> agrees;
    bool              is_judged = true;
    result.protocol             = protocol;
    for (const SimulatorRun &run : runs)
      {
        result.runs.push_back(score_run(protocol, run));
        agrees.push_back(result.runs.back().agrees);
        is_judged = is_judged && result.runs.back().is_judged;
      }
    result.rule    = RefinementRule(agrees);
    result.verdict = !is_judged ? "none" : result.rule.first ? "OK" : "KO";
    return result;
  }
} // namespace slender
