// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_contact_load_h
#define slender_contact_contact_load_h

#include <slender/systems/term.h>
#include <slender/systems/touching_points.h>

#include <vector>

namespace slender
{
  /**
   * Given forces on points that touch obstacles,
   *
   *   -sum_i (r_n gap(x_i) + r_t.x_i),
   *
   * with the obstacle's curvature in the Hessian. What the forces are is the
   * matter of FrictionalSearch. The structure has one member.
   */
  class ContactLoad : public Term
  {
  public:
    explicit ContactLoad(const TouchingPoints &points);

    /// One of them per contact; a point may have several.
    struct Force
    {
      Index           point;
      Vector3         force;     ///< in space, in the user's units
      Eigen::Matrix3d stiffness; ///< -r_n d2 gap/dx2
    };

    void
    set(const std::vector<Force> &forces);

    void
    join(const Structure &structure) override;
    double
    energy(const Vector &q) const override;
    void
    add_gradient(const Vector &q, Vector &gradient) const override;
    void
    add_hessian(const Vector &q, HessianSink &sink) const override;
    void
    add_hessian_times(const Vector &q,
                      const Vector &direction,
                      Vector       &product) const override;

  private:
    const TouchingPoints        &points;
    const Structure             *structure = nullptr;
    std::vector<Index>           loaded;
    Eigen::Matrix3Xd             forces;
    std::vector<Eigen::Matrix3d> stiffnesses;
  };
} // namespace slender

#endif
