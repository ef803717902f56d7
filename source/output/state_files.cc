// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/state_files.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    constexpr const char *folder = "states";
    const std::string     prefix = "label_", ending = ".h5";
  } // namespace

  fs::path
  state_file(const std::int64_t label)
  {
    return fs::path(folder) / (prefix + std::to_string(label) + ending);
  }

  std::vector<std::int64_t>
  state_labels(const fs::path &run_directory)
  {
    std::vector<std::int64_t> labels;
    std::error_code           ignored;
    for (const fs::directory_entry &entry :
         fs::directory_iterator(run_directory / folder, ignored))
      {
        const std::string name = entry.path().filename().string();
        if (name.rfind(prefix, 0) != 0)
          continue;
        std::int64_t label = 0;
        std::from_chars(name.data() + prefix.size(),
                        name.data() + name.size(),
                        label);
        if (entry.path().filename() == state_file(label).filename())
          labels.push_back(label);
      }
    std::sort(labels.begin(), labels.end());
    return labels;
  }
} // namespace slender
