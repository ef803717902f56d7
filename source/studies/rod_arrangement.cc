// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/table.h>
#include <slender/contact/segment_distance.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/given_table.h>
#include <slender/studies/rod_arrangement.h>
#include <slender/studies/vector_parameter.h>

#include <deal.II/base/parameter_handler.h>

#include <cmath>
#include <random>

namespace slender
{
  namespace
  {
    /// Distance of axes of rods of a heap at the start [radius].
    constexpr double apart = 2.4;
    /// How often a place for a rod is tried.
    constexpr int n_tries = 20000;

    /// Numbers from 0 to 1, the same on every machine.
    class Numbers
    {
    public:
      explicit Numbers(const int seed)
        : engine(static_cast<std::mt19937_64::result_type>(seed))
      {}

      double
      operator()()
      {
        return static_cast<double>(engine() >> 11) * 0x1p-53;
      }

    private:
      std::mt19937_64 engine;
    };
  } // namespace

  void
  RodArrangement::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Rods");
    prm.add_parameter(
      "Arrangement",
      arrangement,
      "'one' rod, as the sections 'Rod', 'Start' and 'End' say; "
      "a 'heap' of straight rods in random places and "
      "directions; or those of a 'file'. Several rods are free "
      "and all of the same section and material.",
      Selection("one|heap|file"));
    prm.add_parameter("Number",
                      number,
                      "How many rods a heap has [1].",
                      Integer(1, 100000));
    add_vector(prm,
               "Region centre",
               centre,
               "Of the box, with edges along the axes, in which a heap is "
               "strewn [length].");
    add_vector(prm, "Region sides", sides, "Of that box [length].");
    prm.add_parameter("Seed",
                      seed,
                      "Another number strews another heap [1].",
                      Integer(0));
    prm.add_parameter("File",
                      file,
                      "Centrelines: a CSV file with the columns rod, x, y, z, "
                      "a row for each corner [file]. Rods are straight at rest "
                      "and as long as their centrelines.",
                      Anything());
    prm.leave_subsection();
  }

  void
  RodArrangement::check() const
  {
    const RodArrangement usual;
    const std::string    of_heap = "'Arrangement' is 'heap'";
    const bool           is_heap = arrangement == "heap";
    check_idle(is_heap, number, usual.number, "Rods/Number", of_heap);
    check_idle(is_heap, centre, usual.centre, "Rods/Region centre", of_heap);
    check_idle(is_heap, sides, usual.sides, "Rods/Region sides", of_heap);
    check_idle(is_heap, seed, usual.seed, "Rods/Seed", of_heap);
    check_idle(arrangement == "file",
               file,
               usual.file,
               "Rods/File",
               "'Arrangement' is 'file'");
    if (!(sides.minCoeff() > 0.))
      throw InputError("the sides of the region have to be above zero",
                       "Rods/Region sides");
  }

  std::vector<Eigen::Matrix3Xd>
  RodArrangement::centrelines(const double length, const double radius) const
  {
    return arrangement == "heap" ? heap(length, radius) : from_file();
  }

  std::vector<Eigen::Matrix3Xd>
  RodArrangement::heap(const double length, const double radius) const
  {
    Numbers                       random(seed);
    std::vector<Eigen::Matrix3Xd> rods;
    const Vector3                 half = 0.5 * sides - radius * Vector3::Ones();
    for (int tries = 0; static_cast<int>(rods.size()) < number; ++tries)
      {
        if (tries == n_tries)
          throw InputError("only " + std::to_string(rods.size()) +
                             " rods fit into the region without touching; a "
                             "larger one or fewer rods",
                           "Rods/Number");
        // Uniformly on the sphere.
        const double  z = 2. * random() - 1., phi = 2. * M_PI * random();
        const double  s = std::sqrt(std::max(0., 1. - z * z));
        const Vector3 d(s * std::cos(phi), s * std::sin(phi), z);
        Vector3       middle;
        for (int c = 0; c < 3; ++c)
          middle(c) = centre(c) + half(c) * (2. * random() - 1.);
        Eigen::Matrix3Xd x(3, 2);
        x << middle - 0.5 * length * d, middle + 0.5 * length * d;
        bool is_free =
          ((x.colwise() - centre).cwiseAbs().rowwise().maxCoeff() - half)
            .maxCoeff() <= 0.;
        for (const Eigen::Matrix3Xd &other : rods)
          {
            if (!is_free)
              break;
            contact::FourPoints four;
            four << x, other;
            is_free = contact::distance(four) >= apart * radius;
          }
        if (!is_free)
          continue;
        rods.push_back(x);
        tries = 0;
      }
    return rods;
  }

  std::vector<Eigen::Matrix3Xd>
  RodArrangement::from_file() const
  {
    const std::string   path = "Rods/File";
    const Table         rows = read_given_table(file, path);
    std::vector<double> columns[4];
    const char         *names[4] = {"rod", "x", "y", "z"};
    for (int c = 0; c < 4; ++c)
      {
        const auto &has = rows.columns();
        if (std::find(has.begin(), has.end(), names[c]) == has.end())
          throw InputError("'" + file + "' has no column '" + names[c] + "'",
                           path);
        columns[c] = rows.column(names[c]);
      }
    std::vector<std::vector<Vector3>> corners;
    for (std::size_t i = 0; i < columns[0].size(); ++i)
      {
        const Vector3 x(columns[1][i], columns[2][i], columns[3][i]);
        if (!x.allFinite() || !std::isfinite(columns[0][i]))
          throw InputError("row " + std::to_string(i + 1) + " of '" + file +
                             "' does not have four numbers",
                           path);
        if (i == 0 || columns[0][i] != columns[0][i - 1])
          corners.emplace_back();
        else if (x == corners.back().back())
          throw InputError("row " + std::to_string(i + 1) + " of '" + file +
                             "' repeats the corner before",
                           path);
        corners.back().push_back(x);
      }
    std::vector<Eigen::Matrix3Xd> rods;
    for (const auto &rod : corners)
      {
        if (rod.size() < 2)
          throw InputError("rod " + std::to_string(rods.size() + 1) + " of '" +
                             file + "' has fewer than two corners",
                           path);
        rods.emplace_back(3, static_cast<Index>(rod.size()));
        for (std::size_t i = 0; i < rod.size(); ++i)
          rods.back().col(static_cast<Index>(i)) = rod[i];
      }
    if (rods.empty())
      throw InputError("'" + file + "' has no rods", path);
    return rods;
  }

  double
  polygon_length(const Eigen::Matrix3Xd &x)
  {
    return (x.rightCols(x.cols() - 1) - x.leftCols(x.cols() - 1))
      .colwise()
      .norm()
      .sum();
  }

  Eigen::Matrix3Xd
  evenly_spaced(const Eigen::Matrix3Xd &x, const Index segments)
  {
    const double     step = polygon_length(x) / segments;
    Eigen::Matrix3Xd result(3, segments + 1);
    double           done = 0.;
    Index            next = 0;
    for (Index i = 1; i < x.cols(); ++i)
      {
        const double piece = (x.col(i) - x.col(i - 1)).norm();
        for (; next <= segments && next * step <= done + piece; ++next)
          {
            const double s   = piece > 0. ? (next * step - done) / piece : 0.;
            result.col(next) = (1. - s) * x.col(i - 1) + s * x.col(i);
          }
        done += piece;
      }
    for (; next <= segments; ++next)
      result.col(next) = x.col(x.cols() - 1);
    return result;
  }
} // namespace slender
