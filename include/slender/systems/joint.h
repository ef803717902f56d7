// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_systems_joint_h
#define slender_systems_joint_h

#include <slender/systems/pair_term.h>

namespace slender
{
  /// What a joint lets its two sides do.
  enum class Freedom
  {
    none,         ///< welded: they keep their relative placement
    hinge,        ///< they turn about an axis that is fixed in both
    all_rotations ///< a ball joint
  };

  /// How strongly a joint holds.
  struct JointStiffness
  {
    double position; ///< [force/length]
    double rotation; ///< [force length/rad]

    /// So stiff that what remains does not matter, for bodies with bending
    /// energies of that unit and of that length: 1e9 times as stiff as they.
    static JointStiffness
    rigid(double energy_unit, double length);
  };

  /**
   * Ties other markers to the frame of one, in the placement that they have in
   * the initial state of their structure. With positions x, directions d_j of
   * the others and the frame f_i of the one,
   *
   *   phi = 1/2 k |x - x_1 - sum_i o_i f_i|^2
   *       + 1/2 k_r sum_j |d_j - sum_i c_ji f_i|^2,
   *
   * in which o and c are that placement. It is a quadratic function of the
   * markers' numbers, blind to rigid motion. A hinge keeps its axis instead of
   * the directions d_j. Only directions that move rigidly count (see Marker).
   *
   * The one has to be a marker with a frame, such as a rod's; the others may be
   * points along the edge of a shell.
   */
  class Joint : public PairTerm
  {
  public:
    Joint(Hold                  one,
          std::vector<Hold>     others,
          const JointStiffness &stiffness,
          Freedom               freedom = Freedom::none,
          const Vector3        &axis    = Vector3::UnitZ());

    void
    join(const Structure &structure) override;

  protected:
    double
    value(std::size_t pair, const PairNumbers &numbers) const override;
    PairNumbers
    slope(std::size_t pair, const PairNumbers &numbers) const override;
    PairMatrix
    bend(std::size_t pair, const PairNumbers &numbers) const override;

  private:
    JointStiffness          stiffness;
    Freedom                 freedom;
    Vector3                 axis;
    std::vector<PairMatrix> bends; ///< of the pairs of this rank
  };
} // namespace slender

#endif
