// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_environment_h
#define slender_app_environment_h

/// What the program finds around it before MPI is there.
namespace slender::environment
{
  /// Whether this is the only process, or the first of those that a launcher
  /// (mpirun, srun) has started, as far as its variables tell. The first one
  /// answers what needs no computation.
  bool
  is_first_process();

  /// Throws InputError where MPI would stop with dozens of lines: without a
  /// working directory, or without a place for temporary files.
  void
  check();

  /// Makes a process that was started by itself independent of MPI's daemon,
  /// which would need a PATH and a home.
  void
  prepare_mpi();
} // namespace slender::environment

#endif
