// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_playground_h
#define slender_tests_support_playground_h

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace slender::test
{
  namespace fs = std::filesystem;

  /// A directory of its own for every test, removed in the end.
  struct Playground
  {
    Playground()
    {
      std::string name =
        (fs::temp_directory_path() / "slender_unit_test_XXXXXX").string();
      BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
      root   = fs::canonical(name);
      output = root / "output";
    }

    ~Playground()
    {
      std::error_code ignored;
      fs::remove_all(root, ignored);
    }

    Playground(const Playground &) = delete;
    Playground &
    operator=(const Playground &) = delete;

    fs::path root;
    fs::path output;
  };



  inline void
  put(const fs::path &file, const std::string &text)
  {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }



  inline std::string
  get(const fs::path &file)
  {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }



  /// Every file and folder below a directory, with its text but without the
  /// lists of what runs wrote; nothing if the directory is not there.
  inline std::map<std::string, std::string>
  content(const fs::path &directory)
  {
    std::map<std::string, std::string> result;
    if (fs::exists(directory))
      for (const auto &entry : fs::recursive_directory_iterator(directory))
        if (entry.path().filename().string().rfind(".manifest", 0) != 0)
          result[entry.path().lexically_relative(directory).string()] =
            entry.is_directory() ? "folder" : get(entry.path());
    return result;
  }



  /// Names of what is in one directory only, or not the same in both.
  inline std::string
  difference(const std::map<std::string, std::string> &one,
             const std::map<std::string, std::string> &other)
  {
    std::string names;
    for (const auto &[name, text] : one)
      if (other.count(name) == 0)
        names += " -" + name;
      else if (other.at(name) != text)
        names += " *" + name;
    for (const auto &item : other)
      if (one.count(item.first) == 0)
        names += " +" + item.first;
    return names;
  }



  inline bool
  holds(const std::string &message, const std::string &words)
  {
    return message.find(words) != std::string::npos;
  }



  /// No file may grow beyond `size` while this exists: what a full disk does,
  /// without the need for one.
  struct FileSizeLimit
  {
    explicit FileSizeLimit(const rlim_t size)
      : handler(std::signal(SIGXFSZ, SIG_IGN))
    {
      ::getrlimit(RLIMIT_FSIZE, &before);
      const rlimit limit = {size, before.rlim_max};
      BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    }

    ~FileSizeLimit()
    {
      ::setrlimit(RLIMIT_FSIZE, &before);
      std::signal(SIGXFSZ, handler);
    }

    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &
    operator=(const FileSizeLimit &) = delete;

    void (*handler)(int);
    rlimit before = {};
  };



  /// A small disk of its own, if the system lets us mount one. It is full
  /// after `size` bytes.
  class SmallDisk
  {
  public:
    SmallDisk(const fs::path &directory, const std::size_t size)
      : place(directory)
    {
      fs::create_directories(place);
      const std::string options = "size=" + std::to_string(size);
      mounted =
        ::mount("none", place.c_str(), "tmpfs", 0, options.c_str()) == 0;
      if (!mounted)
        BOOST_TEST_MESSAGE("skipped: file systems cannot be mounted");
    }

    ~SmallDisk()
    {
      if (mounted)
        ::umount2(place.c_str(), MNT_DETACH);
    }

    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &
    operator=(const SmallDisk &) = delete;

    bool
    is_there() const
    {
      return mounted;
    }

  private:
    fs::path place;
    bool     mounted = false;
  };



  /// The largest memory that the process has had since the last forget_peak(),
  /// in kB.
  inline long
  peak_memory()
  {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (word == "VmHWM:")
        {
          long kilobytes = 0;
          status >> kilobytes;
          return kilobytes;
        }
    return 0;
  }



  inline void
  forget_peak()
  {
    std::ofstream("/proc/self/clear_refs") << "5";
  }



  /// Another process that does `work` again and again until it is killed.
  class Victim
  {
  public:
    template <typename Work>
    explicit Victim(const Work &work)
    {
      int ends[2];
      BOOST_REQUIRE(::pipe(ends) == 0);
      child = ::fork();
      BOOST_REQUIRE(child >= 0);
      if (child == 0)
        work_until_killed(work, ends[1]);
      ::close(ends[1]);
      char       byte  = 0;
      const bool began = ::read(ends[0], &byte, 1) == 1;
      ::close(ends[0]);
      BOOST_REQUIRE(began);
    }

    ~Victim()
    {
      kill();
    }

    Victim(const Victim &) = delete;
    Victim &
    operator=(const Victim &) = delete;

    void
    kill()
    {
      if (child > 0)
        {
          ::kill(child, SIGKILL);
          ::waitpid(child, nullptr, 0);
        }
      child = -1;
    }

  private:
    /// `work` calls its argument as soon as there is something to be killed.
    template <typename Work>
    [[noreturn]] static void
    work_until_killed(const Work &work, const int begun)
    {
      const auto tell = [begun]() {
        if (::write(begun, "b", 1) != 1)
          ::_exit(1);
      };
      try
        {
          work(tell);
        }
      catch (...)
        {}
      ::_exit(1);
    }

    pid_t child = -1;
  };
} // namespace slender::test

#endif
