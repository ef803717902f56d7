// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/vtu.h>
#include <slender/output/xml.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <zlib.h>

namespace slender
{
  namespace
  {
    using xml::attribute;
    using xml::escaped;

    using Bytes = std::vector<unsigned char>;

    template <typename Number>
    constexpr const char *vtk_type = nullptr;
    template <>
    constexpr const char *vtk_type<double> = "Float64";
    template <>
    constexpr const char *vtk_type<std::int64_t> = "Int64";
    template <>
    constexpr const char *vtk_type<std::uint8_t> = "UInt8";

    std::string
    base64(const Bytes &bytes)
    {
      static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      std::string result;
      result.reserve((bytes.size() + 2) / 3 * 4);
      for (std::size_t start = 0; start < bytes.size(); start += 3)
        {
          const std::size_t n_bytes =
            std::min<std::size_t>(3, bytes.size() - start);
          std::uint32_t group = 0;
          for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < n_bytes ? bytes[start + i] : 0u);
          for (std::size_t i = 0; i < 4; ++i)
            result += i <= n_bytes ? letters[group >> (18 - 6 * i) & 63u] : '=';
        }
      return result;
    }



    Bytes
    bytes_of(const void *data, const std::size_t size)
    {
      Bytes bytes(size);
      if (size > 0)
        std::memcpy(bytes.data(), data, size);
      return bytes;
    }



    Bytes
    deflated(const Bytes &bytes)
    {
      uLongf size = compressBound(bytes.size());
      Bytes  result(size);
      if (compress(result.data(), &size, bytes.data(), bytes.size()) != Z_OK)
        throw std::runtime_error("zlib could not compress a data array");
      result.resize(size);
      return result;
    }



    /// VTK's inline form of compressed data, here always in one block: the
    /// number of blocks, the size of a block, the size of the last one and the
    /// compressed size of each, then the blocks; numbers and blocks are
    /// encoded apart from each other.
    std::string
    encoded(const Bytes &bytes)
    {
      const auto as_text = [](const std::vector<std::uint64_t> &header) {
        return base64(
          bytes_of(header.data(), header.size() * sizeof(std::uint64_t)));
      };
      if (bytes.empty())
        return as_text({0, 0, 0});
      const Bytes block = deflated(bytes);
      return as_text({1, bytes.size(), bytes.size(), block.size()}) +
             base64(block);
    }



    template <typename Number>
    void
    write_array(std::ostream      &out,
                const std::string &name,
                const std::string &size_attribute,
                const Number      *values,
                const std::size_t  n_values)
    {
      out << "<DataArray type=\"" << vtk_type<Number> << "\" Name=\""
          << escaped(name) << "\" " << size_attribute << " format=\"binary\">\n"
          << encoded(bytes_of(values, n_values * sizeof(Number)))
          << "\n</DataArray>\n";
    }



    std::string
    components(const Eigen::Index n)
    {
      return attribute("NumberOfComponents", std::to_string(n));
    }



    /// The array that ParaView colours by (or draws arrows of) when the file
    /// is opened is the first with the right number of components.
    std::string
    active_attribute(const std::string                 &kind,
                     const Eigen::Index                 n_components,
                     const std::vector<Drawing::Field> &fields)
    {
      for (const Drawing::Field &field : fields)
        if (field.values.rows() == n_components)
          return ' ' + attribute(kind, field.name);
      return "";
    }



    void
    write_fields(std::ostream                      &out,
                 const std::string                 &element,
                 const std::vector<Drawing::Field> &fields)
    {
      out << '<' << element << active_attribute("Scalars", 1, fields)
          << active_attribute("Vectors", 3, fields) << ">\n";
      for (const Drawing::Field &field : fields)
        write_array(out,
                    field.name,
                    components(field.values.rows()),
                    field.values.data(),
                    field.values.size());
      out << "</" << element << ">\n";
    }



    void
    write_globals(std::ostream    &out,
                  const Drawing   &drawing,
                  const NamedTime *time)
    {
      out << "<FieldData>\n";
      const auto write = [&out](const std::string &name, const double &value) {
        write_array(out, name, attribute("NumberOfTuples", "1"), &value, 1);
      };
      if (time != nullptr)
        write(time->name, time->value);
      for (const auto &[name, value] : drawing.globals)
        if (time == nullptr || name != time->name)
          write(name, value);
      out << "</FieldData>\n";
    }



    void
    write_points(std::ostream &out, const Drawing &drawing)
    {
      static_assert(sizeof(Vector3) == 3 * sizeof(double),
                    "points must lie in memory as VTK expects them");
      const std::size_t n_points = drawing.points.size();
      out << "<Points>\n";
      write_array(out,
                  "Points",
                  components(3),
                  n_points > 0 ? drawing.points.front().data() : nullptr,
                  3 * n_points);
      out << "</Points>\n";
    }



    /// The points of all cells one after the other, and where each cell ends.
    void
    write_connectivity(std::ostream &out, const Drawing &drawing)
    {
      std::vector<std::int64_t> connectivity, offsets;
      for (const Drawing::Cell &cell : drawing.cells)
        {
          connectivity.insert(connectivity.end(),
                              cell.points.begin(),
                              cell.points.end());
          offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
        }
      const auto write = [&out](const std::string &name, const auto &values) {
        write_array(out, name, components(1), values.data(), values.size());
      };
      write("connectivity", connectivity);
      write("offsets", offsets);
    }



    void
    write_cells(std::ostream &out, const Drawing &drawing)
    {
      std::vector<std::uint8_t> types;
      for (const Drawing::Cell &cell : drawing.cells)
        types.push_back(static_cast<std::uint8_t>(cell.shape));
      out << "<Cells>\n";
      write_connectivity(out, drawing);
      write_array(out, "types", components(1), types.data(), types.size());
      out << "</Cells>\n";
    }



    void
    write_lines(std::ostream &out, const Drawing &drawing)
    {
      out << "<Lines>\n";
      write_connectivity(out, drawing);
      out << "</Lines>\n";
    }



    bool
    fits(const Drawing::Shape shape, const std::size_t n_points)
    {
      switch (shape)
        {
          case Drawing::Shape::poly_line:
            return n_points >= 2;
          case Drawing::Shape::triangle:
            return n_points == 3;
          case Drawing::Shape::quad:
            return n_points == 4;
          case Drawing::Shape::lagrange_quad:
            {
              // Of the same degree in both directions.
              std::size_t side = 2;
              while (side * side < n_points)
                ++side;
              return side * side == n_points;
            }
        }
      return false;
    }



    void
    check_cells(const Drawing &drawing)
    {
      const std::size_t n_points = drawing.points.size();
      for (std::size_t c = 0; c < drawing.cells.size(); ++c)
        {
          const Drawing::Cell &cell = drawing.cells[c];
          const std::string    name = "cell " + std::to_string(c);
          if (!fits(cell.shape, cell.points.size()))
            throw std::logic_error(name + " cannot have " +
                                   std::to_string(cell.points.size()) +
                                   " points");
          for (const Index point : cell.points)
            if (point < 0 || static_cast<std::size_t>(point) >= n_points)
              throw std::logic_error(name + " refers to point " +
                                     std::to_string(point) + " of " +
                                     std::to_string(n_points));
        }
    }



    void
    check_fields(const std::vector<Drawing::Field> &fields,
                 const std::size_t                  n_tuples,
                 const std::string                 &place)
    {
      for (const Drawing::Field &field : fields)
        if (field.values.rows() == 0 ||
            static_cast<std::size_t>(field.values.cols()) != n_tuples)
          throw std::logic_error(
            "field '" + field.name + "' has " +
            std::to_string(field.values.cols()) + " columns of " +
            std::to_string(field.values.rows()) + " values for " +
            std::to_string(n_tuples) + ' ' + place);
    }



    std::string
    count(const std::string &name, const std::size_t n)
    {
      return ' ' + attribute(name, std::to_string(n));
    }



    /// A file of one piece; `cell_counts` and `write_topology` are what grids
    /// and poly data differ in.
    void
    write_file(std::ostream      &out,
               const Drawing     &drawing,
               const NamedTime   *time,
               const std::string &type,
               const std::string &cell_counts,
               const std::function<void(std::ostream &, const Drawing &)>
                 &write_topology)
    {
      check_cells(drawing);
      check_fields(drawing.point_fields, drawing.points.size(), "points");
      check_fields(drawing.cell_fields, drawing.cells.size(), "cells");

      out << vtk_file_header(type) << '<' << type << ">\n";
      write_globals(out, drawing, time);
      out << "<Piece" << count("NumberOfPoints", drawing.points.size())
          << cell_counts << ">\n";
      write_points(out, drawing);
      write_topology(out, drawing);
      write_fields(out, "PointData", drawing.point_fields);
      write_fields(out, "CellData", drawing.cell_fields);
      out << "</Piece>\n"
          << "</" << type << ">\n"
          << "</VTKFile>\n";
    }
  } // namespace



  std::string
  vtk_file_header(const std::string &type)
  {
    return "<?xml version=\"1.0\"?>\n<VTKFile " + attribute("type", type) +
           " version=\"1.0\" " + xml::byte_order() +
           " header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n";
  }



  bool
  has_curves_alone(const Drawing &drawing)
  {
    return std::all_of(drawing.cells.begin(),
                       drawing.cells.end(),
                       [](const Drawing::Cell &cell) {
                         return cell.shape == Drawing::Shape::poly_line;
                       });
  }



  void
  write_vtu(std::ostream &out, const Drawing &drawing, const NamedTime *time)
  {
    write_file(out,
               drawing,
               time,
               "UnstructuredGrid",
               count("NumberOfCells", drawing.cells.size()),
               write_cells);
  }



  void
  write_vtp(std::ostream &out, const Drawing &drawing, const NamedTime *time)
  {
    if (!has_curves_alone(drawing))
      throw std::logic_error("only curves are written as poly data");
    write_file(out,
               drawing,
               time,
               "PolyData",
               count("NumberOfVerts", 0) +
                 count("NumberOfLines", drawing.cells.size()) +
                 count("NumberOfStrips", 0) + count("NumberOfPolys", 0),
               write_lines);
  }
} // namespace slender
