// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_ghosts_h
#define slender_solvers_ghosts_h

#include <slender/base/layout.h>

#include <memory>

namespace slender
{
  /**
   * What ranks that share a system tell each other about their shares of a
   * vector. On one rank nothing is copied or sent. All functions are
   * collective.
   */
  class Exchange
  {
  public:
    explicit Exchange(const Layout &layout);
    ~Exchange();

    /// A share whose owned values are right, with its ghosts brought up to
    /// date.
    Vector
    with_ghosts(const Vector &share) const;

    /// A share in which what stands at ghosts is still to be added to their
    /// owners, such as a gradient, with that done and ghosts up to date.
    Vector
    accumulated(const Vector &share) const;

    /// A^T B over all unknowns; A and B have a column for each vector.
    Eigen::MatrixXd
    products(const Eigen::MatrixXd &A, const Eigen::MatrixXd &B) const;

    double
    product(const Vector &a, const Vector &b) const;

    /// Of the largest entry.
    double
    largest(const Vector &share) const;

  private:
    struct Vectors;

    Layout                   layout;
    bool                     is_alone;
    std::unique_ptr<Vectors> vectors;
  };

  /// See Exchange::with_ghosts().
  Vector
  with_ghosts(const Layout &layout, const Vector &share);
} // namespace slender

#endif
