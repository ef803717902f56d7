// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_contact_potential_h
#define slender_contact_contact_potential_h

#include <slender/contact/contact.h>
#include <slender/contact/obstacle.h>
#include <slender/systems/term.h>

#include <vector>

namespace slender
{
  /**
   * Contacts as an energy that a descent can go down: the augmented Lagrangian
   * with forces l and friction that is limited by R, both given,
   *
   *   sum_i  (<l_n - k g>^2 - l_n^2)/2k  +  H_R(l_t - k u_t)/k ,
   *
   * <a> = max(a, 0), Huber's H_R(a) = |a|^2/2 within the disc of radius R and
   * R |a| - R^2/2 beyond it. Its forces are those of Alart and Curnier,
   * <l_n - k g> and the projection of l_t - k u_t on that disc. Unlike these it
   * is convex where gaps are, and once differentiable. Slips are taken along
   * given normals. The structure has one member.
   */
  class ContactPotential : public Term
  {
  public:
    /// Both have to outlive it.
    ContactPotential(const TouchingPoints &points, const Obstacles &obstacles);

    /// A point that may touch an obstacle.
    struct Site
    {
      Index       point;
      std::size_t obstacle;
      Vector3     origin; ///< where it would be now had it stuck
      Vector3     multiplier = Vector3::Zero(); ///< l, in space
      /// Along which l_n is, and across which u_t is.
      Vector3 normal = Vector3::Zero();
      double  limit  = 0.; ///< R [force]
    };

    std::vector<Site> sites;

    double stiffness = 0.; ///< k [force/length]

    /// What a site does where its point stands at x.
    struct Force
    {
      double       pressure;
      Vector3      friction;
      ContactState state;

      /// In space, along that normal.
      Vector3
      along(const Vector3 &normal) const
      {
        return pressure * normal + friction;
      }
    };
    Force
    force(const Site &site, const Vector3 &x) const;

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
    /// Sites that press or rub at x, and their points.
    struct Pressing
    {
      std::vector<std::size_t> sites;
      std::vector<Index>       points;
      std::vector<Force>       forces;
    };
    Pressing
    pressing(const Eigen::Matrix3Xd &x) const;

    /// l_t - k u_t.
    Vector3
    trial(const Site &site, const Vector3 &x) const;

    const TouchingPoints &points;
    const Obstacles      &obstacles;
    const Structure      *structure = nullptr;
  };
} // namespace slender

#endif
