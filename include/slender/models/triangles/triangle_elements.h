// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_triangles_triangle_elements_h
#define slender_models_triangles_triangle_elements_h

#include <slender/models/triangles/edge_kernel.h>
#include <slender/models/triangles/membrane_kernel.h>
#include <slender/systems/hessian_sink.h>

#include <array>
#include <memory>
#include <vector>

namespace slender
{
  namespace triangles
  {
    using NodalVectors = Eigen::Matrix3Xd;

    /// Where a rank's vertices and edges are: columns of positions and entries
    /// of the tilts of edges.
    struct Configuration
    {
      NodalVectors x;
      Vector       tilt;
    };

    /// What stands beyond an edge of the boundary, in place of the corner l of
    /// a neighbour.
    enum class Ghost
    {
      none,  ///< it has a neighbour
      plane, ///< free: the triangle goes on in its plane, l = p + q - i
      mirror ///< held: the mirror image across a plane through the edge
    };

    struct Edge
    {
      /// Vertices (i, p, q, l), see edge_kernel.h; -1 for a ghost.
      std::array<Index, 4> corners       = {{-1, -1, -1, -1}};
      Index                tilt          = -1; ///< its number, or none
      Ghost                ghost         = Ghost::none;
      Vector3              mirror_normal = Vector3::UnitX();
      /// This rank's triangle on either side, or -1.
      std::array<Index, 2> triangles = {{-1, -1}};
      /// Rest areas of the triangles on both sides together, and its length.
      double area = 0., length = 0.;
      /// Altitudes of i and l over the edge at rest, and the weights of p in
      /// their feet on it.
      std::array<double, 2> altitudes = {{1., 1.}}, feet = {{0.5, 0.5}};
    };

    struct Triangle
    {
      std::array<Index, 3> vertices;
      std::array<Index, 3> edges; ///< opposite to the vertices
      std::array<int, 3>   sides; ///< on which side of the edge it is
    };

    /// First and second fundamental form in the triangle's own coordinates,
    /// along the sides from its first to its second and third corner.
    struct Forms
    {
      Eigen::Matrix2d metric    = Eigen::Matrix2d::Identity();
      Eigen::Matrix2d curvature = Eigen::Matrix2d::Zero();
      /// Where they are stress-free: factors of the stiffness against
      /// stretching and bending.
      double membrane = 1., bending = 1.;
    };

    /// How folds become an energy, in units of the bending stiffness D.
    struct Law
    {
      double       thickness = 1e-3; ///< in units of the size
      double       poisson   = 0.35;
      MembraneKind membrane  = MembraneKind::st_venant_kirchhoff;
      /// Of FoldRule::angle and vector: E = factor/2 |e|^2 / A theta^2.
      double fold_factor = 3.;
    };

    struct Energies
    {
      double membrane = 0., bending = 0.;
    };

    /**
     * The elastic energy of triangles with constant strain,
     *
     *   E = sum_T A_T W(a) + 1/2 (h - h_0) . C (h - h_0),
     *
     * where h are the folds of the three edges of T (see EdgeFold). The
     * curvature that they make is, in an orthonormal frame of the rest metric
     * and with the gradients N_i of the barycentric coordinates,
     *
     *   K = -2 sum_i s_i h_i N_i N_i^T,
     *
     * s_i = 1 for mid-edge normals and 1/|N_i| for hinges; C follows from
     * Koiter's energy 1/2 A_T [nu tr^2 K + (1 - nu) tr K^2]. FoldRule::angle
     * has energies of single edges instead.
     */
    class Elements
    {
    public:
      virtual ~Elements() = default;

      /// The forms of a configuration.
      virtual std::vector<Forms>
      forms(const Configuration &at) const = 0;

      /// The stress-free forms, one for each triangle.
      virtual void
      set_rest(const std::vector<Forms> &rest, const Law &law) = 0;

      // Of triangles with folds, for damping; others throw.

      virtual std::unique_ptr<Elements>
      clone() const;

      /// What energies are functions of, six numbers for each triangle: its
      /// metric in an orthonormal frame of the rest metric, and its folds.
      virtual Vector
      strains(const Configuration &at) const;

      /// Lets the natural strains be (1 - membrane) times those of before and
      /// `membrane` times the given ones, and likewise for folds; areas and
      /// frames remain those of the rest. Not for neo-Hookean membranes, whose
      /// energy is none of a difference.
      virtual void
      blend_natural(const Vector &strains, double membrane, double bending);

      /// Multiplies the energies of stretching and of folds.
      virtual void
      scale(double membrane, double bending);

      virtual Energies
      energies(const Configuration &at) const = 0;

      /// Of each triangle by itself.
      virtual std::vector<Energies>
      energies_of_triangles(const Configuration &at) const = 0;

      virtual void
      add_gradient(const Configuration &at, Configuration &g) const = 0;

      /// With the positions of the previous iterate, the mixed tangent.
      /// `vertices` and `tilts` are unknowns, or -1.
      virtual void
      add_hessian(const Configuration                     &at,
                  const NodalVectors                      *previous,
                  const std::vector<std::array<Index, 3>> &vertices,
                  const std::vector<Index>                &tilts,
                  HessianSink                             &sink) const = 0;

      virtual void
      add_hessian_times(const Configuration &at,
                        const Configuration &direction,
                        Configuration       &g) const = 0;

      /// Of FoldRule::vector: the Hessian of what projective dynamics minimises
      /// with all projections held, the same in every configuration.
      virtual void
      add_projective_hessian(const std::vector<std::array<Index, 3>> &vertices,
                             HessianSink &sink) const;

      std::vector<Edge>     edges;
      std::vector<Triangle> triangles;
    };

    std::unique_ptr<Elements>
    make_elements(FoldRule rule);
  } // namespace triangles
} // namespace slender

#endif
