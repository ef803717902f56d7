// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How long the parts of an equilibrium of a rod take: kernels, assembly,
// factorisation, and the Cantilever sweep as a whole. See benchmarks/README.md.
#include "timing.h"

#include <slender/models/finite_elements/density_assembly.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/kirchhoff_kernel.h>
#include <slender/models/rods/kirchhoff_rod.h>
#include <slender/solvers/petsc.h>
#include <slender/statics/equilibrium.h>

#include <deal.II/base/mpi.h>

#include <cstdio>
#include <map>

namespace
{
  using namespace slender;
  using namespace slender::benchmarks;

  void
  print(const char *what, const double seconds, const char *per)
  {
    if (seconds < 2e-6)
      std::printf("  %-44s %8.0f ns %s\n", what, 1e9 * seconds, per);
    else
      std::printf("  %-44s %8.1f us %s\n", what, 1e6 * seconds, per);
  }

  void
  measure_kernels()
  {
    using namespace kirchhoff;
    std::printf("Kernels\n");
    const Vector3    stiffness(0.7, 1., 3.);
    const Vector3    natural(0.1, 0.2, 0.3);
    Curvature::Input z;
    z << 0.9, 0.1, -0.3, 0.2, 0.4, -0.5, 0.6, 0.7;
    Stretch::Input y;
    y << 0.9, 0.1, -0.3, 0.2, 0.9, 0.1, -0.2;

    const auto strain_of = [&](auto law, const auto &input) {
      using Law = decltype(law);
      print("kirchhoff rod, energy density's gradient",
            seconds_per_call([&] {
              sink_of_results =
                energy_gradient<Law>(input, stiffness, natural)(0);
            }),
            "");
      print("kirchhoff rod, energy density's Hessian",
            seconds_per_call([&] {
              const auto strain = Law::strain(input);
              sink_of_results =
                energy_hessian<Law>(input,
                                    strain,
                                    stiffness,
                                    stiffness.cwiseProduct(strain.value -
                                                           natural))(0, 0);
            }),
            "");
    };
    std::printf(" bending and twisting, 8 inputs\n");
    strain_of(Curvature(), z);
    std::printf(" stretching and shearing, 7 inputs\n");
    strain_of(Stretch(), y);
    print("kirchhoff rod, predicted stress",
          seconds_per_call([&] {
            sink_of_results =
              predicted_stress<Stretch>(y, 1.01 * y, stiffness, natural)(0);
          }),
          "");

    // From the inputs of a point to the 35 unknowns of an element of degree 4.
    const std::array<finite_elements::Input, 8> inputs = {
      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 1}}};
    const Eigen::MatrixXd             shape = Eigen::MatrixXd::Random(2, 5);
    const Eigen::Matrix<double, 8, 8> H = Eigen::Matrix<double, 8, 8>::Ones();
    Eigen::MatrixXd                   element = Eigen::MatrixXd::Zero(35, 35);
    print("kirchhoff rod, B^T H B, degree 4",
          seconds_per_call([&] {
            finite_elements::add_hessian<7>(inputs, shape, 1e-9, H, element);
            sink_of_results = element(0, 0);
          }),
          "");

    std::printf(" a joint of the discrete elastic rod, 8 inputs\n");
    using namespace discrete_rod;
    const Source  source;
    const Vector3 e0(0.1, 0.01, 0.02), e1(0.1, -0.02, 0.03);
    const Joint   joint;
    print("discrete elastic rod, frame of an edge",
          seconds_per_call(
            [&] { sink_of_results = EdgeFrame(source, e0, 0.1).frame(0); }),
          "");
    const EdgeFrame first(source, e0, 0.1), second(source, e1, 0.2);
    print("discrete elastic rod, gradient",
          seconds_per_call(
            [&] { sink_of_results = joint_gradient(joint, first, second)(0); }),
          "");
    print("discrete elastic rod, Hessian",
          seconds_per_call([&] {
            JointHessian of_joint;
            joint_gradient(joint, first, second, &of_joint);
            sink_of_results = of_joint(0, 0);
          }),
          "");
  }

  /// The rods of prm/cantilever.prm and prm/cantilever_der.prm.
  const KirchhoffRodDiscretisation       of_elements{32, 4, 20., 1e11};
  const DiscreteElasticRodDiscretisation of_segments{300, 30., 1e11};

  void
  measure_assembly(const char  *name,
                   Model       &model,
                   const int    n_pieces,
                   const char  *piece,
                   const double gamma)
  {
    std::printf("\n%s: %d %ss, %d unknowns, at Gamma = %g\n",
                name,
                n_pieces,
                piece,
                static_cast<int>(model.layout().size),
                gamma);
    EquilibriumSolver solver(model, NewtonOptions());
    Vector            q = model.initial_state();
    for (double load = 1.; load <= gamma; load *= 2.)
      q = solver.load(q, {{"gravity", std::min(load, gamma)}}).q;
    q = solver.load(q, {{"gravity", gamma}}).q;

    const std::string per = std::string("per ") + piece;
    print("energy",
          seconds_per_call([&] { sink_of_results = model.energy(q); }) /
            n_pieces,
          per.c_str());
    print("gradient",
          seconds_per_call([&] { sink_of_results = model.gradient(q)(0); }) /
            n_pieces,
          per.c_str());
    NullSink nowhere;
    print("Hessian, into nothing",
          seconds_per_call([&] { model.hessian(q, nowhere); }) / n_pieces,
          per.c_str());
    const Vector previous = model.full_state(q);
    print("mixed tangent, into nothing",
          seconds_per_call(
            [&] { model.newton_tangent(q, previous, nowhere); }) /
            n_pieces,
          per.c_str());

    const Layout                 &layout = model.layout();
    petsc::Owned<Vec, VecDestroy> rhs, solution;
    *&rhs      = petsc::create_vector(layout);
    *&solution = petsc::create_vector(layout);
    petsc::check(VecSet(rhs, 1.));
    for (const auto &[solver_name, kind] :
         {std::pair("banded", LinearSolver::banded),
          std::pair("mumps", LinearSolver::mumps)})
      {
        const auto tangent  = make_tangent(model, q, kind);
        const auto assemble = [&] {
          tangent->clear();
          model.hessian(q, *tangent);
          tangent->finish();
        };
        const double assembly = seconds_per_call(assemble);
        const double all      = seconds_per_call([&] {
          assemble();
          tangent->solve(rhs, solution);
        });
        const double solve =
          seconds_per_call([&] { tangent->solve(rhs, solution); });
        const std::string title = std::string(solver_name) + ", ";
        print((title + "assembly of the Hessian").c_str(), assembly, "");
        print((title + "factorisation").c_str(), all - assembly - solve, "");
        print((title + "solution").c_str(), solve, "");
      }
  }

  /// Time and number of calls of the functions of a model.
  struct Share
  {
    long   calls   = 0;
    double seconds = 0.;
  };

  /// A rod that takes down how long its functions take.
  template <class Rod>
  class TimedRod : public Rod
  {
  public:
    using Rod::Rod;

    Vector
    gradient(const Vector &q) const override
    {
      const Stopwatch watch(shares["gradient"]);
      return Rod::gradient(q);
    }

    void
    hessian(const Vector &q, HessianSink &sink) const override
    {
      const Stopwatch watch(shares["Hessian, with its assembly"]);
      Rod::hessian(q, sink);
    }

    void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const override
    {
      const Stopwatch watch(shares["mixed tangent, with its assembly"]);
      Rod::newton_tangent(q, previous, sink);
    }

    std::vector<Measurement>
    measure(const Vector &q) const override
    {
      const Stopwatch watch(shares["measurement"]);
      return Rod::measure(q);
    }

    mutable std::map<std::string, Share> shares;

  private:
    class Stopwatch
    {
    public:
      explicit Stopwatch(Share &the_share)
        : share(the_share)
        , start(now())
      {}
      ~Stopwatch()
      {
        ++share.calls;
        share.seconds += now() - start;
      }
      Stopwatch(const Stopwatch &) = delete;
      Stopwatch &
      operator=(const Stopwatch &) = delete;

    private:
      Share       &share;
      const double start;
    };
  };

  /// The 281 equilibria of the protocol, in one chain; with the test of each
  /// for stability, as the study does it.
  template <class Rod, class Discretisation>
  void
  measure_sweep(const char *name, const Discretisation &discretisation)
  {
    TimedRod<Rod>     rod(RodBody(), discretisation, MPI_COMM_SELF);
    EquilibriumSolver solver(rod, NewtonOptions());
    rod.shares.clear();
    const double start      = now();
    Vector       q          = rod.initial_state();
    long         iterations = 0;
    for (int i = 0; i <= 280; ++i)
      {
        const Equilibrium found =
          solver.load(q, {{"gravity", std::pow(10., -3. + 0.025 * i)}});
        if (!found.converged() || solver.inertia(found.q).negative > 0)
          {
            std::printf("\n%s: sample %d failed\n", name, i);
            return;
          }
        q = found.q;
        iterations += found.iterations;
        rod.measure(q);
      }
    const double total = now() - start;

    std::printf("\nCantilever sweep, %s: %.3f s of processor time\n",
                name,
                total);
    std::printf("  281 equilibria, %ld linear systems, %ld factorisations\n",
                iterations,
                solver.n_factorisations());
    double rest = total;
    for (const auto &[what, share] : rod.shares)
      {
        std::printf("  %-44s %8.1f %%, %ld calls\n",
                    what.c_str(),
                    100. * share.seconds / total,
                    share.calls);
        rest -= share.seconds;
      }
    std::printf("  %-44s %8.1f %%\n",
                "factorisation, solution, solver's own",
                100. * rest / total);
  }
} // namespace

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  measure_kernels();
  KirchhoffRod       kirchhoff(RodBody(), of_elements, MPI_COMM_SELF);
  DiscreteElasticRod discrete(RodBody(), of_segments, MPI_COMM_SELF);
  measure_assembly(
    "kirchhoff rod", kirchhoff, of_elements.elements, "element", 100.);
  measure_assembly(
    "discrete elastic rod", discrete, of_segments.segments, "segment", 100.);
  measure_sweep<KirchhoffRod>("kirchhoff rod", of_elements);
  measure_sweep<DiscreteElasticRod>("discrete elastic rod", of_segments);
}
