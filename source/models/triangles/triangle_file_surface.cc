// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/shell_measurements.h>
#include <slender/models/triangles/triangle_file.h>
#include <slender/models/triangles/triangle_mesh.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace slender
{
  namespace
  {
    /// Corners and triangles are counted from one in messages.
    std::string
    triangle_name(const std::size_t t)
    {
      return "triangle " + std::to_string(t + 1);
    }

    std::string
    corner_name(const Index v)
    {
      return "corner " + std::to_string(v + 1);
    }

    double
    extent(const std::vector<Vector3> &x)
    {
      Vector3 low = x.front(), high = x.front();
      for (const Vector3 &at : x)
        {
          low  = low.cwiseMin(at);
          high = high.cwiseMax(at);
        }
      return (high - low).norm();
    }

    void
    check_corners(const TriangleSoup &soup)
    {
      if (soup.triangles.empty())
        throw InputError("there are no triangles");
      const auto        n = static_cast<Index>(soup.vertices.size());
      std::vector<bool> used(n, false);
      for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        {
          const auto &v = soup.triangles[t];
          for (const Index corner : v)
            {
              if (corner < 0 || corner >= n)
                throw InputError(triangle_name(t) + " has " +
                                 corner_name(corner) + ", but there are " +
                                 std::to_string(n));
              used[corner] = true;
            }
          if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            throw InputError(triangle_name(t) + " has a corner twice");
        }
      for (Index v = 0; v < n; ++v)
        {
          if (!soup.vertices[v].allFinite())
            throw InputError(corner_name(v) + " has no finite position");
          if (!used[v])
            throw InputError(corner_name(v) + " at " +
                             text_of(soup.vertices[v]) +
                             " belongs to no triangle");
        }
    }

    void
    check_places(const TriangleSoup &soup)
    {
      const double       size = extent(soup.vertices);
      std::vector<Index> order(soup.vertices.size());
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](const Index a, const Index b) {
        const Vector3 &x = soup.vertices[a], &y = soup.vertices[b];
        return std::lexicographical_compare(x.data(),
                                            x.data() + 3,
                                            y.data(),
                                            y.data() + 3);
      });
      for (std::size_t k = 1; k < order.size(); ++k)
        if ((soup.vertices[order[k]] - soup.vertices[order[k - 1]]).norm() <=
            1e-12 * size)
          throw InputError(
            corner_name(std::min(order[k], order[k - 1])) + " and " +
            corner_name(std::max(order[k], order[k - 1])) +
            " are at the same place " + text_of(soup.vertices[order[k]]) +
            "; join them, or the surface is slit there");
      for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        {
          const auto   &v    = soup.triangles[t];
          const Vector3 a    = soup.vertices[v[1]] - soup.vertices[v[0]];
          const Vector3 b    = soup.vertices[v[2]] - soup.vertices[v[0]];
          const double  side = std::max({a.norm(), b.norm(), (a - b).norm()});
          if (a.cross(b).norm() <= 1e-9 * side * side)
            throw InputError(triangle_name(t) + " at " +
                             text_of(soup.vertices[v[0]]) + " has no area");
        }
    }

    struct Side
    {
      std::array<Index, 2> pair; ///< ascending
      Index                triangle;
      bool                 forward;
    };

    std::vector<Side>
    sides_of(const TriangleSoup &soup)
    {
      std::vector<Side> sides;
      for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        for (int c = 0; c < 3; ++c)
          {
            const Index a = soup.triangles[t][c];
            const Index b = soup.triangles[t][(c + 1) % 3];
            sides.push_back({{{std::min(a, b), std::max(a, b)}},
                             static_cast<Index>(t),
                             a < b});
          }
      std::sort(sides.begin(), sides.end(), [](const Side &a, const Side &b) {
        return a.pair != b.pair ? a.pair < b.pair : a.triangle < b.triangle;
      });
      return sides;
    }

    void
    check_sides(const TriangleSoup &soup, const std::vector<Side> &sides)
    {
      std::map<std::array<Index, 3>, std::size_t> known;
      for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        {
          std::array<Index, 3> key = soup.triangles[t];
          std::sort(key.begin(), key.end());
          const auto [at, is_new] = known.emplace(key, t);
          if (!is_new)
            throw InputError(triangle_name(at->second) + " and " +
                             triangle_name(t) + " are the same");
        }
      for (std::size_t s = 0; s + 1 < sides.size(); ++s)
        {
          if (sides[s].pair != sides[s + 1].pair)
            continue;
          const std::string where = corner_name(sides[s].pair[0]) + " to " +
                                    corner_name(sides[s].pair[1]) + " at " +
                                    text_of(soup.vertices[sides[s].pair[0]]);
          if (s + 2 < sides.size() && sides[s + 2].pair == sides[s].pair)
            throw InputError("more than two triangles meet at the edge from " +
                             where);
          if (sides[s].forward == sides[s + 1].forward)
            throw InputError(
              triangle_name(sides[s].triangle) + " and " +
              triangle_name(sides[s + 1].triangle) +
              " run around in different senses at their edge from " + where +
              "; turn one of them");
        }
    }

    /// Numbers that are joined step by step.
    class Groups
    {
    public:
      explicit Groups(const std::size_t n)
        : link(n)
      {
        std::iota(link.begin(), link.end(), std::size_t(0));
      }

      std::size_t
      of(std::size_t i)
      {
        while (link[i] != i)
          i = link[i] = link[link[i]];
        return i;
      }

      void
      join(const std::size_t a, const std::size_t b)
      {
        const std::size_t x = of(a), y = of(b);
        link[std::max(x, y)] = std::min(x, y);
      }

    private:
      std::vector<std::size_t> link;
    };

    void
    check_connection(const TriangleSoup &soup, const std::vector<Side> &sides)
    {
      // Triangles around a corner are one fan if all of them are joined by
      // edges at that corner.
      Groups     fans(3 * soup.triangles.size()), pieces(soup.triangles.size());
      const auto fan = [&](const Index triangle, const Index corner) {
        const auto &v = soup.triangles[triangle];
        return 3 * static_cast<std::size_t>(triangle) +
               static_cast<std::size_t>(std::find(v.begin(), v.end(), corner) -
                                        v.begin());
      };
      for (std::size_t s = 0; s + 1 < sides.size(); ++s)
        if (sides[s].pair == sides[s + 1].pair)
          {
            pieces.join(sides[s].triangle, sides[s + 1].triangle);
            for (const Index corner : sides[s].pair)
              fans.join(fan(sides[s].triangle, corner),
                        fan(sides[s + 1].triangle, corner));
          }
      std::vector<std::size_t> fan_of(soup.vertices.size(),
                                      3 * soup.triangles.size());
      std::size_t              n_pieces = 0, other = 0;
      for (std::size_t t = 0; t < soup.triangles.size(); ++t)
        {
          if (pieces.of(t) == t)
            {
              ++n_pieces;
              other = t;
            }
          for (int c = 0; c < 3; ++c)
            {
              const Index       corner = soup.triangles[t][c];
              const std::size_t here   = fans.of(3 * t + c);
              if (fan_of[corner] == 3 * soup.triangles.size())
                fan_of[corner] = here;
              else if (fan_of[corner] != here)
                throw InputError("the surface touches itself in " +
                                 corner_name(corner) + " at " +
                                 text_of(soup.vertices[corner]) +
                                 " without being joined there by an edge");
            }
        }
      if (n_pieces > 1)
        throw InputError("the surface has " + std::to_string(n_pieces) +
                         " pieces that are not joined; one begins with " +
                         triangle_name(other));
    }

    /// Every triangle becomes four.
    TriangleSoup
    refined(const TriangleSoup &soup)
    {
      TriangleSoup                          fine;
      std::map<std::array<Index, 2>, Index> middles;
      fine.vertices     = soup.vertices;
      const auto middle = [&](const Index a, const Index b) {
        const auto [at, is_new] =
          middles.emplace(std::array<Index, 2>{{std::min(a, b),
                                                std::max(a, b)}},
                          static_cast<Index>(fine.vertices.size()));
        if (is_new)
          fine.vertices.push_back(0.5 * (soup.vertices[a] + soup.vertices[b]));
        return at->second;
      };
      for (const auto &t : soup.triangles)
        {
          const Index m[3] = {middle(t[1], t[2]),
                              middle(t[2], t[0]),
                              middle(t[0], t[1])};
          fine.triangles.push_back({{t[0], m[2], m[1]}});
          fine.triangles.push_back({{m[2], t[1], m[0]}});
          fine.triangles.push_back({{m[1], m[0], t[2]}});
          fine.triangles.push_back({{m[0], m[1], m[2]}});
        }
      for (const TriangleSoup::Line &line : soup.lines)
        {
          const Index m = middle(line.ends[0], line.ends[1]);
          fine.lines.push_back({{{line.ends[0], m}}, line.name});
          fine.lines.push_back({{{m, line.ends[1]}}, line.name});
        }
      return fine;
    }

    /// Each triangle is a patch. Pieces of the boundary that lie at the end of
    /// the surface along a coordinate axis are edges of their own.
    class TriangleSurface : public RestSurface
    {
    public:
      explicit TriangleSurface(TriangleSoup the_soup)
        : soup(std::move(the_soup))
        , length(extent(soup.vertices))
      {
        the_mesh.vertices = soup.vertices;
        for (std::size_t t = 0; t < soup.triangles.size(); ++t)
          {
            SurfaceMesh::Cell cell;
            for (int c = 0; c < 3; ++c)
              cell.vertices[c] =
                static_cast<unsigned int>(soup.triangles[t][c]);
            cell.vertices[3] = cell.vertices[2];
            cell.patch       = static_cast<int>(t);
            cell.corners = {{{{0., 0.}}, {{1., 0.}}, {{0., 1.}}, {{0., 1.}}}};
            the_mesh.cells.push_back(cell);
          }
        find_boundary();
      }

      Vector3
      position(const int patch, const double u, const double v) const override
      {
        const auto &t = soup.triangles[patch];
        return (1. - u - v) * soup.vertices[t[0]] + u * soup.vertices[t[1]] +
               v * soup.vertices[t[2]];
      }

      SurfaceMesh
      mesh() const override
      {
        return the_mesh;
      }

      std::map<std::string, int>
      edges() const override
      {
        return names;
      }

      double
      size() const override
      {
        return length;
      }

      std::unique_ptr<RestSurface>
      clone() const override
      {
        return std::make_unique<TriangleSurface>(*this);
      }

    private:
      void
      find_boundary()
      {
        constexpr const char *ends[6] = {
          "x min", "x max", "y min", "y max", "z min", "z max"};
        Vector3 low = soup.vertices.front(), high = low;
        for (const Vector3 &x : soup.vertices)
          {
            low  = low.cwiseMin(x);
            high = high.cwiseMax(x);
          }
        // Names of the file's own have numbers from 7 on.
        std::map<std::array<Index, 2>, std::string> named;
        for (const TriangleSoup::Line &line : soup.lines)
          {
            const auto [a, b] = std::minmax(line.ends[0], line.ends[1]);
            const auto [at, is_new] =
              named.emplace(std::array<Index, 2>{{a, b}}, line.name);
            if (!is_new && at->second != line.name)
              throw InputError("the line between " + text_of(soup.vertices[a]) +
                               " and " + text_of(soup.vertices[b]) +
                               " belongs to '" + at->second + "' and to '" +
                               line.name + "'");
          }
        std::map<std::string, int> numbers;
        for (const auto &[pair, name] : named)
          numbers.emplace(name, 7 + static_cast<int>(numbers.size()));
        const double            tolerance = 1e-9 * length;
        const std::vector<Side> sides     = sides_of(soup);
        for (std::size_t s = 0; s < sides.size(); ++s)
          {
            const auto &pair = sides[s].pair;
            if ((s > 0 && sides[s - 1].pair == pair) ||
                (s + 1 < sides.size() && sides[s + 1].pair == pair))
              continue;
            const Vector3 &a  = soup.vertices[pair[0]];
            const Vector3 &b  = soup.vertices[pair[1]];
            int            id = 0;
            for (int c = 2; c >= 0; --c)
              if (high(c) - low(c) > tolerance)
                {
                  if (std::max(a(c), b(c)) - low(c) <= tolerance)
                    id = 2 * c + 1;
                  else if (high(c) - std::min(a(c), b(c)) <= tolerance)
                    id = 2 * c + 2;
                }
            const auto own = named.find(pair);
            if (own != named.end())
              id = numbers.at(own->second);
            const std::string name  = own != named.end() ? own->second
                                      : id == 0          ? "rim"
                                                         : ends[id - 1];
            const auto        known = names.emplace(name, id).first;
            if (known->second != id)
              throw InputError("the name '" + name +
                               "' of a line is kept for what ends the surface "
                               "along an axis, or for the rest of its rim");
            the_mesh.edges.push_back({{{static_cast<unsigned int>(pair[0]),
                                        static_cast<unsigned int>(pair[1])}},
                                      id});
          }
      }

      TriangleSoup               soup;
      double                     length;
      SurfaceMesh                the_mesh;
      std::map<std::string, int> names;
    };
  } // namespace

  void
  check_surface(const TriangleSoup &soup)
  {
    check_corners(soup);
    check_places(soup);
    const std::vector<Side> sides = sides_of(soup);
    check_sides(soup, sides);
    check_connection(soup, sides);
  }

  std::unique_ptr<RestSurface>
  make_surface(const TriangleSoup &soup)
  {
    check_surface(soup);
    return std::make_unique<TriangleSurface>(soup);
  }

  std::unique_ptr<RestSurface>
  make_surface(const TriangleFile &file)
  {
    return make_surface(read_triangles(file.path), file);
  }

  std::unique_ptr<RestSurface>
  make_surface(TriangleSoup soup, const TriangleFile &request)
  {
    if (request.flip_normals)
      for (auto &triangle : soup.triangles)
        std::swap(triangle[1], triangle[2]);
    try
      {
        check_surface(soup);
        for (int i = 0; i < request.refinements; ++i)
          soup = refined(soup);
        return std::make_unique<TriangleSurface>(soup);
      }
    catch (const InputError &error)
      {
        throw InputError("'" + request.path + "': " + error.what(),
                         "Surface/Mesh file");
      }
  }
} // namespace slender
