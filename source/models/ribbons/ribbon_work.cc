// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/ribbons/ribbon_work.h>

#include <algorithm>
#include <limits>

namespace slender::ribbons
{
  namespace
  {
    using curvature::rule;

    /// An element that turns by more than this [rad] comes from a Newton step
    /// that went astray; to integrate it would take for ever.
    constexpr double absurd_turn = 100.;

    using MatrixAtPoints = AtPoints<9>;
    using Turns = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, max_local>;

    Eigen::Map<Matrix3>
    at(MatrixAtPoints &values, const int g)
    {
      return Eigen::Map<Matrix3>(values.col(g).data());
    }

    Vector3
    force_beyond(const Loads &loads, const double s)
    {
      return loads.end_force + (1. - s) * loads.weight;
    }

    /// The moments and tensions of the loads along a piece: at its points what
    /// acts beyond them.
    struct Beyond
    {
      AtPoints<3>    moment;
      MatrixAtPoints tension;
    };

    /// `moment` and `tension` are those beyond the piece, and are moved to its
    /// beginning.
    Beyond
    go_back(const Piece &piece,
            const Loads &loads,
            Vector3     &moment,
            Matrix3     &tension)
    {
      AtPoints<3>    moment_rate;
      MatrixAtPoints tension_rate;
      for (int g = 0; g < n_points; ++g)
        {
          const Vector3  f = force_beyond(loads, piece.s(g));
          const Matrix3 &R = piece.frames[g];
          const double   stretched =
            piece.length * (1. + piece.points[g].value(stretch));
          const double offset =
            piece.length * piece.points[g].value(mass_offset);
          moment_rate.col(g) = stretched * R.col(0).cross(f) +
                               offset * R.col(2).cross(loads.weight);
          at(tension_rate, g) = stretched * R.col(0) * f.transpose() +
                                offset * R.col(2) * loads.weight.transpose();
        }
      moment += moment_rate * rule().weights.transpose();
      const Eigen::Matrix<double, 9, 1> sum =
        tension_rate * rule().weights.transpose();
      tension += Eigen::Map<const Matrix3>(sum.data());

      Beyond result;
      result.moment  = -moment_rate * rule().up_to_points;
      result.tension = -tension_rate * rule().up_to_points;
      result.moment.colwise() += moment;
      for (int g = 0; g < n_points; ++g)
        at(result.tension, g) += tension;
      return result;
    }

    /// How a variation of the unknowns turns what lies beyond a point.
    Turns
    turns(const Piece &piece, const int g)
    {
      return piece.frames[g] * piece.points[g].rate.topRows<3>();
    }
  } // namespace

  Elements::Elements(const std::vector<double> &element_ends)
    : ends(element_ends)
  {}

  Index
  Elements::n_elements() const
  {
    return static_cast<Index>(ends.size()) - 1;
  }

  double
  Elements::begin(const Index element) const
  {
    return ends[element];
  }

  double
  Elements::length(const Index element) const
  {
    return ends[element + 1] - ends[element];
  }

  void
  Elements::add_element_unknowns(const std::vector<Index> &local)
  {
    numbers.push_back(local);
    for (const Index number : local)
      n = std::max(n, number + 1);
  }

  LocalVector
  Elements::gather(const Index element, const Vector &q) const
  {
    const std::vector<Index> &mine = unknowns(element);
    LocalVector               u(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      u(static_cast<Index>(i)) = mine[i] >= 0 ? q(mine[i]) : 0.;
    return u;
  }

  void
  Elements::integrate(const Vector       &q,
                      const Index         element,
                      const double        xi_begin,
                      const double        xi_end,
                      Pose               &pose,
                      std::vector<Piece> &pieces) const
  {
    const LocalVector u     = gather(element, q);
    const auto        kappa = [&](const double xi) {
      return measures(element, xi, u).kappa();
    };
    // No quadratic function is larger than 5/4 of the largest of these three.
    const double turn_of_all = 1.25 * length(element) * (xi_end - xi_begin) *
                               std::max({kappa(xi_begin).norm(),
                                         kappa((xi_begin + xi_end) / 2.).norm(),
                                         kappa(xi_end).norm()});
    const bool is_absurd = !(turn_of_all < absurd_turn);
    if (is_absurd)
      pose.frame.setConstant(std::numeric_limits<double>::quiet_NaN());

    const int n_pieces =
      is_absurd ? 1
                : 1 + static_cast<int>(turn_of_all / curvature::largest_turn);
    const double step = (xi_end - xi_begin) / n_pieces;
    for (int i = 0; i < n_pieces; ++i)
      {
        const double xi   = xi_begin + i * step;
        const double next = i + 1 < n_pieces ? xi + step : xi_end;
        Piece        piece;
        piece.element = element;
        piece.length  = length(element) * (next - xi);
        piece.xi      = xi + (next - xi) * rule().points.array();
        piece.s       = begin(element) + length(element) * piece.xi.array();
        const auto turning =
          curvature::turn(pose.frame,
                          piece.length * kappa(xi),
                          piece.length * kappa((xi + next) / 2.),
                          piece.length * kappa(next));
        piece.frames = turning.frames;
        for (int g = 0; g < n_points; ++g)
          {
            piece.points[g] = measures(element, piece.xi(g), u);
            pose.position += piece.length * rule().weights(g) *
                             (1. + piece.points[g].value(stretch)) *
                             piece.frames[g].col(0);
          }
        pose.frame = turning.end;
        pieces.push_back(piece);
      }
  }

  Shape
  Elements::integrate(const Vector &q, const Pose &start) const
  {
    Shape shape;
    shape.end = start;
    shape.pieces.reserve(2 * n_elements());
    for (Index element = 0; element < n_elements(); ++element)
      integrate(q, element, 0., 1., shape.end, shape.pieces);
    return shape;
  }

  double
  Elements::work(const Shape &shape, const Loads &loads) const
  {
    double sum = 0.;
    for (const Piece &piece : shape.pieces)
      for (int g = 0; g < n_points; ++g)
        {
          const auto    &m = piece.points[g].value;
          const Matrix3 &R = piece.frames[g];
          sum +=
            piece.length * rule().weights(g) *
            ((1. + m(stretch)) * force_beyond(loads, piece.s(g)).dot(R.col(0)) +
             m(mass_offset) * loads.weight.dot(R.col(2)));
        }
    return sum;
  }

  void
  Elements::add_work_gradient(const Shape &shape,
                              const Loads &loads,
                              const double factor,
                              Vector      &gradient) const
  {
    Vector3 moment  = loads.end_moment;
    Matrix3 tension = Matrix3::Zero();
    for (auto piece = shape.pieces.rbegin(); piece != shape.pieces.rend();
         ++piece)
      {
        const Beyond beyond = go_back(*piece, loads, moment, tension);
        const std::vector<Index> &mine  = unknowns(piece->element);
        LocalVector               local = LocalVector::Zero(mine.size());
        for (int g = 0; g < n_points; ++g)
          {
            const Matrix3                       &R = piece->frames[g];
            Eigen::Matrix<double, n_measures, 1> force;
            force << R.transpose() * beyond.moment.col(g),
              force_beyond(loads, piece->s(g)).dot(R.col(0)),
              loads.weight.dot(R.col(2));
            local += factor * piece->length * rule().weights(g) *
                     piece->points[g].rate.transpose() * force;
          }
        for (std::size_t i = 0; i < mine.size(); ++i)
          if (mine[i] >= 0)
            gradient(mine[i]) += local(static_cast<Index>(i));
      }
  }

  void
  Elements::add_work_hessian(const Shape     &shape,
                             const Loads     &loads,
                             const double     factor,
                             Eigen::MatrixXd &hessian) const
  {
    // One half: pairs of unknowns of which the first is nearer to the start;
    // the other half is its transpose.
    const auto      all  = static_cast<Index>(hessian.rows());
    Eigen::MatrixXd half = Eigen::MatrixXd::Zero(all, all);
    // int [S R, t x f, d2 x w] dm over all that lies beyond a piece.
    Eigen::Matrix3Xd turned_beyond = Eigen::Matrix3Xd::Zero(3, all);
    Vector3          moment        = loads.end_moment;
    Matrix3          tension       = Matrix3::Zero();
    for (auto piece = shape.pieces.rbegin(); piece != shape.pieces.rend();
         ++piece)
      {
        Beyond beyond = go_back(*piece, loads, moment, tension);
        const std::vector<Index> &mine    = unknowns(piece->element);
        const auto                n_local = static_cast<Index>(mine.size());
        LocalMatrix               within  = LocalMatrix::Zero(n_local, n_local);
        Turns                     turned_here = Turns::Zero(3, n_local);
        Turns                     turns_here  = Turns::Zero(3, n_local);

        std::array<Turns, n_points> rates;
        for (int g = 0; g < n_points; ++g)
          rates[g] = turns(*piece, g);
        for (int g = 0; g < n_points; ++g)
          {
            const double   weight = piece->length * rule().weights(g);
            const Matrix3 &R      = piece->frames[g];
            const auto    &rate   = piece->points[g].rate;
            const Matrix3  T      = at(beyond.tension, g);
            const Matrix3  S =
              loads.end_moment_change + T - T.trace() * Matrix3::Identity();
            const Turns turned =
              weight * (S * rates[g] +
                        R.col(0).cross(force_beyond(loads, piece->s(g))) *
                          rate.row(stretch) +
                        R.col(2).cross(loads.weight) * rate.row(mass_offset));
            // How far the points before this one turn it.
            Turns before = Turns::Zero(3, n_local);
            for (int k = 0; k < n_points; ++k)
              before += piece->length * rule().up_to_points(k, g) * rates[k];
            within += before.transpose() * turned;
            turned_here += turned;
            turns_here += weight * rates[g];

            const LocalMatrix bilinear =
              twist_hessian(piece->element, piece->xi(g));
            if (bilinear.size() > 0)
              within +=
                0.5 * weight * R.col(0).dot(beyond.moment.col(g)) * bilinear;
          }

        for (Index i = 0; i < n_local; ++i)
          if (mine[i] >= 0)
            {
              half.col(mine[i]).noalias() +=
                turned_beyond.transpose() * turns_here.col(i);
              for (Index j = 0; j < n_local; ++j)
                if (mine[j] >= 0)
                  half(mine[i], mine[j]) += within(i, j);
            }
        for (Index j = 0; j < n_local; ++j)
          if (mine[j] >= 0)
            turned_beyond.col(mine[j]) += turned_here.col(j);
      }
    hessian += factor * (half + half.transpose());
  }
} // namespace slender::ribbons
