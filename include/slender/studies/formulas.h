// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_formulas_h
#define slender_studies_formulas_h

#include <memory>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A formula of named quantities, such as "end y - 0.3" or
   * "abs(end x) / length" (muParser). Names may have spaces; longer ones are
   * found first.
   */
  class Formula
  {
  public:
    /// Throws InputError, with the reason, for what is no formula.
    Formula(const std::string              &text,
            const std::vector<std::string> &names,
            const std::string              &parameter_path);

    /// The quantities in the order of their names; NaN where it is not defined.
    double
    value(const std::vector<double> &quantities) const;

    const std::string &
    text() const
    {
      return words;
    }

  private:
    struct Parsed;
    std::shared_ptr<Parsed> parsed;
    std::string             words;
  };

  /// Several formulas, separated by semicolons.
  std::vector<Formula>
  read_formulas(const std::string              &text,
                const std::vector<std::string> &names,
                const std::string              &parameter_path);
} // namespace slender

#endif
