// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/app/ranks_per_sample.h>

#include <algorithm>

namespace slender
{
  namespace
  {
    /// Of a surface. One rank factorises a small one as a band, twice as fast
    /// as two with MUMPS; from some ten thousand unknowns on a second one pays
    /// (benchmarks/README.md, "Large shells").
    constexpr long unknowns_per_rank_of_a_shell = 5000;

    /// A rod's band takes microseconds where a message does.
    constexpr long unknowns_per_rank_of_a_rod = 200000;
  } // namespace

  int
  ranks_that_pay(const BodySize &body)
  {
    long each = 0;
    switch (body.kind)
      {
        case BodyKind::ribbon:
          return 1; // its matrix is full
        case BodyKind::rod:
          each = unknowns_per_rank_of_a_rod;
          break;
        case BodyKind::shell:
          each = unknowns_per_rank_of_a_shell;
          break;
      }
    return static_cast<int>(std::clamp(body.n_unknowns / each, 1L, 1000000L));
  }

  int
  choose_ranks_per_sample(const int       n_ranks,
                          const int       n_pieces,
                          const BodySize &body)
  {
    const int  most = n_ranks / std::clamp(n_pieces, 1, n_ranks);
    const int  pays = ranks_that_pay(body);
    const auto away = [pays](const int ranks) {
      return ranks < pays ? static_cast<double>(pays) / ranks
                          : static_cast<double>(ranks) / pays;
    };
    int best = 1;
    for (int ranks = 2; ranks <= most; ++ranks)
      if (n_ranks % ranks == 0 && away(ranks) < away(best))
        best = ranks;
    return best;
  }

  std::unique_ptr<Model>
  MeasuringBuilder::measured(std::unique_ptr<Model> model) const
  {
    largest.n_unknowns =
      std::max(largest.n_unknowns, static_cast<long>(model->layout().size));
    return model;
  }
} // namespace slender
