// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/summary.h>

#include <nlohmann/json.hpp>

#include <ostream>
#include <stdexcept>

namespace slender
{
  namespace
  {
    using Json = nlohmann::ordered_json;

    Json
    value_or_null(const std::optional<double> &value)
    {
      return value ? Json(*value) : Json(nullptr);
    }
  } // namespace



  const char *
  to_string(const Verdict verdict)
  {
    switch (verdict)
      {
        case Verdict::none:
          return "none";
        case Verdict::OK:
          return "OK";
        case Verdict::KO:
          return "KO";
      }
    throw std::logic_error("unknown verdict");
  }



  void
  write_json(std::ostream &out, const Summary &summary)
  {
    Json json = {{"study", summary.study},
                 {"model", summary.model},
                 {"answer", summary.answer},
                 {"verdict", to_string(summary.verdict)},
                 {"distance", value_or_null(summary.distance)},
                 {"max_relative_error",
                  value_or_null(summary.max_relative_error)},
                 {"samples", summary.samples},
                 {"failed", summary.failed},
                 {"newton_iterations", summary.newton_iterations},
                 {"seconds", summary.seconds},
                 {"ranks", summary.ranks},
                 {"version", summary.version}};
    for (const auto &[name, value] : summary.extra)
      if (!json.emplace(name, value).second)
        throw std::logic_error("the summary has two figures named '" + name +
                               "'");
    // Numbers that are not finite come out as null. A name that is not UTF-8
    // is no reason to lose the summary.
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  }
} // namespace slender
