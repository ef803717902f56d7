// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_sweep_h
#define slender_studies_sweep_h

#include <slender/statics/equilibrium.h>
#include <slender/studies/study.h>

#include <functional>
#include <string>
#include <vector>

namespace slender
{
  /// What became of one sample of a sweep.
  struct Sample
  {
    std::vector<double>    values;  ///< the study's own numbers
    std::string            failure; ///< why it failed; empty if it did not
    long                   iterations = 0;
    std::optional<Drawing> drawing;
  };

  /// A sample with the values that are read off an equilibrium, or, if it was
  /// not found, with `n_values` that are not known, and why.
  Sample
  make_sample(const Equilibrium                          &found,
              std::size_t                                 n_values,
              const std::function<std::vector<double>()> &read);

  /**
   * Shares a sweep among the groups of ranks. A sweep is cut into chains, in
   * each of which a sample starts from the one before it; chains are
   * independent of each other and of the number of ranks, and so are the
   * results.
   *
   * @param lengths the number of samples in each chain
   * @param run computes a chain on the communicator of this rank's group and
   *        calls the function it is given once per sample, in order
   * @return all samples in the order of chains, on the first rank
   */
  std::vector<Sample>
  run_chains(
    const Workplace                &workplace,
    const std::string              &what,
    const std::vector<std::size_t> &lengths,
    const std::function<void(std::size_t                        chain,
                             const std::function<void(Sample)> &done)> &run);

  /// Whether sample i of n is one of about `count` that are spread evenly.
  bool
  is_spread(std::size_t i, std::size_t n, std::size_t count);

  /// Cuts `n` samples into at most `n_chains` chains of nearly equal length.
  std::vector<std::size_t>
  chain_lengths(std::size_t n, std::size_t n_chains);
} // namespace slender

#endif
