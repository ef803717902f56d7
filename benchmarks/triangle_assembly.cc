// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How long shells of triangles take for energy, forces and stiffness, up to the
// final sparse matrix. See benchmarks/README.md.
#include "timing.h"

#include <slender/models/triangles/triangle_shell.h>
#include <slender/statics/equilibrium.h>

#include <deal.II/base/mpi.h>

#include <cstdio>
#include <string>

namespace
{
  using namespace slender;
  using namespace slender::benchmarks;

  void
  measure(const char *name, const triangles::FoldRule rule, const int n)
  {
    ShellBody body;
    body.young = 12. * (1. - body.poisson * body.poisson) * 1e9; // D = 1
    body.edges = {ShellEdge::clamped("left")};
    Rectangle rectangle;
    rectangle.cells = {n, n};
    TriangleShellDiscretisation how;
    how.rule = rule;
    TriangleShell shell(body, *make_surface(rectangle), how, MPI_COMM_SELF);
    const Vector  q = 1e-4 * Vector::Random(shell.layout().n_local());
    std::printf("\n%s, %d triangles, %d unknowns\n",
                name,
                2 * n * n,
                static_cast<int>(shell.layout().size));
    const auto print = [&](const char *what, const double seconds) {
      std::printf("  %-34s %9.2f ms %8.3f us per triangle\n",
                  what,
                  1e3 * seconds,
                  1e6 * seconds / (2 * n * n));
    };
    print("energy",
          seconds_per_call([&] { sink_of_results = shell.energy(q); }));
    print("gradient",
          seconds_per_call([&] { sink_of_results = shell.gradient(q)(0); }));
    NullSink nowhere;
    print("Hessian, into nothing",
          seconds_per_call([&] { shell.hessian(q, nowhere); }));
    const auto tangent = make_tangent(shell, q, LinearSolver::mumps);
    print("Hessian into PETSc's matrix", seconds_per_call([&] {
            tangent->clear();
            shell.hessian(q, *tangent);
            tangent->finish();
          }));
    print("all three", seconds_per_call([&] {
            sink_of_results = shell.energy(q);
            sink_of_results = shell.gradient(q)(0);
            tangent->clear();
            shell.hessian(q, *tangent);
            tangent->finish();
          }));
  }
} // namespace

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const int n = argc > 1 ? std::stoi(argv[1]) : 223; // 50 176 vertices
  using triangles::FoldRule;
  measure("average", FoldRule::average, n);
  measure("sine", FoldRule::sine, n);
  measure("tangent", FoldRule::tangent, n);
  measure("hinge", FoldRule::half_tangent, n);
  measure("discrete", FoldRule::angle, n);
}
