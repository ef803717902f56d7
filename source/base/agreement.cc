// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/errors.h>

#include <stdexcept>

namespace slender
{
  namespace
  {
    /// What was thrown, so that it can travel as a text; that of an InputError
    /// begins with the path of a parameter and the end of a line.
    enum Kind : char
    {
      input = 'i',
      disk  = 'd',
      logic = 'l',
      other = 'o'
    };



    [[noreturn]] void
    throw_again(const std::string &complaint)
    {
      const std::string message = complaint.substr(1);
      switch (complaint.front())
        {
          case input:
            {
              const std::size_t end = message.find('\n');
              throw InputError(message.substr(end + 1), message.substr(0, end));
            }
          case disk:
            throw DiskError(message);
          case logic:
            throw std::logic_error(message);
          default:
            throw std::runtime_error(message);
        }
    }
  } // namespace



  std::string
  first_text(MPI_Comm communicator, const std::string &text)
  {
    int rank    = 0;
    int n_ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);

    const int candidate = text.empty() ? n_ranks : rank;
    int       speaker   = n_ranks;
    MPI_Allreduce(&candidate, &speaker, 1, MPI_INT, MPI_MIN, communicator);
    if (speaker == n_ranks)
      return "";

    int size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, speaker, communicator);
    std::string result = text;
    result.resize(static_cast<std::size_t>(size));
    MPI_Bcast(result.data(), size, MPI_CHAR, speaker, communicator);
    return result;
  }



  void
  do_on_all_or_none(MPI_Comm communicator, const std::function<void()> &work)
  {
    std::string complaint;
    const auto  note = [&complaint](const Kind kind, const auto &error) {
      complaint = static_cast<char>(kind) + std::string(error.what());
    };
    try
      {
        work();
      }
    catch (const InputError &error)
      {
        complaint = static_cast<char>(input) + error.parameter_path() + '\n' +
                    error.what();
      }
    catch (const DiskError &error)
      {
        note(disk, error);
      }
    catch (const std::logic_error &error)
      {
        note(logic, error);
      }
    catch (const std::exception &error)
      {
        note(other, error);
      }
    complaint = first_text(communicator, complaint);
    if (!complaint.empty())
      throw_again(complaint);
  }
} // namespace slender
