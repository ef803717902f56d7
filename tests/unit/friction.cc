// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"
#include "support/rods.h"
#include "support/shells.h"

#include <slender/base/errors.h>
#include <slender/base/interruption.h>
#include <slender/contact/contact_load.h>
#include <slender/contact/passage.h>
#include <slender/dynamics/frictional_equilibrium.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/studies/pressed_strip.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/structure.h>
#include <slender/validation/stick_slip_curve.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <sstream>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr auto any = PressedStrip::Steps::any;

  constexpr double infinity = std::numeric_limits<double>::infinity();

  const std::vector<std::string> models = {"kirchhoff", "discrete", "super"};

  std::unique_ptr<RodModel>
  make(const std::string &name, const RodBody &body, const int pieces)
  {
    if (name == "super")
      {
        CurvatureRodDiscretisation discretisation;
        discretisation.elements = pieces;
        return std::make_unique<CurvatureRod>(body,
                                              discretisation,
                                              MPI_COMM_SELF);
      }
    Mesh mesh;
    mesh.pieces = pieces;
    return make_rod(name == "discrete" ? Kind::discrete : Kind::kirchhoff,
                    body,
                    mesh);
  }

  /// That of the Stick-Slip protocol.
  RodBody
  strip()
  {
    RodBody body;
    body.bending_2         = 100.;
    body.twisting          = 2.;
    body.gravity_direction = Vector3::UnitZ();
    return body;
  }

  NewtonOptions
  exact()
  {
    NewtonOptions options;
    options.step_tolerance = 1e-11;
    return options;
  }

  /// For as long as it lives the run has been asked to end.
  struct Asked
  {
    Asked()
    {
      request_interruption();
    }

    ~Asked()
    {
      forget_interruption();
    }
  };
} // namespace

BOOST_AUTO_TEST_SUITE(friction)

BOOST_AUTO_TEST_CASE(normals_and_curvatures_are_derivatives_of_distances)
{
  std::vector<std::unique_ptr<ObstacleShape>> shapes;
  shapes.push_back(make_plane({0.1, 0.2, 0.}, {1., 2., -1.}));
  shapes.push_back(make_sphere({0.1, -0.2, 0.3}, 0.7));
  shapes.push_back(make_cylinder({0., 0.5, 0.}, {1., 1., 0.}, 0.2));
  shapes.push_back(make_box({0., 0., 0.}, {0.4, 0.6, 0.8}));
  for (const auto &shape : shapes)
    for (const Vector3 &x : {Vector3(0.9, 0.8, 1.1),
                             Vector3(-0.7, 0.05, 0.02),
                             Vector3(0.5, 0.9, -0.1)})
      {
        const Vector3 d = Vector3(0.3, -0.5, 0.8).normalized();
        check_second_order(
          [&](const double h) {
            return std::abs(
              (shape->distance(x + h * d) - shape->distance(x - h * d)) /
                (2. * h) -
              shape->normal(x).dot(d));
          },
          1e-2,
          1.);
        check_second_order(
          [&](const double h) {
            return ((shape->normal(x + h * d) - shape->normal(x - h * d)) /
                      (2. * h) -
                    shape->curvature(x) * d)
              .norm();
          },
          1e-2,
          1.);
      }
}

BOOST_AUTO_TEST_CASE(a_formula_is_the_obstacle_that_it_describes)
{
  const auto    formula = make_formula("sqrt(x^2 + y^2 + z^2) - 0.7");
  const auto    sphere  = make_sphere(Vector3::Zero(), 0.7);
  const Vector3 x(0.5, -0.8, 0.4);
  BOOST_TEST(formula->distance(x) == sphere->distance(x),
             boost::test_tools::tolerance(1e-14));
  BOOST_TEST((formula->normal(x) - sphere->normal(x)).norm() < 1e-9);
  BOOST_TEST((formula->curvature(x) - sphere->curvature(x)).norm() < 1e-5);
  BOOST_CHECK_THROW(make_formula("sqrt(x^2 + "), InputError);
}

BOOST_DATA_TEST_CASE(a_formula_is_as_exact_for_small_bodies_as_for_large_ones,
                     data::make({1e-6, 1e-3, 1., 1e6}),
                     size)
{
  std::ostringstream text;
  text << "sqrt(x^2 + y^2 + z^2) - " << 0.7 * size;
  const auto    formula = make_formula(text.str(), size);
  const auto    sphere  = make_sphere(Vector3::Zero(), 0.7 * size);
  const Vector3 x       = size * Vector3(0.5, -0.8, 0.4);
  // Of differences over 1e-5 and 1e-4 of its size.
  BOOST_TEST((formula->normal(x) - sphere->normal(x)).norm() < 1e-9);
  BOOST_TEST(size * (formula->curvature(x) - sphere->curvature(x)).norm() <
             1e-5);
}

namespace
{
  Passage::Kind
  passage_of(std::unique_ptr<ObstacleShape> shape,
             const Vector3                 &from,
             const Vector3                 &to,
             const double                   clearance = 0.)
  {
    Obstacle obstacle;
    obstacle.shape     = std::move(shape);
    obstacle.clearance = clearance;
    return passage(obstacle, from, to);
  }
} // namespace

BOOST_DATA_TEST_CASE(a_sheet_is_met_however_thin_it_is,
                     data::make({1e-1, 1e-3, 1e-5}) *
                       data::make({0., 0.7, 1.4}),
                     thickness,
                     angle)
{
  // The way is of length one and leads through the middle; the angle is that
  // with the normal.
  const Vector3 half  = 0.5 * Vector3(std::sin(angle), 0., -std::cos(angle));
  const auto    sheet = [&] {
    return make_box(Vector3::Zero(), {10., 10., thickness});
  };
  BOOST_TEST(passage_of(sheet(), -half, half) == Passage::through);
  BOOST_TEST(passage_of(sheet(), half, -half) == Passage::through);
  // One that lies on it and is pressed through.
  const Vector3 top(0., 0., 0.5 * thickness);
  BOOST_TEST(passage_of(sheet(), top, top + half - 0.2 * Vector3::UnitZ()) ==
             Passage::through);
  // One that is stopped there or goes along.
  BOOST_TEST(passage_of(sheet(), top - half, top) == Passage::none);
  BOOST_TEST(passage_of(sheet(), top, top + Vector3::UnitX()) == Passage::none);
  // Beside it.
  const Vector3 beside = 5.1 * Vector3::UnitY();
  BOOST_TEST(passage_of(sheet(), beside - half, beside + half) ==
             Passage::none);
}

BOOST_AUTO_TEST_CASE(a_wire_is_met_and_a_ball_may_be_slid_over)
{
  // A wire of a hundredth of the way, hit off its middle.
  for (const double aside : {0., 0.003, 0.006})
    BOOST_TEST(passage_of(make_cylinder({0., aside, 0.}, {0., 0., 1.}, 0.01),
                          {-0.5, 0., 0.},
                          {0.5, 0., 0.}) == Passage::through);
  // A chord between two places of a ball cuts off a sagitta, of a hundredth of
  // the radius here; that is how far the step is off.
  const double  angle = 0.14;
  const Vector3 from(-std::sin(angle), 0., std::cos(angle));
  const Vector3 to(std::sin(angle), 0., std::cos(angle));
  BOOST_TEST(passage_of(make_sphere(Vector3::Zero(), 1.), from, to) ==
             Passage::none);
  // One that flies by may not cut off as much: it should have touched.
  BOOST_TEST(passage_of(make_sphere(Vector3::Zero(), 1.),
                        from - 2. * Vector3::UnitX(),
                        to + 2. * Vector3::UnitX()) == Passage::cut);
}

BOOST_AUTO_TEST_CASE(an_edge_may_be_slid_over_but_not_flown_through)
{
  // From the upper side of a table to its front.
  const auto table = [] { return make_box({-1., 0., -1.}, {2., 2., 2.}); };
  BOOST_TEST(passage_of(table(), {-0.1, 0., 0.}, {0., 0., -0.05}) ==
             Passage::none);
  BOOST_TEST(passage_of(table(), {-0.2, 0., 0.15}, {0.1, 0., -0.15}) ==
             Passage::cut);
  // One that is near is no one that slides.
  BOOST_TEST(passage_of(table(), {-0.02, 0., 0.01}, {0.1, 0., -0.1}) ==
             Passage::cut);
  BOOST_TEST(passage_of(table(), {-0.1, 0., 0.15}, {0.2, 0., -0.05}) ==
             Passage::none);
}

BOOST_AUTO_TEST_CASE(what_moves_passes_what_stands)
{
  Obstacle racket;
  racket.shape    = make_box(Vector3::Zero(), {0.01, 1., 1.});
  racket.velocity = 10. * Vector3::UnitX();
  racket.shift    = 0.2 * Vector3::UnitX();
  Obstacle far;
  far.shape = make_plane({0., 0., -1.}, Vector3::UnitZ());
  // Three points stand where the racket was, on its way and where it is not
  // yet.
  Eigen::Matrix3Xd x(3, 3);
  x.col(0) << 0.05, 0., 0.;
  x.col(1) << 0.15, 0., 0.;
  x.col(2) << 0.25, 0., 0.;
  const auto worst = [&](const Index first, const Index n) {
    const Eigen::Matrix3Xd some = x.middleCols(first, n);
    return worst_passage({far, racket}, some, some, 0.01, MPI_COMM_SELF);
  };
  BOOST_TEST(worst(0, 1).kind == Passage::none);
  BOOST_TEST(worst(2, 1).kind == Passage::none);
  BOOST_TEST(worst(0, 3).kind == Passage::through);
  BOOST_TEST(worst(0, 3).obstacle == 1u);
}

BOOST_DATA_TEST_CASE(places_of_points_have_these_rates,
                     data::make(models),
                     name)
{
  RodBody body        = strip();
  body.initial_strain = {0.3, 0.8, -0.5};
  const auto   rod    = make(name, body, 5);
  const auto   points = touching_points(*rod);
  const Vector q =
    rod->initial_state() + 0.1 * Random(3).vector(rod->layout().n_local());
  const Vector       d = Random(4).unit_vector(q.size());
  std::vector<Index> all;
  for (Index i = 0; i < points->size(); ++i)
    all.push_back(i);
  const auto rates = points->rates(q, all);
  for (const Index i : all)
    {
      Vector3 rate = Vector3::Zero();
      for (std::size_t k = 0; k < rates[i].unknowns.size(); ++k)
        if (rates[i].unknowns[k] >= 0)
          rate +=
            rates[i].rates.col(static_cast<Index>(k)) * d(rates[i].unknowns[k]);
      const double  h = 1e-5;
      const Vector3 difference =
        (points->places(q + h * d) - points->places(q - h * d)).col(i) /
        (2. * h);
      BOOST_TEST((rate - difference).norm() < 1e-9);
    }
}

BOOST_DATA_TEST_CASE(a_load_on_points_has_derivatives_of_its_energy,
                     data::make(models),
                     name)
{
  RodBody body        = strip();
  body.initial_strain = {0.3, 0.8, -0.5};
  const auto rod      = make(name, body, 4);
  const auto points   = touching_points(*rod);
  Structure  structure(*rod);
  auto       load = std::make_unique<ContactLoad>(*points);
  load->set(
    {{1, Vector3(0.3, -2., 1.), Eigen::Matrix3d::Zero()},
     {points->size() - 1, Vector3(-1., 0.5, 3.), Eigen::Matrix3d::Zero()}});
  const ContactLoad *term = load.get();
  structure.add_term("load", std::move(load));
  const Vector q =
    rod->initial_state() + 0.1 * Random(5).vector(rod->layout().n_local());
  const Vector d        = Random(6).unit_vector(q.size());
  const auto   gradient = [&](const Vector &at) {
    Vector g = Vector::Zero(at.size());
    term->add_gradient(at, g);
    return g;
  };
  Vector product = Vector::Zero(q.size());
  term->add_hessian_times(q, d, product);
  const double h = 1e-5;
  BOOST_TEST(
    std::abs((term->energy(q + h * d) - term->energy(q - h * d)) / (2. * h) -
             gradient(q).dot(d)) < 1e-8);
  BOOST_TEST(
    ((gradient(q + h * d) - gradient(q - h * d)) / (2. * h) - product).norm() <
    1e-8);
}

BOOST_DATA_TEST_CASE(the_tip_slips_where_the_master_curve_says,
                     data::make(models),
                     name)
{
  // Second order: the errors at these few pieces are known.
  const StickSlipCurve master;
  double               errors[2];
  for (const int refined : {0, 1})
    {
      const auto   rod = make(name, strip(), refined ? 40 : 20);
      PressedStrip pressed(*rod, exact());
      pressed.set_friction(infinity);
      BOOST_REQUIRE(pressed.buckle(0.02, 1.));
      pressed.set_friction(0.2);
      BOOST_TEST(!pressed.press_in_steps(
        0.6, 0.02, 1e-9, PressedStrip::Steps::sticking));
      BOOST_TEST(pressed.forces().ratio() == 0.2,
                 boost::test_tools::tolerance(1e-6));
      BOOST_TEST(pressed.n_negative() == 0);
      errors[refined] = std::abs(pressed.epsilon() - master.threshold(0.2));
    }
  BOOST_TEST_MESSAGE(name << ": errors " << errors[0] << ", " << errors[1]);
  BOOST_TEST(errors[1] < 1e-3);
  BOOST_TEST((errors[1] < errors[0] / 3. || errors[1] < 1e-7));
}

BOOST_AUTO_TEST_CASE(what_is_asked_to_end_takes_no_further_step)
{
  const auto   rod = make("discrete", strip(), 10);
  PressedStrip pressed(*rod, exact());
  pressed.set_friction(infinity);
  BOOST_REQUIRE(pressed.buckle(0.02, 1.));
  rod->set_parameter("gravity", 0.5);
  MotionOptions how;
  how.newton         = exact();
  how.inertia.rotary = false;
  // All the way there are loads to put on.
  FrictionalEquilibrium loaded(*rod,
                               pressed.floor(),
                               exact(),
                               [&](const double part) {
                                 rod->set_parameter("gravity", 0.5 + part);
                               });
  const Asked           asked;
  BOOST_TEST(!pressed.press_in_steps(0.1, 0.01, 1e-9, any));
  BOOST_TEST(pressed.epsilon() == 0.02);
  const Settled rest =
    settle(*rod, pressed.floor(), how, pressed.state(), 1e-3);
  BOOST_TEST(rest.is_interrupted);
  BOOST_TEST(!rest.converged);
  BOOST_TEST(!loaded.go(pressed.state(), 0., 1.).converged());
  BOOST_TEST(loaded.was_interrupted());
  BOOST_TEST(rod->parameter("gravity") == 0.5);
}

BOOST_AUTO_TEST_CASE(the_master_curve_knows_its_limits)
{
  const StickSlipCurve master;
  BOOST_TEST(master.triple_point().x() == 0.33028543442767,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(master.triple_point().y() == 0.35637002033394,
             boost::test_tools::tolerance(1e-12));
  // Between the rows, by reference/stick_slip.py --at.
  BOOST_TEST(master.force_ratio(0.1) == 0.15279255540719563,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(master.force_ratio(1e-4) / 0.01 == 0.445,
             boost::test_tools::tolerance(1e-3));
  BOOST_TEST(master.threshold(master.force_ratio(0.2345)) == 0.2345,
             boost::test_tools::tolerance(1e-10));
}

BOOST_AUTO_TEST_SUITE_END()
