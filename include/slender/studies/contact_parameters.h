// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_contact_parameters_h
#define slender_studies_contact_parameters_h

#include <slender/contact/rod_contact.h>
#include <slender/solvers/newton.h>

#include <string>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// How rods touch: the section "Contact" of a parameter file.
  struct ContactParameters
  {
    std::string       method = "none";
    RodContactOptions options;

    void
    declare(dealii::ParameterHandler &prm);

    /// Throws InputError for settings without effect.
    void
    check() const;

    bool
    is_on() const
    {
      return method != "none";
    }

    /// Throws InputError if the method is none.
    RodContactOptions
    make() const;

    /// How Newton's method searches where rods touch, if that is left to the
    /// program: by descent, where contact and friction have an energy whose
    /// Hessian is known.
    NewtonOptions
    search(NewtonOptions newton) const;
  };

  /// Throws InputError, with where and how much, if rods overlap at a state.
  void
  check_overlap(const RodContact  &contact,
                const Vector      &q,
                const std::string &parameter_path);
} // namespace slender

#endif
