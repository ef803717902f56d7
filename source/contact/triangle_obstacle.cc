// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/obstacle.h>

#include <Eigen/Geometry>
#include <boost/algorithm/string/predicate.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace slender
{
  namespace
  {
    struct Triangles
    {
      std::vector<Vector3>            corners;
      std::vector<std::array<int, 3>> faces;
    };

    /// Corners at the same place are one.
    class Collector
    {
    public:
      void
      add(const std::array<Vector3, 3> &triangle)
      {
        std::array<int, 3> face;
        for (int k = 0; k < 3; ++k)
          {
            const std::array<double, 3> key = {
              {triangle[k](0), triangle[k](1), triangle[k](2)}};
            const auto [at, is_new] =
              numbers.emplace(key, static_cast<int>(result.corners.size()));
            if (is_new)
              result.corners.push_back(triangle[k]);
            face[k] = at->second;
          }
        result.faces.push_back(face);
      }

      Triangles result;

    private:
      std::map<std::array<double, 3>, int> numbers;
    };

    Triangles
    read_binary_stl(const std::string &bytes)
    {
      Collector     collector;
      std::uint32_t n = 0;
      std::memcpy(&n, bytes.data() + 80, 4);
      for (std::uint32_t i = 0; i < n; ++i)
        {
          std::array<float, 12> numbers;
          std::memcpy(numbers.data(), bytes.data() + 84 + 50 * i, 48);
          std::array<Vector3, 3> triangle;
          for (int k = 0; k < 3; ++k)
            for (int c = 0; c < 3; ++c)
              triangle[k](c) = numbers[3 + 3 * k + c];
          collector.add(triangle);
        }
      return collector.result;
    }

    Triangles
    read_text_stl(std::istream &in)
    {
      Collector            collector;
      std::vector<Vector3> corners;
      for (std::string word; in >> word;)
        if (word == "vertex")
          {
            Vector3 x;
            in >> x(0) >> x(1) >> x(2);
            corners.push_back(x);
            if (corners.size() == 3)
              {
                collector.add({{corners[0], corners[1], corners[2]}});
                corners.clear();
              }
          }
      return collector.result;
    }

    Triangles
    read_obj(std::istream &in, const std::string &file)
    {
      Triangles result;
      for (std::string line; std::getline(in, line);)
        {
          std::istringstream words(line);
          std::string        kind;
          words >> kind;
          if (kind == "v")
            {
              Vector3 x;
              words >> x(0) >> x(1) >> x(2);
              result.corners.push_back(x);
            }
          else if (kind == "f")
            {
              std::vector<int> face;
              for (std::string corner; words >> corner;)
                {
                  const int n = std::atoi(corner.c_str());
                  face.push_back(n < 0
                                   ? static_cast<int>(result.corners.size()) + n
                                   : n - 1);
                }
              for (const int corner : face)
                if (corner < 0 ||
                    corner >= static_cast<int>(result.corners.size()))
                  throw InputError("'" + file +
                                   "' has a face without its corners");
              for (std::size_t k = 2; k < face.size(); ++k)
                result.faces.push_back({{face[0], face[k - 1], face[k]}});
            }
        }
      return result;
    }

    Triangles
    read(const std::string &file)
    {
      std::ifstream in(file, std::ios::binary);
      if (!in)
        throw InputError("cannot open '" + file + "'");
      std::ostringstream all;
      all << in.rdbuf();
      const std::string  bytes = all.str();
      std::istringstream text(bytes);
      if (boost::algorithm::iends_with(file, ".obj"))
        return read_obj(text, file);
      std::uint32_t n = 0;
      if (bytes.size() >= 84)
        std::memcpy(&n, bytes.data() + 80, 4);
      if (bytes.size() >= 84 && bytes.size() == 84 + 50 * std::size_t(n))
        return read_binary_stl(bytes);
      return read_text_stl(text);
    }

    /// The nearest point of a triangle.
    Vector3
    nearest(const Vector3 &x,
            const Vector3 &a,
            const Vector3 &b,
            const Vector3 &c)
    {
      const Vector3 ab = b - a, ac = c - a, n = ab.cross(ac);
      const double  size = n.squaredNorm();
      const double  v    = n.dot((x - a).cross(ac)) / size,
                   w     = n.dot(ab.cross(x - a)) / size;
      if (v >= 0. && w >= 0. && v + w <= 1.)
        return a + v * ab + w * ac;
      Vector3    best  = a;
      const auto along = [&](const Vector3 &p, const Vector3 &q) {
        const Vector3 d = q - p;
        const Vector3 at =
          p + std::clamp(d.dot(x - p) / d.squaredNorm(), 0., 1.) * d;
        if ((at - x).squaredNorm() < (best - x).squaredNorm())
          best = at;
      };
      along(a, b);
      along(b, c);
      along(c, a);
      return best;
    }

    class Surface : public ObstacleShape
    {
    public:
      explicit Surface(const std::string &file)
        : triangles(read(file))
      {
        if (triangles.faces.empty())
          throw InputError("'" + file + "' has no triangles");
        // Every edge has a face on either side, which runs along it the other
        // way.
        std::map<std::pair<int, int>, int> edges;
        for (const auto &face : triangles.faces)
          for (int k = 0; k < 3; ++k)
            ++edges[{face[k], face[(k + 1) % 3]}];
        for (const auto &[edge, count] : edges)
          if (const auto other = edges.find({edge.second, edge.first});
              count != 1 || other == edges.end())
            throw InputError("'" + file +
                             "' is no closed surface: the edge from corner " +
                             std::to_string(edge.first + 1) + " to corner " +
                             std::to_string(edge.second + 1) +
                             " does not have a face on either side");
        turn_outwards();
      }

      double
      distance(const Vector3 &x) const override
      {
        return side(x) * (x - nearest_to(x).first).norm();
      }

      Vector3
      normal(const Vector3 &x) const override
      {
        const auto [at, face] = nearest_to(x);
        const Vector3 away    = x - at;
        if (away.norm() > 1e-9 * size_of(face))
          return side(x) * away.normalized();
        const auto    &f = triangles.faces[face];
        const Vector3 &a = triangles.corners[f[0]];
        return (triangles.corners[f[1]] - a)
          .cross(triangles.corners[f[2]] - a)
          .normalized();
      }

      /// Of its faces: edges are sharp, and not told.
      Eigen::Matrix3d
      curvature(const Vector3 & /*x*/) const override
      {
        return Eigen::Matrix3d::Zero();
      }

    private:
      /// A surface may as well run around its faces so that they look inwards.
      void
      turn_outwards()
      {
        const Vector3 &origin = triangles.corners.front();
        double         volume = 0.; // six times that
        for (const auto &f : triangles.faces)
          volume += (triangles.corners[f[0]] - origin)
                      .dot((triangles.corners[f[1]] - origin)
                             .cross(triangles.corners[f[2]] - origin));
        if (volume < 0.)
          for (auto &f : triangles.faces)
            std::swap(f[1], f[2]);
      }

      std::pair<Vector3, std::size_t>
      nearest_to(const Vector3 &x) const
      {
        std::pair<Vector3, std::size_t> best;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < triangles.faces.size(); ++i)
          {
            const auto   &f  = triangles.faces[i];
            const Vector3 at = nearest(x,
                                       triangles.corners[f[0]],
                                       triangles.corners[f[1]],
                                       triangles.corners[f[2]]);
            if (const double d = (at - x).squaredNorm(); d < least)
              {
                least = d;
                best  = {at, i};
              }
          }
        return best;
      }

      double
      size_of(const std::size_t face) const
      {
        const auto &f = triangles.faces[face];
        return (triangles.corners[f[1]] - triangles.corners[f[0]]).norm();
      }

      /// Inside, the surface fills all directions: its solid angle is 4 pi.
      double
      side(const Vector3 &x) const
      {
        double angle = 0.;
        for (const auto &f : triangles.faces)
          {
            const Vector3 a = triangles.corners[f[0]] - x,
                          b = triangles.corners[f[1]] - x,
                          c = triangles.corners[f[2]] - x;
            const double la = a.norm(), lb = b.norm(), lc = c.norm();
            angle += 2. * std::atan2(a.dot(b.cross(c)),
                                     la * lb * lc + a.dot(b) * lc +
                                       b.dot(c) * la + c.dot(a) * lb);
          }
        return std::abs(angle) > 6.283185307179586 ? -1. : 1.;
      }

      Triangles triangles;
    };
  } // namespace

  std::unique_ptr<ObstacleShape>
  make_triangles(const std::string &file)
  {
    return std::make_unique<Surface>(file);
  }
} // namespace slender
