// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_rods_curvature_rod_h
#define slender_models_rods_curvature_rod_h

#include <slender/models/rods/curvature_kernel.h>
#include <slender/models/rods/rod_model.h>

namespace slender
{
  /// How a curvature-based rod is discretised.
  struct CurvatureRodDiscretisation
  {
    enum class Strain
    {
      constant, ///< in each element: super helix
      linear    ///< in each element, and continuous: super clothoid
    };

    Strain strain   = Strain::constant;
    int    elements = 30;
    double grading  = 1.; ///< length of the last element over the first's

    /// Curvature 1 is the only unknown; twist and curvature 2 stay zero.
    bool planar = false;
  };

  /**
   * An inextensible rod whose unknowns are its strains kappa = (twist,
   * kappa_1, kappa_2): constant in each element (super helix, Bertails et al.
   * 2006) or linear and continuous (super clothoid, Casati and
   * Bertails-Descoubes 2013). Frame and centreline follow by integration from
   * the clamped start,
   *
   *   R' = R [kappa]x,   r' = t = R e1,
   *
   * see curvature_kernel.h. As the rod cannot stretch, a load does work on it
   * through its tangents alone: with the force f(s) = F + (1 - s) w that the
   * part beyond s carries,
   *
   *   E = int 1/2 (kappa - kappa0).C (kappa - kappa0) ds - int f.t ds
   *       - (F + w).r(0) - M alpha(R(1)).
   *
   * A variation of the strain turns all that lies beyond by d phi = R d kappa
   * ds. Therefore the gradient is the weak form of the balance of moments,
   *
   *   dE = int d kappa.(C (kappa - kappa0) - R^T mu) ds,
   *   mu(s) = mu(1) + int_s^1 t x f ds,
   *
   * and the second derivative with respect to the strains at two points a < b
   * is that of the elastic energy and
   *
   *   -R(a)^T S(b) R(b),   S(s) = S(1) + int_s^1 (t f^T - t.f I) ds:
   *
   * the Hessian is full, but of rank three above the diagonal, so that each of
   * its entries costs three multiplications.
   *
   * An end that is held beyond the clamped start is not prescribed but a
   * constraint. The forces and moments with which it is held are multipliers,
   * further unknowns at the end of the state, and the energy is the
   * Lagrangian
   *
   *   E - lambda.(r(1) - r_held) - nu.2 vec(q(1) q_held*).
   *
   * Where a straight rod is held in its own direction at both ends the thrust
   * is undetermined, and the Hessian is singular: the constraint has no
   * gradient there.
   *
   * The unknowns couple all with all and are few: they live on the first rank
   * of the communicator, the other ranks have none.
   */
  class CurvatureRod : public RodModel
  {
  public:
    /// Throws InputError if the start is not clamped.
    CurvatureRod(const RodBody                    &body,
                 const CurvatureRodDiscretisation &discretisation,
                 MPI_Comm                          communicator);

    const Layout &
    layout() const override;

    /// The strains of the initial shape; a constraint at the end need not be
    /// met by it.
    Vector
    initial_state() const override;

    double
    energy(const Vector &q) const override;

    Vector
    gradient(const Vector &q) const override;

    void
    hessian(const Vector &q, HessianSink &sink) const override;

    Index
    n_multipliers() const override;

    std::vector<RodStation>
    stations(const Vector &q) const override;

    Vector3
    reaction(const Vector &q, RodSide side) const override;

    /// The same strains: a rigid motion does not change them, and it is the
    /// clamp that gives the rod its place.
    Vector
    moved(const Vector  &q,
          const Vector4 &rotation,
          const Vector3 &translation) const override;

  protected:
    void
    parameters_changed() override;

  private:
    using Matrix3 = Eigen::Matrix3d;

    /// One column for each element (constant) or each of their ends (linear).
    using Strains = Eigen::Matrix3Xd;

    /// A part of an element, short enough for the Gauss rule.
    struct Piece
    {
      Index                                    element;
      double                                   length;
      curvature::AtPoints<1>                   s;
      curvature::AtPoints<2>                   shape; ///< of the element's ends
      std::array<Matrix3, curvature::n_points> frames;
    };

    struct Shape
    {
      std::vector<Piece> pieces;
      Placement          end;
    };

    /// What acts on the rod, as far as first derivatives are concerned.
    struct Loads
    {
      Vector3 weight     = Vector3::Zero(); ///< per length
      Vector3 end_force  = Vector3::Zero();
      Vector3 end_moment = Vector3::Zero();
    };

    /// The potential of what turns the end, and its derivatives with respect
    /// to the end's quaternion.
    struct EndPotential
    {
      double          value;
      Vector4         gradient;
      Eigen::Matrix4d hessian;
    };

    /// Forces and moments that hold the end; zero where it is free.
    struct Multipliers
    {
      Vector3 force  = Vector3::Zero();
      Vector3 moment = Vector3::Zero();
    };

    void
    choose_constraints();

    Index
    n_strain_unknowns() const;

    /// Columns of Strains on which an element depends: its first one, and how
    /// many there are.
    Index
    n_columns_of_element() const;

    Strains
    strains_of(const Vector &q) const;

    Multipliers
    multipliers_of(const Vector &q) const;

    /// All unknowns on every rank.
    Vector
    broadcast(const Vector &q) const;

    Vector3
    strain_at(const Strains &strains, Index element, double xi) const;

    /// Integrates over [begin, end] in [0, 1] of an element: moves the
    /// placement along, and takes down the pieces.
    void
    integrate_element(const Strains      &strains,
                      Index               element,
                      double              begin,
                      double              end,
                      Placement          &placement,
                      std::vector<Piece> &pieces) const;

    Shape
    integrate(const Strains &strains) const;

    double
    elastic_energy(const Strains &strains) const;

    Strains
    elastic_gradient(const Strains &strains) const;

    void
    add_elastic_hessian(Eigen::MatrixXd &H) const;

    EndPotential
    end_potential(const Vector4 &end_frame, const Multipliers &held) const;

    Loads
    loads(const Vector4 &end_frame, const Multipliers &held) const;

    /// The derivative with respect to the strains of the work of loads.
    Strains
    work_gradient(const Shape &shape, const Loads &loads) const;

    /// Derivatives of the constraints, one column each.
    Eigen::MatrixXd
    constraint_gradients(const Shape &shape) const;

    /// The second derivative of the potential of all loads with respect to the
    /// strains.
    Eigen::MatrixXd
    load_hessian(const Shape &shape, const Multipliers &held) const;

    const CurvatureRodDiscretisation discretisation;
    std::vector<double>              ends; ///< of the elements
    Layout                           the_layout;
    std::vector<Index>               unknown_strains; ///< numbers in Strains
    std::vector<int>                 held_directions; ///< of the end
    std::vector<int>                 held_rotations;
    MomentPotential                  moment_potential;

    // What depends on the parameters.
    Vector3              stiffness, natural;
    Placement            start, held_end;
    quaternion::Matrix34 misalignment; ///< 2 vec(q q_held*) = misalignment q
  };
} // namespace slender

#endif
