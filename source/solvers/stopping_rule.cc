// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/stopping_rule.h>

#include <NOX_StatusTest_Combo.H>
#include <NOX_StatusTest_FiniteValue.H>
#include <NOX_StatusTest_MaxIters.H>
#include <NOX_StatusTest_NormF.H>
#include <NOX_StatusTest_NormUpdate.H>

namespace slender
{
  Teuchos::RCP<NOX::StatusTest::Generic>
  stopping_rule(const NewtonOptions &options)
  {
    using namespace NOX::StatusTest;
    const auto rule = Teuchos::rcp(new Combo(Combo::OR));
    rule->addStatusTest(Teuchos::rcp(new FiniteValue));
    rule->addStatusTest(Teuchos::rcp(
      new NormUpdate(options.step_tolerance, NOX::Abstract::Vector::TwoNorm)));
    rule->addStatusTest(Teuchos::rcp(
      new NormF(options.residual_tolerance, NOX::Abstract::Vector::TwoNorm)));
    rule->addStatusTest(Teuchos::rcp(new MaxIters(options.max_iterations)));
    return rule;
  }

  void
  set_up_newton(Teuchos::ParameterList &nox, const std::string &line_search)
  {
    silence(nox);
    nox.set("Nonlinear Solver", "Line Search Based");
    nox.sublist("Line Search").set("Method", line_search);
    nox.sublist("Direction").set("Method", "Newton");
    // A failed linear solve ends the search with an outcome of its own.
    nox.sublist("Direction")
      .sublist("Newton")
      .set("Rescue Bad Newton Solve", false);
    if (line_search == "Backtrack")
      {
        auto &backtrack = nox.sublist("Line Search").sublist("Backtrack");
        backtrack.set("Minimum Step", 1e-8);
        backtrack.set("Recovery Step", 1e-3);
      }
  }

  void
  silence(Teuchos::ParameterList &nox)
  {
    nox.sublist("Printing").set("Output Information", 0);
    nox.sublist("Printing").set("Output Processor", -1);
  }
} // namespace slender
