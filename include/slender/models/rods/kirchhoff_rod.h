// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_kirchhoff_rod_h
#define slender_models_rods_kirchhoff_rod_h

#include <slender/models/rods/kirchhoff_element.h>
#include <slender/models/rods/rod_model.h>
#include <slender/models/unknown_map.h>
#include <slender/systems/kinematics.h>

namespace slender
{
  /// How a Kirchhoff rod is discretised.
  struct KirchhoffRodDiscretisation
  {
    int    elements = 32;
    int    degree   = 4;
    double grading  = 1.; ///< length of the last element over the first's

    /// EA L^2/B and GA L^2/B of a rod that neither stretches nor shears.
    double constraint_stiffness = 1e9;
  };

  /**
   * A Kirchhoff rod with finite elements: centreline r and unnormalised
   * quaternion q of the material frame are both Lagrange fields,
   *
   *   E = int 1/2 (kappa - kappa0).C_kappa (kappa - kappa0)
   *         + 1/2 gamma.C_gamma gamma ds
   *     + sum_nodes (|q|^2 - 1)^2 w - loads,
   *
   * see kirchhoff_kernel.h for the strains. Shear and stretch are suppressed by
   * a large stiffness unless the body has one of its own: with a shear
   * stiffness it is a geometrically exact rod (Reissner, Simo), whose small
   * motions are those of Timoshenko's beam.
   * One Gauss point less on the stretch and shear term than on bending removes
   * locking; the nodal term only fixes the length of q, on which no strain
   * depends.
   *
   * Unknowns are added, there are no frames to transport and no charts: the
   * energy has no history but the turns of a moment at the end, and its Hessian
   * is exact and symmetric.
   */
  class KirchhoffRod : public RodModel, public Kinematics
  {
  public:
    KirchhoffRod(const RodBody                    &body,
                 const KirchhoffRodDiscretisation &discretisation,
                 MPI_Comm                          communicator);

    const Layout &
    layout() const override;

    Vector
    initial_state() const override;

    double
    energy(const Vector &q) const override;

    Vector
    gradient(const Vector &q) const override;

    void
    hessian(const Vector &q, HessianSink &sink) const override;

    void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const override;

    Vector
    hessian_times(const Vector &q, const Vector &direction) const override;

    std::vector<Vector>
    free_motions(const Vector &q) const override;

    /// Its nodes.
    std::unique_ptr<TouchingPoints>
    touching_points() const override;

    Vector
    full_state(const Vector &q) const override;

    std::vector<RodStation>
    local_stations(const Vector &q) const override;

    std::array<Vector3, 2>
    reactions(const Vector &q) const override;

    Vector
    moved(const Vector  &q,
          const Vector4 &rotation,
          const Vector3 &translation) const override;

    std::shared_ptr<const Marker>
    section(double s) const override;

    /// Rotary inertia is that of all three rotations, lumped at the nodes.
    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const override;

    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override;

  protected:
    void
    parameters_changed() override;

    std::optional<Vector4>
    loaded_frame(const Vector &q) const override;

    bool
    owns_end_load() const override;

  private:
    class SectionMarker;
    class TurningSections;
    class StrainRates;

    using ShapeValues     = finite_elements::ShapeValues;
    using ElementUnknowns = finite_elements::ElementUnknowns;

    /// What the strains of a point depend on, see kirchhoff_kernel.h: the
    /// components are those of the quaternion, then those of the centreline.
    static constexpr std::array<finite_elements::Input, 8> curvature_inputs = {
      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 1}}};
    static constexpr std::array<finite_elements::Input, 7> stretch_inputs = {
      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 1}, {5, 1}, {6, 1}}};

    using QuadraturePoint = kirchhoff::QuadraturePoint;

    struct Element : kirchhoff::ElementPoints
    {
      double             begin, length;
      std::vector<Index> positions; ///< in the extended vector
      std::vector<Index> unknowns;  ///< the same, -1 if prescribed
    };

    /// A node of this rank: where its seven values stand, and the weight of
    /// the term that fixes the length of its quaternion.
    struct Node
    {
      double               s;
      std::array<Index, 7> positions;
      double               length_weight;
      bool                 is_owned;
    };

    /// An end that may only turn about an axis. Its unknowns are the
    /// components of p in q = p q0 with the held frame q0: only two of them
    /// change in such a turn, whereas all four of q may.
    struct Hinge
    {
      std::array<Index, 4> positions;
      Eigen::Matrix4d      basis; ///< q = basis p
    };

    void
    build_elements(const KirchhoffRodDiscretisation &discretisation,
                   MPI_Comm                          communicator);

    ElementUnknowns
    gather(const Element &element, const Vector &extended) const;

    void
    gather(const Element         &element,
           const Vector          &extended,
           kirchhoff::NodeValues &values) const;

    /// Adds what gather() takes.
    void
    scatter(const Element               &element,
            const kirchhoff::NodeValues &values,
            Vector                      &extended) const;

    kirchhoff::ElementLaw
    element_law() const;

    /// An extended vector with quaternions instead of the hinges' unknowns;
    Vector
    to_quaternions(Vector extended) const;

    /// and the other way round, also for gradients with respect to them.
    Vector
    to_unknowns(Vector extended) const;

    /// The same for an element's Hessian.
    void
    to_unknowns(const Element &element, Eigen::MatrixXd &hessian) const;

    Vector
    extended_gradient(const Vector &extended) const;

    void
    add_tangent(const Vector &extended,
                const Vector *extended_previous,
                HessianSink  &sink) const;

    Vector4
    node_frame(const Node &node, const Vector &extended) const;

    /// Of what depends on one node's frame alone.
    Eigen::Matrix4d
    node_hessian(const Node &node, const Vector &extended) const;

    /// Adds a block of a node's quaternion.
    void
    add_node_block(const Node     &node,
                   Eigen::Matrix4d H,
                   HessianSink    &sink) const;

    /// Adds what a force that follows this node's frame does to its position.
    void
    add_following_stiffness(const Node   &node,
                            const Vector &extended,
                            HessianSink  &sink) const;

    double                   constraint_stiffness;
    int                      degree;
    UnknownMap               map;
    std::vector<Element>     elements; ///< of this rank
    std::vector<Node>        nodes;  ///< of this rank's elements, along the rod
    std::vector<Hinge>       hinges; ///< on this rank
    Vector                   prescribed_values;
    std::vector<ShapeValues> station_shapes; ///< on the unit element
    /// From values at the stretch's quadrature points to the stations.
    Eigen::MatrixXd stretch_at_stations;

    // What depends on the parameters.
    Vector3 stiffness_of_curvature, stiffness_of_stretch, natural;
  };
} // namespace slender

#endif
