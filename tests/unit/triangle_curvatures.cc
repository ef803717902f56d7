// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/triangle_shells.h"

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

// A plate of triangles whose corners are put on a curved surface has the
// bending energy of that surface, by some rules and on some meshes.
namespace
{
  using namespace slender;
  using namespace slender::test;
  using triangles::FoldRule;

  /// Of radius one: where a point of the plate goes, and the energy per area
  /// there for D = 1 without Poisson's ratio.
  struct Shape
  {
    Vector3 (*place)(double x, double y);
    double (*density)(double x, double y);
  };

  const Shape cylinder = {[](const double x, const double y) {
                            constexpr double c = 0.8, s = 0.6; // askew
                            return Vector3(std::sin(c * x + s * y),
                                           c * y - s * x,
                                           std::cos(c * x + s * y));
                          },
                          [](double, double) { return 0.5; }};

  const Shape sphere = {[](const double x, const double y) {
                          return Vector3(std::sin(x) * std::cos(y),
                                         std::sin(y),
                                         std::cos(x) * std::cos(y));
                        },
                        [](double, const double y) {
                          return 0.5 * (std::pow(std::cos(y), 4) + 1.);
                        }};

  /// Edges tilt to where the energy is least.
  void
  relax_tilts(const TriangleShell &shell, Vector &q)
  {
    const Places places = shell.unknown_places();
    const auto   n_coordinates =
      3 * static_cast<std::int64_t>(shell.mesh().vertices.size());
    std::vector<Index> tilts;
    for (std::size_t i = 0; i < places.places.size(); ++i)
      if (places.places[i] >= n_coordinates)
        tilts.push_back(static_cast<Index>(places.numbers[i]));
    if (tilts.empty())
      return;
    for (int iteration = 0; iteration < 4; ++iteration)
      {
        const Eigen::MatrixXd H    = dense_hessian(shell, q)(tilts, tilts);
        const Vector          g    = shell.gradient(q)(tilts);
        const Vector          step = H.llt().solve(g);
        q(tilts) -= step;
      }
  }

  /// Relative, of the triangles that are not at the boundary.
  double
  error_of_energy(const Shape        &shape,
                  const FoldRule      rule,
                  const Triangulation kind,
                  const int           n)
  {
    ShellBody body;
    body.poisson   = 0.;
    body.thickness = 1e-3;
    body.young     = 12e9;
    const Rectangle             rectangle{1., 0.75, {n, 3 * n / 4}, 1., 1.};
    TriangleShellDiscretisation how;
    how.rule                    = rule;
    how.fold_factor             = 1.;
    how.triangulation.kind      = kind;
    const auto          surface = make_surface(rectangle);
    const TriangleShell shell(body, *surface, how, MPI_COMM_SELF);
    Vector              q =
      shell.transformed(shell.initial_state(),
                        [&](const Vector3 &X, const Vector3 &) -> Vector3 {
                          return shape.place(X(0), X(1));
                        });
    relax_tilts(shell, q);
    const TriangleMesh &mesh     = shell.mesh();
    const auto          energies = shell.triangle_energies(q);
    double              found = 0., exact = 0.;
    for (std::size_t t = 0; t < energies.size(); ++t)
      {
        const Index number    = shell.own_triangles()[t];
        bool        is_inside = true;
        for (const Index e : mesh.triangle_edges[number])
          is_inside = is_inside && mesh.edges[e].triangles[1] >= 0;
        if (!is_inside)
          continue;
        Vector3 X[3];
        for (int c = 0; c < 3; ++c)
          {
            const auto &v = mesh.vertices[mesh.triangles[number][c]];
            X[c]          = surface->position(v.patch, v.u, v.v);
          }
        const Vector3 centre = (X[0] + X[1] + X[2]) / 3.;
        found += energies[t].bending;
        exact += 0.5 * (X[1] - X[0]).cross(X[2] - X[0]).norm() *
                 shape.density(centre(0), centre(1));
      }
    return found / exact - 1.;
  }

  struct Case
  {
    const char   *words;
    const Shape  *shape;
    FoldRule      rule;
    Triangulation kind;
    double        order; ///< 0: it does not converge to it
  };

  std::ostream &
  operator<<(std::ostream &stream, const Case &which)
  {
    return stream << which.words;
  }

  const std::vector<Case> cases = {{"average, cylinder, regular",
                                    &cylinder,
                                    FoldRule::average,
                                    Triangulation::regular,
                                    2.},
                                   {"hinge, cylinder, regular",
                                    &cylinder,
                                    FoldRule::half_tangent,
                                    Triangulation::regular,
                                    2.},
                                   {"average, sphere, alternating",
                                    &sphere,
                                    FoldRule::average,
                                    Triangulation::alternating,
                                    2.},
                                   {"average, cylinder, alternating",
                                    &cylinder,
                                    FoldRule::average,
                                    Triangulation::alternating,
                                    0.},
                                   {"average, cylinder, random",
                                    &cylinder,
                                    FoldRule::average,
                                    Triangulation::random,
                                    0.},
                                   {"hinge, sphere, random",
                                    &sphere,
                                    FoldRule::half_tangent,
                                    Triangulation::random,
                                    0.},
                                   {"discrete, cylinder, regular",
                                    &cylinder,
                                    FoldRule::angle,
                                    Triangulation::regular,
                                    0.},
                                   {"discrete, sphere, equilateral",
                                    &sphere,
                                    FoldRule::angle,
                                    Triangulation::equilateral,
                                    0.},
                                   {"tangent, cylinder, regular",
                                    &cylinder,
                                    FoldRule::tangent,
                                    Triangulation::regular,
                                    1.},
                                   {"tangent, cylinder, random",
                                    &cylinder,
                                    FoldRule::tangent,
                                    Triangulation::random,
                                    1.},
                                   {"sine, sphere, random",
                                    &sphere,
                                    FoldRule::sine,
                                    Triangulation::random,
                                    1.}};
} // namespace



BOOST_AUTO_TEST_SUITE(triangle_curvatures)

BOOST_DATA_TEST_CASE(bending_energies_converge_where_they_should,
                     boost::unit_test::data::make(cases),
                     which)
{
  const double coarse =
    error_of_energy(*which.shape, which.rule, which.kind, 8);
  const double fine = error_of_energy(*which.shape, which.rule, which.kind, 16);
  BOOST_TEST_MESSAGE(which << ": " << coarse << " " << fine);
  if (which.order == 0.)
    {
      BOOST_TEST(std::abs(fine) > 0.05);
      BOOST_TEST(std::abs(fine) > 0.9 * std::abs(coarse));
    }
  else
    {
      BOOST_TEST(std::abs(fine) < 0.05);
      BOOST_TEST(std::abs(coarse / fine) > std::pow(2., which.order - 0.2));
    }
}

BOOST_AUTO_TEST_SUITE_END()
