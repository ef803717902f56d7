// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_pair_term_h
#define slender_systems_pair_term_h

#include <slender/systems/marker.h>
#include <slender/systems/structure.h>

#include <memory>

namespace slender
{
  /// A marker of a member of a structure.
  struct Hold
  {
    std::size_t                   member = 0;
    std::shared_ptr<const Marker> marker;
  };

  /**
   * What acts between one marker and some others, pair by pair:
   *
   *   T(q) = sum_i phi_i(a(q), b_i(q)),
   *
   * with the numbers a of the one and b_i of the others. Members may be
   * distributed over ranks: the first marker's numbers and rates are sent to
   * all ranks, each of which looks after those of the others that it owns.
   */
  class PairTerm : public Term
  {
  public:
    PairTerm(Hold first, std::vector<Hold> others);

    void
    join(const Structure &structure) override;

    double
    energy(const Vector &q) const override;

    void
    add_gradient(const Vector &q, Vector &gradient) const override;

    void
    add_hessian(const Vector &q, HessianSink &sink) const override;

    void
    add_hessian_times(const Vector &q,
                      const Vector &direction,
                      Vector       &product) const override;

  protected:
    static constexpr int n_pair = 2 * Marker::n_numbers;

    /// The numbers of the first marker, then those of the other one.
    using PairNumbers = Eigen::Matrix<double, n_pair, 1>;
    using PairMatrix  = Eigen::Matrix<double, n_pair, n_pair>;

    /// phi_i, in the user's unit of energy, with its derivatives.
    virtual double
    value(std::size_t pair, const PairNumbers &numbers) const = 0;
    virtual PairNumbers
    slope(std::size_t pair, const PairNumbers &numbers) const = 0;
    virtual PairMatrix
    bend(std::size_t pair, const PairNumbers &numbers) const = 0;

    /// Whether it acts at all; if not, its blocks are no part of the pattern.
    virtual bool
    is_active() const
    {
      return true;
    }

    /// The numbers of all pairs of this rank at a state of the structure.
    std::vector<PairNumbers>
    numbers_at(const Vector &q) const;

    const std::vector<Hold> &
    mine() const
    {
      return others;
    }

  private:
    /// The first marker as every rank sees it.
    struct First
    {
      Marker::Numbers    numbers;
      std::vector<Index> unknowns; ///< global numbers in the structure
      Eigen::Matrix<double, Marker::n_numbers, Eigen::Dynamic> rates;
    };

    First
    first_at(const Vector &q) const;

    bool
    owns_first() const;

    /// Sums over ranks, on the rank that owns the first marker.
    Marker::Numbers
    collect(const Marker::Numbers &mine) const;

    Marker::Linearisation
    linearise(const Hold &hold, const Vector &q) const;

    /// In the structure, by local numbers in a member.
    std::vector<Index>
    global_numbers(std::size_t               member,
                   const std::vector<Index> &unknowns) const;

    /// Adds rates^T force, in the structure's unit.
    void
    pull_back(const Hold                  &hold,
              const Marker::Linearisation &at,
              const Marker::Numbers       &force,
              Vector                      &gradient) const;

    /// Adds a vector of a marker's unknowns to one of the structure.
    void
    add_at(const Hold               &hold,
           const std::vector<Index> &unknowns,
           const Vector             &values,
           Vector                   &sum) const;

    const Structure  *structure = nullptr;
    Hold              first;
    std::vector<Hold> others; ///< those of this rank, once it has joined
    int               owner = 0;
  };
} // namespace slender

#endif
