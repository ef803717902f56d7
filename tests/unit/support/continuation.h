// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_continuation_h
#define slender_tests_support_continuation_h

#include "support/loaded_rod.h"

#include <slender/statics/branch.h>

namespace slender::test
{
  /// A column along z, clamped below and free above, that can buckle in the
  /// plane of x and z only.
  inline RodBody
  column()
  {
    RodBody body;
    body.bending_2           = 100.;
    body.start_frame         = {Vector3::UnitZ(), Vector3::UnitY()};
    body.end_force_direction = -Vector3::UnitZ();
    return body;
  }

  /// A shallow arch on two hinges, which snaps through under gravity.
  inline RodBody
  arch()
  {
    RodBody body;
    body.axial               = 1000.;
    body.bending_2           = 1000.;
    body.twisting            = 1000.;
    body.natural_curvature_1 = 1.;
    body.initial_strain      = body.natural_strain();
    body.start_frame = {{std::cos(0.5), 0., std::sin(0.5)}, Vector3::UnitY()};
    body.start.rotation = RodEnd::Rotation::about_y;
    body.end            = RodEnd::clamped();
    body.end.rotation   = RodEnd::Rotation::about_y;
    return body;
  }

  inline Mesh
  column_mesh(const Kind kind)
  {
    Mesh mesh       = kind == Kind::kirchhoff ? mesh_of(12, 4) : mesh_of(100);
    mesh.constraint = 1e8;
    return mesh;
  }

  /// All points of a branch and why it ended.
  struct Followed
  {
    std::vector<BranchPoint> points;
    BranchEnd                end = BranchEnd::stopped;

    std::vector<BranchPoint>
    of_kind(const PointKind kind) const
    {
      std::vector<BranchPoint> found;
      for (const BranchPoint &point : points)
        if (point.kind == kind)
          found.push_back(point);
      return found;
    }
  };

  inline Followed
  follow(System                      &model,
         const std::string           &parameter,
         const BranchOptions         &options,
         const std::optional<Vector> &start = {})
  {
    Followed       branch;
    Controls       controls(model, {parameter});
    BranchFollower follower(controls, 0, NewtonOptions(), options);
    branch.end = follower.follow(start.value_or(model.initial_state()),
                                 1,
                                 [&](const BranchPoint &point) {
                                   branch.points.push_back(point);
                                   return true;
                                 });
    return branch;
  }
} // namespace slender::test

#endif
