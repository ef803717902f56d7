// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/exchange.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <system_error>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    /// False if the system or the file system does not know how.
    bool
    exchange_names(const fs::path &one, const fs::path &other)
    {
#ifdef RENAME_EXCHANGE
      if (::renameat2(
            AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) ==
          0)
        return true;
      if (errno != ENOSYS && errno != EINVAL && errno != ENOTSUP)
        throw fs::filesystem_error("cannot exchange",
                                   one,
                                   other,
                                   {errno, std::generic_category()});
#else
      (void)one;
      (void)other;
#endif
      return false;
    }
  } // namespace



  Exchanged
  exchange_directories(const fs::path &fresh,
                       const fs::path &final_path,
                       const fs::path &aside,
                       const bool      in_one_step)
  {
    if (!fs::exists(final_path))
      {
        fs::rename(fresh, final_path);
        return Exchanged::nothing_there;
      }
    if (in_one_step && exchange_names(fresh, final_path))
      return Exchanged::names;

    fs::rename(final_path, aside);
    try
      {
        fs::rename(fresh, final_path);
      }
    catch (const fs::filesystem_error &)
      {
        std::error_code ignored;
        fs::rename(aside, final_path, ignored);
        throw;
      }
    return Exchanged::aside;
  }
} // namespace slender
