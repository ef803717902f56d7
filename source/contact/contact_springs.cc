// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/contact_springs.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace slender
{
  namespace
  {
    /// Springs of contacts are this much stiffer than the body.
    constexpr double strength_of_springs = 300.;
  } // namespace

  ContactSprings::ContactSprings(const System         &the_system,
                                 const TouchingPoints &the_points,
                                 const Exchange       &the_exchange,
                                 SystemTangent        &the_tangent)
    : system(the_system)
    , points(the_points)
    , exchange(the_exchange)
    , tangent(the_tangent)
  {}

  bool
  ContactSprings::known(const long n_contacts) const
  {
    return diagonal.size() > 0 || (ask_tangent(n_contacts) && of_one > 0.);
  }

  bool
  ContactSprings::ask_tangent(const long n_contacts) const
  {
    return n_contacts <= 1 || !(by_diagonal || points.give_way_by_diagonal());
  }

  void
  ContactSprings::forget()
  {
    of_one = 0.;
    diagonal.resize(0);
  }

  double
  ContactSprings::compliance(const std::vector<Touch> &touches)
  {
    const Layout &layout = system.layout();
    const auto    here   = static_cast<Index>(touches.size());
    Index         before = 0;
    MPI_Exscan(&here, &before, 1, MPI_INT, MPI_SUM, layout.communicator);
    Eigen::MatrixXd column   = Eigen::MatrixXd::Zero(layout.n_owned(), 1);
    const bool      is_first = before == 0 && here > 0;
    if (is_first)
      for (std::size_t k = 0; k < touches[0].unknowns.size(); ++k)
        if (touches[0].unknowns[k] >= 0)
          column(touches[0].unknowns[k], 0) =
            touches[0].rows(0, static_cast<Index>(k)) / system.energy_unit();
    if (!tangent.solve(column))
      return 0.;
    double gives_way = 0.;
    if (is_first)
      {
        Vector response                 = Vector::Zero(layout.n_local());
        response.head(layout.n_owned()) = column.col(0);
        gives_way                       = touches[0].rate(response)(0);
      }
    MPI_Allreduce(
      MPI_IN_PLACE, &gives_way, 1, MPI_DOUBLE, MPI_SUM, layout.communicator);
    return gives_way;
  }

  bool
  ContactSprings::measure(const Vector &q, const std::vector<Touch> &touches)
  {
    forget();
    long n = static_cast<long>(touches.size());
    MPI_Allreduce(
      MPI_IN_PLACE, &n, 1, MPI_LONG, MPI_SUM, system.layout().communicator);
    if (ask_tangent(n))
      {
        const double gives_way = compliance(touches);
        if (!(std::abs(gives_way) > 0.))
          return false;
        of_one = strength_of_springs / std::abs(gives_way);
        return true;
      }
    HessianDiagonal sink(system.layout().n_local());
    system.hessian(q, sink);
    diagonal = exchange.accumulated(sink.diagonal);
    return diagonal.allFinite();
  }

  void
  ContactSprings::put(std::vector<Touch> &touches, const double stiffer) const
  {
    std::map<Index, int> obstacles;
    for (Touch &touch : touches)
      {
        put(touch, stiffer);
        ++obstacles[touch.contact.point];
      }
    // What two obstacles bear together they share by their springs. These are
    // the same in all directions, lest it be borne by friction alone.
    for (Touch &touch : touches)
      if (obstacles[touch.contact.point] > 1)
        touch.spring_across = touch.spring_along =
          std::max(touch.spring_across, touch.spring_along);
  }

  void
  ContactSprings::put(Touch &touch, const double stiffer) const
  {
    touch.spring_across = touch.spring_along = stiffer * of_one;
    touch.own_along                          = of_one;
    if (diagonal.size() == 0)
      return;
    Vector3 weighted = Vector3::Zero(), all = Vector3::Zero();
    for (std::size_t k = 0; k < touch.unknowns.size(); ++k)
      if (touch.unknowns[k] >= 0)
        {
          const Vector3 square =
            touch.rows.col(static_cast<Index>(k)).cwiseAbs2();
          weighted += std::abs(diagonal(touch.unknowns[k])) * square;
          all += square;
        }
    Vector3 stiffness = Vector3::Zero();
    for (int i = 0; i < 3; ++i)
      if (all(i) > 0.)
        stiffness(i) = system.energy_unit() * weighted(i) / (all(i) * all(i));
    touch.own_along     = std::max(stiffness(1), stiffness(2));
    touch.spring_across = stiffer * strength_of_springs * stiffness(0);
    touch.spring_along  = stiffer * strength_of_springs * touch.own_along;
  }
} // namespace slender
