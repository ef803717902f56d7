// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/koiter_shell.h>

#include <sstream>

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
        const Vector3 place = length_unit * point.position;
        GrowthSample  fields =
          point.kind == Kind::other
             ? sample(law, place)
             : samples[point.kind == Kind::cell ? 0 : 1].at(law,
                                                           point.number,
                                                           place);
        result.thickness = fields.thickness;
        result.stiffness = fields.stiffness;
        double growth    = body.growth;
        if (moisture_after.size() > 0)
          {
            const Eigen::Vector2d m =
              (1. - growth) * point.interpolate(moisture_before) +
              growth * point.interpolate(moisture_after);
            fields.top    = m(0);
            fields.bottom = m(1);
            growth        = 1.;
          }
        try
          {
            const GrownForms forms =
              grown_forms(law,
                          fields,
                          growth,
                          curvature / length_unit,
                          fields.thickness * body.thickness);
            result.metric    = forms.metric;
            result.curvature = length_unit * forms.curvature;
          }
        catch (const InputError &error)
          {
            std::ostringstream text;
            text << error.what() << " at (" << place(0) << ", " << place(1)
                 << ", " << place(2) << ")";
            throw InputError(text.str());
          }
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
