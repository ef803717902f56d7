// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/statics/soft_modes.h>

#include <Eigen/Eigenvalues>

namespace slender
{
  namespace
  {
    constexpr auto two_norm = NOX::Abstract::Vector::TwoNorm;

    /// Eigenvalues of a small matrix, and what to combine for their modes.
    struct Combinations
    {
      Vector          values;
      Eigen::MatrixXd modes; ///< columns
    };

    Combinations
    symmetric_combinations(const Eigen::MatrixXd &H)
    {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
        0.5 * (H + H.transpose()));
      return {eigen.eigenvalues(), eigen.eigenvectors()};
    }

    Combinations
    unsymmetric_combinations(const Eigen::MatrixXd &H)
    {
      const Eigen::EigenSolver<Eigen::MatrixXd> eigen(H);
      Combinations                              result{Vector(H.rows()),
                          Eigen::MatrixXd(H.rows(), H.cols())};
      for (Index i = 0; i < H.rows(); ++i)
        {
          const std::complex<double> value = eigen.eigenvalues()(i);
          // A complex pair stands together, the positive imaginary part first.
          result.values(i) =
            value.imag() == 0. ? value.real() : std::abs(value);
          result.modes.col(i) =
            (value.imag() < 0. ? eigen.eigenvectors().col(i).imag().eval()
                               : eigen.eigenvectors().col(i).real().eval());
        }
      return result;
    }
  } // namespace

  SoftModes::SoftModes(const System  &the_system,
                       SystemTangent &the_tangent,
                       const int      n)
    : system(the_system)
    , tangent(the_tangent)
  {
    for (int i = 0; i < std::min<Index>(n, system.layout().size); ++i)
      {
        block.emplace_back(system.layout());
        block.back().random(true, i + 1);
      }
    orthonormalise();
  }

  void
  SoftModes::orthonormalise()
  {
    // Gram and Schmidt, twice.
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < block.size(); ++i)
        {
          for (std::size_t j = 0; j < i; ++j)
            block[i].update(-block[j].innerProduct(block[i]), block[j], 1.);
          block[i].scale(1. / block[i].norm(two_norm));
        }
  }

  void
  SoftModes::rotate(const Vector &q)
  {
    const auto      n = static_cast<Index>(block.size());
    Eigen::MatrixXd H(n, n);
    NoxVector       image(block.front(), NOX::ShapeCopy);
    for (Index j = 0; j < n; ++j)
      {
        petsc::set_and_accumulate(
          image.handle(),
          system.hessian_times(q, petsc::local_values(block[j].handle())));
        for (Index i = 0; i < n; ++i)
          H(i, j) = block[i].innerProduct(image);
      }
    const bool         is_symmetric = system.has_potential();
    const Combinations eigen =
      is_symmetric ? symmetric_combinations(H) : unsymmetric_combinations(H);
    std::vector<NoxVector> rotated;
    eigenvalues.clear();
    for (Index j = 0; j < n; ++j)
      {
        rotated.emplace_back(block.front(), NOX::ShapeCopy);
        rotated.back().init(0.);
        for (Index i = 0; i < n; ++i)
          rotated.back().update(eigen.modes(i, j), block[i], 1.);
        if (!is_symmetric)
          rotated.back().scale(1. / rotated.back().norm(two_norm));
        eigenvalues.push_back(eigen.values(j));
      }
    block.clear();
    for (const NoxVector &v : rotated)
      block.emplace_back(v);
  }

  void
  SoftModes::refine(const Vector &q, const int iterations)
  {
    NoxVector image(block.front(), NOX::ShapeCopy);
    // A second time if it cannot be solved with, which may have been a failure
    // of the moment.
    for (int attempt = 0; attempt < 2; ++attempt)
      {
        tangent.hold_hessian(q);
        if (tangent.solve(block.front().handle(), image.handle()))
          break;
      }
    for (int i = 0; i < iterations; ++i)
      {
        for (NoxVector &v : block)
          if (tangent.solve(v.handle(), image.handle()))
            {
              v = image;
              v.scale(1. / v.norm(two_norm));
            } // else exactly singular: it is as good as it gets
        orthonormalise();
      }
    rotate(q);
  }

  void
  SoftModes::correct(const Vector                   &q,
                     const std::vector<std::size_t> &soft,
                     const int                       iterations)
  {
    const std::vector<Vector> neutral = tangent.neutral_motions();
    NoxVector force(block.front(), NOX::ShapeCopy), change(force);
    for (int i = 0; i < iterations; ++i)
      {
        std::vector<Vector> kept_out = neutral;
        for (const std::size_t k : soft)
          kept_out.push_back(petsc::local_values(block[k].handle()));
        tangent.set_neutral_motions(kept_out);
        tangent.hold_hessian(q);
        for (const std::size_t k : soft)
          {
            petsc::set_and_accumulate(
              force.handle(),
              system.hessian_times(q, petsc::local_values(block[k].handle())));
            if (tangent.solve(force.handle(), change.handle()))
              block[k].update(-1., change, 1.);
          }
        orthonormalise();
      }
    tangent.set_neutral_motions(neutral);
    rotate(q);
  }

  std::vector<std::size_t>
  SoftModes::below(const double bound) const
  {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < eigenvalues.size(); ++i)
      if (std::abs(eigenvalues[i]) < bound)
        found.push_back(i);
    return found;
  }

  std::size_t
  SoftModes::nearest_to(const NoxVector &mode) const
  {
    std::size_t best    = 0;
    double      largest = -1.;
    for (std::size_t i = 0; i < block.size(); ++i)
      if (const double overlap = std::abs(block[i].innerProduct(mode));
          overlap > largest)
        {
          largest = overlap;
          best    = i;
        }
    return best;
  }
} // namespace slender
