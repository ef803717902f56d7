// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_statics_soft_modes_h
#define slender_statics_soft_modes_h

#include <slender/solvers/nox_vector.h>
#include <slender/solvers/system_tangent.h>
#include <slender/systems/system.h>

#include <vector>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /**
   * The modes of a Hessian whose eigenvalues are nearest to zero, by inverse
   * iteration with a block of vectors and Rayleigh and Ritz's choice among
   * their combinations. A block tells the mode that is about to become unstable
   * from others that merely are soft, such as a ring that tilts.
   *
   * Without a potential the Hessian is not symmetric; then the combinations are
   * those of the small matrix's eigenvectors. A complex pair never passes
   * through zero: it has its two parts as modes, and its magnitude as value.
   *
   * From one state to the next the block is a good guess, so that few
   * iterations are needed. Products with the Hessian are taken strain first
   * (see System::hessian_times), which makes eigenvalues near zero accurate.
   */
  class SoftModes
  {
  public:
    /// Starts from random vectors, the same in each run.
    SoftModes(const System &system, SystemTangent &tangent, int n);

    /// At the present parameters.
    void
    refine(const Vector &q, int iterations);

    /**
     * The same near a state where some of the modes are singular, by Newton's
     * method on the space that these span: with Phi being kept out,
     *
     *   | J     Phi | |d|   |J phi|
     *   | Phi^T  0  | |y| = |  0  |
     *
     * is regular where J is not, and phi - d is the mode.
     *
     * @param soft numbers of these modes
     */
    void
    correct(const Vector                   &q,
            const std::vector<std::size_t> &soft,
            int                             iterations);

    const std::vector<double> &
    values() const
    {
      return eigenvalues;
    }

    /// Of unit length, and orthogonal to each other if there is a potential.
    const std::vector<NoxVector> &
    vectors() const
    {
      return block;
    }

    /// Those whose eigenvalues' magnitudes are below a bound.
    std::vector<std::size_t>
    below(double bound) const;

    /// Which one is most like a given mode.
    std::size_t
    nearest_to(const NoxVector &mode) const;

  private:
    void
    orthonormalise();

    /// Replaces the block by its combinations that diagonalise the Hessian.
    void
    rotate(const Vector &q);

    const System          &system;
    SystemTangent         &tangent;
    std::vector<NoxVector> block;
    std::vector<double>    eigenvalues;
  };
} // namespace slender

#endif
