// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/expression.h>

#include <muParser.h>

namespace slender
{
  struct Expression::Implementation
  {
    mu::Parser parser;
    double     x = 0., y = 0., z = 0., t = 0.; ///< what the parser looks at
  };

  Expression::Expression(const std::string &text, const bool may_use_time)
    : implementation(std::make_shared<Implementation>())
  {
    Implementation &it = *implementation;
    try
      {
        it.parser.DefineConst("pi", 3.141592653589793);
        it.parser.DefineVar("x", &it.x);
        it.parser.DefineVar("y", &it.y);
        it.parser.DefineVar("z", &it.z);
        if (may_use_time)
          it.parser.DefineVar("t", &it.t);
        it.parser.SetExpr(text);
        it.parser.Eval();
      }
    catch (const mu::Parser::exception_type &error)
      {
        std::string reason = error.GetMsg();
        for (char &c : reason)
          if (c == '\n')
            c = ' ';
        throw InputError("'" + text + "' is no formula in x, y" +
                         (may_use_time ? ", z and t: " : " and z: ") + reason);
      }
  }

  double
  Expression::operator()(const Vector3 &x, const double time) const
  {
    Implementation &it = *implementation;
    it.x               = x(0);
    it.y               = x(1);
    it.z               = x(2);
    it.t               = time;
    return it.parser.Eval();
  }
} // namespace slender
