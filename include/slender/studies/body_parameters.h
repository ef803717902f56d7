// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_body_parameters_h
#define slender_studies_body_parameters_h

#include <slender/base/errors.h>
#include <slender/models/model_list.h>
#include <slender/statics/equilibrium.h>

#include <memory>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /**
   * A user's own body, as some sections of a parameter file describe it: what
   * a study needs of it that works with any kind of body.
   */
  class BodyParameters
  {
  public:
    virtual ~BodyParameters() = default;

    /// The body need not be held: it may move as a whole. Called before
    /// check().
    void
    let_free()
    {
      may_be_free = true;
    }

    /// The outermost sections that the file has; called before declare().
    virtual void
    set_sections(const std::vector<std::string> & /*names*/)
    {}

    virtual void
    declare(dealii::ParameterHandler &prm) = 0;

    /// Throws InputError if settings contradict each other, or say nothing
    /// about a body of this kind.
    virtual void
    check() const = 0;

    /// Throws InputError, with the reason, if a parameter of the model cannot
    /// move anything because of how the body is held. A parameter that passes
    /// here may still be idle, see check_effects().
    virtual void
    check_parameter(const std::string &name) const = 0;

    /// The setting that gives a load, "Section/Name".
    virtual std::string
    path_of_load(const std::string &parameter) const = 0;

    /// The body before any load acts on it.
    virtual std::unique_ptr<Model>
    build(const ModelBuilder &builder, MPI_Comm communicator) const = 0;

    /// All loads that are not zero: named parameters of the model.
    virtual std::vector<LoadTarget>
    loads() const = 0;

  protected:
    bool may_be_free = false;
  };

  std::unique_ptr<BodyParameters>
  make_body_parameters(BodyKind kind);
} // namespace slender

#endif
