// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_sweep_h
#define slender_studies_sweep_h

#include <slender/output/recorder.h>
#include <slender/statics/equilibrium.h>
#include <slender/studies/study.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /// What became of one sample of a sweep.
  struct Sample
  {
    std::vector<double>            values;  ///< the study's own numbers
    std::string                    failure; ///< why it failed; empty if not
    long                           iterations = 0;
    std::optional<Recorder::Shape> shape; ///< if it was drawn
  };

  /// A sample with the values that are read off an equilibrium, or, if it was
  /// not found, with `n_values` that are not known, and why.
  Sample
  make_sample(const Equilibrium                          &found,
              std::size_t                                 n_values,
              const std::function<std::vector<double>()> &read);

  /// A sweep is cut into chains, in each of which a sample starts from the one
  /// before it.
  struct Sweep
  {
    std::string              what;    ///< for those who wait
    std::vector<std::size_t> lengths; ///< the number of samples in each chain

    /// Computes a chain on the communicator of this rank's group and calls the
    /// function it is given once per sample, in order. One that returns before
    /// its last sample has noticed, on all ranks of the group, that the run is
    /// to end.
    std::function<void(std::size_t                        chain,
                       const std::function<void(Sample)> &done)>
      run;

    /// Takes the samples as they come, in the order of chains, on the first
    /// rank.
    std::function<void(std::size_t chain, std::size_t i, const Sample &)>
      record;

    /// The number of a chain's first sample in the sweep.
    std::size_t
    first(std::size_t chain) const;
  };

  /**
   * Shares a sweep among the groups of ranks. Chains are independent of each
   * other and of the number of ranks, and so are the results, and the order in
   * which they are recorded. Chains that are finished go into the journal, from
   * where a resumed run takes them.
   *
   * @return false if the run was asked to end before all was done; the first
   *         rank knows it of all, others of their group
   */
  bool
  run_sweep(Workplace &workplace, const Sweep &sweep);

  /// Counts a sample, and reports its failure at a place in words.
  void
  count_sample(Recorder          &recorder,
               const Sample      &sample,
               const std::string &where);

  /// Cuts `n` samples into at most `n_chains` chains of nearly equal length.
  std::vector<std::size_t>
  chain_lengths(std::size_t n, std::size_t n_chains);
} // namespace slender

#endif
