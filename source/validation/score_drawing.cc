// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/validation/score_drawing.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <ostream>
#include <sstream>

namespace slender
{
  namespace
  {
    // Pixels.
    constexpr double width = 720., height = 520.;
    constexpr double left = 80., right = 20., top = 50., bottom = 70.;

    // Seen apart by those who do not see all colours, and on paper.
    constexpr const char *colours[] =
      {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
    constexpr const char *good = "#2e7d32", *bad = "#c62828",
                         *neutral = "#616161";

    std::string
    escaped(const std::string &text)
    {
      std::string result;
      for (const char c : text)
        result += c == '&'   ? "&amp;"
                  : c == '<' ? "&lt;"
                  : c == '>' ? "&gt;"
                  : c == '"' ? "&quot;"
                             : std::string(1, c);
      return result;
    }

    std::string
    number_text(const double number, const int digits = 4)
    {
      std::ostringstream out;
      out << std::setprecision(digits) << number;
      return out.str();
    }

    std::string
    per_cent(const double distance)
    {
      return number_text(100. * distance, 2) + " %";
    }

    /// From the coordinates of the plane to pixels.
    class Frame
    {
    public:
      Frame(const Score &score)
        : is_logarithmic(axes_of(score.protocol).is_logarithmic)
      {
        const auto include = [&](const Eigen::Vector2d &point) {
          if (is_logarithmic && !(point.minCoeff() > 0.))
            return;
          low  = low.cwiseMin(at(point));
          high = high.cwiseMax(at(point));
        };
        for (const RunScore &run : score.runs)
          {
            for (const Eigen::Vector2d &point : run.comparison.master)
              include(point);
            for (const PlaneCurve &piece : run.pieces)
              for (const Eigen::Vector2d &point : piece)
                include(point);
          }
        const Eigen::Vector2d margin =
          (0.04 * (high - low)).cwiseMax(1e-9 * Eigen::Vector2d::Ones());
        low -= margin;
        high += margin;
      }

      Eigen::Vector2d
      at(const Eigen::Vector2d &point) const
      {
        return is_logarithmic
                 ? Eigen::Vector2d(std::log10(point.x()), std::log10(point.y()))
                 : point;
      }

      Eigen::Vector2d
      pixel(const Eigen::Vector2d &point) const
      {
        const Eigen::Vector2d part =
          (at(point) - low).cwiseQuotient(high - low);
        return {left + part.x() * (width - left - right),
                height - bottom - part.y() * (height - top - bottom)};
      }

      /// Round numbers along an axis.
      std::vector<double>
      ticks(const int axis) const
      {
        std::vector<double> result;
        const double        range = high[axis] - low[axis];
        if (is_logarithmic && range > 1.5)
          {
            const int step = std::max(1, static_cast<int>(range / 6.));
            for (int i = static_cast<int>(std::ceil(low[axis]));
                 i <= high[axis];
                 i += step)
              result.push_back(std::pow(10., i));
            return result;
          }
        if (is_logarithmic)
          {
            for (int i = static_cast<int>(std::floor(low[axis]));
                 i <= high[axis];
                 ++i)
              for (const double digit : {1., 2., 5.})
                {
                  const double value = digit * std::pow(10., i);
                  if (std::log10(value) >= low[axis] &&
                      std::log10(value) <= high[axis])
                    result.push_back(value);
                }
            return result;
          }
        const double decade = std::pow(10., std::floor(std::log10(range)));
        const double step   = range / decade > 5.   ? decade
                              : range / decade > 2. ? decade / 2.
                                                    : decade / 5.;
        for (double value = std::ceil(low[axis] / step) * step;
             value <= high[axis];
             value += step)
          result.push_back(std::abs(value) < 1e-9 * step ? 0. : value);
        return result;
      }

      Eigen::Vector2d
      on_axis(const int axis, const double value) const
      {
        Eigen::Vector2d point =
          is_logarithmic
            ? Eigen::Vector2d(std::pow(10., low.x()), std::pow(10., low.y()))
            : low;
        point[axis] = value;
        return pixel(point);
      }

    private:
      bool            is_logarithmic;
      Eigen::Vector2d low = Eigen::Vector2d::Constant(
                        std::numeric_limits<double>::max()),
                      high = Eigen::Vector2d::Constant(
                        std::numeric_limits<double>::lowest());
    };

    void
    draw_curve(std::ostream      &out,
               const Frame       &frame,
               const PlaneCurve  &curve,
               const std::string &style)
    {
      if (curve.size() < 2)
        return;
      out << "<polyline fill=\"none\" " << style << " points=\"";
      for (const Eigen::Vector2d &point : curve)
        {
          const Eigen::Vector2d at = frame.pixel(point);
          if (std::isfinite(at.x()) && std::isfinite(at.y()))
            out << at.x() << ',' << at.y() << ' ';
        }
      out << "\"/>\n";
    }

    void
    draw_text(std::ostream      &out,
              const double       x,
              const double       y,
              const std::string &text,
              const std::string &attributes = "")
    {
      out << "<text x=\"" << x << "\" y=\"" << y << "\" " << attributes << ">"
          << escaped(text) << "</text>\n";
    }

    void
    draw_axes(std::ostream &out, const Frame &frame, const Axes &axes)
    {
      out << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\""
          << width - left - right << "\" height=\"" << height - top - bottom
          << "\" fill=\"none\" stroke=\"#888\"/>\n";
      for (const double value : frame.ticks(0))
        {
          const double x = frame.on_axis(0, value).x();
          out << "<line x1=\"" << x << "\" y1=\"" << height - bottom
              << "\" x2=\"" << x << "\" y2=\"" << top
              << "\" stroke=\"#ddd\"/>\n";
          draw_text(out,
                    x,
                    height - bottom + 18.,
                    number_text(value),
                    "text-anchor=\"middle\"");
        }
      for (const double value : frame.ticks(1))
        {
          const double y = frame.on_axis(1, value).y();
          out << "<line x1=\"" << left << "\" y1=\"" << y << "\" x2=\""
              << width - right << "\" y2=\"" << y << "\" stroke=\"#ddd\"/>\n";
          draw_text(
            out, left - 8., y + 4., number_text(value), "text-anchor=\"end\"");
        }
      draw_text(out,
                0.5 * (left + width - right),
                height - bottom + 42.,
                axes.x + " [1]",
                "text-anchor=\"middle\" font-size=\"15\"");
      draw_text(
        out,
        22.,
        0.5 * (top + height - bottom),
        axes.y + " [1]",
        "text-anchor=\"middle\" font-size=\"15\" transform=\"rotate(-90 "
        "22 " +
          number_text(0.5 * (top + height - bottom)) + ")\"");
    }

    /// The tolerance as a broad line: 5 % of the plot on either side.
    double
    width_of_band()
    {
      return 2. * passing_distance *
             std::min(width - left - right, height - top - bottom);
    }

    const char *
    colour_of(const std::string &verdict)
    {
      return verdict == "OK" ? good : verdict == "KO" ? bad : neutral;
    }
  } // namespace

  void
  draw_overlay(const Score &score, std::ostream &out)
  {
    const Frame       frame(score);
    const std::string title =
      name_of(score.protocol) + ": " + score.verdict + ", distance " +
      per_cent(score.finest().comparison.distance) + " of the plot";
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
        << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' '
        << height << "\" font-family=\"sans-serif\" font-size=\"12\" "
        << "role=\"img\">\n<title>" << escaped(title)
        << "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    draw_text(out,
              left,
              30.,
              title,
              std::string("font-size=\"18\" fill=\"") +
                colour_of(score.verdict) + "\"");
    draw_axes(out, frame, axes_of(score.protocol));
    out << "<clipPath id=\"plot\"><rect x=\"" << left << "\" y=\"" << top
        << "\" width=\"" << width - left - right << "\" height=\""
        << height - top - bottom << "\"/></clipPath>\n"
        << "<g clip-path=\"url(#plot)\">\n";
    const PlaneCurve &master = score.finest().comparison.master;
    draw_curve(out,
               frame,
               master,
               "stroke=\"#000\" stroke-opacity=\"0.1\" stroke-linejoin="
               "\"round\" stroke-width=\"" +
                 number_text(width_of_band()) + "\"");
    draw_curve(out, frame, master, "stroke=\"#000\" stroke-width=\"2\"");
    double             at = top + 22.;
    std::ostringstream legend;
    draw_text(legend, left + 40., at, "master curve, and 5 % of the plot");
    legend << "<line x1=\"" << left + 12. << "\" y1=\"" << at - 4. << "\" x2=\""
           << left + 34. << "\" y2=\"" << at - 4.
           << "\" stroke=\"#000\" stroke-width=\"2\"/>\n";
    std::size_t number = 0;
    for (const RunScore &run : score.runs)
      {
        const std::string colour = colours[number++ % std::size(colours)];
        for (const PlaneCurve &piece : run.pieces)
          {
            draw_curve(out,
                       frame,
                       piece,
                       "stroke=\"" + colour + "\" stroke-width=\"1.5\"");
            if (piece.size() < 100)
              for (const Eigen::Vector2d &point : piece)
                {
                  const Eigen::Vector2d p = frame.pixel(point);
                  if (std::isfinite(p.x()) && std::isfinite(p.y()))
                    out << "<circle cx=\"" << p.x() << "\" cy=\"" << p.y()
                        << "\" r=\"2.5\" fill=\"" << colour << "\"/>\n";
                }
          }
        at += 18.;
        draw_text(legend,
                  left + 40.,
                  at,
                  run.name + ": " + per_cent(run.comparison.distance));
        legend << "<line x1=\"" << left + 12. << "\" y1=\"" << at - 4.
               << "\" x2=\"" << left + 34. << "\" y2=\"" << at - 4.
               << "\" stroke=\"" << colour << "\" stroke-width=\"2\"/>\n";
      }
    out << "</g>\n" << legend.str() << "</svg>\n";
  }

  void
  draw_badge(const Score &score, std::ostream &out)
  {
    const std::string label = name_of(score.protocol);
    const std::string value =
      score.verdict == "none"
        ? std::string("no verdict")
        : score.verdict + " " + per_cent(score.finest().comparison.distance);
    const auto width_of = [](const std::string &text) {
      return 7. * static_cast<double>(text.size()) + 14.;
    };
    const double first = width_of(label), all = first + width_of(value);
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << all
        << "\" height=\"20\" role=\"img\" font-family=\"sans-serif\" "
        << "font-size=\"11\" fill=\"#fff\">\n<title>" << escaped(label) << ": "
        << escaped(value) << " (Romero et al. 2021)</title>\n"
        << "<rect width=\"" << all
        << "\" height=\"20\" rx=\"3\" fill=\"#444\"/>"
        << "\n<path d=\"M" << first << " 0h" << all - first - 3.
        << "a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H" << first << "z\" fill=\""
        << colour_of(score.verdict) << "\"/>\n";
    draw_text(out, first / 2., 14., label, "text-anchor=\"middle\"");
    draw_text(out, 0.5 * (first + all), 14., value, "text-anchor=\"middle\"");
    out << "</svg>\n";
  }
} // namespace slender
