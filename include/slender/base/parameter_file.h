// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_parameter_file_h
#define slender_base_parameter_file_h

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /**
   * A .prm file as it was written: an ordered list of settings with the place
   * of each, in deal.II's syntax (`subsection`/`end`, `set name = value`,
   * `include file`, `# comment`, `\\` at the end of a line that goes on).
   *
   * deal.II's own reader stops with a multi-line exception that names neither
   * the allowed values nor the nearest valid name; this one checks each
   * setting against the declarations and throws InputError with one line:
   * what, where, what is allowed, what was perhaps meant.
   */
  class ParameterFile
  {
  public:
    struct Setting
    {
      std::string path;   ///< "Section/Subsection/Name"
      std::string value;  ///< trimmed
      std::string origin; ///< "cantilever.prm:12" or "--set"

      /// Where a file is looked for that the value names, in this order.
      std::vector<std::filesystem::path> search_path = {""};
    };

    /// Reads a file; throws InputError if it is unreadable or malformed, or
    /// not an ordinary file.
    static ParameterFile
    read(const std::filesystem::path &file);

    /// Adds a setting of the command line, "Section/Name=value", which wins
    /// over the file.
    void
    add_override(const std::string &assignment);

    /// The value that wins for a path, if it was set at all. Like all look-ups
    /// here it compares names as deal.II does, letter by letter.
    std::optional<std::string>
    find(const std::string &path) const;

    /// Where the winning value for a path was set ("cantilever.prm:12"), or
    /// the name of the file if it was not set.
    std::string
    origin(const std::string &path) const;

    /**
     * Files and directories that settings name, as `prm` declares them
     * (Patterns::FileName, Patterns::DirectoryName), are looked for beside the
     * file with the setting and in the working directory (a setting of the
     * command line the other way round), and get the path with which they were
     * found. Returns a line for each name that means two things.
     */
    std::vector<std::string>
    find_files(const dealii::ParameterHandler &prm);

    /// The names of the outermost sections in which something is set.
    std::vector<std::string>
    sections() const;

    /// Checks every setting against what `prm` declares and sets it there.
    /// Throws InputError at the first wrong one. Settings in the sections
    /// named last are passed over.
    void
    apply_to(dealii::ParameterHandler       &prm,
             const std::vector<std::string> &ignored_sections = {}) const;

    const std::vector<Setting> &
    settings() const;

  private:
    std::string          file_name;
    std::vector<Setting> all_settings;
  };

  /// The candidate that differs least from `word` (edit distance, ignoring
  /// case), if one is near enough to be what was meant.
  std::optional<std::string>
  nearest_name(const std::string              &word,
               const std::vector<std::string> &candidates);
} // namespace slender

#endif
