// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/output/block_array.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace slender
{
  namespace
  {
    int
    n_ranks_of(MPI_Comm communicator)
    {
      int n_ranks = 1;
      MPI_Comm_size(communicator, &n_ranks);
      return n_ranks;
    }



    std::int64_t
    block_size(const std::int64_t size, const int n_ranks)
    {
      return std::max<std::int64_t>(1, (size + n_ranks - 1) / n_ranks);
    }



    // ------------------------------------------------------------- runs ---

    /// Consecutive places.
    struct Run
    {
      std::int64_t begin;
      std::int64_t length;
    };

    /// What concerns one other rank.
    struct Parcel
    {
      std::vector<Run>   runs;
      std::vector<Index> numbers; ///< here, in the order of the places
    };



    /// The places of this rank, sorted by the rank that holds their block.
    std::vector<Parcel>
    parcels_of(const Places &places, const int n_ranks)
    {
      const std::int64_t  size = block_size(places.size, n_ranks);
      std::vector<Parcel> parcels(static_cast<std::size_t>(n_ranks));
      for (std::size_t k = 0; k < places.places.size(); ++k)
        {
          const std::int64_t place = places.places[k];
          Parcel &parcel = parcels[static_cast<std::size_t>(place / size)];
          std::vector<Run> &runs = parcel.runs;
          if (!runs.empty() && place == runs.back().begin + runs.back().length)
            ++runs.back().length;
          else
            runs.push_back({place, 1});
          parcel.numbers.push_back(places.numbers[k]);
        }
      return parcels;
    }



    // ---------------------------------------------------------- exchange ---

    MPI_Datatype
    mpi_type(const double *)
    {
      return MPI_DOUBLE;
    }

    MPI_Datatype
    mpi_type(const Run *)
    {
      return MPI_INT64_T;
    }

    /// A run is two numbers.
    template <typename Item>
    constexpr int items_to_mpi = sizeof(Item) / 8;



    /// Where each rank's part begins among all, in numbers of MPI.
    std::vector<int>
    offsets_of(const std::vector<int> &counts)
    {
      std::vector<int> offsets;
      std::int64_t     total = 0;
      for (const int count : counts)
        {
          offsets.push_back(static_cast<int>(total));
          total += count;
          if (total > std::numeric_limits<int>::max())
            throw std::length_error(
              "an array has too many numbers on one rank");
        }
      return offsets;
    }



    /// Sends `parts[r]` to rank r, and returns what has come from each.
    template <typename Item>
    std::vector<std::vector<Item>>
    exchange(MPI_Comm communicator, std::vector<std::vector<Item>> parts)
    {
      const auto       n_ranks = parts.size();
      std::vector<int> n_sent, n_received(n_ranks);
      for (const auto &part : parts)
        n_sent.push_back(static_cast<int>(part.size()) * items_to_mpi<Item>);
      MPI_Alltoall(
        n_sent.data(), 1, MPI_INT, n_received.data(), 1, MPI_INT, communicator);

      const std::vector<int> send_offsets    = offsets_of(n_sent);
      const std::vector<int> receive_offsets = offsets_of(n_received);
      std::vector<Item>      sent;
      for (auto &part : parts)
        {
          sent.insert(sent.end(), part.begin(), part.end());
          std::vector<Item>().swap(part);
        }
      std::vector<Item> received(
        static_cast<std::size_t>(receive_offsets.back() + n_received.back()) /
        items_to_mpi<Item>);
      MPI_Alltoallv(sent.data(),
                    n_sent.data(),
                    send_offsets.data(),
                    mpi_type(sent.data()),
                    received.data(),
                    n_received.data(),
                    receive_offsets.data(),
                    mpi_type(received.data()),
                    communicator);

      for (std::size_t r = 0; r < n_ranks; ++r)
        {
          const auto begin =
            received.begin() + receive_offsets[r] / items_to_mpi<Item>;
          parts[r].assign(begin, begin + n_received[r] / items_to_mpi<Item>);
        }
      return parts;
    }



    std::vector<std::vector<Run>>
    exchange_runs(MPI_Comm communicator, std::vector<Parcel> &parcels)
    {
      std::vector<std::vector<Run>> runs;
      runs.reserve(parcels.size());
      for (Parcel &parcel : parcels)
        runs.push_back(std::move(parcel.runs));
      return exchange(communicator, std::move(runs));
    }
  } // namespace



  Block
  block_of(const std::int64_t size, MPI_Comm communicator)
  {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    const std::int64_t each = block_size(size, n_ranks_of(communicator));
    return {std::min(size, rank * each), std::min(size, (rank + 1) * each)};
  }



  Vector
  to_blocks(MPI_Comm communicator, const Places &places, const Vector &values)
  {
    std::vector<Parcel> parcels = parcels_of(places, n_ranks_of(communicator));
    const std::vector<std::vector<Run>> runs =
      exchange_runs(communicator, parcels);
    std::vector<std::vector<double>> numbers;
    for (const Parcel &parcel : parcels)
      {
        numbers.emplace_back();
        numbers.back().reserve(parcel.numbers.size());
        for (const Index number : parcel.numbers)
          numbers.back().push_back(values(number));
      }
    parcels.clear();
    numbers = exchange(communicator, std::move(numbers));

    const Block mine = block_of(places.size, communicator);
    Vector      block =
      Vector::Zero(static_cast<Eigen::Index>(mine.end - mine.begin));
    for (std::size_t sender = runs.size(); sender-- > 0;)
      {
        auto value = numbers[sender].begin();
        for (const Run &run : runs[sender])
          for (std::int64_t i = 0; i < run.length; ++i)
            {
              const std::int64_t k                = run.begin + i - mine.begin;
              block(static_cast<Eigen::Index>(k)) = *value++;
            }
      }
    return block;
  }



  Vector
  from_blocks(MPI_Comm      communicator,
              const Places &places,
              const Vector &block,
              const Index   n_local)
  {
    std::vector<Parcel> parcels = parcels_of(places, n_ranks_of(communicator));
    const std::vector<std::vector<Run>> wanted =
      exchange_runs(communicator, parcels);
    const Block mine = block_of(places.size, communicator);

    std::vector<std::vector<double>> numbers(wanted.size());
    for (std::size_t r = 0; r < wanted.size(); ++r)
      for (const Run &run : wanted[r])
        {
          const double *begin = block.data() + (run.begin - mine.begin);
          numbers[r].insert(numbers[r].end(), begin, begin + run.length);
        }
    numbers = exchange(communicator, std::move(numbers));

    Vector values = Vector::Zero(n_local);
    for (std::size_t r = 0; r < parcels.size(); ++r)
      for (std::size_t k = 0; k < parcels[r].numbers.size(); ++k)
        values(parcels[r].numbers[k]) = numbers[r][k];
    return values;
  }
} // namespace slender
