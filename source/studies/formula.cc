// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/formula.h>

#include <deal.II/base/function_parser.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <sstream>

namespace slender::formula
{
  namespace
  {
    /// Takes what deal.II prints of a formula that it cannot parse.
    class Listener
    {
    public:
      Listener()
        : usual(std::cerr.rdbuf(heard.rdbuf()))
      {}

      ~Listener()
      {
        std::cerr.rdbuf(usual);
      }

      Listener(const Listener &) = delete;
      Listener &
      operator=(const Listener &) = delete;

      /// The parser's own words, "Message:  <...>", out of the page around.
      std::string
      reason() const
      {
        const std::string text   = heard.str();
        const std::string before = "Message:  <";
        const auto        at     = text.find(before);
        if (at == std::string::npos)
          return "it cannot be parsed";
        const auto  begin = at + before.size();
        std::string words = text.substr(begin, text.find(">\n", begin) - begin);
        if (!words.empty() && words.back() == '.')
          words.pop_back();
        return words == "Internal error" ? "something is missing in it" : words;
      }

    private:
      std::ostringstream heard;
      std::streambuf    *usual;
    };

    template <int dim>
    std::shared_ptr<const dealii::FunctionParser<dim>>
    parsed(const std::string &variables,
           const std::string &text,
           const int          n_components,
           const std::string &path)
    {
      dealii::Vector<double> value(n_components);
      const Listener         listener;
      try
        {
          const auto parser =
            std::make_shared<dealii::FunctionParser<dim>>(n_components);
          parser->initialize(variables, text, {{"pi", std::acos(-1.)}});
          parser->vector_value(dealii::Point<dim>(), value);
          return parser;
        }
      catch (const std::exception &)
        {
          throw InputError("'" + text + "' is no formula in " + variables +
                             ": " + listener.reason(),
                           path);
        }
    }
  } // namespace

  std::function<double(double)>
  of_time(const std::string &text, const std::string &path)
  {
    const auto parser = parsed<1>("t", text, 1, path);
    if (!std::isfinite(parser->value(dealii::Point<1>(0.))))
      throw InputError("'" + text + "' is not a finite number at t = 0", path);
    return [parser](const double time) {
      return parser->value(dealii::Point<1>(time));
    };
  }

  std::function<Vector3(const Vector3 &)>
  of_place(const std::string &text, const std::string &path)
  {
    if (std::count(text.begin(), text.end(), ';') != 2)
      throw InputError("'" + text +
                         "' is not three formulas in x, y and z, parted by "
                         "two semicolons",
                       path);
    return [parser = parsed<3>("x,y,z", text, 3, path)](const Vector3 &x) {
      dealii::Vector<double> value(3);
      parser->vector_value(dealii::Point<3>(x(0), x(1), x(2)), value);
      return Vector3(value(0), value(1), value(2));
    };
  }
} // namespace slender::formula
