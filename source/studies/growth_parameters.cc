// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/formula.h>
#include <slender/base/table.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/given_table.h>
#include <slender/studies/growth_parameters.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/utilities.h>

#include <cmath>

namespace slender
{
  namespace
  {
    const std::array<std::string, 3> components = {{"11", "22", "12"}};

    /// Nothing where a field is what it is without growth.
    SurfaceField
    field_unless(const std::string &usual,
                 const std::string &text,
                 const std::string &path)
    {
      return text == usual ? SurfaceField() : formula_of_place(text, path);
    }

    /// Forms of cells, one in each row of a file.
    std::vector<GrowthSample>
    read_forms(const std::string &file, const std::string &path)
    {
      const Table table = read_given_table(file, path);
      if (table.columns() !=
          std::vector<std::string>{"a11", "a22", "a12", "b11", "b22", "b12"})
        throw InputError("'" + file +
                           "' needs the columns a11, a22, a12, b11, b22, b12",
                         path);
      std::vector<GrowthSample> result(table.rows().size());
      if (result.empty())
        throw InputError("'" + file + "' has no rows", path);
      for (int i = 0; i < 3; ++i)
        {
          const auto a = table.column("a" + components[i]);
          const auto b = table.column("b" + components[i]);
          for (std::size_t c = 0; c < result.size(); ++c)
            {
              result[c].metric(i)             = a[c];
              result[c].curvature(i)          = b[c];
              result[c].is_curvature_given[i] = true;
              if (!std::isfinite(a[c]) || !std::isfinite(b[c]))
                throw InputError("row " + std::to_string(c + 1) + " of '" +
                                   file + "' does not have six numbers",
                                 path);
            }
        }
      for (std::size_t c = 0; c < result.size(); ++c)
        {
          const Vector3 &a = result[c].metric;
          if (!(a(0) > 0. && a(0) * a(1) - a(2) * a(2) > 0.))
            throw InputError("the metric in row " + std::to_string(c + 1) +
                               " of '" + file + "' is not positive definite",
                             path);
        }
      return result;
    }

    /// One number for all directions, or two.
    Eigen::Vector2d
    along_and_across(const std::string &list)
    {
      const auto numbers = dealii::Utilities::string_to_double(
        dealii::Utilities::split_string_list(list));
      return {numbers.front(), numbers.back()};
    }
  } // namespace

  void
  GrowthParameters::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Growth");
    prm.add_parameter("Law",
                      law,
                      "How the stress-free shell differs from its surface. "
                      "'prescribed': by metric and curvature; 'exponential': "
                      "lengths by exp(expansion * moisture), alike through the "
                      "thickness; 'swelling': by 1 + expansion * moisture, "
                      "linearly through the thickness; 'bilayer': the same in "
                      "two layers of half the thickness. The first axis of all "
                      "forms is the 'Natural direction' of the shell (x of a "
                      "plane): the machine direction of paper.",
                      Selection(
                        "none|prescribed|exponential|swelling|bilayer"));
    prm.add_parameter("Amount",
                      amount,
                      "How much of it comes about [1]: the parameter 'growth' "
                      "goes from 0 to this like a load.",
                      Double());
    for (int i = 0; i < 3; ++i)
      prm.add_parameter("Metric " + components[i],
                        metric[i],
                        "For 'prescribed': component of the stress-free metric "
                        "[1], a formula in x, y, z of the surface at rest.",
                        Anything());
    for (int i = 0; i < 3; ++i)
      prm.add_parameter("Curvature " + components[i],
                        curvature[i],
                        "For 'prescribed': component of the stress-free "
                        "curvature [1/length], a formula in x, y, z; as the "
                        "surface has it where empty. It is positive where the "
                        "surface bends towards its normal.",
                        Anything());
    prm.add_parameter("Forms file",
                      file,
                      "For 'prescribed', instead of formulas: a CSV file with "
                      "the columns a11, a22, a12 (metric [1]) and b11, b22, "
                      "b12 (curvature [1/length]) and a row for each cell of "
                      "the shell, or each of its triangles, in their order: "
                      "that of the mesh file; cells of a rectangle first along "
                      "u, then along v, and each in two triangles.",
                      Anything());
    prm.add_parameter("Moisture top",
                      top,
                      "What is in the shell on the side of its normal: "
                      "moisture, heat or growth [1], a formula in x, y, z.",
                      Anything());
    prm.add_parameter("Moisture bottom",
                      bottom,
                      "The same on the other side [1].",
                      Anything());
    prm.add_parameter("Expansion",
                      expansion,
                      "Relative change of length for each unit of moisture "
                      "[1]; two numbers for that along and across the natural "
                      "direction. Of the upper layer of a bilayer.",
                      List(Double(), 1, 2));
    prm.add_parameter("Bottom expansion",
                      expansion_bottom,
                      "The same of the lower layer of a bilayer [1].",
                      List(Double(), 1, 2));
    prm.add_parameter("Thickness factor",
                      thickness,
                      "Thickness of the shell over the 'Thickness' that is "
                      "given [1], a formula in x, y, z: ribs. It has no law "
                      "and does not grow.",
                      Anything());
    prm.add_parameter("Stiffness factor",
                      stiffness,
                      "The same of Young's modulus [1].",
                      Anything());
    prm.leave_subsection();
  }

  GrowthLaw
  GrowthParameters::make() const
  {
    GrowthLaw result;
    result.kind = law == "prescribed"    ? GrowthKind::prescribed
                  : law == "exponential" ? GrowthKind::exponential
                  : law == "swelling"    ? GrowthKind::swelling
                  : law == "bilayer"     ? GrowthKind::bilayer
                                         : GrowthKind::none;
    const GrowthParameters usual;
    for (int i = 0; i < 3; ++i)
      {
        result.metric[i] = field_unless(usual.metric[i],
                                        metric[i],
                                        "Growth/Metric " + components[i]);
        result.curvature[i] =
          field_unless("", curvature[i], "Growth/Curvature " + components[i]);
      }
    if (!file.empty())
      result.cells = read_forms(file, "Growth/Forms file");
    result.moisture_top = field_unless("0", top, "Growth/Moisture top");
    result.moisture_bottom =
      field_unless("0", bottom, "Growth/Moisture bottom");
    result.thickness = field_unless("1", thickness, "Growth/Thickness factor");
    result.stiffness = field_unless("1", stiffness, "Growth/Stiffness factor");
    result.expansion = along_and_across(expansion);
    result.expansion_bottom = along_and_across(expansion_bottom);
    return result;
  }

  void
  GrowthParameters::check() const
  {
    make();
    const GrowthParameters usual;
    const auto             check = [&](const bool         matters,
                           const auto        &value,
                           const auto        &otherwise,
                           const std::string &name,
                           const char        *laws) {
      check_idle(matters,
                 value,
                 otherwise,
                 "Growth/" + name,
                 std::string("'Law' is ") + laws);
    };
    const bool is_prescribed = law == "prescribed";
    for (int i = 0; i < 3; ++i)
      {
        check(is_prescribed,
              metric[i],
              usual.metric[i],
              "Metric " + components[i],
              "'prescribed'");
        check(is_prescribed,
              curvature[i],
              usual.curvature[i],
              "Curvature " + components[i],
              "'prescribed'");
      }
    check(is_prescribed, file, usual.file, "Forms file", "'prescribed'");
    if (!file.empty() &&
        (metric != usual.metric || curvature != usual.curvature))
      throw InputError("metric and curvature are given by formulas and by a "
                       "file",
                       "Growth/Forms file");
    const bool  is_moist = depends_on_moisture();
    const char *moist    = "'exponential', 'swelling' or 'bilayer'";
    check(is_moist, top, usual.top, "Moisture top", moist);
    check(is_moist, bottom, usual.bottom, "Moisture bottom", moist);
    check(is_moist, expansion, usual.expansion, "Expansion", moist);
    check(law == "bilayer",
          expansion_bottom,
          usual.expansion_bottom,
          "Bottom expansion",
          "'bilayer'");
    check(grows(), amount, usual.amount, "Amount", "not 'none'");
    if (law == "exponential")
      {
        const Eigen::Vector2d mu = along_and_across(expansion);
        if (mu.isZero())
          throw InputError("without an expansion nothing grows",
                           "Growth/Expansion");
      }
  }
} // namespace slender
