// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_file.h>
#include <slender/models/triangles/triangle_file.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace slender
{
  namespace
  {
    std::string
    ending_of(const std::string &path)
    {
      std::string ending = std::filesystem::path(path).extension().string();
      std::transform(ending.begin(), ending.end(), ending.begin(), ::tolower);
      return ending;
    }

    /// Words of a text, line by line; it knows where it is.
    class Lines
    {
    public:
      Lines(const std::string &text, const std::string &name)
        : stream(text)
        , path(name)
      {}

      [[noreturn]] void
      refuse(const std::string &why) const
      {
        throw InputError("mesh '" + path + "', line " + std::to_string(number) +
                           ": " + why,
                         "Surface/Mesh file");
      }

      /// The next line that has words; comments begin with #.
      bool
      next()
      {
        std::string line;
        while (std::getline(stream, line))
          {
            ++number;
            if (const auto comment = line.find('#');
                comment != std::string::npos)
              line.resize(comment);
            words.clear();
            std::istringstream parts(line);
            for (std::string word; parts >> word;)
              words.push_back(word);
            if (!words.empty())
              return true;
          }
        return false;
      }

      void
      require()
      {
        if (!next())
          refuse("the file ends too early");
      }

      template <class Number>
      Number
      get(const std::size_t i) const
      {
        if (i >= words.size())
          refuse("something is missing");
        return number_in<Number>(words[i]);
      }

      template <class Number>
      Number
      number_in(const std::string &word) const
      {
        Number      value{};
        const char *begin = word.data(), *end = begin + word.size();
        if (begin != end && *begin == '+')
          ++begin;
        const auto [at, error] = std::from_chars(begin, end, value);
        if (error != std::errc() || at != end)
          refuse("'" + word + "' is not a number");
        return value;
      }

      Vector3
      position(const std::size_t first) const
      {
        return {get<double>(first),
                get<double>(first + 1),
                get<double>(first + 2)};
      }

      std::vector<std::string> words;

    private:
      std::istringstream stream;
      std::string        path;
      std::size_t        number = 0;
    };

    /// Far more than any shell of ours has.
    constexpr long most = 50000000;

    Index
    count_in(const Lines &lines, const std::size_t i)
    {
      const long n = lines.get<long>(i);
      if (n < 0 || n > most)
        lines.refuse("'" + lines.words[i] + "' is no number of things");
      return static_cast<Index>(n);
    }

    const std::string only_triangles =
      "a face has three corners here; cut others into triangles";

    TriangleSoup
    read_obj(Lines &lines)
    {
      TriangleSoup soup;
      while (lines.next())
        if (lines.words[0] == "v")
          soup.vertices.push_back(lines.position(1));
        else if (lines.words[0] == "f")
          {
            if (lines.words.size() != 4)
              lines.refuse(only_triangles);
            std::array<Index, 3> triangle;
            for (int c = 0; c < 3; ++c)
              {
                // corner/texture/normal; negative ones count from the last
                const std::string &word = lines.words[c + 1];
                const Index        v =
                  lines.number_in<Index>(word.substr(0, word.find('/')));
                const auto n = static_cast<Index>(soup.vertices.size());
                triangle[c]  = v < 0 ? n + v : v - 1;
                if (triangle[c] < 0 || v == 0)
                  lines.refuse("there is no corner " + word);
              }
            soup.triangles.push_back(triangle);
          }
      return soup;
    }

    TriangleSoup
    read_off(Lines &lines)
    {
      lines.require();
      if (lines.words[0] != "OFF")
        lines.refuse("an OFF file begins with OFF");
      lines.words.erase(lines.words.begin());
      if (lines.words.empty())
        lines.require();
      const Index n_vertices = count_in(lines, 0), n_faces = count_in(lines, 1);
      TriangleSoup soup;
      for (Index v = 0; v < n_vertices; ++v)
        {
          lines.require();
          soup.vertices.push_back(lines.position(0));
        }
      for (Index f = 0; f < n_faces; ++f)
        {
          lines.require();
          if (lines.get<Index>(0) != 3)
            lines.refuse(only_triangles);
          soup.triangles.push_back(
            {{lines.get<Index>(1), lines.get<Index>(2), lines.get<Index>(3)}});
        }
      return soup;
    }

    /// Corners at the same place are one: STL has them triangle by triangle.
    class Joined
    {
    public:
      Index
      add(const Vector3 &x)
      {
        const auto n = static_cast<Index>(soup.vertices.size());
        const auto [at, is_new] =
          known.emplace(std::array<double, 3>{{x(0), x(1), x(2)}}, n);
        if (is_new)
          soup.vertices.push_back(x);
        return at->second;
      }

      TriangleSoup soup;

    private:
      std::map<std::array<double, 3>, Index> known;
    };

    TriangleSoup
    read_stl_text(Lines &lines)
    {
      Joined             joined;
      std::vector<Index> corners;
      while (lines.next())
        if (lines.words[0] == "vertex")
          corners.push_back(joined.add(lines.position(1)));
        else if (lines.words[0] == "endfacet")
          {
            if (corners.size() != 3)
              lines.refuse(only_triangles);
            joined.soup.triangles.push_back(
              {{corners[0], corners[1], corners[2]}});
            corners.clear();
          }
      return joined.soup;
    }

    /// Numbers of a binary file; throws beyond its end.
    class Bytes
    {
    public:
      Bytes(const std::string &the_content,
            const std::size_t  begin,
            std::string        name)
        : content(the_content)
        , at(begin)
        , path(std::move(name))
      {}

      [[noreturn]] void
      refuse(const std::string &why) const
      {
        throw InputError("mesh '" + path + "': " + why, "Surface/Mesh file");
      }

      template <class Number>
      Number
      get(const bool swapped = false)
      {
        if (content.size() - at < sizeof(Number))
          refuse("the file ends too early");
        char bytes[sizeof(Number)];
        std::memcpy(bytes, content.data() + at, sizeof(Number));
        if (swapped)
          std::reverse(bytes, bytes + sizeof(Number));
        Number value;
        std::memcpy(&value, bytes, sizeof(Number));
        at += sizeof(Number);
        return value;
      }

      std::size_t
      left() const
      {
        return content.size() - at;
      }

    private:
      const std::string &content;
      std::size_t        at;
      std::string        path;
    };

    TriangleSoup
    read_stl_binary(const std::string &content, const std::string &path)
    {
      Bytes                 bytes(content, 80, path);
      const auto            n            = bytes.get<std::uint32_t>();
      constexpr std::size_t per_triangle = 50;
      if (bytes.left() / per_triangle < n)
        bytes.refuse("the file ends too early");
      Joined joined;
      for (std::uint32_t t = 0; t < n; ++t)
        {
          std::array<Index, 3> triangle;
          for (int k = 0; k < 3; ++k)
            bytes.get<float>(); // the normal, which follows from the corners
          for (Index &corner : triangle)
            {
              const float x = bytes.get<float>(), y = bytes.get<float>(),
                          z = bytes.get<float>();
              corner        = joined.add(Vector3(x, y, z));
            }
          bytes.get<std::uint16_t>();
          joined.soup.triangles.push_back(triangle);
        }
      return joined.soup;
    }

    TriangleSoup
    read_stl(const std::string &content, const std::string &path)
    {
      // Binary files may begin with "solid" too, but their size tells.
      if (content.size() >= 84)
        {
          std::uint32_t n;
          std::memcpy(&n, content.data() + 80, sizeof n);
          if (content.size() == 84 + std::size_t(50) * n)
            return read_stl_binary(content, path);
        }
      if (content.rfind("solid", 0) == 0)
        {
          Lines lines(content, path);
          return read_stl_text(lines);
        }
      return read_stl_binary(content, path);
    }

    /// What an element of a PLY file has.
    struct Property
    {
      std::string name, type, count_type; ///< the last one of a list
    };

    struct Element
    {
      std::string           name;
      Index                 count;
      std::vector<Property> properties;
    };

    double
    binary_number(Bytes &bytes, const std::string &type, const bool swapped)
    {
      if (type == "char" || type == "int8")
        return bytes.get<std::int8_t>();
      if (type == "uchar" || type == "uint8")
        return bytes.get<std::uint8_t>();
      if (type == "short" || type == "int16")
        return bytes.get<std::int16_t>(swapped);
      if (type == "ushort" || type == "uint16")
        return bytes.get<std::uint16_t>(swapped);
      if (type == "int" || type == "int32")
        return bytes.get<std::int32_t>(swapped);
      if (type == "uint" || type == "uint32")
        return bytes.get<std::uint32_t>(swapped);
      if (type == "float" || type == "float32")
        return bytes.get<float>(swapped);
      if (type == "double" || type == "float64")
        return bytes.get<double>(swapped);
      bytes.refuse("'" + type + "' is no type of PLY");
    }

    TriangleSoup
    read_ply(const std::string &content, const std::string &path)
    {
      const std::string mark = "end_header";
      const auto        end  = content.find(mark);
      Lines             lines(content, path);
      if (content.rfind("ply", 0) != 0 || end == std::string::npos)
        lines.refuse("a PLY file has a header from ply to end_header");
      std::vector<Element> elements;
      std::string          format;
      while (lines.next() && lines.words[0] != mark)
        if (lines.words[0] == "format" && lines.words.size() > 1)
          format = lines.words[1];
        else if (lines.words[0] == "element" && lines.words.size() == 3)
          elements.push_back({lines.words[1], count_in(lines, 2), {}});
        else if (lines.words[0] == "property" && !elements.empty())
          {
            const auto &w = lines.words;
            if (w.size() == 5 && w[1] == "list")
              elements.back().properties.push_back({w[4], w[3], w[2]});
            else if (w.size() == 3)
              elements.back().properties.push_back({w[2], w[1], ""});
            else
              lines.refuse("this property cannot be understood");
          }
      const bool is_text = format == "ascii";
      if (!is_text && format != "binary_little_endian" &&
          format != "binary_big_endian")
        lines.refuse("'" + format + "' is no format of PLY");
      Bytes        bytes(content,
                  std::min(content.size(), content.find('\n', end) + 1),
                  path);
      const bool   swapped = format == "binary_big_endian";
      TriangleSoup soup;
      for (const Element &element : elements)
        for (Index i = 0; i < element.count; ++i)
          {
            std::size_t word = 0;
            if (is_text)
              lines.require();
            const auto number = [&](const std::string &type) {
              return is_text ? lines.get<double>(word++)
                             : binary_number(bytes, type, swapped);
            };
            Vector3              x        = Vector3::Zero();
            std::array<Index, 3> triangle = {{-1, -1, -1}};
            for (const Property &property : element.properties)
              {
                const auto n =
                  property.count_type.empty()
                    ? 1
                    : static_cast<Index>(number(property.count_type));
                const bool is_face = element.name == "face" &&
                                     !property.count_type.empty() &&
                                     property.name.rfind("vertex_ind", 0) == 0;
                if (is_face && n != 3)
                  bytes.refuse(only_triangles);
                for (Index k = 0; k < n; ++k)
                  {
                    const double value = number(property.type);
                    if (is_face)
                      triangle[k] = static_cast<Index>(value);
                    else if (property.name == "x" || property.name == "y" ||
                             property.name == "z")
                      x(property.name[0] - 'x') = value;
                  }
              }
            if (element.name == "vertex")
              soup.vertices.push_back(x);
            else if (element.name == "face")
              soup.triangles.push_back(triangle);
          }
      return soup;
    }
  } // namespace

  bool
  is_triangle_file(const std::string &path)
  {
    const std::string ending = ending_of(path);
    return ending == ".obj" || ending == ".off" || ending == ".ply" ||
           ending == ".stl";
  }

  TriangleSoup
  parse_triangles(const std::string &content, const std::string &path)
  {
    const std::string ending = ending_of(path);
    if (ending == ".stl")
      return read_stl(content, path);
    if (ending == ".ply")
      return read_ply(content, path);
    Lines lines(content, path);
    return ending == ".off" ? read_off(lines) : read_obj(lines);
  }

  TriangleSoup
  read_triangles(const std::string &path)
  {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none))
      throw InputError("mesh '" + path +
                         "' cannot be opened: it is no ordinary file",
                       "Surface/Mesh file");
    std::ifstream file(path, std::ios::binary);
    if (!file)
      throw InputError("mesh '" + path + "' cannot be opened",
                       "Surface/Mesh file");
    std::ostringstream content;
    content << file.rdbuf();
    return parse_triangles(content.str(), path);
  }

  TriangleSoup
  triangles_of(const GmshFile &file)
  {
    TriangleSoup       soup;
    std::vector<Index> place(file.nodes.size(), -1);
    for (const auto &nodes : file.triangles)
      {
        std::array<Index, 3> triangle;
        for (int c = 0; c < 3; ++c)
          {
            Index &at = place[nodes[c]];
            if (at < 0)
              {
                at = static_cast<Index>(soup.vertices.size());
                soup.vertices.push_back(file.nodes[nodes[c]]);
              }
            triangle[c] = at;
          }
        soup.triangles.push_back(triangle);
      }
    std::map<int, std::string> names;
    for (const auto &[name, number] : file.names)
      names[number] = name;
    for (const GmshFile::Line &line : file.lines)
      {
        const Index a = place[line.ends[0]], b = place[line.ends[1]];
        const auto  name = names.find(line.number);
        if (a >= 0 && b >= 0)
          soup.lines.push_back(
            {{{a, b}},
             name != names.end() ? name->second : std::to_string(line.number)});
      }
    return soup;
  }
} // namespace slender
