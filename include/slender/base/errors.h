// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_base_errors_h
#define slender_base_errors_h

#include <stdexcept>
#include <string>

namespace slender
{
  /**
   * What a user asked for cannot be done: a misspelt parameter, a value out of
   * range, settings that contradict each other, a file that cannot be read.
   *
   * The message is one line that says what is wrong and what is allowed. Where
   * a parameter is to blame, its path ("Section/Subsection/Name") comes along,
   * so that the program can add the file and the line in which it was set.
   */
  class InputError : public std::runtime_error
  {
  public:
    explicit InputError(const std::string &message,
                        const std::string &parameter_path = "")
      : std::runtime_error(message)
      , path(parameter_path)
    {}

    const std::string &
    parameter_path() const
    {
      return path;
    }

  private:
    std::string path;
  };

  /**
   * Results cannot be written: the disk is full, a quota is used up, a device
   * fails. What was complete before is still there, so that a program says
   * where and ends in order, and the run can be resumed when there is room.
   *
   * The message is one line that says which file and why.
   */
  class DiskError : public std::runtime_error
  {
  public:
    using std::runtime_error::runtime_error;
  };
} // namespace slender

#endif
