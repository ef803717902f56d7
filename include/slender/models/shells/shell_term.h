// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_term_h
#define slender_models_shells_shell_term_h

#include <slender/systems/hessian_sink.h>

namespace slender
{
  /// One column per node of a ShellMesh.
  using NodalVectors = Eigen::Matrix3Xd;

  /// A part of the energy of a shell as a function of the positions of the
  /// nodes: what one rank contributes.
  class ShellTerm
  {
  public:
    virtual ~ShellTerm() = default;

    virtual double
    energy(const NodalVectors &x) const = 0;

    virtual void
    add_gradient(const NodalVectors &x, NodalVectors &g) const = 0;

    /// With the positions of the previous iterate, the mixed tangent.
    virtual void
    add_hessian(const NodalVectors &x,
                const NodalVectors *previous,
                HessianSink        &sink) const = 0;

    virtual void
    add_hessian_times(const NodalVectors &x,
                      const NodalVectors &dx,
                      NodalVectors       &g) const = 0;
  };
} // namespace slender

#endif
