// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/growth_law.h>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    Eigen::Matrix2d
    matrix(const Vector3 &form)
    {
      Eigen::Matrix2d M;
      M << form(0), form(2), form(2), form(1);
      return M;
    }

    std::string
    place(const Vector3 &x)
    {
      std::ostringstream text;
      text << " at (" << x(0) << ", " << x(1) << ", " << x(2) << ')';
      return text.str();
    }

    /// exp(g log A): goes from the unit matrix to A and stays positive
    /// definite however far it goes.
    Eigen::Matrix2d
    power(const Eigen::Matrix2d &A, const double g)
    {
      if (A(0, 1) == 0.)
        return Eigen::Vector2d(std::pow(A(0, 0), g), std::pow(A(1, 1), g))
          .asDiagonal();
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(A);
      const Eigen::Vector2d values = eigen.eigenvalues().array().pow(g);
      return eigen.eigenvectors() * values.asDiagonal() *
             eigen.eigenvectors().transpose();
    }

    /// M (1 + c B) M.
    Eigen::Matrix2d
    side_metric(const Eigen::Vector2d &expansion,
                const double           moisture,
                const Eigen::Matrix2d &B,
                const double           c)
    {
      const Eigen::Vector2d M = Eigen::Vector2d::Ones() + moisture * expansion;
      if (!(M.minCoeff() > 0.))
        throw InputError("moisture and expansion would shrink a fibre to less "
                         "than nothing");
      const Eigen::Matrix2d inner = Eigen::Matrix2d::Identity() + c * B;
      return M.asDiagonal() * inner * M.asDiagonal();
    }
  } // namespace

  GrowthSample
  sample(const GrowthLaw &law, const Vector3 &position, const std::size_t cell)
  {
    GrowthSample result;
    if (!law.cells.empty())
      result = law.cells.at(cell);
    const auto take = [&](const SurfaceField &field,
                          const char         *name,
                          double             &value) {
      if (!field)
        return;
      value = field(position);
      if (!std::isfinite(value))
        throw InputError(std::string("the ") + name +
                         " of growth is not a finite number" + place(position));
    };
    for (int i = 0; i < 3; ++i)
      {
        take(law.metric[i], "metric", result.metric(i));
        take(law.curvature[i], "curvature", result.curvature(i));
        if (law.curvature[i])
          result.is_curvature_given[i] = true;
      }
    take(law.moisture_top, "moisture", result.top);
    take(law.moisture_bottom, "moisture", result.bottom);
    take(law.thickness, "thickness factor", result.thickness);
    take(law.stiffness, "stiffness factor", result.stiffness);

    const Vector3 &a = result.metric;
    if (!(a(0) > 0. && a(0) * a(1) - a(2) * a(2) > 0.))
      {
        std::ostringstream text;
        text << "the metric (11, 22, 12) = (" << a(0) << ", " << a(1) << ", "
             << a(2) << ") is not positive definite" << place(position);
        throw InputError(text.str());
      }
    if (!(result.thickness >= 0. && result.stiffness >= 0.))
      throw InputError("the factors of thickness and stiffness must not be "
                       "below zero, as they are" +
                       place(position));
    return result;
  }

  void
  check_cells(const GrowthLaw &law, const std::size_t n_cells)
  {
    if (!law.cells.empty() && law.cells.size() != n_cells)
      throw InputError("the file has forms for " +
                         std::to_string(law.cells.size()) +
                         " cells, and the shell has " + std::to_string(n_cells),
                       "Growth/Forms file");
  }

  GrownForms
  grown_forms(const GrowthLaw       &law,
              const GrowthSample    &s,
              const double           growth,
              const Eigen::Matrix2d &B,
              const double           h)
  {
    GrownForms forms{Eigen::Matrix2d::Identity(), B};
    switch (law.kind)
      {
        case GrowthKind::none:
          break;
        case GrowthKind::prescribed:
          {
            forms.metric       = power(matrix(s.metric), growth);
            Vector3 prescribed = {B(0, 0), B(1, 1), B(0, 1)};
            for (int i = 0; i < 3; ++i)
              if (s.is_curvature_given[i])
                prescribed(i) += growth * (s.curvature(i) - prescribed(i));
            forms.curvature = matrix(prescribed);
            break;
          }
        case GrowthKind::exponential:
          {
            const double m = growth * (s.top + s.bottom); // twice the mean
            forms.metric =
              (m * law.expansion).array().exp().matrix().asDiagonal();
            break;
          }
        case GrowthKind::swelling:
        case GrowthKind::bilayer:
          {
            const bool   is_bilayer = law.kind == GrowthKind::bilayer;
            const double c          = is_bilayer ? 2. / 3. * h : h;
            const double d          = is_bilayer ? 0.75 / h : 0.5 / h;
            const auto plus = side_metric(law.expansion, growth * s.top, B, -c);
            const auto minus =
              side_metric(is_bilayer ? law.expansion_bottom : law.expansion,
                          growth * s.bottom,
                          B,
                          c);
            forms.metric    = 0.5 * (plus + minus);
            forms.curvature = d * (minus - plus);
            break;
          }
      }
    return forms;
  }

  GrownForms
  grown_forms(const GrowthLaw                     &law,
              GrowthSample                         s,
              const double                         growth,
              const std::optional<MoistureChange> &moisture,
              const Eigen::Matrix2d               &B,
              const double                         h,
              const Vector3                       &position)
  {
    if (moisture)
      {
        const Eigen::Vector2d m =
          (1. - growth) * moisture->before + growth * moisture->after;
        s.top    = m(0);
        s.bottom = m(1);
      }
    try
      {
        return grown_forms(law, s, moisture ? 1. : growth, B, h);
      }
    catch (const InputError &error)
      {
        throw InputError(error.what() + place(position));
      }
  }
} // namespace slender
