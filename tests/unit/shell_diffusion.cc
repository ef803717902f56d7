// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/random.h"
#include "support/triangle_shells.h"

#include <slender/dynamics/flow_steps.h>
#include <slender/models/shells/shell_diffusion.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double pi = 3.141592653589793;

  /// A shell without anything else, and what spreads in it. The degree 1 is
  /// that of flat triangles.
  struct Sheet
  {
    std::unique_ptr<Model>          model;
    GrowingShell                   *shell;
    std::unique_ptr<ShellDiffusion> flow;

    Sheet(const std::unique_ptr<RestSurface> &surface,
          const double                        thickness,
          const DiffusionOptions             &options,
          const int                           degree       = 3,
          MPI_Comm                            communicator = MPI_COMM_SELF,
          const SurfaceField                 &factor       = {})
    {
      ShellBody body;
      body.thickness = thickness;
      if (degree > 1)
        {
          KoiterShellDiscretisation how;
          how.degree = degree;
          model =
            std::make_unique<KoiterShell>(body, *surface, how, communicator);
        }
      else
        model = std::make_unique<TriangleShell>(body,
                                                *surface,
                                                TriangleShellDiscretisation(),
                                                communicator);
      shell = &dynamic_cast<GrowingShell &>(*model);
      flow  = std::make_unique<ShellDiffusion>(shell->elements_of_surface(),
                                              shell->positions_at_rest(),
                                              shell->size(),
                                              thickness,
                                              factor,
                                              options);
    }

    /// What is left of a field after some steps, as a part of it.
    double
    left(const Vector &start,
         const double  time,
         const int     n_steps,
         const int     order = 2) const
    {
      FlowSteps steps(*flow, order);
      Vector    m = start;
      for (int i = 0; i < n_steps; ++i)
        m = steps.step(m, i * time / n_steps, time / n_steps);
      return m.dot(start) / start.squaredNorm();
    }
  };

  std::unique_ptr<RestSurface>
  rectangle(const int cells)
  {
    return make_surface(Rectangle{2., 1., {cells, cells}, 1., 1.});
  }
} // namespace



BOOST_AUTO_TEST_SUITE(shell_diffusion)

BOOST_AUTO_TEST_CASE(waves_decay_along_and_across_as_their_coefficients_say)
{
  // D (pi/L)^2 along x and D (2 pi/W)^2 across.
  DiffusionOptions options;
  options.coefficients = {0.3, 0.02, 0.1};
  const Sheet sheet(rectangle(4), 0.01, options, 4);
  const auto  along = [](const Vector3 &x) { return std::cos(pi * x(0) / 2.); };
  const auto  across = [](const Vector3 &x) {
    return std::cos(2. * pi * (x(1) + 0.5));
  };
  const double t = 1.;
  BOOST_TEST(sheet.left(sheet.flow->from_sides(along, along), t, 200) ==
               std::exp(-0.3 * pi * pi / 4. * t),
             boost::test_tools::tolerance(1e-5));
  BOOST_TEST(sheet.left(sheet.flow->from_sides(across, across), t, 200) ==
               std::exp(-0.02 * 4. * pi * pi * t),
             boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(the_machine_direction_may_have_any_angle)
{
  // Turned by 90 degrees the coefficients are exchanged.
  DiffusionOptions options;
  options.coefficients = {0.3, 0.02, 0.1};
  options.direction    = Vector3::UnitY();
  const Sheet sheet(rectangle(4), 0.01, options, 4);
  const auto  along = [](const Vector3 &x) { return std::cos(pi * x(0) / 2.); };
  BOOST_TEST(sheet.left(sheet.flow->from_sides(along, along), 1., 200) ==
               std::exp(-0.02 * pi * pi / 4.),
             boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(waves_around_a_cylinder_decay_on_its_circumference)
{
  DiffusionOptions options;
  options.coefficients = Vector3::Constant(0.5);
  Cylinder cylinder;
  cylinder.radius = 2.;
  cylinder.cells  = {8, 1};
  const Sheet sheet(make_surface(cylinder), 0.01, options, 4);
  const auto  wave = [](const Vector3 &x) { return x(0); };
  BOOST_TEST(sheet.left(sheet.flow->from_sides(wave, wave), 1., 100) ==
               std::exp(-0.5 / 4.),
             boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(differences_through_the_thickness_decay)
{
  // With D 12/h^2 of the linear profile, nearly pi^2/h^2 of the cubic one.
  const double h = 0.1, D = 0.01;
  for (const auto &[degree, rate] :
       {std::make_pair(1, 12.), std::make_pair(3, 9.8751)})
    {
      DiffusionOptions options;
      options.coefficients = {1., 1., D};
      options.degree       = degree;
      const Sheet sheet(rectangle(1), h, options, 2);
      const auto  one   = [](const Vector3 &) { return 1.; };
      const auto  minus = [](const Vector3 &) { return -1.; };
      FlowSteps   steps(*sheet.flow, 2);
      Vector      m    = sheet.flow->from_sides(one, minus);
      const auto  take = [&](const int n) {
        for (int i = 0; i < n; ++i)
          m = steps.step(m, 0., 2.5e-3);
        return sheet.flow->measure(m)[1].value;
      };
      const double early = take(200), late = take(100);
      BOOST_TEST(std::log(early / late) / 0.25 == rate * D / (h * h),
                 boost::test_tools::tolerance(1e-4));
      // The mean stays nothing.
      BOOST_TEST(std::abs(sheet.flow->content(m)) < 1e-15);
    }
}

BOOST_DATA_TEST_CASE(errors_have_the_order_of_the_method_in_time,
                     data::make(std::vector<int>{1, 2}),
                     order)
{
  DiffusionOptions options;
  const Sheet      sheet(rectangle(2), 0.01, options, 4);
  const auto   wave = [](const Vector3 &x) { return std::cos(pi * x(0) / 2.); };
  const Vector start = sheet.flow->from_sides(wave, wave);
  const double exact = sheet.left(start, 0.4, 640, 2);
  std::vector<double> errors;
  for (const int n : {5, 10, 20})
    errors.push_back(std::abs(sheet.left(start, 0.4, n, order) - exact));
  for (const double found : orders(errors))
    BOOST_TEST(std::abs(found - order) < 0.15);
}

BOOST_DATA_TEST_CASE(errors_have_the_order_of_the_elements_in_space,
                     data::make(std::vector<int>{1, 2, 3}),
                     degree)
{
  // Rates are eigenvalues: twice the degree. Some long steps leave the slowest
  // wave alone, whose quotient of Rayleigh's is the rate.
  std::vector<double> errors;
  for (const int cells : {2, 4})
    {
      DiffusionOptions options;
      const Sheet      sheet(rectangle(degree == 1 ? 4 * cells : cells),
                        0.01,
                        options,
                        degree);
      const auto       wave = [](const Vector3 &x) {
        return std::cos(pi * x(0) / 2.);
      };
      FlowSteps steps(*sheet.flow, 1);
      Vector    m = sheet.flow->from_sides(wave, wave);
      for (int i = 0; i < 12; ++i)
        m = steps.step(m, 0., 1.);
      sheet.flow->set_weight(0.);
      const double mass = 2. * sheet.flow->energy(m);
      const double rate = -m.dot(sheet.flow->driving(m, 0.)) / mass;
      errors.push_back(std::abs(rate - pi * pi / 4.));
    }
  BOOST_TEST_CONTEXT("errors " << errors[0] << " " << errors[1])
  BOOST_TEST(orders(errors)[0] > 2. * degree - 0.6);
}

BOOST_AUTO_TEST_CASE(waves_decay_on_triangles_as_the_fibres_say)
{
  // Rates of two waves, from the first instant, for fibres along x and y. Those
  // of linear functions are too large by (k l)^2/12, diagonals add less.
  for (const bool along_x : {true, false})
    {
      DiffusionOptions options;
      options.coefficients = {0.3, 0.02, 0.1};
      options.direction    = along_x ? Vector3::UnitX() : Vector3::UnitY();
      const Eigen::Vector2d D(along_x ? 0.3 : 0.02, along_x ? 0.02 : 0.3);
      for (const int axis : {0, 1})
        {
          const double        k = axis == 0 ? pi / 2. : 2. * pi;
          std::vector<double> errors;
          for (const int cells : {16, 32})
            {
              const Sheet sheet(rectangle(cells), 0.01, options, 1);
              const auto  wave = [&](const Vector3 &x) {
                return std::cos(k * (x(axis) + (axis == 1 ? 0.5 : 0.)));
              };
              const Vector m = sheet.flow->from_sides(wave, wave);
              sheet.flow->set_weight(0.);
              const double rate = -m.dot(sheet.flow->driving(m, 0.)) /
                                  (2. * sheet.flow->energy(m));
              errors.push_back(std::abs(rate / (D(axis) * k * k) - 1.));
            }
          BOOST_TEST_CONTEXT("errors " << errors[0] << " " << errors[1])
          {
            const double l = (axis == 0 ? 2. : 1.) / 32.;
            BOOST_TEST(errors[1] < 1.5 * k * k * l * l / 12.);
            BOOST_TEST(std::abs(orders(errors)[0] - 2.) < 0.1);
          }
        }
    }
}

BOOST_DATA_TEST_CASE(nothing_is_lost_without_exchange,
                     data::make(std::vector<int>{1, 3}),
                     degree)
{
  DiffusionOptions options;
  options.coefficients = {0.3, 0.02, 0.1};
  options.degree       = 3;
  const auto  factor   = [](const Vector3 &x) { return 1. + 0.3 * x(0); };
  const Sheet sheet(rectangle(3), 0.05, options, degree, MPI_COMM_SELF, factor);
  Vector      m       = Random(7).vector(sheet.flow->layout().n_local());
  const double before = sheet.flow->content(m);
  FlowSteps    steps(*sheet.flow, 2);
  for (int i = 0; i < 10; ++i)
    m = steps.step(m, 0., 0.1);
  BOOST_TEST(std::abs(sheet.flow->content(m) - before) < 1e-15);
  // In the end it is everywhere the same.
  for (int i = 0; i < 10; ++i)
    m = steps.step(m, 0., 1e3);
  const Eigen::Matrix2Xd sides = sheet.flow->sides(m);
  BOOST_TEST(sides.maxCoeff() - sides.minCoeff() < 1e-12);
}

BOOST_DATA_TEST_CASE(sources_fill_the_shell_at_their_rate,
                     data::make(std::vector<int>{1, 3}),
                     degree)
{
  DiffusionOptions options;
  options.source[0] = [](const Vector3 &x, const double t) {
    return 2. * t * x(0);
  };
  const Sheet sheet(rectangle(2), 0.05, options, degree);
  FlowSteps   steps(*sheet.flow, 2);
  Vector      m = sheet.flow->initial_state();
  for (int i = 0; i < 4; ++i)
    m = steps.step(m, 0.5 * i, 0.5);
  // Half of it, as there is none below: int 2t dt = 4, int x dA = 2.
  BOOST_TEST(sheet.flow->content(m) == 0.5 * 4. * 2. * 0.05,
             boost::test_tools::tolerance(1e-12));
}

BOOST_DATA_TEST_CASE(between_two_climates_the_profile_is_a_steady_gradient,
                     data::make(std::vector<int>{1, 3}),
                     degree)
{
  // k (w - m+) = D (m+ - m-)/h = k (m- - d).
  const double     h = 0.05, D = 0.02, k = 0.7, wet = 3., dry = 1.;
  DiffusionOptions options;
  options.coefficients = {1., 1., D};
  options.degree       = 2;
  for (const int side : {0, 1})
    {
      options.exchange[side]     = [=](const Vector3 &) { return k; };
      options.surroundings[side] = [=](const Vector3 &, double) {
        return side == 0 ? wet : dry;
      };
    }
  const Sheet sheet(rectangle(2), h, options, degree);
  FlowSteps   steps(*sheet.flow, 1);
  Vector      m = sheet.flow->initial_state();
  for (int i = 0; i < 3; ++i)
    m = steps.step(m, 0., 1e7);
  const double           flux  = (wet - dry) / (2. / k + h / D);
  const Eigen::Matrix2Xd sides = sheet.flow->sides(m);
  for (Index i = 0; i < sides.cols(); ++i)
    {
      BOOST_TEST(sides(0, i) == wet - flux / k,
                 boost::test_tools::tolerance(1e-6));
      BOOST_TEST(sides(1, i) == dry + flux / k,
                 boost::test_tools::tolerance(1e-6));
    }
}

BOOST_AUTO_TEST_SUITE_END()



BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(diffusion_on_several_ranks_is_that_on_one,
                     data::make(std::vector<int>{1, 3}),
                     degree)
{
  DiffusionOptions options;
  options.coefficients = {0.3, 0.02, 0.1};
  options.source[0]    = [](const Vector3 &x, double) { return x(0) * x(1); };
  options.exchange[1]  = [](const Vector3 &x) { return 0.1 + x(0); };
  const auto field     = [](const Vector3 &x) {
    return std::sin(3. * x(0) + x(1));
  };
  const auto results = [&](MPI_Comm communicator) {
    const Sheet sheet(rectangle(4), 0.05, options, degree, communicator);
    FlowSteps   steps(*sheet.flow, 2);
    Vector      m = sheet.flow->from_sides(field, {});
    for (int i = 0; i < 5; ++i)
      m = steps.step(m, 0.1 * i, 0.1);
    // Not a symmetric sum: every node counts differently.
    const Eigen::Matrix2Xd sides    = sheet.flow->sides(m);
    double                 sum      = 0.;
    const SurfaceElements  elements = sheet.shell->elements_of_surface();
    const Layout          &layout   = elements.layout;
    for (Index i = 0; i < elements.n_nodes(); ++i)
      if (elements.numbers[i] < layout.end - layout.begin)
        {
          const Vector3 x = sheet.shell->positions_at_rest().col(i);
          sum += (1. + x(0) + 2. * x(1)) * (sides(0, i) + 3. * sides(1, i));
        }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return std::make_pair(sheet.flow->content(m), sum);
  };
  const auto alone = results(MPI_COMM_SELF), shared = results(MPI_COMM_WORLD);
  BOOST_TEST(alone.first == shared.first, boost::test_tools::tolerance(1e-11));
  BOOST_TEST(alone.second == shared.second,
             boost::test_tools::tolerance(1e-11));
}

BOOST_AUTO_TEST_SUITE_END()
