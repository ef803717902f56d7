// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/effects.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  namespace
  {
    bool
    on_any_rank(const Model &model, const bool value)
    {
      int result = value ? 1 : 0;
      MPI_Allreduce(MPI_IN_PLACE,
                    &result,
                    1,
                    MPI_INT,
                    MPI_MAX,
                    model.layout().communicator);
      return result != 0;
    }

    /// Beyond round-off; what is not a number differs, too.
    bool
    differ(const Vector &a, const Vector &b)
    {
      constexpr double relative = 1e-12, absolute = 1e-14;
      for (Index i = 0; i < a.size(); ++i)
        if (!(std::abs(a(i) - b(i)) <=
              relative * std::max(std::abs(a(i)), std::abs(b(i))) + absolute))
          return true;
      return false;
    }

    Vector
    drawn_positions(const Model &model, const Vector &q)
    {
      const Drawing drawing = model.draw(q);
      Vector        all(3 * static_cast<Index>(drawing.points.size()));
      for (std::size_t i = 0; i < drawing.points.size(); ++i)
        all.segment<3>(3 * static_cast<Index>(i)) = drawing.points[i];
      return all;
    }

    /// A state that has no symmetry: at a symmetric one, a force along a
    /// straight rod does nothing to its curvatures.
    Vector
    crooked(const Model &model, Vector q)
    {
      constexpr double amplitude = 1e-3;
      const Layout    &layout    = model.layout();
      for (Index i = 0; i < layout.n_local(); ++i)
        {
          const Index number = i < layout.n_owned()
                                 ? layout.begin + i
                                 : layout.ghosts[i - layout.n_owned()];
          q(i) += amplitude * std::sin(1. + 2.4 * number);
        }
      return q;
    }
  } // namespace



  namespace
  {
    /// What is not finite at a state; empty for nothing.
    std::string
    infinite_at(const Model &model, const Vector &q)
    {
      if (on_any_rank(model, !model.gradient(q).allFinite()))
        return "a force";
      for (const Measurement &m : model.measure(q))
        if (!std::isfinite(m.value))
          return "'" + m.name + "'";
      return "";
    }
  } // namespace



  void
  check_numbers(const Model &model)
  {
    // An end that is moved along a straight rod may meet the next node there,
    // or pass it: that is no matter of large or small numbers, and off the line
    // all is finite.
    const Vector      q        = model.initial_state();
    const std::string infinite = infinite_at(model, q);
    if (!infinite.empty() && !infinite_at(model, crooked(model, q)).empty())
      throw InputError("the dimensions, stiffnesses and loads of this body are "
                       "too large or too small for computing with them: " +
                       infinite + " is not a finite number");
  }



  bool
  has_effect(Model &model, const std::string &parameter)
  {
    const double value = model.parameter(parameter);
    double       scale = 0.;
    for (const Model::Parameter &p : model.parameters())
      if (p.name == parameter)
        scale = p.scale;
    const double size = std::isfinite(scale) && scale > 0. ? scale : 1.;
    const double step = 0.1 * std::max(std::abs(value), size);

    const auto changes = [&](const auto &quantity) {
      model.set_parameter(parameter, value + step);
      const Vector above = quantity();
      model.set_parameter(parameter, value - step);
      const Vector below = quantity();
      model.set_parameter(parameter, value);
      return on_any_rank(model, differ(above, below));
    };

    const Vector straight = model.initial_state();
    for (const Vector &q : {straight, crooked(model, straight)})
      if (changes([&] { return model.gradient(q); }) ||
          changes([&] { return model.full_state(q); }))
        return true;
    // A body that is held at one end moves along with that.
    return changes([&] { return drawn_positions(model, straight); });
  }



  void
  apply_loads(Model &model, const BodyParameters &body)
  {
    for (const LoadTarget &load : body.loads())
      model.set_parameter(load.parameter, load.value);
  }



  void
  check_effects(Model                              &model,
                const BodyParameters               &body,
                const std::vector<VariedParameter> &varied)
  {
    const auto is_varied = [&](const std::string &name) {
      return std::any_of(varied.begin(),
                         varied.end(),
                         [&](const VariedParameter &v) {
                           return v.name == name;
                         });
    };
    std::vector<double> values;
    for (const VariedParameter &v : varied)
      try
        {
          values.push_back(model.parameter(v.name));
          body.check_parameter(v.name);
          // Some value that is nothing special, such as zero.
          model.set_parameter(v.name,
                              v.minimum + 0.618 * (v.maximum - v.minimum));
        }
      catch (const InputError &error)
        {
          throw InputError(error.what(), v.path);
        }

    check_numbers(model);

    for (const VariedParameter &v : varied)
      if (!has_effect(model, v.name))
        throw InputError("'" + v.name +
                           "' moves nothing of this body, as it is held and "
                           "loaded",
                         v.path);
    for (const LoadTarget &load : body.loads())
      if (!is_varied(load.parameter) && !has_effect(model, load.parameter))
        throw InputError("'" + load.parameter +
                           "' moves nothing of this body, as it is held and "
                           "loaded",
                         body.path_of_load(load.parameter));
    for (std::size_t i = 0; i < varied.size(); ++i)
      model.set_parameter(varied[i].name, values[i]);
  }



  void
  check_potential(Model                              &model,
                  const std::vector<VariedParameter> &varied,
                  const std::string                  &what)
  {
    const std::vector<double> present = model.parameter_values();
    for (const VariedParameter &v : varied)
      model.set_parameter(v.name, v.minimum + 0.618 * (v.maximum - v.minimum));
    const bool has_potential = model.has_potential();
    model.set_parameter_values(present);
    if (!has_potential)
      throw InputError(what +
                       " needs loads with a potential, and one that acts "
                       "here has none: a pressure that follows a shell "
                       "with free edges, a force that follows the end "
                       "of a rod, or a moment that is fixed in space");
  }
} // namespace slender
