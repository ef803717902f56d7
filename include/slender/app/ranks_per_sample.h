// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_app_ranks_per_sample_h
#define slender_app_ranks_per_sample_h

#include <slender/models/model_list.h>

namespace slender
{
  /// How large the bodies of a study are.
  struct BodySize
  {
    BodyKind kind       = BodyKind::rod;
    long     n_unknowns = 0; ///< of the largest
  };

  /// The number of ranks up to which another one makes a single body faster.
  int
  ranks_that_pay(const BodySize &body);

  /**
   * How many of `n_ranks` share one body: of the numbers that divide the ranks
   * evenly and leave a group for each of the pieces that can be computed at the
   * same time, the one nearest to what pays. Pieces come first, as they need no
   * messages.
   */
  int
  choose_ranks_per_sample(int n_ranks, int n_pieces, const BodySize &body);

  /// A builder that looks at what it builds.
  class MeasuringBuilder : public ModelBuilder
  {
  public:
    explicit MeasuringBuilder(const ModelBuilder &the_builder)
      : builder(the_builder)
    {
      largest.kind = builder.body_kind();
    }

    const BodySize &
    size() const
    {
      return largest;
    }

    std::string
    section() const override
    {
      return builder.section();
    }

    /// What it stands for has been declared.
    void
    declare(dealii::ParameterHandler &) override
    {}

    BodyKind
    body_kind() const override
    {
      return builder.body_kind();
    }

    const Quantities &
    quantities() const override
    {
      return builder.quantities();
    }

    bool
    is_stiff_at_rest() const override
    {
      return builder.is_stiff_at_rest();
    }

    void
    check_size(const double n_cells, const std::string &path) const override
    {
      builder.check_size(n_cells, path);
    }

    std::unique_ptr<Model>
    build(const RodBody &body, MPI_Comm communicator) const override
    {
      return measured(builder.build(body, communicator));
    }

    std::unique_ptr<Model>
    build(const ShellBody   &body,
          const RestSurface &surface,
          MPI_Comm           communicator) const override
    {
      return measured(builder.build(body, surface, communicator));
    }

  private:
    std::unique_ptr<Model>
    measured(std::unique_ptr<Model> model) const;

    const ModelBuilder &builder;
    mutable BodySize    largest;
  };
} // namespace slender

#endif
