// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/gmsh_collector.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>

// The sections of a file of gmsh, see "MSH file format" in its manual.
namespace slender
{
  namespace
  {
    using Encoding = GmshCursor::Encoding;

    [[noreturn]] void
    refuse(const std::string &path, const std::string &why)
    {
      throw InputError("mesh '" + path + "' " + why);
    }

    class Reader
    {
    public:
      Reader(const std::string_view content, const std::string &a_path)
        : path(a_path)
        , cursor(content, a_path)
        , collector(cursor, a_path)
      {}

      GmshFile
      read()
      {
        read_format();
        while (cursor.skip_space())
          {
            const std::string name(cursor.line());
            if (name.size() < 2 || name[0] != '$' || name.rfind("$End", 0) == 0)
              cursor.refuse("a section like '$Nodes' should begin here");
            if (!sections.insert(name).second)
              cursor.refuse("a section of this name was there before");
            read_section(name.substr(1));
          }
        return collector.finish();
      }

    private:
      const std::string     path;
      GmshCursor            cursor;
      GmshCollector         collector;
      bool                  is_4     = false; ///< format 4.1, and not 2.2
      Encoding              encoding = Encoding::text; ///< of long lists
      std::set<std::string> sections;

      /// Physical lines by the curves that belong to them. Of more than two
      /// only two are kept: that is one too many already.
      std::map<int, std::vector<int>> physical_of_curve;

      void
      read_format()
      {
        if (cursor.line() != "$MeshFormat")
          refuse(path,
                 "cannot be read; a file of gmsh, format 2.2 or 4.1, with one "
                 "surface of quadrilaterals is expected");
        cursor.begin_record();
        const double version   = cursor.number();
        const int    kind      = cursor.integer();
        const int    data_size = cursor.integer();
        is_4                   = version == 4.1;
        if (version != 2.2 && !is_4)
          cursor.refuse("formats 2.2 and 4.1 are known (in gmsh: "
                        "Mesh.MshFileVersion = 4.1;)");
        if ((kind != 0 && kind != 1) || data_size != 8)
          cursor.refuse("'0 8' for text or '1 8' for binary is expected after "
                        "the format");
        cursor.line();
        if (kind == 1)
          {
            cursor.encoding = Encoding::binary;
            const int one   = cursor.integer();
            if (one != 1 && one != 0x01000000)
              cursor.refuse("the order of bytes should be given here");
            encoding = one == 1 ? Encoding::binary : Encoding::swapped;
          }
        end_section("MeshFormat");
      }

      void
      read_section(const std::string &name)
      {
        // Numbers of format 4.1 are all binary, or none is.
        const bool known =
          name == "Entities" || name == "Nodes" || name == "Elements";
        if (known && is_4)
          cursor.encoding = encoding;
        if (name == "PhysicalNames")
          read_names();
        else if (name == "Entities" && is_4)
          {
            if (sections.count("$Elements") > 0)
              cursor.refuse("$Entities must come before $Elements");
            read_entities();
          }
        else if (name == "Nodes")
          is_4 ? read_nodes_4() : read_nodes_2();
        else if (name == "Elements")
          {
            if (sections.count("$Nodes") == 0)
              cursor.refuse("$Nodes must come before $Elements");
            is_4 ? read_elements_4() : read_elements_2();
          }
        else if (name == "PartitionedEntities")
          refuse(path,
                 "is partitioned; save it as one (in gmsh: UnpartitionMesh;)");
        else
          {
            // Data, comments, and what else does not concern a shell.
            const std::size_t end = cursor.rest().find("$End" + name);
            if (end == std::string_view::npos)
              cursor.refuse("section '$" + printable(name) + "' has no end");
            cursor.advance(end);
          }
        end_section(name);
      }

      static std::string
      printable(const std::string &name)
      {
        std::string result = name.substr(0, 40);
        for (char &c : result)
          if (c < ' ' || c > '~')
            c = '?';
        return result;
      }

      void
      end_section(const std::string &name)
      {
        cursor.encoding = Encoding::text;
        if (!cursor.skip_space())
          cursor.refuse("the file ends within its section $" + printable(name));
        if (cursor.line() != "$End" + name)
          cursor.refuse("$End" + printable(name) +
                        " is expected here; is there more or less in the "
                        "section than it announces?");
      }

      /// A number of a node or an element.
      std::uint64_t
      take_number()
      {
        if (is_4)
          return cursor.size();
        const int number = cursor.integer();
        if (number < 0)
          cursor.refuse("numbers of nodes and elements are not negative");
        return static_cast<std::uint64_t>(number);
      }

      /// The number of a physical line, whose sign would be its direction.
      int
      take_physical()
      {
        const int number = cursor.integer();
        if (number == std::numeric_limits<int>::min())
          cursor.refuse("there is no physical group of this number");
        return std::abs(number);
      }

      void
      read_names()
      {
        cursor.begin_record();
        const std::uint64_t n = cursor.size();
        cursor.end_record();
        cursor.check_room(n, 7, 7, "names");
        for (std::uint64_t i = 0; i < n; ++i)
          {
            cursor.begin_record();
            const int              dimension = cursor.integer();
            const int              number    = take_physical();
            const std::string_view rest      = cursor.line();
            const std::size_t      first     = rest.find('"');
            const std::size_t      last      = rest.rfind('"');
            if (first == std::string_view::npos || last == first)
              cursor.refuse("a name between quotation marks is expected");
            const std::string name(rest.substr(first + 1, last - first - 1));
            if (std::any_of(name.begin(), name.end(), [](const char c) {
                  return (c >= 0 && c < ' ') || c == 127;
                }))
              cursor.refuse("a name must not have control characters");
            if (dimension == 1 && !name.empty())
              collector.add_name(name, number);
          }
      }

      void
      read_entities()
      {
        cursor.begin_record();
        std::array<std::uint64_t, 4> counts;
        for (std::uint64_t &count : counts)
          {
            count = cursor.size();
            cursor.check_room(count, 10, 36, "entities");
          }
        cursor.end_record();
        for (int dimension = 0; dimension < 4; ++dimension)
          for (std::uint64_t i = 0; i < counts[dimension]; ++i)
            read_entity(dimension);
      }

      /// Number, where it is, physical groups, entities around it.
      void
      read_entity(const int dimension)
      {
        cursor.begin_record();
        const int number = cursor.integer();
        for (int c = 0; c < (dimension == 0 ? 3 : 6); ++c)
          cursor.number();
        const std::uint64_t n_groups = cursor.size();
        cursor.check_room(n_groups, 2, 4, "physical groups");
        for (std::uint64_t g = 0; g < n_groups; ++g)
          {
            const int group = take_physical();
            if (dimension == 1)
              {
                std::vector<int> &known = physical_of_curve[number];
                if (known.empty() || (known.size() == 1 && known[0] != group))
                  known.push_back(group);
              }
          }
        if (dimension > 0)
          {
            const std::uint64_t n_around = cursor.size();
            cursor.check_room(n_around, 2, 4, "entities");
            for (std::uint64_t a = 0; a < n_around; ++a)
              cursor.integer();
          }
        cursor.end_record();
      }

      void
      reserve_nodes(const std::uint64_t n)
      {
        cursor.check_room(n, 8, is_4 ? 32 : 28, "nodes");
        collector.reserve_nodes(n);
      }

      void
      take_position()
      {
        Vector3 x;
        for (int c = 0; c < 3; ++c)
          x(c) = cursor.number();
        collector.add_node_position(x);
      }

      void
      read_nodes_2()
      {
        cursor.begin_record();
        const std::uint64_t n = cursor.size();
        cursor.line();
        cursor.encoding = encoding;
        reserve_nodes(n);
        for (std::uint64_t i = 0; i < n; ++i)
          {
            cursor.begin_record();
            collector.add_node_number(take_number());
            take_position();
            cursor.end_record();
          }
        collector.finish_nodes();
      }

      void
      read_nodes_4()
      {
        cursor.begin_record();
        const std::uint64_t n_blocks = cursor.size();
        const std::uint64_t n        = cursor.size();
        cursor.size(); // the smallest and the largest number
        cursor.size();
        cursor.end_record();
        cursor.check_room(n_blocks, 8, 20, "blocks");
        reserve_nodes(n);
        for (std::uint64_t b = 0; b < n_blocks; ++b)
          {
            cursor.begin_record();
            const int dimension = cursor.integer();
            cursor.integer(); // of the entity
            const int           parametric = cursor.integer();
            const std::uint64_t n_here     = cursor.size();
            if (dimension < 0 || dimension > 3 || parametric < 0 ||
                parametric > 1)
              cursor.refuse("a block of nodes has a dimension from 0 to 3, and "
                            "0 or 1 for whether it has parameters");
            if (n_here > n - collector.n_nodes())
              cursor.refuse("there are more nodes than announced");
            cursor.end_record();
            for (std::uint64_t i = 0; i < n_here; ++i)
              {
                cursor.begin_record();
                collector.add_node_number(cursor.size());
              }
            for (std::uint64_t i = 0; i < n_here; ++i)
              {
                cursor.begin_record();
                take_position();
                for (int p = 0; p < parametric * dimension; ++p)
                  cursor.number();
                cursor.end_record();
              }
          }
        if (collector.n_nodes() != n)
          cursor.refuse("there are fewer nodes than announced");
        collector.finish_nodes();
      }

      /// The nodes of an element, of which the rest is known.
      void
      take_nodes(const GmshElement      &kind,
                 const std::uint64_t     number,
                 const std::vector<int> &groups)
      {
        std::vector<unsigned int> nodes;
        for (int a = 0; a < kind.n_nodes; ++a)
          nodes.push_back(collector.node(take_number()));
        cursor.end_record();
        collector.add_element(kind, number, groups, nodes);
      }

      /// The groups of an element are among its tags: a physical group, the
      /// entity, and perhaps partitions.
      void
      take_tags(const int n_tags, std::vector<int> &groups)
      {
        groups.clear();
        for (int t = 0; t < n_tags; ++t)
          if (t == 0)
            groups.push_back(take_physical());
          else
            cursor.integer();
      }

      void
      check_tags(const int n_tags) const
      {
        if (n_tags < 0)
          cursor.refuse("an element cannot have " + std::to_string(n_tags) +
                        " tags");
        cursor.check_room(static_cast<std::uint64_t>(n_tags), 2, 4, "tags");
      }

      void
      read_elements_2()
      {
        cursor.begin_record();
        const std::uint64_t n = cursor.size();
        cursor.line();
        cursor.encoding = encoding;
        cursor.check_room(n, 8, 8, "elements");
        std::vector<int> groups;
        if (encoding == Encoding::text)
          for (std::uint64_t i = 0; i < n; ++i)
            {
              cursor.begin_record();
              const std::uint64_t number = take_number();
              const GmshElement   kind   = collector.kind(cursor.integer());
              const int           n_tags = cursor.integer();
              check_tags(n_tags);
              take_tags(n_tags, groups);
              take_nodes(kind, number, groups);
            }
        else
          for (std::uint64_t done = 0; done < n;)
            {
              const GmshElement kind   = collector.kind(cursor.integer());
              const int         n_here = cursor.integer();
              const int         n_tags = cursor.integer();
              check_tags(n_tags);
              if (n_here <= 0 || static_cast<std::uint64_t>(n_here) > n - done)
                cursor.refuse("a block must have at least one element, and not "
                              "more than announced");
              for (int i = 0; i < n_here; ++i)
                {
                  const std::uint64_t number = take_number();
                  take_tags(n_tags, groups);
                  take_nodes(kind, number, groups);
                }
              done += static_cast<std::uint64_t>(n_here);
            }
      }

      void
      read_elements_4()
      {
        cursor.begin_record();
        const std::uint64_t n_blocks = cursor.size();
        const std::uint64_t n        = cursor.size();
        cursor.size(); // the smallest and the largest number
        cursor.size();
        cursor.end_record();
        cursor.check_room(n_blocks, 8, 20, "blocks");
        cursor.check_room(n, 4, 16, "elements");
        std::uint64_t n_left = n;
        for (std::uint64_t b = 0; b < n_blocks; ++b)
          {
            cursor.begin_record();
            const int           dimension = cursor.integer();
            const int           entity    = cursor.integer();
            const GmshElement   kind      = collector.kind(cursor.integer());
            const std::uint64_t n_here    = cursor.size();
            if (dimension != kind.dimension())
              cursor.refuse(
                "elements of dimension " + std::to_string(kind.dimension()) +
                " are in a block of dimension " + std::to_string(dimension));
            if (n_here > n_left)
              cursor.refuse("there are more elements than announced");
            cursor.end_record();
            n_left -= n_here;
            const auto             at = physical_of_curve.find(entity);
            const std::vector<int> groups =
              dimension == 1 && at != physical_of_curve.end()
                ? at->second
                : std::vector<int>();
            for (std::uint64_t i = 0; i < n_here; ++i)
              {
                cursor.begin_record();
                const std::uint64_t number = cursor.size();
                take_nodes(kind, number, groups);
              }
          }
        if (n_left > 0)
          cursor.refuse("there are fewer elements than announced");
      }
    };
  } // namespace

  GmshFile
  parse_gmsh(const std::string_view content, const std::string &path)
  {
    return Reader(content, path).read();
  }
} // namespace slender
