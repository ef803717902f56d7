// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/output/journal.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <ostream>
#include <zlib.h>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    const std::string prefix = "chain_";

    // A file is a word, the checksum of what follows, and what follows: counts
    // and numbers of eight bytes each, and words with their lengths.
    const std::string magic = "slender_fem journal 1\n";



    fs::path
    name_of(const std::size_t chain)
    {
      return fs::path(Journal::folder) / (prefix + std::to_string(chain));
    }



    std::uint64_t
    checksum(const std::string &text)
    {
      return crc32_z(0,
                     reinterpret_cast<const unsigned char *>(text.data()),
                     text.size());
    }



    template <typename Number>
    void
    append(std::string &text, const Number number)
    {
      char bytes[sizeof(number)];
      std::memcpy(bytes, &number, sizeof(number));
      text.append(bytes, sizeof(number));
    }



    void
    append_count(std::string &text, const std::size_t count)
    {
      append(text, static_cast<std::uint64_t>(count));
    }



    /// Takes pieces off a text that may be shorter than it says.
    class Reader
    {
    public:
      Reader(std::string content, fs::path source)
        : text(std::move(content))
        , file(std::move(source))
      {}

      [[noreturn]] void
      refuse() const
      {
        throw InputError("'" + file.string() +
                         "' is damaged; remove it to compute its samples anew");
      }

      std::string
      bytes(const std::uint64_t size)
      {
        if (size > text.size() - position)
          refuse();
        std::string result = text.substr(position, size);
        position += size;
        return result;
      }

      template <typename Number>
      Number
      number()
      {
        Number result = 0;
        std::memcpy(&result, bytes(sizeof(Number)).data(), sizeof(Number));
        return result;
      }

      /// A number of items, each of which takes at least eight bytes.
      std::uint64_t
      count()
      {
        const auto result = number<std::uint64_t>();
        if (result > (text.size() - position) / 8)
          refuse();
        return result;
      }

      std::string
      rest() const
      {
        return text.substr(position);
      }

    private:
      std::string text;
      fs::path    file;
      std::size_t position = 0;
    };
  } // namespace



  Journal::Journal(RunFiles &run_files)
    : files(run_files)
  {}



  void
  Journal::write(const std::size_t chain, const std::vector<Record> &records)
  {
    std::string text;
    append_count(text, records.size());
    for (const Record &record : records)
      {
        append_count(text, record.numbers.size());
        append_count(text, record.words.size());
        for (const double number : record.numbers)
          append(text, number);
        for (const std::string &word : record.words)
          {
            append_count(text, word.size());
            text += word;
          }
      }
    std::string sum;
    append(sum, checksum(text));
    files.write(name_of(chain),
                [&](std::ostream &out) { out << magic << sum << text; });
    files.sync();
  }



  std::optional<std::vector<Journal::Record>>
  Journal::read(const std::size_t chain) const
  {
    const fs::path file = files.directory() / name_of(chain);
    if (!fs::exists(file))
      return {};
    std::ifstream in(file, std::ios::binary);
    Reader        reader({std::istreambuf_iterator<char>(in), {}}, file);
    if (!in || reader.bytes(magic.size()) != magic)
      reader.refuse();
    if (reader.number<std::uint64_t>() != checksum(reader.rest()))
      reader.refuse();

    std::vector<Record> records(reader.count());
    for (Record &record : records)
      {
        const std::uint64_t n_numbers = reader.count();
        const std::uint64_t n_words   = reader.count();
        for (std::uint64_t i = 0; i < n_numbers; ++i)
          record.numbers.push_back(reader.number<double>());
        for (std::uint64_t i = 0; i < n_words; ++i)
          record.words.push_back(reader.bytes(reader.number<std::uint64_t>()));
      }
    if (!reader.rest().empty())
      reader.refuse();
    return records;
  }



  std::vector<std::size_t>
  Journal::finished() const
  {
    std::vector<std::size_t> chains;
    const fs::path           place = files.directory() / folder;
    if (!fs::exists(place))
      return chains;
    for (const fs::directory_entry &entry : fs::directory_iterator(place))
      {
        const std::string name  = entry.path().filename().string();
        std::size_t       chain = 0;
        const char       *end   = name.data() + name.size();
        if (name.compare(0, prefix.size(), prefix) == 0 &&
            std::from_chars(name.data() + prefix.size(), end, chain).ptr ==
              end &&
            name == prefix + std::to_string(chain))
          chains.push_back(chain);
      }
    std::sort(chains.begin(), chains.end());
    return chains;
  }



  void
  Journal::remove()
  {
    for (const std::size_t chain : finished())
      files.remove(name_of(chain));
    // Unless somebody else has put something there.
    std::error_code ignored;
    fs::remove(files.directory() / folder, ignored);
  }
} // namespace slender
