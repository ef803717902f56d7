// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"
#include "support/rods.h"

#include <slender/base/errors.h>
#include <slender/models/rods/quaternion.h>

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  using Eigen::MatrixXd;
  namespace data = boost::unit_test::data;

  const std::vector<NamedBody> bodies = all_kinds_of_bodies();

  /// A rod of the data-driven tests with a random state of moderate strains.
  struct Sample
  {
    std::unique_ptr<RodModel> rod;
    Vector                    q;

    Sample(const Kind kind, const RodBody &body, const unsigned int seed)
      : rod(make_rod(kind, body, small_mesh(kind)))
      , q(random_state(*rod, 0.05, seed))
    {}
  };

  double
  energy_in_users_units(const RodModel &rod, const Vector &q)
  {
    return find_measurement(rod.measure(q), "energy");
  }
} // namespace



BOOST_AUTO_TEST_SUITE(rod_models)

BOOST_DATA_TEST_CASE(forces_are_the_gradient_of_the_energy,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  for (unsigned int seed = 1; seed < 4; ++seed)
    {
      const Sample    sample(kind, body.body, seed);
      const RodModel &rod   = *sample.rod;
      const Vector   &q     = sample.q;
      const Vector    d     = Random(seed + 10).unit_vector(q.size());
      const double    slope = rod.gradient(q).dot(d);
      check_second_order(
        [&](const double h) {
          return std::abs(
            (rod.energy(q + h * d) - rod.energy(q - h * d)) / (2. * h) - slope);
        },
        2e-3,
        std::abs(rod.energy(q)));
    }
}

BOOST_DATA_TEST_CASE(stiffness_is_the_gradient_of_the_forces,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  for (unsigned int seed = 1; seed < 4; ++seed)
    {
      const Sample    sample(kind, body.body, seed);
      const RodModel &rod       = *sample.rod;
      const Vector   &q         = sample.q;
      const Vector    d         = Random(seed + 20).unit_vector(q.size());
      const Vector    stiffness = dense_hessian(rod, q) * d;
      check_second_order(
        [&](const double h) {
          return ((rod.gradient(q + h * d) - rod.gradient(q - h * d)) /
                    (2. * h) -
                  stiffness)
            .norm();
        },
        2e-3,
        rod.gradient(q).norm());
    }
}

BOOST_DATA_TEST_CASE(stiffness_acts_on_a_direction_as_its_matrix_does,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Sample sample(kind, body.body, 4);
  const Vector d        = Random(26).unit_vector(sample.q.size());
  const Vector expected = dense_hessian(*sample.rod, sample.q) * d;
  BOOST_TEST((sample.rod->hessian_times(sample.q, d) - expected).norm() <
             1e-12 * expected.norm());
}

BOOST_DATA_TEST_CASE(derivatives_hold_far_from_the_initial_shape,
                     data::make(both_kinds),
                     kind)
{
  // A free rod turned by 2.5 rad: the discrete rod's frames are then carried a
  // long way from their sources.
  const Sample    sample(kind, free_body(), 5);
  const RodModel &rod       = *sample.rod;
  const Vector    q         = rod.moved(sample.q,
                             quaternion::from_axis_angle({0.1, 1., -0.3}, 2.5),
                             {0.3, 0.1, -0.2});
  const Vector    d         = Random(6).unit_vector(q.size());
  const double    slope     = rod.gradient(q).dot(d);
  const Vector    stiffness = dense_hessian(rod, q) * d;
  check_second_order(
    [&](const double h) {
      return std::abs(
        (rod.energy(q + h * d) - rod.energy(q - h * d)) / (2. * h) - slope);
    },
    2e-3,
    rod.energy(q));
  check_second_order(
    [&](const double h) {
      return ((rod.gradient(q + h * d) - rod.gradient(q - h * d)) / (2. * h) -
              stiffness)
        .norm();
    },
    2e-3,
    rod.gradient(q).norm());
}

BOOST_DATA_TEST_CASE(stiffness_is_symmetric,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Sample   sample(kind, body.body, 7);
  const MatrixXd H = dense_hessian(*sample.rod, sample.q);
  const MatrixXd T =
    dense_newton_tangent(*sample.rod,
                         sample.q,
                         sample.rod->full_state(sample.rod->initial_state()));
  // Round-off of the element matrices.
  BOOST_TEST((H - H.transpose()).norm() < 1e-12 * H.norm());
  BOOST_TEST((T - T.transpose()).norm() < 1e-12 * T.norm());
}

BOOST_DATA_TEST_CASE(every_possible_entry_shows_at_the_initial_state,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  // Solvers take the pattern from there; later entries would be lost.
  class Pattern : public HessianSink
  {
  public:
    explicit Pattern(const Index n)
      : touched(MatrixXd::Zero(n, n))
    {}
    void
    add(const Index *unknowns, const Index n, const double *) override
    {
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          if (unknowns[i] >= 0 && unknowns[j] >= 0)
            touched(unknowns[i], unknowns[j]) = 1.;
    }
    MatrixXd touched;
  };
  const Sample sample(kind, body.body, 8);
  Pattern      pattern(sample.rod->layout().size);
  sample.rod->hessian(sample.rod->initial_state(), pattern);
  for (const Model::Parameter &p : sample.rod->parameters())
    sample.rod->set_parameter(p.name, *p.value + 0.1 * p.scale);
  const MatrixXd H = dense_hessian(*sample.rod, sample.q);
  BOOST_TEST(
    H.cwiseProduct(MatrixXd::Ones(H.rows(), H.cols()) - pattern.touched)
      .norm() == 0.);
}

BOOST_DATA_TEST_CASE(mixed_tangent_is_the_stiffness_where_nothing_moved,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Sample    sample(kind, body.body, 9);
  const RodModel &rod = *sample.rod;
  const Vector   &q   = sample.q;
  const MatrixXd  H   = dense_hessian(rod, q);
  BOOST_TEST((dense_newton_tangent(rod, q, rod.full_state(q)) - H).norm() <
             1e-13 * H.norm());

  // Elsewhere the predicted stress is off by the square of the way.
  const Vector d = Random(30).unit_vector(q.size());
  check_second_order(
    [&](const double h) {
      return (dense_newton_tangent(rod, q + h * d, rod.full_state(q)) -
              dense_hessian(rod, q + h * d))
        .norm();
    },
    2e-3,
    H.norm());
}

BOOST_DATA_TEST_CASE(a_rigid_motion_changes_neither_energy_nor_forces,
                     data::make(both_kinds),
                     kind)
{
  const Sample    sample(kind, free_body(), 11);
  const RodModel &rod = *sample.rod;
  const Vector   &q   = sample.q;
  Random          random(12);
  for (int trial = 0; trial < 5; ++trial)
    {
      const Vector4 rotation    = random.rotation();
      const Vector3 translation = random.vector(3);
      const auto    move        = [&](const Vector &state) {
        return rod.moved(state, rotation, translation);
      };
      BOOST_TEST(std::abs(rod.energy(move(q)) - rod.energy(q)) <
                 1e-10 * rod.energy(q));

      // The forces move along: they do the same work on the moved
      // displacements.
      const Vector d       = random.unit_vector(q.size());
      const Vector moved_d = precise_derivative(
        [&](const double h) -> Vector { return move(q + h * d); });
      const double work       = rod.gradient(q).dot(d);
      const double moved_work = rod.gradient(move(q)).dot(moved_d);
      BOOST_TEST(std::abs(moved_work - work) < 1e-10 * rod.gradient(q).norm());
    }
}

BOOST_DATA_TEST_CASE(strains_of_the_stations_do_not_see_a_rigid_motion,
                     data::make(both_kinds),
                     kind)
{
  const Sample  sample(kind, free_body(), 13);
  const Vector4 rotation    = Random(14).rotation();
  const Vector3 translation = Random(15).vector(3);
  const auto    before      = sample.rod->stations(sample.q);
  const auto    after =
    sample.rod->stations(sample.rod->moved(sample.q, rotation, translation));
  BOOST_REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    {
      BOOST_TEST((after[i].strain - before[i].strain).norm() <
                 1e-10 * (1. + before[i].strain.norm()));
      BOOST_TEST(std::abs(after[i].stretch - before[i].stretch) < 1e-12);
      BOOST_TEST(std::abs(after[i].energy_density - before[i].energy_density) <
                 1e-10 * (1. + before[i].energy_density));
      BOOST_TEST(
        (after[i].position -
         (quaternion::rotate(rotation, before[i].position) + translation))
          .norm() < 1e-12);
      BOOST_TEST((quaternion::to_matrix(after[i].frame) -
                  quaternion::to_matrix(rotation) *
                    quaternion::to_matrix(before[i].frame))
                   .norm() < 1e-12);
    }
}

BOOST_DATA_TEST_CASE(a_rod_moved_along_its_loads_gives_up_their_work,
                     data::make(both_kinds),
                     kind)
{
  RodBody body             = free_body();
  body.length              = 3.;
  body.mass_per_length     = 0.4;
  body.gravity             = 9.81;
  body.gravity_direction   = {0., 0.6, -0.8};
  body.end_force           = 0.7;
  body.end_force_direction = {1., 0., 0.};
  const Sample  sample(kind, body, 16);
  const Vector3 way(0.2, -0.5, 0.4); // in units of the length
  const double  released =
    energy_in_users_units(*sample.rod, sample.q) -
    energy_in_users_units(*sample.rod,
                          sample.rod->moved(sample.q, Vector4::UnitX(), way));
  const double work = 3. * way.dot(3. * 0.4 * 9.81 * Vector3(0., 0.6, -0.8) +
                                   0.7 * Vector3::UnitX());
  BOOST_TEST(std::abs(released - work) < 1e-11);
}

BOOST_DATA_TEST_CASE(a_force_per_parameter_is_how_forces_change_with_it,
                     data::make(both_kinds) * data::make(bodies),
                     kind,
                     body)
{
  const Sample  sample(kind, body.body, 17);
  RodModel     &rod = *sample.rod;
  const Vector &q   = sample.q;
  for (const Model::Parameter &p : rod.parameters())
    BOOST_TEST_CONTEXT(p.name)
    {
      const double value  = *p.value;
      const Vector stated = rod.parameter_derivative(q, p.name);
      BOOST_TEST(*p.value == value);
      const Vector differences =
        precise_derivative([&](const double h) -> Vector {
          rod.set_parameter(p.name, value + h * p.scale);
          return rod.gradient(q);
        }) /
        p.scale;
      rod.set_parameter(p.name, value);
      // The default's step of 6e-6 leaves some 1e-10 of the forces.
      BOOST_TEST((stated - differences).norm() <
                 1e-8 *
                   (rod.gradient(q).norm() / p.scale + differences.norm()));
    }
}

BOOST_DATA_TEST_CASE(every_load_and_natural_strain_is_felt,
                     data::make(both_kinds),
                     kind)
{
  // The strip has all of them; what is held there has no force.
  const Sample sample(kind, bodies[1].body, 18);
  for (const char *name : {"gravity",
                           "stiffness",
                           "end force",
                           "end moment",
                           "natural twist",
                           "natural curvature 1",
                           "natural curvature 2"})
    BOOST_TEST(sample.rod->parameter_derivative(sample.q, name).norm() > 1e-3,
               name << " does nothing");
}

BOOST_DATA_TEST_CASE(a_factor_of_all_stiffnesses_divides_all_loads,
                     data::make(both_kinds),
                     kind)
{
  // Forces are in units of the bending stiffness: a rod twice as stiff under
  // twice the loads, extensible or not, is in the same equilibria.
  for (const double axial : {0., 300.})
    {
      RodBody body   = bodies[1].body;
      body.axial     = axial;
      RodBody scaled = body;
      scaled.stiffness_factor *= 2.;
      scaled.gravity *= 2.;
      scaled.end_force *= 2.;
      scaled.end_moment *= 2.;
      const Sample one(kind, body, 19), two(kind, scaled, 19);
      BOOST_TEST((one.rod->gradient(one.q) - two.rod->gradient(two.q)).norm() <
                 1e-12 * one.rod->gradient(one.q).norm());
    }
}

BOOST_DATA_TEST_CASE(a_straight_rod_at_rest_has_neither_energy_nor_forces,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.bending_2   = 2.;
  body.start_frame = {{1., 2., -0.5}, {0., 1., 1.}};
  const auto   rod = make_rod(kind, body, small_mesh(kind));
  const Vector q   = rod->initial_state();
  BOOST_TEST(std::abs(rod->energy(q)) < 1e-25); // strains of 1e-15, squared
  BOOST_TEST(rod->gradient(q).norm() < 1e-10);  // 1e-15 times the stiffness 1e3
}

BOOST_DATA_TEST_CASE(a_free_rod_has_six_rigid_motions_and_no_other,
                     data::make(both_kinds),
                     kind)
{
  RodBody body;
  body.bending_2   = 2.;
  body.start       = RodEnd();
  body.start_frame = {{1., 2., -0.5}, {0., 1., 1.}};
  const auto rod   = make_rod(kind, body, small_mesh(kind));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(
    dense_hessian(*rod, rod->initial_state()));
  const Vector lambda = solver.eigenvalues();
  // Six at round-off of the largest, then the softest bending mode.
  BOOST_TEST(lambda.head(6).cwiseAbs().maxCoeff() <
             1e-13 * lambda.cwiseAbs().maxCoeff());
  BOOST_TEST(lambda(6) > 1e-2);
}

BOOST_DATA_TEST_CASE(an_accepted_state_keeps_its_meaning,
                     data::make(both_kinds),
                     kind)
{
  // Turned in steps through more than two turns about changing axes, accepted
  // at each of them.
  const Sample sample(kind, free_body(), 21);
  RodModel    &rod            = *sample.rod;
  Vector       q              = sample.q;
  const double energy         = rod.energy(q);
  const auto   first_stations = rod.stations(q);
  Random       random(22);
  for (int step = 0; step < 20; ++step)
    {
      const Vector3 axis =
        Vector3(0.2, 1., -0.4) + 0.2 * Vector3(random.vector(3));
      q = rod.moved(q, quaternion::from_axis_angle(axis, 0.8), Vector3::Zero());
      const auto   before        = rod.stations(q);
      const double energy_before = rod.energy(q);
      rod.commit(q);
      BOOST_TEST(std::abs(rod.energy(q) - energy_before) < 1e-12 * energy);
      const auto after = rod.stations(q);
      for (std::size_t i = 0; i < after.size(); ++i)
        BOOST_TEST((quaternion::to_matrix(after[i].frame) -
                    quaternion::to_matrix(before[i].frame))
                     .norm() < 1e-13);
    }
  BOOST_TEST(std::abs(rod.energy(q) - energy) < 1e-12 * energy);
  const auto last_stations = rod.stations(q);
  for (std::size_t i = 0; i < last_stations.size(); ++i)
    BOOST_TEST((last_stations[i].strain - first_stations[i].strain).norm() <
               1e-11 * (1. + first_stations[i].strain.norm()));
}

BOOST_AUTO_TEST_CASE(forces_are_the_same_after_frames_got_new_sources)
{
  const Sample sample(Kind::discrete, free_body(), 23);
  RodModel    &rod = *sample.rod;
  // Turned by 2 rad, far enough for commit() to renew the sources.
  Vector q = rod.moved(sample.q,
                       quaternion::from_axis_angle({0., 1., 0.3}, 2.),
                       Vector3::Zero());

  // At fixed angles a force on a node turns frames in a way that depends on
  // their source, unless no moment acts on the angles: so let these be in
  // equilibrium.
  const auto angles = Eigen::seq(3, q.size() - 1, 4);
  for (int iteration = 0; iteration < 20; ++iteration)
    {
      const Vector   moments = rod.gradient(q)(angles);
      const MatrixXd H       = dense_hessian(rod, q)(angles, angles);
      q(angles) -= H.ldlt().solve(moments);
    }
  const Vector before = rod.gradient(q);
  BOOST_TEST(Vector(before(angles)).norm() < 1e-12 * before.norm());
  const MatrixXd stiffness_before = dense_hessian(rod, q);
  rod.commit(q);
  BOOST_TEST((rod.gradient(q) - before).norm() < 1e-11 * before.norm());
  // The frames did get new sources: the chart of the angles has changed.
  BOOST_TEST((dense_hessian(rod, q) - stiffness_before).norm() >
             1e-6 * stiffness_before.norm());
}

BOOST_DATA_TEST_CASE(a_misspelt_parameter_is_refused_with_the_nearest_name,
                     data::make(both_kinds),
                     kind)
{
  const Sample sample(kind, RodBody(), 24);
  BOOST_CHECK_EXCEPTION(sample.rod->set_parameter("gravty", 1.),
                        InputError,
                        [](const InputError &error) {
                          return std::string(error.what()).find("'gravity'") !=
                                 std::string::npos;
                        });
  BOOST_CHECK_THROW(find_measurement(sample.rod->measure(sample.q), "end w"),
                    InputError);
}

BOOST_DATA_TEST_CASE(a_drawing_shows_the_rod_with_all_its_fields,
                     data::make(both_kinds),
                     kind)
{
  RodBody       body = bodies[1].body;
  const Sample  sample(kind, body, 25);
  const Drawing drawing  = sample.rod->draw(sample.q);
  const auto    stations = sample.rod->stations(sample.q);
  BOOST_REQUIRE(drawing.points.size() == stations.size());
  BOOST_REQUIRE(drawing.cells.size() == 1);
  BOOST_TEST(drawing.cells[0].points.size() == stations.size());
  BOOST_TEST(stations.front().arc_length == 0.);
  BOOST_TEST(std::abs(stations.back().arc_length - body.length) < 1e-14);
  for (const Drawing::Field &field : drawing.point_fields)
    {
      BOOST_TEST(field.values.cols() == static_cast<Index>(stations.size()));
      BOOST_TEST(field.values.allFinite());
    }
  const auto tangent =
    std::find_if(drawing.point_fields.begin(),
                 drawing.point_fields.end(),
                 [](const auto &field) { return field.name == "tangent"; });
  BOOST_REQUIRE((tangent != drawing.point_fields.end()));
  BOOST_TEST((tangent->values.col(0) -
              quaternion::rotate(stations[0].frame, Vector3::UnitX()))
               .norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(graded_pieces_grow_by_the_same_factor)
{
  const std::vector<double> points = graded_points(5, 16.);
  BOOST_REQUIRE(points.size() == 6u);
  BOOST_TEST(points.front() == 0.);
  BOOST_TEST(points.back() == 1.);
  for (int i = 1; i < 5; ++i)
    BOOST_TEST(
      std::abs((points[i + 1] - points[i]) / (points[i] - points[i - 1]) - 2.) <
      1e-13);
  BOOST_TEST(graded_points(1, 7.).back() == 1.);
}

BOOST_AUTO_TEST_SUITE_END()
