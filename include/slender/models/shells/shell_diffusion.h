// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_shells_shell_diffusion_h
#define slender_models_shells_shell_diffusion_h

#include <slender/models/shells/growth_law.h>
#include <slender/models/shells/shell_term.h>
#include <slender/models/shells/surface_elements.h>
#include <slender/systems/linear_flow.h>

namespace slender
{
  /// How something spreads in a shell and comes in from its two sides, of which
  /// the first is the upper one, that of the normal.
  struct DiffusionOptions
  {
    /// Along and across the machine direction, and through the thickness
    /// [length^2/time].
    Vector3 coefficients = Vector3::Ones();
    Vector3 direction    = Vector3::UnitX();

    /// Of the polynomials through the thickness.
    int degree = 1;

    using TimeField = std::function<double(const Vector3 &x, double time)>;
    /// What comes into being on either side and, linearly, between them
    /// [1/time].
    std::array<TimeField, 2> source;
    /// What goes through a side for each unit of difference from the
    /// surroundings [length/time].
    std::array<SurfaceField, 2> exchange;
    std::array<TimeField, 2>    surroundings;
  };

  /**
   * Diffusion of moisture or heat m in a shell, in its surface and through its
   * thickness h:
   *
   *   dm/dt = div (D grad m) + s,   D dm/dz = +-k (surroundings - m) above and
   *   below.
   *
   * Elements are those of the shell in its surface (degree k, or 1 on
   * triangles) times Legendre polynomials P_j(2 z/h) through the thickness.
   * With the degree 1 they are the bilinear prisms of Chen, Sastry, van Rees
   * and Vouga (section 4), whose values above and below are m_0 + m_1 and m_0 -
   * m_1. The antisymmetric profile then decays with 12 D/h^2 instead of pi^2
   * D/h^2; with the degree 3, with 9.8751 D/h^2.
   *
   * What is conserved is the sum over the volume. Through the thickness a shell
   * is taken for flat: h is small compared with its radii.
   */
  class ShellDiffusion : public LinearFlow
  {
  public:
    /**
     * @param elements of the shell's surface
     * @param rest positions of the nodes, in units of `size`
     * @param thickness of the shell [length], with a factor that varies
     */
    ShellDiffusion(const SurfaceElements  &elements,
                   const NodalVectors     &rest,
                   double                  size,
                   double                  thickness,
                   const SurfaceField     &thickness_factor,
                   const DiffusionOptions &options);

    /// Distances, areas and places become those of the shell in this position.
    void
    set_positions(const NodalVectors &positions);

    void
    set_weight(double weight) override;

    unsigned long
    matrices() const override
    {
      return version;
    }

    Vector
    driving(const Vector &m, double time) const override;

    /// With given values above and below, linear between them.
    Vector
    from_sides(const SurfaceField &top, const SurfaceField &bottom) const;

    /// Above and below, of the linear part of the profile, at the nodes of the
    /// mesh.
    Eigen::Matrix2Xd
    sides(const Vector &m) const;

    /// The integral over the shell's volume [length^3]; collective.
    double
    content(const Vector &m) const;

    const Layout &
    layout() const override
    {
      return the_layout;
    }

    double
    energy_unit() const override
    {
      return 1.;
    }

    int
    dimension() const override
    {
      return 2;
    }

    Vector
    initial_state() const override;

    double
    energy(const Vector &m) const override;

    Vector
    gradient(const Vector &m) const override;

    void
    hessian(const Vector &m, HessianSink &sink) const override;

    Places
    unknown_places() const override;

    /// "moisture", its mean over the volume, "moisture top" and "moisture
    /// bottom", those over the sides.
    std::vector<Measurement>
    measure(const Vector &m) const override;

    Drawing
    draw(const Vector &m) const override;

  private:
    using Matrix = Eigen::MatrixXd;

    /// Integrals of products of the functions of a cell.
    struct Cell
    {
      Matrix mass, in_plane, through; ///< with D, without the thickness's part
      std::array<Matrix, 2> exchange; ///< empty if there is none
      /// At the points of the quadrature: weights with the area and with the
      /// thickness factor, and places.
      Vector           areas, volumes;
      Eigen::Matrix3Xd places;
      /// Components of the machine direction in the unit coordinates.
      Eigen::Matrix2Xd directions;
    };

    Index
    unknown(const Index node, const int j) const
    {
      return n_modes * elements.numbers[node] + j;
    }

    /// Rows are nodes of a cell, columns polynomials.
    Matrix
    gather(std::size_t cell, const Vector &m) const;

    void
    scatter(std::size_t cell, const Matrix &values, Vector &result) const;

    /// K times the values of a cell.
    Matrix
    conducted(const Cell &cell, const Matrix &values) const;

    Matrix
    weighted_mass(const Cell &cell, const Matrix &values) const;

    /// A field at the points of a cell; `at_nodes` has it at all nodes where
    /// the elements are linear.
    Vector
    at_points(std::size_t                        cell,
              const DiffusionOptions::TimeField &field,
              const Vector                      &at_nodes,
              double                             time) const;

    Vector
    at_nodes(const DiffusionOptions::TimeField &field, double time) const;

    SurfaceElements  elements;
    DiffusionOptions options;
    NodalVectors     rest;
    double           size, thickness;
    SurfaceField     factor;
    int              n_modes;
    Layout           the_layout;

    NodalVectors      node_places; ///< [length]
    std::vector<Cell> cells;
    double            weight  = 0.;
    unsigned long     version = 0;
  };
} // namespace slender

#endif
