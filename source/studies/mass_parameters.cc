// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/mass_parameters.h>

#include <deal.II/base/parameter_handler.h>

namespace slender
{
  void
  declare_masses(dealii::ParameterHandler &prm, MassOptions &options)
  {
    prm.add_parameter("Lumped mass",
                      options.lumped,
                      "Put the mass down to the nodes; else it is spread as "
                      "the shape functions are, which makes frequencies more "
                      "accurate. Rods of curvatures know one kind only.");
    prm.add_parameter("Rotary inertia",
                      options.rotary,
                      "Let sections of rods resist being turned: that of all "
                      "rotations, of a discrete rod that of spinning about its "
                      "edges. Shells have none.");
  }
} // namespace slender
