// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How long the energy of two edges of rods takes with its derivatives, and how
// far the smooth distance is from the exact one. See benchmarks/README.md.
#include "timing.h"

#include <slender/contact/pair_energy.h>
#include <slender/contact/smooth_distance.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace
{
  using namespace slender;
  using namespace slender::contact;
  using namespace slender::benchmarks;

  struct Case
  {
    const char *name;
    FourPoints  x;
  };

  FourPoints
  four(const Vector3 &a, const Vector3 &b, const Vector3 &c, const Vector3 &d)
  {
    FourPoints x;
    x << a, b, c, d;
    return x;
  }

  double
  nanoseconds(const FourPoints &x, const bool is_soft, const Derivatives wanted)
  {
    // Radius one, in the reach of both laws.
    return 1e9 * seconds_per_call([&] {
             const PairEnergy e =
               is_soft ? soft_contact(x, {2., 1., 50., 1.}, 50., wanted)
                       : barrier_contact(x, {2., 0.2, 1.}, wanted);
             sink_of_results = wanted == Derivatives::none    ? e.value
                               : wanted == Derivatives::first ? e.gradient(0)
                                                              : e.hessian(0, 0);
           });
  }
} // namespace

int
main()
{
  const Case cases[] = {
    {"interior with interior",
     four(
       {-1., 0.1, 0.}, {1.2, -0.1, 0.2}, {0.1, -1., 2.16}, {-0.1, 1.1, 2.2})},
    {"end with interior",
     four({-1., 0., 2.05}, {-0.2, 0.1, 3.5}, {-2., -1., 0.}, {0.3, 1.2, 0.1})},
    {"end with end",
     four({-1., 0.1, 0.3}, {0., 0., 0.}, {2.04, 0.1, 0.1}, {3., -0.4, 0.7})},
    {"nearly parallel",
     four(
       {-1., 0., 0.}, {1., 0., 0.}, {-0.6, 0.02, 2.04}, {1.4, -0.03, 2.05})}};

  std::printf("| pair | distance | imc: energy | gradient | Hessian | barrier: "
              "energy | gradient | Hessian |\n|%s\n",
              " --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const Case &pair : cases)
    {
      std::printf("| %s | %.0f |", pair.name, 1e9 * seconds_per_call([&] {
                                                sink_of_results =
                                                  distance(pair.x);
                                              }));
      for (const bool is_soft : {true, false})
        for (const auto wanted :
             {Derivatives::none, Derivatives::first, Derivatives::second})
          std::printf(" %.0f |", nanoseconds(pair.x, is_soft, wanted));
      std::printf("\n");
    }

  // Pairs at random: some have their nearest points at ends, where bounds are
  // smoothed.
  std::mt19937                           random(1);
  std::uniform_real_distribution<double> number(-1., 1.);
  std::printf("\n| k | largest error of the smooth distance | mean |\n"
              "| --- | --- | --- |\n");
  for (const double k : {50., 200., 800., 3200.})
    {
      constexpr int n_pairs = 100000;
      double        largest = 0., sum = 0.;
      for (int i = 0; i < n_pairs; ++i)
        {
          FourPoints x;
          for (int a = 0; a < 4; ++a)
            for (int c = 0; c < 3; ++c)
              x(c, a) = number(random) + (a > 1 && c == 2 ? 3. : 0.);
          const double error =
            std::abs(smooth_distance(products_of(x), k) - distance(x));
          largest = std::max(largest, error);
          sum += error / n_pairs;
        }
      std::printf("| %.0f | %.1e | %.1e |\n", k, largest, sum);
    }
}
