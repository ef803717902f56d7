// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_output_journal_h
#define slender_output_journal_h

#include <slender/output/run_files.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * Results of the parts of a run that are finished ("journal/chain_7"), so
   * that a resumed run need not compute them again. Parts are independent of
   * each other and come in any order, each from the first rank of the group
   * that computed it; numbers are kept bit by bit.
   */
  class Journal
  {
  public:
    /// What is kept of one sample of a chain.
    struct Record
    {
      std::vector<double>      numbers;
      std::vector<std::string> words;
    };

    static constexpr const char *folder = "journal";

    explicit Journal(RunFiles &files);

    /// Enters a finished chain: when this returns it is on the disk, as a
    /// whole. Throws DiskError if it cannot be.
    void
    write(std::size_t chain, const std::vector<Record> &records);

    /// The records of a chain that was finished in an earlier session; nothing
    /// if it was not. Throws InputError if the file is damaged.
    std::optional<std::vector<Record>>
    read(std::size_t chain) const;

    /// Numbers of the chains that are there, ascending.
    std::vector<std::size_t>
    finished() const;

    /// Removes all chains: nobody needs them when the run is finished.
    void
    remove();

  private:
    RunFiles &files;
  };
} // namespace slender

#endif
