// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/agreement.h>
#include <slender/output/shape_file.h>
#include <slender/output/vtu.h>
#include <slender/output/xml.h>

#include <deal.II/base/mpi.h>

#include <ostream>
#include <stdexcept>
#include <vector>

namespace slender
{
  namespace fs = std::filesystem;

  namespace
  {
    using xml::attribute;

    constexpr const char *endings[] = {".vtu", ".vtp", ".pvtu", ".pvtp"};



    fs::path
    piece_name(const fs::path &stem, const int rank, const std::string &ending)
    {
      return stem.string() + '_' + std::to_string(rank) + ending;
    }



    /// How the arrays of a piece are declared in the file that names all
    /// pieces; the same for all pieces.
    std::string
    declaration(const Drawing &piece)
    {
      const auto array = [](const std::string &name, const Eigen::Index n) {
        return "<PDataArray type=\"Float64\" " + attribute("Name", name) + ' ' +
               attribute("NumberOfComponents", std::to_string(n)) + "/>\n";
      };
      const auto arrays = [&array](const std::vector<Drawing::Field> &fields) {
        std::string text;
        for (const Drawing::Field &field : fields)
          text += array(field.name, field.values.rows());
        return text;
      };
      return "<PPointData>\n" + arrays(piece.point_fields) + "</PPointData>\n" +
             "<PCellData>\n" + arrays(piece.cell_fields) + "</PCellData>\n" +
             "<PPoints>\n" + array("Points", 3) + "</PPoints>\n";
    }



    void
    write_index(std::ostream                   &out,
                const bool                      is_poly_data,
                const std::vector<std::string> &declarations,
                const std::vector<fs::path>    &sources)
    {
      const std::string type = is_poly_data ? "PPolyData" : "PUnstructuredGrid";
      out << vtk_file_header(type) << '<' << type << " GhostLevel=\"0\">\n";
      // Pieces in which there is nothing may lack the arrays, too.
      const std::string *common = nullptr;
      for (const std::string &one : declarations)
        if (!one.empty() && common == nullptr)
          out << *(common = &one);
        else if (!one.empty() && one != *common)
          throw std::logic_error("the pieces of a drawing differ in their "
                                 "fields");
      if (common == nullptr)
        out << declaration({});
      for (std::size_t rank = 0; rank < sources.size(); ++rank)
        if (!declarations[rank].empty())
          out << "<Piece " << attribute("Source", sources[rank].string())
              << "/>\n";
      out << "</" << type << ">\n</VTKFile>\n";
    }
  } // namespace



  void
  remove_shape(RunFiles &files, const fs::path &stem)
  {
    for (const std::string ending : endings)
      files.remove(stem.string() + ending);
    for (const std::string ending : {".vtu", ".vtp"})
      for (int rank = 0;
           fs::exists(files.directory() / piece_name(stem, rank, ending));
           ++rank)
        files.remove(piece_name(stem, rank, ending));
  }



  std::string
  write_shape(RunFiles        &files,
              const fs::path  &stem,
              const Drawing   &piece,
              const NamedTime &time,
              MPI_Comm         body)
  {
    namespace mpi     = dealii::Utilities::MPI;
    const int rank    = static_cast<int>(mpi::this_mpi_process(body));
    const int n_ranks = static_cast<int>(mpi::n_mpi_processes(body));

    const bool is_poly_data =
      mpi::min(has_curves_alone(piece) ? 1 : 0, body) == 1;
    const std::string ending      = is_poly_data ? ".vtp" : ".vtu";
    const auto        write_piece = [&](const fs::path &name) {
      files.write(name, [&](std::ostream &out) {
        (is_poly_data ? write_vtp : write_vtu)(out, piece, &time);
      });
    };

    do_on_all_or_none(body, [&] {
      if (rank == 0)
        remove_shape(files, stem);
    });
    if (n_ranks == 1)
      {
        write_piece(stem.string() + ending);
        return stem.filename().string() + ending;
      }

    // A piece without points is left out; one that is missing on the way to
    // the last would hide the others from remove_shape().
    const std::vector<std::string> declarations =
      mpi::gather(body, piece.points.empty() ? "" : declaration(piece));
    do_on_all_or_none(body,
                      [&] { write_piece(piece_name(stem, rank, ending)); });
    const std::string index = ".p" + ending.substr(1);
    do_on_all_or_none(body, [&] {
      if (rank != 0)
        return;
      std::vector<fs::path> sources;
      for (int r = 0; r < n_ranks; ++r)
        sources.push_back(piece_name(stem, r, ending).filename());
      files.write(stem.string() + index, [&](std::ostream &out) {
        write_index(out, is_poly_data, declarations, sources);
      });
    });
    return stem.filename().string() + index;
  }
} // namespace slender
