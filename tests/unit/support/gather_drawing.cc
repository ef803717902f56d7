// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/gather_drawing.h"

namespace slender::test
{
  namespace
  {
    /// The values of all ranks one after the other, on the first rank.
    template <class T>
    std::vector<T>
    gather_values(const std::vector<T> &mine,
                  MPI_Datatype          type,
                  MPI_Comm              communicator)
    {
      int n_ranks;
      MPI_Comm_size(communicator, &n_ranks);
      std::vector<int> counts(n_ranks, 0), begins(n_ranks + 1, 0);
      const int        count = static_cast<int>(mine.size());
      MPI_Gather(
        &count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator);
      for (int r = 0; r < n_ranks; ++r)
        begins[r + 1] = begins[r] + counts[r];
      std::vector<T> all(begins.back());
      MPI_Gatherv(mine.data(),
                  count,
                  type,
                  all.data(),
                  counts.data(),
                  begins.data(),
                  type,
                  0,
                  communicator);
      return all;
    }

    void
    gather_fields(std::vector<Drawing::Field> &fields, MPI_Comm communicator)
    {
      for (Drawing::Field &field : fields)
        {
          const std::vector<double> all =
            gather_values(std::vector<double>(field.values.data(),
                                              field.values.data() +
                                                field.values.size()),
                          MPI_DOUBLE,
                          communicator);
          field.values =
            Eigen::Map<const Eigen::MatrixXd>(all.data(),
                                              field.values.rows(),
                                              static_cast<Index>(all.size()) /
                                                field.values.rows());
        }
    }
  } // namespace

  Drawing
  gather_drawing(const Drawing &piece, MPI_Comm communicator)
  {
    int rank, n_ranks;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);
    if (n_ranks == 1)
      return piece;

    std::vector<double> coordinates;
    for (const Vector3 &point : piece.points)
      coordinates.insert(coordinates.end(), point.data(), point.data() + 3);
    coordinates = gather_values(coordinates, MPI_DOUBLE, communicator);

    // Points of a piece are numbered from those of the ranks before.
    const int n_points = static_cast<int>(piece.points.size());
    int       first    = 0;
    MPI_Exscan(&n_points, &first, 1, MPI_INT, MPI_SUM, communicator);
    if (rank == 0)
      first = 0;
    std::vector<int> cells; // shape, number of points, points
    for (const Drawing::Cell &cell : piece.cells)
      {
        cells.push_back(static_cast<int>(cell.shape));
        cells.push_back(static_cast<int>(cell.points.size()));
        for (const Index point : cell.points)
          cells.push_back(first + point);
      }
    cells = gather_values(cells, MPI_INT, communicator);

    Drawing whole;
    whole.point_fields = piece.point_fields;
    whole.cell_fields  = piece.cell_fields;
    whole.globals      = piece.globals;
    gather_fields(whole.point_fields, communicator);
    gather_fields(whole.cell_fields, communicator);
    for (std::size_t i = 0; i < coordinates.size(); i += 3)
      whole.points.emplace_back(coordinates[i],
                                coordinates[i + 1],
                                coordinates[i + 2]);
    for (std::size_t i = 0; i < cells.size(); i += 2 + cells[i + 1])
      whole.cells.push_back(
        {static_cast<Drawing::Shape>(cells[i]),
         std::vector<Index>(cells.begin() + i + 2,
                            cells.begin() + i + 2 + cells[i + 1])});
    return whole;
  }
} // namespace slender::test
