// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_rod_contact_h
#define slender_contact_rod_contact_h

#include <slender/contact/contact_law.h>
#include <slender/contact/lagged_friction.h>
#include <slender/contact/rod_nodes.h>

#include <vector>

namespace slender
{
  struct RodContactOptions
  {
    ContactMethod method = ContactMethod::imc;

    /// Of the force between two edges [force]; 0 for a hundredth of the bending
    /// stiffness over the radius squared.
    double force = 0.;

    // Of imc.
    double sharpness = 50.; ///< K
    double smoothing = 50.; ///< k
    /// By which part at most the force is adapted in a step, such that the
    /// least gap stays between -low and +high [radius].
    double adaption = 3e-3;
    double low = 1e-3, high = 5e-3;
    /// Beyond this the force grows without end [radius]; 0 for never.
    double depth = 1e-3;

    /// Of the barrier: where it begins [radius].
    double gap = 0.02;

    /// How near edges are that are looked at [radius]; 0 for what the law needs
    /// ...
    double reach = 0.;
    /// ... and how much more is looked at so that the list can be kept.
    double skin = 0.2;

    /// Of imc: in so many iterations of a step the contact has no Hessian, so
    /// that matrices are bands, and friction is that of the step before (the
    /// hybrid scheme); 0 for the fully implicit one.
    int explicit_iterations = 0;

    double friction    = 0.;   ///< Coulomb's coefficient
    double creep_speed = 1e-4; ///< at which friction is complete [length/time]

    /// Of spt: what penetrates less is left alone [radius].
    double tolerance = 1e-3;
  };

  /**
   * Rods that touch each other or themselves: a term over all members of a
   * structure, which have to be chains of nodes (see NodeChain) on one rank.
   *
   *   E = sum_pairs E(d) + sum_pairs mu N f(|w|)
   *
   * The first is the contact energy of two edges (see pair_energy.h). The
   * second is friction in a time step (see LaggedFriction), where w is the
   * displacement since the last accepted state of the two points that were
   * nearest then, and w0 = creep speed x step. Normal forces and points lag one
   * step behind; the energy remains one, and its Hessian symmetric.
   *
   * Pairs of edges are looked for in survey() and kept until a node has moved
   * by half the skin; pattern() changes only when the list does. Its history is
   * where the nodes were when that list was made, where they were when a state
   * was accepted last, and the force.
   */
  class RodContact : public Term
  {
  public:
    explicit RodContact(const RodContactOptions &options);

    /// Throws InputError if the members are no chains of nodes, or rods too
    /// thick for their length or their edges.
    void
    join(const Structure &structure) override;

    /// How long the next time step is: what a creep speed means.
    void
    set_step(double length);

    /// How far apart the surfaces of the two nearest edges are, negative where
    /// they penetrate; the reach if nothing is as near.
    double
    least_gap(const Vector &q) const;

    /// The force F of the contact energy (see pair_energy.h) from now on, if it
    /// is not zero.
    void
    set_force(double value);

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
    unsigned long
    pattern() const override;
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

    /// Normal forces on the nodes, in columns of the structure's nodes (chain
    /// after chain), in the user's units.
    Eigen::Matrix3Xd
    forces(const Vector &q) const;

    /// What friction has taken since the start, in the user's units.
    double
    friction_work() const
    {
      return dissipated;
    }

    /// Two edges that overlap at a state; none if nothing does.
    struct Overlap
    {
      bool    exists = false;
      Index   chain[2];
      double  arc_length[2];
      double  depth = 0.;
      Vector3 place = Vector3::Zero();
    };
    Overlap
    deepest_overlap(const Vector &q) const;

    /// Whether axes of rods passed through each other between the last two
    /// accepted states, as far as a motion along straight lines can tell.
    bool
    has_passed_through() const
    {
      return passed_through;
    }

    std::size_t
    n_pairs() const
    {
      return pairs.size();
    }

    const contact::RodNodes &
    nodes() const
    {
      return rods;
    }

  private:
    using Places3 = contact::Places3;

    struct Pair
    {
      std::array<Index, 4> nodes;
      double               touching;     ///< distance of axes that touch
      Index                sliding = -1; ///< what friction knows of it
    };

    /// What friction remembers of a pair that touched.
    struct Sliding
    {
      Vector4                 weights;
      contact::LaggedFriction law;
      Vector3                 constant; ///< force, where it does not adapt
    };

    static contact::FourPoints
    four(const Places3 &x, const std::array<Index, 4> &nodes);

    /// Of the two points that were nearest, since the last accepted state.
    Vector3
    slid(const Pair &pair, const Places3 &x) const;

    void
    make_list(const Places3 &x);

    /// Takes what friction needs from the last accepted places.
    void
    remember_sliding();

    /// The forces of spt after those that were not enough.
    void
    correct_forces(const Places3 &x);

    /// How far along x + s dx, up to one, all pairs go with a part of touching
    /// as floor, see clear_way().
    double
    clear_part(const Places3 &x,
               const Places3 &dx,
               double         part,
               double         remains) const;

    /// Whether it is the hybrid scheme, and an iteration without a Hessian.
    bool
    is_hybrid() const
    {
      return options.explicit_iterations > 0;
    }

    bool
    is_explicit() const
    {
      return options.method == ContactMethod::spt ||
             (is_hybrid() && iteration < options.explicit_iterations);
    }

    RodContactOptions   options;
    contact::ContactLaw law;
    contact::RodNodes   rods;
    double              radius = 1.; ///< the smallest one
    double              step   = 1.;
    int                 iteration =
      contact::LaggedFriction::outside_a_step; ///< of the present step

    std::vector<contact::EdgePair> list;
    std::vector<Pair>              pairs;
    std::vector<Sliding>           sliding;
    std::vector<double>            spt_forces;      ///< of the pairs
    Places3                        explicit_forces; ///< of spt, on the nodes
    unsigned long                  list_number = 1;
    Places3                        listed_at, accepted;
    Places3                        velocity; ///< of the last step, if hybrid
    double                         dissipated     = 0.;
    bool                           passed_through = false;
  };
} // namespace slender

#endif
