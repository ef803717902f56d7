// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/dense_hessian.h"
#include "support/differences.h"
#include "support/random.h"

#include <slender/base/errors.h>
#include <slender/models/ribbons/developable_elements.h>
#include <slender/models/ribbons/ribbon.h>
#include <slender/models/ribbons/stretchable_elements.h>
#include <slender/models/rods/quaternion.h>
#include <slender/statics/equilibrium.h>
#include <slender/statics/linear_buckling.h>

#include <Eigen/Dense>
#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

  constexpr double pi = boost::math::constants::pi<double>();

  const std::vector<std::string> all_kinds = {"wunderlich",
                                              "sadowsky",
                                              "stretchable"};

  std::unique_ptr<Ribbon>
  make_ribbon(const std::string &kind,
              const RodBody     &body,
              const int          n,
              const double       grading = 1.,
              MPI_Comm           ranks   = MPI_COMM_SELF)
  {
    const std::vector<double> points = graded_points(n, grading);
    if (kind == "stretchable")
      return std::make_unique<Ribbon>(
        body,
        std::make_unique<ribbons::StretchableElements>(points, true, false),
        ranks);
    return std::make_unique<Ribbon>(
      body,
      std::make_unique<ribbons::DevelopableElements>(
        points,
        kind == "wunderlich" ? ribbons::DevelopableEnergy::wunderlich
                             : ribbons::DevelopableEnergy::sadowsky,
        1e-8,
        true),
      ranks);
  }

  /// D = 1 per width and a mass of one per area, on its edge: gravity is
  /// Gamma*.
  RodBody
  plate_on_edge(const double width,
                const double poisson,
                const double thickness = 1e-3)
  {
    RodBody body =
      strip_body(1.,
                 width,
                 thickness,
                 12. * (1. - poisson * poisson) / std::pow(thickness, 3),
                 poisson,
                 1. / thickness);
    body.gravity_direction = -Vector3::UnitY();
    return body;
  }

  /// Thick enough for round-off to stay far below the errors of differences;
  /// with every load and natural strain.
  RodBody
  loaded_body(const std::string &kind)
  {
    RodBody body             = strip_body(2., 0.6, 0.4, 3., 0.35, 1.5);
    body.natural_curvature_1 = 0.3;
    body.natural_curvature_2 = kind == "stretchable" ? -0.2 : 0.;
    body.gravity             = 0.02;
    body.gravity_direction   = {0.2, -1., 0.5};
    body.end_force           = 0.01;
    body.end_force_direction = {1., 0.3, -2.};
    body.end_moment          = 0.02;
    body.end_moment_axis     = {0.3, 1., 0.2};
    return body;
  }

  Vector
  crooked(const Ribbon &ribbon, const unsigned int seed)
  {
    const Vector q = ribbon.initial_state();
    return q + 0.3 * Random(seed).vector(static_cast<Index>(q.size()));
  }

  /// An integral over y of the width.
  template <class Function>
  auto
  over_width(const double width, const Function &f)
  {
    return boost::math::quadrature::gauss<double, 30>::integrate(f,
                                                                 -width / 2,
                                                                 width / 2);
  }
} // namespace

BOOST_AUTO_TEST_SUITE(ribbon_bodies)

BOOST_DATA_TEST_CASE(energy_has_the_derivatives_it_claims,
                     data::make(all_kinds) * data::make({1u, 2u, 3u}),
                     kind,
                     seed)
{
  const auto ribbon = make_ribbon(kind, loaded_body(kind), 4, 3.);
  ribbon->set_parameter("gravity tilt", 0.4);
  const Vector q     = crooked(*ribbon, seed);
  const Vector d     = Random(seed + 10).vector(static_cast<Index>(q.size()));
  const double slope = ribbon->gradient(q).dot(d);
  const Vector stiffness = dense_hessian(*ribbon, q) * d;
  check_second_order(
    [&](const double h) {
      return std::abs((ribbon->energy(q + h * d) - ribbon->energy(q - h * d)) /
                        (2. * h) -
                      slope);
    },
    2e-2,
    std::abs(ribbon->energy(q)));
  check_second_order(
    [&](const double h) {
      return ((ribbon->gradient(q + h * d) - ribbon->gradient(q - h * d)) /
                (2. * h) -
              stiffness)
        .norm();
    },
    2e-2,
    ribbon->gradient(q).norm());
}

BOOST_DATA_TEST_CASE(hessian_is_symmetric, data::make(all_kinds), kind)
{
  const auto            ribbon = make_ribbon(kind, loaded_body(kind), 5);
  const Eigen::MatrixXd H      = dense_hessian(*ribbon, crooked(*ribbon, 4));
  BOOST_TEST((H - H.transpose()).norm() < 1e-13 * H.norm());
}

BOOST_DATA_TEST_CASE(energy_does_not_see_how_everything_is_turned,
                     data::make(all_kinds),
                     kind)
{
  RodBody       body     = loaded_body(kind);
  const auto    as_it_is = make_ribbon(kind, body, 4);
  const Vector4 turn     = quaternion::from_axis_angle({1., 2., -0.5}, 1.3);
  const auto    turned   = [&](Vector3 &v) { v = quaternion::rotate(turn, v); };
  turned(body.start_frame.tangent);
  turned(body.start_frame.director);
  turned(body.gravity_direction);
  turned(body.end_force_direction);
  turned(body.end_moment_axis);
  const auto ribbon = make_ribbon(kind, body, 4);
  for (Ribbon *r : {as_it_is.get(), ribbon.get()})
    r->set_parameter("gravity tilt", 0.3);
  const Vector q = crooked(*ribbon, 5);
  BOOST_TEST(std::abs(ribbon->energy(q) - as_it_is->energy(q)) <
             1e-13 * std::abs(ribbon->energy(q)));
  BOOST_TEST((ribbon->gradient(q) - as_it_is->gradient(q)).norm() <
             1e-12 * ribbon->gradient(q).norm());
}

BOOST_AUTO_TEST_CASE(wunderlichs_energy_is_that_of_a_plate_with_straight_lines)
{
  // Over the lines d1 + eta t, with the natural form of a strip rolled up.
  const double omega = 0.7, eta = 0.6, rate = -2.3, nu = 0.35, k0 = 0.4;
  for (const double width : {0.1, 0.3, 0.5})
    {
      slender::ribbons::Wunderlich e{width, nu, k0, 0., {}, {}};
      e.evaluate(omega, eta, rate);
      const double plate = over_width(width, [&](const double y) {
        const double    k    = omega * (1. + eta * eta) / (1. + y * rate);
        const double    cos2 = 1. / (1. + eta * eta);
        Eigen::Matrix2d b;
        b << k * cos2 - k0, -k * eta * cos2, -k * eta * cos2, k * (1. - cos2);
        return (1. + y * rate) *
               (b.trace() * b.trace() - 2. * (1. - nu) * b.determinant());
      });
      BOOST_TEST(e.value == plate / width, boost::test_tools::tolerance(1e-12));
    }
}

BOOST_AUTO_TEST_CASE(lines_that_meet_on_a_ribbon_have_no_energy)
{
  BOOST_TEST(std::isnan(slender::ribbons::wunderlich_factor(2.).value));
  BOOST_TEST(std::isfinite(slender::ribbons::wunderlich_factor(1.999).value));
  // The series and the closed form agree where one takes over.
  const auto below = slender::ribbons::wunderlich_factor(0.2 - 1e-9);
  const auto above = slender::ribbons::wunderlich_factor(0.2 + 1e-9);
  BOOST_TEST(std::abs(below.value - above.value) < 1e-9);
  BOOST_TEST(std::abs(below.slope - above.slope) < 1e-9);
  BOOST_TEST(std::abs(below.bend - above.bend) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_step_stops_before_lines_meet)
{
  const RodBody body   = plate_on_edge(0.5, 0.35);
  const auto    ribbon = make_ribbon("wunderlich", body, 4);
  const Vector  q      = ribbon->initial_state();
  Vector        d      = Vector::Zero(q.size());
  d(2)                 = 1.; // eta at the end of the first element
  // w eta' = 0.5 * 4: lines meet at a step of one.
  BOOST_TEST(ribbon->longest_step(q, d) == 0.9,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(!std::isfinite(
    ribbon->energy(q + 1.01 * d + 0.1 * Vector::Ones(q.size()))));
}

BOOST_AUTO_TEST_CASE(stretchable_density_is_that_of_a_plate_of_parabolas)
{
  namespace st = slender::ribbons::stretchable;
  slender::ribbons::Section section{0.4, 0.05, 0.35, {0., 0.2, 0.}};
  st::Vector8               z;
  z << 0.3, 0.7, -0.2, 0.01, 0.4, -0.6, 0.8, 1.1;
  const double nu = section.poisson, w = section.width;
  const double bending = over_width(w, [&](const double y) {
    const double along =
      z(st::kappa_1) - 0.2 - y * z(st::tau_rate) + y * y / 2 * z(st::chi_bend);
    const double twist = z(st::tau) - y * z(st::chi_rate);
    return along * along + z(st::chi) * z(st::chi) +
           2. * nu * along * z(st::chi) + 2. * (1. - nu) * twist * twist;
  });
  BOOST_TEST(st::bending(z, section).value ==
               bending / (2. * w * (1. - nu * nu)),
             boost::test_tools::tolerance(1e-12));

  // Fibres, without the cubic part that the moment in the plane sees.
  z(st::chi_rate) = z(st::tau_rate) = 0.;
  const double membrane             = over_width(w, [&](const double y) {
    const double K = z(st::tau) * z(st::tau) - z(st::kappa_1) * z(st::chi);
    const double e = z(st::epsilon) - y * z(st::kappa_2) + y * y / 2 * K;
    return e * e;
  });
  BOOST_TEST(st::membrane(z, section).value ==
               6. / std::pow(section.thickness, 2) * membrane / w,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(stretchable_density_lies_between_kirchhoff_and_sadowsky)
{
  namespace st = slender::ribbons::stretchable;
  // The least energy over the curvature across and the stretch.
  const auto least = [](const double kappa, const double tau, const double h) {
    const slender::ribbons::Section section{0.1, h, 0.35, Vector3::Zero()};
    const auto                      energy = [&](const double chi) {
      st::Vector8 z  = st::Vector8::Zero();
      z(st::tau)     = tau;
      z(st::kappa_1) = kappa;
      z(st::chi)     = chi;
      z(st::epsilon) = -0.01 / 24. * (tau * tau - kappa * chi);
      const auto m = st::membrane(z, section);
      const auto b = st::bending(z, section);
      return std::array<double, 3>{
        {m.value + b.value,
         m.gradient(st::chi) + b.gradient(st::chi),
         m.hessian(st::chi, st::chi) + b.hessian(st::chi, st::chi)}};
    };
    double chi = 0.;
    for (int i = 0; i < 50; ++i)
      chi -= energy(chi)[1] / energy(chi)[2];
    return energy(chi)[0];
  };
  const double nu = 0.35, eta = 0.8;
  for (const double size : {1e-4, 1e-3})
    {
      // Small strains: a rod with a free curvature across.
      const double rod = 0.5 * size * size * (1. + 2. / (1. + nu) * eta * eta);
      BOOST_TEST(least(size, size * eta, 1e-3) == rod,
                 boost::test_tools::tolerance(1e-3));
    }
  // Large strains: developable.
  const double strip = 0.5 / (1. - nu * nu) * std::pow(1. + eta * eta, 2);
  BOOST_TEST(least(1., eta, 1e-3) > 0.5 * strip);
  BOOST_TEST(least(1., eta, 1e-6) == strip, boost::test_tools::tolerance(1e-4));
}

BOOST_DATA_TEST_CASE(a_moment_rolls_a_ribbon_up, data::make(all_kinds), kind)
{
  // D w kappa = M, a whole turn; without curling of the edges.
  RodBody body         = strip_body(2., 0.1, 0.01, 1e6, 0., 1.);
  body.end_moment_axis = Vector3::UnitY();
  const auto ribbon    = make_ribbon(kind, body, 4);
  const auto found =
    EquilibriumSolver(*ribbon, NewtonOptions())
      .load(ribbon->initial_state(),
            {{"end moment", body.bending_1 * 2. * pi / body.length}});
  BOOST_TEST(found.converged());
  // The moment takes hold of the centreline. A stretchable ribbon has a section
  // that bends across near its end for that.
  const double tolerance = kind == "stretchable" ? 1e-2 : 1e-9;
  const auto   measured  = ribbon->measure(found.q);
  BOOST_TEST(std::abs(find_measurement(measured, "end distance")) <
             0.1 * tolerance);
  BOOST_TEST(find_measurement(measured, "largest curvature") == pi,
             boost::test_tools::tolerance(tolerance));
}

BOOST_AUTO_TEST_CASE(a_stretchable_ribbon_buckles_as_a_plate_of_parabolas)
{
  // Ritz's method for the plate with deflections that are quadratic across it
  // and the membrane forces of a beam; the thin plate itself has 17.646, 20.808
  // and 29.147.
  const std::vector<std::pair<double, double>> known = {{0.3, 17.7110},
                                                        {0.5, 20.9605},
                                                        {1.0, 29.6441}};
  for (const auto &[width, gamma] : known)
    {
      std::vector<double> errors;
      for (const int n : {4, 8, 16})
        {
          const auto ribbon =
            make_ribbon("stretchable", plate_on_edge(width, 0.35, 1e-4), n);
          const auto modes =
            buckling_modes(*ribbon, ribbon->initial_state(), "gravity", 1., 1);
          BOOST_REQUIRE(modes.size() == 1u);
          errors.push_back(modes[0].load / gamma - 1.);
        }
      BOOST_TEST(errors.back() > 0.);
      BOOST_TEST(errors.back() < 3e-4);
      for (const double order : orders(errors))
        BOOST_TEST(order > 2.5);
    }
}

BOOST_AUTO_TEST_CASE(a_thin_stretchable_ribbon_is_developable)
{
  // Under a weight across it that twists it; energies of Wunderlich's ribbon
  // and of thinner and thinner ones.
  const auto energy_of = [](const std::string &kind, const double thickness) {
    RodBody body           = plate_on_edge(0.05, 0.35, thickness);
    body.gravity_direction = {0., -2., -1.};
    const auto ribbon =
      make_ribbon(kind, body, kind == "stretchable" ? 16 : 32, 4.);
    Equilibrium found;
    found.q = ribbon->initial_state();
    for (const double part : {0.02, 0.1, 0.3, 1.})
      found = EquilibriumSolver(*ribbon, NewtonOptions())
                .load(found.q, {{"gravity", 20. * part}});
    BOOST_TEST(found.converged());
    return ribbon->energy(found.q);
  };
  const double developable = energy_of("wunderlich", 1e-3);
  const double thick       = energy_of("stretchable", 1e-3) - developable;
  const double thin        = energy_of("stretchable", 1e-4) - developable;
  BOOST_TEST(thick < 0.);
  BOOST_TEST(std::abs(thin) < 0.15 * std::abs(thick));
}

BOOST_DATA_TEST_CASE(corners_are_those_of_the_drawing,
                     data::make(all_kinds),
                     kind)
{
  const RodBody body     = loaded_body(kind);
  const auto    ribbon   = make_ribbon(kind, body, 4);
  const Vector  q        = kind == "stretchable"
                             ? crooked(*ribbon, 6)
                             : ribbon->initial_state(); // lines across it
  const Drawing drawing  = ribbon->draw(q);
  const auto    measured = ribbon->measure(q);
  for (const bool top : {false, true})
    {
      const Vector3 drawn =
        drawing.points[drawing.points.size() - (top ? 1 : 9)];
      const Vector3 rest(2., top ? 0.3 : -0.3, 0.);
      for (int c = 0; c < 3; ++c)
        BOOST_TEST(
          std::abs(drawn(c) - rest(c) -
                   find_measurement(measured,
                                    std::string(top ? "top" : "bottom") +
                                      " displacement " + "xyz"[c])) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_ribbon_is_refused)
{
  const auto refuses = [](const auto &change, const std::string &path) {
    RodBody body = strip_body(1., 0.1, 0.01, 1., 0.3, 1.);
    change(body);
    BOOST_CHECK_EXCEPTION(make_ribbon("stretchable", body, 2),
                          InputError,
                          [&](const InputError &error) {
                            return error.parameter_path() == path;
                          });
  };
  refuses([](RodBody &b) { b.width = b.thickness = 0.; }, "Rod/Section");
  refuses([](RodBody &b) { b.width = 0.001; }, "Rod/Width");
  refuses([](RodBody &b) { b.start = RodEnd(); }, "Start/Hold");
  refuses([](RodBody &b) { b.end = RodEnd::clamped(); }, "End/Hold");
  refuses([](RodBody &b) { b.natural_twist = 1.; }, "Rod/Natural twist");
  refuses([](RodBody &b) { b.end_force_follows = true; },
          "Loads/End force follows");
}

BOOST_AUTO_TEST_SUITE_END()
