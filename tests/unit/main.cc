// SPDX-License-Identifier: LGPL-2.1-or-later
#define BOOST_TEST_MODULE slender_fem
#define BOOST_TEST_NO_MAIN
#include <deal.II/base/mpi.h>

#include <boost/test/unit_test.hpp>

int
main(int argc, char *argv[])
{
  // The command line belongs to Boost.Test: PETSc would take its options for
  // its own.
  int                                            n_arguments = 1;
  const dealii::Utilities::MPI::MPI_InitFinalize libraries(n_arguments,
                                                           argv,
                                                           1);
  return boost::unit_test::unit_test_main(&init_unit_test, argc, argv);
}
