// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/quiet_wait.h>
#include <slender/studies/frontier_messages.h>

#include <cmath>

namespace slender
{
  namespace
  {
    constexpr int tag = 102;

    int
    rank_in_group(const Groups &groups)
    {
      int rank = 0;
      MPI_Comm_rank(groups.group(), &rank);
      return rank;
    }

    /// A message as numbers, one after the other, and back.
    class Packed
    {
    public:
      Packed() = default;

      explicit Packed(std::vector<double> received)
        : numbers(std::move(received))
      {}

      void
      put(const double number)
      {
        numbers.push_back(number);
      }

      template <class Values>
      void
      put_all(const Values &values)
      {
        put(static_cast<double>(values.size()));
        numbers.insert(numbers.end(),
                       values.data(),
                       values.data() + values.size());
      }

      double
      take()
      {
        return numbers.at(at++);
      }

      template <class Values>
      Values
      take_all()
      {
        const auto n = static_cast<std::size_t>(std::lround(take()));
        Values     values(static_cast<Index>(n));
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                    n,
                    values.data());
        at += n;
        return values;
      }

      std::vector<double> numbers;

    private:
      std::size_t at = 0;
    };

    std::vector<double>
    pack(const FrontierMessage &message)
    {
      Packed packed;
      packed.put(message.end ? 1. : 0.);
      if (message.end)
        {
          packed.put(static_cast<double>(*message.end));
          return packed.numbers;
        }
      const FrontierPoint &point = message.point;
      for (const double control : point.controls)
        packed.put(control);
      packed.put(point.slack);
      packed.put(point.doubt);
      packed.put(point.iterations);
      packed.put(point.outlook.second_eigenvalue);
      packed.put(point.outlook.second_distance);
      packed.put(point.outlook.cubic);
      packed.put(point.outlook.second_breaks_symmetry ? 1. : 0.);
      packed.put(static_cast<double>(point.outlook.n_unstable));
      packed.put(static_cast<double>(point.event));
      packed.put_all(point.null_vector);
      packed.put_all(message.state.q);
      packed.put_all(message.state.parameters);
      packed.put_all(message.state.history);
      return packed.numbers;
    }

    FrontierMessage
    unpack(std::vector<double> numbers)
    {
      Packed          packed(std::move(numbers));
      FrontierMessage message;
      if (packed.take() != 0.)
        {
          message.end = static_cast<FrontierEnd>(std::lround(packed.take()));
          return message;
        }
      FrontierPoint &point = message.point;
      for (double &control : point.controls)
        control = packed.take();
      point.slack      = packed.take();
      point.doubt      = packed.take();
      point.iterations = static_cast<int>(std::lround(packed.take()));
      point.outlook.second_eigenvalue      = packed.take();
      point.outlook.second_distance        = packed.take();
      point.outlook.cubic                  = packed.take();
      point.outlook.second_breaks_symmetry = packed.take() != 0.;
      point.outlook.n_unstable = static_cast<Index>(std::lround(packed.take()));
      point.event = static_cast<FrontierEvent>(std::lround(packed.take()));
      point.null_vector        = packed.take_all<Vector>();
      message.state.q          = packed.take_all<Vector>();
      message.state.parameters = packed.take_all<std::vector<double>>();
      message.state.history    = packed.take_all<Vector>();
      point.q                  = message.state.q;
      return message;
    }
  } // namespace

  FrontierOutbox::FrontierOutbox(const Groups &the_groups)
    : groups(the_groups)
  {}

  FrontierOutbox::~FrontierOutbox()
  {
    for (Letter &letter : letters)
      wait_quietly(letter.request);
  }

  void
  FrontierOutbox::send(const FrontierMessage &message)
  {
    letters.emplace_back();
    Letter &letter = letters.back();
    letter.numbers = pack(message);
    MPI_Isend(letter.numbers.data(),
              static_cast<int>(letter.numbers.size()),
              MPI_DOUBLE,
              rank_in_group(groups),
              tag,
              groups.world(),
              &letter.request);
  }

  FrontierMessage
  next_frontier_message(const Groups &groups, const int from_group)
  {
    int group_size = 1;
    MPI_Comm_size(groups.group(), &group_size);
    const int        source = from_group * group_size + rank_in_group(groups);
    const MPI_Status status = probe_quietly(source, tag, groups.world());
    int              size   = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &size);
    std::vector<double> numbers(size);
    MPI_Recv(numbers.data(),
             size,
             MPI_DOUBLE,
             source,
             tag,
             groups.world(),
             MPI_STATUS_IGNORE);
    return unpack(std::move(numbers));
  }
} // namespace slender
