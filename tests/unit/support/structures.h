// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_structures_h
#define slender_tests_support_structures_h

#include "support/loaded_rod.h"
#include "support/shells.h"

#include <slender/systems/joint.h>
#include <slender/systems/point_load.h>
#include <slender/systems/spring.h>

// Structures of several bodies whose answers are known.
namespace slender::test
{
  /**
   * Lee's frame: a column and a beam of length 120 with a rigid corner, hinged
   * at their far ends, under a force on the beam at 24 from the corner. E =
   * 720, section 3 x 2, bent about its strong side's normal in the plane of x
   * and z.
   */
  struct LeesFrame
  {
    explicit LeesFrame(const Mesh &mesh)
      : column(make_rod(Kind::kirchhoff, column_body(), mesh))
      , beam(make_rod(Kind::kirchhoff, beam_body(), mesh))
      , frame(std::make_unique<Structure>(
          std::vector<Structure::Member>{{"column", *column}, {"beam", *beam}}))
    {
      frame->add_term("corner",
                      std::make_unique<Joint>(
                        Hold{0, column->section(1.)},
                        std::vector<Hold>{{1, beam->section(0.)}},
                        JointStiffness::rigid(column->energy_unit(), length)));
      frame->add_term("load",
                      std::make_unique<PointLoad>(Hold{1, beam->section(0.2)},
                                                  -Vector3::UnitZ()));
    }

    static RodBody
    member()
    {
      RodBody body;
      body.length    = length;
      body.axial     = young * 6.;
      body.bending_1 = young * 2.; // about y
      body.bending_2 = young * 4.5;
      body.twisting  = young * 2.;
      body.start     = RodEnd();
      return body;
    }

    static RodEnd
    hinge()
    {
      RodEnd end   = RodEnd::clamped();
      end.rotation = RodEnd::Rotation::about_y;
      return end;
    }

    static RodBody
    column_body()
    {
      RodBody body     = member();
      body.start       = hinge();
      body.start_frame = {Vector3::UnitZ(), Vector3::UnitY()};
      return body;
    }

    static RodBody
    beam_body()
    {
      RodBody body        = member();
      body.start.position = Vector3(0., 0., length);
      body.start_frame    = {Vector3::UnitX(), Vector3::UnitY()};
      body.end            = hinge();
      return body;
    }

    static constexpr double length = 120., young = 720.;

    std::unique_ptr<RodModel>  column, beam;
    std::unique_ptr<Structure> frame;
  };

  /// A strip of plate that is clamped at its left edge, with a rod that goes on
  /// from the whole of its right edge, under a force across at the rod's end.
  struct StripWithRod
  {
    StripWithRod(const int cells, MPI_Comm communicator)
    {
      ShellBody body;
      body.young     = 12. * strip_bending / std::pow(thickness, 3) / width;
      body.poisson   = 0.;
      body.thickness = thickness;
      body.edges     = {ShellEdge::clamped("left")};
      Rectangle rectangle;
      rectangle.length = strip_length;
      rectangle.width  = width;
      rectangle.cells  = {cells, 2};
      KoiterShellDiscretisation discretisation;
      strip = std::make_unique<KoiterShell>(body,
                                            *make_surface(rectangle),
                                            discretisation,
                                            communicator);

      RodBody rod_body;
      rod_body.length         = rod_length;
      rod_body.bending_1      = rod_bending;
      rod_body.bending_2      = 3. * rod_bending;
      rod_body.start          = RodEnd();
      rod_body.start.position = Vector3(strip_length, 0., 0.);
      Mesh mesh               = mesh_of(4, 3);
      mesh.communicator       = communicator;
      rod                     = make_rod(Kind::kirchhoff, rod_body, mesh);

      structure = std::make_unique<Structure>(
        std::vector<Structure::Member>{{"rod", *rod}, {"strip", *strip}});
      std::vector<Hold> edge;
      for (const auto &point : strip->edge_points("right"))
        edge.push_back({1, point});
      structure->add_term(
        "weld",
        std::make_unique<Joint>(Hold{0, rod->section(0.)},
                                edge,
                                JointStiffness::rigid(rod->energy_unit(),
                                                      rod_length)));
    }

    /// How far the end goes for a small force of one: two beams in a row.
    static double
    compliance()
    {
      const double a = strip_length, b = rod_length;
      return b * b * b / (3. * rod_bending) +
             (a * a * a / 3. + a * a * b + a * b * b) / strip_bending;
    }

    static constexpr double strip_length = 1., rod_length = 0.7, width = 0.2,
                            thickness = 0.005, strip_bending = 2.,
                            rod_bending = 1.;

    std::unique_ptr<KoiterShell> strip;
    std::unique_ptr<RodModel>    rod;
    std::unique_ptr<Structure>   structure;
  };

  /// Two cantilevers one above the other, whose ends a spring can connect; the
  /// upper one is pressed down.
  struct Cantilevers
  {
    explicit Cantilevers(MPI_Comm communicator)
    {
      Mesh mesh         = mesh_of(6, 3);
      mesh.communicator = communicator;
      for (const int i : {0, 1})
        {
          RodBody body;
          body.start.position = Vector3(0., 0., i == 0 ? distance : 0.);
          rods[i]             = make_rod(Kind::kirchhoff, body, mesh);
        }
      structure = std::make_unique<Structure>(
        std::vector<Structure::Member>{{"upper", *rods[0]},
                                       {"lower", *rods[1]}});
      structure->add_term(
        "spring",
        std::make_unique<Spring>(Hold{0, rods[0]->section(1.)},
                                 Hold{1, rods[1]->section(1.)},
                                 0.,
                                 distance));
    }

    static constexpr double distance = 0.5;

    std::unique_ptr<RodModel>  rods[2];
    std::unique_ptr<Structure> structure;
  };
} // namespace slender::test

#endif
