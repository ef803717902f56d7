// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/rods/director_rates.h>
#include <slender/models/rods/kirchhoff_rod.h>

#include <deal.II/fe/fe_q.h>

namespace slender
{
  /// A section of the rod: centreline and quaternion are interpolated there.
  class KirchhoffRod::SectionMarker : public Marker
  {
  public:
    SectionMarker(const KirchhoffRod &the_rod, const double s)
      : rod(the_rod)
    {
      // Where two elements meet it belongs to the first, on the lowest rank.
      int rank = 0;
      MPI_Comm_rank(rod.layout().communicator, &rank);
      int owner = std::numeric_limits<int>::max();
      for (std::size_t e = 0; e < rod.elements.size(); ++e)
        {
          const Element &one = rod.elements[e];
          const double   xi  = (s - one.begin) / one.length;
          if (xi >= -1e-12 && xi <= 1. + 1e-12)
            {
              const dealii::FE_Q<1> fe(rod.degree);
              shape.resize(rod.degree + 1);
              for (int a = 0; a <= rod.degree; ++a)
                shape(a) = fe.shape_value(a, dealii::Point<1>(xi));
              element = &one;
              owner   = rank;
              break;
            }
        }
      MPI_Allreduce(
        MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MIN, rod.layout().communicator);
      owned = owner == rank;
    }

    bool
    is_mine() const override
    {
      return owned;
    }

    Linearisation
    linearise(const Vector &q) const override
    {
      const ElementUnknowns u = rod.gather(*element, rod.full_state(q));
      const Eigen::Matrix<double, 7, 1> at = u * shape;
      const auto    frame = quaternion::director_rates(at.head<4>());
      const double  L     = rod.body.length;
      Linearisation result;
      result.numbers << L * at.tail<3>(), frame.directors;
      result.unknowns = element->unknowns;
      result.rates.setZero(n_numbers, element->unknowns.size());
      for (Index a = 0; a < shape.size(); ++a)
        {
          result.rates.block<9, 4>(3, 7 * a) = shape(a) * frame.rates;
          for (int c = 0; c < 3; ++c)
            result.rates(c, 7 * a + 4 + c) = L * shape(a);
        }
      for (const auto &[first, basis] : hinged())
        result.rates.middleCols<4>(first) =
          (result.rates.middleCols<4>(first) * basis).eval();
      return result;
    }

    Eigen::MatrixXd
    curvature(const Vector &q, const Numbers &weights) const override
    {
      const ElementUnknowns u = rod.gather(*element, rod.full_state(q));
      const Eigen::Matrix<double, 7, 1> at = u * shape;
      const Eigen::Matrix4d             of_frame =
        quaternion::director_curvature(at.head<4>(), weights.tail<9>());
      Eigen::MatrixXd result =
        Eigen::MatrixXd::Zero(7 * shape.size(), 7 * shape.size());
      for (Index a = 0; a < shape.size(); ++a)
        for (Index b = 0; b < shape.size(); ++b)
          result.block<4, 4>(7 * a, 7 * b) = shape(a) * shape(b) * of_frame;
      rod.to_unknowns(*element, result);
      return result;
    }

  private:
    /// First of the four unknowns of an end that may turn about an axis only,
    /// and how its quaternion follows from them.
    std::vector<std::pair<Index, Eigen::Matrix4d>>
    hinged() const
    {
      std::vector<std::pair<Index, Eigen::Matrix4d>> result;
      for (const Hinge &hinge : rod.hinges)
        for (const Index first : {0, 7})
          if (element->positions[first] == hinge.positions[0])
            result.emplace_back(first, hinge.basis);
      return result;
    }

    const KirchhoffRod &rod;
    const Element      *element = nullptr; ///< null on other ranks
    Vector              shape;             ///< at its nodes
    bool                owned = false;
  };

  std::shared_ptr<const Marker>
  KirchhoffRod::section(const double s) const
  {
    return std::make_shared<SectionMarker>(*this, s);
  }
} // namespace slender
