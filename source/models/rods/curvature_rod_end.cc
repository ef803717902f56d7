// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/models/rods/held_end.h>

// What holds and turns the end of a curvature-based rod.
namespace slender
{
  namespace
  {
    template <class Condition>
    void
    keep_if(std::vector<int> &v, const Condition &condition)
    {
      v.erase(std::remove_if(v.begin(),
                             v.end(),
                             [&](const int c) { return !condition(c); }),
              v.end());
    }
  } // namespace

  void
  CurvatureRod::choose_constraints(const bool planar)
  {
    const std::array<bool, 4> holds_quaternion =
      prescribed_quaternion_components(body.end.rotation);
    for (int c = 0; c < 3; ++c)
      {
        if (body.end.position_fixed[c])
          held_directions.push_back(c);
        if (holds_quaternion[1 + c])
          held_rotations.push_back(c);
      }
    if (!planar || n_multipliers() == 0)
      return;

    // In its plane an end has two directions and one rotation.
    const Vector3 normal =
      quaternion::rotate(held_placement(RodSide::start).frame,
                         Vector3::UnitY());
    int axis;
    if (normal.cwiseAbs().maxCoeff(&axis) < 1. - 1e-12)
      throw InputError("a planar rod that is held at its end must lie in a "
                       "coordinate plane: 'Director 1' must be an axis",
                       "Rod/Director 1");
    keep_if(held_directions, [axis](const int c) { return c != axis; });
    keep_if(held_rotations, [axis](const int c) { return c == axis; });
  }

  Index
  CurvatureRod::n_multipliers() const
  {
    return static_cast<Index>(held_directions.size() + held_rotations.size());
  }

  CurvatureRod::Multipliers
  CurvatureRod::multipliers_of(const Vector &q) const
  {
    Multipliers multipliers;
    Index       i = n_strain_unknowns();
    for (const int c : held_directions)
      multipliers.force(c) = q(i++);
    for (const int c : held_rotations)
      multipliers.moment(c) = q(i++);
    return multipliers;
  }

  CurvatureRod::EndPotential
  CurvatureRod::end_potential(const Vector4     &end_frame,
                              const Multipliers &held) const
  {
    EndPotential V;
    V.value    = -held.moment.dot(misalignment * end_frame);
    V.gradient = -misalignment.transpose() * held.moment;
    V.hessian.setZero();
    if (end_moment() != 0.)
      {
        V.value -= end_moment() * moment_potential.angle(end_frame);
        V.gradient -= end_moment() * moment_potential.gradient(end_frame);
        V.hessian -= end_moment() * moment_potential.hessian(end_frame);
      }
    return V;
  }

  curvature::Loads
  CurvatureRod::loads(const Vector4 &end_frame, const Multipliers &held) const
  {
    const EndPotential V = end_potential(end_frame, held);
    curvature::Loads   result;
    result.weight    = weight_per_length();
    result.end_force = end_force() + held.force;
    curvature::turn_end(end_frame, V.gradient, V.hessian, result);
    return result;
  }

  Vector
  CurvatureRod::constraints(const curvature::Pose &end) const
  {
    Vector miss(n_multipliers());
    Index  i = 0;
    for (const int c : held_directions)
      miss(i++) = end.position(c) - held_end.position(c);
    for (const int c : held_rotations)
      miss(i++) = misalignment.row(c).dot(end.frame);
    return miss;
  }

  Eigen::MatrixXd
  CurvatureRod::constraint_gradients(const Shape &shape) const
  {
    Eigen::MatrixXd result(n_strain_unknowns(), n_multipliers());
    Index           i           = 0;
    const auto      add_work_of = [&](const curvature::Loads &unit_load) {
      result.col(i++) =
        select(work_gradient(shape, unit_load, field.n_strains()));
    };
    for (const int c : held_directions)
      {
        curvature::Loads unit_load;
        unit_load.end_force = Vector3::Unit(c);
        add_work_of(unit_load);
      }
    for (const int c : held_rotations)
      {
        curvature::Loads unit_load;
        unit_load.end_moment = curvature::turned(shape.end.frame).transpose() *
                               misalignment.row(c).transpose();
        add_work_of(unit_load);
      }
    return result;
  }

  Vector
  CurvatureRod::meet_held_end(Vector q) const
  {
    constexpr double met = 1e-12, largest_change = 2.;
    constexpr int    max_iterations = 100;

    // A straight rod cannot be shortened to first order: bend it to about the
    // arc that reaches as far.
    const Shape  initial  = field.integrate(strains_of(q), start);
    const double distance = (held_end.position - start.position).norm();
    if (body.end.position_fixed == RodEnd::clamped().position_fixed &&
        constraints(initial.end).norm() > met &&
        (initial.end.position - start.position).norm() > 1. - 1e-6)
      for (Index i = 0; i < n_strain_unknowns(); ++i)
        if (unknown_strains[i] % 3 == 1)
          q(i) += std::sqrt(24. * std::max(0., 1. - distance));

    const auto inverse = elastic_hessian().ldlt();
    for (int iteration = 0; iteration < max_iterations; ++iteration)
      {
        const Shape  shape = field.integrate(strains_of(q), start);
        const Vector miss  = constraints(shape.end);
        if (miss.norm() < met)
          break;
        const Eigen::MatrixXd gradients = constraint_gradients(shape);
        const Eigen::MatrixXd modes     = inverse.solve(gradients);
        const Vector          step = modes * (gradients.transpose() * modes)
                                      .completeOrthogonalDecomposition()
                                      .solve(-miss);
        const double size = step.lpNorm<Eigen::Infinity>();
        q.head(step.size()) += std::min(1., largest_change / size) * step;
      }
    return q;
  }
} // namespace slender
