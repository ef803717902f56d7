// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/growth_process.h>

namespace slender
{
  GrowingShell &
  growing_shell(Model &model)
  {
    auto *shell = dynamic_cast<GrowingShell *>(&model);
    if (!shell)
      throw InputError("this model does not grow; 'koiter shell' and those of "
                       "triangles do",
                       "Model");
    return *shell;
  }

  GrowthProcess::GrowthProcess(Model &the_model, const Settings &how)
    : model(the_model)
    , shell(growing_shell(the_model))
    , settings(how)
    , thickness(shell.description().thickness)
  {
    if (!settings.diffusion)
      return;
    const ShellBody &body = shell.description();
    flow.emplace(shell.elements_of_surface(),
                 shell.positions_at_rest(),
                 shell.size(),
                 body.thickness,
                 body.growth_law.thickness,
                 *settings.diffusion);
    steps.emplace(*flow, settings.order);
  }

  void
  GrowthProcess::begin()
  {
    if (settings.thickness)
      model.set_parameter("thickness", thickness * settings.thickness(0.));
    if (!flow)
      {
        model.set_parameter("growth", 0.);
        return;
      }
    const GrowthLaw &law = shell.description().growth_law;
    now = flow->from_sides(law.moisture_top, law.moisture_bottom);
    const Eigen::Matrix2Xd sides = flow->sides(now);
    shell.set_moisture(Eigen::Matrix2Xd::Zero(2, sides.cols()), sides);
    model.set_parameter("growth", 1.);
    model.set_parameter("growth", 0.);
  }

  std::vector<LoadTarget>
  GrowthProcess::prepare(const Vector &q,
                         const double  time,
                         const double  length)
  {
    growth_before    = model.parameter("growth");
    thickness_before = model.parameter("thickness");
    if (!flow)
      {
        std::vector<LoadTarget> targets = {
          {"growth",
           settings.amount * std::min(1., (time + length) / settings.end)}};
        if (settings.thickness)
          targets.push_back(
            {"thickness", thickness * settings.thickness(time + length)});
        return targets;
      }
    if (settings.is_in_present_place)
      flow->set_positions(shell.node_positions(q));
    next = steps->step(now, time, length);
    if (settings.at_once)
      {
        const Eigen::Matrix2Xd sides = flow->sides(next);
        shell.set_moisture(sides, sides);
      }
    else
      {
        model.set_parameter("growth", 0.);
        shell.set_moisture(flow->sides(now), flow->sides(next));
      }
    return {{"growth", 1.}};
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
      {
        model.set_parameter("growth", growth_before);
        model.set_parameter("thickness", thickness_before);
      }
  }

  void
  GrowthProcess::set_moisture(const Vector &moisture)
  {
    now                          = moisture;
    const Eigen::Matrix2Xd sides = flow->sides(now);
    shell.set_moisture(sides, sides);
    model.set_parameter("growth", 1.);
  }
} // namespace slender
