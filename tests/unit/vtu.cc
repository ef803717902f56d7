// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/output/vtu.h>

#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <zlib.h>

namespace
{
  using boost::property_tree::ptree;
  using boost::test_tools::per_element;
  using slender::Drawing;
  using slender::Vector3;

  /// A rod and two shells over seven points, with fields of both kinds.
  Drawing
  example()
  {
    using Shape = Drawing::Shape;
    Drawing drawing;
    drawing.points       = {Vector3(0., 0., 0.),
                            Vector3(1., 0., 0.),
                            Vector3(1., 1., 0.),
                            Vector3(0., 1., 0.),
                            Vector3(0., 0., 1. / 3.),
                            Vector3(0., 0., -1e-300),
                            Vector3(0., 0., 1e300)};
    drawing.cells        = {{Shape::poly_line, {0, 4, 5, 6}},
                            {Shape::triangle, {0, 1, 2}},
                            {Shape::lagrange_quad, {0, 1, 2, 3}}};
    drawing.point_fields = {{"director", Eigen::MatrixXd::Random(3, 7)},
                            {"radius", Eigen::MatrixXd::Random(1, 7)},
                            {"width", Eigen::MatrixXd::Random(1, 7)}};
    drawing.cell_fields  = {{"energy", Eigen::MatrixXd::Random(1, 3)}};
    drawing.globals      = {{"load", 0.1}, {"total energy", -2.5}};
    return drawing;
  }



  std::string
  text(const Drawing &drawing)
  {
    std::ostringstream out;
    write_vtu(out, drawing);
    return out.str();
  }



  ptree
  parsed(const std::string &xml)
  {
    std::istringstream in(xml);
    ptree              tree;
    read_xml(in, tree, boost::property_tree::xml_parser::trim_whitespace);
    return tree;
  }



  ptree
  piece(const ptree &file)
  {
    return file.get_child("VTKFile.UnstructuredGrid.Piece");
  }



  std::string
  attribute(const ptree &element, const std::string &name)
  {
    return element.get<std::string>("<xmlattr>." + name);
  }



  const ptree &
  array(const ptree &parent, const std::string &name)
  {
    const auto found =
      std::find_if(parent.begin(), parent.end(), [&name](const auto &child) {
        return child.first == "DataArray" &&
               attribute(child.second, "Name") == name;
      });
    BOOST_REQUIRE_MESSAGE(found != parent.end(), "no array " + name);
    return found->second;
  }



  std::vector<unsigned char>
  from_base64(std::string code)
  {
    using namespace boost::archive::iterators;
    using Decoder =
      transform_width<binary_from_base64<std::string::const_iterator>, 8, 6>;
    BOOST_REQUIRE(code.size() % 4 == 0);
    const std::size_t n_pads = std::count(code.begin(), code.end(), '=');
    std::replace(code.begin(), code.end(), '=', 'A');
    std::vector<unsigned char> bytes(Decoder(code.cbegin()),
                                     Decoder(code.cend()));
    bytes.resize(bytes.size() - n_pads);
    return bytes;
  }



  template <typename Number>
  std::vector<Number>
  reinterpreted(const std::vector<unsigned char> &bytes)
  {
    BOOST_REQUIRE(bytes.size() % sizeof(Number) == 0);
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!bytes.empty())
      std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }



  /// Decodes what VTK calls "inline binary with zlib", of at most one block.
  template <typename Number>
  std::vector<Number>
  values(const ptree &data_array)
  {
    BOOST_TEST(attribute(data_array, "format") == "binary");
    // Three or four numbers of 8 bytes, each group of 3 bytes in 4 letters.
    const std::string &code = data_array.data();
    const auto         n_blocks =
      reinterpreted<std::uint64_t>(from_base64(code.substr(0, 32)))[0];
    if (n_blocks == 0)
      {
        BOOST_TEST(code.size() == 32u);
        return {};
      }
    BOOST_REQUIRE(n_blocks == 1u);
    const auto header =
      reinterpreted<std::uint64_t>(from_base64(code.substr(0, 44)));
    const auto block = from_base64(code.substr(44));
    BOOST_TEST(header.at(1) > 0u);
    BOOST_TEST(header.at(2) == header.at(1));
    BOOST_TEST(header.at(3) == block.size());

    std::vector<unsigned char> bytes(header[1]);
    uLongf                     size = bytes.size();
    BOOST_REQUIRE(uncompress(bytes.data(), &size, block.data(), block.size()) ==
                  Z_OK);
    BOOST_TEST(size == bytes.size());
    return reinterpreted<Number>(bytes);
  }



  std::vector<double>
  flat(const Eigen::MatrixXd &matrix)
  {
    return {matrix.data(), matrix.data() + matrix.size()};
  }
} // namespace



BOOST_AUTO_TEST_SUITE(vtu)

BOOST_AUTO_TEST_CASE(the_file_says_what_it_is)
{
  const ptree file = parsed(text(example())).get_child("VTKFile");
  BOOST_TEST(attribute(file, "type") == "UnstructuredGrid");
  BOOST_TEST(attribute(file, "version") == "1.0");
  BOOST_TEST(attribute(file, "header_type") == "UInt64");
  BOOST_TEST(attribute(file, "compressor") == "vtkZLibDataCompressor");
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  BOOST_TEST(attribute(file, "byte_order") == "LittleEndian");
#else
  BOOST_TEST(attribute(file, "byte_order") == "BigEndian");
#endif
}

BOOST_AUTO_TEST_CASE(points_come_back_exactly)
{
  const ptree grid = piece(parsed(text(example())));
  BOOST_TEST(attribute(grid, "NumberOfPoints") == "7");
  const ptree &points = array(grid.get_child("Points"), "Points");
  BOOST_TEST(attribute(points, "type") == "Float64");
  BOOST_TEST(attribute(points, "NumberOfComponents") == "3");
  std::vector<double> expected;
  for (const Vector3 &point : example().points)
    expected.insert(expected.end(), point.data(), point.data() + 3);
  BOOST_TEST(values<double>(points) == expected, per_element());
}

BOOST_AUTO_TEST_CASE(cells_come_back_with_their_shapes)
{
  const ptree grid  = piece(parsed(text(example())));
  const ptree cells = grid.get_child("Cells");
  BOOST_TEST(attribute(grid, "NumberOfCells") == "3");
  BOOST_TEST(attribute(array(cells, "connectivity"), "type") == "Int64");
  BOOST_TEST(attribute(array(cells, "offsets"), "type") == "Int64");
  BOOST_TEST(attribute(array(cells, "types"), "type") == "UInt8");

  const std::vector<std::int64_t> connectivity = {
    0, 4, 5, 6, 0, 1, 2, 0, 1, 2, 3};
  const std::vector<std::int64_t> offsets = {4, 7, 11};
  const std::vector<std::uint8_t> types   = {4, 5, 70};
  BOOST_TEST(values<std::int64_t>(array(cells, "connectivity")) == connectivity,
             per_element());
  BOOST_TEST(values<std::int64_t>(array(cells, "offsets")) == offsets,
             per_element());
  BOOST_TEST(values<std::uint8_t>(array(cells, "types")) == types,
             per_element());
}

BOOST_AUTO_TEST_CASE(fields_come_back_exactly)
{
  const Drawing drawing = example();
  const ptree   grid    = piece(parsed(text(drawing)));
  for (const Drawing::Field &field : drawing.point_fields)
    {
      const ptree &data = array(grid.get_child("PointData"), field.name);
      BOOST_TEST(attribute(data, "NumberOfComponents") ==
                 std::to_string(field.values.rows()));
      BOOST_TEST(values<double>(data) == flat(field.values), per_element());
    }
  const Drawing::Field &energy = drawing.cell_fields[0];
  BOOST_TEST(values<double>(array(grid.get_child("CellData"), "energy")) ==
               flat(energy.values),
             per_element());
}

BOOST_AUTO_TEST_CASE(the_first_scalar_and_the_first_vector_are_active)
{
  const ptree grid       = piece(parsed(text(example())));
  const ptree point_data = grid.get_child("PointData");
  BOOST_TEST(attribute(point_data, "Scalars") == "radius");
  BOOST_TEST(attribute(point_data, "Vectors") == "director");
  const ptree cell_data = grid.get_child("CellData");
  BOOST_TEST(attribute(cell_data, "Scalars") == "energy");
  BOOST_TEST(!cell_data.get_optional<std::string>("<xmlattr>.Vectors"));
}

BOOST_AUTO_TEST_CASE(globals_are_field_data_of_one_value)
{
  const ptree file   = parsed(text(example()));
  const ptree fields = file.get_child("VTKFile.UnstructuredGrid.FieldData");
  for (const auto &[name, value] : example().globals)
    {
      BOOST_TEST(attribute(array(fields, name), "NumberOfTuples") == "1");
      const std::vector<double> expected = {value};
      BOOST_TEST(values<double>(array(fields, name)) == expected,
                 per_element());
    }
}

BOOST_AUTO_TEST_CASE(long_arrays_come_back_exactly)
{
  // Of all lengths modulo three, the unit of base64, and of data that zlib can
  // and cannot make smaller.
  std::mt19937_64                  random(1);
  std::normal_distribution<double> normal;
  for (const int n_points : {1, 2, 3, 10000, 10001, 10002})
    {
      Drawing drawing;
      drawing.points.assign(n_points, Vector3(1., 2., 3.));
      drawing.point_fields = {{"noise", Eigen::MatrixXd(1, n_points)},
                              {"zero", Eigen::MatrixXd::Zero(1, n_points)}};
      for (double &value : drawing.point_fields[0].values.reshaped())
        value = normal(random);
      const ptree data = piece(parsed(text(drawing))).get_child("PointData");
      for (const Drawing::Field &field : drawing.point_fields)
        BOOST_TEST(values<double>(array(data, field.name)) ==
                     flat(field.values),
                   per_element());
    }
}

BOOST_AUTO_TEST_CASE(names_may_hold_any_sign)
{
  const std::string name       = "<a> & \"b\" 'c'";
  Drawing           drawing    = example();
  drawing.point_fields[1].name = name;
  drawing.globals[0].first     = name;
  const std::string xml        = text(drawing);
  const ptree       file       = parsed(xml);
  BOOST_TEST(attribute(piece(file).get_child("PointData"), "Scalars") == name);
  array(piece(file).get_child("PointData"), name);
  array(file.get_child("VTKFile.UnstructuredGrid.FieldData"), name);
  // This parser is lenient; others are not.
  BOOST_TEST(xml.find("&lt;a&gt; &amp; &quot;b&quot; &apos;c&apos;") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_drawing_is_a_valid_file)
{
  const ptree grid = piece(parsed(text(Drawing())));
  BOOST_TEST(attribute(grid, "NumberOfPoints") == "0");
  BOOST_TEST(attribute(grid, "NumberOfCells") == "0");
  BOOST_TEST(values<double>(array(grid.get_child("Points"), "Points")).empty());
  for (const std::string name : {"connectivity", "offsets"})
    BOOST_TEST(
      values<std::int64_t>(array(grid.get_child("Cells"), name)).empty());
}

BOOST_AUTO_TEST_CASE(fields_must_have_a_column_for_each_point_or_cell)
{
  Drawing drawing                = example();
  drawing.point_fields[0].values = Eigen::MatrixXd::Zero(3, 6);
  BOOST_CHECK_THROW(text(drawing), std::logic_error);
  drawing                       = example();
  drawing.cell_fields[0].values = Eigen::MatrixXd::Zero(1, 4);
  BOOST_CHECK_THROW(text(drawing), std::logic_error);
  drawing                        = example();
  drawing.point_fields[0].values = Eigen::MatrixXd::Zero(0, 7);
  BOOST_CHECK_THROW(text(drawing), std::logic_error);
}

BOOST_AUTO_TEST_CASE(cells_must_refer_to_points_that_exist)
{
  for (const int point : {-1, 7})
    {
      Drawing drawing         = example();
      drawing.cells[0].points = {0, point};
      BOOST_CHECK_THROW(text(drawing), std::logic_error);
    }
}

BOOST_AUTO_TEST_CASE(cells_must_have_as_many_points_as_their_shape)
{
  using Shape              = Drawing::Shape;
  const auto is_acceptable = [](const Shape shape, const int n_points) {
    Drawing drawing;
    drawing.points.assign(10, Vector3::Zero());
    drawing.cells = {{shape, {}}};
    for (int point = 0; point < n_points; ++point)
      drawing.cells[0].points.push_back(point);
    try
      {
        text(drawing);
      }
    catch (const std::logic_error &)
      {
        return false;
      }
    return true;
  };
  for (int n_points = 0; n_points <= 10; ++n_points)
    {
      BOOST_TEST(is_acceptable(Shape::poly_line, n_points) == (n_points >= 2));
      BOOST_TEST(is_acceptable(Shape::triangle, n_points) == (n_points == 3));
      BOOST_TEST(is_acceptable(Shape::quad, n_points) == (n_points == 4));
      BOOST_TEST(is_acceptable(Shape::lagrange_quad, n_points) ==
                 (n_points == 4 || n_points == 9));
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_written_of_an_inconsistent_drawing)
{
  Drawing drawing                = example();
  drawing.point_fields[0].values = Eigen::MatrixXd::Zero(3, 6);
  std::ostringstream out;
  BOOST_CHECK_THROW(write_vtu(out, drawing), std::logic_error);
  BOOST_TEST(out.str().empty());
}

BOOST_AUTO_TEST_SUITE_END()
