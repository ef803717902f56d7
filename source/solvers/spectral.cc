// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/petsc.h>
#include <slender/solvers/spectral.h>

#include <slepceps.h>

#include <cmath>

namespace slender
{
  using petsc::check;

  double
  orientation(const System &system, const Vector &mode)
  {
    constexpr double round_off    = 1e-6;
    const Layout    &layout       = system.layout();
    MPI_Comm         communicator = layout.communicator;
    const auto       owned        = mode.head(layout.n_owned());

    const double sum  = sum_over_ranks(layout, owned.sum());
    const double size = sum_over_ranks(layout, owned.cwiseAbs().sum());
    if (std::abs(sum) > round_off * size)
      return sum < 0. ? -1. : 1.;

    double largest = owned.size() > 0 ? owned.cwiseAbs().maxCoeff() : 0.;
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, communicator);
    const Places places = system.unknown_places();
    std::int64_t first  = places.size;
    int          sign   = 1;
    for (std::size_t k = 0; k < places.places.size(); ++k)
      if (const double value = mode(places.numbers[k]);
          places.places[k] < first &&
          std::abs(value) >= (1. - round_off) * largest)
        {
          first = places.places[k];
          sign  = value < 0. ? -1 : 1;
        }
    std::int64_t first_of_all = first;
    MPI_Allreduce(
      MPI_IN_PLACE, &first_of_all, 1, MPI_INT64_T, MPI_MIN, communicator);
    // Ranks that name the same place have the same value.
    int result = first == first_of_all ? sign : -1;
    MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, communicator);
    return result;
  }

  namespace spectral
  {
    int
    n_below_shift(EPS eps)
    {
      ST  st;
      KSP ksp;
      PC  pc;
      Mat factor;
      check(EPSGetST(eps, &st));
      check(STGetKSP(st, &ksp));
      check(KSPGetPC(ksp, &pc));
      check(PCFactorGetMatrix(pc, &factor));
      PetscInt negative;
      check(MatGetInertia(factor, &negative, nullptr, nullptr));
      return negative;
    }

    void
    factorise_with_mumps(EPS eps)
    {
      ST  st;
      KSP ksp;
      check(EPSGetST(eps, &st));
      check(STSetType(st, STSINVERT));
      check(STGetKSP(st, &ksp));
      petsc::choose_symmetric_mumps(ksp);
    }
  } // namespace spectral
} // namespace slender
