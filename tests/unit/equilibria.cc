// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/rods.h"

#include <slender/models/rods/quaternion.h>
#include <slender/statics/equilibrium.h>
#include <slender/validation/elastica.h>

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double pi = boost::math::constants::pi<double>();

  Mesh
  mesh_of(const int pieces, const int degree = 3)
  {
    Mesh mesh;
    mesh.pieces = pieces;
    mesh.degree = degree;
    return mesh;
  }

  /// A mesh on which either model is accurate enough for tests of physics that
  /// allow the errors below.
  Mesh
  fine_mesh(const Kind kind)
  {
    return mesh_of(kind == Kind::kirchhoff ? 8 : 128, 4);
  }

  /// What fine_mesh() leaves: the finite elements nothing that matters, the
  /// discrete rod its (1/128)^2 times a constant of up to ten.
  double
  error_of(const Kind kind)
  {
    return kind == Kind::kirchhoff ? 1e-6 : 6e-4;
  }

  /// A rod with the equilibrium that it was brought to.
  struct Loaded
  {
    std::unique_ptr<RodModel> rod;
    Equilibrium               state;

    double
    measured(const std::string &name) const
    {
      return find_measurement(rod->measure(state.q), name);
    }

    Vector3
    tip() const
    {
      return rod->stations(state.q).back().position;
    }
  };

  /// From the body without loads to the targets.
  Loaded
  load(const Kind                     kind,
       const RodBody                 &body,
       const Mesh                    &mesh,
       const std::vector<LoadTarget> &targets)
  {
    Loaded            result{make_rod(kind, body, mesh), {}};
    EquilibriumSolver solver(*result.rod, NewtonOptions());
    result.state = solver.load(result.rod->initial_state(), targets);
    BOOST_TEST(result.state.converged(), to_string(result.state.outcome));
    return result;
  }

  /// An error for each of some meshes, each twice as fine as the one before.
  std::vector<double>
  errors_under_refinement(const int                                coarsest,
                          const int                                n,
                          const std::function<double(int pieces)> &error)
  {
    std::vector<double> errors;
    for (int i = 0, pieces = coarsest; i < n; ++i, pieces *= 2)
      errors.push_back(std::abs(error(pieces)));
    return errors;
  }

  void
  check_orders(const std::string         &what,
               const std::vector<double> &errors,
               const double               expected,
               const double               slack)
  {
    const std::vector<double> measured = orders(errors);
    for (std::size_t i = 0; i < errors.size(); ++i)
      BOOST_TEST_MESSAGE(what << ": error " << errors[i] << ", order "
                              << (i > 0 ? measured[i - 1] : 0.));
    for (const double order : measured)
      BOOST_TEST(order > expected - slack, what << ": order " << order);
  }
} // namespace



BOOST_AUTO_TEST_SUITE(equilibria)

BOOST_DATA_TEST_CASE(a_lightly_loaded_cantilever_sags_by_linear_theory,
                     data::make(both_kinds),
                     kind)
{
  // rho A g L^4 / (8 B), in any units; large deflections change it by some
  // 1e-8 here.
  RodBody body;
  body.length          = 2.;
  body.bending_1       = 3.;
  body.bending_2       = 7.;
  body.mass_per_length = 0.5;
  const double gravity = 1e-4;
  const Loaded cantilever =
    load(kind, body, fine_mesh(kind), {{"gravity", gravity}});
  const double sag = 0.5 * gravity * std::pow(2., 4) / (8. * 3.);
  BOOST_TEST(std::abs(cantilever.tip().z() / -sag - 1.) < error_of(kind));
}

BOOST_DATA_TEST_CASE(a_strip_bends_about_the_director_across_its_load,
                     data::make(both_kinds),
                     kind)
{
  // F L^3 / (3 B): a force along d2 bends about d1, and the other way round.
  RodBody body;
  body.bending_1           = 1.;
  body.bending_2           = 4.;
  const double force       = 1e-4;
  body.end_force_direction = Vector3::UnitZ();
  BOOST_TEST(
    std::abs(
      load(kind, body, fine_mesh(kind), {{"end force", force}}).tip().z() /
        (force / 3.) -
      1.) < error_of(kind));
  body.end_force_direction = Vector3::UnitY();
  BOOST_TEST(
    std::abs(
      load(kind, body, fine_mesh(kind), {{"end force", force}}).tip().y() /
        (force / 12.) -
      1.) < error_of(kind));
}

BOOST_DATA_TEST_CASE(a_hanging_rod_stretches_by_its_axial_stiffness,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.axial             = 50.;
  body.gravity_direction = Vector3::UnitX();
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", 3.}, {"end force", 0.}});
  // rho A g L^2 / (2 EA); both models integrate the linear tension exactly or
  // to second order.
  BOOST_TEST(std::abs(rod.tip().x() - (1. + 3. / (2. * 50.))) <
             0.1 * error_of(kind));
}

BOOST_DATA_TEST_CASE(a_clamp_bears_the_loads_of_the_rod,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.length              = 2.;
  body.mass_per_length     = 0.5;
  body.end_force_direction = {0., 3., 4.};
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", 9.}, {"end force", 2.5}});
  const Vector3 reaction = rod.rod->reaction(rod.state.q, RodSide::start);
  // Exact for the discrete equilibrium, whatever the mesh, up to what round-off
  // in the stiff stretch leaves of the residual.
  BOOST_TEST((reaction - Vector3(0., -1.5, -2. + 9.)).norm() < 1e-5);
  BOOST_TEST(rod.rod->reaction(rod.state.q, RodSide::end).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(the_heavy_elastica_is_met_with_high_order_by_elements)
{
  // Errors of the aspect ratio of the hanging cantilever at a large load.
  const double gamma    = 10.;
  const double expected = elastica_aspect_ratio(gamma);
  const auto   error    = [&](const int degree, const int elements) {
    const Loaded rod = load(Kind::kirchhoff,
                            RodBody(),
                            mesh_of(elements, degree),
                            {{"gravity", gamma}});
    return -rod.tip().z() / rod.tip().x() - expected;
  };
  // The energy, and with it the compliance, converges like the square of the
  // strains: 2k for degree k.
  for (const int degree : {1, 2, 3})
    check_orders("degree " + std::to_string(degree),
                 errors_under_refinement(12 / degree,
                                         3,
                                         [&](const int n) {
                                           return error(degree, n);
                                         }),
                 2. * degree,
                 0.3);
  BOOST_TEST(std::abs(error(4, 16)) < 1e-8);
}

namespace
{
  /// Bisshopp and Drucker (1945): a cantilever of length 1 and stiffness 1
  /// under a transverse force, whose end makes the angle phi with its start.
  struct EndForceElastica
  {
    double  force;
    Vector3 tip;

    explicit EndForceElastica(const double phi)
    {
      using boost::math::ellint_1;
      using boost::math::ellint_2;
      const double k     = std::sqrt((1. + std::sin(phi)) / 2.);
      const double begin = std::asin(1. / (k * std::sqrt(2.)));
      const double root  = ellint_1(k) - ellint_1(k, begin);
      const double descent =
        1. - 2. * (ellint_2(k) - ellint_2(k, begin)) / root;
      force = root * root;
      tip   = {std::sqrt(2. * std::sin(phi)) / root, 0., -descent};
    }
  };
} // namespace

BOOST_DATA_TEST_CASE(an_end_force_bends_the_rod_into_the_closed_form_elastica,
                     data::make(both_kinds),
                     kind)
{
  for (const double phi : {0.4, 1.0, 1.4})
    {
      const EndForceElastica elastica(phi);
      const Loaded           rod =
        load(kind, RodBody(), fine_mesh(kind), {{"end force", elastica.force}});
      BOOST_TEST((rod.tip() - elastica.tip).norm() < error_of(kind));
    }
}

BOOST_AUTO_TEST_CASE(segments_meet_the_elastica_with_second_order)
{
  const EndForceElastica    elastica(1.2);
  const std::vector<double> errors =
    errors_under_refinement(16, 4, [&](const int n) {
      const Loaded rod = load(Kind::discrete,
                              RodBody(),
                              mesh_of(n),
                              {{"end force", elastica.force}});
      return (rod.tip() - elastica.tip).norm();
    });
  check_orders("segments", errors, 2., 0.25);
  BOOST_TEST(errors.back() < 1e-4);
}

BOOST_AUTO_TEST_CASE(graded_segments_meet_the_heavy_elastica)
{
  // The curvature of a long hanging rod sits at its clamp, where graded
  // segments are short.
  const double gamma = 1e3;
  const auto   error = [&](const double grading) {
    Mesh mesh    = mesh_of(128);
    mesh.grading = grading;
    const Loaded rod =
      load(Kind::discrete, RodBody(), mesh, {{"gravity", gamma}});
    return std::abs(
      -rod.tip().z() / rod.tip().x() / elastica_aspect_ratio(gamma) - 1.);
  };
  const double uniform = error(1.), graded = error(8.);
  BOOST_TEST_MESSAGE("heavy elastica, 128 segments: relative error "
                     << uniform << " uniform, " << graded << " graded");
  BOOST_TEST(uniform < 1e-2);
  BOOST_TEST(graded < uniform / 4);
}

BOOST_AUTO_TEST_CASE(an_end_moment_rolls_elements_into_a_circle)
{
  // M = 2 pi B/L: the end comes back to the start, the middle is at 1/pi.
  const auto error = [&](const int degree, const int elements) {
    RodBody body;
    body.end_moment_axis   = -Vector3::UnitY();
    const Loaded  rod      = load(Kind::kirchhoff,
                            body,
                            mesh_of(elements, degree),
                            {{"end moment", 2. * pi}});
    const auto    stations = rod.rod->stations(rod.state.q);
    const Vector3 middle   = stations[stations.size() / 2].position;
    return rod.tip().norm() + (middle - Vector3(0., 0., 1. / pi)).norm();
  };
  for (const int degree : {1, 2, 3})
    check_orders("degree " + std::to_string(degree),
                 errors_under_refinement(
                   6, 3, [&](const int n) { return error(degree, n); }),
                 2. * degree,
                 0.3);
  BOOST_TEST(error(4, 16) < 1e-8);
}

BOOST_AUTO_TEST_CASE(an_end_moment_rolls_segments_into_a_polygon)
{
  // The polygon's joints all turn by the same angle, with 2 tan(angle/2) = M h:
  // second order.
  RodBody body;
  body.end_moment_axis = -Vector3::UnitY();
  const std::vector<double> errors =
    errors_under_refinement(16, 4, [&](const int n) {
      const Loaded rod =
        load(Kind::discrete, body, mesh_of(n), {{"end moment", 2. * pi}});
      const auto    stations = rod.rod->stations(rod.state.q);
      const Vector3 middle   = stations[stations.size() / 2].position;
      return rod.tip().norm() + (middle - Vector3(0., 0., 1. / pi)).norm();
    });
  check_orders("segments", errors, 2., 0.1);
  BOOST_TEST(errors.back() < 1e-2);
}

BOOST_DATA_TEST_CASE(an_axial_moment_twists_by_the_torsional_stiffness,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.length          = 2.;
  body.twisting        = 0.4;
  body.bending_2       = 3.;
  body.end_moment_axis = Vector3::UnitX();
  const double moment  = 0.3; // below Greenhill's buckling moment
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"end moment", moment}});
  // phi = M L / GJ, uniform along the rod, for any mesh: the twist of the
  // discrete rod is that of the polygon's joints.
  const auto        stations = rod.rod->stations(rod.state.q);
  const double      twist    = moment / 0.4;
  const RodStation &middle   = stations[stations.size() / 2];
  BOOST_TEST(std::abs(middle.strain(0) - twist) < 1e-6);
  // The discrete rod's moment acts on its last edge, half an edge before the
  // end.
  const double span = kind == Kind::kirchhoff ? 2. : 2. * (1. - 0.5 / 128.);
  BOOST_TEST((quaternion::to_matrix(stations.back().frame) -
              quaternion::to_matrix(
                quaternion::from_axis_angle(Vector3::UnitX(), twist * span)))
               .norm() < 1e-6);
}

BOOST_DATA_TEST_CASE(a_clamp_can_be_turned_many_times,
                     data::make(both_kinds),
                     kind)
{
  // Four turns of a rod whose torsional stiffness is so small that it stays
  // straight: energy GJ phi^2 / (2 L). With three segments more than a full
  // turn sits in each joint.
  RodBody body;
  body.twisting          = 0.1;
  body.end               = RodEnd::clamped();
  body.end.rotation_axis = Vector3::UnitX();
  const auto rod =
    make_rod(kind, body, mesh_of(kind == Kind::kirchhoff ? 16 : 3, 4));
  EquilibriumSolver solver(*rod, NewtonOptions());
  Equilibrium       state;
  state.q = rod->initial_state();
  for (int half_turns = 1; half_turns <= 8; ++half_turns)
    {
      const double angle = half_turns * pi;
      state              = solver.load(state.q, {{"end rotation", angle}});
      BOOST_TEST(state.converged());
      // The elements interpolate a rotation of 90 degrees each in the end.
      BOOST_TEST(std::abs(find_measurement(rod->measure(state.q), "energy") -
                          0.05 * angle * angle) < 1e-3);
      BOOST_TEST(solver.inertia(state.q).negative == 0);
    }
}

BOOST_DATA_TEST_CASE(a_straight_rod_curls_into_the_helix_of_its_natural_strains,
                     data::make(both_kinds),
                     kind)
{
  // Frame and centreline of a stress-free rod solve F' = F [kappa]x, r' = F t:
  // the exponential of a 4 x 4 matrix, here by scaling and squaring of its
  // series.
  const Vector3   kappa(1.5, -1., 3.);
  Eigen::Matrix4d rate       = Eigen::Matrix4d::Zero();
  rate.topLeftCorner<3, 3>() = quaternion::cross_matrix(kappa);
  rate(0, 3)                 = 1.;
  rate /= 1024.;
  Eigen::Matrix4d end = Eigen::Matrix4d::Identity() + rate + rate * rate / 2. +
                        rate * rate * rate / 6. +
                        rate * rate * rate * rate / 24.;
  for (int i = 0; i < 10; ++i)
    end = (end * end).eval();

  RodBody body;
  body.twisting  = 0.7;
  body.bending_2 = 2.;
  const Loaded rod =
    load(kind,
         body,
         kind == Kind::kirchhoff ? mesh_of(12, 4) : mesh_of(160),
         {{"natural twist", kappa(0)},
          {"natural curvature 1", kappa(1)},
          {"natural curvature 2", kappa(2)}});
  BOOST_TEST((rod.tip() - end.topRightCorner<3, 1>()).norm() < error_of(kind));
  const auto last = rod.rod->stations(rod.state.q).back();
  if (kind == Kind::kirchhoff)
    BOOST_TEST(
      (quaternion::to_matrix(last.frame) - end.topLeftCorner<3, 3>()).norm() <
      1e-6);
  // It is free of stress: exactly for the polygon, whose joints are at rest in
  // their own measure, to discretisation error for the elements.
  BOOST_TEST(std::abs(rod.rod->energy(rod.state.q)) <
             (kind == Kind::kirchhoff ? 1e-9 : 1e-18));
}

BOOST_DATA_TEST_CASE(the_natural_shape_to_start_from_is_an_equilibrium,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.natural_twist            = 1.5;
  body.natural_curvature_1      = -1.;
  body.natural_curvature_2      = 3.;
  body.bending_2                = 2.;
  body.start_frame              = {{1., 0.5, 0.2}, {0., 1., 0.4}};
  body.start.position           = Vector3(0.1, 0.2, 0.3);
  body.start_from_natural_shape = true;
  const auto rod =
    make_rod(kind,
             body,
             kind == Kind::kirchhoff ? mesh_of(12, 4) : mesh_of(160));
  EquilibriumSolver solver(*rod, NewtonOptions());
  const Vector      guess = rod->initial_state();
  const Equilibrium state = solver.solve(guess);
  BOOST_TEST(state.converged());
  BOOST_TEST(std::abs(rod->energy(state.q)) <
             (kind == Kind::kirchhoff ? 1e-9 : 1e-18));
  // Nothing moves but by the error of the mesh.
  const auto before = rod->stations(guess), after = rod->stations(state.q);
  for (std::size_t i = 0; i < before.size(); ++i)
    BOOST_TEST((after[i].position - before[i].position).norm() <
               error_of(kind));
  BOOST_TEST(solver.inertia(state.q).negative == 0);
}

namespace
{
  struct Beam
  {
    std::string name;
    RodEnd      start, end;
    double      deflection; ///< where it is measured, over w L^4 / B
    double      position;
  };

  std::ostream &
  operator<<(std::ostream &stream, const Beam &beam)
  {
    return stream << beam.name;
  }

  RodEnd
  slide_along_x(const RodEnd::Rotation rotation)
  {
    RodEnd end;
    end.position_fixed = {{false, true, true}};
    end.rotation       = rotation;
    return end;
  }

  RodEnd
  hinge(const RodEnd::Rotation rotation)
  {
    RodEnd end   = RodEnd::clamped();
    end.rotation = rotation;
    return end;
  }

  /// Beams along x, bent about y, from tables of linear beam theory.
  std::vector<Beam>
  beams()
  {
    using Rotation = RodEnd::Rotation;
    return {{"hinged, hinged",
             hinge(Rotation::about_y),
             slide_along_x(Rotation::about_y),
             5. / 384.,
             0.5},
            {"clamped, clamped",
             RodEnd::clamped(),
             slide_along_x(Rotation::fixed),
             1. / 384.,
             0.5},
            {"spinning clamps",
             RodEnd::clamped(),
             slide_along_x(Rotation::about_x),
             1. / 384.,
             0.5},
            {"clamped, hinged",
             RodEnd::clamped(),
             slide_along_x(Rotation::about_y),
             1. / 192.,
             0.5},
            {"clamped, pinned",
             RodEnd::clamped(),
             slide_along_x(Rotation::free),
             1. / 192.,
             0.5},
            {"hinged, clamped",
             hinge(Rotation::about_y),
             slide_along_x(Rotation::fixed),
             1. / 192.,
             0.5},
            {"hinge about the wrong axis",
             RodEnd::clamped(),
             slide_along_x(Rotation::about_z),
             1. / 384.,
             0.5}};
  }
} // namespace

BOOST_DATA_TEST_CASE(beams_sag_as_their_ends_allow,
                     data::make(both_kinds) * data::make(beams()),
                     kind,
                     beam)
{
  RodBody body;
  body.start                   = beam.start;
  body.end                     = beam.end;
  const double load_per_length = 1e-3;
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", load_per_length}});
  const auto   stations = rod.rod->stations(rod.state.q);
  const double sag      = -stations[stations.size() / 2].position.z();
  BOOST_TEST_MESSAGE(kind << ", " << beam.name << ": sag "
                          << sag / (load_per_length * beam.deflection));
  BOOST_TEST(std::abs(sag / (load_per_length * beam.deflection) - 1.) <
             error_of(kind));
}

BOOST_DATA_TEST_CASE(ends_work_the_same_however_the_rod_lies_in_space,
                     data::make(both_kinds) * data::make(beams()),
                     kind,
                     beam)
{
  // The beams once more, standing along z, bent about x by a load along y: the
  // axes x, y, z of before have become z, x, y.
  const auto turned = [](const RodEnd &end) {
    using Rotation = RodEnd::Rotation;
    RodEnd result  = end;
    for (int i = 0; i < 3; ++i)
      result.position_fixed[(i + 2) % 3] = end.position_fixed[i];
    result.rotation = end.rotation == Rotation::about_x   ? Rotation::about_z
                      : end.rotation == Rotation::about_y ? Rotation::about_x
                      : end.rotation == Rotation::about_z ? Rotation::about_y
                                                          : end.rotation;
    return result;
  };
  RodBody body;
  body.start                   = turned(beam.start);
  body.end                     = turned(beam.end);
  body.start_frame             = {Vector3::UnitZ(), Vector3::UnitX()};
  body.gravity_direction       = -Vector3::UnitY();
  const double load_per_length = 1e-3;
  const Loaded rod =
    load(kind, body, fine_mesh(kind), {{"gravity", load_per_length}});
  const auto   stations = rod.rod->stations(rod.state.q);
  const double sag      = -stations[stations.size() / 2].position.y();
  BOOST_TEST(std::abs(sag / (load_per_length * beam.deflection) - 1.) <
             error_of(kind));
}

BOOST_DATA_TEST_CASE(a_hinge_lets_a_rod_swing_about_its_axis_alone,
                     data::make(both_kinds),
                     kind)
{
  // A rod at 45 degrees to the vertical axis of its hinge, swung from the x-z
  // plane into the vertical plane of a force at its end: it rests there as if
  // it were clamped, its frame turned with it.
  RodBody body;
  body.bending_2           = 2.;
  body.twisting            = 0.8;
  body.end_force           = 0.5;
  body.end_force_direction = {1., 1., 0.};
  RodBody clamped          = body;
  clamped.start_frame      = {{1., 1., std::sqrt(2.)}, {-1., 1., 0.}};
  body.start_frame         = {{1., 0., 1.}, {0., 1., 0.}};
  body.start.rotation      = RodEnd::Rotation::about_z;

  const auto        swinging = make_rod(kind, body, fine_mesh(kind));
  const auto        resting  = make_rod(kind, clamped, fine_mesh(kind));
  const Equilibrium swung =
    EquilibriumSolver(*swinging, NewtonOptions())
      .solve(
        swinging->moved(swinging->initial_state(),
                        quaternion::from_axis_angle(Vector3::UnitZ(), pi / 4),
                        Vector3::Zero()));
  const Equilibrium rested = EquilibriumSolver(*resting, NewtonOptions())
                               .solve(resting->initial_state());
  BOOST_TEST(swung.converged());
  BOOST_TEST(rested.converged());
  const auto expected  = resting->stations(rested.q);
  const auto actual    = swinging->stations(swung.q);
  double     positions = 0., frames = 0., strains = 0.;
  for (std::size_t i = 0; i < expected.size(); ++i)
    {
      positions =
        std::max(positions, (actual[i].position - expected[i].position).norm());
      frames = std::max(frames,
                        (quaternion::to_matrix(actual[i].frame) -
                         quaternion::to_matrix(expected[i].frame))
                          .norm());
      strains =
        std::max(strains, (actual[i].strain - expected[i].strain).norm());
    }
  BOOST_TEST(positions < 1e-9);
  BOOST_TEST(frames < 1e-9);
  BOOST_TEST(strains < 1e-7);
}

BOOST_AUTO_TEST_CASE(elements_do_not_lock_however_thin_the_rod)
{
  // A hanging cantilever at a large load on a coarse mesh, against a fine mesh
  // at the same radius, so that the true stretch of a thick rod does not
  // count: the error may not grow as the rod gets thinner.
  for (const int degree : {1, 2, 3, 4})
    {
      const int           coarse = 4;
      std::vector<double> errors;
      for (const double radius : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5})
        {
          RodBody body;
          body.axial        = 4. / (radius * radius); // EA L^2 / EI of a circle
          Mesh         mesh = mesh_of(coarse, degree);
          const Loaded rod =
            load(Kind::kirchhoff, body, mesh, {{"gravity", 10.}});
          mesh.pieces *= 8;
          mesh.degree = 4;
          const Loaded fine =
            load(Kind::kirchhoff, body, mesh, {{"gravity", 10.}});
          errors.push_back((rod.tip() - fine.tip()).norm());
          BOOST_TEST_MESSAGE("degree " << degree << ", radius " << radius
                                       << ": tip off by " << errors.back());
        }
      for (const double error : errors)
        BOOST_TEST(error < 1.5 * errors.front());
    }
}

BOOST_DATA_TEST_CASE(a_column_buckles_under_its_weight_where_greenhill_says,
                     data::make(both_kinds),
                     kind)
{
  // Clamped below, free above: rho A g L^3 / B = 7.83735 (both directions of a
  // round section at once), the next modes at 55.977.
  RodBody body;
  body.start_frame  = {Vector3::UnitZ(), Vector3::UnitX()};
  const auto    rod = make_rod(kind, body, fine_mesh(kind));
  NewtonOptions banded, mumps;
  banded.linear_solver = "banded";
  mumps.linear_solver  = "mumps";
  EquilibriumSolver solver(*rod, banded), other(*rod, mumps);
  Vector            q = rod->initial_state();
  // 0.1 % on either side: the discrete rod is off by 2e-4.
  for (const auto &[gamma, negative] : std::vector<std::pair<double, int>>{
         {1., 0}, {7.829, 0}, {7.846, 2}, {30., 2}, {55.7, 2}, {56.3, 4}})
    BOOST_TEST_CONTEXT("gamma " << gamma)
    {
      rod->set_parameter("gravity", gamma);
      const Equilibrium upright = solver.solve(q);
      BOOST_TEST(upright.converged());
      BOOST_TEST(upright.q.allFinite());
      q = upright.q;
      BOOST_TEST(solver.inertia(q).negative == negative);
      BOOST_TEST(other.inertia(q).negative == negative);
      BOOST_TEST(solver.inertia(q).positive == rod->layout().size - negative);
      BOOST_TEST(other.inertia(q).positive == rod->layout().size - negative);
    }
}

BOOST_DATA_TEST_CASE(a_strip_buckles_about_its_weak_axis_first,
                     data::make(both_kinds),
                     kind)
{
  // Euler's pi^2 B / (4 L^2) for each of the two bending stiffnesses.
  RodBody body;
  body.bending_1           = 1.;
  body.bending_2           = 3.;
  body.end_force_direction = -Vector3::UnitX();
  const auto        rod    = make_rod(kind, body, fine_mesh(kind));
  EquilibriumSolver solver(*rod, NewtonOptions());
  const double      weak = pi * pi / 4.;
  for (const auto &[force, negative] :
       std::vector<std::pair<double, int>>{{0.999 * weak, 0},
                                           {1.001 * weak, 1},
                                           {2.997 * weak, 1},
                                           {3.003 * weak, 2}})
    {
      rod->set_parameter("end force", force);
      const Equilibrium straight = solver.solve(rod->initial_state());
      BOOST_TEST(straight.converged());
      BOOST_TEST(solver.inertia(straight.q).negative == negative);
    }
}

BOOST_DATA_TEST_CASE(both_linear_solvers_find_the_same_equilibrium,
                     data::make(both_kinds),
                     kind)
{
  RodBody body   = all_kinds_of_bodies()[1].body;
  body.axial     = 0.;
  body.gravity   = 0.;
  body.end_force = body.end_moment = 0.;
  body.start_from_natural_shape    = true;
  std::vector<Vector> states;
  for (const char *name : {"banded", "mumps"})
    {
      const auto    rod = make_rod(kind, body, fine_mesh(kind));
      NewtonOptions options;
      options.linear_solver = name;
      EquilibriumSolver solver(*rod, options);
      Equilibrium       state = solver.solve(rod->initial_state());
      BOOST_TEST(state.converged());
      state =
        solver.load(state.q,
                    {{"gravity", 2.}, {"end force", 0.3}, {"end moment", 0.2}});
      BOOST_TEST(state.converged());
      states.push_back(state.q);
    }
  BOOST_TEST((states[0] - states[1]).cwiseAbs().maxCoeff() < 1e-10);
}

BOOST_DATA_TEST_CASE(a_search_that_may_not_iterate_says_so,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.gravity      = 10.;
  const auto    rod = make_rod(kind, body, fine_mesh(kind));
  NewtonOptions options;
  options.max_iterations = 1;
  EquilibriumSolver solver(*rod, options);
  const Equilibrium state = solver.solve(rod->initial_state());
  BOOST_TEST((state.outcome == Outcome::too_many_iterations));
  BOOST_TEST(!state.converged());
}

BOOST_DATA_TEST_CASE(an_undefined_load_is_an_outcome_and_not_an_exception,
                     data::make(both_kinds),
                     kind)
{
  const double      nan = std::numeric_limits<double>::quiet_NaN();
  const auto        rod = make_rod(kind, RodBody(), fine_mesh(kind));
  EquilibriumSolver solver(*rod, NewtonOptions());
  const Equilibrium loaded =
    solver.load(rod->initial_state(), {{"gravity", nan}});
  BOOST_TEST((loaded.outcome == Outcome::not_finite));
  // What did converge is kept.
  BOOST_TEST(rod->parameter("gravity") == 0.);
  BOOST_TEST(loaded.q == rod->initial_state());

  rod->set_parameter("gravity", nan);
  const Equilibrium state = solver.solve(rod->initial_state());
  BOOST_TEST((state.outcome == Outcome::not_finite));
}

BOOST_DATA_TEST_CASE(a_load_that_no_equilibrium_bears_is_not_reached,
                     data::make(both_kinds),
                     kind)
{
  // A rod that nothing holds.
  RodBody body;
  body.start        = RodEnd();
  const auto    rod = make_rod(kind, body, mesh_of(8));
  NewtonOptions options;
  options.max_step_cuts = 3;
  EquilibriumSolver solver(*rod, options);
  const Equilibrium state =
    solver.load(rod->initial_state(), {{"gravity", 1.}});
  BOOST_TEST(!state.converged());
  BOOST_TEST_MESSAGE(to_string(state.outcome));
  BOOST_TEST(rod->parameter("gravity") == 0.);
}

namespace
{
  /// One unknown with the force q^2 + a or a sqrt(1 + q^2), which vanishes
  /// nowhere but has a minimum, where Newton's method likes to get stuck.
  class Restless : public Model
  {
  public:
    explicit Restless(const bool is_steep, const double least_force)
      : steep(is_steep)
      , least(least_force)
    {
      the_layout.size = the_layout.end = 1;
    }

    const Layout &
    layout() const override
    {
      return the_layout;
    }

    Vector
    initial_state() const override
    {
      return Vector::Zero(1);
    }

    double
    energy(const Vector &q) const override
    {
      const double x = q(0);
      return steep ? x * x * x / 3. + least * x
                   : least / 2. * (x * std::sqrt(1. + x * x) + std::asinh(x));
    }

    Vector
    gradient(const Vector &q) const override
    {
      const double x = q(0);
      return Vector::Constant(1,
                              steep ? x * x + least
                                    : least * std::sqrt(1. + x * x));
    }

    void
    hessian(const Vector &q, HessianSink &sink) const override
    {
      const double x = q(0);
      const double stiffness =
        steep ? 2. * x : least * x / std::sqrt(1. + x * x);
      const Index first = 0;
      sink.add(&first, 1, &stiffness);
    }

    std::vector<Measurement>
    measure(const Vector &) const override
    {
      return {};
    }

    Drawing
    draw(const Vector &) const override
    {
      return {};
    }

  private:
    Layout the_layout;
    bool   steep;
    double least;
  };
} // namespace

BOOST_AUTO_TEST_CASE(a_body_without_equilibrium_is_never_said_to_have_one)
{
  for (const bool steep : {true, false})
    for (const double least : {1., 1e-4, 1e-8})
      for (const char *line_search : {"automatic", "full step", "backtrack"})
        for (double guess = -2.; guess < 2.; guess += 0.173)
          {
            Restless      model(steep, least);
            NewtonOptions options;
            options.line_search = line_search;
            EquilibriumSolver solver(model, options);
            BOOST_TEST(!solver.solve(Vector::Constant(1, guess)).converged());
          }
}

BOOST_DATA_TEST_CASE(one_step_to_a_large_load_takes_few_iterations,
                     data::make(both_kinds),
                     kind)
{
  // With the exact Hessian the elements do not get there in one step at all:
  // the straight guess of a rotation stretches them.
  const Loaded rod = load(kind, RodBody(), fine_mesh(kind), {{"gravity", 10.}});
  BOOST_TEST_MESSAGE(kind << ": " << rod.state.iterations << " iterations");
  BOOST_TEST(rod.state.iterations <= 15);
}

BOOST_DATA_TEST_CASE(a_long_way_is_cut_into_steps, data::make(both_kinds), kind)
{
  // One step of this size is too much for four iterations.
  const RodBody body;
  const Mesh    mesh = fine_mesh(kind);
  NewtonOptions impatient;
  impatient.max_iterations = 4;
  {
    const auto        rod = make_rod(kind, body, mesh);
    EquilibriumSolver solver(*rod, impatient);
    rod->set_parameter("gravity", 200.);
    BOOST_TEST(!solver.solve(rod->initial_state()).converged());
    rod->set_parameter("gravity", 0.);
    const Equilibrium cut =
      solver.load(rod->initial_state(), {{"gravity", 200.}});
    BOOST_TEST(cut.converged());
    BOOST_TEST(rod->parameter("gravity") == 200.);
    const Loaded patient = load(kind, body, mesh, {{"gravity", 200.}});
    BOOST_TEST((rod->stations(cut.q).back().position - patient.tip()).norm() <
               1e-9);
    BOOST_TEST_MESSAGE(
      kind << ": " << cut.iterations << " iterations in steps, "
           << patient.state.iterations << " with the default options");
  }
  // Without cuts the load stays where it was.
  const auto rod          = make_rod(kind, body, mesh);
  impatient.max_step_cuts = 0;
  EquilibriumSolver solver(*rod, impatient);
  const Equilibrium state =
    solver.load(rod->initial_state(), {{"gravity", 200.}});
  BOOST_TEST((state.outcome == Outcome::too_many_iterations));
  BOOST_TEST(rod->parameter("gravity") == 0.);
}

BOOST_AUTO_TEST_CASE(every_outcome_has_a_sentence_of_its_own)
{
  const std::vector<Outcome> outcomes = {Outcome::converged,
                                         Outcome::too_many_iterations,
                                         Outcome::not_finite,
                                         Outcome::singular_tangent};
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      BOOST_TEST(std::string(to_string(outcomes[i])) !=
                 std::string(to_string(outcomes[j])));
}

BOOST_AUTO_TEST_SUITE_END()
