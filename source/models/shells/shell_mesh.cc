// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/shells/shell_mesh.h>

#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/grid/grid_tools.h>

#include <limits>
#include <map>
#include <unordered_map>

// Where shells meet deal.II: p4est distributes the cells, a DoFHandler numbers
// the degrees of freedom, and both are forgotten once the plain arrays stand.
// Positions do not come from the triangulation, which only knows which cell
// touches which, but from the patches of the rest surface.
namespace slender
{
  namespace
  {
    using Triangulation = dealii::parallel::distributed::Triangulation<2, 3>;
    using CellIterator  = dealii::DoFHandler<2, 3>::active_cell_iterator;
    using Place         = std::array<double, 2>; // in a patch

    /// The coarse cells as deal.II wants them, with consistent edges.
    void
    create(Triangulation &triangulation, SurfaceMesh &mesh)
    {
      std::vector<dealii::Point<3>> vertices;
      for (const Vector3 &x : mesh.vertices)
        vertices.emplace_back(x(0), x(1), x(2));
      std::vector<dealii::CellData<2>> cells;
      for (const SurfaceMesh::Cell &cell : mesh.cells)
        {
          dealii::CellData<2> data(4);
          for (int c = 0; c < 4; ++c)
            data.vertices[c] = cell.vertices[c];
          cells.push_back(data);
        }
      dealii::GridTools::consistently_order_cells(cells);
      // That may have turned cells: their corners turn along.
      for (std::size_t i = 0; i < cells.size(); ++i)
        {
          const SurfaceMesh::Cell before = mesh.cells[i];
          for (int c = 0; c < 4; ++c)
            for (int b = 0; b < 4; ++b)
              if (before.vertices[b] == cells[i].vertices[c])
                {
                  mesh.cells[i].vertices[c] = before.vertices[b];
                  mesh.cells[i].corners[c]  = before.corners[b];
                }
        }
      dealii::SubCellData edges;
      for (const SurfaceMesh::Edge &edge : mesh.edges)
        {
          dealii::CellData<1> data(2);
          data.vertices[0] = edge.vertices[0];
          data.vertices[1] = edge.vertices[1];
          data.boundary_id = edge.id;
          edges.boundary_lines.push_back(data);
        }
      triangulation.create_triangulation(vertices, cells, edges);
      if (mesh.refinements > 0)
        triangulation.refine_global(mesh.refinements);
    }

    Place
    between(const std::array<Place, 4> &corners, const double x, const double y)
    {
      Place result;
      for (int i = 0; i < 2; ++i)
        result[i] = (1. - y) * ((1. - x) * corners[0][i] + x * corners[1][i]) +
                    y * ((1. - x) * corners[2][i] + x * corners[3][i]);
      return result;
    }

    /// Where a cell is in its patch.
    struct PlaceOfCell
    {
      int                  patch;
      std::array<Place, 4> corners;
      double               orientation;
      std::uint64_t        key;
    };

    PlaceOfCell
    place_of(const CellIterator &cell,
             const SurfaceMesh  &mesh,
             const RestSurface  &surface)
    {
      // From the cell up to its coarse cell; the number in CellId is one of
      // p4est's own.
      double                                     x = 0., y = 0., size = 1.;
      std::uint64_t                              path = 0, base = 1;
      dealii::Triangulation<2, 3>::cell_iterator ancestor = cell;
      while (ancestor->level() > 0)
        {
          const auto   parent = ancestor->parent();
          unsigned int child  = 0;
          while (parent->child(child) != ancestor)
            ++child;
          x = 0.5 * (x + (child % 2));
          y = 0.5 * (y + (child / 2));
          size /= 2.;
          path += base * child;
          base *= 4;
          ancestor = parent;
        }
      const SurfaceMesh::Cell &coarse = mesh.cells[ancestor->index()];
      PlaceOfCell              place;
      place.patch = coarse.patch;
      place.key   = base * ancestor->index() + path;
      for (int c = 0; c < 4; ++c)
        {
          const Place uniform =
            between(coarse.corners, x + size * (c % 2), y + size * (c / 2));
          place.corners[c] = surface.graded(uniform[0], uniform[1]);
        }
      const auto &p     = place.corners;
      place.orientation = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
                                (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]) >
                              0.
                            ? 1.
                            : -1.;
      return place;
    }

    /// The nodes of a cell as an edge lists them; the handedness of (s, t).
    struct EdgeFrame
    {
      std::vector<int> order;
      double           handedness;
    };

    EdgeFrame
    edge_frame(const int face, const bool reversed, const int k)
    {
      EdgeFrame frame;
      for (int i = 0; i <= k; ++i)
        for (int jj = 0; jj <= k; ++jj)
          {
            const int j      = reversed ? k - jj : jj;
            const int inward = face % 2 == 0 ? i : k - i;
            frame.order.push_back(face < 2 ? inward + (k + 1) * j
                                           : j + (k + 1) * inward);
          }
      frame.handedness =
        (face == 0 || face == 3 ? 1. : -1.) * (reversed ? -1. : 1.);
      return frame;
    }

    template <class Number>
    std::vector<Number>
    gather_from_all(MPI_Comm                   communicator,
                    const std::vector<Number> &mine,
                    const MPI_Datatype         type)
    {
      int n_ranks;
      MPI_Comm_size(communicator, &n_ranks);
      std::vector<int> counts(n_ranks), begins(n_ranks + 1, 0);
      const int        count = static_cast<int>(mine.size());
      MPI_Allgather(
        &count, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator);
      for (int r = 0; r < n_ranks; ++r)
        begins[r + 1] = begins[r] + counts[r];
      std::vector<Number> all(begins.back());
      MPI_Allgatherv(mine.data(),
                     count,
                     type,
                     all.data(),
                     counts.data(),
                     begins.data(),
                     type,
                     communicator);
      return all;
    }

    /// Collects nodes while cells and edges are listed.
    class Builder
    {
    public:
      Builder(const RestSurface &a_surface,
              const HeldNodes   &the_held,
              const int          degree,
              MPI_Comm           a_communicator)
        : surface(a_surface)
        , held(the_held)
        , k(degree)
        , communicator(a_communicator)
        , coarse(surface.mesh())
        , triangulation(communicator,
                        dealii::Triangulation<2, 3>::none,
                        Triangulation::default_setting)
        , scalar(k)
        , dofs(triangulation)
        , lexicographic(
            dealii::FETools::lexicographic_to_hierarchic_numbering<2>(k))
      {
        create(triangulation, coarse);
        dofs.distribute_dofs(scalar);
        result.degree  = k;
        result.n_cells = triangulation.n_global_active_cells();
        result.n_dofs  = 3 * static_cast<Index>(dofs.n_dofs());
      }

      ShellMesh
      build()
      {
        for (const auto &cell : dofs.active_cell_iterators())
          if (cell->is_locally_owned())
            list(cell);
        number_unknowns();
        number_boundary_edges();
        return std::move(result);
      }

    private:
      /// The nodes of a cell, in lexicographic order, and where it is.
      struct Nodes
      {
        std::vector<Index> nodes;
        PlaceOfCell        place;
      };

      Nodes
      nodes_of(const CellIterator &cell)
      {
        Nodes found;
        found.place = place_of(cell, coarse, surface);
        std::vector<dealii::types::global_dof_index> numbers(
          scalar.dofs_per_cell);
        cell->get_dof_indices(numbers);
        for (const unsigned int a : lexicographic)
          {
            const auto [at, is_new] =
              node_of_number.emplace(numbers[a],
                                     static_cast<Index>(node_numbers.size()));
            if (is_new)
              {
                node_numbers.push_back(static_cast<Index>(numbers[a]));
                const dealii::Point<2> &xi = scalar.unit_support_point(a);
                const Place uv = between(found.place.corners, xi[0], xi[1]);
                result.nodes.push_back(
                  {{}, {}, 0, false, found.place.patch, uv[0], uv[1]});
              }
            found.nodes.push_back(at->second);
          }
        return found;
      }

      void
      list(const CellIterator &cell)
      {
        const Nodes mine = nodes_of(cell);
        result.cell_nodes.insert(result.cell_nodes.end(),
                                 mine.nodes.begin(),
                                 mine.nodes.end());
        result.cell_orientation.push_back(mine.place.orientation);
        result.cell_key.push_back(mine.place.key);

        for (int face = 0; face < 4; ++face)
          if (cell->at_boundary(face))
            list_boundary(mine,
                          face,
                          static_cast<int>(cell->face(face)->boundary_id()));
          else
            {
              const auto neighbour = cell->neighbor(face);
              // Of two ranks the lower one has their common edges; which of
              // the cells comes first does not depend on the ranks.
              if (neighbour->is_locally_owned()
                    ? cell->id() < neighbour->id()
                    : cell->subdomain_id() < neighbour->subdomain_id())
                {
                  const Nodes theirs = nodes_of(neighbour);
                  const int   other  = cell->neighbor_of_neighbor(face);
                  if (cell->id() < neighbour->id())
                    list_interior(mine, face, theirs, other);
                  else
                    list_interior(theirs, other, mine, face);
                }
            }
      }

      void
      list_boundary(const Nodes &cell, const int face, const int id)
      {
        const EdgeFrame frame = edge_frame(face, false, k);
        result.boundary_edges.push_back(
          {id,
           {{frame.handedness * cell.place.orientation, 0.}},
           -1,
           {{cell.place.key, cell.place.key}}});
        boundary_keys.push_back(4 * cell.place.key + face);
        for (const int a : frame.order)
          result.boundary_edge_nodes.push_back(cell.nodes[a]);
        const auto constraint = held.edges.find(id);
        if (constraint != held.edges.end())
          for (int j = 0; j <= k; ++j)
            for (int c = 0; c < 3; ++c)
              if (constraint->second[c])
                {
                  prescribed.push_back(
                    3 * node_numbers[cell.nodes[frame.order[j]]] + c);
                  holders.push_back(id);
                }
      }

      void
      list_interior(const Nodes &first,
                    const int    first_face,
                    const Nodes &second,
                    const int    second_face)
      {
        const EdgeFrame frame = edge_frame(first_face, false, k);
        EdgeFrame       other = edge_frame(second_face, false, k);
        if (second.nodes[other.order[0]] != first.nodes[frame.order[0]])
          other = edge_frame(second_face, true, k);
        result.interior_edges.push_back(
          {-1,
           {{frame.handedness * first.place.orientation,
             other.handedness * second.place.orientation}},
           -1,
           {{first.place.key, second.place.key}}});
        for (const int a : frame.order)
          result.interior_edge_nodes.push_back(first.nodes[a]);
        for (const int a : other.order)
          result.interior_edge_nodes.push_back(second.nodes[a]);
      }

      void
      number_boundary_edges()
      {
        std::vector<std::uint64_t> all =
          gather_from_all(communicator, boundary_keys, MPI_UINT64_T);
        std::sort(all.begin(), all.end());
        for (std::size_t e = 0; e < boundary_keys.size(); ++e)
          result.boundary_edges[e].number =
            std::lower_bound(all.begin(), all.end(), boundary_keys[e]) -
            all.begin();
        result.n_boundary_edges = static_cast<std::int64_t>(all.size());
      }

      void
      number_unknowns()
      {
        for (const HeldNodes::Point &point : held.points)
          {
            const ShellMesh::Found found = result.nearest_node(surface,
                                                               point.position,
                                                               point.edge,
                                                               communicator);
            if (found.node < 0)
              continue; // another rank adds it
            const Index node = node_numbers[found.node];
            for (int c = 0; c < 3; ++c)
              if (point.components[c])
                {
                  prescribed.push_back(3 * node + c);
                  holders.push_back(-1);
                }
          }
        const std::vector<Index> all_prescribed =
          gather_from_all(communicator, prescribed, MPI_INT);
        const std::vector<int> all_holders =
          gather_from_all(communicator, holders, MPI_INT);
        // At a corner the edge with the highest number holds.
        std::map<Index, int> holder_of;
        for (std::size_t i = 0; i < all_prescribed.size(); ++i)
          {
            const auto [at, is_new] =
              holder_of.emplace(all_prescribed[i], all_holders[i]);
            at->second = std::max(at->second, all_holders[i]);
          }

        const dealii::IndexSet &owned = dofs.locally_owned_dofs();
        // A rank without cells owns nothing; where that nothing begins must
        // still be in order.
        Index count = 3 * static_cast<Index>(owned.n_elements()), end = 0;
        MPI_Scan(&count, &end, 1, MPI_INT, MPI_SUM, communicator);
        std::vector<Index> relevant;
        for (const Index node : node_numbers)
          for (int c = 0; c < 3; ++c)
            relevant.push_back(3 * node + c);
        result.map = UnknownMap(communicator,
                                result.n_dofs,
                                end - count,
                                end,
                                relevant,
                                all_prescribed);
        const UnknownMap by_node(communicator,
                                 result.n_dofs / 3,
                                 (end - count) / 3,
                                 end / 3,
                                 node_numbers,
                                 {});
        result.node_layout = by_node.layout();
        for (const Index dof : result.map.prescribed_dofs())
          result.holders.push_back(holder_of.at(dof));
        const Index n_local = result.map.layout().n_local();
        for (std::size_t i = 0; i < node_numbers.size(); ++i)
          {
            ShellMesh::Node &node = result.nodes[i];
            node.is_owned         = owned.is_element(node_numbers[i]);
            node.number           = by_node.position(node_numbers[i]);
            for (int c = 0; c < 3; ++c)
              {
                const Index p = result.map.position(3 * node_numbers[i] + c);
                node.positions[c] = p;
                node.unknowns[c]  = p < n_local ? p : -1;
              }
          }
      }

      const RestSurface        &surface;
      const HeldNodes          &held;
      const int                 k;
      MPI_Comm                  communicator;
      SurfaceMesh               coarse;
      Triangulation             triangulation;
      dealii::FE_Q<2, 3>        scalar;
      dealii::DoFHandler<2, 3>  dofs;
      std::vector<unsigned int> lexicographic;

      ShellMesh                                                  result;
      std::vector<Index>                                         node_numbers;
      std::unordered_map<dealii::types::global_dof_index, Index> node_of_number;
      std::vector<Index>                                         prescribed;
      std::vector<int>                                           holders;
      /// Cell and side of each edge of the boundary.
      std::vector<std::uint64_t> boundary_keys;
    };
  } // namespace

  int
  ShellMesh::n_nodes_per_cell() const
  {
    return (degree + 1) * (degree + 1);
  }

  ShellMesh::Found
  ShellMesh::nearest_node(const RestSurface &surface,
                          const Vector3     &position,
                          const int          edge,
                          MPI_Comm           communicator) const
  {
    struct
    {
      double distance;
      int    rank;
    } best{std::numeric_limits<double>::max(), 0};
    int rank;
    MPI_Comm_rank(communicator, &rank);
    best.rank = rank;
    Found      found{-1, Vector3::Zero(), 0};
    const auto try_node = [&](const Index i) {
      const Vector3 x =
        surface.position(nodes[i].patch, nodes[i].u, nodes[i].v);
      if ((x - position).norm() < best.distance)
        {
          best.distance  = (x - position).norm();
          found.node     = i;
          found.position = x;
        }
    };
    if (edge < 0)
      for (Index i = 0; i < static_cast<Index>(nodes.size()); ++i)
        try_node(i);
    else
      for (std::size_t e = 0; e < boundary_edges.size(); ++e)
        if (boundary_edges[e].id == edge)
          for (int j = 0; j <= degree; ++j)
            try_node(boundary_edge_nodes[n_nodes_per_cell() * e + j]);
    MPI_Allreduce(
      MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, communicator);
    MPI_Bcast(found.position.data(), 3, MPI_DOUBLE, best.rank, communicator);
    found.rank = best.rank;
    if (rank != best.rank)
      found.node = -1;
    return found;
  }

  ShellMesh
  make_shell_mesh(const RestSurface &surface,
                  const HeldNodes   &held,
                  const int          degree,
                  MPI_Comm           communicator)
  {
    return Builder(surface, held, degree, communicator).build();
  }
} // namespace slender
