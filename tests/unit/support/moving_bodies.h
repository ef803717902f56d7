// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_moving_bodies_h
#define slender_tests_support_moving_bodies_h

#include "support/rods.h"
#include "support/shells.h"

#include <slender/models/rods/curvature_rod.h>

#include <functional>

namespace slender::test
{
  /// A body with mass and a name for the test log.
  struct MovingBody
  {
    std::string                             name;
    std::function<std::shared_ptr<Model>()> make; ///< once there is MPI
  };

  inline std::ostream &
  operator<<(std::ostream &stream, const MovingBody &body)
  {
    return stream << body.name;
  }

  /// A strip with rotary inertia.
  inline RodBody
  with_rotary_inertia(RodBody body)
  {
    body.rotary_1 = 0.02;
    body.rotary_2 = 0.005;
    return body;
  }

  inline std::shared_ptr<Model>
  make_super_rod(const RodBody                 &body,
                 const curvature::Interpolation strain,
                 const int                      elements = 4)
  {
    CurvatureRodDiscretisation discretisation;
    discretisation.strain   = strain;
    discretisation.elements = elements;
    discretisation.grading  = 1.5;
    return std::make_shared<CurvatureRod>(body, discretisation, MPI_COMM_SELF);
  }

  /// Between them all kinds of inertia and of damping.
  inline std::vector<MovingBody>
  moving_bodies()
  {
    std::vector<MovingBody> all;
    const auto              rods = all_kinds_of_bodies();
    for (const Kind kind : both_kinds)
      for (const NamedBody &rod : rods)
        all.push_back({kind == Kind::kirchhoff ? "kirchhoff: " + rod.name
                                               : "discrete: " + rod.name,
                       [=] {
                         return make_rod(kind,
                                         with_rotary_inertia(rod.body),
                                         small_mesh(kind));
                       }});
    for (const auto strain :
         {curvature::Interpolation::constant, curvature::Interpolation::linear})
      all.push_back({strain == curvature::Interpolation::constant
                       ? "super helix"
                       : "super clothoid",
                     [body = rods[1].body, strain] {
                       return make_super_rod(with_rotary_inertia(body), strain);
                     }});
    for (const NamedShell &shell : all_kinds_of_shells())
      all.push_back({shell.name, [=] { return make_shell(shell); }});
    return all;
  }
} // namespace slender::test

#endif
