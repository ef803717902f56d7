// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_nox_vector_h
#define slender_solvers_nox_vector_h

#include <slender/solvers/petsc.h>

#include <NOX_Abstract_Vector.H>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /// A ghosted PETSc vector as NOX and LOCA want to see one.
  class NoxVector : public NOX::Abstract::Vector
  {
  public:
    using Base = NOX::Abstract::Vector;

    explicit NoxVector(const Layout &layout);
    NoxVector(const Layout &layout, const slender::Vector &local_values);
    NoxVector(const NoxVector &other, NOX::CopyType type = NOX::DeepCopy);
    ~NoxVector() override;

    static const NoxVector &
    cast(const Base &v)
    {
      return dynamic_cast<const NoxVector &>(v);
    }

    /// The PETSc vector; its values may be changed through it.
    Vec
    handle() const
    {
      return vec;
    }

    Base &
    init(double gamma) override;
    Base &
    random(bool use_seed, int seed) override;
    Base &
    abs(const Base &y) override;
    Base &
    operator=(const Base &y) override;
    NoxVector &
    operator=(const NoxVector &y);
    Base &
    reciprocal(const Base &y) override;
    Base &
    scale(double gamma) override;
    Base &
    scale(const Base &a) override;
    Base &
    update(double alpha, const Base &a, double gamma) override;
    Base &
    update(double      alpha,
           const Base &a,
           double      beta,
           const Base &b,
           double      gamma) override;
    Teuchos::RCP<Base>
    clone(NOX::CopyType type) const override;
    double
    norm(NormType type) const override;
    double
    norm(const Base &weights) const override;
    double
    innerProduct(const Base &y) const override;
    NOX::size_type
    length() const override;
    void
    print(std::ostream &stream) const override;

  private:
    Vec vec = nullptr;
  };
} // namespace slender

#endif
