// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/nox_vector.h>

#include <cmath>
#include <ostream>

namespace slender
{
  using petsc::check;

  NoxVector::NoxVector(const Layout &layout)
    : vec(petsc::create_vector(layout))
  {
    check(VecZeroEntries(vec));
  }

  NoxVector::NoxVector(const Layout &layout, const slender::Vector &values)
    : NoxVector(layout)
  {
    petsc::set_values(vec, values);
  }

  NoxVector::NoxVector(const NoxVector &other, const NOX::CopyType type)
  {
    check(VecDuplicate(other.vec, &vec));
    if (type == NOX::DeepCopy)
      check(VecCopy(other.vec, vec));
    else
      check(VecZeroEntries(vec));
  }

  NoxVector::~NoxVector()
  {
    VecDestroy(&vec);
  }

  NOX::Abstract::Vector &
  NoxVector::init(const double gamma)
  {
    check(VecSet(vec, gamma));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::random(const bool use_seed, const int seed)
  {
    PetscRandom generator;
    check(PetscRandomCreate(PetscObjectComm(reinterpret_cast<PetscObject>(vec)),
                            &generator));
    check(PetscRandomSetInterval(generator, -1., 1.));
    if (use_seed)
      {
        check(PetscRandomSetSeed(generator, seed));
        check(PetscRandomSeed(generator));
      }
    check(VecSetRandom(vec, generator));
    check(PetscRandomDestroy(&generator));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::abs(const Base &y)
  {
    *this = y;
    check(VecAbs(vec));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::operator=(const Base &y)
  {
    return *this = cast(y);
  }

  NoxVector &
  NoxVector::operator=(const NoxVector &y)
  {
    if (this != &y)
      check(VecCopy(y.vec, vec));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::reciprocal(const Base &y)
  {
    *this = y;
    check(VecReciprocal(vec));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::scale(const double gamma)
  {
    check(VecScale(vec, gamma));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::scale(const Base &a)
  {
    check(VecPointwiseMult(vec, vec, cast(a).vec));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::update(const double alpha, const Base &a, const double gamma)
  {
    if (&a == this)
      check(VecScale(vec, alpha + gamma));
    else if (gamma == 0.)
      {
        // Whatever stands here, even something that is not a number, counts
        // for nothing.
        check(VecCopy(cast(a).vec, vec));
        check(VecScale(vec, alpha));
      }
    else
      check(VecAXPBY(vec, alpha, gamma, cast(a).vec));
    return *this;
  }

  NOX::Abstract::Vector &
  NoxVector::update(const double alpha,
                    const Base  &a,
                    const double beta,
                    const Base  &b,
                    const double gamma)
  {
    if (&b == this)
      return update(alpha, a, beta + gamma);
    update(alpha, a, gamma);
    // Where a is this vector, its old value has been used already.
    check(VecAXPY(vec, beta, cast(b).vec));
    return *this;
  }

  Teuchos::RCP<NOX::Abstract::Vector>
  NoxVector::clone(const NOX::CopyType type) const
  {
    return Teuchos::rcp(new NoxVector(*this, type));
  }

  double
  NoxVector::norm(const NormType type) const
  {
    PetscReal result;
    check(VecNorm(vec,
                  type == TwoNorm   ? NORM_2
                  : type == OneNorm ? NORM_1
                                    : NORM_INFINITY,
                  &result));
    return result;
  }

  double
  NoxVector::norm(const Base &weights) const
  {
    NoxVector squares(*this);
    squares.scale(*this);
    return std::sqrt(squares.innerProduct(weights));
  }

  double
  NoxVector::innerProduct(const Base &y) const
  {
    PetscScalar result;
    check(VecDot(vec, cast(y).vec, &result));
    return result;
  }

  NOX::size_type
  NoxVector::length() const
  {
    PetscInt n;
    check(VecGetSize(vec, &n));
    return n;
  }

  void
  NoxVector::print(std::ostream &stream) const
  {
    stream << petsc::local_values(vec).transpose() << '\n';
  }
} // namespace slender
