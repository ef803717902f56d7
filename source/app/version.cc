// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/version.h>

#include <deal.II/base/config.h>

#include <Eigen/Core>
#include <boost/version.hpp>

#include <mpi.h>
#include <petscversion.h>
#include <slepcversion.h>

#include <Trilinos_version.h>
#include <sstream>

namespace slender
{
  std::string
  program_version()
  {
    return SLENDER_VERSION;
  }

  std::string
  all_versions()
  {
    int major, minor;
    MPI_Get_version(&major, &minor);

    std::ostringstream out;
    out << "slender_fem " << program_version() << '\n'
        << "  deal.II   " << DEAL_II_PACKAGE_VERSION << '\n'
        << "  PETSc     " << PETSC_VERSION_MAJOR << '.' << PETSC_VERSION_MINOR
        << '.' << PETSC_VERSION_SUBMINOR << '\n'
        << "  SLEPc     " << SLEPC_VERSION_MAJOR << '.' << SLEPC_VERSION_MINOR
        << '.' << SLEPC_VERSION_SUBMINOR << '\n'
        << "  Trilinos  " << TRILINOS_VERSION_STRING << '\n'
        << "  Eigen     " << EIGEN_WORLD_VERSION << '.' << EIGEN_MAJOR_VERSION
        << '.' << EIGEN_MINOR_VERSION << '\n'
        << "  Boost     " << BOOST_VERSION / 100000 << '.'
        << BOOST_VERSION / 100 % 1000 << '.' << BOOST_VERSION % 100 << '\n'
        << "  MPI       " << major << '.' << minor << '\n';
    return out.str();
  }
} // namespace slender
