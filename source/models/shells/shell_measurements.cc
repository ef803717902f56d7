// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/layout.h>
#include <slender/models/shells/rest_surface.h>
#include <slender/models/shells/shell_body.h>
#include <slender/models/shells/shell_measurements.h>

#include <algorithm>
#include <sstream>

namespace slender
{
  namespace
  {
    void
    sum_over_ranks(MPI_Comm communicator, double *values, const int n)
    {
      MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, communicator);
    }

    const char *const axes[3] = {"x", "y", "z"};

    void
    measure_points(const ShellReading       &shell,
                   const NodalVectors       &displacement,
                   std::vector<Measurement> &result)
    {
      for (std::size_t p = 0; p < shell.body.points.size(); ++p)
        {
          Eigen::Matrix<double, 6, 1> values =
            Eigen::Matrix<double, 6, 1>::Zero();
          if (const Index node = shell.points[p]; node >= 0)
            values << shell.positions.col(node), displacement.col(node);
          sum_over_ranks(shell.layout.communicator, values.data(), 6);
          for (int i = 0; i < 6; ++i)
            result.push_back({shell.body.points[p].name +
                                (i < 3 ? " " : " displacement ") + axes[i % 3],
                              shell.length_unit * values(i)});
        }
    }

    void
    measure_reactions(const ShellReading       &shell,
                      std::vector<Measurement> &result)
    {
      const Index n_local = shell.layout.n_local();
      for (const ShellEdge &edge : shell.body.edges)
        {
          const auto &fixed = edge.position_fixed;
          if (std::none_of(fixed.begin(), fixed.end(), [](const bool is_fixed) {
                return is_fixed;
              }))
            continue;
          const int id    = shell.surface.edges().at(edge.name);
          Vector3   force = Vector3::Zero();
          for (Index i = 0; i < shell.gradient.cols(); ++i)
            for (int c = 0; c < 3; ++c)
              {
                const Index p = shell.unknowns(i)[c] - n_local;
                if (p >= 0 && shell.holders[p] == id)
                  force(c) += shell.gradient(c, i);
              }
          sum_over_ranks(shell.layout.communicator, force.data(), 3);
          for (int c = 0; c < 3; ++c)
            result.push_back(
              {edge.name + " force " + axes[c],
               force(c) * shell.bending_stiffness / shell.length_unit});
        }
    }
  } // namespace

  std::string
  text_of(const Vector3 &x)
  {
    std::ostringstream text;
    text << '(' << x(0) << ", " << x(1) << ", " << x(2) << ')';
    return text.str();
  }

  std::vector<Measurement>
  measurements(const ShellReading &shell)
  {
    const NodalVectors       displacement = shell.positions - shell.rest;
    MPI_Comm                 communicator = shell.layout.communicator;
    std::vector<Measurement> result;
    measure_points(shell, displacement, result);
    measure_reactions(shell, result);

    double largest =
      displacement.cols() > 0 ? displacement.colwise().norm().maxCoeff() : 0.;
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, communicator);
    result.push_back({"largest displacement", shell.length_unit * largest});

    std::array<double, 3> energies = {
      {shell.membrane_energy, shell.bending_energy, shell.energy}};
    sum_over_ranks(communicator, energies.data(), 3);
    const char *const names[3] = {"membrane energy",
                                  "bending energy",
                                  "energy"};
    for (int i = 0; i < 3; ++i)
      result.push_back({names[i], shell.bending_stiffness * energies[i]});
    return result;
  }
} // namespace slender
