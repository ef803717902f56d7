// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"
#include "support/shells.h"

#include <slender/statics/equilibrium.h>
#include <slender/systems/structure.h>

#include <deal.II/base/polynomial.h>
#include <deal.II/base/quadrature_lib.h>

#include <Eigen/Geometry>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// A pressure is a force that is normal to the surface, whether or not it has a
// potential.
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  /// A plate of length 1 under a pressure, D = 1.
  ShellBody
  pressed_plate(const double thickness, std::vector<ShellEdge> edges)
  {
    ShellBody body;
    body.thickness = thickness;
    body.poisson   = 0.;
    body.young     = 12. / std::pow(thickness, 3);
    body.edges     = std::move(edges);
    return body;
  }

  bool
  has_potential(const RestSurface &surface, std::vector<ShellEdge> edges)
  {
    ShellBody body = pressed_plate(0.1, std::move(edges));
    body.pressure  = 1.;
    KoiterShellDiscretisation discretisation;
    discretisation.degree = 2;
    return KoiterShell(body, surface, discretisation, MPI_COMM_SELF)
      .has_potential();
  }

  ShellEdge
  held(const std::string &name, const std::array<bool, 3> &directions)
  {
    ShellEdge edge;
    edge.name           = name;
    edge.position_fixed = directions;
    return edge;
  }

  /// Where the end of a strip of length 1 and bending stiffness 1 is under a
  /// normal pressure that follows it. Seen from the free end, where force and
  /// moment vanish, the equations
  ///
  ///   x' = t,  theta' = m,  m' = -t x N,  N' = -p n
  ///
  /// have no unknown: what is left is to turn the result so that the clamp is
  /// horizontal.
  Eigen::Vector2d
  end_of_strip(const double p)
  {
    using State   = Eigen::Matrix<double, 6, 1>; // x, y, theta, m, N
    const auto at = [p](const State &z) {
      const double c = std::cos(z(2)), s = std::sin(z(2));
      State        rate;
      rate << c, s, z(3), -(c * z(5) - s * z(4)), p * s, -p * c;
      return rate;
    };
    constexpr int n = 20000;
    const double  h = -1. / n;
    State         z = State::Zero();
    for (int i = 0; i < n; ++i)
      {
        const State a = at(z), b = at(z + h / 2 * a), c = at(z + h / 2 * b),
                    d = at(z + h * c);
        z += h / 6 * (a + 2. * b + 2. * c + d);
      }
    // From the clamp, at z, to the free end at the origin.
    return Eigen::Rotation2Dd(-z(2)) * -z.head<2>();
  }

  /// The same by shells.
  Eigen::Vector2d
  end_of_plate(const double p, const int cells, const int degree)
  {
    ShellBody body = pressed_plate(1e-3, {ShellEdge::clamped("left")});
    body.points    = {{"end", {1., 0., 0.}}};
    Rectangle strip;
    strip.width = 0.1;
    strip.cells = {cells, 1};
    KoiterShellDiscretisation discretisation;
    discretisation.degree = degree;
    // The middle of an edge is a node of even degrees; of odd ones, a corner is
    // as good: the strip bends to a cylinder.
    body.points[0].position(1) = 0.05;
    KoiterShell       shell(body,
                      *make_surface(strip),
                      discretisation,
                      MPI_COMM_SELF);
    EquilibriumSolver solver(shell, NewtonOptions());
    const Equilibrium found =
      solver.load(shell.initial_state(), {{"pressure", p}});
    BOOST_REQUIRE(found.converged());
    BOOST_TEST(!shell.has_potential());
    const auto measured = shell.measure(found.q);
    return {find_measurement(measured, "end x"),
            find_measurement(measured, "end z")};
  }
} // namespace



BOOST_AUTO_TEST_SUITE(follower_pressure)

BOOST_AUTO_TEST_CASE(edges_decide_whether_there_is_a_potential)
{
  Rectangle rectangle;
  rectangle.cells                    = {2, 2};
  const auto                   plate = make_surface(rectangle);
  const std::vector<ShellEdge> sides = {ShellEdge::hinged("bottom"),
                                        ShellEdge::hinged("top"),
                                        ShellEdge::hinged("left")};
  const auto                   with  = [&](const ShellEdge &right) {
    std::vector<ShellEdge> edges = sides;
    edges.push_back(right);
    return has_potential(*plate, edges);
  };
  BOOST_TEST(with(ShellEdge::clamped("right")));
  BOOST_TEST(!with(ShellEdge::free("right")));
  // Two directions held: what is admitted is parallel everywhere.
  BOOST_TEST(with(held("right", {{false, true, true}})));
  BOOST_TEST(with(held("right", {{true, true, false}})));
  // One direction held: across the edge, and along it.
  BOOST_TEST(with(ShellEdge::symmetry("right", 0)));
  BOOST_TEST(with(held("right", {{false, false, true}})));
  BOOST_TEST(!with(held("right", {{false, true, false}})));
  // The plane in which an edge slides may move, but not tilt the edge.
  const auto between_planes = [&](const ShellEdge &right) {
    return has_potential(*plate,
                         {ShellEdge::symmetry("bottom", 1),
                          ShellEdge::symmetry("top", 1),
                          ShellEdge::hinged("left"),
                          right});
  };
  ShellEdge moved              = ShellEdge::symmetry("right", 0);
  moved.displacement           = 0.1;
  moved.displacement_direction = Vector3::UnitX();
  BOOST_TEST(between_planes(moved));
  moved.rotation_axis = Vector3::UnitZ();
  moved.rotation      = 0.1;
  BOOST_TEST(!between_planes(moved));

  // An arc is in a plane across z, not across x.
  Cylinder cylinder;
  cylinder.angle   = 1.;
  cylinder.cells   = {2, 2};
  const auto panel = make_surface(cylinder);
  const auto arc   = [&](const std::array<bool, 3> &directions) {
    return has_potential(*panel,
                         {ShellEdge::hinged("start"),
                          ShellEdge::hinged("end"),
                          ShellEdge::hinged("bottom"),
                          held("top", directions)});
  };
  BOOST_TEST(arc({{false, false, true}}));
  BOOST_TEST(!arc({{true, false, false}}));

  // A closed surface has no edges.
  Sphere sphere;
  sphere.complete = true;
  sphere.cells    = {1, 1};
  BOOST_TEST(has_potential(*make_surface(sphere), {}));
}

BOOST_AUTO_TEST_CASE(without_pressure_or_with_a_dead_one_there_is_a_potential)
{
  Rectangle rectangle;
  rectangle.cells     = {2, 2};
  const auto  surface = make_surface(rectangle);
  ShellBody   body    = pressed_plate(0.1, {ShellEdge::clamped("left")});
  KoiterShell shell(body, *surface, {}, MPI_COMM_SELF);
  Structure   structure(shell);
  BOOST_TEST(shell.has_potential());
  shell.set_parameter("pressure", 1.);
  BOOST_TEST(!shell.has_potential());
  BOOST_TEST(!structure.has_potential());
  body.pressure_kind = PressureKind::dead;
  body.pressure      = 1.;
  BOOST_TEST(KoiterShell(body, *surface, {}, MPI_COMM_SELF).has_potential());
}

BOOST_DATA_TEST_CASE(what_is_not_symmetric_is_an_integral_along_the_edge,
                     data::make(free_shells()) * data::make({2, 3, 4}),
                     named,
                     degree)
{
  // p int x,t . (u x v) dt, once around the normal by the right-hand rule; to
  // round-off, because all integrals are exact.
  const ShellMesh mesh =
    make_shell_mesh(*named.surface, {}, degree, MPI_COMM_SELF);
  const auto   n = static_cast<Index>(mesh.nodes.size());
  NodalVectors x(3, n);
  for (Index i = 0; i < n; ++i)
    x.col(i) = named.surface->position(mesh.nodes[i].patch,
                                       mesh.nodes[i].u,
                                       mesh.nodes[i].v);
  Random           random(7);
  FollowerPressure pressure(mesh);
  pressure.set_reference(x, x);
  pressure.set_potential(false);
  pressure.pressure = 1.7;
  const auto field  = [&] {
    const Vector values = random.vector(3 * n);
    return NodalVectors(Eigen::Map<const NodalVectors>(values.data(), 3, n));
  };
  x += 0.1 * field();
  const NodalVectors u = field(), v = field();
  // Residuals are minus the force.
  NodalVectors of_u = NodalVectors::Zero(3, n), of_v = of_u;
  pressure.add_hessian_times(x, u, of_u);
  pressure.add_hessian_times(x, v, of_v);
  const double skew = of_u.cwiseProduct(v).sum() - of_v.cwiseProduct(u).sum();

  double                         boundary = 0.;
  const dealii::QGauss<1>        points(2 * degree);
  const dealii::QGaussLobatto<1> nodes(degree + 1);
  const auto                     polynomials =
    dealii::Polynomials::generate_complete_Lagrange_basis(nodes.get_points());
  for (std::size_t e = 0; e < mesh.boundary_edges.size(); ++e)
    for (unsigned int q = 0; q < points.size(); ++q)
      {
        Vector3 t = Vector3::Zero(), a = t, b = t;
        for (int j = 0; j <= degree; ++j)
          {
            const Index node =
              mesh.boundary_edge_nodes[mesh.n_nodes_per_cell() * e + j];
            std::vector<double> values(2);
            polynomials[j].value(points.point(q)[0], values);
            t += values[1] * x.col(node);
            a += values[0] * u.col(node);
            b += values[0] * v.col(node);
          }
        boundary -= mesh.boundary_edges[e].orientation[0] * points.weight(q) *
                    t.dot(a.cross(b));
      }
  BOOST_TEST(std::abs(skew - pressure.pressure * boundary) <
             1e-12 * (of_u.norm() * v.norm()));
  if (!mesh.boundary_edges.empty())
    BOOST_TEST(std::abs(skew) > 1e-4);
}

BOOST_AUTO_TEST_CASE(the_normal_is_where_the_description_says)
{
  // The sum of the nodes' normals times their positions from a point inside, or
  // their z, is positive.
  const auto normals = [](const RestSurface &surface) {
    const ShellMesh mesh = make_shell_mesh(surface, {}, 2, MPI_COMM_SELF);
    NodalVectors    x(3, static_cast<Index>(mesh.nodes.size()));
    for (Index i = 0; i < x.cols(); ++i)
      x.col(i) =
        surface.position(mesh.nodes[i].patch, mesh.nodes[i].u, mesh.nodes[i].v);
    return std::make_pair(x, nodal_areas(mesh, x).normal);
  };
  const auto upwards = [&](const RestSurface &surface) {
    return normals(surface).second.row(2).minCoeff() > -1e-12;
  };
  const auto outwards = [&](const RestSurface &surface, const bool about_z) {
    auto [x, normal] = normals(surface);
    if (about_z)
      x.row(2).setZero();
    return x.cwiseProduct(normal).colwise().sum().minCoeff() > -1e-12;
  };
  BOOST_TEST(upwards(*make_surface(Rectangle())));
  BOOST_TEST(upwards(*make_surface(Disk())));
  BOOST_TEST(upwards(*make_surface(Annulus())));
  BOOST_TEST(outwards(*make_surface(Cylinder()), true));
  BOOST_TEST(outwards(*make_surface(Sphere()), false));
  BOOST_TEST(outwards(*make_surface(Cap()), false));
  Sphere whole;
  whole.complete = true;
  BOOST_TEST(outwards(*make_surface(whole), false));
}

BOOST_AUTO_TEST_CASE(a_cantilever_under_pressure_follows_the_elastica)
{
  for (const double p : {1e-3, 20.})
    {
      const Eigen::Vector2d exact = end_of_strip(p);
      if (p < 1.)
        BOOST_TEST(std::abs(exact(1) - p / 8.) < 1e-6 * p);
      std::vector<double> errors;
      for (const int cells : {4, 8, 16})
        errors.push_back((end_of_plate(p, cells, 3) - exact).norm() /
                         std::min(1., p));
      BOOST_TEST_MESSAGE("p = " << p << ": errors " << errors[0] << " "
                                << errors[1] << " " << errors[2]);
      if (p > 1.)
        for (const double order : orders(errors))
          BOOST_TEST(order > 3.5);
      // What is left is the stretch, of the order of h^2.
      BOOST_TEST(errors.back() < 1e-4);
    }
}

BOOST_AUTO_TEST_CASE(a_ring_under_outer_pressure_buckles_at_three)
{
  // A quarter of a ring of radius and bending stiffness one: 3 under a pressure
  // that follows, 4 under one that does not (Boresi 1955). Its edges are free,
  // so that the first has no potential; between planes it has, and without
  // Poisson's effect the ring is the same. Thickness counts by its square.
  const auto critical = [](const PressureKind kind, const bool between_planes) {
    ShellBody body     = pressed_plate(0.01,
                                   {ShellEdge::symmetry("start", 1),
                                        ShellEdge::symmetry("end", 0)});
    body.pressure_kind = kind;
    if (between_planes)
      {
        body.edges.push_back(ShellEdge::symmetry("bottom", 2));
        body.edges.push_back(ShellEdge::symmetry("top", 2));
      }
    else // something has to hold it along its axis
      body.points = {{"A", {1., 0., 0.}, {{false, false, true}}}};
    Cylinder ring;
    ring.radius = 1.;
    ring.length = 0.2;
    ring.angle  = std::acos(0.);
    ring.cells  = {6, 1};
    KoiterShell       shell(body, *make_surface(ring), {}, MPI_COMM_SELF);
    EquilibriumSolver solver(shell, NewtonOptions());
    double            low = 2., high = 5.;
    while (high - low > 1e-4)
      {
        const double middle = 0.5 * (low + high);
        shell.set_parameter("pressure", 0.);
        const Equilibrium found =
          solver.load(shell.initial_state(), {{"pressure", -middle}});
        BOOST_REQUIRE(found.converged());
        BOOST_TEST(shell.has_potential() ==
                   (between_planes || kind == PressureKind::dead));
        (solver.inertia(found.q).negative == 0 ? low : high) = middle;
      }
    BOOST_TEST_MESSAGE("buckles at " << high);
    return high;
  };
  const double free_edges  = critical(PressureKind::follower, false);
  const double with_planes = critical(PressureKind::follower, true);
  BOOST_TEST(std::abs(free_edges - 3.) < 3e-3);
  BOOST_TEST(std::abs(with_planes - 3.) < 3e-3);
  BOOST_TEST(std::abs(critical(PressureKind::dead, false) - 4.) < 4e-3);
}

BOOST_AUTO_TEST_SUITE_END()



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_AUTO_TEST_CASE(a_cantilever_under_pressure_is_that_of_one_rank)
{
  const auto bent = [](MPI_Comm communicator) {
    ShellBody body = pressed_plate(1e-2, {ShellEdge::clamped("left")});
    body.points    = {{"end", {1., 0.05, 0.}}};
    Rectangle strip;
    strip.width = 0.1;
    strip.cells = {8, 1};
    KoiterShell       shell(body, *make_surface(strip), {}, communicator);
    EquilibriumSolver solver(shell, NewtonOptions());
    const Equilibrium found =
      solver.load(shell.initial_state(), {{"pressure", 10.}});
    BOOST_TEST(found.converged());
    BOOST_TEST(!shell.has_potential());
    BOOST_TEST(solver.inertia(found.q).negative == 0);
    return shell.measure(found.q);
  };
  const auto mine = bent(MPI_COMM_SELF), ours = bent(MPI_COMM_WORLD);
  BOOST_REQUIRE(mine.size() == ours.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    BOOST_TEST(std::abs(mine[i].value - ours[i].value) <
               1e-8 * (1. + std::abs(mine[i].value)));
}

BOOST_AUTO_TEST_SUITE_END()
