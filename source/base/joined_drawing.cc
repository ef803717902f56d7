// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/joined_drawing.h>

#include <algorithm>

namespace slender
{
  namespace
  {
    /// Values of one field at the points (or on the cells) of several
    /// drawings; those that do not have it get zeros.
    std::vector<Drawing::Field>
    joined_fields(const std::vector<Drawing> &drawings, const bool of_points)
    {
      const auto fields = [&](const Drawing &d) -> const auto &
      {
        return of_points ? d.point_fields : d.cell_fields;
      };
      const auto count = [&](const Drawing &d) {
        return static_cast<Eigen::Index>(of_points ? d.points.size()
                                                   : d.cells.size());
      };
      std::vector<Drawing::Field> result;
      Eigen::Index                n = 0;
      for (const Drawing &d : drawings)
        {
          for (const Drawing::Field &field : fields(d))
            if (std::none_of(result.begin(),
                             result.end(),
                             [&](const Drawing::Field &other) {
                               return other.name == field.name;
                             }))
              result.push_back(
                {field.name, Eigen::MatrixXd(field.values.rows(), 0)});
          n += count(d);
        }
      for (Drawing::Field &field : result)
        {
          field.values    = Eigen::MatrixXd::Zero(field.values.rows(), n);
          Eigen::Index at = 0;
          for (const Drawing &d : drawings)
            {
              for (const Drawing::Field &own : fields(d))
                if (own.name == field.name &&
                    own.values.rows() == field.values.rows())
                  field.values.middleCols(at, count(d)) = own.values;
              at += count(d);
            }
        }
      return result;
    }
  } // namespace

  Drawing
  joined(const std::vector<Drawing> &drawings)
  {
    Drawing whole;
    for (const Drawing &d : drawings)
      {
        const auto first = static_cast<Index>(whole.points.size());
        whole.points.insert(whole.points.end(),
                            d.points.begin(),
                            d.points.end());
        for (Drawing::Cell cell : d.cells)
          {
            for (Index &point : cell.points)
              point += first;
            whole.cells.push_back(std::move(cell));
          }
      }
    whole.point_fields = joined_fields(drawings, true);
    whole.cell_fields  = joined_fields(drawings, false);
    return whole;
  }
} // namespace slender
