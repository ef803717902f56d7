// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/dynamics/projective_rod.h>

#include <Eigen/Cholesky>

#include <cmath>

namespace slender
{
  ProjectiveRod::ProjectiveRod(const Eigen::Matrix3Xd     &places,
                               const ProjectiveRodOptions &the_options)
    : options(the_options)
    , edge(options.length / static_cast<double>(places.cols() - 1))
    , x(places)
    , velocity(Eigen::Matrix3Xd::Zero(3, places.cols()))
    , mass(Vector::Constant(places.cols(), options.mass_per_length * edge))
    , L(Eigen::MatrixXd::Zero(places.cols(), places.cols()))
  {
    const Index n = x.cols();
    mass(0) /= 2.;
    mass(n - 1) /= 2.;
    const double stretch = options.axial / edge;
    const double bend    = options.bending / std::pow(edge, 3);
    for (Index i = 0; i + 1 < n; ++i)
      {
        L(i, i) += stretch;
        L(i + 1, i + 1) += stretch;
        L(i, i + 1) -= stretch;
        L(i + 1, i) -= stretch;
      }
    const Eigen::Vector3d second(1., -2., 1.);
    for (Index i = 0; i + 2 < n; ++i)
      L.block<3, 3>(i, i) += bend * second * second.transpose();
    // The clamp is a joint over half an edge: EI/l |t - d|^2.
    L(1, 1) += 2. * bend;
    L(0, 0) += 2. * bend;
    L(0, 1) -= 2. * bend;
    L(1, 0) -= 2. * bend;
  }

  void
  ProjectiveRod::prepare(const double h)
  {
    if (h == inverse_of)
      return;
    const Index     n = x.cols() - 1;
    Eigen::MatrixXd A = L.bottomRightCorner(n, n);
    A.diagonal() += (1. / (h * h) + options.drag / h) * mass.tail(n);
    inverse    = A.llt().solve(Eigen::MatrixXd::Identity(n, n));
    inverse_of = h;
  }

  void
  ProjectiveRod::step(const double h, const Obstacles &obstacles)
  {
    prepare(h);
    const Index            n       = x.cols();
    const Eigen::Matrix3Xd before  = x;
    const double           inertia = 1. / (h * h), drag = options.drag / h;
    // Forces that do not depend on the turn.
    Eigen::Matrix3Xd fixed =
      (inertia * (before + h * velocity) + drag * before) * mass.asDiagonal();
    const double clamp = 2. * options.bending / std::pow(edge, 3);
    fixed.col(1) += clamp * edge * options.direction;
    fixed -= before.col(0) * L.row(0);

    Eigen::Matrix3Xd next = before + h * velocity;
    next.col(0)           = before.col(0);
    for (int turn = 0; turn < options.iterations; ++turn)
      {
        Eigen::Matrix3Xd right = fixed;
        const double     pull  = options.axial; // w l of an edge
        for (Index i = 0; i + 1 < n; ++i)
          {
            const Vector3 p =
              pull * (next.col(i + 1) - next.col(i)).normalized();
            right.col(i + 1) += p;
            right.col(i) -= p;
          }
        // What obstacles do.
        found.clear();
        for (std::size_t o = 0; o < obstacles.size(); ++o)
          {
            const Obstacle &obstacle = obstacles[o];
            for (Index i = 1; i < n; ++i)
              {
                if (obstacle.gap(next.col(i)) > 1e-9)
                  continue;
                const Vector3 normal =
                  obstacle.shape->normal(next.col(i) - obstacle.shift);
                // Force on it with all others where they were, in the frame
                // of the obstacle: m (1/h^2 + c/h) (x - x_free) = r.
                const double  m = mass(i) * (inertia + drag);
                const Vector3 held =
                  right.col(i) -
                  next.rightCols(n - 1) * L.row(i).tail(n - 1).transpose();
                // Where it would have to be to stick.
                const Vector3 carried = before.col(i) + h * obstacle.velocity;
                const Vector3 stuck  = carried - normal * obstacle.gap(carried);
                const Vector3 needed = m * stuck - held;
                const double  pressure = needed.dot(normal);
                if (pressure <= 0.)
                  continue;
                Vector3      friction = needed - pressure * normal;
                const double most     = obstacle.friction * pressure;
                const bool   slips    = friction.norm() > most;
                if (slips)
                  friction *= most / friction.norm();
                const Vector3 r = pressure * normal + friction;
                right.col(i) += r;
                found.push_back(
                  {i,
                   o,
                   obstacle.gap(next.col(i)),
                   normal,
                   r,
                   Vector3::Zero(),
                   slips ? ContactState::slip : ContactState::stick});
              }
          }
        const Eigen::Matrix3Xd moved = right.rightCols(n - 1) * inverse;
        change = (moved - next.rightCols(n - 1)).cwiseAbs().maxCoeff();
        next.rightCols(n - 1) = moved;
      }
    velocity = (next - before) / h;
    x        = next;
    for (Contact &contact : found)
      {
        const Vector3 way = x.col(contact.point) - before.col(contact.point) -
                            h * obstacles[contact.obstacle].velocity;
        contact.slip = way - contact.normal * contact.normal.dot(way);
      }
  }

  double
  ProjectiveRod::energy() const
  {
    double       sum  = 0.;
    const double bend = options.bending / std::pow(edge, 3);
    for (Index i = 0; i + 1 < x.cols(); ++i)
      sum += 0.5 * options.axial / edge *
             std::pow((x.col(i + 1) - x.col(i)).norm() - edge, 2);
    for (Index i = 0; i + 2 < x.cols(); ++i)
      sum += 0.5 * bend *
             (x.col(i) - 2. * x.col(i + 1) + x.col(i + 2)).squaredNorm();
    sum +=
      bend * (x.col(1) - x.col(0) - edge * options.direction).squaredNorm();
    return sum;
  }
} // namespace slender
