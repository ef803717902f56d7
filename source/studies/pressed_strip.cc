// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/interruption.h>
#include <slender/dynamics/frictional_equilibrium.h>
#include <slender/studies/pressed_strip.h>
#include <slender/systems/kinematics.h>

#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    /// Where a strain is enclosed, each bit of it costs two. More come where
    /// one step fails after the other that is a little longer, which would go
    /// on for as many steps as the shortest one fits into the way.
    constexpr int most_cuts = 150;

    Obstacles
    floor_at_tip()
    {
      Obstacle floor;
      floor.name  = "floor";
      floor.shape = make_plane(Vector3::UnitX(), -Vector3::UnitX());
      return {floor};
    }

    double
    largest_over_ranks(const System &system, double value)
    {
      MPI_Allreduce(MPI_IN_PLACE,
                    &value,
                    1,
                    MPI_DOUBLE,
                    MPI_MAX,
                    system.layout().communicator);
      return value;
    }
  } // namespace

  PressedStrip::PressedStrip(System &the_system, const NewtonOptions &options)
    : system(the_system)
    , touching(touching_points(system))
    , obstacles(floor_at_tip())
    , frictional(system, *touching, obstacles, options)
    , q(system.initial_state())
    , straight(touching->places(q))
  {
    for (Index i = 0; i < touching->size(); ++i)
      is_tip.push_back(straight(0, i) > 1. - 1e-9);
  }

  void
  PressedStrip::set_friction(const double coefficient)
  {
    frictional.friction_factor = std::isinf(coefficient) ? coefficient : 1.;
    obstacles[0].friction      = std::isinf(coefficient) ? 1. : coefficient;
  }

  void
  PressedStrip::push_floor(const double epsilon)
  {
    obstacles[0].shift = -epsilon * Vector3::UnitX();
  }

  void
  PressedStrip::push(const double epsilon)
  {
    pushed = epsilon;
    push_floor(epsilon);
  }

  PressedStrip::Place
  PressedStrip::place() const
  {
    return {pushed, system.state(q), contacts};
  }

  void
  PressedStrip::set(const Place &place)
  {
    system.set_state(place.state);
    q        = place.state.q;
    contacts = place.contacts;
    pushed   = place.epsilon;
    push_floor(pushed);
  }

  void
  PressedStrip::take(const Vector               &found,
                     const std::vector<Contact> &its_contacts)
  {
    q        = found;
    contacts = its_contacts;
  }

  bool
  PressedStrip::buckle(const double epsilon, const double side_load)
  {
    const double none   = obstacles[0].friction;
    const double factor = frictional.friction_factor;
    set_friction(std::numeric_limits<double>::infinity());
    Vector               guess    = q;
    Vector               previous = system.full_state(q);
    std::vector<Contact> with;
    bool                 converged = true;
    // The floor is out of the way first, so that the load alone bends it; then
    // it is pushed against the tip, which is led back under the clamp.
    Eigen::Matrix3Xd anchors = straight;
    const auto       go      = [&](const double load, const double pushed_by) {
      system.set_parameter("gravity", load);
      push_floor(pushed_by);
      const Equilibrium found =
        frictional.search(guess, anchors, previous, with);
      all_iterations += found.iterations;
      converged = converged && found.converged();
      guess     = found.q;
      previous  = system.full_state(guess);
      with      = frictional.contacts();
    };
    for (const double part : {0.25, 0.5, 0.75, 1.})
      go(part * side_load, -1.);
    const Eigen::Matrix3Xd bent = touching->places(guess);
    for (const double part : {0., 0.25, 0.5, 0.75, 0.9, 1.})
      {
        anchors = bent + part * (straight - bent);
        go(side_load, epsilon);
      }
    for (const double part : {0.75, 0.5, 0.3, 0.15, 0.05, 0.})
      go(part * side_load, epsilon);
    frictional.friction_factor = factor;
    obstacles[0].friction      = none;
    if (!converged)
      return false;
    q        = guess;
    contacts = with;
    pushed   = epsilon;
    system.commit(q);
    return true;
  }

  Equilibrium
  PressedStrip::press(const double epsilon)
  {
    push_floor(epsilon);
    const Equilibrium found =
      frictional.search(q, touching->places(q), system.full_state(q), contacts);
    all_iterations += found.iterations;
    if (found.converged())
      {
        q        = found.q;
        contacts = frictional.contacts();
        pushed   = epsilon;
        system.commit(q);
      }
    else
      push_floor(pushed);
    return found;
  }

  bool
  PressedStrip::is_welcome(const Place &before, const Steps which)
  {
    if (which == Steps::sticking)
      return forces().slipping == 0;
    return which == Steps::any ||
           (root_mean_square(system.layout(), Vector(q - before.state.q)) <=
              near_by &&
            frictional.n_negative() == 0);
  }

  bool
  PressedStrip::press_in_steps(const double epsilon,
                               const double longest,
                               const double shortest,
                               const Steps  which)
  {
    frictional.must_stick = which == Steps::sticking;
    double step           = longest;
    int    cuts           = 0;
    while (pushed != epsilon && cuts < most_cuts &&
           !interruption_requested(system.layout().communicator))
      {
        const double left   = epsilon - pushed;
        const double next   = std::abs(left) <= step * (1. + 1e-9)
                                ? epsilon
                                : pushed + std::copysign(step, left);
        const Place  before = place();
        if (press(next).converged() && is_welcome(before, which))
          {
            step = std::min(2. * step, longest);
            continue;
          }
        set(before);
        ++cuts;
        step = std::min(step, std::abs(left)) / 2.;
        if (step < shortest)
          break;
      }
    frictional.must_stick = false;
    return pushed == epsilon;
  }

  PressedStrip::Forces
  PressedStrip::forces() const
  {
    std::array<double, 5> sums   = {};
    double                length = 0.;
    for (const Contact &contact : contacts)
      {
        if (contact.state == ContactState::open)
          continue;
        sums[0] -= contact.force(0);
        sums[1] += contact.force(2);
        sums[contact.state == ContactState::stick ? 2 : 3] += 1.;
        if (!is_tip[contact.point])
          {
            sums[4] += 1.;
            length = std::max(length, 1. - straight(0, contact.point));
          }
      }
    MPI_Allreduce(MPI_IN_PLACE,
                  sums.data(),
                  static_cast<int>(sums.size()),
                  MPI_DOUBLE,
                  MPI_SUM,
                  system.layout().communicator);
    Forces result;
    result.thrust     = sums[0];
    result.friction   = sums[1];
    result.sticking   = static_cast<Index>(sums[2]);
    result.slipping   = static_cast<Index>(sums[3]);
    result.beyond_tip = static_cast<Index>(sums[4]);
    result.length     = largest_over_ranks(system, length);
    return result;
  }

  double
  PressedStrip::tip_displacement() const
  {
    const Eigen::Matrix3Xd x    = touching->places(q);
    double                 most = 0.;
    for (Index i = 0; i < touching->size(); ++i)
      if (is_tip[i])
        most = std::max(most, std::abs(x(2, i) - straight(2, i)));
    return largest_over_ranks(system, most);
  }
} // namespace slender
