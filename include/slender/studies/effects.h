// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_effects_h
#define slender_studies_effects_h

#include <slender/studies/body_parameters.h>

#include <string>
#include <vector>

namespace slender
{
  /// Throws InputError if the forces on the body at its start, or what is
  /// measured of it, are not finite numbers: its dimensions do not go together
  /// in floating-point arithmetic. Collective.
  void
  check_numbers(const Model &model);

  /// Whether a change of a parameter moves the body or changes the forces on
  /// its unknowns, under the present values of the others. Collective over the
  /// model's communicator.
  bool
  has_effect(Model &model, const std::string &parameter);

  /// A parameter of the model that a study varies.
  struct VariedParameter
  {
    std::string name;
    double      minimum = 0.;
    double      maximum = 0.;
    std::string path; ///< of the setting that names it
  };

  /// Sets the loads of a body, without looking for its equilibrium.
  void
  apply_loads(Model &model, const BodyParameters &body);

  /**
   * Throws InputError if a parameter that is varied does not exist or cannot
   * move anything, if one of the body's loads cannot, or if the numbers are not
   * finite. All loads act already: those of the body, or those of the labelled
   * point from which the study starts. Those that vary are tried somewhere
   * within their ranges. Collective over the model's communicator.
   */
  void
  check_effects(Model                              &model,
                const BodyParameters               &body,
                const std::vector<VariedParameter> &varied);

  /// Throws InputError if something acts on the body that has no potential,
  /// which `what` cannot do without. Loads act as for check_effects().
  void
  check_potential(Model                              &model,
                  const std::vector<VariedParameter> &varied,
                  const std::string                  &what);
} // namespace slender

#endif
