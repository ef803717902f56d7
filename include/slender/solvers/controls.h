// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_controls_h
#define slender_solvers_controls_h

#include <slender/systems/system.h>

#include <functional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * The coordinates in which a continuation moves. Often they are parameters
   * of the system; but a protocol may have coordinates of its own, such as
   * x = Gamma^(1/3)/phi and y = phi/2pi, from which the system's follow.
   *
   * A continuation has a unit of its own for each: lengths of steps are to mean
   * the same whatever the user's units are.
   */
  class Controls
  {
  public:
    using Setter = std::function<void(System &, const std::vector<double> &)>;

    /// No coordinates: the system's parameters stay as they are.
    explicit Controls(System &system);

    /// Parameters of the system, by name; throws InputError for one that it
    /// does not have.
    Controls(System &system, const std::vector<std::string> &parameters);

    /**
     * @param names, values, scales of the coordinates; the scale is a typical
     *        magnitude, from which steps of differences follow
     * @param set gives the system the parameters that belong to coordinates
     */
    Controls(System                  &system,
             std::vector<std::string> names,
             std::vector<double>      values,
             std::vector<double>      scales,
             Setter                   set);

    System &
    system() const
    {
      return *the_system;
    }

    std::size_t
    size() const
    {
      return coordinates.size();
    }

    const std::string &
    name(const std::size_t i) const
    {
      return coordinates[i].name;
    }

    std::vector<double>
    values() const;

    /// Does nothing if these are the present values.
    void
    set(const std::vector<double> &values);

    /// From now on the unit value of coordinate i is (value - origin) / unit,
    /// with a typical magnitude of its own.
    void
    measure_in(std::size_t i, double origin, double unit, double typical);

    /// Every unit value is the value itself again.
    void
    measure_in_user_units();

    std::vector<double>
    unit_values() const;

    void
    set_unit_values(const std::vector<double> &values);

    /// The same for one of them.
    void
    set_unit_value(std::size_t i, double value);

    /// A step for central differences of something smooth in a unit value.
    double
    difference_step(std::size_t i) const;

  private:
    struct Coordinate
    {
      std::string name;
      double      value, scale;
      double      origin = 0., unit = 1.; ///< of the unit value
      double      unit_value, unit_scale;
    };

    void
    apply();

    System                 *the_system;
    std::vector<Coordinate> coordinates;
    Setter                  setter;
  };
} // namespace slender

#endif
