// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_moving_bodies_h
#define slender_tests_support_moving_bodies_h

#include "support/rods.h"
#include "support/shells.h"
#include "support/triangle_shells.h"

#include <slender/models/ribbons/ribbon.h>
#include <slender/models/ribbons/stretchable_elements.h>
#include <slender/models/rods/curvature_rod.h>

#include <functional>
#include <sstream>

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

  inline std::shared_ptr<Ribbon>
  make_stretchable(const RodBody &body)
  {
    return std::make_shared<Ribbon>(
      body,
      std::make_unique<ribbons::StretchableElements>(
        std::vector<double>{0., 0.2, 0.6, 1.}, true, false),
      MPI_COMM_SELF);
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
    all.push_back({"stretchable ribbon", [] {
                     RodBody body = strip_body(2., 0.6, 0.4, 3., 0.35, 1.5);
                     body.natural_curvature_1 = 0.3;
                     body.natural_curvature_2 = -0.2;
                     body.gravity             = 0.02;
                     return make_stretchable(with_rotary_inertia(body));
                   }});
    for (const NamedShell &shell : all_kinds_of_shells())
      all.push_back({shell.name, [=] { return make_shell(shell); }});
    using triangles::MembraneKind;
    const auto add_triangles = [&all](const NamedShell         &shell,
                                      const triangles::FoldRule rule,
                                      const MembraneKind        membrane) {
      std::ostringstream name;
      name << rule << ", " << membrane << ": " << shell.name;
      all.push_back(
        {name.str(), [=] { return make_triangles(shell, rule, membrane); }});
    };
    for (const triangles::FoldRule rule : fold_rules())
      for (const NamedShell &shell :
           {all_kinds_of_shells().front(), free_shells().back()})
        add_triangles(shell, rule, MembraneKind::st_venant_kirchhoff);
    add_triangles(free_shells().back(),
                  triangles::FoldRule::tangent,
                  MembraneKind::neo_hookean);
    return all;
  }
} // namespace slender::test

#endif
