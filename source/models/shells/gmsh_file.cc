// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_file.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// How the content of a file comes into memory; gmsh_sections.cc reads it.
namespace slender
{
  namespace
  {
    [[noreturn]] void
    refuse(const std::string &path, const std::string &why)
    {
      throw InputError("mesh '" + path + "' " + why);
    }

    /// Closes a file.
    class Descriptor
    {
    public:
      explicit Descriptor(const int a_number)
        : number(a_number)
      {}
      ~Descriptor()
      {
        if (number >= 0)
          ::close(number);
      }
      Descriptor(const Descriptor &) = delete;
      Descriptor &
      operator=(const Descriptor &) = delete;

      const int number;
    };

    /// Devices and pipes may never end, or wait for ever; they are not opened.
    void
    check_kind(const std::string &path)
    {
      struct stat status;
      if (::stat(path.c_str(), &status) != 0)
        refuse(path, "cannot be opened: it does not exist or is out of reach");
      if (S_ISDIR(status.st_mode))
        refuse(path, "cannot be opened: it is a directory");
      if (!S_ISREG(status.st_mode))
        refuse(path, "cannot be opened: it is not an ordinary file");
    }

    /// Ten million cells or so, which are beyond any shell of ours.
    constexpr off_t largest_file = off_t(1) << 30;

    std::string
    content_of(const std::string &path)
    {
      check_kind(path);
      // Should it have become a pipe by now, nobody waits.
      const Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
      struct stat status;
      if (file.number < 0 || ::fstat(file.number, &status) != 0 ||
          !S_ISREG(status.st_mode))
        refuse(path, "cannot be opened: it may not be read");
      if (status.st_size > largest_file)
        refuse(path,
               "is larger than 1 GiB; take fewer cells, which 'Refinements' "
               "can cut");

      std::string content;
      const auto  read_up_to = [&](const std::size_t size) {
        std::size_t done = content.size();
        content.resize(size);
        while (done < size)
          {
            const ssize_t n =
              ::read(file.number, content.data() + done, size - done);
            if (n < 0 && errno == EINTR)
              continue;
            if (n < 0)
              refuse(path, "cannot be read: an error of the disk");
            if (n == 0)
              break;
            done += static_cast<std::size_t>(n);
          }
        content.resize(done);
      };
      // The rest of what begins otherwise does not interest.
      const auto        size  = static_cast<std::size_t>(status.st_size);
      const std::string begin = "$MeshFormat";
      read_up_to(std::min(size, begin.size()));
      if (content == begin)
        read_up_to(size);
      return content;
    }
  } // namespace

  GmshFile
  read_gmsh(const std::string &path)
  {
    return parse_gmsh(content_of(path), path);
  }
} // namespace slender
