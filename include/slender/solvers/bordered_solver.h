// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_bordered_solver_h
#define slender_solvers_bordered_solver_h

#include <LOCA_Abstract_Factory.H>
#include <LOCA_BorderedSolver_AbstractStrategy.H>
#include <LOCA_BorderedSolver_JacobianOperator.H>
#include <LOCA_MultiContinuation_ConstraintInterfaceMVDX.H>

#include <vector>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /**
   * Solves bordered systems
   *
   *   | J   A | |X|   |F|
   *   | B^T C | |Y| = |G|
   *
   * with the Jacobian J by mixed block elimination (Govaerts 1991; Govaerts and
   * Pryce 1993 for several borders): the border's unknown is found first from
   * the transposed elimination, and what it leaves over is eliminated in the
   * ordinary order. Both orders lose all digits where J is nearly singular,
   * which is where bifurcations are; mixed, they lose none.
   *
   * It needs solves with J and its transpose, which is J itself where there is
   * a potential, on any number of ranks, and one factorisation
   * of J serves every border. A factorisation of the bordered matrix itself
   * would need one for each border, and has two full rows and columns.
   */
  class MixedBlockElimination : public LOCA::BorderedSolver::AbstractStrategy
  {
  public:
    using Status      = NOX::Abstract::Group::ReturnType;
    using MultiVector = NOX::Abstract::MultiVector;
    using DenseMatrix = NOX::Abstract::MultiVector::DenseMatrix;

    static constexpr const char *name = "Mixed Block Elimination";

    void
    setMatrixBlocks(
      const Teuchos::RCP<const LOCA::BorderedSolver::AbstractOperator> &op,
      const Teuchos::RCP<const MultiVector>                            &A,
      const Teuchos::RCP<const LOCA::MultiContinuation::ConstraintInterface> &B,
      const Teuchos::RCP<const DenseMatrix> &C) override;

    Status
    initForSolve() override;

    Status
    initForTransposeSolve() override;

    Status
    apply(const MultiVector &X,
          const DenseMatrix &Y,
          MultiVector       &U,
          DenseMatrix       &V) const override;

    Status
    applyTranspose(const MultiVector &X,
                   const DenseMatrix &Y,
                   MultiVector       &U,
                   DenseMatrix       &V) const override;

    Status
    applyInverse(Teuchos::ParameterList &list,
                 const MultiVector      *F,
                 const DenseMatrix      *G,
                 MultiVector            &X,
                 DenseMatrix            &Y) const override;

    Status
    applyInverseTranspose(Teuchos::ParameterList &list,
                          const MultiVector      *F,
                          const DenseMatrix      *G,
                          MultiVector            &X,
                          DenseMatrix            &Y) const override;

  private:
    /// A vector of the bordered space: a vector and a few numbers.
    struct Bordered
    {
      Teuchos::RCP<NOX::Abstract::Vector> x;
      std::vector<double>                 y;
    };

    Bordered
    copy_of(const Bordered &v) const;

    static double
    dot(const Bordered &a, const Bordered &b);

    /// a += factor b, as far as b reaches.
    static void
    add(Bordered &a, double factor, const Bordered &b);

    /// Solves with J and its first `level` borders (or the transpose).
    Status
    solve(std::size_t     level,
          bool            transpose,
          const Bordered &rhs,
          Bordered       &x) const;

    Status
    solve_all(bool               transpose,
              const MultiVector *F,
              const DenseMatrix *G,
              MultiVector       &X,
              DenseMatrix       &Y) const;

    /// Column `k` above the corner, and row `k` left of it.
    Bordered
    column(std::size_t k, bool transpose) const;

    /// Copies the borders when they are first needed: LOCA names them before
    /// they exist.
    void
    prepare() const;

    Teuchos::RCP<const LOCA::BorderedSolver::JacobianOperator> jacobian;
    Teuchos::RCP<const MultiVector>                            right;
    Teuchos::RCP<const LOCA::MultiContinuation::ConstraintInterfaceMVDX>
                                    constraints;
    Teuchos::RCP<const DenseMatrix> corner_block;

    mutable bool is_prepared = false;
    mutable std::vector<Teuchos::RCP<NOX::Abstract::Vector>> columns, rows;
    mutable std::vector<std::vector<double>>                 corner;
  };

  /// Makes the strategies above known to LOCA.
  class StrategyFactory : public LOCA::Abstract::Factory
  {
  public:
    void
    init(const Teuchos::RCP<LOCA::GlobalData> &global_data) override;

    bool
    createBorderedSolverStrategy(
      const std::string                                    &strategy_name,
      const Teuchos::RCP<LOCA::Parameter::SublistParser>   &top_parameters,
      const Teuchos::RCP<Teuchos::ParameterList>           &parameters,
      Teuchos::RCP<LOCA::BorderedSolver::AbstractStrategy> &strategy) override;
  };
} // namespace slender

#endif
