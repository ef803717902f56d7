// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_rods_h
#define slender_tests_support_rods_h

#include <slender/models/rods/rod_model.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace slender::test
{
  enum class Kind
  {
    kirchhoff,
    discrete
  };

  std::ostream &
  operator<<(std::ostream &stream, Kind kind);

  const std::vector<Kind> both_kinds = {Kind::kirchhoff, Kind::discrete};

  /// How finely a rod is cut.
  struct Mesh
  {
    int      pieces       = 8; ///< elements or segments
    int      degree       = 3;
    double   grading      = 1.;
    double   constraint   = 1e10;
    MPI_Comm communicator = MPI_COMM_SELF;
  };

  std::unique_ptr<RodModel>
  make_rod(Kind kind, const RodBody &body, const Mesh &mesh);

  /// A body with a name for the test log.
  struct NamedBody
  {
    std::string name;
    RodBody     body;
  };

  std::ostream &
  operator<<(std::ostream &stream, const NamedBody &body);

  /// Bodies that between them have every section, natural strain, load and
  /// kind of end.
  std::vector<NamedBody>
  all_kinds_of_bodies();

  /// A rod that nothing holds or loads; curved and twisted at rest.
  RodBody
  free_body();

  /// The mesh for tests of derivatives: few unknowns, unequal pieces. The
  /// stiffness against stretching is moderate, so that round-off stays far
  /// below the errors of the differences.
  Mesh
  small_mesh(Kind kind);

  /// A state at random distances of up to `amplitude` from the initial one.
  Vector
  random_state(const Model &model, double amplitude, unsigned int seed);
} // namespace slender::test

#endif
