// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_controls_h
#define slender_statics_controls_h

#include <slender/models/model.h>

#include <functional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * The coordinates in which a continuation moves. Often they are parameters
   * of the model; but a protocol may have coordinates of its own, such as
   * x = Gamma^(1/3)/phi and y = phi/2pi, from which the model's follow.
   */
  class Controls
  {
  public:
    using Setter = std::function<void(Model &, const std::vector<double> &)>;

    /// No coordinates: the model's parameters stay as they are.
    explicit Controls(Model &model);

    /// Parameters of the model, by name; throws InputError for one that it
    /// does not have.
    Controls(Model &model, const std::vector<std::string> &parameters);

    /**
     * @param names, values, scales of the coordinates; the scale is a typical
     *        magnitude, from which steps of differences follow
     * @param set gives the model the parameters that belong to coordinates
     */
    Controls(Model                   &model,
             std::vector<std::string> names,
             std::vector<double>      values,
             std::vector<double>      scales,
             Setter                   set);

    Model &
    model() const
    {
      return *the_model;
    }

    const std::vector<std::string> &
    names() const
    {
      return all_names;
    }

    const std::vector<double> &
    values() const
    {
      return all_values;
    }

    /// A step for central differences of something smooth in a coordinate.
    double
    difference_step(std::size_t i) const;

    /// Does nothing if these are the present values.
    void
    set(const std::vector<double> &values);

  private:
    Model                   *the_model;
    std::vector<std::string> all_names;
    std::vector<double>      all_values, all_scales;
    Setter                   setter;
  };
} // namespace slender

#endif
