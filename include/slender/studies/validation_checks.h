// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_validation_checks_h
#define slender_studies_validation_checks_h

#include <slender/studies/configured_study.h>
#include <slender/studies/sweep.h>
#include <slender/studies/validation_cases.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * A property of a model that the protocols do not look at, or that the paper
   * names as missing (section 8): one or several studies, and a number that is
   * read from what they recorded.
   */
  struct PropertyCheck
  {
    struct Trial
    {
      std::string study, model;
      Settings    settings;
    };

    std::string        kind;  ///< one of property_names()
    std::string        check; ///< "locking, h/L = 1e-5"
    std::string        model;
    std::vector<Trial> trials;

    using Outcomes = std::vector<ConfiguredStudy::Outcome>;
    std::function<double(const Outcomes &)> read;

    double bound;
    bool   is_least = false; ///< the value has to be above the bound, not below

    bool
    passes(double value) const
    {
      return is_least ? value >= bound : value <= bound;
    }
  };

  /// "objectivity", "locking", "order", "frequency", "energy".
  const std::vector<std::string> &
  property_names();

  const std::vector<PropertyCheck> &
  all_property_checks();

  /// Its value as a sample; none if the run was interrupted. Collective over
  /// the ranks that share the bodies.
  std::optional<Sample>
  run_check(const PropertyCheck &check, MPI_Comm communicator);
} // namespace slender

#endif
