// SPDX-License-Identifier: LGPL-2.1-or-later
// Formulas in parameter files.
#include <slender/base/errors.h>
#include <slender/base/formula.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace slender;

BOOST_AUTO_TEST_SUITE(formulas)

BOOST_AUTO_TEST_CASE(they_are_functions_of_place_and_time)
{
  BOOST_TEST(formula_of_place("x + 2*y - z^2")({1., 2., 3.}) == -4.);
  const auto of_both = formula_of_place_and_time("x < 0 ? 1 : sin(pi/2)*t");
  BOOST_TEST(of_both({1., 0., 0.}, 5.) == 5.);
  BOOST_TEST(formula_of_time("if(t < 1, 2, floor(2.5*t))")(2.) == 5.);
  const Vector3 v = vector_formula_of_place("y; z; pow(x, 2)")({3., 4., 5.});
  BOOST_TEST((v == Vector3(4., 5., 9.)));
}

BOOST_AUTO_TEST_CASE(both_names_of_the_natural_logarithm_mean_it)
{
  BOOST_TEST(formula_of_time("log(t + 2)")(0.) == std::log(2.));
  BOOST_TEST(formula_of_time("ln(t + 2)")(0.) == std::log(2.));
  BOOST_TEST(formula_of_time("log10(t + 100)")(0.) == 2.);
}

BOOST_AUTO_TEST_CASE(names_may_have_spaces_and_begin_alike)
{
  const Formula formula("end y - 2*end y of tip + end",
                        {"end", "end y", "end y of tip"});
  BOOST_TEST(formula({1., 10., 100.}) == 10. - 200. + 1.);
  BOOST_TEST(!formula.is_constant());
  BOOST_TEST(Formula("2 + 2", {"end"}).is_constant());
}

BOOST_AUTO_TEST_CASE(what_is_no_formula_is_refused_with_the_reason)
{
  for (const char *text : {"x + t", "x +", "foo(x)", "", "x y", "1/*2"})
    BOOST_CHECK_THROW(formula_of_place(text), InputError);
  BOOST_CHECK_THROW(formula_of_time("1/t"), InputError);
  BOOST_CHECK_THROW(vector_formula_of_place("x; y"), InputError);
  BOOST_CHECK_THROW(formulas_to_be_zero("end - 1; 3", {"end"}, ""), InputError);
  BOOST_CHECK_EXCEPTION(Formula("end w - 1", {"end x"}, "Branch/Label where"),
                        InputError,
                        [](const InputError &error) {
                          const std::string text = error.what();
                          return text.find("in end x") != std::string::npos &&
                                 error.parameter_path() == "Branch/Label where";
                        });
}

BOOST_AUTO_TEST_SUITE_END()
