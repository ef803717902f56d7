// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_shells_h
#define slender_tests_support_shells_h

#include <slender/models/shells/koiter_shell.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace slender::test
{
  /// A shell with its shape and a name for the test log.
  struct NamedShell
  {
    std::string                  name;
    ShellBody                    body;
    std::shared_ptr<RestSurface> surface;
  };

  std::ostream &
  operator<<(std::ostream &stream, const NamedShell &shell);

  /// Shells that between them have every surface, load and kind of edge, on a
  /// few cells. They are thick, so that round-off stays far below the errors of
  /// differences.
  std::vector<NamedShell>
  all_kinds_of_shells();

  /// The same surfaces, and a distorted one, with nothing that holds or loads.
  std::vector<NamedShell>
  free_shells();

  std::unique_ptr<KoiterShell>
  make_shell(const NamedShell &shell,
             int               degree       = 3,
             MPI_Comm          communicator = MPI_COMM_SELF);

  /// Area, and volume of the cone over it from the origin.
  struct Size
  {
    double area, volume;
  };

  /// Of a surface that is interpolated with degree 4.
  Size
  size_of(const RestSurface &surface);

  /// A plate of length 1 in the plane z = 0 that is clamped on the left, with
  /// gravity along a direction in units of D/(rho h L^3): the parameter gravity
  /// is Gamma*.
  ShellBody
  cantilever_plate(double thickness, double poisson, const Vector3 &down);
} // namespace slender::test

#endif
