// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/base/errors.h>
#include <slender/models/shells/koiter_cells.h>
#include <slender/models/shells/shell_diffusion.h>

#include <Eigen/Dense>

namespace slender
{
  namespace
  {
    /// Integral of P_j' P_l' over (-1, 1).
    double
    slope_product(const int j, const int l)
    {
      const int low = std::min(j, l);
      return (j + l) % 2 == 0 ? low * (low + 1) : 0.;
    }

    /// P_j above (1) and below (-1).
    double
    at_side(const int side, const int j)
    {
      return side == 1 && j % 2 == 1 ? -1. : 1.;
    }

    Layout
    layout_of(const Layout &nodes, const int n_modes)
    {
      Layout result{nodes.communicator,
                    n_modes * nodes.size,
                    n_modes * nodes.begin,
                    n_modes * nodes.end,
                    {}};
      for (const Index ghost : nodes.ghosts)
        for (int j = 0; j < n_modes; ++j)
          result.ghosts.push_back(n_modes * ghost + j);
      return result;
    }
  } // namespace

  ShellDiffusion::ShellDiffusion(const SurfaceElements  &the_elements,
                                 const NodalVectors     &the_rest,
                                 const double            the_size,
                                 const double            the_thickness,
                                 const SurfaceField     &thickness_factor,
                                 const DiffusionOptions &the_options)
    : elements(the_elements)
    , options(the_options)
    , rest(the_rest)
    , size(the_size)
    , thickness(the_thickness)
    , factor(thickness_factor)
    , n_modes(options.degree + 1)
    , the_layout(layout_of(elements.layout, n_modes))
  {
    const int n = elements.nodes_per_cell;
    cells.resize(elements.n_cells());
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        Cell            &cell = cells[c];
        Eigen::Matrix3Xd X(3, n);
        for (int a = 0; a < n; ++a)
          X.col(a) = rest.col(elements.cell_nodes[n * c + a]);
        cell.directions.resize(2, elements.weights.size());
        for (Index q = 0; q < elements.weights.size(); ++q)
          {
            Eigen::Matrix<double, 3, 2> tangents;
            for (int i = 0; i < 2; ++i)
              tangents.col(i) = X * elements.derivatives[i].row(q).transpose();
            const Vector3 normal =
              elements.cell_orientation[c] *
              Vector3(tangents.col(0)).cross(Vector3(tangents.col(1)));
            const Eigen::Matrix2d P =
              koiter::tangent_frame(normal.normalized(), options.direction)
                .transpose() *
              tangents;
            cell.directions.col(q) = P.inverse().col(0);
          }
      }
    do_on_all_or_none(the_layout.communicator, [&] { set_positions(rest); });
  }

  void
  ShellDiffusion::set_positions(const NodalVectors &positions)
  {
    ++version;
    node_places = size * positions;
    const int n = elements.nodes_per_cell;
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        Cell            &cell = cells[c];
        Eigen::Matrix3Xd x(3, n), X(3, n);
        for (int a = 0; a < n; ++a)
          {
            x.col(a) = positions.col(elements.cell_nodes[n * c + a]);
            X.col(a) = rest.col(elements.cell_nodes[n * c + a]);
          }
        cell.places = size * x * elements.values.transpose();
        cell.areas.resize(elements.weights.size());
        cell.volumes.resize(elements.weights.size());
        Vector by_thickness(elements.weights.size());
        cell.in_plane = Matrix::Zero(n, n);
        for (Index q = 0; q < elements.weights.size(); ++q)
          {
            Eigen::Matrix<double, 3, 2> tangents;
            for (int i = 0; i < 2; ++i)
              tangents.col(i) = x * elements.derivatives[i].row(q).transpose();
            const Vector3 normal =
              Vector3(tangents.col(0)).cross(Vector3(tangents.col(1)));
            const double part =
              factor ? factor(size * X * elements.values.row(q).transpose())
                     : 1.;
            cell.areas(q)   = elements.weights(q) * normal.norm();
            cell.volumes(q) = part * cell.areas(q);
            by_thickness(q) = cell.areas(q) / part;
            // The machine direction is carried along by the surface.
            const Eigen::Matrix2d P =
              koiter::tangent_frame(normal.normalized(),
                                    tangents * cell.directions.col(q))
                .transpose() *
              tangents;
            Matrix slopes(n, 2);
            slopes << elements.derivatives[0].row(q).transpose(),
              elements.derivatives[1].row(q).transpose();
            slopes *= P.inverse();
            const Eigen::Vector2d D =
              options.coefficients.head<2>() / (size * size);
            cell.in_plane +=
              cell.volumes(q) * slopes * D.asDiagonal() * slopes.transpose();
          }
        cell.mass = elements.values.transpose() * cell.volumes.asDiagonal() *
                    elements.values;
        cell.through = options.coefficients(2) / (thickness * thickness) *
                       (elements.values.transpose() *
                        by_thickness.asDiagonal() * elements.values);
        for (int side = 0; side < 2; ++side)
          if (options.exchange[side])
            {
              Vector rates(elements.weights.size());
              for (Index q = 0; q < elements.weights.size(); ++q)
                rates(q) = cell.areas(q) / thickness *
                           options.exchange[side](
                             size * X * elements.values.row(q).transpose());
              if (!(rates.minCoeff() >= 0.))
                throw InputError("the exchange with the surroundings must not "
                                 "be below zero",
                                 side == 0 ? "Diffusion/Exchange top"
                                           : "Diffusion/Exchange bottom");
              cell.exchange[side] = elements.values.transpose() *
                                    rates.asDiagonal() * elements.values;
            }
      }
  }

  void
  ShellDiffusion::set_weight(const double the_weight)
  {
    weight = the_weight;
  }

  ShellDiffusion::Matrix
  ShellDiffusion::gather(const std::size_t cell, const Vector &m) const
  {
    const int n = elements.nodes_per_cell;
    Matrix    result(n, n_modes);
    for (int a = 0; a < n; ++a)
      for (int j = 0; j < n_modes; ++j)
        result(a, j) = m(unknown(elements.cell_nodes[n * cell + a], j));
    return result;
  }

  void
  ShellDiffusion::scatter(const std::size_t cell,
                          const Matrix     &from,
                          Vector           &result) const
  {
    const int n = elements.nodes_per_cell;
    for (int a = 0; a < n; ++a)
      for (int j = 0; j < n_modes; ++j)
        result(unknown(elements.cell_nodes[n * cell + a], j)) += from(a, j);
  }

  ShellDiffusion::Matrix
  ShellDiffusion::weighted_mass(const Cell &cell, const Matrix &m) const
  {
    Matrix result = cell.mass * m;
    for (int j = 0; j < n_modes; ++j)
      result.col(j) /= 2. * j + 1.;
    return result;
  }

  ShellDiffusion::Matrix
  ShellDiffusion::conducted(const Cell &cell, const Matrix &m) const
  {
    Matrix result = cell.in_plane * m;
    for (int j = 0; j < n_modes; ++j)
      result.col(j) /= 2. * j + 1.;
    const Matrix through = cell.through * m;
    for (int j = 0; j < n_modes; ++j)
      for (int l = 0; l < n_modes; ++l)
        result.col(j) += 2. * slope_product(j, l) * through.col(l);
    for (int side = 0; side < 2; ++side)
      if (cell.exchange[side].size() > 0)
        {
          Vector at = Vector::Zero(m.rows());
          for (int j = 0; j < n_modes; ++j)
            at += at_side(side, j) * m.col(j);
          const Vector lost = cell.exchange[side] * at;
          for (int j = 0; j < n_modes; ++j)
            result.col(j) += at_side(side, j) * lost;
        }
    return result;
  }

  Vector
  ShellDiffusion::at_nodes(const DiffusionOptions::TimeField &field,
                           const double                       time) const
  {
    if (!field || !elements.is_linear)
      return {};
    Vector result(node_places.cols());
    for (Index i = 0; i < result.size(); ++i)
      result(i) = field(node_places.col(i), time);
    return result;
  }

  Vector
  ShellDiffusion::at_points(const std::size_t                  c,
                            const DiffusionOptions::TimeField &field,
                            const Vector                      &nodal,
                            const double                       time) const
  {
    const int n = elements.nodes_per_cell;
    Vector    result(n);
    if (elements.is_linear)
      {
        for (int a = 0; a < n; ++a)
          result(a) = nodal(elements.cell_nodes[n * c + a]);
        return elements.values * result;
      }
    for (Index q = 0; q < n; ++q)
      result(q) = field(cells[c].places.col(q), time);
    return result;
  }

  Vector
  ShellDiffusion::driving(const Vector &m, const double time) const
  {
    Vector                result = Vector::Zero(m.size());
    std::array<Vector, 2> sources, surroundings;
    for (int side = 0; side < 2; ++side)
      {
        sources[side]      = at_nodes(options.source[side], time);
        surroundings[side] = at_nodes(options.surroundings[side], time);
      }
    const auto interpolation = elements.values.partialPivLu();
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        const Cell &cell = cells[c];
        Matrix      sum  = -conducted(cell, gather(c, m));
        for (int side = 0; side < 2; ++side)
          {
            if (options.source[side])
              {
                const Vector s =
                  at_points(c, options.source[side], sources[side], time);
                const Vector f = elements.values.transpose() *
                                 (0.5 * cell.volumes.cwiseProduct(s));
                sum.col(0) += f;
                sum.col(1) += at_side(side, 1) / 3. * f;
              }
            if (cell.exchange[side].size() > 0 && options.surroundings[side])
              {
                // The surroundings as the cell's functions take them, with the
                // same matrix as what is lost: equal values are at rest.
                const Vector nodal = interpolation.solve(at_points(
                  c, options.surroundings[side], surroundings[side], time));
                const Vector f     = cell.exchange[side] * nodal;
                for (int j = 0; j < n_modes; ++j)
                  sum.col(j) += at_side(side, j) * f;
              }
          }
        scatter(c, sum, result);
      }
    return result;
  }

  Vector
  ShellDiffusion::from_sides(const SurfaceField &top,
                             const SurfaceField &bottom) const
  {
    Vector m = Vector::Zero(the_layout.n_local());
    for (std::size_t i = 0; i < elements.numbers.size(); ++i)
      {
        const Vector3 x     = size * rest.col(static_cast<Index>(i));
        const double  above = top ? top(x) : 0.;
        const double  below = bottom ? bottom(x) : 0.;
        m(unknown(static_cast<Index>(i), 0)) = 0.5 * (above + below);
        m(unknown(static_cast<Index>(i), 1)) = 0.5 * (above - below);
      }
    return m;
  }

  Eigen::Matrix2Xd
  ShellDiffusion::sides(const Vector &m) const
  {
    Eigen::Matrix2Xd result(2, elements.numbers.size());
    for (Index i = 0; i < result.cols(); ++i)
      {
        const double mean = m(unknown(i, 0)), slope = m(unknown(i, 1));
        result.col(i) << mean + slope, mean - slope;
      }
    return result;
  }

  double
  ShellDiffusion::content(const Vector &m) const
  {
    double sum = 0.;
    for (std::size_t c = 0; c < cells.size(); ++c)
      sum += cells[c].volumes.dot(elements.values * gather(c, m).col(0));
    return size * size * thickness * sum_over_ranks(the_layout, sum);
  }

  Vector
  ShellDiffusion::initial_state() const
  {
    return Vector::Zero(the_layout.n_local());
  }

  double
  ShellDiffusion::energy(const Vector &m) const
  {
    return 0.5 * m.dot(gradient(m));
  }

  Vector
  ShellDiffusion::gradient(const Vector &m) const
  {
    Vector result = Vector::Zero(m.size());
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        const Matrix local = gather(c, m);
        scatter(c,
                weighted_mass(cells[c], local) +
                  weight * conducted(cells[c], local),
                result);
      }
    return result;
  }

  void
  ShellDiffusion::hessian(const Vector & /*m*/, HessianSink &sink) const
  {
    const int          n = elements.nodes_per_cell;
    std::vector<Index> unknowns(n * n_modes);
    Matrix             H(n * n_modes, n * n_modes);
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        const Cell &cell = cells[c];
        for (int j = 0; j < n_modes; ++j)
          for (int l = 0; l < n_modes; ++l)
            {
              Matrix block = 2. * weight * slope_product(j, l) * cell.through;
              if (j == l)
                block += (cell.mass + weight * cell.in_plane) / (2. * j + 1.);
              for (int side = 0; side < 2; ++side)
                if (cell.exchange[side].size() > 0)
                  block += weight * at_side(side, j) * at_side(side, l) *
                           cell.exchange[side];
              for (int a = 0; a < n; ++a)
                for (int b = 0; b < n; ++b)
                  H(n_modes * a + j, n_modes * b + l) = block(a, b);
            }
        for (int a = 0; a < n; ++a)
          for (int j = 0; j < n_modes; ++j)
            unknowns[n_modes * a + j] =
              unknown(elements.cell_nodes[n * c + a], j);
        sink.add(unknowns.data(),
                 static_cast<Index>(unknowns.size()),
                 H.data());
      }
  }

  Places
  ShellDiffusion::unknown_places() const
  {
    Places places;
    places.size = n_modes * elements.n_places;
    for (std::size_t i = 0; i < elements.cell_nodes.size(); ++i)
      for (int j = 0; j < n_modes; ++j)
        {
          places.places.push_back(n_modes * elements.places[i] + j);
          places.numbers.push_back(unknown(elements.cell_nodes[i], j));
        }
    return places;
  }

  std::vector<Measurement>
  ShellDiffusion::measure(const Vector &m) const
  {
    Eigen::Matrix<double, 5, 1> sums = Eigen::Matrix<double, 5, 1>::Zero();
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        const Matrix at = elements.values * gather(c, m);
        sums(0) += cells[c].volumes.dot(at.col(0));
        sums(1) += cells[c].volumes.sum();
        for (int side = 0; side < 2; ++side)
          for (int j = 0; j < n_modes; ++j)
            sums(2 + side) += at_side(side, j) * cells[c].areas.dot(at.col(j));
        sums(4) += cells[c].areas.sum();
      }
    MPI_Allreduce(MPI_IN_PLACE,
                  sums.data(),
                  5,
                  MPI_DOUBLE,
                  MPI_SUM,
                  the_layout.communicator);
    return {{"moisture", sums(0) / sums(1)},
            {"moisture top", sums(2) / sums(4)},
            {"moisture bottom", sums(3) / sums(4)}};
  }

  Drawing
  ShellDiffusion::draw(const Vector & /*m*/) const
  {
    return {}; // the shell draws what is in it
  }
} // namespace slender
