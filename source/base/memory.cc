// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/memory.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>
#include <sys/resource.h>

namespace slender
{
  namespace
  {
    constexpr double unlimited = std::numeric_limits<double>::infinity();

    /// The number in a file that holds nothing else; none for "max".
    std::optional<double>
    number_in(const std::filesystem::path &file)
    {
      std::ifstream in(file);
      double        value = 0.;
      return in >> value ? std::make_optional(value) : std::nullopt;
    }

    double
    left_by_system()
    {
      std::ifstream in("/proc/meminfo");
      std::string   name, unit;
      double        kilobytes = 0.;
      while (in >> name >> kilobytes)
        {
          if (name == "MemAvailable:")
            return 1024. * kilobytes;
          std::getline(in, unit);
        }
      return unlimited;
    }

    /// Of a control group and of those around it, either version.
    double
    left_by_control_groups()
    {
      double        left = unlimited;
      std::ifstream in("/proc/self/cgroup");
      for (std::string line; std::getline(in, line);)
        {
          const std::size_t first = line.find(':'),
                            last  = line.find(':', first + 1);
          if (first == std::string::npos || last == std::string::npos)
            continue;
          const std::string kind = line.substr(first + 1, last - first - 1);
          const bool        is_second_version = kind.empty();
          if (!is_second_version && kind != "memory")
            continue;
          const std::string root =
            is_second_version ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
          const std::string limit_name =
            is_second_version ? "memory.max" : "memory.limit_in_bytes";
          const std::string use_name =
            is_second_version ? "memory.current" : "memory.usage_in_bytes";
          std::string group = line.substr(last + 1);
          while (true)
            {
              const std::filesystem::path place = root + group;
              const auto                  limit = number_in(place / limit_name);
              const auto                  use   = number_in(place / use_name);
              if (limit && use)
                left = std::min(left, *limit - *use);
              if (group.empty() || group == "/")
                break;
              group.erase(group.rfind('/'));
            }
        }
      return left;
    }

    /// What the shell's ulimit leaves of the address space.
    double
    left_by_process_limits()
    {
      rlimit limit{};
      if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return unlimited;
      return static_cast<double>(limit.rlim_cur);
    }

    std::string
    in_words(const double bytes)
    {
      std::ostringstream text;
      text << std::setprecision(2);
      if (bytes >= 9.95e10)
        text << std::fixed << std::setprecision(0);
      text << bytes / 1e9 << " GB";
      return text.str();
    }
  } // namespace



  double
  available_memory()
  {
    return std::max(0.,
                    std::min({left_by_system(),
                              left_by_control_groups(),
                              left_by_process_limits()}));
  }



  void
  check_memory(const double       least_bytes,
               const std::string &what,
               const std::string &parameter_path)
  {
    const double available = available_memory();
    if (least_bytes > available)
      throw InputError(what + " take at least " + in_words(least_bytes) +
                         " of memory, but only " + in_words(available) +
                         " are available",
                       parameter_path);
  }
} // namespace slender
