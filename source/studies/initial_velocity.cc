// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/formula.h>
#include <slender/studies/initial_velocity.h>
#include <slender/studies/vector_parameter.h>
#include <slender/studies/velocity_table.h>

#include <deal.II/base/parameter_handler.h>

#include <memory>

namespace slender
{
  namespace
  {
    const std::string path_of_formula = "Motion/Velocity formula";
    const std::string path_of_file    = "Motion/Velocity table";

    /// Over which part of the body a formula is differentiated.
    constexpr double part_of_body = 1e-5;
  } // namespace

  void
  InitialVelocity::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    add_vector(prm,
               "Velocity",
               velocity,
               "Velocity of the whole body at the start [length/time]; that "
               "of what is held does not count.");
    add_vector(prm,
               "Angular velocity",
               angular_velocity,
               "Angular velocity about the origin at the start [1/time].");
    prm.add_parameter("Velocity formula",
                      formula,
                      "Added to these: the velocity at a place, as three "
                      "formulas in x, y and z that semicolons part, such as "
                      "'0; 0; sin(pi*x)' [length/time]. With 'if(x<1, 2, 0)' "
                      "bodies, or parts of one, start differently.",
                      Anything());
    prm.add_parameter("Velocity table",
                      file,
                      "Added to these: velocities at some places, a CSV file "
                      "with a header whose first six columns are x, y, z and "
                      "the components of the velocity [length, length/time]; "
                      "affine in between.",
                      Anything());
  }

  void
  InitialVelocity::check() const
  {
    make(1.);
  }

  VelocityField
  InitialVelocity::make(const double size) const
  {
    VelocityField sum = VelocityField::rigid(velocity, angular_velocity);
    if (!formula.empty())
      {
        const auto   field = vector_formula_of_place(formula, path_of_formula);
        const double h     = part_of_body * size;
        sum.velocity       = [before = sum.velocity, field](const Vector3 &x) {
          return Vector3(before(x) + field(x));
        };
        sum.gradient = [before = sum.gradient, field, h](const Vector3 &x) {
          Eigen::Matrix3d L = before(x);
          for (int c = 0; c < 3; ++c)
            {
              const Vector3 e = h * Vector3::Unit(c);
              L.col(c) += (field(x + e) - field(x - e)) / (2. * h);
            }
          return L;
        };
      }
    if (!file.empty())
      {
        const auto table =
          std::make_shared<const VelocityTable>(file, path_of_file);
        sum.velocity = [before = sum.velocity, table](const Vector3 &x) {
          return Vector3(before(x) + table->at(x).velocity);
        };
        sum.gradient = [before = sum.gradient, table](const Vector3 &x) {
          return Eigen::Matrix3d(before(x) + table->at(x).gradient);
        };
      }
    return sum;
  }
} // namespace slender
