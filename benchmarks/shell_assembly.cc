// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How long the parts of an equilibrium of a Koiter shell take: kernels,
// assembly, factorisation. See benchmarks/README.md.
#include "timing.h"

#include <slender/models/shells/koiter_edge_kernel.h>
#include <slender/models/shells/koiter_shell.h>
#include <slender/solvers/petsc.h>
#include <slender/statics/equilibrium.h>

#include <deal.II/base/mpi.h>

#include <cstdio>

namespace
{
  using namespace slender;
  using namespace slender::benchmarks;

  void
  measure_kernels()
  {
    using namespace koiter;
    Jet z;
    z << 1., 0.1, 0.2, 0.3, 0.1, 0.2, 0.9, -0.1, 0.4, 0.2, 0.1, -0.2, 0.5, 0.1,
      0.6;
    const Form            a0(1., 1., 0.), b0(0., 0., 0.);
    const Eigen::Matrix3d C = elasticity(inverse(a0), 0.3);
    std::printf("Kernels\n");
    std::printf("  %-44s %8.0f ns\n",
                "cell, gradient of the density",
                1e9 * seconds_per_call([&] {
                  const Surface s(z);
                  Jet           g = Jet::Zero();
                  add_bending_gradient(s, C * (s.curvature - b0), g);
                  add_membrane_gradient(z, C * (metric(z) - a0), g);
                  sink_of_results = g(0, 0);
                }));
    std::printf("  %-44s %8.0f ns\n",
                "cell, Hessian of the density",
                1e9 * seconds_per_call([&] {
                  const Surface s(z);
                  JetHessian    H = JetHessian::Zero();
                  add_bending_material(s, C, H);
                  add_bending_geometric(s, C * (s.curvature - b0), H);
                  add_membrane_material(z, C, H);
                  add_membrane_geometric(C * (metric(z) - a0), H);
                  sink_of_results = H(0, 0);
                }));
    EdgeJet y = EdgeJet::Random();
    y.col(0) += Vector3(0., 2., 0.);
    y.col(2) += Vector3(2., 0., 0.);
    y.col(5) += Vector3(-2., 0., 0.);
    EdgePoint point;
    point.moment[0] = point.moment[1] = Form(1., 0.3, 0.);
    point.penalty                     = 10.;
    std::printf("  %-44s %8.0f ns\n",
                "edge, gradient of the density",
                1e9 * seconds_per_call([&] {
                  sink_of_results = Edge(y, point, 2).gradient()(0, 0);
                }));
    std::printf("  %-44s %8.0f ns\n",
                "edge, Hessian of the density",
                1e9 * seconds_per_call([&] {
                  sink_of_results = Edge(y, point, 2).hessian()(0, 0);
                }));
  }

  void
  measure_shell(const int degree, const int n)
  {
    ShellBody body;
    body.young   = 12. * (1. - body.poisson * body.poisson) * 1e9; // D = 1
    body.density = 1e3;
    body.gravity_direction = -Vector3::UnitY();
    body.edges             = {ShellEdge::clamped("left")};
    Rectangle rectangle;
    rectangle.cells = {n, n};
    KoiterShellDiscretisation discretisation;
    discretisation.degree = degree;
    KoiterShell  shell(body,
                      *make_surface(rectangle),
                      discretisation,
                      MPI_COMM_SELF);
    const Vector q       = 1e-3 * Vector::Random(shell.layout().n_local());
    const int    n_cells = n * n;
    std::printf("\nSquare plate, degree %d, %d x %d cells, %d unknowns\n",
                degree,
                n,
                n,
                static_cast<int>(shell.layout().size));
    const auto print = [&](const char *what, const double seconds) {
      std::printf("  %-34s %9.2f ms %8.2f us per cell %8.0f ns per unknown\n",
                  what,
                  1e3 * seconds,
                  1e6 * seconds / n_cells,
                  1e9 * seconds / shell.layout().size);
    };
    print("rest state", seconds_per_call([&] {
            shell.set_parameter("width",
                                1. + 1e-9 - (shell.parameter("width") - 1.));
          }));
    print("energy",
          seconds_per_call([&] { sink_of_results = shell.energy(q); }));
    print("gradient",
          seconds_per_call([&] { sink_of_results = shell.gradient(q)(0); }));
    print("Hessian times a vector", seconds_per_call([&] {
            sink_of_results = shell.hessian_times(q, q)(0);
          }));
    NullSink nowhere;
    print("Hessian, into nothing",
          seconds_per_call([&] { shell.hessian(q, nowhere); }));
    const Vector previous = shell.full_state(q);
    print("mixed tangent, into nothing", seconds_per_call([&] {
            shell.newton_tangent(q, previous, nowhere);
          }));
    const auto tangent  = make_tangent(shell, q, LinearSolver::mumps);
    const auto assemble = [&] {
      tangent->clear();
      shell.hessian(q, *tangent);
      tangent->finish();
    };
    petsc::Owned<Vec, VecDestroy> rhs, solution;
    *&rhs      = petsc::create_vector(shell.layout());
    *&solution = petsc::create_vector(shell.layout());
    petsc::check(VecSet(rhs, 1.));
    const double assembly = seconds_per_call(assemble);
    const double all      = seconds_per_call([&] {
      assemble();
      tangent->solve(rhs, solution);
    });
    const double solve =
      seconds_per_call([&] { tangent->solve(rhs, solution); });
    print("Hessian into PETSc's matrix", assembly);
    print("factorisation by MUMPS", all - assembly - solve);
    print("solution", solve);
  }
} // namespace

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  measure_kernels();
  for (const int degree : {2, 3, 4})
    measure_shell(degree, 16);
}
