// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/direction.h>
#include <slender/base/errors.h>
#include <slender/models/shells/koiter_cells.h>
#include <slender/models/triangles/triangle_shell.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace slender
{
  namespace
  {
    /// How much of a correction of the given relative size is made. Fields that
    /// jump within a triangle, or change much, have no derivatives that
    /// differences could tell, and a series of which the second term is a fifth
    /// of the first says nothing. It fades out smoothly: lengths must not jump
    /// while a shell grows.
    double
    fading(const double size)
    {
      constexpr double all = 0.1, none = 0.2;
      const double     t =
        std::clamp((none - std::abs(size)) / (none - all), 0., 1.);
      return t * t * (3. - 2. * t);
    }

    /**
     * The square of the distance from one end of a side to the other, in a
     * metric a that is given at three corners and in the middles of the sides
     * across them, and quadratic between. Along the straight line, with
     * derivatives by its parameter in (0, 1) and t across it,
     *
     *   a(e, e) + a''(e, e)/24 - |G|^2/12 - (b(e, e)^2 - B(e, e)^2)/12,
     *   G(e) = a'(e, e)/2,   G(t) = a'(e, t) - da(e, e)/dt / 2,
     *
     * all in its middle: |G|^2 is what the line is longer than the shortest
     * one, and that is longer than the chord of a surface of curvature b, as
     * the side at rest is the chord of one of curvature B. The first term alone
     * is of the second order; on meshes whose triangles are not all alike,
     * neighbours would not fit together to the order of the curvature.
     */
    double
    side_squared(const std::array<Eigen::Matrix2d, 6> &A,
                 const Eigen::Matrix2d                &b,
                 const Eigen::Matrix2d                &B,
                 const std::array<Eigen::Vector2d, 3> &corners,
                 const int                             c)
    {
      const int              i = (c + 1) % 3, j = (c + 2) % 3;
      const Eigen::Matrix2d &at = A[3 + c];
      const Eigen::Vector2d  e  = corners[j] - corners[i];
      const Eigen::Vector2d  t  = corners[c] - 0.5 * (corners[i] + corners[j]);
      const Eigen::Matrix2d  along  = A[j] - A[i];
      const Eigen::Matrix2d  second = 4. * (A[i] + A[j] - 2. * at);
      const Eigen::Matrix2d  across =
        2. * (A[3 + i] + A[3 + j] - at) - A[c] - 0.5 * (A[i] + A[j]);
      const double          first = e.dot(at * e);
      const Eigen::Vector2d G(0.5 * e.dot(along * e),
                              e.dot(along * t) - 0.5 * e.dot(across * e));
      Eigen::Matrix2d       g;
      g << first, e.dot(at * t), e.dot(at * t), t.dot(at * t);
      const double bend = e.dot(b * e), bend_at_rest = e.dot(B * e);
      const double correction =
        e.dot(second * e) / 24. -
        (G.dot(g.inverse() * G) + bend * bend - bend_at_rest * bend_at_rest) /
          12.;
      return first + fading(correction / first) * correction;
    }
  } // namespace

  void
  TriangleShell::grow(std::vector<triangles::Forms> &forms) const
  {
    const GrowthLaw &law   = body.growth_law;
    const bool       grows = !law.is_trivial();
    const bool       is_bent =
      body.natural_curvature_1 != 0. || body.natural_curvature_2 != 0.;
    if (!grows && !is_bent)
      return;
    const Vector3         direction = direction_of(body.natural_direction);
    const Eigen::Matrix2d bend =
      length_unit *
      Eigen::Vector2d(body.natural_curvature_1, body.natural_curvature_2)
        .asDiagonal()
        .toDenseMatrix();
    const auto grow_one = [&](const std::size_t t) {
      triangles::Forms &form = forms[t];
      const auto       &v    = elements->triangles[t].vertices;
      const Vector3     a    = rest_positions.col(v[0]);
      const Vector3     b    = rest_positions.col(v[1]);
      const Vector3     c    = rest_positions.col(v[2]);
      // The sides in the frame of the natural direction.
      Eigen::Matrix<double, 3, 2> sides;
      sides << b - a, c - a;
      const Eigen::Matrix2d F =
        koiter::tangent_frame((b - a).cross(c - a).normalized(), direction)
          .transpose() *
        sides;
      if (grows)
        grow_triangle(t, F, form);
      if (is_bent)
        form.curvature += F.transpose() * bend * F;
    };
    do_on_all_or_none(layout().communicator, [&] {
      for (std::size_t t = 0; t < forms.size(); ++t)
        grow_one(t);
    });
  }

  void
  TriangleShell::grow_triangle(const std::size_t      t,
                               const Eigen::Matrix2d &F,
                               triangles::Forms      &form) const
  {
    const GrowthLaw      &law     = body.growth_law;
    const auto           &v       = elements->triangles[t].vertices;
    const Eigen::Matrix2d inverse = F.inverse();
    const Eigen::Matrix2d B =
      inverse.transpose() * form.curvature * inverse / length_unit;
    const Vector3 centre =
      (rest_positions.col(v[0]) + rest_positions.col(v[1]) +
       rest_positions.col(v[2])) /
      3.;
    // At the corners, then in the middles of the sides across them; a little
    // off, as fields may jump there.
    constexpr double               off = 1e-7;
    std::array<Eigen::Matrix2d, 6> A;
    std::array<Eigen::Matrix2d, 3> b; // times the unit of length
    form.curvature.setZero();
    form.membrane = form.bending = 0.;
    for (int k = 0; k < 6; ++k)
      {
        const Index   i = v[k < 3 ? k : (k + 1) % 3];
        const Index   j = v[k < 3 ? k : (k + 2) % 3];
        const Vector3 middle =
          0.5 * (1. - off) * (rest_positions.col(i) + rest_positions.col(j)) +
          off * centre;
        const Vector3       place = length_unit * middle;
        const GrowthSample &fields =
          samples.at(law, 6 * t + k, place, triangle_numbers[t]);
        std::optional<MoistureChange> moisture;
        if (moisture_after.size() > 0)
          moisture = {0.5 * (moisture_before.col(i) + moisture_before.col(j)),
                      0.5 * (moisture_after.col(i) + moisture_after.col(j))};
        const GrownForms grown = grown_forms(law,
                                             fields,
                                             body.growth,
                                             moisture,
                                             B,
                                             fields.thickness * body.thickness,
                                             place);
        A[k]                   = grown.metric;
        if (k < 3)
          continue; // means are those of the middles
        b[k - 3] = length_unit * grown.curvature;
        form.curvature += F.transpose() * b[k - 3] * F / 3.;
        form.membrane += fields.stiffness * fields.thickness / 3.;
        form.bending += fields.stiffness * std::pow(fields.thickness, 3) / 3.;
      }
    const std::array<Eigen::Vector2d, 3> corners = {
      {Eigen::Vector2d::Zero(), F.col(0), F.col(1)}};
    Eigen::Vector3d squares;
    for (int c = 0; c < 3; ++c)
      {
        const Eigen::Vector2d side =
          corners[(c + 2) % 3] - corners[(c + 1) % 3];
        squares(c) = law.is_data || !law.cells.empty()
                       ? side.dot(A[3 + c] * side)
                       : side_squared(A, b[c], length_unit * B, corners, c);
      }
    const double mixed = 0.5 * (squares(1) + squares(2) - squares(0));
    form.metric << squares(2), mixed, mixed, squares(1);
    if (!(squares.minCoeff() > 0. && form.metric.determinant() > 0.))
      {
        const Vector3      x = length_unit * centre;
        std::ostringstream text;
        text << "the metric changes so much within a triangle that no triangle "
                "has the lengths of its sides, at ("
             << x(0) << ", " << x(1) << ", " << x(2)
             << "): smaller ones may do";
        throw InputError(text.str());
      }
  }

  double
  TriangleShell::thickness_factor(const std::size_t t) const
  {
    if (!body.growth_law.thickness)
      return 1.;
    const auto &v = elements->triangles[t].vertices;
    return body.growth_law.thickness(length_unit / 3. *
                                     (rest_positions.col(v[0]) +
                                      rest_positions.col(v[1]) +
                                      rest_positions.col(v[2])));
  }

  void
  TriangleShell::set_moisture(const Eigen::Matrix2Xd &before,
                              const Eigen::Matrix2Xd &after)
  {
    moisture_before = before;
    moisture_after  = after;
    numbers_of_rest.clear();
    parameters_changed();
  }

  SurfaceElements
  TriangleShell::elements_of_surface() const
  {
    SurfaceElements result;
    set_linear_triangles(result);
    result.layout   = vertex_layout;
    result.numbers  = vertex_numbers;
    result.n_places = static_cast<std::int64_t>(the_mesh.vertices.size());
    result.cell_orientation.assign(elements->triangles.size(), 1.);
    for (const triangles::Triangle &triangle : elements->triangles)
      for (const Index v : triangle.vertices)
        {
          result.cell_nodes.push_back(v);
          result.places.push_back(vertices[v].number);
        }
    return result;
  }
} // namespace slender
