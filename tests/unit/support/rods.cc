// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/rods.h"

#include "support/random.h"

#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/models/rods/kirchhoff_rod.h>

#include <ostream>

namespace slender::test
{
  std::ostream &
  operator<<(std::ostream &stream, const Kind kind)
  {
    return stream << (kind == Kind::kirchhoff ? "kirchhoff rod"
                                              : "discrete elastic rod");
  }

  std::ostream &
  operator<<(std::ostream &stream, const NamedBody &body)
  {
    return stream << body.name;
  }

  std::unique_ptr<RodModel>
  make_rod(const Kind kind, const RodBody &body, const Mesh &mesh)
  {
    if (kind == Kind::kirchhoff)
      {
        KirchhoffRodDiscretisation discretisation;
        discretisation.elements             = mesh.pieces;
        discretisation.degree               = mesh.degree;
        discretisation.grading              = mesh.grading;
        discretisation.constraint_stiffness = mesh.constraint;
        return std::make_unique<KirchhoffRod>(body,
                                              discretisation,
                                              mesh.communicator);
      }
    DiscreteElasticRodDiscretisation discretisation;
    discretisation.segments             = mesh.pieces;
    discretisation.grading              = mesh.grading;
    discretisation.constraint_stiffness = mesh.constraint;
    return std::make_unique<DiscreteElasticRod>(body,
                                                discretisation,
                                                mesh.communicator);
  }

  std::vector<NamedBody>
  all_kinds_of_bodies()
  {
    std::vector<NamedBody> bodies;

    RodBody cantilever;
    cantilever.gravity = 5.;
    bodies.push_back({"isotropic, clamped, under its weight", cantilever});

    RodBody strip;
    strip.length              = 2.;
    strip.axial               = 300.;
    strip.bending_1           = 0.8;
    strip.bending_2           = 3.1;
    strip.twisting            = 0.5;
    strip.mass_per_length     = 0.3;
    strip.stiffness_factor    = 1.4;
    strip.natural_twist       = 0.4;
    strip.natural_curvature_1 = -0.6;
    strip.natural_curvature_2 = 0.3;
    strip.gravity             = 9.;
    strip.gravity_direction   = {0.2, 0.5, -1.};
    strip.end_force           = 1.3;
    strip.end_force_direction = {-1., 0.3, 0.4};
    strip.end_moment          = 0.7;
    strip.end_moment_axis     = {0.3, 1., -0.2};
    strip.start_frame         = {{1., 0.4, -0.3}, {0.1, 1., 0.5}};
    bodies.push_back(
      {"extensible strip with natural strains, all loads", strip});

    RodBody adrift        = strip;
    adrift.axial          = 0.;
    adrift.start          = RodEnd();
    adrift.initial_strain = adrift.natural_strain();
    bodies.push_back(
      {"inextensible strip, free at both ends, all loads", adrift});

    RodBody twisted;
    twisted.bending_2          = 2.;
    twisted.end                = RodEnd::clamped();
    twisted.end.displacement   = -0.1;
    twisted.end.rotation_angle = 0.7;
    twisted.end.rotation_axis  = {1., 0.2, 0.};
    twisted.end.frame          = Frame{{1., 0., 0.2}, {0., 1., 0.1}};
    bodies.push_back({"clamped at both ends, pushed and turned", twisted});

    RodBody beam;
    beam.start.rotation     = RodEnd::Rotation::about_y;
    beam.end.position_fixed = {{false, true, true}};
    beam.end.rotation       = RodEnd::Rotation::about_x;
    beam.gravity            = 3.;
    beam.end_force          = 2.;
    bodies.push_back({"hinge at the start, spinning slide at the end", beam});

    RodBody other_beam;
    other_beam.start.rotation     = RodEnd::Rotation::about_x;
    other_beam.end.position_fixed = {{false, true, true}};
    other_beam.end.rotation       = RodEnd::Rotation::about_z;
    other_beam.end_moment         = 1.;
    other_beam.end_moment_axis    = Vector3::UnitZ();
    bodies.push_back(
      {"spinning clamp at the start, hinge at the end", other_beam});

    RodBody oblique        = strip;
    oblique.start.rotation = RodEnd::Rotation::about_z;
    oblique.end.rotation   = RodEnd::Rotation::about_y;
    oblique.end.frame      = Frame{{1., 0.2, -0.5}, {0.3, 1., 0.1}};
    oblique.initial_strain = oblique.natural_strain();
    bodies.push_back({"strip with hinges oblique to it", oblique});

    RodBody pinned;
    pinned.start.rotation     = RodEnd::Rotation::free;
    pinned.end.position_fixed = {{true, true, true}};
    pinned.end.position       = Vector3(0.8, 0.1, 0.);
    pinned.gravity            = 3.;
    bodies.push_back(
      {"pinned at both ends, which were brought closer", pinned});
    return bodies;
  }

  RodBody
  free_body()
  {
    RodBody body;
    body.bending_2           = 2.5;
    body.twisting            = 0.6;
    body.natural_twist       = 0.8;
    body.natural_curvature_1 = 0.5;
    body.natural_curvature_2 = -1.2;
    body.start               = RodEnd();
    body.initial_strain      = body.natural_strain();
    return body;
  }

  Mesh
  small_mesh(const Kind kind)
  {
    Mesh mesh;
    mesh.pieces     = kind == Kind::kirchhoff ? 3 : 6;
    mesh.grading    = 2.;
    mesh.constraint = 1e3;
    return mesh;
  }

  Vector
  random_state(const Model       &model,
               const double       amplitude,
               const unsigned int seed)
  {
    return model.initial_state() +
           amplitude * Random(seed).vector(model.layout().n_local());
  }
} // namespace slender::test
