// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/mesh_conformity.h>
#include <slender/models/shells/point_grid.h>

#include <Eigen/Dense>

#include <algorithm>
#include <map>
#include <sstream>

namespace slender
{
  namespace
  {
    /// Nodes and sides that are nearer than this part of a side's length are
    /// taken to be at the same place. A gap that is meant is wider than that,
    /// or its cells would be useless.
    constexpr double gap = 1e-3;

    /// How far a node may be from where a straight side would have it, in
    /// lengths of the side. Half a circle has 0.5.
    constexpr double largest_bulge = 0.75;

    [[noreturn]] void
    refuse(const std::string &path, const std::string &why)
    {
      throw InputError("mesh '" + path + "': " + why);
    }

    std::string
    text_of(const Vector3 &x)
    {
      std::ostringstream text;
      text.precision(6);
      // No -0.
      text << "(" << x(0) + 0. << ", " << x(1) + 0. << ", " << x(2) + 0. << ")";
      return text.str();
    }

    /// The normal must nowhere vanish, and not jump to the other side between
    /// one sample and the next; corners are among the samples.
    bool
    has_a_normal(const PolynomialPatch &patch)
    {
      const int            n = 2 * patch.k; // samples per direction, less one
      std::vector<Vector3> normals;
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
          normals.push_back(patch.normal(double(i) / n, double(j) / n));
      double largest = 0.;
      for (const Vector3 &x : patch.nodes)
        largest = std::max(largest, (x - patch.nodes[0]).squaredNorm());
      const auto agree = [&](const int a, const int b) {
        return normals[a].dot(normals[b]) > 0.;
      };
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
          {
            const int a = i + (n + 1) * j;
            if (!(normals[a].norm() > 1e-8 * largest) ||
                (i < n && !agree(a, a + 1)) || (j < n && !agree(a, a + n + 1)))
              return false;
          }
      return true;
    }

    /// The straight cell with the same corners.
    PolynomialPatch
    straightened(const PolynomialPatch &patch)
    {
      const int k = patch.k;
      return {1,
              {patch.nodes[0],
               patch.nodes[k],
               patch.nodes[(k + 1) * k],
               patch.nodes[(k + 1) * (k + 1) - 1]}};
    }

    /// Where node i of side s stands in a cell, counterclockwise from 0 to k.
    int
    on_side(const int s, const int i, const int k)
    {
      const int u = s == 0 ? i : s == 1 ? k : s == 2 ? k - i : 0;
      const int v = s == 0 ? 0 : s == 1 ? i : s == 2 ? k : k - i;
      return u + (k + 1) * v;
    }

    class Conformity
    {
    public:
      Conformity(const GmshFile                     &a_file,
                 const std::vector<PolynomialPatch> &all_patches,
                 const std::string                  &a_path)
        : file(a_file)
        , patches(all_patches)
        , path(a_path)
        , k(a_file.degree)
      {}

      void
      check_cells() const
      {
        for (std::size_t c = 0; c < patches.size(); ++c)
          {
            for (int s = 0; k > 1 && s < 4; ++s)
              check_side_nodes(c, s);
            if (has_a_normal(patches[c]))
              continue;
            if (k > 1 && has_a_normal(straightened(patches[c])))
              refuse(path,
                     "cell " + number_of(c) +
                       " is inverted or degenerate, although its corners are "
                       "in order: its other nodes are not where gmsh would "
                       "have them (in gmsh: Mesh.HighOrderOptimize = 1;)");
            refuse(path,
                   "cell " + number_of(c) +
                     " is inverted or degenerate; a cell must be convex at its "
                     "corners and have a normal everywhere");
          }
      }

      /// Finds all sides, and with them the boundary.
      void
      check_sides()
      {
        check_corners();
        std::vector<Side> sides;
        for (std::size_t c = 0; c < file.cells.size(); ++c)
          for (int s = 0; s < 4; ++s)
            sides.push_back({c, s});
        const auto ends = [&](const Side &side) {
          const unsigned int a = node(side, 0), b = node(side, k);
          return std::make_pair(std::min(a, b), std::max(a, b));
        };
        std::sort(sides.begin(),
                  sides.end(),
                  [&](const Side &a, const Side &b) {
                    return ends(a) < ends(b);
                  });
        for (std::size_t i = 0; i < sides.size(); ++i)
          {
            const bool as_before =
              i > 0 && ends(sides[i]) == ends(sides[i - 1]);
            const bool as_after =
              i + 1 < sides.size() && ends(sides[i]) == ends(sides[i + 1]);
            if (as_before)
              check_common_side(sides[i - 1], sides[i]);
            if (!as_before && !as_after)
              boundary.push_back(sides[i]);
          }
      }

      void
      check_boundary(const bool slits) const
      {
        if (boundary.empty())
          return;
        // Its nodes, and how long the shortest side is that they are on.
        std::map<unsigned int, double> lengths;
        double                         mean = 0.;
        for (const Side &side : boundary)
          for (int i = 0; i <= k; ++i)
            {
              const double length = length_of(side);
              const auto   at = lengths.emplace(node(side, i), length).first;
              at->second      = std::min(at->second, length);
              mean += length / (double(boundary.size()) * (k + 1));
            }
        std::vector<unsigned int> nodes;
        std::vector<Vector3>      places;
        for (const auto &[n, length] : lengths)
          {
            nodes.push_back(n);
            places.push_back(file.nodes[n]);
          }
        const PointGrid grid(places, mean);
        if (!slits)
          for (const unsigned int n : nodes)
            {
              const double  near = gap * lengths.at(n);
              const Vector3 margin(near, near, near), x = file.nodes[n];
              grid.visit(x - margin, x + margin, [&](const std::size_t other) {
                const unsigned int m = nodes[other];
                if (m != n && (places[other] - x).norm() < gap * lengths.at(m))
                  refuse_duplicate(std::min(m, n), std::max(m, n));
              });
            }
        check_hanging_nodes(nodes, grid);
      }

      /// No point of a cell may be on another cell.
      void
      check_overlap() const
      {
        std::vector<Vector3> samples;
        constexpr int        n_samples = 5;
        double               mean      = 0.;
        for (const PolynomialPatch &patch : patches)
          {
            samples.push_back(patch.position(0.5, 0.5));
            for (const double u : {0.25, 0.75})
              for (const double v : {0.25, 0.75})
                samples.push_back(patch.position(u, v));
            mean += Frame(patch).extent() / double(patches.size());
          }
        const PointGrid grid(samples, mean);
        for (std::size_t c = 0; c < patches.size(); ++c)
          {
            const Frame frame(patches[c]);
            grid.visit(frame.low, frame.high, [&](const std::size_t s) {
              if (s / n_samples != c && frame.may_hold(samples[s]) &&
                  lies_on(samples[s], patches[c], gap * frame.extent()))
                refuse(path,
                       "cells " + number_of(s / n_samples) + " and " +
                         number_of(c) + " lie upon each other at " +
                         text_of(samples[s]) +
                         "; every piece of the surface must be meshed once");
            });
          }
      }

    private:
      struct Side
      {
        std::size_t cell;
        int         side;
      };

      /// A box around a patch that is turned with it, and one that is not.
      struct Frame
      {
        Vector3         centre, low, high;
        Eigen::Matrix3d axes; ///< as columns
        Vector3         reach = Vector3::Zero();

        explicit Frame(const PolynomialPatch &patch)
        {
          const auto tangents = patch.tangents(0.5, 0.5);
          axes.col(0)         = tangents.col(0).normalized();
          axes.col(2)         = patch.normal(0.5, 0.5).normalized();
          axes.col(1)         = axes.col(2).cross(axes.col(0));
          centre              = patch.position(0.5, 0.5);
          low = high = centre;
          for (const Vector3 &x : patch.nodes)
            {
              low   = low.cwiseMin(x);
              high  = high.cwiseMax(x);
              reach = reach.cwiseMax(
                (axes.transpose() * (x - centre)).cwiseAbs().eval());
            }
          // Between its nodes a curved cell may reach a little further.
          const double  margin = (patch.k > 1 ? 0.1 : gap) * extent();
          const Vector3 around(margin, margin, margin);
          low -= around;
          high += around;
          reach += around;
        }

        double
        extent() const
        {
          return reach.maxCoeff();
        }

        bool
        may_hold(const Vector3 &x) const
        {
          return ((axes.transpose() * (x - centre)).cwiseAbs().array() <=
                  reach.array())
            .all();
        }
      };

      const GmshFile                     &file;
      const std::vector<PolynomialPatch> &patches;
      const std::string                  &path;
      const int                           k;
      std::vector<Side>                   boundary;

      std::string
      number_of(const std::size_t cell) const
      {
        return std::to_string(file.cells[cell].number);
      }

      unsigned int
      node(const Side &side, const int i) const
      {
        return file.cells[side.cell].nodes[on_side(side.side, i, k)];
      }

      double
      length_of(const Side &side) const
      {
        return (file.nodes[node(side, k)] - file.nodes[node(side, 0)]).norm();
      }

      void
      check_side_nodes(const std::size_t cell, const int s) const
      {
        const Side    side{cell, s};
        const Vector3 from = file.nodes[node(side, 0)],
                      to   = file.nodes[node(side, k)];
        for (int i = 1; i < k; ++i)
          {
            const Vector3 &x        = file.nodes[node(side, i)];
            const Vector3  straight = from + double(i) / k * (to - from);
            if (!((x - straight).norm() <= largest_bulge * (to - from).norm()))
              refuse(path,
                     "node " +
                       std::to_string(file.node_numbers[node(side, i)]) +
                       " at " + text_of(x) + " is far off the side of cell " +
                       number_of(cell) +
                       " that it is on; nodes stand in the order of gmsh's "
                       "manual, and a side bulges by at most " +
                       "0.75 of its length");
          }
      }

      void
      check_corners() const
      {
        std::vector<std::pair<std::array<unsigned int, 4>, std::size_t>>
          corners;
        for (std::size_t c = 0; c < file.cells.size(); ++c)
          {
            std::array<unsigned int, 4> of_cell;
            for (int s = 0; s < 4; ++s)
              of_cell[s] = node({c, s}, 0);
            std::sort(of_cell.begin(), of_cell.end());
            corners.emplace_back(of_cell, c);
          }
        std::sort(corners.begin(), corners.end());
        for (std::size_t i = 1; i < corners.size(); ++i)
          if (corners[i].first == corners[i - 1].first)
            refuse(path,
                   "cells " + number_of(corners[i - 1].second) + " and " +
                     number_of(corners[i].second) +
                     " have the same corners; what is in two physical surfaces "
                     "is twice in a file of format 2.2 (in gmsh: "
                     "Mesh.MshFileVersion = 4.1;)");
      }

      void
      check_common_side(const Side &a, const Side &b) const
      {
        const bool alike = node(a, 0) == node(b, 0);
        for (int i = 1; i < k; ++i)
          if (node(a, i) != node(b, alike ? i : k - i))
            refuse(
              path,
              "cells " + number_of(a.cell) + " and " + number_of(b.cell) +
                " have the ends of a side in common, but not its node at " +
                text_of(file.nodes[node(a, i)]) +
                "; neighbours must share all nodes of a side (in gmsh: "
                "Coherence Mesh;)");
      }

      [[noreturn]] void
      refuse_duplicate(const unsigned int a, const unsigned int b) const
      {
        refuse(path,
               "nodes " + std::to_string(file.node_numbers[a]) + " and " +
                 std::to_string(file.node_numbers[b]) + " are both at " +
                 text_of(file.nodes[a]) +
                 ", where the cells are not joined; in gmsh: Coherence; before "
                 "or Coherence Mesh; after meshing (or 'Slit', if that is "
                 "meant)");
      }

      Vector3
      point_on(const Side &side, const double t) const
      {
        const LagrangePolynomials along(k, t);
        Vector3                   x = Vector3::Zero();
        for (int i = 0; i <= k; ++i)
          x += along.values[i] * file.nodes[node(side, i)];
        return x;
      }

      /// Whether a point is inside a side, up to a distance.
      bool
      is_inside(const Vector3 &x, const Side &side, const double distance) const
      {
        const auto off = [&](const double t) {
          return (point_on(side, t) - x).squaredNorm();
        };
        const int n    = 4 * k;
        int       best = 0;
        for (int i = 1; i <= n; ++i)
          if (off(double(i) / n) < off(double(best) / n))
            best = i;
        double low  = std::max(0., double(best - 1) / n),
               high = std::min(1., double(best + 1) / n);
        // Thirds of an interval in which the distance has one minimum.
        for (int i = 0; i < 50; ++i)
          {
            const double a = low + (high - low) / 3.,
                         b = high - (high - low) / 3.;
            if (off(a) < off(b))
              high = b;
            else
              low = a;
          }
        const double t = 0.5 * (low + high);
        return t > gap && t < 1. - gap && off(t) < distance * distance;
      }

      [[noreturn]] void
      refuse_hanging(const unsigned int n, const Side &side) const
      {
        refuse(path,
               "node " + std::to_string(file.node_numbers[n]) + " at " +
                 text_of(file.nodes[n]) + " is inside a side of cell " +
                 number_of(side.cell) +
                 ", which is not joined to it; cells must meet along whole "
                 "sides (in gmsh: one curve for both surfaces, or Coherence; "
                 "before meshing)");
      }

      void
      check_hanging_nodes(const std::vector<unsigned int> &nodes,
                          const PointGrid                 &grid) const
      {
        std::multimap<unsigned int, unsigned int> next; // along the boundary
        for (const Side &side : boundary)
          {
            next.emplace(node(side, 0), node(side, k));
            next.emplace(node(side, k), node(side, 0));
          }
        const auto are_next = [&](const unsigned int a, const unsigned int b) {
          const auto range = next.equal_range(a);
          return std::any_of(range.first, range.second, [&](const auto &pair) {
            return pair.second == b;
          });
        };
        for (const Side &side : boundary)
          {
            const double       length = length_of(side);
            const unsigned int from = node(side, 0), to = node(side, k);
            Vector3            low = file.nodes[from], high = low;
            for (int i = 1; i <= k; ++i)
              {
                low  = low.cwiseMin(file.nodes[node(side, i)]);
                high = high.cwiseMax(file.nodes[node(side, i)]);
              }
            const double  reach = (k > 1 ? 0.1 : gap) * length;
            const Vector3 margin(reach, reach, reach);
            grid.visit(low - margin, high + margin, [&](const std::size_t i) {
              const unsigned int n = nodes[i];
              // A corner of some cell.
              if (n != from && n != to && next.count(n) > 0 &&
                  is_inside(file.nodes[n], side, gap * length))
                refuse_hanging(n, side);
            });
            // Two sides against one, along a curve that both follow as well as
            // they can.
            const auto range = next.equal_range(from);
            for (auto at = range.first; at != range.second; ++at)
              if (at->second != to && are_next(at->second, to) &&
                  is_inside(file.nodes[at->second], side, 0.1 * length))
                refuse_hanging(at->second, side);
          }
      }

      /// Whether a point is on the inside of a patch, up to a distance; by
      /// Newton's method without second derivatives.
      static bool
      lies_on(const Vector3         &x,
              const PolynomialPatch &patch,
              const double           distance)
      {
        Eigen::Vector2d uv(0.5, 0.5);
        for (int i = 0; i < 20; ++i)
          {
            const Eigen::Matrix<double, 3, 2> t = patch.tangents(uv(0), uv(1));
            const Eigen::Vector2d             step =
              (t.transpose() * t)
                .ldlt()
                .solve(t.transpose() * (x - patch.position(uv(0), uv(1))));
            if (!step.allFinite())
              return false;
            uv = (uv + step).cwiseMax(-0.1).cwiseMin(1.1);
            if (step.norm() < 1e-8)
              break;
          }
        return uv.minCoeff() > 0.01 && uv.maxCoeff() < 0.99 &&
               (x - patch.position(uv(0), uv(1))).norm() < distance;
      }
    };
  } // namespace

  void
  check_conformity(const GmshFile                     &file,
                   const std::vector<PolynomialPatch> &patches,
                   const bool                          slits,
                   const std::string                  &path)
  {
    Conformity conformity(file, patches, path);
    conformity.check_cells();
    conformity.check_sides();
    conformity.check_boundary(slits);
    conformity.check_overlap();
  }
} // namespace slender
