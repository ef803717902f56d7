// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_parameter_path_h
#define slender_base_parameter_path_h

#include <string>
#include <vector>

/// Paths of sections and parameters, "Section/Subsection/Name".
namespace slender::parameter_path
{
  /// The path of a name in a section; the top level has an empty path.
  inline std::string
  join(const std::string &section, const std::string &name)
  {
    return section.empty() ? name : section + '/' + name;
  }

  /// The parts between slashes; a slash at either end makes an empty part.
  inline std::vector<std::string>
  split(const std::string &path)
  {
    std::vector<std::string> parts;
    std::size_t              begin = 0;
    std::size_t              slash = 0;
    while ((slash = path.find('/', begin)) != std::string::npos)
      {
        parts.push_back(path.substr(begin, slash - begin));
        begin = slash + 1;
      }
    parts.push_back(path.substr(begin));
    return parts;
  }
} // namespace slender::parameter_path

#endif
