// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/environment.h>
#include <slender/base/errors.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace slender::environment
{
  namespace
  {
    /// The value of the first of some variables that is set, or null.
    template <std::size_t n>
    const char *
    first_of(const char *const (&names)[n])
    {
      for (const char *name : names)
        if (const char *value = std::getenv(name))
          return value;
      return nullptr;
    }

    /// The number of this process among those that were launched together, as
    /// Open MPI, MPICH and Slurm tell it; null for a process by itself.
    const char *
    launched_rank()
    {
      return first_of(
        {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"});
    }
  } // namespace



  bool
  is_first_process()
  {
    const char *rank = launched_rank();
    return rank == nullptr || std::string(rank) == "0";
  }



  void
  check()
  {
    std::error_code error;
    if (std::filesystem::current_path(error).empty())
      throw InputError("the working directory does not exist any more; change "
                       "to one that does");

    // In the order in which Open MPI looks for it.
    const char       *named     = first_of({"TMPDIR", "TEMP", "TMP"});
    const std::string directory = named && *named ? named : "/tmp";
    std::string       probe     = directory + "/slender_XXXXXX";
    if (mkdtemp(probe.data()) == nullptr)
      throw InputError("temporary files cannot be written to '" + directory +
                       "' (" + std::generic_category().message(errno) +
                       "); set TMPDIR to a directory where they can");
    rmdir(probe.c_str());
  }



  void
  prepare_mpi()
  {
    if (launched_rank() == nullptr)
      setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  }
} // namespace slender::environment
