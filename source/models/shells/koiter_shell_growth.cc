// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/shells/koiter_shell.h>

namespace slender
{
  koiter::NaturalState
  KoiterShell::natural_state(const koiter::RestPoint &point,
                             const Eigen::Matrix2d   &curvature) const
  {
    using Kind = koiter::RestPoint::Kind;
    koiter::NaturalState result;
    result.curvature     = curvature;
    const GrowthLaw &law = body.growth_law;
    if (!law.is_trivial())
      {
        const Vector3      place = length_unit * point.position;
        const GrowthSample fields =
          point.kind == Kind::other
            ? sample(law, place, point.cell)
            : samples[point.kind == Kind::cell ? 0 : 1].at(law,
                                                           point.number,
                                                           place,
                                                           point.cell);
        result.thickness = fields.thickness;
        result.stiffness = fields.stiffness;
        std::optional<MoistureChange> moisture;
        if (moisture_after.size() > 0)
          moisture = {point.interpolate(moisture_before),
                      point.interpolate(moisture_after)};
        const GrownForms forms = grown_forms(law,
                                             fields,
                                             body.growth,
                                             moisture,
                                             curvature / length_unit,
                                             fields.thickness * body.thickness,
                                             place);
        result.metric          = forms.metric;
        result.curvature       = length_unit * forms.curvature;
      }
    result.curvature(0, 0) += length_unit * body.natural_curvature_1;
    result.curvature(1, 1) += length_unit * body.natural_curvature_2;
    return result;
  }

  double
  KoiterShell::thickness_factor(const Vector3 &position) const
  {
    return body.growth_law.thickness
             ? body.growth_law.thickness(length_unit * position)
             : 1.;
  }

  void
  KoiterShell::set_moisture(const Eigen::Matrix2Xd &before,
                            const Eigen::Matrix2Xd &after)
  {
    moisture_before = before;
    moisture_after  = after;
    renew_rest();
    loads = dead_loads();
  }
} // namespace slender
