// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_obstacle_parameters_h
#define slender_studies_obstacle_parameters_h

#include <slender/contact/obstacle.h>
#include <slender/contact/rod_walls.h>
#include <slender/systems/system.h>

#include <map>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// What is in a body's way: the sections "Obstacle 1", "Obstacle 2", ... of a
  /// parameter file.
  class ObstacleParameters
  {
  public:
    /// The outermost sections that the file has; called before declare().
    void
    set_sections(const std::vector<std::string> &names);

    void
    declare(dealii::ParameterHandler &prm);

    /// Throws InputError for settings that contradict each other.
    void
    check() const;

    bool
    is_empty() const
    {
      return settings.empty();
    }

    /// @param length_of_body in small parts of which formulas are
    /// differentiated
    Obstacles
    make(double length_of_body = 1.) const;

    /// That length; collective.
    double
    length_of(const System &body) const;

    /// The same for rods that touch each other. Throws InputError for what is
    /// no plane at rest.
    std::vector<Wall>
    walls() const;

    /// Throws InputError, with where, if a body at q has points inside an
    /// obstacle, or if a formula is no distance there. Collective.
    void
    check_start(const System &body, const Vector &q) const;

  private:
    /// What says where an obstacle is.
    std::string
    path_of_shape(int number) const;

    /// See check_start().
    void
    check_point(const Obstacle    &obstacle,
                const Vector3     &x,
                const std::string &name,
                double             length) const;

    struct Settings
    {
      std::string shape     = "plane";
      Vector3     point     = Vector3::Zero();
      Vector3     direction = Vector3::UnitZ();
      double      radius    = 1.;
      Vector3     sides     = Vector3::Ones();
      std::string formula;
      std::string file;
      double      friction  = 0.;
      double      clearance = 0.;
      Vector3     velocity  = Vector3::Zero();
    };

    std::map<int, Settings> settings; ///< by number
  };
} // namespace slender

#endif
