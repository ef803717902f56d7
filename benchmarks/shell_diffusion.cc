// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How well moisture or heat spreads in a shell: rates of decay against exact
// eigenvalues, orders in space and time, conservation, steady gradients. Tables
// in Markdown, see benchmarks/README.md.
#include <slender/dynamics/flow_steps.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/models/shells/shell_diffusion.h>
#include <slender/models/triangles/triangle_shell.h>

#include <deal.II/base/mpi.h>

#include <cmath>
#include <cstdio>

namespace
{
  using namespace slender;

  constexpr double pi = 3.141592653589793;

  /// A sheet of 2 x 1 and what spreads in it; the degree 1 is that of
  /// triangles.
  struct Sheet
  {
    std::unique_ptr<Model>          model;
    std::unique_ptr<ShellDiffusion> flow;

    Sheet(const int               degree,
          const int               cells,
          const double            thickness,
          const DiffusionOptions &options)
    {
      ShellBody body;
      body.thickness = thickness;
      const auto surface =
        make_surface(Rectangle{2., 1., {cells, cells}, 1., 1.});
      if (degree == 1)
        model = std::make_unique<TriangleShell>(body,
                                                *surface,
                                                TriangleShellDiscretisation(),
                                                MPI_COMM_SELF);
      else
        {
          KoiterShellDiscretisation how;
          how.degree = degree;
          model =
            std::make_unique<KoiterShell>(body, *surface, how, MPI_COMM_SELF);
        }
      const auto &shell = dynamic_cast<const GrowingShell &>(*model);
      flow = std::make_unique<ShellDiffusion>(shell.elements_of_surface(),
                                              shell.positions_at_rest(),
                                              shell.size(),
                                              thickness,
                                              SurfaceField(),
                                              options);
    }

    /// The rate of the slowest wave that a field is made of, after some long
    /// steps that leave that one alone.
    double
    rate(const SurfaceField &wave) const
    {
      FlowSteps steps(*flow, 1);
      Vector    m = flow->from_sides(wave, wave);
      for (int i = 0; i < 12; ++i)
        m = steps.step(m, 0., 10.);
      flow->set_weight(0.);
      return -m.dot(flow->driving(m, 0.)) / (2. * flow->energy(m));
    }
  };

  const char *
  name_of(const int degree)
  {
    constexpr const char *names[] = {
      "", "triangles", "degree 2", "degree 3", "degree 4"};
    return names[degree];
  }

  void
  rates()
  {
    std::printf("\nRates of decay along and across fibres (D = 0.3 and 0.02), "
                "relative error, and order\n\n| elements | cells | along | "
                "order | across | order |\n|%s\n",
                " --- | --- | --- | --- | --- | --- |");
    DiffusionOptions options;
    options.coefficients = {0.3, 0.02, 0.1};
    for (const int degree : {1, 2, 3, 4})
      {
        double last[2] = {0., 0.};
        for (const int cells : degree == 1 ? std::vector<int>{8, 16, 32, 64}
                                           : std::vector<int>{2, 4, 8})
          {
            std::printf("| %s | %d x %d |", name_of(degree), cells, cells);
            const Sheet sheet(degree, cells, 0.01, options);
            for (const int axis : {0, 1})
              {
                // One half wave: an odd field, of which it is the slowest.
                const double k     = axis == 0 ? pi / 2. : pi;
                const double D     = options.coefficients(axis);
                const double found = sheet.rate([&](const Vector3 &x) {
                  return std::cos(k * (x(axis) + (axis == 1 ? 0.5 : 0.)));
                });
                const double error = std::abs(found / (D * k * k) - 1.);
                std::printf(" %.1e | ", error);
                if (last[axis] > 0.)
                  std::printf("%.1f |", std::log2(last[axis] / error));
                else
                  std::printf("|");
                last[axis] = error;
              }
            std::printf("\n");
          }
      }
  }

  void
  through()
  {
    std::printf("\nDecay of a difference between the sides, times h^2/D (exact "
                "pi^2 = %.6f)\n\n| degree through the thickness | triangles | "
                "degree 3 |\n| --- | --- | --- |\n",
                pi * pi);
    for (const int modes : {1, 3, 5})
      {
        std::printf("| %d |", modes);
        for (const int degree : {1, 3})
          {
            DiffusionOptions options;
            options.coefficients = {1., 1., 0.01};
            options.degree       = modes;
            const Sheet sheet(degree, 2, 0.1, options);
            FlowSteps   steps(*sheet.flow, 1);
            Vector      m =
              sheet.flow->from_sides([](const Vector3 &) { return 1.; },
                                     [](const Vector3 &) { return -1.; });
            for (int i = 0; i < 40; ++i)
              m = steps.step(m, 0., 1.);
            sheet.flow->set_weight(0.);
            const double rate =
              -m.dot(sheet.flow->driving(m, 0.)) / (2. * sheet.flow->energy(m));
            std::printf(" %.6f |", rate * 0.01 / 0.01);
          }
        std::printf("\n");
      }
  }

  void
  orders_in_time()
  {
    std::printf("\nErrors in time at t = 0.4 of a wave that decays with 2.47, "
                "against 1280 steps\n\n| order of the method | 5 steps | 10 | "
                "20 | 40 | order |\n| --- | --- | --- | --- | --- | --- |\n");
    DiffusionOptions options;
    const Sheet      sheet(4, 2, 0.01, options);
    const Vector     start = sheet.flow->from_sides(
      [](const Vector3 &x) { return std::cos(pi * x(0) / 2.); },
      [](const Vector3 &x) { return std::cos(pi * x(0) / 2.); });
    const auto left = [&](const int n, const int order) {
      FlowSteps steps(*sheet.flow, order);
      Vector    m = start;
      for (int i = 0; i < n; ++i)
        m = steps.step(m, 0., 0.4 / n);
      return m.dot(start) / start.squaredNorm();
    };
    const double exact = left(1280, 2);
    for (const int order : {1, 2})
      {
        std::printf("| %d |", order);
        double before = 0., error = 0.;
        for (const int n : {5, 10, 20, 40})
          {
            before = error;
            error  = std::abs(left(n, order) - exact);
            std::printf(" %.2e |", error);
          }
        std::printf(" %.2f |\n", std::log2(before / error));
      }
  }

  void
  balances()
  {
    std::printf("\n| elements | content lost in 100 steps, relative | error of "
                "the steady gradient between two climates |\n| --- | --- | --- "
                "|\n");
    for (const int degree : {1, 2, 3, 4})
      {
        DiffusionOptions closed;
        closed.coefficients = {0.3, 0.02, 0.1};
        const Sheet sheet(degree, 6, 0.05, closed);
        const auto  field = [](const Vector3 &x) {
          return 1. + std::sin(3. * x(0) + x(1));
        };
        Vector       m      = sheet.flow->from_sides(field, {});
        const double before = sheet.flow->content(m);
        FlowSteps    steps(*sheet.flow, 2);
        for (int i = 0; i < 100; ++i)
          m = steps.step(m, 0., 0.01);
        const double lost = std::abs(sheet.flow->content(m) / before - 1.);

        const double     h = 0.05, D = 0.02, k = 0.7, wet = 3., dry = 1.;
        DiffusionOptions open;
        open.coefficients = {1., 1., D};
        for (const int side : {0, 1})
          {
            open.exchange[side]     = [=](const Vector3 &) { return k; };
            open.surroundings[side] = [=](const Vector3 &, double) {
              return side == 0 ? wet : dry;
            };
          }
        const Sheet between(degree, 3, h, open);
        FlowSteps   long_steps(*between.flow, 1);
        Vector      n = between.flow->initial_state();
        for (int i = 0; i < 4; ++i)
          n = long_steps.step(n, 0., 1e7);
        const double           flux  = (wet - dry) / (2. / k + h / D);
        const Eigen::Matrix2Xd sides = between.flow->sides(n);
        const double           error =
          std::max((sides.row(0).array() - wet + flux / k).abs().maxCoeff(),
                   (sides.row(1).array() - dry - flux / k).abs().maxCoeff());
        std::printf("| %s | %.1e | %.1e |\n", name_of(degree), lost, error);
      }
  }
} // namespace

int
main(int argc, char **argv)
{
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  rates();
  through();
  orders_in_time();
  balances();
}
