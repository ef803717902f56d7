// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_growth_law_h
#define slender_models_shells_growth_law_h

#include <slender/base/types.h>

#include <array>
#include <functional>
#include <optional>
#include <vector>

/**
 * How the stress-free metric and curvature of a shell follow from what grows,
 * swells, dries or melts, at a point. All forms are in an orthonormal frame of
 * the surface at rest, the first axis along the machine direction, so that the
 * metric at rest is the unit matrix; B is the curvature at rest, h the
 * thickness. m+ and m- are what is in the shell (moisture, heat) on its upper
 * and lower side; the upper one is that of the normal. mu are expansions for
 * each unit of it, along and across the machine direction:
 *
 *   M = diag(1 + mu_1 m, 1 + mu_2 m)     stretch of a fibre,  M+ and M-
 *
 *   prescribed    a = exp(g log A)       b = B + g (b1 - B)
 *   exponential   a = diag(exp(2 mu m))  b = B,  m = (m+ + m-)/2
 *   swelling      g+ = M+ (1 - h B) M+   g- = M- (1 + h B) M-
 *                 a = (g+ + g-)/2        b = (g- - g+)/(2 h)
 *   bilayer       g+ = M+ (1 - 2/3 h B) M+, g- likewise, mu of its own in
 *                 each layer
 *                 a = (g+ + g-)/2        b = 3 (g- - g+)/(4 h)
 *
 * (Chen, Sastry, van Rees, Vouga 2018, section 3; the bilayer is van Rees'.)
 * The parameter "growth" g takes a shell from how it is at rest (0) to all of
 * its growth (1); m stands for g m there.
 */
namespace slender
{
  enum class GrowthKind
  {
    none,
    prescribed,
    exponential,
    swelling,
    bilayer
  };

  /// A quantity as a function of the position on the surface at rest [length].
  using SurfaceField = std::function<double(const Vector3 &)>;

  /// The fields of a law at a point. Forms have their components 11, 22, 12.
  struct GrowthSample
  {
    Vector3 metric    = {1., 1., 0.};
    Vector3 curvature = Vector3::Zero(); ///< of the surface where not given
    std::array<bool, 3> is_curvature_given = {{false, false, false}};
    double              top = 0., bottom = 0.; ///< m+ and m-
    double              thickness = 1., stiffness = 1.;
  };

  /// Fields that are empty are as they are at rest.
  struct GrowthLaw
  {
    GrowthKind kind = GrowthKind::none;

    /// Components 11, 22 and 12 of A and of b1 [1/length], if prescribed.
    std::array<SurfaceField, 3> metric, curvature;

    /// Prescribed for whole cells, by their numbers, instead of by fields.
    std::vector<GrowthSample> cells;

    /// Whether forms are data that belong to no surface: sides of triangles
    /// then have the lengths of the metric, and not those of chords of a
    /// surface that is bent within a triangle.
    bool is_data = false;

    SurfaceField moisture_top, moisture_bottom;
    /// Along and across the machine direction; of the lower layer of a bilayer.
    Eigen::Vector2d expansion        = Eigen::Vector2d::Zero();
    Eigen::Vector2d expansion_bottom = Eigen::Vector2d::Zero();

    /// Factors of thickness and Young's modulus, which do not depend on growth.
    SurfaceField thickness, stiffness;

    /// Whether anything differs from a shell without growth.
    bool
    is_trivial() const
    {
      return kind == GrowthKind::none && !thickness && !stiffness;
    }
  };

  /// Throws InputError, and says where, for values that are not finite, a
  /// metric that is not positive definite and factors below zero.
  GrowthSample
  sample(const GrowthLaw &law, const Vector3 &position, std::size_t cell = 0);

  /// Throws InputError where a law has forms for another number of cells.
  void
  check_cells(const GrowthLaw &law, std::size_t n_cells);

  struct GrownForms
  {
    Eigen::Matrix2d metric, curvature;
  };

  /// The stress-free forms; `curvature` is that at rest [1/length], `thickness`
  /// the one at this point. Throws InputError, without a place, where no fibre
  /// could shrink as much.
  GrownForms
  grown_forms(const GrowthLaw       &law,
              const GrowthSample    &sample,
              double                 growth,
              const Eigen::Matrix2d &curvature,
              double                 thickness);

  /// What is in a shell at a point, above and below, where it changes from one
  /// state to another as growth goes from 0 to 1.
  struct MoistureChange
  {
    Eigen::Vector2d before, after;
  };

  /// The same where what is in the shell is given (or not) instead of the law's
  /// own; errors say at which position of the surface at rest.
  GrownForms
  grown_forms(const GrowthLaw                     &law,
              GrowthSample                         sample,
              double                               growth,
              const std::optional<MoistureChange> &moisture,
              const Eigen::Matrix2d               &curvature,
              double                               thickness,
              const Vector3                       &position);
} // namespace slender

#endif
