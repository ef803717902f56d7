// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/table.h>
#include <slender/studies/given_table.h>
#include <slender/studies/velocity_table.h>

#include <Eigen/QR>

#include <cmath>

namespace slender
{
  namespace
  {
    /// Rows nearer than this part of their spread count alike.
    constexpr double nearness = 1e-3;

    /// Of the largest singular value: places in a plane or on a line say
    /// nothing about what is across.
    constexpr double flat = 1e-6;
  } // namespace

  VelocityTable::VelocityTable(const std::string &file, const std::string &path)
  {
    const Table rows = read_given_table(file, path);
    if (rows.columns().size() < 6 || rows.rows().empty())
      throw InputError("'" + file +
                         "' needs six columns, x, y, z and the velocity there, "
                         "with a header and at least one row",
                       path);
    std::vector<std::vector<double>> columns;
    for (int c = 0; c < 6; ++c)
      columns.push_back(rows.column(rows.columns()[c]));
    for (std::size_t i = 0; i < columns[0].size(); ++i)
      {
        for (const auto &column : columns)
          if (!std::isfinite(column[i]))
            throw InputError("row " + std::to_string(i + 1) + " of '" + file +
                               "' does not have six numbers",
                             path);
        places.emplace_back(columns[0][i], columns[1][i], columns[2][i]);
        velocities.emplace_back(columns[3][i], columns[4][i], columns[5][i]);
      }
    measure();
  }

  VelocityTable::VelocityTable(std::vector<Vector3> the_places,
                               std::vector<Vector3> the_velocities)
    : places(std::move(the_places))
    , velocities(std::move(the_velocities))
  {
    measure();
  }

  void
  VelocityTable::measure()
  {
    double largest = 0.;
    for (const Vector3 &x : places)
      largest = std::max(largest, (x - places[0]).norm());
    if (largest > 0.)
      size = largest;
  }

  VelocityTable::Affine
  VelocityTable::at(const Vector3 &x) const
  {
    const auto       n = static_cast<Eigen::Index>(places.size());
    Eigen::MatrixX4d A(n, 4);
    Eigen::MatrixX3d b(n, 3);
    const double     near = nearness * size;
    for (Eigen::Index i = 0; i < n; ++i)
      {
        // In units of the spread, so that all unknowns are alike.
        const Vector3 d = (places[i] - x) / size;
        const double  weight =
          1. / (d.squaredNorm() + near * near / (size * size));
        A.row(i) << weight, weight * d.transpose();
        b.row(i) = weight * velocities[i].transpose();
      }
    // The least solution where the places leave something open.
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixX4d> least_squares;
    least_squares.setThreshold(flat);
    least_squares.compute(A);
    const Eigen::Matrix<double, 4, 3> fit = least_squares.solve(b);
    return {fit.row(0).transpose(), fit.bottomRows<3>().transpose() / size};
  }
} // namespace slender
