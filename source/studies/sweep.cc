// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/progress.h>
#include <slender/studies/sweep.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/optional.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>

#include <cmath>

// How samples travel between ranks.
namespace boost::serialization
{
  template <class Archive, int rows, int cols>
  void
  serialize(Archive                           &archive,
            Eigen::Matrix<double, rows, cols> &matrix,
            unsigned int)
  {
    Eigen::Index     n_rows = matrix.rows(), n_cols = matrix.cols();
    archive &n_rows &n_cols;
    matrix.resize(n_rows, n_cols);
    archive &make_array(matrix.data(), matrix.size());
  }

  template <class Archive>
  void
  serialize(Archive &archive, slender::Drawing::Cell &cell, unsigned int)
  {
    archive &cell.shape &cell.points;
  }

  template <class Archive>
  void
  serialize(Archive &archive, slender::Drawing::Field &field, unsigned int)
  {
    archive &field.name &field.values;
  }

  template <class Archive>
  void
  serialize(Archive &archive, slender::Drawing &drawing, unsigned int)
  {
    archive &drawing.points &drawing.cells &drawing.point_fields;
    archive &drawing.cell_fields &drawing.globals;
  }

  template <class Archive>
  void
  serialize(Archive &archive, slender::Sample &sample, unsigned int)
  {
    bool     has_drawing = sample.drawing.has_value();
    archive &sample.values &sample.failure &sample.iterations &has_drawing;
    if (has_drawing)
      {
        if (!sample.drawing)
          sample.drawing.emplace();
        archive &*sample.drawing;
      }
  }
} // namespace boost::serialization

namespace slender
{
  Sample
  make_sample(const Equilibrium                          &found,
              const std::size_t                           n_values,
              const std::function<std::vector<double>()> &read)
  {
    Sample sample;
    sample.iterations = found.iterations;
    Outcome outcome   = found.outcome;
    if (found.converged())
      {
        sample.values = read();
        for (const double value : sample.values)
          if (!std::isfinite(value))
            outcome = Outcome::not_finite;
      }
    if (outcome != Outcome::converged)
      {
        sample.values.assign(n_values, Table::unknown);
        sample.failure = to_string(outcome);
      }
    return sample;
  }

  std::vector<Sample>
  run_chains(
    const Workplace                &workplace,
    const std::string              &what,
    const std::vector<std::size_t> &lengths,
    const std::function<void(std::size_t                        chain,
                             const std::function<void(Sample)> &done)> &run)
  {
    const Groups &groups  = workplace.groups;
    const auto    is_mine = [&groups](const std::size_t chain) {
      return static_cast<int>(chain % groups.n_groups()) ==
             groups.group_index();
    };

    std::size_t n_mine = 0;
    for (std::size_t chain = 0; chain < lengths.size(); ++chain)
      n_mine += is_mine(chain) ? lengths[chain] : 0;
    Progress progress(workplace.progress,
                      workplace.progress_is_terminal,
                      what,
                      n_mine);

    std::map<std::size_t, std::vector<Sample>> mine;
    for (std::size_t chain = 0; chain < lengths.size(); ++chain)
      if (is_mine(chain))
        run(chain, [&](Sample sample) {
          mine[chain].push_back(std::move(sample));
          progress.advance();
        });

    // Only the first rank of a group sends what all of its ranks know.
    std::vector<std::pair<std::size_t, std::vector<Sample>>> to_send;
    if (groups.is_first_in_group())
      to_send.assign(mine.begin(), mine.end());
    const auto received =
      dealii::Utilities::MPI::gather(groups.world(), to_send);

    std::map<std::size_t, std::vector<Sample>> all;
    for (const auto &from_rank : received)
      all.insert(from_rank.begin(), from_rank.end());
    std::vector<Sample> samples;
    for (auto &[chain, of_chain] : all)
      for (Sample &sample : of_chain)
        samples.push_back(std::move(sample));
    return samples;
  }

  bool
  is_spread(const std::size_t i, const std::size_t n, const std::size_t count)
  {
    // The middle of each of `count` parts.
    return count > 0 && i == (2 * (i * count / n) + 1) * n / (2 * count);
  }

  std::vector<std::size_t>
  chain_lengths(const std::size_t n, const std::size_t n_chains)
  {
    const std::size_t        m = std::min(n, n_chains);
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < m; ++i)
      lengths.push_back((i + 1) * n / m - i * n / m);
    return lengths;
  }
} // namespace slender
