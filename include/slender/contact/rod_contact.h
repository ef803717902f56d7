// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_contact_rod_contact_h
#define slender_contact_rod_contact_h

#include <slender/contact/near_edges.h>
#include <slender/contact/pair_energy.h>
#include <slender/systems/node_chain.h>
#include <slender/systems/structure.h>

#include <vector>

namespace slender
{
  /// How rods keep out of each other.
  enum class ContactMethod
  {
    imc,     ///< a soft hinge of the smooth distance
    barrier, ///< a barrier of the exact distance: nothing penetrates
    spt      ///< forces that undo what has penetrated, found by repetition
  };

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
    double adaption = 0.02;
    double low = 1e-3, high = 5e-3;

    /// Of the barrier: where it begins [radius].
    double gap = 0.02;

    /// How near edges are that are looked at [radius] ...
    double reach = 0.3;
    /// ... and how much more is looked at so that the list can be kept.
    double skin = 0.15;

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
   * second is friction in a time step (Li et al. 2020): w is the tangential
   * displacement since the last accepted state of the two points that were
   * nearest then, N the normal force that was between them, and f(w) = w, but
   * rounded below w0 = creep speed x step. So a contact sticks up to a creep
   * at that speed, and beyond it the force is mu N against the motion. Normal
   * forces and points lag one step behind; the energy remains one, and its
   * Hessian symmetric.
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
    /// thick for their length.
    void
    join(const Structure &structure) override;

    /// How long the next time step is: what a creep speed means.
    void
    set_step(double length);

    /// How deep rods penetrate each other; zero if they do not.
    double
    depth(const Vector &q) const;

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

  private:
    struct Pair
    {
      std::array<Index, 4>  nodes;
      double                touching;     ///< distance of axes that touch
      double                radius;       ///< mean
      std::array<double, 4> masses;       ///< of the nodes
      Index                 sliding = -1; ///< what friction knows of it
    };

    /// What friction remembers of a pair that touched.
    struct Sliding
    {
      Vector4 weights;
      Vector3 normal;
      double  force;
    };

    using Places3 = Eigen::Matrix3Xd;

    Places3
    places(const Vector &q) const;

    static contact::FourPoints
    four(const Places3 &x, const std::array<Index, 4> &nodes);

    /// Nothing acts between edges whose axes are further apart.
    double
    cutoff(const Pair &pair) const;

    contact::PairEnergy
    pair_energy(const contact::FourPoints &x,
                const Pair                &pair,
                contact::Derivatives       wanted) const;

    /// The normal force between two edges at a distance.
    double
    normal_force(const Pair &pair, double distance) const;

    void
    make_list(const Places3 &x);

    /// Takes what friction needs from the last accepted places.
    void
    remember_sliding();

    /// The forces of spt after those that were not enough.
    void
    correct_forces(const Places3 &x);

    /// Tangential displacement, and the friction's slope and bend there.
    struct Slip
    {
      Vector3 tangential;
      double  length, energy, slope_over_length, bend;
    };
    Slip
    slip(const Pair &pair, const Places3 &x) const;

    /// How far along x + s dx, up to one, pairs go until no more than `remains`
    /// is left of the room that they have above a part of touching; pairs that
    /// are nearer already do not count.
    double
    clear_part(const Places3 &x,
               const Places3 &dx,
               double         part,
               double         remains) const;

    /// Adds a force on four nodes, as a derivative by their places.
    void
    add_to(const std::array<Index, 4> &nodes,
           const contact::Twelve      &slope,
           Vector                     &gradient) const;

    void
    add_to(const std::array<Index, 4>    &nodes,
           const contact::TwelveByTwelve &bend,
           HessianSink                   &sink) const;

    RodContactOptions options;
    const Structure  *structure = nullptr;
    double            unit      = 1.; ///< of energy
    double            force     = 1.;
    double            step      = 1.;
    double            radius    = 1.; ///< the smallest one

    std::vector<const NodeChain *>    chains;
    std::vector<Index>                chain_begins; ///< nodes
    std::vector<std::array<Index, 3>> unknowns;     ///< of the nodes
    std::vector<double>               units;        ///< of the nodes
    std::vector<contact::Edge>        edges;

    std::vector<contact::EdgePair> list;
    std::vector<Pair>              pairs;
    std::vector<Sliding>           sliding;
    std::vector<double>            spt_forces;      ///< of the pairs
    Places3                        explicit_forces; ///< of spt, on the nodes
    unsigned long                  list_number = 1;
    Places3                        listed_at, accepted;
    bool                           passed_through = false;
  };
} // namespace slender

#endif
