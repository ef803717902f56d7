// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/systems/pair_term.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace slender
{
  namespace
  {
    constexpr int n = Marker::n_numbers;

    /// The values of a share at some local numbers; prescribed ones do not
    /// move.
    Vector
    at(const std::vector<Index> &unknowns, const Vector &share)
    {
      Vector values(static_cast<Index>(unknowns.size()));
      for (std::size_t i = 0; i < unknowns.size(); ++i)
        values(static_cast<Index>(i)) =
          unknowns[i] < 0 ? 0. : share(unknowns[i]);
      return values;
    }
  } // namespace

  PairTerm::PairTerm(Hold the_first, std::vector<Hold> the_others)
    : first(std::move(the_first))
    , others(std::move(the_others))
  {}

  void
  PairTerm::join(const Structure &the_structure)
  {
    structure             = &the_structure;
    MPI_Comm communicator = structure->layout().communicator;
    int      rank = 0, n_ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    owner = first.marker->is_mine() ? rank : n_ranks;
    MPI_Allreduce(MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MIN, communicator);
    if (owner == n_ranks)
      throw std::logic_error("no rank owns a marker");
    others.erase(std::remove_if(others.begin(),
                                others.end(),
                                [](const Hold &hold) {
                                  return !hold.marker->is_mine();
                                }),
                 others.end());
  }

  bool
  PairTerm::owns_first() const
  {
    int rank = 0;
    MPI_Comm_rank(structure->layout().communicator, &rank);
    return rank == owner;
  }

  Marker::Linearisation
  PairTerm::linearise(const Hold &hold, const Vector &q) const
  {
    return hold.marker->linearise(structure->share(hold.member, q));
  }

  std::vector<Index>
  PairTerm::global_numbers(const std::size_t         member,
                           const std::vector<Index> &unknowns) const
  {
    const Layout      &layout = structure->member(member).layout();
    std::vector<Index> numbers;
    for (const Index i : unknowns)
      numbers.push_back(
        i < 0 ? -1
              : structure->number(member,
                                  i < layout.n_owned()
                                    ? layout.begin + i
                                    : layout.ghosts[i - layout.n_owned()]));
    return numbers;
  }

  PairTerm::First
  PairTerm::first_at(const Vector &q) const
  {
    First result;
    int   size = 0;
    if (owns_first())
      {
        const Marker::Linearisation own = linearise(first, q);
        result.numbers                  = own.numbers;
        result.rates                    = own.rates;
        result.unknowns = global_numbers(first.member, own.unknowns);
        size            = static_cast<int>(own.unknowns.size());
      }
    MPI_Comm communicator = structure->layout().communicator;
    MPI_Bcast(&size, 1, MPI_INT, owner, communicator);
    result.unknowns.resize(size);
    result.rates.resize(n, size);
    MPI_Bcast(result.numbers.data(), n, MPI_DOUBLE, owner, communicator);
    MPI_Bcast(result.unknowns.data(), size, MPI_INT, owner, communicator);
    MPI_Bcast(result.rates.data(), n * size, MPI_DOUBLE, owner, communicator);
    return result;
  }

  Marker::Numbers
  PairTerm::collect(const Marker::Numbers &of_rank) const
  {
    Marker::Numbers sum = Marker::Numbers::Zero();
    MPI_Reduce(of_rank.data(),
               sum.data(),
               n,
               MPI_DOUBLE,
               MPI_SUM,
               owner,
               structure->layout().communicator);
    return sum;
  }

  std::vector<PairTerm::PairNumbers>
  PairTerm::numbers_at(const Vector &q) const
  {
    const First              one = first_at(q);
    std::vector<PairNumbers> all;
    for (const Hold &other : others)
      {
        PairNumbers numbers;
        numbers << one.numbers, linearise(other, q).numbers;
        all.push_back(numbers);
      }
    return all;
  }

  double
  PairTerm::energy(const Vector &q) const
  {
    if (!is_active())
      return 0.;
    const std::vector<PairNumbers> numbers = numbers_at(q);
    double                         sum     = 0.;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      sum += value(i, numbers[i]);
    return sum / structure->energy_unit();
  }

  void
  PairTerm::add_at(const Hold               &hold,
                   const std::vector<Index> &unknowns,
                   const Vector             &values,
                   Vector                   &sum) const
  {
    Vector share =
      Vector::Zero(structure->member(hold.member).layout().n_local());
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      if (unknowns[i] >= 0)
        share(unknowns[i]) += values(static_cast<Index>(i));
    structure->add_share(hold.member, share, sum);
  }

  void
  PairTerm::pull_back(const Hold                  &hold,
                      const Marker::Linearisation &linear,
                      const Marker::Numbers       &force,
                      Vector                      &gradient) const
  {
    add_at(hold,
           linear.unknowns,
           linear.rates.transpose() * force / structure->energy_unit(),
           gradient);
  }

  void
  PairTerm::add_gradient(const Vector &q, Vector &gradient) const
  {
    if (!is_active())
      return;
    const First     one      = first_at(q);
    Marker::Numbers on_first = Marker::Numbers::Zero();
    for (std::size_t i = 0; i < others.size(); ++i)
      {
        const Marker::Linearisation other = linearise(others[i], q);
        PairNumbers                 numbers;
        numbers << one.numbers, other.numbers;
        const PairNumbers force = slope(i, numbers);
        on_first += force.head<n>();
        pull_back(others[i], other, force.tail<n>(), gradient);
      }
    on_first = collect(on_first);
    if (owns_first())
      pull_back(first, linearise(first, q), on_first, gradient);
  }

  void
  PairTerm::add_hessian(const Vector &q, HessianSink &sink) const
  {
    if (!is_active())
      return;
    const double    unit     = structure->energy_unit();
    const First     one      = first_at(q);
    const auto      n_one    = static_cast<Index>(one.unknowns.size());
    Marker::Numbers on_first = Marker::Numbers::Zero();
    for (std::size_t i = 0; i < others.size(); ++i)
      {
        const Marker::Linearisation other = linearise(others[i], q);
        const auto  n_other = static_cast<Index>(other.unknowns.size());
        PairNumbers numbers;
        numbers << one.numbers, other.numbers;
        const PairNumbers force = slope(i, numbers);
        on_first += force.head<n>();

        Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(n_pair, n_one + n_other);
        rates.topLeftCorner(n, n_one)       = one.rates;
        rates.bottomRightCorner(n, n_other) = other.rates;
        Eigen::MatrixXd block = rates.transpose() * bend(i, numbers) * rates;
        block.bottomRightCorner(n_other, n_other) +=
          others[i].marker->curvature(structure->share(others[i].member, q),
                                      force.tail<n>());
        block /= unit;
        std::vector<Index>       unknowns = one.unknowns;
        const std::vector<Index> more =
          global_numbers(others[i].member, other.unknowns);
        unknowns.insert(unknowns.end(), more.begin(), more.end());
        sink.add_global(unknowns.data(), n_one + n_other, block.data());
      }
    on_first = collect(on_first);
    if (owns_first())
      {
        const Eigen::MatrixXd block =
          first.marker->curvature(structure->share(first.member, q), on_first) /
          unit;
        sink.add_global(one.unknowns.data(), n_one, block.data());
      }
  }

  void
  PairTerm::add_hessian_times(const Vector &q,
                              const Vector &direction,
                              Vector       &product) const
  {
    if (!is_active())
      return;
    const double    unit = structure->energy_unit();
    const First     one  = first_at(q);
    Marker::Numbers rate_of_first;
    if (owns_first())
      rate_of_first = one.rates * at(linearise(first, q).unknowns,
                                     structure->share(first.member, direction));
    MPI_Bcast(rate_of_first.data(),
              n,
              MPI_DOUBLE,
              owner,
              structure->layout().communicator);

    Marker::Numbers on_first        = Marker::Numbers::Zero();
    Marker::Numbers change_on_first = Marker::Numbers::Zero();
    for (std::size_t i = 0; i < others.size(); ++i)
      {
        const Hold                 &hold  = others[i];
        const Marker::Linearisation other = linearise(hold, q);
        const Vector                moved =
          at(other.unknowns, structure->share(hold.member, direction));
        PairNumbers numbers, rates;
        numbers << one.numbers, other.numbers;
        rates << rate_of_first, other.rates * moved;
        const PairNumbers force  = slope(i, numbers);
        const PairNumbers change = bend(i, numbers) * rates;
        on_first += force.head<n>();
        change_on_first += change.head<n>();
        pull_back(hold, other, change.tail<n>(), product);
        add_at(hold,
               other.unknowns,
               hold.marker->curvature(structure->share(hold.member, q),
                                      force.tail<n>()) *
                 moved / unit,
               product);
      }
    on_first        = collect(on_first);
    change_on_first = collect(change_on_first);
    if (owns_first())
      {
        const Marker::Linearisation own = linearise(first, q);
        pull_back(first, own, change_on_first, product);
        add_at(first,
               own.unknowns,
               first.marker->curvature(structure->share(first.member, q),
                                       on_first) *
                 at(own.unknowns, structure->share(first.member, direction)) /
                 unit,
               product);
      }
  }
} // namespace slender
