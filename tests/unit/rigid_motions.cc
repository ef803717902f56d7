// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/moving_bodies.h"
#include "support/random.h"
#include "support/structures.h"

#include <slender/models/rods/quaternion.h>
#include <slender/systems/dissipation.h>
#include <slender/systems/kinetics.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// What damping takes from rigid motions of bodies that are deformed and under
// stress. As a table: unit_tests --run_test=rigid_motions --log_level=message
namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  const Vector4 turn = quaternion::from_rotation_vector({0.03, 0.04, -0.05});
  const Vector3 translation = {0.02, -0.01, 0.03};

  /// A body and two places of it that differ by a rigid motion.
  struct Case
  {
    std::shared_ptr<System> system;
    Vector                  q;
    /// To the other place: what the unknowns become.
    std::function<Vector()> move;
    /// Its place is given by its clamp: then the unknowns stay as they are.
    bool is_carried = false;
    /// Owns what the system refers to.
    std::vector<std::shared_ptr<System>> members = {};
  };

  struct NamedCase
  {
    std::string           name;
    std::function<Case()> make;
  };

  std::ostream &
  operator<<(std::ostream &stream, const NamedCase &c)
  {
    return stream << c.name;
  }

  Case
  of_rod(std::shared_ptr<RodModel> rod)
  {
    const Vector q = random_state(*rod, 0.1, 5);
    return {rod, q, [=] { return rod->moved(q, turn, translation); }};
  }

  template <class Shell>
  Case
  of_shell(std::shared_ptr<Shell> shell)
  {
    const Vector q = random_state(*shell, 0.01, 5);
    return {shell, q, [=] {
              return shell->transformed(
                q, [](const Vector3 &, const Vector3 &x) {
                  return Vector3(quaternion::rotate(turn, x) + translation);
                });
            }};
  }

  /// Bodies whose unknowns are strains move with their clamp.
  template <class Body>
  Case
  of_strains(std::shared_ptr<Body> rod)
  {
    const Vector q = random_state(*rod, 0.1, 5);
    return {rod,
            q,
            [=] {
              rod->set_parameter("start rotation", 0.07);
              rod->set_parameter("start displacement", 0.03);
              return q;
            },
            true};
  }

  RodBody
  clamped_strip()
  {
    RodBody body = with_rotary_inertia(strip_body(1., 0.3, 0.2, 10., 0.3, 1.));
    body.start.displacement_direction = {1., 2., 0.5};
    body.start.rotation_axis          = {0.3, -1., 2.};
    return body;
  }

  Case
  of_frame()
  {
    Mesh mesh;
    mesh.pieces    = 2;
    mesh.degree    = 2;
    RodBody column = with_rotary_inertia(LeesFrame::column_body()),
            beam   = with_rotary_inertia(LeesFrame::beam_body());
    column.start = beam.end     = RodEnd();
    std::shared_ptr<RodModel> a = make_rod(Kind::kirchhoff, column, mesh),
                              b = make_rod(Kind::kirchhoff, beam, mesh);
    auto frame                  = std::make_shared<Structure>(
      std::vector<Structure::Member>{{"column", *a}, {"beam", *b}});
    frame->add_term(
      "corner",
      std::make_unique<Joint>(Hold{0, a->section(1.)},
                              std::vector<Hold>{{1, b->section(0.)}},
                              JointStiffness::rigid(a->energy_unit(),
                                                    LeesFrame::length)));
    const Vector q =
      frame->initial_state() + 0.01 * Random(5).vector(frame->layout().size);
    return {frame,
            q,
            [=] {
              Vector moved(q.size());
              moved << a->moved(frame->share(0, q), turn, translation),
                b->moved(frame->share(1, q), turn, translation);
              return moved;
            },
            false,
            {a, b}};
  }

  std::vector<NamedCase>
  all_bodies()
  {
    std::vector<NamedCase> all;
    for (const Kind kind : both_kinds)
      all.push_back(
        {kind == Kind::kirchhoff ? "kirchhoff rod" : "discrete elastic rod",
         [=] {
           return of_rod(make_rod(kind,
                                  with_rotary_inertia(free_body()),
                                  small_mesh(kind)));
         }});
    for (const auto strain :
         {curvature::Interpolation::constant, curvature::Interpolation::linear})
      all.push_back(
        {strain == curvature::Interpolation::constant ? "super helix"
                                                      : "super clothoid",
         [=] {
           CurvatureRodDiscretisation how;
           how.strain   = strain;
           how.elements = 4;
           return of_strains(std::make_shared<CurvatureRod>(clamped_strip(),
                                                            how,
                                                            MPI_COMM_SELF));
         }});
    all.push_back({"stretchable ribbon", [] {
                     return of_strains(make_stretchable(clamped_strip()));
                   }});
    all.push_back({"koiter shell", [] {
                     return of_shell(std::shared_ptr<KoiterShell>(
                       make_shell(free_shells()[2])));
                   }});
    for (const triangles::FoldRule rule : fold_rules())
      {
        std::ostringstream name;
        name << (rule == triangles::FoldRule::half_tangent ? "hinge shell"
                 : rule == triangles::FoldRule::angle      ? "discrete shell"
                                                           : "midedge shell, ");
        if (rule != triangles::FoldRule::half_tangent &&
            rule != triangles::FoldRule::angle)
          name << rule;
        all.push_back({name.str(), [=] {
                         return of_shell(std::shared_ptr<TriangleShell>(
                           make_triangles(free_shells()[2], rule)));
                       }});
      }
    all.push_back({"frame of two rods", of_frame});
    return all;
  }

  DissipationOptions
  damping_of(const NamedCase &body, const System &system)
  {
    DissipationOptions law;
    law.bending = 0.7;
    if (body.name.find("super") == std::string::npos)
      law.stretch = 0.3;
    const auto *model = dynamic_cast<const Model *>(&system);
    if (!model || model->dimension() == 1)
      law.twist = 0.4;
    return law;
  }
} // namespace

BOOST_AUTO_TEST_SUITE(rigid_motions)

// Each law by the power that it takes over the kinetic energy of the motion,
// for a rigid motion over that of a deformation.
BOOST_DATA_TEST_CASE(strain_rates_leave_them_alone_and_rayleigh_does_not,
                     data::make(all_bodies()),
                     body)
{
  const Case   c       = body.make();
  System      &system  = *c.system;
  const auto   inertia = system.kinetics({});
  const auto   law     = system.dissipation(damping_of(body, system));
  const Vector e = law->strains(c.q), y = inertia->coordinates(c.q),
               g = system.gradient(c.q);

  struct Powers
  {
    double strain_rates, stiffness; ///< over the kinetic energy
  };
  const auto powers = [&](const Vector &q) {
    const double T = inertia->kinetic_energy(inertia->coordinates(q) - y);
    return Powers{law->power(law->strains(q) - e) / T,
                  (system.gradient(q) - g).dot(q - c.q) / T};
  };
  const Powers deformed =
    powers(c.q + 1e-3 * Random(9).unit_vector(system.layout().size));
  const Powers rigid = powers(c.move());

  // Amplitudes, of which powers are the squares.
  const double strain_rates =
    std::sqrt(rigid.strain_rates / deformed.strain_rates);
  const double rayleigh =
    std::sqrt(std::abs(rigid.stiffness / deformed.stiffness));
  BOOST_TEST_MESSAGE("| " << body.name << " | " << strain_rates << " | "
                          << rayleigh << " | 1 |");
  // Stiff strains of 1e9 times a bending stiffness have round-off, too.
  BOOST_TEST(strain_rates < 1e-10);
  // Rates of unknowns that are strains are zero, and K has nothing to damp; but
  // the masses, -alpha M v, are slowed down in every rigid motion.
  if (c.is_carried)
    BOOST_TEST(rayleigh == 0.);
  else
    BOOST_TEST(rayleigh > 1e-4);
  BOOST_TEST(inertia->kinetic_energy(inertia->coordinates(c.move()) - y) > 0.);
}

BOOST_AUTO_TEST_SUITE_END()
