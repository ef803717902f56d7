// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/random.h"
#include "support/triangle_shells.h"

#include <slender/base/errors.h>
#include <slender/statics/equilibrium.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// The laws of growth on shells of triangles.
namespace
{
  using namespace slender;
  using namespace slender::test;
  using triangles::FoldRule;
  namespace data = boost::unit_test::data;

  SurfaceField
  constant(const double value)
  {
    return [value](const Vector3 &) { return value; };
  }

  /// A free unit square about the origin of y, held as little as can be.
  struct Square
  {
    ShellBody                   body;
    int                         cells;
    TriangleShellDiscretisation how;

    Square(const int n, const FoldRule rule, const double thickness = 0.01)
      : cells(n)
    {
      body.young             = 1.;
      body.poisson           = 0.3;
      body.thickness         = thickness;
      body.points            = {{"a", {0., -0.5, 0.}, {{true, true, true}}},
                                {"b", {1., -0.5, 0.}, {{false, true, true}}},
                                {"c", {0., 0.5, 0.}, {{false, false, true}}}};
      body.growth_law.kind   = GrowthKind::prescribed;
      how.rule               = rule;
      how.triangulation.kind = Triangulation::alternating;
    }

    std::unique_ptr<TriangleShell>
    make() const
    {
      return std::make_unique<TriangleShell>(
        body,
        *make_surface(Rectangle{1., 1., {cells, cells}, 1., 1.}),
        how,
        MPI_COMM_SELF);
    }
  };

  Equilibrium
  grown(TriangleShell &shell)
  {
    EquilibriumSolver solver(shell, NewtonOptions());
    return solver.load(shell.initial_state(), {{"growth", 1.}});
  }

  double
  value(const TriangleShell &shell, const Vector &q, const std::string &name)
  {
    return find_measurement(shell.measure(q), name);
  }

  const std::vector<FoldRule> with_forms = {FoldRule::average,
                                            FoldRule::sine,
                                            FoldRule::tangent,
                                            FoldRule::half_tangent};
} // namespace



BOOST_AUTO_TEST_SUITE(growing_triangles)

BOOST_DATA_TEST_CASE(a_square_that_grows_evenly_is_a_rhombus,
                     data::make(fold_rules()),
                     rule)
{
  Square square(4, rule);
  square.body.growth_law.metric = {constant(2.), constant(2.), constant(1.)};
  const auto        shell       = square.make();
  const Equilibrium found       = grown(*shell);
  BOOST_REQUIRE(found.converged());
  const double side = std::sqrt(2.);
  BOOST_TEST(std::abs(value(*shell, found.q, "b x") - side) < 1e-8);
  // At sixty degrees from the lower edge.
  BOOST_TEST(std::abs(value(*shell, found.q, "c x") - 0.5 * side) < 1e-8);
  BOOST_TEST(std::abs(value(*shell, found.q, "energy")) < 1e-14);
}

BOOST_DATA_TEST_CASE(a_square_with_natural_curvature_is_a_cylinder,
                     data::make(with_forms),
                     rule)
{
  // Stretched along x to twice its length, with the curvature 1: a chord of
  // 2 sin(1). Its rulings are lines of the mesh, so that it can be folded
  // without any stretching; folds over a length l make sums of the order l^2,
  // but at the free edges, where normals are one-sided, one less.
  std::vector<double> errors;
  for (const int cells : {8, 16, 32})
    {
      Square square(cells, rule, 0.1);
      square.body.growth_law.metric       = {constant(4.), {}, {}};
      square.body.growth_law.curvature[0] = constant(4.);
      square.body.poisson                 = 0.;
      const auto        shell             = square.make();
      const Equilibrium found             = grown(*shell);
      BOOST_REQUIRE(found.converged());
      errors.push_back(
        std::abs(value(*shell, found.q, "b x") - 2. * std::sin(1.)));
    }
  BOOST_TEST_CONTEXT("errors " << errors[0] << " " << errors[1] << " "
                               << errors[2])
  {
    BOOST_TEST(errors[2] < 2e-2);
    BOOST_TEST(orders(errors)[1] > 0.9);
  }
}

BOOST_DATA_TEST_CASE(growth_pulls_on_each_unknown_as_the_energy_says,
                     data::make(fold_rules()),
                     rule)
{
  // d2E/dq dp against mixed differences of the energy.
  for (const NamedShell &named : all_kinds_of_shells())
    if (named.body.growth_law.kind != GrowthKind::none)
      {
        const auto   shell = make_triangles(named, rule);
        const double p     = shell->parameter("growth");
        const Vector q     = 0.01 * Random(3).vector(shell->layout().n_local());
        const Vector d     = Random(5).unit_vector(q.size());
        const double pull  = shell->parameter_derivative(q, "growth").dot(d);
        const auto   energy = [&](const double g, const double step) {
          shell->set_parameter("growth", g);
          const double e = shell->energy(q + step * d);
          shell->set_parameter("growth", p);
          return e;
        };
        check_second_order(
          [&](const double h) {
            return std::abs((energy(p + h, h) - energy(p + h, -h) -
                             energy(p - h, h) + energy(p - h, -h)) /
                              (4. * h * h) -
                            pull);
          },
          2e-2,
          std::abs(shell->energy(q)));
      }
}

BOOST_AUTO_TEST_CASE(moisture_at_vertices_is_that_of_the_law)
{
  // A field that is linear in the place has in the middle of a side the mean of
  // its ends. On a piece of a cylinder, with fibres across it.
  ShellBody body;
  body.thickness               = 0.02;
  body.natural_direction       = Vector3::UnitZ();
  body.growth_law.kind         = GrowthKind::swelling;
  body.growth_law.expansion    = {0.3, 0.1};
  body.growth_law.moisture_top = [](const Vector3 &x) { return x(0) + x(2); };
  body.growth_law.moisture_bottom = [](const Vector3 &x) { return 0.5 * x(1); };
  body.growth                     = 0.7;
  Cylinder cylinder;
  cylinder.cells     = {6, 2};
  const auto surface = make_surface(cylinder);
  const auto make    = [&] {
    return std::make_unique<TriangleShell>(body,
                                           *surface,
                                           TriangleShellDiscretisation(),
                                           MPI_COMM_SELF);
  };
  const auto       by_law = make(), by_vertices = make();
  const auto      &x    = by_vertices->positions_at_rest();
  const double     size = by_vertices->size();
  Eigen::Matrix2Xd after(2, x.cols());
  for (Index i = 0; i < x.cols(); ++i)
    after.col(i) << body.growth_law.moisture_top(size * x.col(i)),
      body.growth_law.moisture_bottom(size * x.col(i));
  by_vertices->set_moisture(0. * after, after);
  for (const double growth : {0.7, 1., 0.2})
    {
      by_law->set_parameter("growth", growth);
      by_vertices->set_parameter("growth", growth);
      const auto &a = by_law->rest_forms(), &b = by_vertices->rest_forms();
      for (std::size_t t = 0; t < a.size(); ++t)
        {
          // Formulas are asked 1e-7 of a triangle off its sides.
          BOOST_TEST((a[t].metric - b[t].metric).norm() <
                     1e-7 * a[t].metric.norm());
          BOOST_TEST((a[t].curvature - b[t].curvature).norm() <
                     1e-7 * a[t].curvature.norm());
        }
    }
  // Where it would leave nothing of a fibre.
  BOOST_CHECK_EXCEPTION(by_vertices->set_moisture(-20. * after, -20. * after),
                        InputError,
                        [](const InputError &error) {
                          return std::string(error.what()).find(" at (") !=
                                 std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(sides_have_the_lengths_that_the_metric_gives_them)
{
  // That of the saddle z = (y^2 - x^2)/2, over which straight lines of the
  // plane have the chords dx^2 + dy^2 + dz^2 exactly: both triangles of a side
  // want those.
  Square     square(5, FoldRule::tangent);
  GrowthLaw &law  = square.body.growth_law;
  law.metric      = {[](const Vector3 &x) { return 1. + x(0) * x(0); },
                     [](const Vector3 &x) { return 1. + x(1) * x(1); },
                     [](const Vector3 &x) { return -x(0) * x(1); }};
  const auto root = [](const Vector3 &x) {
    return std::sqrt(1. + x.squaredNorm());
  };
  law.curvature    = {[&](const Vector3 &x) { return -1. / root(x); },
                      [&](const Vector3 &x) { return 1. / root(x); },
                      constant(0.)};
  const auto shell = square.make();
  shell->set_parameter("growth", 1.);
  const auto &x    = shell->positions_at_rest();
  const auto  node = shell->elements_of_surface().cell_nodes;
  const auto  on   = [&](const Index i) {
    const Vector3 p = shell->size() * x.col(i);
    return Vector3(p(0), p(1), 0.5 * (p(1) * p(1) - p(0) * p(0)));
  };
  for (std::size_t t = 0; t < shell->rest_forms().size(); ++t)
    {
      const Vector3 a = on(node[3 * t]), b = on(node[3 * t + 1]) - a,
                    c = on(node[3 * t + 2]) - a;
      Eigen::Matrix2d chords;
      chords << b.dot(b), b.dot(c), c.dot(b), c.dot(c);
      chords /= shell->size() * shell->size();
      BOOST_TEST((shell->rest_forms()[t].metric - chords).norm() <
                 1e-6 * chords.norm());
    }
  // So much within a triangle that its sides do not meet.
  law.metric    = {};
  law.curvature = {};
  law.metric[0] =
    law.metric[1] = [](const Vector3 &p) { return p(1) > 0.49 ? 9. : 1.; };
  const auto torn = square.make();
  BOOST_CHECK_THROW(torn->set_parameter("growth", 1.), InputError);
}

BOOST_AUTO_TEST_CASE(lengths_of_sides_do_not_jump_while_a_shell_grows)
{
  // Two cells on a side, and a curvature of up to twelve radians in the whole:
  // chords of circles at first, and lengths of the metric alone where a side
  // would have to turn by half a circle.
  Square square(2, FoldRule::tangent);
  square.body.growth_law.curvature[0] = constant(12.);
  const auto   shell                  = square.make();
  const double whole                  = shell->rest_forms()[0].metric.norm();
  double       before = whole, shortest = whole, largest_change = 0.;
  for (int i = 1; i <= 1000; ++i)
    {
      shell->set_parameter("growth", 1e-3 * i);
      const double now = shell->rest_forms()[0].metric.norm();
      largest_change   = std::max(largest_change, std::abs(now - before));
      shortest         = std::min(shortest, now);
      before           = now;
    }
  BOOST_TEST(shortest < 0.95 * whole);
  BOOST_TEST(std::abs(before - whole) < 1e-12);
  BOOST_TEST(largest_change < 2e-3 * whole);
}

BOOST_AUTO_TEST_CASE(triangles_have_the_forms_of_their_cells)
{
  Square     square(3, FoldRule::tangent);
  const auto plain = square.make();
  GrowthLaw &law   = square.body.growth_law;
  for (std::size_t t = 0; t < plain->mesh().triangles.size(); ++t)
    {
      GrowthSample of;
      of.metric             = {1. + 0.1 * t, 2. - 0.05 * t, 0.02 * t};
      of.curvature          = {0.3 * t, 1. - t, 0.2};
      of.is_curvature_given = {{true, true, true}};
      law.cells.push_back(of);
    }
  const auto shell = square.make();
  shell->set_parameter("growth", 1.);
  for (std::size_t t = 0; t < shell->own_triangles().size(); ++t)
    {
      // Its sides in the plane, in which the forms are given.
      const auto      node = shell->elements_of_surface().cell_nodes;
      const auto     &x    = shell->positions_at_rest();
      Eigen::Matrix2d F;
      F << (x.col(node[3 * t + 1]) - x.col(node[3 * t])).head<2>(),
        (x.col(node[3 * t + 2]) - x.col(node[3 * t])).head<2>();
      const GrowthSample &of = law.cells[shell->own_triangles()[t]];
      Eigen::Matrix2d     A, b;
      A << of.metric(0), of.metric(2), of.metric(2), of.metric(1);
      b << of.curvature(0), of.curvature(2), of.curvature(2), of.curvature(1);
      const triangles::Forms &forms = shell->rest_forms()[t];
      BOOST_TEST((forms.metric - F.transpose() * A * F).norm() < 1e-14);
      BOOST_TEST(
        (forms.curvature - shell->size() * F.transpose() * b * F).norm() <
        1e-13);
    }
  law.cells.pop_back();
  BOOST_CHECK_THROW(square.make(), InputError);
}

BOOST_AUTO_TEST_CASE(thickness_and_modulus_may_vary)
{
  // A strip that is clamped and pulled up at its end: with twice the thickness
  // it bends an eighth as much, and again half as much with twice the modulus.
  Square square(4, FoldRule::tangent);
  square.body.poisson = 0.;
  square.body.points  = {{"end", {1., 0., 0.}}};
  ShellEdge end       = ShellEdge::free("right");
  end.load_direction  = Vector3::UnitZ();
  square.body.edges   = {ShellEdge::clamped("left"), end};
  const auto bend     = [&](const GrowthLaw &law) {
    square.body.growth_law  = law;
    const auto        shell = square.make();
    EquilibriumSolver solver(*shell, NewtonOptions());
    const Equilibrium found =
      solver.load(shell->initial_state(), {{"right load", 1e-12}});
    BOOST_REQUIRE(found.converged());
    return value(*shell, found.q, "end z");
  };
  const double usual = bend({});
  GrowthLaw    law;
  law.thickness = constant(2.);
  BOOST_TEST(bend(law) == usual / 8., boost::test_tools::tolerance(1e-6));
  law.stiffness = constant(2.);
  BOOST_TEST(bend(law) == usual / 16., boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_SUITE_END()
