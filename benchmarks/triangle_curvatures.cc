// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The curvature that shells of triangles see when their corners are on a
// cylinder or a sphere, against the exact one, over meshes. See
// benchmarks/README.md.
#include <slender/models/triangles/triangle_shell.h>

#include <deal.II/base/mpi.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace
{
  using namespace slender;
  using triangles::FoldRule;

  /// Of radius one: the place of a point of the plate, and the directions of
  /// the sphere's or cylinder's curvature there.
  struct Shape
  {
    const char                               *name;
    std::function<Vector3(double, double)>    place;
    std::function<Eigen::Matrix3d(Vector3 x)> curvature;
  };

  const std::vector<Shape> shapes = {
    {"cylinder, askew to the mesh",
     [](const double x, const double y) {
       constexpr double c = 0.9, s = 0.43588989435406735;
       const double     u = c * x + s * y, v = -s * x + c * y;
       return Vector3(std::sin(u), v, std::cos(u));
     },
     [](const Vector3 &x) -> Eigen::Matrix3d {
       const Vector3 d = Vector3(x(2), 0., -x(0)).normalized();
       return d * d.transpose();
     }},
    {"sphere",
     [](const double x, const double y) {
       return Vector3(std::sin(x) * std::cos(y),
                      std::sin(y),
                      std::cos(x) * std::cos(y));
     },
     [](const Vector3 &x) -> Eigen::Matrix3d {
       const Vector3 n = x.normalized();
       return Eigen::Matrix3d::Identity() - n * n.transpose();
     }}};

  /// Entries between the tilts of edges.
  struct TiltSink : public HessianSink
  {
    std::vector<Index>                  number; // of an unknown, or -1
    std::vector<Eigen::Triplet<double>> entries;

    void
    add(const Index *unknowns, const Index n, const double *block) override
    {
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i)
          if (unknowns[i] >= 0 && unknowns[j] >= 0 &&
              number[unknowns[i]] >= 0 && number[unknowns[j]] >= 0)
            entries.emplace_back(number[unknowns[i]],
                                 number[unknowns[j]],
                                 block[j * n + i]);
    }
  };

  /// Edges tilt to where the energy is least.
  void
  relax_tilts(const TriangleShell &shell, Vector &q)
  {
    TiltSink           sink;
    std::vector<Index> tilts;
    const auto         n_vertices =
      static_cast<std::int64_t>(shell.mesh().vertices.size());
    const Places places = shell.unknown_places();
    sink.number.assign(static_cast<std::size_t>(q.size()), -1);
    for (std::size_t i = 0; i < places.places.size(); ++i)
      if (places.places[i] >= 3 * n_vertices)
        {
          sink.number[places.numbers[i]] = static_cast<Index>(tilts.size());
          tilts.push_back(static_cast<Index>(places.numbers[i]));
        }
    if (tilts.empty())
      return;
    const auto n = static_cast<Index>(tilts.size());
    for (int iteration = 0; iteration < 4; ++iteration)
      {
        sink.entries.clear();
        shell.hessian(q, sink);
        Eigen::SparseMatrix<double> H(n, n);
        H.setFromTriplets(sink.entries.begin(), sink.entries.end());
        const Vector g = shell.gradient(q);
        Vector       force(n);
        for (Index i = 0; i < n; ++i)
          force(i) = g(tilts[i]);
        const Vector step =
          Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(H).solve(force);
        for (Index i = 0; i < n; ++i)
          q(tilts[i]) -= step(i);
      }
  }

  struct Errors
  {
    double curvature, inside, energy;
  };

  Errors
  errors(const Shape        &shape,
         const FoldRule      rule,
         const Triangulation kind,
         const int           n)
  {
    ShellBody body;
    body.poisson   = 0.;
    body.thickness = 1e-3;
    body.young     = 12e9;
    Rectangle                   rectangle{1., 0.8, {n, 4 * n / 5}, 1., 1.};
    TriangleShellDiscretisation how;
    how.rule               = rule;
    how.fold_factor        = 1.;
    how.triangulation.kind = kind;
    TriangleShell shell(body, *make_surface(rectangle), how, MPI_COMM_SELF);
    Vector        q =
      shell.transformed(shell.initial_state(),
                        [&](const Vector3 &X, const Vector3 &) -> Vector3 {
                          return shape.place(X(0), X(1));
                        });
    relax_tilts(shell, q);

    const TriangleMesh  &mesh = shell.mesh();
    const auto           rest = make_surface(rectangle);
    std::vector<Vector3> x;
    for (const TriangleMesh::Vertex &v : mesh.vertices)
      {
        const Vector3 X = rest->position(v.patch, v.u, v.v);
        x.push_back(shape.place(X(0), X(1)));
      }
    const auto forms    = shell.present_forms(q);
    const auto energies = shell.triangle_energies(q);
    double     all = 0., inner = 0., area = 0., inner_area = 0., energy = 0.,
           exact = 0.;
    for (std::size_t t = 0; t < forms.size(); ++t)
      {
        const Index                 number = shell.own_triangles()[t];
        const auto                 &v      = mesh.triangles[number];
        Eigen::Matrix<double, 3, 2> sides;
        sides << x[v[1]] - x[v[0]], x[v[2]] - x[v[0]];
        const Eigen::Matrix3d S =
          shape.curvature((x[v[0]] + x[v[1]] + x[v[2]]) / 3.);
        const Eigen::Matrix2d a  = sides.transpose() * sides;
        const Eigen::Matrix2d b0 = -sides.transpose() * S * sides;
        // Lengths of forms are in units of the size.
        const Eigen::Matrix2d b = forms[t].curvature * shell.size();
        const Eigen::Matrix2d M = a.inverse() * (b - b0);
        const Eigen::Matrix2d K = a.inverse() * b0;
        const double          A = 0.5 * std::sqrt(a.determinant());
        all += A * (M * M).trace() / (K * K).trace();
        area += A;
        bool is_inside = true;
        for (const Index e : mesh.triangle_edges[number])
          is_inside = is_inside && mesh.edges[e].triangles[1] >= 0;
        if (is_inside)
          {
            inner += A * (M * M).trace() / (K * K).trace();
            inner_area += A;
            energy += energies[t].bending;
            // Of the plate that was there, whose area the energy has.
            const auto &R = shell.rest_forms()[t].metric;
            exact += 0.5 * 0.5 * std::sqrt(R.determinant()) * shell.size() *
                     shell.size() *
                     (R.inverse() * b0 * R.inverse() * b0).trace() /
                     std::pow(shell.size(), 4);
          }
      }
    return {std::sqrt(all / area),
            std::sqrt(inner / inner_area),
            energy / exact - 1.};
  }
} // namespace

int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const int finest = argc > 1 ? std::stoi(argv[1]) : 80;
  const std::map<const char *, FoldRule> rules = {
    {"average", FoldRule::average},
    {"sine", FoldRule::sine},
    {"tangent", FoldRule::tangent},
    {"hinge", FoldRule::half_tangent},
    {"discrete", FoldRule::angle}};
  const std::map<const char *, Triangulation> kinds = {
    {"regular", Triangulation::regular},
    {"alternating", Triangulation::alternating},
    {"equilateral", Triangulation::equilateral},
    {"random", Triangulation::random}};
  for (const Shape &shape : shapes)
    {
      std::printf("\n%s\n\n| rule | mesh | n | curvature, all | order | "
                  "curvature, inside | order | energy, inside |\n"
                  "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
                  shape.name);
      for (const auto &[rule_name, rule] : rules)
        for (const auto &[kind_name, kind] : kinds)
          {
            Errors before{0., 0., 0.};
            for (int n = 20; n <= finest; n *= 2)
              {
                const Errors now = errors(shape, rule, kind, n);
                const auto order = [n](const double coarse, const double fine) {
                  return n == 20 ? 0. : std::log2(coarse / fine);
                };
                std::printf("| %s | %s | %d | %.2e | %.1f | %.2e | %.1f | "
                            "%+.2e |\n",
                            rule_name,
                            kind_name,
                            n,
                            now.curvature,
                            order(before.curvature, now.curvature),
                            now.inside,
                            order(before.inside, now.inside),
                            now.energy);
                before = now;
              }
          }
    }
}
