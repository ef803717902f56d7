// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/system_group.h>

#include <cmath>
#include <limits>

namespace slender
{
  using NOX::Abstract::MultiVector;
  using NoxAbstract = NOX::Abstract::Vector;

  SystemGroup::SystemGroup(const Teuchos::RCP<LOCA::GlobalData> &global_data,
                           Controls                             &the_controls,
                           const Teuchos::RCP<SystemTangent>    &the_tangent,
                           const slender::Vector                &q,
                           const Jacobian                        kind,
                           std::optional<slender::Vector>        previous)
    : LOCA::Abstract::Group(global_data)
    , controls(the_controls)
    , system(controls.system())
    , tangent(Teuchos::rcp(new SharedTangent(the_tangent)))
    , jacobian(kind)
    , x(system.layout(), q)
    , f(x, NOX::ShapeCopy)
    , gradient(x, NOX::ShapeCopy)
    , newton(x, NOX::ShapeCopy)
    , previous_state(std::move(previous))
  {
    const std::vector<double> values = controls.unit_values();
    for (std::size_t i = 0; i < values.size(); ++i)
      parameters.addParameter(controls.name(i), values[i]);
  }

  SystemGroup::SystemGroup(const SystemGroup &other, const NOX::CopyType type)
    : // virtual bases of LOCA's group
    LOCA::MultiContinuation::FiniteDifferenceGroup(other, type)
    , LOCA::TurningPoint::MooreSpence::FiniteDifferenceGroup(other, type)
    , LOCA::TurningPoint::MinimallyAugmented::FiniteDifferenceGroup(other, type)
    , LOCA::Hopf::MooreSpence::FiniteDifferenceGroup(other, type)
    , LOCA::Hopf::MinimallyAugmented::FiniteDifferenceGroup(other, type)
    , LOCA::Abstract::Group(other, type)
    , controls(other.controls)
    , system(other.system)
    , origin(other.origin)
    , held(other.held)
    , tangent(other.tangent)
    , parameters(other.parameters)
    , jacobian(other.jacobian)
    , x(other.x, type)
    , f(other.f, type)
    , gradient(other.gradient, type)
    , newton(other.newton, type)
  {
    if (type == NOX::DeepCopy)
      {
        previous_state = other.previous_state;
        valid_f        = other.valid_f;
        valid_newton   = other.valid_newton;
        valid_jacobian = other.isJacobian();
        if (valid_jacobian)
          tangent->getObject(this); // the copy becomes the owner
      }
  }

  void
  SystemGroup::measure_from(const slender::Vector &new_origin)
  {
    invalidate();
    petsc::set_values(x.handle(), state() - new_origin);
    origin = new_origin;
  }

  void
  SystemGroup::hold(const slender::Vector &direction)
  {
    invalidate();
    const auto unit = Teuchos::rcp(new NoxVector(system.layout(), direction));
    unit->scale(1. / unit->norm(NoxAbstract::TwoNorm));
    held = unit;
  }

  slender::Vector
  SystemGroup::state() const
  {
    slender::Vector q = petsc::local_values(x.handle());
    if (origin.size() > 0)
      q += origin;
    return q;
  }

  SystemGroup::Base &
  SystemGroup::operator=(const Base &other)
  {
    copy(other);
    return *this;
  }

  SystemGroup &
  SystemGroup::operator=(const SystemGroup &other)
  {
    copy(other);
    return *this;
  }

  void
  SystemGroup::copy(const Base &source)
  {
    const auto &other = dynamic_cast<const SystemGroup &>(source);
    if (this == &other)
      return;
    LOCA::Abstract::Group::copy(source);
    parameters     = other.parameters;
    jacobian       = other.jacobian;
    origin         = other.origin;
    held           = other.held;
    x              = other.x;
    valid_f        = other.valid_f;
    valid_newton   = other.valid_newton;
    valid_jacobian = other.isJacobian();
    previous_state = other.previous_state;
    if (valid_f)
      f = other.f;
    if (valid_newton)
      newton = other.newton;
    if (valid_jacobian)
      tangent->getObject(this);
  }

  Teuchos::RCP<SystemGroup::Base>
  SystemGroup::clone(const NOX::CopyType type) const
  {
    return Teuchos::rcp(new SystemGroup(*this, type));
  }

  void
  SystemGroup::invalidate()
  {
    valid_f = valid_jacobian = valid_newton = false;
  }

  void
  SystemGroup::set_model_parameters() const
  {
    std::vector<double> values(parameters.length());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = parameters[i];
    controls.set_unit_values(values);
  }

  void
  SystemGroup::setX(const NoxAbstract &y)
  {
    invalidate();
    previous_state.reset();
    x = y;
  }

  void
  SystemGroup::computeX(const Base        &group,
                        const NoxAbstract &direction,
                        const double       step)
  {
    invalidate();
    const auto &from = dynamic_cast<const SystemGroup &>(group);
    if (jacobian == Jacobian::newton_tangent && this != &from)
      {
        from.set_model_parameters(); // which may prescribe other values
        previous_state = system.full_state(from.state());
      }
    x.update(1., from.x, step, direction, 0.);
  }

  SystemGroup::Status
  SystemGroup::computeF()
  {
    if (!valid_f)
      {
        set_model_parameters();
        const slender::Vector q = state();
        system.survey(q);
        petsc::set_and_accumulate(f.handle(), system.gradient(q));
        if (!held.is_null())
          f.update(-held->innerProduct(f), *held, 1.);
        valid_f = true;
      }
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::computeJacobian()
  {
    if (isJacobian())
      return Base::Ok;
    set_model_parameters();
    const Teuchos::RCP<SystemTangent> matrix = tangent->getObject(this);
    if (previous_state)
      matrix->hold_newton_tangent(state(), *previous_state);
    else
      matrix->hold_hessian(state());
    valid_jacobian = true;
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::computeGradient()
  {
    return applyJacobianTranspose(f, gradient);
  }

  SystemGroup::Status
  SystemGroup::computeNewton(Teuchos::ParameterList &list)
  {
    if (valid_newton)
      return Base::Ok;
    if (!isF() || !isJacobian())
      return Base::BadDependency;
    const Status status = applyJacobianInverse(list, f, newton);
    newton.scale(-1.);
    valid_newton = status == Base::Ok;
    return status;
  }

  SystemGroup::Status
  SystemGroup::applyJacobian(const NoxAbstract &in, NoxAbstract &out) const
  {
    if (!isJacobian())
      return Base::BadDependency;
    // Not with the assembled matrix: see System::hessian_times.
    set_model_parameters();
    petsc::set_and_accumulate(
      NoxVector::cast(out).handle(),
      system.hessian_times(state(),
                           petsc::local_values(NoxVector::cast(in).handle())));
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::applyJacobianTranspose(const NoxAbstract &in,
                                      NoxAbstract       &out) const
  {
    set_model_parameters();
    return system.has_potential() ? applyJacobian(in, out) : Base::NotDefined;
  }

  SystemGroup::Status
  SystemGroup::applyJacobianInverse(Teuchos::ParameterList & /*list*/,
                                    const NoxAbstract &in,
                                    NoxAbstract       &out) const
  {
    return apply_inverse(in, out, false);
  }

  SystemGroup::Status
  SystemGroup::apply_inverse(const NoxAbstract &in,
                             NoxAbstract       &out,
                             const bool         transposed) const
  {
    if (!isJacobian())
      return Base::BadDependency;
    const auto &b      = NoxVector::cast(in);
    auto       &result = dynamic_cast<NoxVector &>(out);
    const bool  solved = held.is_null() ? solve(b, result, transposed)
                                        : solve_held(b, result, transposed);
    // LOCA does not always look at what is returned, and would go on with
    // whatever the vector held before.
    if (!solved)
      out.init(std::numeric_limits<double>::quiet_NaN());
    // "Failed" would make LOCA give up the whole run; an unconverged solve
    // only makes it cut the step.
    return solved ? Base::Ok : Base::NotConverged;
  }

  bool
  SystemGroup::solve(const NoxVector &b,
                     NoxVector       &solution,
                     const bool       transposed) const
  {
    const Teuchos::RCP<SystemTangent> matrix = tangent->getObject(this);
    return transposed ? matrix->solve_transposed(b.handle(), solution.handle())
                      : matrix->solve(b.handle(), solution.handle());
  }

  bool
  SystemGroup::solve_held(const NoxVector &b,
                          NoxVector       &solution,
                          const bool       transposed) const
  {
    // | J h; h^T 0 | |x; y| = |b; 0| by mixed block elimination, which loses no
    // digits where J is singular along h: see MixedBlockElimination. v solves
    // J v = h, and w J^T w = h, which is the same where J is symmetric.
    NoxVector v(b, NOX::ShapeCopy), rest(b);
    if (!solve(*held, v, transposed))
      return false;
    std::optional<NoxVector> other;
    if (!system.has_potential())
      {
        other.emplace(b, NOX::ShapeCopy);
        if (!solve(*held, *other, !transposed))
          return false;
      }
    const NoxVector &w  = other ? *other : v;
    const double     hv = held->innerProduct(v);
    rest.update(-w.innerProduct(b) / hv, *held, 1.);
    if (!solve(rest, solution, transposed))
      return false;
    solution.update(-held->innerProduct(solution) / hv, v, 1.);
    return true;
  }

  SystemGroup::Status
  SystemGroup::applyJacobianTransposeInverse(Teuchos::ParameterList & /*list*/,
                                             const NoxAbstract &in,
                                             NoxAbstract       &out) const
  {
    return apply_inverse(in, out, true);
  }

  SystemGroup::Status
  SystemGroup::applyJacobianTransposeInverseMultiVector(
    Teuchos::ParameterList &list,
    const MultiVector      &in,
    MultiVector            &out) const
  {
    Status status = Base::Ok;
    for (int i = 0; i < in.numVectors(); ++i)
      if (const Status s = applyJacobianTransposeInverse(list, in[i], out[i]);
          s != Base::Ok)
        status = s;
    return status;
  }

  slender::Vector
  SystemGroup::control_derivative(
    const int                               control,
    const std::function<slender::Vector()> &function) const
  {
    set_model_parameters();
    const std::vector<double> here    = controls.unit_values();
    const double              step    = controls.difference_step(control);
    std::vector<double>       shifted = here;
    shifted[control]                  = here[control] + step;
    controls.set_unit_values(shifted);
    slender::Vector result = function();
    shifted[control]       = here[control] - step;
    controls.set_unit_values(shifted);
    result -= function();
    controls.set_unit_values(here);
    return result / (2. * step);
  }

  SystemGroup::Status
  SystemGroup::computeDfDpMulti(const std::vector<int> &ids,
                                MultiVector            &dfdp,
                                const bool              is_valid_f)
  {
    // The first column is the residual itself.
    if (!is_valid_f)
      {
        computeF();
        dfdp[0] = f;
      }
    const slender::Vector q = state();
    for (std::size_t i = 0; i < ids.size(); ++i)
      petsc::set_and_accumulate(
        NoxVector::cast(dfdp[static_cast<int>(i) + 1]).handle(),
        control_derivative(ids[i], [&] { return system.gradient(q); }));
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::computeDJnDpMulti(const std::vector<int> &ids,
                                 const NoxAbstract      &null_vector,
                                 MultiVector            &result,
                                 const bool              is_valid)
  {
    const slender::Vector q = state();
    const slender::Vector n =
      petsc::local_values(NoxVector::cast(null_vector).handle());
    if (!is_valid)
      {
        set_model_parameters();
        petsc::set_and_accumulate(NoxVector::cast(result[0]).handle(),
                                  system.hessian_times(q, n));
      }
    for (std::size_t i = 0; i < ids.size(); ++i)
      petsc::set_and_accumulate(
        NoxVector::cast(result[static_cast<int>(i) + 1]).handle(),
        control_derivative(ids[i], [&] { return system.hessian_times(q, n); }));
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::computeDJnDxaMulti(const NoxAbstract &null_vector,
                                  const MultiVector &a,
                                  MultiVector       &result)
  {
    set_model_parameters();
    const slender::Vector q = state();
    const slender::Vector n =
      petsc::local_values(NoxVector::cast(null_vector).handle());
    for (int i = 0; i < a.numVectors(); ++i)
      {
        const double size = a[i].norm(NoxAbstract::MaxNorm);
        if (size == 0.)
          {
            result[i].init(0.);
            continue;
          }
        // Unknowns are of order one, and so is the change that is small.
        const double          step = 1e-5 / size;
        const slender::Vector shift =
          step * petsc::local_values(NoxVector::cast(a[i]).handle());
        petsc::set_and_accumulate(NoxVector::cast(result[i]).handle(),
                                  (system.hessian_times(q + shift, n) -
                                   system.hessian_times(q - shift, n)) /
                                    (2. * step));
      }
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::computeDwtJnDp(const std::vector<int>   &ids,
                              const NoxAbstract        &w,
                              const NoxAbstract        &null_vector,
                              MultiVector::DenseMatrix &result,
                              const bool                is_valid)
  {
    const auto rates =
      x.createMultiVector(static_cast<int>(ids.size()) + 1, NOX::ShapeCopy);
    computeDJnDpMulti(ids, null_vector, *rates, false);
    for (int i = is_valid ? 1 : 0; i < rates->numVectors(); ++i)
      result(0, i) = w.innerProduct((*rates)[i]);
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::computeDwtJnDx(const NoxAbstract &w,
                              const NoxAbstract &null_vector,
                              NoxAbstract       &result)
  {
    // Third derivatives of an energy do not care about order; others do.
    if (!system.has_potential())
      return Base::NotDefined;
    const auto direction = w.createMultiVector(1, NOX::DeepCopy);
    const auto rate      = w.createMultiVector(1, NOX::ShapeCopy);
    computeDJnDxaMulti(null_vector, *direction, *rate);
    result = (*rate)[0];
    return Base::Ok;
  }

  SystemGroup::Status
  SystemGroup::computeDJnDxaMulti(const NoxAbstract &null_vector,
                                  const NoxAbstract & /*jacobian_times_null*/,
                                  const MultiVector &a,
                                  MultiVector       &result)
  {
    return computeDJnDxaMulti(null_vector, a, result);
  }

  bool
  SystemGroup::isF() const
  {
    return valid_f;
  }

  bool
  SystemGroup::isJacobian() const
  {
    return valid_jacobian && tangent->isOwner(this);
  }

  bool
  SystemGroup::isNewton() const
  {
    return valid_newton;
  }

  const NoxAbstract &
  SystemGroup::getX() const
  {
    return x;
  }

  const NoxAbstract &
  SystemGroup::getF() const
  {
    return f;
  }

  double
  SystemGroup::getNormF() const
  {
    return f.norm(NoxAbstract::TwoNorm);
  }

  const NoxAbstract &
  SystemGroup::getGradient() const
  {
    return gradient;
  }

  const NoxAbstract &
  SystemGroup::getNewton() const
  {
    return newton;
  }

  Teuchos::RCP<const NoxAbstract>
  SystemGroup::getXPtr() const
  {
    return Teuchos::rcpFromRef(x);
  }

  Teuchos::RCP<const NoxAbstract>
  SystemGroup::getFPtr() const
  {
    return Teuchos::rcpFromRef(f);
  }

  Teuchos::RCP<const NoxAbstract>
  SystemGroup::getGradientPtr() const
  {
    return Teuchos::rcpFromRef(gradient);
  }

  Teuchos::RCP<const NoxAbstract>
  SystemGroup::getNewtonPtr() const
  {
    return Teuchos::rcpFromRef(newton);
  }

  void
  SystemGroup::setParams(const LOCA::ParameterVector &p)
  {
    invalidate();
    parameters = p;
  }

  void
  SystemGroup::setParam(const int id, const double value)
  {
    invalidate();
    parameters.setValue(id, value);
  }

  void
  SystemGroup::setParam(const std::string id, const double value)
  {
    invalidate();
    parameters.setValue(id, value);
  }

  const LOCA::ParameterVector &
  SystemGroup::getParams() const
  {
    return parameters;
  }

  double
  SystemGroup::getParam(const int id) const
  {
    return parameters.getValue(id);
  }

  double
  SystemGroup::getParam(const std::string id) const
  {
    return parameters.getValue(id);
  }

  void
  SystemGroup::printSolution(double) const
  {}

  void
  SystemGroup::printSolution(const NoxAbstract &, double) const
  {}
} // namespace slender
