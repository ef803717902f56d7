// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/interpolated_masses.h>

#include <Eigen/Geometry>

#include <stdexcept>

namespace slender
{
  namespace
  {
    /// Of the nodes of a cell, at most those of a square of degree 4; on the
    /// stack, as a rod has thousands of cells.
    constexpr int most_nodes = 25;
    using NodeVectors =
      Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, most_nodes>;
  } // namespace

  InterpolatedMasses::InterpolatedMasses(const System &the_system,
                                         const double  length_unit)
    : system(the_system)
    , unit(length_unit)
  {}

  void
  InterpolatedMasses::add_cell(const std::vector<Node> &nodes,
                               const Eigen::Matrix3Xd  &offsets,
                               const Eigen::MatrixXd   &shapes,
                               const Vector            &masses)
  {
    if (nodes.size() > most_nodes)
      throw std::logic_error("a cell with more nodes than there is room for");
    cells.push_back(
      {nodes,
       offsets,
       shapes,
       unit * unit * shapes.transpose() * masses.asDiagonal() * shapes});
    for (const double mass : masses)
      point_masses.push_back(mass);
    points_of_cells += static_cast<Index>(masses.size());
  }

  void
  InterpolatedMasses::add_node(const Node    &node,
                               const Vector3 &offset,
                               const double   mass)
  {
    singles.push_back({node, offset, mass});
  }

  void
  InterpolatedMasses::add_scalar(const Index position, const double mass)
  {
    scalars.push_back(position);
    scalar_masses.push_back(mass);
  }

  void
  InterpolatedMasses::finish()
  {
    for (const Single &single : singles)
      point_masses.push_back(single.mass);
    points = static_cast<Index>(point_masses.size());
    the_masses.resize(3 * points + n_scalars());
    for (Index p = 0; p < points; ++p)
      the_masses.segment<3>(3 * p).setConstant(point_masses[p]);
    for (Index i = 0; i < n_scalars(); ++i)
      the_masses(3 * points + i) = scalar_masses[i];
  }

  Vector
  InterpolatedMasses::coordinates(const Vector &q) const
  {
    const Vector full = system.full_state(q);
    Vector       y(the_masses.size());
    Index        p = 0;
    for (const Cell &cell : cells)
      {
        NodeVectors x = cell.offsets;
        for (std::size_t a = 0; a < cell.nodes.size(); ++a)
          x.col(static_cast<Index>(a)) += unit * at(full, cell.nodes[a]);
        for (Index i = 0; i < cell.shapes.rows(); ++i, ++p)
          y.segment<3>(3 * p) = x.lazyProduct(cell.shapes.row(i).transpose());
      }
    for (const Single &single : singles)
      y.segment<3>(3 * p++) = single.offset + unit * at(full, single.node);
    for (Index i = 0; i < n_scalars(); ++i)
      y(3 * points + i) = full(scalars[i]);
    return y;
  }

  Vector
  InterpolatedMasses::rates(const Vector & /*q*/, const Vector &direction) const
  {
    const auto rate = [&](const Index position) {
      return is_unknown(position) ? direction(position) : 0.;
    };
    Vector dy(the_masses.size());
    Index  p = 0;
    for (const Cell &cell : cells)
      {
        NodeVectors dx(3, cell.offsets.cols());
        for (std::size_t a = 0; a < cell.nodes.size(); ++a)
          for (int c = 0; c < 3; ++c)
            dx(c, static_cast<Index>(a)) = unit * rate(cell.nodes[a][c]);
        for (Index i = 0; i < cell.shapes.rows(); ++i, ++p)
          dy.segment<3>(3 * p) = dx.lazyProduct(cell.shapes.row(i).transpose());
      }
    for (const Single &single : singles)
      {
        for (int c = 0; c < 3; ++c)
          dy(3 * p + c) = unit * rate(single.node[c]);
        ++p;
      }
    for (Index i = 0; i < n_scalars(); ++i)
      dy(3 * points + i) = rate(scalars[i]);
    return dy;
  }

  void
  InterpolatedMasses::pull_back(const Vector & /*q*/,
                                const Vector &forces,
                                Vector       &gradient) const
  {
    Index p = 0;
    for (const Cell &cell : cells)
      {
        NodeVectors f = NodeVectors::Zero(3, cell.offsets.cols());
        for (Index i = 0; i < cell.shapes.rows(); ++i, ++p)
          f +=
            (unit * forces.segment<3>(3 * p)).lazyProduct(cell.shapes.row(i));
        for (std::size_t a = 0; a < cell.nodes.size(); ++a)
          for (int c = 0; c < 3; ++c)
            if (is_unknown(cell.nodes[a][c]))
              gradient(cell.nodes[a][c]) += f(c, static_cast<Index>(a));
      }
    for (const Single &single : singles)
      {
        for (int c = 0; c < 3; ++c)
          if (is_unknown(single.node[c]))
            gradient(single.node[c]) += unit * forces(3 * p + c);
        ++p;
      }
    for (Index i = 0; i < n_scalars(); ++i)
      if (is_unknown(scalars[i]))
        gradient(scalars[i]) += forces(3 * points + i);
  }

  void
  InterpolatedMasses::add_hessian(const Vector & /*q*/,
                                  const double factor,
                                  const Vector & /*forces*/,
                                  HessianSink &sink) const
  {
    std::vector<Index> unknowns;
    Eigen::MatrixXd    block;
    for (const Cell &cell : cells)
      {
        block        = factor * cell.mass;
        const auto n = static_cast<Index>(cell.nodes.size());
        unknowns.resize(n);
        for (int c = 0; c < 3; ++c)
          {
            for (Index a = 0; a < n; ++a)
              unknowns[a] =
                is_unknown(cell.nodes[a][c]) ? cell.nodes[a][c] : -1;
            sink.add(unknowns.data(), n, block.data());
          }
      }
    for (const Single &single : singles)
      {
        const double mass = factor * unit * unit * single.mass;
        for (const Index position : single.node)
          if (is_unknown(position))
            sink.add(&position, 1, &mass);
      }
    for (Index i = 0; i < n_scalars(); ++i)
      if (is_unknown(scalars[i]))
        {
          const double mass = factor * scalar_masses[i];
          sink.add(&scalars[i], 1, &mass);
        }
  }

  Kinetics::Moments
  InterpolatedMasses::moments(const Vector &q, const Vector &rates) const
  {
    const Vector y = coordinates(q);
    Moments      sum;
    for (Index p = 0; p < points; ++p)
      {
        const double  m = point_masses[p];
        const Vector3 x = y.segment<3>(3 * p), v = rates.segment<3>(3 * p);
        sum.mass += m;
        sum.first += m * x;
        sum.second += m * x.squaredNorm();
        sum.linear_momentum += m * v;
        sum.angular_momentum += m * x.cross(v);
      }
    return sum;
  }

  Vector
  InterpolatedMasses::rates_in(const Vector        &q,
                               const VelocityField &field) const
  {
    const Vector y  = coordinates(q);
    Vector       dy = Vector::Zero(y.size());
    for (Index p = 0; p < points; ++p)
      dy.segment<3>(3 * p) = field.velocity(y.segment<3>(3 * p));
    return dy;
  }
} // namespace slender
