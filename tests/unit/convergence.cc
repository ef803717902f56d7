// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/differences.h"
#include "support/loaded_rod.h"

#include <slender/validation/elastica.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace
{
  using namespace slender;
  using namespace slender::test;
  namespace data = boost::unit_test::data;

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



BOOST_AUTO_TEST_SUITE(convergence)

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

BOOST_AUTO_TEST_SUITE_END()
