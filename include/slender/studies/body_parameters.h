// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_body_parameters_h
#define slender_studies_body_parameters_h

#include <slender/models/model_list.h>
#include <slender/statics/equilibrium.h>

#include <memory>
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

    virtual void
    declare(dealii::ParameterHandler &prm) = 0;

    /// Throws InputError if settings contradict each other.
    virtual void
    check() const = 0;

    /// The body before any load acts on it.
    virtual std::unique_ptr<Model>
    build(const ModelBuilder &builder, MPI_Comm communicator) const = 0;

    /// All loads that are not zero: named parameters of the model.
    virtual std::vector<LoadTarget>
    loads() const = 0;
  };

  std::unique_ptr<BodyParameters>
  make_body_parameters(BodyKind kind);
} // namespace slender

#endif
