// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_model_list_h
#define slender_models_model_list_h

#include <slender/models/rods/rod_model.h>
#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// What a model is a model of.
  enum class BodyKind
  {
    rod,
    ribbon, ///< a rod of rectangular section, wide and thin
    shell
  };

  /**
   * A model as a user chooses it in a parameter file: its discretisation comes
   * from the file, the body from the study.
   */
  class ModelBuilder
  {
  public:
    virtual ~ModelBuilder() = default;

    /// The name of the model's section in a parameter file.
    virtual std::string
    section() const = 0;

    /// Declares the discretisation in that section.
    virtual void
    declare(dealii::ParameterHandler &prm) = 0;

    virtual BodyKind
    body_kind() const
    {
      return BodyKind::rod;
    }

    /// What its bodies can be asked for.
    virtual const Quantities &
    quantities() const;

    /// Whether a body at rest resists every deformation: only then does it
    /// buckle in a mode of its Hessian there. A flat ribbon that must stay
    /// developable twists at no cost to second order.
    virtual bool
    is_stiff_at_rest() const
    {
      return true;
    }

    /// Throws InputError if a body of that many cells does not fit into the
    /// memory there is. Only for surfaces; rods know their own number.
    virtual void
    check_size(double n_cells, const std::string &parameter_path) const;

    // One of these, as body_kind() says; the others throw std::logic_error.
    // Ribbons are built from what describes a rod.
    virtual std::unique_ptr<Model>
    build(const RodBody &body, MPI_Comm communicator) const;

    virtual std::unique_ptr<Model>
    build(const ShellBody   &body,
          const RestSurface &surface,
          MPI_Comm           communicator) const;
  };

  struct ModelEntry
  {
    std::string                                    name;
    std::string                                    description;
    std::function<std::unique_ptr<ModelBuilder>()> make_builder;
  };

  /// All models, in the order in which they are listed to users.
  const std::vector<ModelEntry> &
  model_list();

  /// Throws InputError, with the nearest name, if there is no such model.
  const ModelEntry &
  find_model(const std::string &name);
} // namespace slender

#endif
