// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_tests_support_linear_system_h
#define slender_tests_support_linear_system_h

#include <slender/systems/system.h>

#include <Eigen/Dense>

namespace slender::test
{
  /// A few unknowns on one rank, and forces instead of an energy.
  class SmallSystem : public System
  {
  public:
    explicit SmallSystem(const Index n)
    {
      the_layout.communicator = MPI_COMM_SELF;
      the_layout.begin        = 0;
      the_layout.end = the_layout.size = n;
    }

    const Layout &
    layout() const override
    {
      return the_layout;
    }

    double
    energy_unit() const override
    {
      return 1.;
    }

    /// Unless it is said otherwise.
    bool
    has_potential() const override
    {
      return false;
    }

    Vector
    initial_state() const override
    {
      return Vector::Zero(the_layout.size);
    }

    double
    energy(const Vector &) const override
    {
      return 0.;
    }

    std::vector<Measurement>
    measure(const Vector &) const override
    {
      return {};
    }

    Drawing
    draw(const Vector &) const override
    {
      return {};
    }

  private:
    Layout the_layout;
  };

  /// K q in balance with nothing; K is a band, five wide.
  class LinearSystem : public SmallSystem
  {
  public:
    explicit LinearSystem(const Eigen::MatrixXd &matrix)
      : SmallSystem(static_cast<Index>(matrix.rows()))
      , K(matrix)
    {}

    bool
    has_potential() const override
    {
      return K == K.transpose();
    }

    Vector
    gradient(const Vector &q) const override
    {
      return K * q;
    }

    void
    hessian(const Vector &, HessianSink &sink) const override
    {
      // Overlapping blocks of three unknowns, each entry once.
      Eigen::MatrixXd rest = K;
      for (Index i = 0; i + 2 < K.rows(); ++i)
        {
          const Index           unknowns[3] = {i, i + 1, i + 2};
          const Eigen::Matrix3d block       = rest.block<3, 3>(i, i);
          rest.block<3, 3>(i, i).setZero();
          sink.add(unknowns, 3, block.data());
        }
    }

    Eigen::MatrixXd K;
  };
} // namespace slender::test

#endif
