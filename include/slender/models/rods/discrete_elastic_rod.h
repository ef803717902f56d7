// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_discrete_elastic_rod_h
#define slender_models_rods_discrete_elastic_rod_h

#include <slender/base/window.h>
#include <slender/models/rods/discrete_hinge.h>
#include <slender/models/rods/discrete_kernel.h>
#include <slender/models/rods/rod_model.h>
#include <slender/models/unknown_map.h>
#include <slender/systems/kinematics.h>
#include <slender/systems/node_chain.h>

namespace slender
{
  /// How a discrete elastic rod is discretised.
  struct DiscreteElasticRodDiscretisation
  {
    int    segments = 300;
    double grading  = 1.; ///< length of the last segment over the first's

    /// EA L^2/B of a rod that does not stretch.
    double constraint_stiffness = 1e9;
  };

  /**
   * A discrete elastic rod (Bergou et al. 2008, 2010): nodes x_i, and on each
   * edge an angle theta_i that turns the material frame about the edge,
   *
   *   E = sum_edges 1/2 EA (|e|/l - 1)^2 l
   *     + sum_nodes 1/2 (kappa - kappa0).C (kappa - kappa0) / l_node - loads,
   *
   * see discrete_kernel.h for the strains kappa. A held frame acts on the end
   * node like one more edge, across the half edge length that belongs to that
   * node; this makes a clamp second-order accurate, where fixing the first
   * edge would be first-order. An end that may turn about an axis does the
   * same with what is not about that axis, see discrete_hinge.h.
   *
   * Frames are carried from source edges, which stay as they are until
   * commit() finds that an edge has turned far from its source.
   *
   * A rank holds its own nodes and one more on either side, nothing else of the
   * rod; what it holds is addressed by its number in the whole rod.
   */
  class DiscreteElasticRod : public RodModel,
                             public Kinematics,
                             public NodeChain
  {
  public:
    DiscreteElasticRod(const RodBody                          &body,
                       const DiscreteElasticRodDiscretisation &discretisation,
                       MPI_Comm                                communicator);

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

    bool
    commit(const Vector &q) override;

    /// The source frames of the edges that the rank reads, the twists of its
    /// joints, and what any rod has.
    Vector
    history() const override;

    void
    set_history(const Vector &history) override;

    Places
    history_places() const override;

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

    /// Rotary inertia is that of spinning about the edges.
    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const override;

    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override;

    // As a chain of nodes, on one rank.

    Index
    n_nodes() const override;
    void
    place_nodes(const Vector &q, Eigen::Ref<Eigen::Matrix3Xd> x) const override;
    std::array<Index, 3>
    node_unknowns(Index node) const override;
    double
    node_unit() const override;
    double
    arc_length(Index node) const override;
    double
    section_radius() const override;
    double
    mass_per_length() const override;
    double
    bending_stiffness() const override;

    /// The state in which the nodes are at given places (columns, in the user's
    /// units), without twist; history moves there. Held ends have to be there
    /// already. The last joint, with a clamp, is twisted by what the shape
    /// makes of it. On one rank.
    Vector
    put_on(const Eigen::Matrix3Xd &x);

  protected:
    void
    parameters_changed() override;

    std::optional<Vector4>
    loaded_frame(const Vector &q) const override;

    bool
    owns_end_load() const override;

  private:
    class SpinningEdges;
    class StrainRates;

    using Source    = discrete_rod::Source;
    using EdgeFrame = discrete_rod::EdgeFrame;
    using Joint     = discrete_rod::Joint;

    /// The state of this rank's part: positions of its nodes and angles of
    /// its edges, prescribed ones included.
    struct Shape
    {
      Window<Vector3> x;
      Window<double>  theta;

      Vector3
      edge(const Index i) const
      {
        return x[i + 1] - x[i];
      }
    };

    /// The rotation of a held end acts through a joint with a fixed edge, or
    /// with a hinge.
    struct Clamp
    {
      bool                               exists = false;
      Vector4                            frame  = Vector4::UnitX();
      std::optional<discrete_rod::Hinge> hinge;
    };

    /// Shares the nodes among the ranks.
    void
    distribute(MPI_Comm communicator);

    void
    build_map(MPI_Comm communicator);

    /// Edges [read_begin, this) are those that the rank reads.
    Index
    read_edges_end() const;

    /// Where a node of the rod at rest is, from 0 to 1.
    double
    rest_position(Index node) const;

    bool
    holds_node(Index node) const;

    Shape
    shape_of(const Vector &extended) const;

    Vector4
    frame_of_edge(const Shape &shape, Index i) const;

    /**
     * Goes along the nodes [first, last) and calls action(node, before, behind)
     * with what `value` gives for the edges before and behind, null where there
     * is none. Each value is computed once, and only two are kept: the frames
     * of all edges with their derivatives would take more memory than the
     * matrix.
     */
    template <class Value, class Action>
    void
    along_the_rod(Index         first,
                  Index         last,
                  const Value  &value,
                  const Action &action) const;

    /// The clamp at the first or the last node, as an edge.
    EdgeFrame
    clamp_frame(Index node) const;

    bool
    is_joint(Index node) const;

    /// The hinge at a node, if there is one, and the edge that it holds.
    const discrete_rod::Hinge *
    hinge_at(Index node) const;

    Index
    edge_at_end(Index node) const;

    /// The frames on the two sides of a joint; a clamp is one side at an end.
    std::pair<const Vector4 &, const Vector4 &>
    frames_at_joint(const Vector4 *before, const Vector4 *behind) const;

    /// The derivative of a joint's energy, whose clamp may be one of its sides,
    /// added to those of the degrees of freedom.
    void
    add_joint_gradient(const Joint     &joint,
                       Index            node,
                       const EdgeFrame *before,
                       const EdgeFrame *behind,
                       Vector          &extended) const;

    void
    add_joint_hessian(const Joint     &joint,
                      Index            node,
                      const EdgeFrame *before,
                      const EdgeFrame *behind,
                      HessianSink     &sink) const;

    /// Adds what belongs to the nodes [first, last) of this rank.
    void
    add_gradient(const Shape &shape,
                 Index        first,
                 Index        last,
                 Vector      &extended) const;

    void
    add_stretch_tangent(const Shape &shape,
                        const Shape *previous,
                        HessianSink &sink) const;

    /// Of one edge whose stress is that of a strain.
    void
    add_stretch_hessian(Index          i,
                        const Vector3 &edge,
                        double         stiffness,
                        double         strain,
                        HessianSink   &sink) const;

    /// Of bending, twisting and the loads.
    void
    add_joint_tangent(const Shape &shape, HessianSink &sink) const;

    template <int n>
    void
    add_block(const std::array<Index, n>        &dofs,
              const Eigen::Matrix<double, n, n> &block,
              HessianSink                       &sink) const;

    Index  n_edges;
    double grading;

    // This rank owns the nodes [begin, end) with their following edges, and
    // reads one node more on either side.
    Index begin = 0, end = 0, read_begin = 0, read_end = 0;

    Window<double> rest_length; ///< of the edges
    Window<double> node_length; ///< of the rod around each node

    UnknownMap    map;
    Window<Index> positions; ///< of each dof in the extended vector
    Vector        prescribed_values;

    /// The law with what damping adds to it in a time step, see
    /// Dissipation::join(): stiffer, and about other natural strains.
    struct Stiffened
    {
      Window<Joint>  joints;
      Window<double> natural_stretch; ///< of the edges
      double         stretch_stiffness;
    };

    // The present law.
    const Joint &
    joint_at(const Index node) const
    {
      return stiffened ? stiffened->joints[node] : joints[node];
    }

    double
    stiffness_of_stretch() const
    {
      return stiffened ? stiffened->stretch_stiffness : stretch_stiffness;
    }

    double
    natural_stretch(const Index edge) const
    {
      return stiffened ? stiffened->natural_stretch[edge] : 0.;
    }

    Window<Source> sources; ///< of the edges
    Window<Joint>  joints;  ///< at the nodes
    /// For which the joints were made: none yet.
    Vector3 joint_stiffness = Vector3::Zero(), joint_strain;
    Clamp   clamps[2];
    double  constraint_stiffness;
    double  stretch_stiffness = 0.;

    mutable std::unique_ptr<const Stiffened> stiffened;
  };

  template <class Value, class Action>
  void
  DiscreteElasticRod::along_the_rod(const Index   first,
                                    const Index   last,
                                    const Value  &value,
                                    const Action &action) const
  {
    // Those of edges with even and odd numbers.
    std::optional<decltype(value(first))> kept[2];
    if (first > 0 && first < last)
      kept[(first - 1) % 2].emplace(value(first - 1));
    for (Index i = first; i < last; ++i)
      {
        if (i < n_edges)
          kept[i % 2].emplace(value(i));
        action(i,
               i > 0 ? &*kept[(i - 1) % 2] : nullptr,
               i < n_edges ? &*kept[i % 2] : nullptr);
      }
  }
} // namespace slender

#endif
