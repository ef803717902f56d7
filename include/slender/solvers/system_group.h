// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_system_group_h
#define slender_solvers_system_group_h

#include <slender/solvers/controls.h>
#include <slender/solvers/nox_vector.h>
#include <slender/solvers/system_tangent.h>

#include <LOCA_Abstract_Group.H>
#include <LOCA_Abstract_TransposeSolveGroup.H>
#include <LOCA_Parameter_Vector.H>
#include <NOX_SharedObjectTemplate.H>

#include <functional>
#include <optional>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /**
   * The equations dE/dq(q; p) = Q(q; p) of a system as NOX and LOCA want to see
   * them: a state, a residual, a Jacobian (the Hessian, which is symmetric if
   * the system has a potential) and the parameters that a continuation may
   * vary.
   *
   * Copies share one tangent, which holds the Jacobian of the copy that
   * computed it last.
   */
  class SystemGroup : public LOCA::Abstract::Group,
                      public LOCA::Abstract::TransposeSolveGroup
  {
  public:
    using Base   = NOX::Abstract::Group;
    using Status = NOX::Abstract::Group::ReturnType;

    enum class Jacobian
    {
      hessian,
      newton_tangent ///< with the stresses that the last step predicted
    };

    /// The controls and the tangent have to outlive the group and its copies.
    SystemGroup(const Teuchos::RCP<LOCA::GlobalData> &global_data,
                Controls                             &controls,
                const Teuchos::RCP<SystemTangent>    &tangent,
                const slender::Vector                &q,
                Jacobian                              jacobian,
                std::optional<slender::Vector>        previous_state = {});
    SystemGroup(const SystemGroup &other, NOX::CopyType type = NOX::DeepCopy);

    /// What NOX and LOCA see becomes the difference from a state. The equations
    /// for pitchforks need it: they ask for <x, psi> = 0, which is a symmetry
    /// only if x = 0 is symmetric.
    void
    measure_from(const slender::Vector &origin);

    /// Keeps <x, direction> as it is, by a force along that direction which is
    /// taken out of the residual. Where that direction is (nearly) a null
    /// vector of the Jacobian, the rest of the equations stays regular.
    void
    hold(const slender::Vector &direction);

    /// The state of the system.
    slender::Vector
    state() const;

    // Copying.
    Base &
    operator=(const Base &other) override;
    SystemGroup &
    operator=(const SystemGroup &other);
    void
    copy(const Base &other) override;
    Teuchos::RCP<Base>
    clone(NOX::CopyType type) const override;

    // State and residual.
    void
    setX(const NOX::Abstract::Vector &y) override;
    void
    computeX(const Base                  &group,
             const NOX::Abstract::Vector &direction,
             double                       step) override;
    Status
    computeF() override;
    Status
    computeJacobian() override;
    Status
    computeGradient() override;
    Status
    computeNewton(Teuchos::ParameterList &list) override;

    // The Jacobian. Its transpose can be solved with always, but be applied
    // only if it is the same.
    Status
    applyJacobian(const NOX::Abstract::Vector &in,
                  NOX::Abstract::Vector       &out) const override;
    Status
    applyJacobianTranspose(const NOX::Abstract::Vector &in,
                           NOX::Abstract::Vector       &out) const override;
    Status
    applyJacobianInverse(Teuchos::ParameterList      &list,
                         const NOX::Abstract::Vector &in,
                         NOX::Abstract::Vector       &out) const override;
    Status
    applyJacobianTransposeInverse(Teuchos::ParameterList      &list,
                                  const NOX::Abstract::Vector &in,
                                  NOX::Abstract::Vector &out) const override;
    Status
    applyJacobianTransposeInverseMultiVector(
      Teuchos::ParameterList           &list,
      const NOX::Abstract::MultiVector &in,
      NOX::Abstract::MultiVector       &out) const override;

    bool
    isF() const override;
    bool
    isJacobian() const override;
    bool
    isNewton() const override;
    const NOX::Abstract::Vector &
    getX() const override;
    const NOX::Abstract::Vector &
    getF() const override;
    double
    getNormF() const override;
    const NOX::Abstract::Vector &
    getGradient() const override;
    const NOX::Abstract::Vector &
    getNewton() const override;
    Teuchos::RCP<const NOX::Abstract::Vector>
    getXPtr() const override;
    Teuchos::RCP<const NOX::Abstract::Vector>
    getFPtr() const override;
    Teuchos::RCP<const NOX::Abstract::Vector>
    getGradientPtr() const override;
    Teuchos::RCP<const NOX::Abstract::Vector>
    getNewtonPtr() const override;

    // Derivatives. LOCA's own differences would step by 1e-12 at a straight
    // rod, where all unknowns and loads are zero.
    Status
    computeDfDpMulti(const std::vector<int>     &parameter_ids,
                     NOX::Abstract::MultiVector &dfdp,
                     bool                        is_valid_f) override;
    Status
    computeDJnDpMulti(const std::vector<int>      &parameter_ids,
                      const NOX::Abstract::Vector &null_vector,
                      NOX::Abstract::MultiVector  &result,
                      bool                         is_valid) override;
    Status
    computeDJnDxaMulti(const NOX::Abstract::Vector      &null_vector,
                       const NOX::Abstract::MultiVector &a,
                       NOX::Abstract::MultiVector       &result) override;
    Status
    computeDwtJnDp(const std::vector<int>                  &parameter_ids,
                   const NOX::Abstract::Vector             &w,
                   const NOX::Abstract::Vector             &null_vector,
                   NOX::Abstract::MultiVector::DenseMatrix &result,
                   bool                                     is_valid) override;
    Status
    computeDwtJnDx(const NOX::Abstract::Vector &w,
                   const NOX::Abstract::Vector &null_vector,
                   NOX::Abstract::Vector       &result) override;
    Status
    computeDJnDxaMulti(const NOX::Abstract::Vector      &null_vector,
                       const NOX::Abstract::Vector      &jacobian_times_null,
                       const NOX::Abstract::MultiVector &a,
                       NOX::Abstract::MultiVector       &result) override;

    // Parameters.
    void
    setParams(const LOCA::ParameterVector &p) override;
    void
    setParam(int id, double value) override;
    void
    setParam(std::string id, double value) override;
    const LOCA::ParameterVector &
    getParams() const override;
    double
    getParam(int id) const override;
    double
    getParam(std::string id) const override;
    void
    printSolution(double continuation_parameter) const override;
    void
    printSolution(const NOX::Abstract::Vector &v,
                  double continuation_parameter) const override;

  private:
    using SharedTangent = NOX::SharedObject<SystemTangent, SystemGroup>;

    void
    invalidate();

    /// The system's parameters may have been set by another copy.
    void
    set_model_parameters() const;

    /// A function of the system, differentiated with respect to a control.
    slender::Vector
    control_derivative(int                                     control,
                       const std::function<slender::Vector()> &function) const;

    bool
    solve(const NoxVector &b, NoxVector &x, bool transposed) const;

    /// As solve(), in the hyperplane across the direction that is held.
    bool
    solve_held(const NoxVector &b, NoxVector &x, bool transposed) const;

    /// Solves with the Jacobian or its transpose, held or not.
    Status
    apply_inverse(const NOX::Abstract::Vector &in,
                  NOX::Abstract::Vector       &out,
                  bool                         transposed) const;

    Controls                     &controls;
    System                       &system;
    slender::Vector               origin; ///< empty for zero
    Teuchos::RCP<const NoxVector> held;   ///< of unit length; null for none
    Teuchos::RCP<SharedTangent>   tangent;
    LOCA::ParameterVector         parameters;
    Jacobian                      jacobian;
    NoxVector                     x, f, gradient, newton;
    /// The full state in which the last step began.
    std::optional<slender::Vector> previous_state;
    bool valid_f = false, valid_jacobian = false, valid_newton = false;
  };
} // namespace slender

#endif
