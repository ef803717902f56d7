// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/messages.h"
#include "support/playground.h"

#include <slender/output/series_file.h>
#include <slender/output/shape_file.h>
#include <slender/output/spread.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace
{
  using namespace slender;
  using namespace slender::test;
  using Numbers = std::vector<std::int64_t>;

  Drawing
  curve()
  {
    Drawing drawing;
    drawing.points = {{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}};
    drawing.cells  = {{Drawing::Shape::poly_line, {0, 1, 2}}};
    drawing.point_fields.push_back({"curvature", Eigen::MatrixXd::Ones(1, 3)});
    return drawing;
  }

  Drawing
  surface()
  {
    Drawing drawing;
    drawing.points = {{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}};
    drawing.cells  = {{Drawing::Shape::triangle, {0, 1, 2}}};
    return drawing;
  }

  boost::property_tree::ptree
  parsed(const fs::path &file)
  {
    boost::property_tree::ptree tree;
    boost::property_tree::read_xml(file.string(), tree);
    return tree;
  }

  struct SeriesPlayground : Playground
  {
    SeriesPlayground()
      : files(root, 0)
      , pvd(root / "fields" / "shapes.pvd")
    {}

    /// Writes a shape and adds it.
    void
    add(SeriesFile &series, const std::int64_t number)
    {
      const double time = 0.1 * static_cast<double>(number);
      series.add({number,
                  time,
                  write_shape(files,
                              SeriesFile::stem("shapes", number),
                              curve(),
                              {"load [force]", time},
                              MPI_COMM_SELF)});
    }

    /// The shapes that ParaView would find, all of which have to be there.
    Numbers
    shapes() const
    {
      Numbers numbers;
      for (const SeriesFile::Entry &entry : SeriesFile::read(pvd))
        {
          BOOST_TEST(fs::exists(root / "fields" / entry.file));
          numbers.push_back(entry.number);
        }
      // As another reader sees it.
      const auto tree = parsed(pvd);
      BOOST_TEST(tree.get_child("VTKFile.Collection").count("DataSet") ==
                 numbers.size());
      return numbers;
    }

    /// Files of shapes in the folder, whether listed or not.
    std::size_t
    n_files() const
    {
      std::size_t n = 0;
      for (const auto &item : content(root / "fields"))
        n += holds(item.first, "shapes_") ? 1 : 0;
      return n;
    }

    RunFiles files;
    fs::path pvd;
  };
} // namespace



BOOST_FIXTURE_TEST_SUITE(series_file, SeriesPlayground)

BOOST_AUTO_TEST_CASE(a_series_is_complete_after_every_shape)
{
  SeriesFile series(files, "shapes", "load [force] -- <of> the end");
  BOOST_TEST(!fs::exists(root / "fields"));
  Numbers expected;
  for (const std::int64_t number : {0, 1, 7, 3, 12345})
    {
      add(series, number);
      expected.push_back(number);
      BOOST_TEST((shapes() == expected));
    }
  BOOST_TEST(series.position().shapes == 5);
  BOOST_TEST(series.position().last == 12345);
  BOOST_TEST(holds(get(pvd), "<!-- time: load [force] - "));
  BOOST_TEST(SeriesFile::read(pvd)[2].time == 0.1 * 7);
}

BOOST_AUTO_TEST_CASE(curves_are_poly_data_and_name_their_time)
{
  SeriesFile series(files, "shapes", "load [force]");
  add(series, 3);
  const auto tree = parsed(root / "fields" / "shapes_0003.vtp");
  BOOST_TEST(tree.get<std::string>("VTKFile.<xmlattr>.type") == "PolyData");
  const auto &data = tree.get_child("VTKFile.PolyData");
  BOOST_TEST(data.get<std::string>("FieldData.DataArray.<xmlattr>.Name") ==
             "load [force]");
  const auto &piece = data.get_child("Piece");
  BOOST_TEST(piece.get<int>("<xmlattr>.NumberOfPoints") == 3);
  BOOST_TEST(piece.get<int>("<xmlattr>.NumberOfLines") == 1);
  BOOST_TEST(piece.get_child("Lines").count("DataArray") == 2u);
  BOOST_TEST(piece.get<std::string>("PointData.<xmlattr>.Scalars") ==
             "curvature");
}

BOOST_AUTO_TEST_CASE(surfaces_are_grids)
{
  const auto write = [this](const Drawing &drawing) {
    return write_shape(
      files, "fields/one_0000", drawing, {"time", 1.}, MPI_COMM_SELF);
  };
  BOOST_TEST(write(curve()) == "one_0000.vtp");
  // The earlier one of the same number does not stay beside it.
  BOOST_TEST(write(surface()) == "one_0000.vtu");
  BOOST_TEST(!fs::exists(root / "fields" / "one_0000.vtp"));
}

BOOST_AUTO_TEST_CASE(names_may_hold_anything)
{
  Drawing drawing              = curve();
  drawing.point_fields[0].name = "a < b & \"c\"\x01\x1f\n'd'";
  write_shape(
    files, "fields/odd_0000", drawing, {"x > y\x02", 1.}, MPI_COMM_SELF);
  const auto tree = parsed(root / "fields" / "odd_0000.vtp");
  BOOST_TEST(tree.get<std::string>("VTKFile.PolyData.Piece.PointData.DataArray."
                                   "<xmlattr>.Name") == "a < b & \"c\"'d'");
  BOOST_TEST(tree.get<std::string>(
               "VTKFile.PolyData.FieldData.DataArray.<xmlattr>.Name") ==
             "x > y");
}

BOOST_AUTO_TEST_CASE(a_series_goes_on_from_an_earlier_position)
{
  SeriesFile::Position position;
  {
    SeriesFile series(files, "shapes", "load [force]");
    for (const std::int64_t number : {0, 5, 2})
      add(series, number);
    position = series.position();
    add(series, 3);
    add(series, 1);
  }
  SeriesFile series(files, "shapes", "load [force]", position);
  BOOST_TEST((shapes() == Numbers{0, 5, 2}));
  BOOST_TEST(n_files() == 3u);
  add(series, 4);
  BOOST_TEST((shapes() == Numbers{0, 5, 2, 4}));
  BOOST_TEST(series.position().last == 5);

  check_message(message_of([&] {
                  SeriesFile(files, "shapes", "load [force]", {9, 1, 9});
                }),
                "fewer shapes than at the checkpoint");
  check_message(message_of(
                  [&] { SeriesFile(files, "shapes", "gravity", position); }),
                "its time is not 'gravity'");
  check_message(message_of(
                  [&] { SeriesFile(files, "others", "gravity", position); }),
                "cannot be read");
  put(pvd, "<?xml?>\n\n\n<DataSet timestep=\"x\" file=\"shapes_0001.vtp\"/>\n");
  check_message(message_of([&] { SeriesFile::read(pvd); }), "not a number");
}

BOOST_AUTO_TEST_CASE(pieces_that_another_rank_removed_are_not_missed)
{
  RunFiles of_another_rank(root, 1);
  of_another_rank.write("fields/shapes_0001_1.vtp",
                        [](std::ostream &out) { out << "piece"; });
  fs::remove(root / "fields" / "shapes_0001_1.vtp");
  BOOST_CHECK_NO_THROW(of_another_rank.sync());
}

BOOST_AUTO_TEST_CASE(a_series_without_shapes_has_no_file)
{
  SeriesFile::Position position;
  {
    SeriesFile series(files, "shapes", "load [force]");
    series.thin(2);
    series.sync();
    position = series.position();
    add(series, 0);
  }
  // All shapes came after that position.
  SeriesFile series(files, "shapes", "load [force]", position);
  BOOST_TEST(!fs::exists(pvd));
  BOOST_TEST(series.position().shapes == 0);
  add(series, 4);
  BOOST_TEST((shapes() == Numbers{4}));
  BOOST_TEST(series.position().last == 4);
}

BOOST_AUTO_TEST_CASE(a_series_of_unknown_length_is_thinned_evenly)
{
  const std::int64_t count = 5;
  SeriesFile         series(files, "shapes", "load [force]");
  for (std::int64_t i = 0; i < 100; ++i)
    {
      const std::int64_t stride = spread_stride(i, count);
      if (i % stride != 0)
        continue;
      series.thin(stride);
      add(series, i);

      const Numbers found = shapes();
      BOOST_TEST(found.size() <= 2u * count);
      BOOST_TEST((i < count || found.size() >= 1u * count));
      BOOST_TEST(found.size() == n_files());
      for (std::size_t k = 0; k < found.size(); ++k)
        BOOST_TEST(found[k] == stride * static_cast<std::int64_t>(k));
    }
  BOOST_TEST((shapes() == Numbers{0, 16, 32, 48, 64, 80, 96}));
}

BOOST_AUTO_TEST_CASE(a_thinned_series_is_resumed_as_if_never_interrupted)
{
  const std::int64_t count = 3;
  const auto         run =
    [&](SeriesFile &series, const std::int64_t begin, const std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        if (i % spread_stride(i, count) == 0)
          {
            series.thin(spread_stride(i, count));
            add(series, i);
          }
    };
  std::string expected;
  {
    SeriesFile series(files, "shapes", "load [force]");
    run(series, 0, 40);
    expected = get(pvd);
  }
  for (std::int64_t saved = 0; saved < 40; ++saved)
    for (const std::int64_t killed : {saved, saved + 1, saved + 7, saved + 30L})
      {
        SeriesFile::Position position;
        {
          SeriesFile series(files, "shapes", "load [force]");
          run(series, 0, saved);
          position = series.position();
          run(series, saved, std::min<std::int64_t>(40, killed));
        }
        SeriesFile series(files, "shapes", "load [force]", position);
        run(series, saved, 40);
        BOOST_TEST(get(pvd) == expected, saved << ' ' << killed);
        shapes();
        BOOST_TEST(n_files() == 5u);
      }
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_a_whole_series)
{
  const SmallDisk disk(root / "disk", 12288);
  if (!disk.is_there())
    return;
  RunFiles    small(root / "disk", 0);
  SeriesFile  series(small, "shapes", "load");
  std::size_t n_shapes = 0;
  BOOST_CHECK_THROW(
    for (; n_shapes < 1000; ++n_shapes)
      series.add({static_cast<std::int64_t>(n_shapes), 0., "shapes_0000.vtp"}),
    DiskError);
  const fs::path file = root / "disk" / "fields" / "shapes.pvd";
  BOOST_TEST(n_shapes > 10u);
  BOOST_TEST(SeriesFile::read(file).size() == n_shapes);
  BOOST_TEST(parsed(file).get_child("VTKFile.Collection").count("DataSet") ==
             n_shapes);
}

BOOST_AUTO_TEST_CASE(a_thousand_shapes_take_no_memory)
{
  Drawing large = curve();
  large.points.assign(1000, {0., 0., 1.});
  large.point_fields[0].values = Eigen::MatrixXd::Random(1, 1000);
  SeriesFile series(files, "shapes", "load [force]");
  const auto run = [&](const std::int64_t begin, const std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      series.add({i,
                  1. * static_cast<double>(i),
                  write_shape(files,
                              SeriesFile::stem("shapes", i),
                              large,
                              {"load [force]", 0.},
                              MPI_COMM_SELF)});
  };
  run(0, 20);
  forget_peak();
  const long before = peak_memory();
  run(20, 1020);
  // The drawings alone would be 32 MB.
  BOOST_TEST(peak_memory() - before < 2048);
  BOOST_TEST(series.position().shapes == 1020);
}

BOOST_AUTO_TEST_CASE(shapes_of_a_sweep_are_spread_evenly)
{
  for (const std::size_t n : {1, 7, 29, 100, 281})
    for (const std::size_t count : {1, 2, 5, 20})
      {
        std::size_t drawn = 0;
        for (std::size_t i = 0; i < n; ++i)
          drawn += is_spread(i, n, count) ? 1 : 0;
        BOOST_TEST(drawn == std::min(n, count));
      }
  BOOST_TEST(!is_spread(0, 10, 0));
}

BOOST_AUTO_TEST_SUITE_END()
