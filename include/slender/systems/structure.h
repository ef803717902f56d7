// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_structure_h
#define slender_systems_structure_h

#include <slender/systems/kinematics.h>
#include <slender/systems/system.h>
#include <slender/systems/term.h>

#include <memory>

namespace slender
{
  /**
   * A system of several members (bodies, as a rule) and of terms that act
   * between them:
   *
   *   E(q) = sum_members (unit_m / unit) E_m(q_m) + sum_terms T(q).
   *
   * Its unknowns are those of the members one after the other, on each rank;
   * its unit of energy is that of its first member.
   *
   * A parameter or measurement of a member is called "NAME/gravity"; where no
   * other member has a parameter of that name, "gravity" will do. With one
   * member all names are the member's.
   */
  class Structure : public System, public Kinematics
  {
  public:
    /// The name of a member, and the member, which has to outlive the
    /// structure. All live on the same communicator.
    struct Member
    {
      std::string name;
      System     &system;
    };

    explicit Structure(std::vector<Member> members);

    /// One system, to which terms can be added.
    explicit Structure(System &system);

    /// Its parameters are called "NAME/..." as those of members are.
    void
    add_term(const std::string &name, std::unique_ptr<Term> term);

    // For terms.

    /// This rank's share of a member's vector.
    Vector
    share(std::size_t member, const Vector &q) const;

    /// Adds a share of a member's vector to one of the structure.
    void
    add_share(std::size_t member, const Vector &share, Vector &q) const;

    /// The global number of an unknown by its global number in a member.
    Index
    number(std::size_t member, Index number_in_member) const;

    System &
    member(const std::size_t i) const
    {
      return members[i].system;
    }

    std::size_t
    n_members() const
    {
      return members.size();
    }

    // As a system.

    const Layout &
    layout() const override;
    double
    energy_unit() const override;
    int
    dimension() const override;
    Index
    n_multipliers() const override;
    Vector
    initial_state() const override;
    bool
    has_potential() const override;
    double
    energy(const Vector &q) const override;
    Vector
    gradient(const Vector &q) const override;
    void
    hessian(const Vector &q, HessianSink &sink) const override;
    unsigned long
    pattern() const override;
    void
    survey(const Vector &q) override;
    double
    longest_step(const Vector &q, const Vector &direction) const override;
    void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const override;
    Vector
    hessian_times(const Vector &q, const Vector &direction) const override;
    std::vector<Vector>
    free_motions(const Vector &q) const override;
    double
    displacement_scale() const override;
    Vector
    full_state(const Vector &q) const override;
    bool
    commit(const Vector &q) override;
    Vector
    history() const override;
    void
    set_history(const Vector &history) override;
    Places
    unknown_places() const override;
    Places
    history_places() const override;
    /// That of its members; terms have none.
    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const override;
    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override;
    std::vector<Measurement>
    measure(const Vector &q) const override;
    Drawing
    draw(const Vector &q) const override;

  private:
    friend class MemberSink;
    class MemberKinetics;
    class MemberDissipations;

    void
    build_layout();

    void
    name_parameters();

    /// The unit of energy of a member in that of the structure.
    double
    factor(std::size_t member) const;

    std::vector<Member>                                        members;
    std::vector<std::pair<std::string, std::unique_ptr<Term>>> terms;
    Layout                                                     the_layout;

    /// Of each member: local numbers in the structure by local numbers in it.
    std::vector<std::vector<Index>> local_numbers;
    /// Of each member and rank: where its owned unknowns begin, in the member
    /// and in the structure.
    std::vector<std::vector<Index>> begins, begins_here;
  };
} // namespace slender

#endif
