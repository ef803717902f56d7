// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/solutions.h>

#include <nlohmann/json.hpp>

#include <fstream>

namespace slender
{
  namespace
  {
    using Json = nlohmann::ordered_json;

    Json
    to_json(const Vector &v)
    {
      return std::vector<double>(v.data(), v.data() + v.size());
    }

    Vector
    to_vector(const Json &json)
    {
      const auto values = json.get<std::vector<double>>();
      return Eigen::Map<const Vector>(values.data(),
                                      static_cast<Index>(values.size()));
    }
  } // namespace

  void
  write_json(std::ostream &out, const Solutions &solutions)
  {
    // One solution to a line; numbers are written so that they are read back
    // exactly.
    out << "{\"model\": " << Json(solutions.model)
        << ",\n \"ranks_per_body\": " << solutions.ranks_per_body
        << ",\n \"solutions\": [";
    const char *separator = "\n  ";
    for (const Solution &solution : solutions.all)
      {
        Json parameters = Json::object();
        for (const auto &[name, value] : solution.parameters)
          parameters[name] = value;
        out << separator
            << Json{{"label", solution.label},
                    {"kind", solution.kind},
                    {"parameters", parameters},
                    {"state", to_json(solution.state)},
                    {"null_vector", to_json(solution.null_vector)},
                    {"history", to_json(solution.history)}};
        separator = ",\n  ";
      }
    out << "]}\n";
  }

  Solutions
  read_solutions(const std::filesystem::path &run_directory)
  {
    const std::filesystem::path path = run_directory / Solutions::file_name;
    std::ifstream               in(path);
    if (!in)
      throw InputError("cannot read '" + path.string() +
                       "'; it is left by runs of the studies 'branch' and "
                       "'frontier'");
    try
      {
        const Json json = Json::parse(in);
        Solutions  solutions;
        solutions.model          = json.at("model");
        solutions.ranks_per_body = json.at("ranks_per_body");
        for (const Json &item : json.at("solutions"))
          {
            Solution solution;
            solution.label = item.at("label");
            solution.kind  = item.at("kind");
            for (const auto &[name, value] : item.at("parameters").items())
              solution.parameters.emplace_back(name, value.get<double>());
            solution.state       = to_vector(item.at("state"));
            solution.null_vector = to_vector(item.at("null_vector"));
            solution.history     = to_vector(item.at("history"));
            solutions.all.push_back(solution);
          }
        return solutions;
      }
    catch (const Json::exception &error)
      {
        throw InputError("'" + path.string() +
                         "' is not a file of solutions: " + error.what());
      }
  }
} // namespace slender
