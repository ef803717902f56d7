// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/formula.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <muParser.h>
#include <numeric>

namespace slender
{
  namespace
  {
    bool
    is_part_of_a_name(const char c)
    {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    }

    /// Each name becomes one that has no spaces: quantity_7.
    std::string
    without_spaces(const std::string              &text,
                   const std::vector<std::string> &names)
    {
      std::vector<std::size_t> order(names.size());
      std::iota(order.begin(), order.end(), std::size_t(0));
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
        return names[a].size() > names[b].size();
      });
      std::string result;
      for (std::size_t at = 0; at < text.size();)
        {
          const bool begins = at == 0 || !is_part_of_a_name(text[at - 1]);
          const auto found =
            std::find_if(order.begin(), order.end(), [&](const auto i) {
              const std::size_t end = at + names[i].size();
              return begins &&
                     text.compare(at, names[i].size(), names[i]) == 0 &&
                     (end >= text.size() || !is_part_of_a_name(text[end]));
            });
          if (found == order.end())
            result += text[at++];
          else
            {
              result += "quantity_" + std::to_string(*found);
              at += names[*found].size();
            }
        }
      return result;
    }

    std::string
    list_of(const std::vector<std::string> &names)
    {
      std::string list;
      for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0                  ? ""
                 : i + 1 == names.size() ? " and "
                                         : ", ") +
                names[i];
      return list;
    }

    /// What the parser says, in one line, with the user's names.
    std::string
    reason(const std::string &message, const std::vector<std::string> &names)
    {
      std::string words = message;
      std::replace(words.begin(), words.end(), '\n', ' ');
      for (std::size_t i = names.size(); i-- > 0;)
        words =
          dealii::Utilities::replace_in_string(words,
                                               "quantity_" + std::to_string(i),
                                               names[i]);
      return words;
    }

    // What muParser does not have, or has under another meaning.

    double
    choice(const double condition, const double yes, const double no)
    {
      return condition != 0. ? yes : no;
    }

    double
    natural_logarithm(const double x)
    {
      return std::log(x);
    }

    double
    largest_integer_below(const double x)
    {
      return std::floor(x);
    }

    double
    smallest_integer_above(const double x)
    {
      return std::ceil(x);
    }

    double
    power(const double x, const double exponent)
    {
      return std::pow(x, exponent);
    }

    double
    error_function(const double x)
    {
      return std::erf(x);
    }
  } // namespace

  struct Formula::Parsed
  {
    mu::Parser          parser;
    std::vector<double> quantities; ///< what the parser looks at
    std::string         text;
    bool                is_constant = false;
  };

  Formula::Formula(const std::string              &text,
                   const std::vector<std::string> &names,
                   const std::string              &path)
    : parsed(std::make_shared<Parsed>())
  {
    Parsed &it = *parsed;
    it.text    = dealii::Utilities::trim(text);
    it.quantities.assign(names.size(), 1.);
    try
      {
        it.parser.DefineConst("pi", std::acos(-1.));
        it.parser.DefineFun("if", choice);
        it.parser.DefineFun("log", natural_logarithm);
        it.parser.DefineFun("floor", largest_integer_below);
        it.parser.DefineFun("ceil", smallest_integer_above);
        it.parser.DefineFun("pow", power);
        it.parser.DefineFun("erf", error_function);
        for (std::size_t i = 0; i < names.size(); ++i)
          it.parser.DefineVar("quantity_" + std::to_string(i),
                              &it.quantities[i]);
        it.parser.SetExpr(without_spaces(it.text, names));
        it.parser.Eval();
        it.is_constant = it.parser.GetUsedVar().empty();
      }
    catch (const mu::Parser::exception_type &error)
      {
        throw InputError("'" + it.text + "' is no formula in " +
                           list_of(names) + ": " +
                           reason(error.GetMsg(), names),
                         path);
      }
  }

  double
  Formula::value(const std::vector<double> &quantities) const
  {
    std::copy(quantities.begin(), quantities.end(), parsed->quantities.begin());
    return parsed->parser.Eval();
  }

  double
  Formula::operator()(const std::initializer_list<double> quantities) const
  {
    std::copy(quantities.begin(), quantities.end(), parsed->quantities.begin());
    return parsed->parser.Eval();
  }

  const std::string &
  Formula::text() const
  {
    return parsed->text;
  }

  bool
  Formula::is_constant() const
  {
    return parsed->is_constant;
  }

  std::function<double(double)>
  formula_of_time(const std::string &text, const std::string &path)
  {
    const Formula formula(text, {"t"}, path);
    if (!std::isfinite(formula({0.})))
      throw InputError("'" + text + "' is not a finite number at t = 0", path);
    return [formula](const double time) { return formula({time}); };
  }

  std::function<double(const Vector3 &)>
  formula_of_place(const std::string &text, const std::string &path)
  {
    return [formula = Formula(text, {"x", "y", "z"}, path)](const Vector3 &x) {
      return formula({x(0), x(1), x(2)});
    };
  }

  std::function<double(const Vector3 &, double)>
  formula_of_place_and_time(const std::string &text, const std::string &path)
  {
    return
      [formula = Formula(text, {"x", "y", "z", "t"}, path)](const Vector3 &x,
                                                            const double time) {
        return formula({x(0), x(1), x(2), time});
      };
  }

  std::function<Vector3(const Vector3 &)>
  vector_formula_of_place(const std::string &text, const std::string &path)
  {
    if (std::count(text.begin(), text.end(), ';') != 2)
      throw InputError("'" + text +
                         "' is not three formulas in x, y and z, parted by "
                         "two semicolons",
                       path);
    std::vector<Formula> components;
    for (const std::string &one :
         dealii::Utilities::split_string_list(text, ';'))
      components.emplace_back(one,
                              std::vector<std::string>{"x", "y", "z"},
                              path);
    return [components](const Vector3 &x) {
      Vector3 value;
      for (int c = 0; c < 3; ++c)
        value(c) = components[c]({x(0), x(1), x(2)});
      return value;
    };
  }

  std::vector<Formula>
  formulas_to_be_zero(const std::string              &text,
                      const std::vector<std::string> &names,
                      const std::string              &path)
  {
    std::vector<Formula> formulas;
    for (const std::string &one :
         dealii::Utilities::split_string_list(text, ';'))
      {
        if (dealii::Utilities::trim(one).empty())
          continue;
        formulas.emplace_back(one, names, path);
        if (formulas.back().is_constant())
          throw InputError("'" + formulas.back().text() +
                             "' is a constant, which is nowhere zero or "
                             "everywhere",
                           path);
      }
    return formulas;
  }
} // namespace slender
