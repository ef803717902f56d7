// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_parametric_surface_h
#define slender_models_shells_parametric_surface_h

#include <slender/base/errors.h>
#include <slender/models/shells/rest_surface.h>

#include <cmath>

namespace slender
{
  constexpr double whole_turn = 6.283185307179586;

  /// A surface that is one of the structures of rest_surface.h; `Surface` is
  /// the class that derives from this.
  template <class Shape, class Surface>
  class ParametricSurface : public RestSurface
  {
  public:
    explicit ParametricSurface(const Shape &a_shape)
      : shape(a_shape)
    {}

    std::unique_ptr<RestSurface>
    clone() const override
    {
      return std::make_unique<Surface>(static_cast<const Surface &>(*this));
    }

  protected:
    Shape shape;
  };

  inline void
  check_positive(const double value, const std::string &what)
  {
    if (!(value > 0.) || !std::isfinite(value))
      throw InputError(what + " must be positive, not " +
                       std::to_string(value));
  }

  inline void
  check_angle(const double angle, const std::string &of_what)
  {
    if (!(angle > 0.) || angle > whole_turn * (1. + 1e-12))
      throw InputError("the angle of " + of_what +
                       " must be between 0 and 2 pi");
  }

  inline bool
  is_whole_turn(const double angle)
  {
    return angle > whole_turn * (1. - 1e-12);
  }
} // namespace slender

#endif
