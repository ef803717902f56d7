// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/growth_process.h>

namespace slender
{
  KoiterShell &
  growing_shell(Model &model)
  {
    auto *shell = dynamic_cast<KoiterShell *>(&model);
    if (!shell)
      throw InputError("of the shells, 'koiter shell' can grow so far",
                       "Model");
    return *shell;
  }

  GrowthProcess::GrowthProcess(KoiterShell &the_shell, const Settings &how)
    : shell(the_shell)
    , settings(how)
  {
    if (!settings.diffusion)
      return;
    const ShellBody &body = shell.description();
    flow.emplace(shell.mesh(),
                 shell.rest_positions(),
                 shell.size(),
                 body.thickness,
                 body.growth_law.thickness,
                 *settings.diffusion);
    steps.emplace(*flow, settings.order);
  }

  void
  GrowthProcess::begin()
  {
    if (!flow)
      {
        shell.set_parameter("growth", 0.);
        return;
      }
    const GrowthLaw &law = shell.description().growth_law;
    now = flow->from_sides(law.moisture_top, law.moisture_bottom);
    const Eigen::Matrix2Xd sides = flow->sides(now);
    shell.set_moisture(Eigen::Matrix2Xd::Zero(2, sides.cols()), sides);
    shell.set_parameter("growth", 1.);
    shell.set_parameter("growth", 0.);
  }

  double
  GrowthProcess::prepare(const Vector &q,
                         const double  time,
                         const double  length)
  {
    growth_before = shell.parameter("growth");
    if (!flow)
      return settings.amount * std::min(1., (time + length) / settings.end);
    if (settings.is_in_present_place)
      flow->set_positions(shell.node_positions(q));
    next = steps->step(now, time, length);
    shell.set_parameter("growth", 0.);
    shell.set_moisture(flow->sides(now), flow->sides(next));
    return 1.;
  }

  void
  GrowthProcess::accept()
  {
    if (flow)
      now = next;
  }

  void
  GrowthProcess::take_back()
  {
    if (flow)
      set_moisture(now);
    else
      shell.set_parameter("growth", growth_before);
  }

  void
  GrowthProcess::set_moisture(const Vector &moisture)
  {
    now                          = moisture;
    const Eigen::Matrix2Xd sides = flow->sides(now);
    shell.set_moisture(sides, sides);
    shell.set_parameter("growth", 1.);
  }
} // namespace slender
