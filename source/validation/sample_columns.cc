// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/validation/sample_columns.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace slender
{
  namespace
  {
    /// The name as the recipes have it.
    std::string
    without_unit(const std::string &name)
    {
      std::string plain = name.substr(0, name.find('['));
      while (!plain.empty() && (plain.back() == ' ' || plain.back() == '\t'))
        plain.pop_back();
      if (plain == "H/W")
        return "aspect_ratio";
      return plain == "Gamma" || plain == "Γ" ? "gamma" : plain;
    }

    /// The first word of a unit in brackets that is none of the SI without a
    /// prefix, such as "mm"; empty if there is none. Numbers are not converted,
    /// so that such a unit must not be read over.
    std::string
    foreign_unit(const std::string &name)
    {
      const auto begin = name.find('[');
      if (begin == std::string::npos)
        return "";
      const auto is_letter = [](const char c) {
        return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '%';
      };
      const std::string unit = name.substr(begin + 1);
      for (auto at = unit.begin(); at != unit.end();)
        {
          at                    = std::find_if(at, unit.end(), is_letter);
          const auto        end = std::find_if_not(at, unit.end(), is_letter);
          const std::string word(at, end);
          const auto        known = {"", "m", "kg", "s", "N", "Pa", "J", "rad"};
          if (std::find(known.begin(), known.end(), word) == known.end())
            return word;
          at = end;
        }
      return "";
    }

    bool
    is_number(const std::string &text)
    {
      char *end = nullptr;
      std::strtod(text.c_str(), &end);
      return !text.empty() && *end == '\0';
    }
  } // namespace

  SampleColumns::SampleColumns(const Table &the_table, std::string the_source)
    : table(the_table)
    , source(std::move(the_source))
  {
    for (const std::string &name : table.columns())
      {
        const std::string plain = without_unit(name);
        if (is_number(plain))
          complain("the first line has numbers; names of the columns are "
                   "expected there");
        if (const std::string unit = foreign_unit(name); !unit.empty())
          complain("'" + name +
                   "': numbers are expected in units of the SI, "
                   "such as m, kg, s, N or Pa, not in '" +
                   unit + "'");
        if (std::find(names.begin(), names.end(), plain) != names.end())
          complain("there are two columns '" + plain + "'");
        names.push_back(plain);
      }
    if (table.rows().empty())
      complain("there are no samples below the names of the columns");
  }

  bool
  SampleColumns::has(const std::string &name) const
  {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void
  SampleColumns::require(const std::string &name,
                         const std::string &alternative) const
  {
    if (has(name))
      return;
    const auto near = nearest_name(name, names);
    complain("there is no column '" + name + "'" +
             (alternative.empty() ? "" : ", nor " + alternative) +
             (near ? "; is it '" + *near + "'?" : "; the columns are '" + [&] {
               std::string all;
               for (const std::string &one : names)
                 all += (all.empty() ? "" : ", ") + one;
               return all;
             }() + "'"));
  }

  std::size_t
  SampleColumns::index_of(const std::string &name) const
  {
    require(name);
    used.insert(name);
    return static_cast<std::size_t>(
      std::find(names.begin(), names.end(), name) - names.begin());
  }

  std::size_t
  SampleColumns::n_samples() const
  {
    return table.rows().size();
  }

  double
  SampleColumns::number(const std::string &name, const std::size_t sample) const
  {
    const Table::Cell &cell = table.rows()[sample][index_of(name)];
    double             value;
    if (const auto *word_of_it = std::get_if<std::string>(&cell))
      complain(sample,
               "'" + name + "' is '" + *word_of_it +
                 "'; a number is expected, with a point, not a comma; samples "
                 "that failed are left out");
    else if (const auto *count = std::get_if<long>(&cell))
      value = static_cast<double>(*count);
    else
      value = std::get<double>(cell);
    if (!std::isfinite(value))
      complain(sample,
               "'" + name +
                 "' is not a finite number; samples that failed are left out");
    return value;
  }

  double
  SampleColumns::positive(const std::string &name,
                          const std::size_t  sample) const
  {
    const double value = number(name, sample);
    if (!(value > 0.))
      {
        std::ostringstream words;
        words << "'" << name << "' is " << value
              << "; a positive number is expected";
        complain(sample, words.str());
      }
    return value;
  }

  double
  SampleColumns::positive_or(const std::string &name,
                             const std::size_t  sample,
                             const double       default_value) const
  {
    return has(name) ? positive(name, sample) : default_value;
  }

  std::string
  SampleColumns::word(const std::string &name, const std::size_t sample) const
  {
    const Table::Cell &cell = table.rows()[sample][index_of(name)];
    if (const auto *text = std::get_if<std::string>(&cell))
      return *text;
    const std::string line = Table::row_line({cell});
    return line.substr(0, line.size() - 1);
  }

  void
  SampleColumns::complain(const std::string &message) const
  {
    throw InputError(source + ": " + message);
  }

  void
  SampleColumns::complain(const std::size_t  sample,
                          const std::string &message) const
  {
    complain("sample " + std::to_string(sample + 1) + ": " + message);
  }

  std::vector<std::string>
  SampleColumns::unused() const
  {
    std::vector<std::string> result;
    std::copy_if(names.begin(),
                 names.end(),
                 std::back_inserter(result),
                 [&](const std::string &name) {
                   return used.count(name) == 0;
                 });
    return result;
  }
} // namespace slender
