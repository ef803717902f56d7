// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/discrete_elastic_rod.h>

namespace slender
{
  namespace
  {
    /// An edge that has turned by more than this from its source gets a new
    /// one [rad]; the smallest rotation is singular at half a turn only.
    constexpr double largest_turn = 1.;
  } // namespace

  Index
  DiscreteElasticRod::read_edges_end() const
  {
    return std::max(read_begin, read_end - 1);
  }

  bool
  DiscreteElasticRod::commit(const Vector &q)
  {
    RodModel::commit(q);
    int         has_new_source = 0;
    const Shape shape          = shape_of(full_state(q));
    along_the_rod(
      begin,
      end,
      [&](const Index edge) { return frame_of_edge(shape, edge); },
      [&](const Index i, const Vector4 *before, const Vector4 *behind) {
        if (is_joint(i))
          {
            const auto [frame_0, frame_1] = frames_at_joint(before, behind);
            joints[i].previous_twist =
              discrete_rod::strain_between(frame_0,
                                           frame_1,
                                           joints[i].previous_twist)(0);
          }
      });
    for (Index i = read_begin; i + 1 < read_end; ++i)
      {
        const Vector3 tangent = shape.edge(i).normalized();
        if (tangent.dot(sources[i].tangent) < std::cos(largest_turn))
          {
            sources[i].frame =
              quaternion::product(discrete_rod::carrier(sources[i], tangent),
                                  sources[i].frame);
            sources[i].frame.normalize();
            // As a restored history has it, to the last digit.
            sources[i].tangent =
              quaternion::rotate(sources[i].frame, Vector3::UnitX());
            has_new_source = 1;
          }
      }
    MPI_Allreduce(MPI_IN_PLACE,
                  &has_new_source,
                  1,
                  MPI_INT,
                  MPI_LOR,
                  layout().communicator);
    return has_new_source != 0;
  }

  Vector
  DiscreteElasticRod::history() const
  {
    const Vector of_any_rod = RodModel::history();
    const Index  n_read     = read_edges_end() - read_begin;
    Vector       mine(4 * n_read + (end - begin) + of_any_rod.size());
    for (Index i = 0; i < n_read; ++i)
      mine.segment<4>(4 * i) = sources[read_begin + i].frame;
    for (Index i = begin; i < end; ++i)
      mine(4 * n_read + i - begin) = joints[i].previous_twist;
    mine.tail(of_any_rod.size()) = of_any_rod;
    return mine;
  }

  void
  DiscreteElasticRod::set_history(const Vector &mine)
  {
    const Index n_read = read_edges_end() - read_begin;
    for (Index i = 0; i < n_read; ++i)
      {
        Source &source = sources[read_begin + i];
        source.frame   = mine.segment<4>(4 * i);
        source.tangent = quaternion::rotate(source.frame, Vector3::UnitX());
      }
    for (Index i = begin; i < end; ++i)
      joints[i].previous_twist = mine(4 * n_read + i - begin);
    RodModel::set_history(mine.tail(mine.size() - 4 * n_read - (end - begin)));
  }

  Places
  DiscreteElasticRod::history_places() const
  {
    // [frames of all edges | twists of all joints | what any rod has]
    Places     places;
    const auto add = [&places](const std::int64_t place) {
      places.numbers.push_back(static_cast<Index>(places.places.size()));
      places.places.push_back(place);
    };
    for (Index i = read_begin; i < read_edges_end(); ++i)
      for (int c = 0; c < 4; ++c)
        add(std::int64_t(4) * i + c);
    const std::int64_t twists = std::int64_t(4) * n_edges;
    for (Index i = begin; i < end; ++i)
      add(twists + i);
    const Places       of_any_rod = RodModel::history_places();
    const std::int64_t first      = twists + n_edges + 1;
    for (const std::int64_t place : of_any_rod.places)
      add(first + place);
    places.size = first + of_any_rod.size;
    return places;
  }
} // namespace slender
