// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/loaded_rod.h"

#include <boost/test/unit_test.hpp>

namespace slender::test
{
  Mesh
  mesh_of(const int pieces, const int degree)
  {
    Mesh mesh;
    mesh.pieces = pieces;
    mesh.degree = degree;
    return mesh;
  }

  Mesh
  fine_mesh(const Kind kind)
  {
    return mesh_of(kind == Kind::kirchhoff ? 8 : 128, 4);
  }

  double
  error_of(const Kind kind)
  {
    return kind == Kind::kirchhoff ? 1e-6 : 6e-4;
  }

  Vector3
  Loaded::tip() const
  {
    return rod->stations(state.q).back().position;
  }

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
} // namespace slender::test
