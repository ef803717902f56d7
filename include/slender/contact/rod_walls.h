// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_rod_walls_h
#define slender_contact_rod_walls_h

#include <slender/contact/lagged_friction.h>
#include <slender/contact/rod_nodes.h>

#include <vector>

namespace slender
{
  /// A half space that rods stay out of.
  struct Wall
  {
    Vector3 point    = Vector3::Zero();
    Vector3 normal   = Vector3::UnitZ(); ///< to where rods may be
    double  friction = 0.;               ///< Coulomb's coefficient
  };

  struct RodWallOptions
  {
    /// Of the force on a node [force]; 0 for a hundredth of the bending
    /// stiffness over the radius squared.
    double force       = 0.;
    double gap         = 0.02; ///< where the barrier begins [radius]
    double creep_speed = 1e-4; ///< at which friction is complete [length/time]
  };

  /**
   * Walls between which rods move: a barrier of the distance of each node from
   * each wall, less the rod's radius, and friction in a time step (see
   * LaggedFriction). A straight edge is nearest to a plane at one of its nodes,
   * so that what keeps nodes out keeps edges out.
   */
  class RodWalls : public Term
  {
  public:
    RodWalls(std::vector<Wall> walls, const RodWallOptions &options);

    void
    join(const Structure &structure) override;

    void
    set_step(double length);

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
    void
    survey(const Vector &q) override;
    double
    longest_step(const Vector &q, const Vector &direction) const override;
    bool
    commit(const Vector &q) override;
    Vector
    history() const override;
    void
    set_history(const Vector &history) override;
    Places
    history_places() const override;
    std::vector<Measurement>
    measure(const Vector &q) const override;

    /// Begins at a state: nothing slides there yet.
    void
    start(const Vector &q);

    double
    friction_work() const
    {
      return dissipated;
    }

    /// The node that is deepest in a wall, or too near to be kept out.
    struct Inside
    {
      bool        exists     = false;
      std::size_t wall       = 0;
      Index       chain      = 0;
      double      arc_length = 0., depth = 0.;
      Vector3     place = Vector3::Zero();
    };
    Inside
    deepest(const Vector &q) const;

  private:
    /// A node near a wall at the last accepted state.
    struct Sliding
    {
      Index                   node;
      contact::LaggedFriction law;
    };

    double
    gap(const Wall &wall, const contact::Places3 &x, Index node) const;

    void
    remember_sliding();

    std::vector<Wall>   walls;
    RodWallOptions      options;
    contact::RodNodes   rods;
    std::vector<double> radii; ///< of the nodes
    double              barrier_gap = 1., force = 1., step = 1.;
    int                 iteration =
      contact::LaggedFriction::outside_a_step; ///< of the present step
    std::vector<Sliding> sliding;
    contact::Places3     accepted;
    double               dissipated = 0.;
  };
} // namespace slender

#endif
