// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_loaded_rod_h
#define slender_tests_support_loaded_rod_h

#include "support/rods.h"

#include <slender/statics/equilibrium.h>

#include <boost/math/constants/constants.hpp>

namespace slender::test
{
  constexpr double pi = boost::math::constants::pi<double>();

  Mesh
  mesh_of(int pieces, int degree = 3);

  /// A mesh on which either model is accurate enough for tests of physics that
  /// allow the errors below.
  Mesh
  fine_mesh(Kind kind);

  /// What fine_mesh() leaves: the finite elements nothing that matters, the
  /// discrete rod its (1/128)^2 times a constant of up to ten.
  double
  error_of(Kind kind);

  /// A rod with the equilibrium that it was brought to.
  struct Loaded
  {
    std::unique_ptr<RodModel> rod;
    Equilibrium               state;

    /// Where its end is.
    Vector3
    tip() const;
  };

  /// From the initial state of a body to given parameters, with the default
  /// options; fails the test if it does not get there.
  Loaded
  load(Kind                           kind,
       const RodBody                 &body,
       const Mesh                    &mesh,
       const std::vector<LoadTarget> &targets);
} // namespace slender::test

#endif
