// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/formulas.h>

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
    without_spaces(std::string text, const std::vector<std::string> &names)
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
  } // namespace

  struct Formula::Parsed
  {
    mu::Parser          parser;
    std::vector<double> quantities;
  };

  Formula::Formula(const std::string              &text,
                   const std::vector<std::string> &names,
                   const std::string              &path)
    : parsed(std::make_shared<Parsed>())
    , words(dealii::Utilities::trim(text))
  {
    parsed->quantities.assign(names.size(), 1.);
    try
      {
        parsed->parser.DefineConst("pi", std::acos(-1.));
        for (std::size_t i = 0; i < names.size(); ++i)
          parsed->parser.DefineVar("quantity_" + std::to_string(i),
                                   &parsed->quantities[i]);
        parsed->parser.SetExpr(without_spaces(words, names));
        parsed->parser.Eval();
        if (!parsed->parser.GetUsedVar().empty())
          return;
      }
    catch (const mu::Parser::exception_type &error)
      {
        std::string all;
        for (const std::string &name : names)
          all += (all.empty() ? "" : ", ") + name;
        throw InputError("'" + words + "' is no formula: " + error.GetMsg() +
                           " It may have numbers, functions and these: " + all,
                         path);
      }
    throw InputError("'" + words +
                       "' is a constant, which is nowhere zero or "
                       "everywhere",
                     path);
  }

  double
  Formula::value(const std::vector<double> &quantities) const
  {
    std::copy(quantities.begin(), quantities.end(), parsed->quantities.begin());
    return parsed->parser.Eval();
  }

  std::vector<Formula>
  read_formulas(const std::string              &text,
                const std::vector<std::string> &names,
                const std::string              &path)
  {
    std::vector<Formula> formulas;
    for (const std::string &one :
         dealii::Utilities::split_string_list(text, ';'))
      if (!dealii::Utilities::trim(one).empty())
        formulas.emplace_back(one, names, path);
    return formulas;
  }
} // namespace slender
