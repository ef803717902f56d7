// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/curvature_rod.h>
#include <slender/systems/touching_points.h>

#include <numeric>
#include <sstream>

namespace slender
{
  /**
   * The far ends of the elements. The work of a force f on the end of the rod
   * is f.(r(1) - r(0)): its derivatives, for the rod that is cut off at a
   * point, are those of the point's place.
   */
  class CurvatureRod::ElementEnds : public TouchingPoints
  {
  public:
    explicit ElementEnds(const CurvatureRod &the_rod)
      : rod(the_rod)
    {}

    Index
    size() const override
    {
      return rod.layout().n_owned() > 0 ? rod.field.n_elements() : 0;
    }

    std::string
    name(const Index point) const override
    {
      std::ostringstream text;
      text << "s = "
           << (rod.field.begin(point) + rod.field.length(point)) *
                rod.body.length;
      return text.str();
    }

    Eigen::Matrix3Xd
    places(const Vector &q) const override
    {
      Eigen::Matrix3Xd x(3, size());
      if (size() > 0)
        {
          const Ends ends = ends_at(q);
          for (Index i = 0; i < size(); ++i)
            x.col(i) = rod.body.length * ends.poses[i].position;
        }
      return x;
    }

    std::vector<Rates>
    rates(const Vector &q, const std::vector<Index> &points) const override
    {
      std::vector<Rates> result(points.size());
      if (points.empty())
        return result;
      const Ends ends = ends_at(q);
      for (std::size_t i = 0; i < points.size(); ++i)
        {
          const Index point = points[i];
          Shape       cut;
          const Index n = rod.n_strain_unknowns();
          cut.pieces.assign(ends.shape.pieces.begin(),
                            ends.shape.pieces.begin() + ends.pieces[point]);
          cut.end = ends.poses[point];
          result[i].unknowns.resize(n);
          std::iota(result[i].unknowns.begin(), result[i].unknowns.end(), 0);
          result[i].rates.resize(3, n);
          for (int c = 0; c < 3; ++c)
            {
              curvature::Loads load;
              load.end_force = Vector3::Unit(c);
              result[i].rates.row(c) =
                rod.body.length *
                rod.select(
                  curvature::work_gradient(cut, load, rod.field.n_strains()));
            }
        }
      return result;
    }

    void
    add_load_hessian(const Vector             &q,
                     const std::vector<Index> &points,
                     const Eigen::Matrix3Xd   &forces,
                     HessianSink              &sink) const override
    {
      if (size() == 0)
        return;
      const Ends ends = ends_at(q);
      // In the order of pieces.
      std::vector<std::size_t> order(points.size());
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](const auto a, const auto b) {
        return points[a] < points[b];
      });
      curvature::Loads loads;
      for (const std::size_t i : order)
        loads.on_sections.push_back(
          {ends.pieces[points[i]] - 1,
           -rod.body.length * forces.col(static_cast<Index>(i)),
           quaternion::Matrix3::Zero()});
      const Eigen::MatrixXd H =
        curvature::work_hessian(ends.shape, loads, rod.field.n_strains())(
          rod.unknown_strains, rod.unknown_strains);
      std::vector<Index> unknowns(rod.n_strain_unknowns());
      std::iota(unknowns.begin(), unknowns.end(), 0);
      sink.add(unknowns.data(), rod.n_strain_unknowns(), H.data());
    }

  private:
    struct Ends
    {
      Shape                        shape;
      std::vector<curvature::Pose> poses;  ///< of the ends
      std::vector<std::size_t>     pieces; ///< how many lie before each
    };

    Ends
    ends_at(const Vector &q) const
    {
      const Strains strains = rod.strains_of(q);
      Ends          ends;
      ends.shape.end = rod.start;
      for (Index element = 0; element < rod.field.n_elements(); ++element)
        {
          rod.field.integrate(
            strains, element, 0., 1., ends.shape.end, ends.shape.pieces);
          ends.poses.push_back(ends.shape.end);
          ends.pieces.push_back(ends.shape.pieces.size());
        }
      return ends;
    }

    const CurvatureRod &rod;
  };

  std::unique_ptr<TouchingPoints>
  CurvatureRod::touching_points() const
  {
    return std::make_unique<ElementEnds>(*this);
  }
} // namespace slender
