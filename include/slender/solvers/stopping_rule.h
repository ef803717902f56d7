// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_solvers_stopping_rule_h
#define slender_solvers_stopping_rule_h

#include <slender/solvers/newton.h>

#include <NOX_StatusTest_Generic.H>
#include <Teuchos_ParameterList.hpp>

// For source files of the statics layer only: Trilinos's headers are heavy.
namespace slender
{
  /// When Newton's method stops: at a small step, a small residual, too many
  /// iterations, or a number that is not finite.
  Teuchos::RCP<NOX::StatusTest::Generic>
  stopping_rule(const NewtonOptions &options);

  /// NOX's list for Newton's method with a line search of that name.
  void
  set_up_newton(Teuchos::ParameterList &nox, const std::string &line_search);

  /// NOX's list for no output at all.
  void
  silence(Teuchos::ParameterList &nox);
} // namespace slender

#endif
