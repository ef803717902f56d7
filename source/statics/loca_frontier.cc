// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/bordered_solver.h>
#include <slender/solvers/stopping_rule.h>
#include <slender/statics/loca_frontier.h>

#include <LOCA_MultiContinuation_AbstractGroup.H>
#include <LOCA_MultiContinuation_ExtendedVector.H>
#include <LOCA_Parameter_SublistParser.H>
#include <LOCA_Pitchfork_MinimallyAugmented_ExtendedGroup.H>
#include <LOCA_Pitchfork_MooreSpence_ExtendedGroup.H>
#include <LOCA_Pitchfork_MooreSpence_ExtendedVector.H>
#include <LOCA_TurningPoint_MinimallyAugmented_ExtendedGroup.H>
#include <LOCA_TurningPoint_MooreSpence_ExtendedGroup.H>
#include <LOCA_TurningPoint_MooreSpence_ExtendedVector.H>
#include <NOX_Solver_Factory.H>
#include <NOX_Solver_Generic.H>

#include <stdexcept>

namespace slender
{
  namespace
  {
    using PitchforkVector = LOCA::Pitchfork::MooreSpence::ExtendedVector;
    using FoldVector      = LOCA::TurningPoint::MooreSpence::ExtendedVector;
    using BorderedVector  = LOCA::MultiContinuation::ExtendedVector;
  } // namespace

  LocaFrontier::LocaFrontier(Controls              &the_controls,
                             const NewtonOptions   &the_newton,
                             const FrontierOptions &the_options)
    : controls(the_controls)
    , system(controls.system())
    , newton(the_newton)
    , options(the_options)
    , equilibrium(system, newton)
    , symmetric_state(system.initial_state())
    , list(Teuchos::rcp(new Teuchos::ParameterList))
  {
    newton.step_tolerance = options.tolerance;
    newton.max_iterations = std::min(newton.max_iterations, 15);
    list->sublist("LOCA");
    silence(list->sublist("NOX"));
    global_data =
      LOCA::createGlobalData(list, Teuchos::rcp(new StrategyFactory));
    tangent = Teuchos::rcp(new SystemTangent(system, newton.solver()));
  }

  LocaFrontier::~LocaFrontier()
  {
    LOCA::destroyGlobalData(global_data);
  }

  void
  LocaFrontier::set_symmetric_state(const Vector &q)
  {
    symmetric_state = q;
  }

  Teuchos::RCP<LocaFrontier::Group>
  LocaFrontier::make_group(const FrontierState &at, const std::size_t fixed)
  {
    controls.set_unit_values({at.u[0], at.u[1]});
    const auto underlying = Teuchos::rcp(new SystemGroup(
      global_data, controls, tangent, at.q, SystemGroup::Jacobian::hessian));
    underlying->measure_from(symmetric_state);
    const auto parser =
      Teuchos::rcp(new LOCA::Parameter::SublistParser(global_data));
    parser->parseSublists(list);

    const auto mode =
      Teuchos::rcp(new NoxVector(system.layout(), at.modes.col(0)));
    // LOCA measures null vectors by their root mean square.
    mode->scale(std::sqrt(static_cast<double>(mode->length())) /
                mode->norm(NOX::Abstract::Vector::TwoNorm));
    const Teuchos::RCP<NOX::Abstract::Vector> vector = mode;
    const auto settings = Teuchos::rcp(new Teuchos::ParameterList);
    settings->set("Bifurcation Parameter", controls.name(1 - fixed));
    settings->set("Bordered Solver Method", MixedBlockElimination::name);
    settings->set("Antisymmetric Vector", vector);
    if (options.method == FrontierMethod::moore_spence)
      {
        settings->set("Length Normalization Vector", vector);
        settings->set("Initial Null Vector", vector);
        settings->set("Solver Method", "Phipps Bordering");
        if (options.kind == FrontierKind::fold)
          return Teuchos::rcp(
            new LOCA::TurningPoint::MooreSpence::ExtendedGroup(
              global_data, parser, settings, underlying));
        return Teuchos::rcp(new LOCA::Pitchfork::MooreSpence::ExtendedGroup(
          global_data, parser, settings, underlying));
      }
    settings->set("Symmetric Jacobian", true);
    settings->set("Initial Null Vector Computation", "User Provided");
    settings->set("Initial A Vector", vector);
    settings->set("Initial B Vector", vector);
    if (options.kind == FrontierKind::fold)
      return Teuchos::rcp(
        new LOCA::TurningPoint::MinimallyAugmented::ExtendedGroup(
          global_data, parser, settings, underlying));
    return Teuchos::rcp(new LOCA::Pitchfork::MinimallyAugmented::ExtendedGroup(
      global_data, parser, settings, underlying));
  }

  FrontierState
  LocaFrontier::read(const NOX::Abstract::Vector &x,
                     const std::size_t            fixed) const
  {
    const auto values = [](const NOX::Abstract::Vector &v) {
      return petsc::local_values(NoxVector::cast(v).handle());
    };
    FrontierState state;
    if (const auto *pitchfork = dynamic_cast<const PitchforkVector *>(&x))
      {
        state.q            = values(*pitchfork->getXVec());
        state.modes        = values(*pitchfork->getNullVec());
        state.slack        = pitchfork->getSlack();
        state.u[1 - fixed] = pitchfork->getBifParam();
      }
    else if (const auto *fold = dynamic_cast<const FoldVector *>(&x))
      {
        state.q            = values(*fold->getXVec());
        state.modes        = values(*fold->getNullVec());
        state.u[1 - fixed] = fold->getBifParam();
      }
    else
      {
        const auto &bordered  = dynamic_cast<const BorderedVector &>(x);
        const bool  has_slack = options.kind == FrontierKind::pitchfork;
        state.q               = values(*bordered.getXVec());
        state.u[1 - fixed]    = bordered.getScalar(0);
        state.slack           = has_slack ? bordered.getScalar(1) : 0.;
      }
    return state;
  }

  void
  LocaFrontier::improve_mode(FrontierState &state)
  {
    controls.set_unit_values({state.u[0], state.u[1]});
    tangent->hold_hessian(state.q);
    NoxVector mode(system.layout(), state.modes.col(0)),
      image(mode, NOX::ShapeCopy);
    for (int i = 0; i < 2; ++i)
      if (tangent->solve(mode.handle(), image.handle()))
        {
          const double sign = image.innerProduct(mode) < 0. ? -1. : 1.;
          mode              = image;
          mode.scale(sign / mode.norm(NOX::Abstract::Vector::TwoNorm));
        }
    state.modes = petsc::local_values(mode.handle());
  }

  bool
  LocaFrontier::approach(FrontierState               &guess,
                         const std::optional<Vector> &previous_state)
  {
    if (options.kind == FrontierKind::pitchfork)
      {
        NoxVector       deviation(system.layout(), guess.q - symmetric_state);
        const NoxVector mode(system.layout(), guess.modes.col(0));
        deviation.update(
          -deviation.innerProduct(mode) / mode.innerProduct(mode), mode, 1.);
        guess.q = symmetric_state + petsc::local_values(deviation.handle());
      }
    controls.set_unit_values({guess.u[0], guess.u[1]});
    const Equilibrium found =
      equilibrium.solve_held(guess.q, guess.modes.col(0), previous_state);
    if (!found.converged())
      return false;
    guess.q          = found.q;
    guess.iterations = found.iterations;
    improve_mode(guess);
    return true;
  }

  std::optional<FrontierState>
  LocaFrontier::solve(const FrontierState         &guess,
                      const Eigen::Vector2d       &across,
                      const std::optional<Vector> &previous_state)
  {
    if (across.isZero())
      return {}; // LOCA holds a control
    const std::size_t fixed = std::abs(across[0]) > std::abs(across[1]) ? 0 : 1;
    FrontierState     near  = guess;
    if (!approach(near, previous_state))
      return {};
    const auto nox = Teuchos::rcp(new Teuchos::ParameterList);
    set_up_newton(*nox, "Full Step");
    try
      {
        const auto solver = NOX::Solver::buildSolver(make_group(near, fixed),
                                                     stopping_rule(newton),
                                                     nox);
        if (solver->solve() != NOX::StatusTest::Converged)
          return {};
        FrontierState result = read(solver->getSolutionGroup().getX(), fixed);
        result.q += symmetric_state;
        result.u[fixed]   = guess.u[fixed];
        result.iterations = near.iterations + solver->getNumIterations();
        // Not by its size: a rank may have no unknowns at all.
        if (options.method == FrontierMethod::minimally_augmented)
          {
            result.modes = near.modes.col(0);
            improve_mode(result);
          }
        // Where it turns back, only one of the two derivatives exists.
        std::optional<FrontierRate> along = rate(result, fixed);
        if (!along || std::abs(along->u[fixed]) < 0.5)
          if (const auto other = rate(result, 1 - fixed))
            along = other;
        if (!along)
          return {};
        result.rate = *along;
        return result;
      }
    catch (const char *)
      {
        return {}; // NOX: the linear solve failed
      }
    catch (const std::logic_error &)
      {
        return {}; // LOCA: so did that of a border
      }
  }

  std::optional<FrontierRate>
  LocaFrontier::rate(const FrontierState &at, const std::size_t fixed)
  {
    const auto group =
      Teuchos::rcp_dynamic_cast<LOCA::MultiContinuation::AbstractGroup>(
        make_group(at, fixed), true);
    const auto derivative = group->getX().createMultiVector(2, NOX::ShapeCopy);
    const auto tangents   = group->getX().createMultiVector(1, NOX::ShapeCopy);
    try
      {
        group->computeF();
        group->computeJacobian();
        group->computeDfDpMulti({static_cast<int>(fixed)}, *derivative, false);
        const auto             rhs = derivative->subView(std::vector<int>{1});
        Teuchos::ParameterList solver_list;
        if (group->applyJacobianInverseMultiVector(
              solver_list, *rhs, *tangents) != NOX::Abstract::Group::Ok)
          return {};
      }
    catch (const char *)
      {
        return {};
      }
    catch (const std::logic_error &)
      {
        return {};
      }
    // LOCA has the residual's derivative on the right with the other sign.
    const FrontierState derivative_of = read((*tangents)[0], fixed);
    FrontierRate        result;
    result.q            = -derivative_of.q;
    result.u[1 - fixed] = -derivative_of.u[1 - fixed];
    result.u[fixed]     = 1.;
    if (!result.u.allFinite() || !std::isfinite((*tangents)[0].norm()))
      return {};
    result.q /= result.u.norm();
    result.u.normalize();
    return result;
  }
} // namespace slender
