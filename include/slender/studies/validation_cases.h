// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_validation_cases_h
#define slender_studies_validation_cases_h

#include <slender/validation/protocol.h>

#include <string>
#include <vector>

namespace slender
{
  /// Settings as on the command line: "Section/Name=value".
  using Settings = std::vector<std::string>;

  /**
   * A line of Table 1: a model, or a solver, in a protocol, at several
   * resolutions and for several bodies of the same dimensionless regime.
   */
  struct Entrant
  {
    struct Resolution
    {
      std::string level; ///< "coarse", "medium" or "fine"
      std::string words; ///< "300 segments"
      double      number;
      Settings    settings;
    };

    struct Body
    {
      std::string name; ///< "h/L = 1e-3"
      Settings    settings;
    };

    Protocol    protocol;
    std::string name;  ///< in the table
    std::string model; ///< 'set Model = '
    Settings    settings;

    std::vector<Resolution> resolutions; ///< from coarse to fine
    std::vector<Body>       bodies;

    std::string paper;  ///< its verdict on the code nearest to this one
    std::string remark; ///< why ours differs, or what the code was
  };

  /// All that are known, in the order of Table 1.
  const std::vector<Entrant> &
  validation_entrants();

} // namespace slender

#endif
