// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/mass_matrix.h>
#include <slender/solvers/petsc.h>

#include <stdexcept>

namespace slender
{
  namespace
  {
    /// The diagonal of a matrix, and whether it has anything else.
    class DiagonalSink : public HessianSink
    {
    public:
      explicit DiagonalSink(const Index n)
        : diagonal(Vector::Zero(n))
      {}

      void
      add(const Index *unknowns, const Index n, const double *block) override
      {
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < n; ++i)
            if (unknowns[i] >= 0 && unknowns[j] >= 0)
              {
                if (unknowns[i] == unknowns[j])
                  diagonal(unknowns[i]) += block[j * n + i];
                else if (block[j * n + i] != 0.)
                  is_diagonal = false;
              }
      }

      Vector diagonal;
      bool   is_diagonal = true;
    };
  } // namespace

  struct MassMatrix::Vectors
  {
    explicit Vectors(const Layout &layout)
    {
      *&right = petsc::create_vector(layout);
      *&x     = petsc::create_vector(layout);
    }

    petsc::Owned<Vec, VecDestroy> right, x;
  };

  MassMatrix::MassMatrix(const System      &the_system,
                         const Kinetics    &the_inertia,
                         const LinearSolver the_solver)
    : system(the_system)
    , inertia(the_inertia)
    , solver(the_solver)
    , exchange(system.layout())
  {}

  MassMatrix::~MassMatrix() = default;

  void
  MassMatrix::hold(const Vector &q)
  {
    DiagonalSink sink(system.layout().n_local());
    inertia.add_mass(q, sink);
    the_diagonal = exchange.accumulated(sink.diagonal);
    int other    = sink.is_diagonal ? 0 : 1;
    MPI_Allreduce(
      MPI_IN_PLACE, &other, 1, MPI_INT, MPI_LOR, system.layout().communicator);
    has_diagonal_only = other == 0;
    if (has_diagonal_only)
      return;

    if (!matrix || system.pattern() != pattern)
      {
        matrix.reset();
        matrix  = make_tangent(system, q, solver);
        pattern = system.pattern();
      }
    matrix->clear();
    inertia.add_mass(q, *matrix);
    const double one = 1.;
    for (Index i = 0; i < system.layout().n_owned(); ++i)
      if (the_diagonal(i) == 0.)
        matrix->add(&i, 1, &one);
    matrix->finish();
  }

  Vector
  MassMatrix::solve(const Vector &b)
  {
    if (has_diagonal_only)
      {
        Vector x = exchange.accumulated(b);
        for (Index i = 0; i < x.size(); ++i)
          x(i) = the_diagonal(i) > 0. ? x(i) / the_diagonal(i) : 0.;
        return x;
      }
    // To make them takes longer than to solve, where a body has few unknowns.
    if (!vectors)
      vectors = std::make_unique<Vectors>(system.layout());
    Vector values = b;
    for (Index i = 0; i < values.size(); ++i)
      if (the_diagonal(i) == 0.)
        values(i) = 0.;
    petsc::set_and_accumulate(vectors->right, values);
    if (!matrix->solve(vectors->right, vectors->x))
      throw std::runtime_error("the mass matrix is singular");
    return petsc::local_values(vectors->x);
  }

  Vector
  MassMatrix::projected(const Vector &q, const Vector &rates)
  {
    Vector b = Vector::Zero(system.layout().n_local());
    inertia.pull_back(q, inertia.masses().cwiseProduct(rates), b);
    return solve(b);
  }

  bool
  MassMatrix::is_definite() const
  {
    int massless =
      (the_diagonal.head(system.layout().n_owned()).array() <= 0.).any();
    MPI_Allreduce(MPI_IN_PLACE,
                  &massless,
                  1,
                  MPI_INT,
                  MPI_LOR,
                  system.layout().communicator);
    return massless == 0;
  }
} // namespace slender
