// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/augmented_step.h>
#include <slender/contact/condensed_step.h>
#include <slender/contact/contact_frame.h>
#include <slender/contact/contact_load.h>
#include <slender/contact/contact_springs.h>
#include <slender/contact/frictional_search.h>
#include <slender/contact/landing.h>
#include <slender/contact/stopwatch.h>
#include <slender/solvers/ghosts.h>
#include <slender/systems/structure.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    /// Points that are nearer are tried [length]: those that rest stand at zero
    /// but for round-off. Others are noticed once an iterate has them inside.
    constexpr double touching_gap = 1e-9;

    /// Where signs are counted and no force is asked for.
    constexpr double stiffer = 300.;

    /// To so much of the body's size places are known.
    constexpr double known_place = 1e-14;

    /// Of changes of contacts' states within an iteration.
    constexpr int most_rounds = 12;

    /// For fewer contacts their own problem is cheap.
    constexpr long several_contacts = 16;

    /// A descent finds out what so many contacts do, if that is not known after
    /// so many changes of their states: each takes a factorisation, and
    /// Newton's method leads anywhere as long as it is unknown.
    constexpr long many_contacts = 32;
    constexpr int  most_changes  = 6;

    /// A search whose steps have not become half as long in so many
    /// iterations goes nowhere.
    constexpr int most_idle = 12;

    /// So does one whose contacts' own problem has had no solution so often in
    /// a row: each attempt takes long.
    constexpr int most_unsolved = 4;

    long
    sum(const Layout &layout, const std::size_t mine)
    {
      long all = static_cast<long>(mine);
      MPI_Allreduce(
        MPI_IN_PLACE, &all, 1, MPI_LONG, MPI_SUM, layout.communicator);
      return all;
    }

    bool
    agree(const Layout &layout, const bool mine)
    {
      int any = mine ? 1 : 0;
      MPI_Allreduce(
        MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, layout.communicator);
      return any > 0;
    }

    double
    size_of(const Layout &layout, const Eigen::Matrix3Xd &places)
    {
      double size = places.size() > 0 ? places.cwiseAbs().maxCoeff() : 0.;
      MPI_Allreduce(
        MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_MAX, layout.communicator);
      return size;
    }
  } // namespace

  struct FrictionalSearch::Implementation
  {
    Implementation(System               &the_system,
                   const TouchingPoints &the_points,
                   const Obstacles      &the_obstacles,
                   const NewtonOptions  &the_options)
      : system(the_system)
      , points(the_points)
      , obstacles(the_obstacles)
      , options(the_options)
      , loaded(system)
      , load(new ContactLoad(points))
      , tangent(loaded, options.solver())
      , exchange(system.layout())
      , springs(system, points, exchange, tangent)
      , augmented(system.layout(),
                  exchange,
                  tangent,
                  system.energy_unit(),
                  times.contacts)
      , condensed(system.layout(),
                  exchange,
                  tangent,
                  system.energy_unit(),
                  times.contacts)
    {
      loaded.add_term("contacts", std::unique_ptr<Term>(load));
    }

    /// Points that touch at q or did so before, with the forces of before.
    std::vector<Touch>
    touches(const Vector &q) const;

    /// Newton's method with either way to treat contacts; they are left in
    /// `contacts`.
    Equilibrium
    search(const Vector &guess, const Vector &previous, bool augments);

    /// The same with springs by the diagonal of a tangent that does not tell.
    Equilibrium
    search_by_diagonal(const Vector               &guess,
                       const Vector               &previous,
                       const std::vector<Contact> &guess_of_contacts,
                       int                         spent);

    /// The same from where a descent leads to.
    Equilibrium
    land_and_search(const Vector               &guess,
                    const std::vector<Contact> &guess_of_contacts,
                    int                         spent);

    struct Advance
    {
      Vector step;
      bool   solved = false, settled = false;
    };
    Advance
    condensed_step(std::vector<Touch> &touches, const Vector &gradient);
    Advance
    augmented_step(const Vector       &q,
                   const Vector       &previous,
                   std::vector<Touch> &touches,
                   const Vector       &gradient,
                   long                n_contacts);

    /// The forces of contacts act on the body at q, with springs if they are
    /// augmented.
    void
    put_load(const Vector             &q,
             const std::vector<Touch> &touches,
             bool                      with_springs);

    void
    hold_tangent(const Vector &q, const Vector &previous)
    {
      if (options.mixed_tangent)
        tangent.hold_newton_tangent(q, previous);
      else
        tangent.hold_hessian(q);
    }

    System                  &system;
    const TouchingPoints    &points;
    const Obstacles         &obstacles;
    NewtonOptions            options;
    Structure                loaded;
    ContactLoad             *load; ///< of that structure
    SystemTangent            tangent;
    Exchange                 exchange;
    FrictionalSearch::Times  times;
    ContactSprings           springs;
    AugmentedStep            augmented;
    CondensedStep            condensed;
    std::vector<Contact>     contacts; ///< found, or tried last
    Eigen::Matrix3Xd         begin;
    double                   friction_factor = 1., step_length = 0.;
    double                   viscosity  = 0.;
    bool                     must_stick = false, has_slipped = false;
    int                      contact_iterations = 0;
    long                     n_condensed = 0, n_landings = 0;
    std::unique_ptr<Landing> landing;          ///< once there was one
    bool                     may_land = false; ///< there may be one ...
    bool                     lands    = false; ///< ... and it has to be
    int                      changes  = 0;     ///< of states, in one search
    bool                     is_warm  = false; ///< contacts are a guess
    bool                     diverges = false; ///< the last search, far away
    /// The length of steps for which the strength of springs is known.
    double known_for = 0.;
    Vector at; ///< the state of the last search
  };

  std::vector<Touch>
  FrictionalSearch::Implementation::touches(const Vector &q) const
  {
    const Eigen::Matrix3Xd x = points.places(q);
    std::vector<Touch>     result;
    std::vector<Index>     chosen;
    std::vector<int>       old(points.size());
    for (std::size_t o = 0; o < obstacles.size(); ++o)
      {
        const Obstacle &obstacle = obstacles[o];
        std::fill(old.begin(), old.end(), -1);
        for (std::size_t c = 0; c < contacts.size(); ++c)
          if (contacts[c].obstacle == o)
            old[contacts[c].point] = static_cast<int>(c);
        for (Index i = 0; i < points.size(); ++i)
          {
            const double gap = obstacle.gap(x.col(i));
            const bool   was_touching =
              old[i] >= 0 && contacts[old[i]].state != ContactState::open;
            if (gap > touching_gap && !was_touching)
              continue;
            // A factor that is infinite sticks without friction, too.
            Touch touch;
            touch.friction = std::isinf(friction_factor)
                               ? 1e12
                               : friction_factor * obstacle.friction;
            if (viscosity > 0.)
              touch.viscosity = viscosity * touch.friction / step_length;
            touch.contact.point    = i;
            touch.contact.obstacle = o;
            touch.contact.gap      = gap;
            touch.contact.normal =
              obstacle.shape->normal(x.col(i) - obstacle.shift);
            touch.contact.force =
              was_touching ? contacts[old[i]].force : Vector3(Vector3::Zero());
            const Vector3 way =
              x.col(i) - begin.col(i) - step_length * obstacle.velocity;
            touch.contact.slip =
              way - touch.contact.normal * touch.contact.normal.dot(way);
            touch.frame         = contact_frame(touch.contact.normal);
            touch.moved         = touch.frame.transpose() * touch.contact.slip;
            touch.moved(0)      = gap;
            touch.contact.state = old[i] >= 0 ? contacts[old[i]].state
                                              : first_state(touch, touch.moved);
            chosen.push_back(i);
            result.push_back(touch);
          }
      }
    auto rates = points.rates(q, chosen);
    for (std::size_t i = 0; i < result.size(); ++i)
      {
        result[i].unknowns = std::move(rates[i].unknowns);
        result[i].rows     = result[i].frame.transpose() * rates[i].rates;
      }
    springs.put(result);
    return result;
  }

  void
  FrictionalSearch::Implementation::put_load(const Vector             &q,
                                             const std::vector<Touch> &touches,
                                             const bool with_springs)
  {
    std::vector<ContactLoad::Force> forces;
    const Eigen::Matrix3Xd          x = points.places(q);
    for (const Touch &touch : touches)
      {
        const Contact  &contact  = touch.contact;
        const Obstacle &obstacle = obstacles[contact.obstacle];
        if (contact.state == ContactState::open)
          continue;
        forces.push_back(
          {contact.point,
           contact.force,
           -contact.pressure() *
             obstacle.shape->curvature(x.col(contact.point) - obstacle.shift)});
        if (with_springs)
          forces.back().stiffness += augmented.stiffness(touch);
      }
    load->set(forces);
  }

  FrictionalSearch::Implementation::Advance
  FrictionalSearch::Implementation::condensed_step(std::vector<Touch> &touches,
                                                   const Vector       &gradient)
  {
    CondensedStep::Result one = condensed.solve(touches, gradient);
    contact_iterations += one.iterations;
    return {std::move(one.step), one.solved, one.settled};
  }

  FrictionalSearch::Implementation::Advance
  FrictionalSearch::Implementation::augmented_step(const Vector       &q,
                                                   const Vector       &previous,
                                                   std::vector<Touch> &touches,
                                                   const Vector       &gradient,
                                                   const long n_contacts)
  {
    if (n_contacts > 0 && !springs.known(n_contacts))
      {
        const Stopwatch stopwatch(times.contacts);
        put_load(q, touches, false);
        if (springs.ask_tangent(n_contacts))
          hold_tangent(q, previous);
        if (!springs.measure(q, touches))
          return {};
        springs.put(touches);
        augmented.resolution =
          known_place * size_of(system.layout(), points.places(q));
        put_load(q, touches, true);
      }
    std::vector<Vector3> before;
    for (const Touch &touch : touches)
      before.push_back(touch.contact.force);
    // What sticks, slips or opens is found before the step is taken, unless
    // that goes round in circles: a step with points held that should not be
    // leads anywhere.
    std::vector<std::vector<ContactState>> tried;
    for (int round = 0;; ++round)
      {
        {
          std::optional<Stopwatch> stopwatch;
          if (round > 0)
            stopwatch.emplace(times.contacts);
          hold_tangent(q, previous);
        }
        AugmentedStep::Result one =
          augmented.solve(touches, gradient, before, round > 0);
        contact_iterations += n_contacts > 0 ? one.iterations : 0;
        std::vector<ContactState> states;
        for (const Touch &touch : touches)
          states.push_back(touch.contact.state);
        changes += one.changed ? 1 : 0;
        lands =
          may_land && n_contacts >= many_contacts && changes > most_changes;
        if (lands)
          return {std::move(one.step), one.solved, false};
        const bool is_new =
          std::find(tried.begin(), tried.end(), states) == tried.end();
        if (!one.solved || !one.changed || round == most_rounds ||
            !agree(system.layout(), is_new))
          return {std::move(one.step), one.solved, one.settled && !one.changed};
        tried.push_back(std::move(states));
        put_load(q, touches, true);
      }
  }

  Equilibrium
  FrictionalSearch::Implementation::search_by_diagonal(
    const Vector               &guess,
    const Vector               &previous,
    const std::vector<Contact> &guess_of_contacts,
    const int                   spent)
  {
    contacts            = guess_of_contacts;
    springs.by_diagonal = true;
    springs.forget();
    Equilibrium result  = search(guess, previous, true);
    springs.by_diagonal = false;
    springs.forget();
    result.iterations += spent;
    return result;
  }

  Equilibrium
  FrictionalSearch::Implementation::land_and_search(
    const Vector               &guess,
    const std::vector<Contact> &guess_of_contacts,
    const int                   spent)
  {
    if (!landing)
      landing =
        std::make_unique<Landing>(system, points, obstacles, options.solver());
    ++n_landings;
    Landing::Result landed =
      landing->search(guess, begin, guess_of_contacts, step_length);
    Equilibrium result;
    result.q       = std::move(landed.q);
    result.outcome = Outcome::too_many_iterations;
    if (landed.converged)
      {
        may_land = false;
        result   = search_by_diagonal(result.q,
                                    system.full_state(result.q),
                                    landed.contacts,
                                    0);
      }
    result.iterations += spent + landed.iterations;
    return result;
  }

  Equilibrium
  FrictionalSearch::Implementation::search(const Vector &guess,
                                           const Vector &previous_state,
                                           const bool    augments)
  {
    const Layout &layout   = system.layout();
    Vector        previous = previous_state;
    Equilibrium   result;
    result.q       = guess;
    result.outcome = Outcome::too_many_iterations;
    // How much the body gives way is much the same in the next step of a
    // motion.
    if (!is_warm || step_length == 0. || step_length != known_for)
      springs.forget();
    known_for        = step_length;
    diverges         = false;
    lands            = false;
    changes          = 0;
    double last_step = std::numeric_limits<double>::infinity();
    double shortest  = last_step;
    int    idle = 0, unsolved = 0;
    for (; result.iterations < options.max_iterations; ++result.iterations)
      {
        const Vector       q = result.q;
        std::vector<Touch> touches;
        long               n_contacts = 0;
        {
          const Stopwatch stopwatch(times.contacts);
          touches    = this->touches(q);
          n_contacts = sum(layout, touches.size());
          put_load(q, touches, augments);
        }
        const Vector gradient = exchange.accumulated(loaded.gradient(q));
        result.residual       = root_mean_square(layout, gradient);
        Advance advance;
        if (augments)
          advance = augmented_step(q, previous, touches, gradient, n_contacts);
        else
          {
            hold_tangent(q, previous);
            advance = condensed_step(touches, gradient);
          }
        previous = system.full_state(q);
        contacts.clear();
        for (const Touch &touch : touches)
          contacts.push_back(touch.contact);
        if (!advance.solved)
          {
            result.outcome = Outcome::singular_tangent;
            return result;
          }
        if (lands)
          {
            ++result.iterations;
            return result;
          }
        // The first iterate is a guess.
        if (must_stick && result.iterations > 0)
          {
            const bool slips =
              std::any_of(contacts.begin(),
                          contacts.end(),
                          [](const Contact &one) {
                            return one.state == ContactState::slip;
                          });
            if (agree(layout, slips))
              {
                has_slipped = true;
                return result;
              }
          }
        result.step = root_mean_square(layout, advance.step);
        if (!std::isfinite(result.step))
          {
            result.outcome = Outcome::not_finite;
            return result;
          }
        idle = result.step < 0.5 * shortest ? 0 : idle + 1;
        if (idle == 0)
          shortest = result.step;
        // One that would lead further than all it touches is wide leads
        // nowhere, either.
        diverges =
          idle > 0 && result.step > 1e3 * shortest &&
          size_of(layout, points.places(q + advance.step) - points.places(q)) >
            size_of(layout, points.places(q));
        unsolved = augments || advance.settled || !augmented.in_motion
                     ? 0
                     : unsolved + 1;
        if (idle > most_idle || diverges || unsolved > most_unsolved)
          {
            ++result.iterations;
            break;
          }
        result.q += advance.step;
        // The next one would be smaller by as much again, or is round-off.
        const double tolerance = options.step_tolerance;
        const double factor =
          std::isfinite(last_step) ? result.step / last_step : 1.;
        const bool is_small = result.step <= tolerance ||
                              factor * result.step <= tolerance ||
                              (factor > 0.5 && std::isfinite(last_step) &&
                               result.step <= 1e4 * tolerance);
        last_step = result.step;
        if (is_small && advance.settled)
          {
            ++result.iterations;
            result.outcome = Outcome::converged;
            break;
          }
      }
    return result;
  }

  FrictionalSearch::FrictionalSearch(System               &system,
                                     const TouchingPoints &points,
                                     const Obstacles      &obstacles,
                                     const NewtonOptions  &options)
    : implementation(
        std::make_unique<Implementation>(system, points, obstacles, options))
  {}

  FrictionalSearch::~FrictionalSearch() = default;

  const std::vector<Contact> &
  FrictionalSearch::contacts() const
  {
    return implementation->contacts;
  }

  int
  FrictionalSearch::contact_iterations() const
  {
    return implementation->contact_iterations;
  }

  const FrictionalSearch::Times &
  FrictionalSearch::times() const
  {
    return implementation->times;
  }

  long
  FrictionalSearch::n_condensed() const
  {
    return implementation->n_condensed;
  }

  long
  FrictionalSearch::n_landings() const
  {
    return implementation->n_landings;
  }

  Equilibrium
  FrictionalSearch::search(const Vector                &guess,
                           const Eigen::Matrix3Xd      &begin,
                           const std::optional<Vector> &previous_state,
                           const std::vector<Contact>  &guess_of_contacts)
  {
    Implementation &self = *implementation;
    const Stopwatch all(self.times.all);
    self.begin               = begin;
    self.contacts            = guess_of_contacts;
    self.friction_factor     = friction_factor;
    self.step_length         = step_length;
    self.viscosity           = viscosity;
    self.must_stick          = must_stick;
    self.augmented.in_motion = in_motion;
    self.has_slipped         = false;
    self.contact_iterations  = 0;
    self.is_warm =
      keeps_springs && agree(self.system.layout(), !guess_of_contacts.empty());
    const Vector previous =
      previous_state ? *previous_state : self.system.full_state(guess);
    const bool is_automatic = method == Method::automatic && viscosity == 0.;
    const bool may_land = is_automatic && in_motion && friction_factor == 1. &&
                          self.system.has_potential();
    self.may_land = may_land;
    Equilibrium result =
      self.search(guess, previous, method != Method::condensed);
    const auto fails = [&] {
      return !result.converged() && is_automatic && !self.has_slipped;
    };
    const bool are_several =
      sum(self.system.layout(), self.contacts.size()) >= several_contacts;
    if (fails() && !self.lands && are_several &&
        !self.points.give_way_by_diagonal())
      result = self.search_by_diagonal(guess,
                                       previous,
                                       guess_of_contacts,
                                       result.iterations);
    if (fails() && are_several && may_land)
      result =
        self.land_and_search(guess, guess_of_contacts, result.iterations);
    else if (fails() && !self.diverges)
      {
        const int spent = result.iterations;
        self.contacts   = guess_of_contacts;
        result          = self.search(guess, previous, false);
        result.iterations += spent;
        ++self.n_condensed;
      }
    self.at = result.q;
    if (!result.converged())
      self.known_for = 0.;
    // What is said of contacts is said of the state that was found.
    const Eigen::Matrix3Xd x = self.points.places(result.q);
    for (Contact &contact : self.contacts)
      {
        const Obstacle &obstacle = self.obstacles[contact.obstacle];
        contact.gap              = obstacle.gap(x.col(contact.point));
        const Vector3 way = x.col(contact.point) - begin.col(contact.point) -
                            step_length * obstacle.velocity;
        contact.slip = way - contact.normal * contact.normal.dot(way);
      }
    return result;
  }

  std::vector<Contact>
  FrictionalSearch::borne(const Vector &q, const double length)
  {
    const Implementation  &self   = *implementation;
    const TouchingPoints  &points = self.points;
    const Eigen::Matrix3Xd x      = points.places(q);
    std::vector<Contact>   result;
    std::vector<Index>     chosen;
    for (std::size_t o = 0; o < self.obstacles.size(); ++o)
      for (Index i = 0; i < points.size(); ++i)
        {
          const Obstacle &obstacle = self.obstacles[o];
          const Vector3   at       = x.col(i) + length * obstacle.velocity;
          const double    gap      = obstacle.gap(at);
          if (gap > touching_gap)
            continue;
          chosen.push_back(i);
          result.push_back({i,
                            o,
                            gap,
                            obstacle.shape->normal(at - obstacle.shift),
                            Vector3::Zero(),
                            Vector3::Zero(),
                            ContactState::open});
        }
    const Vector gradient = self.exchange.accumulated(self.system.gradient(q)) *
                            self.system.energy_unit();
    const auto rates = points.rates(q, chosen);
    for (std::size_t c = 0; c < result.size(); ++c)
      {
        const TouchingPoints::Rates &own = rates[c];
        if (own.unknowns.size() != 3 ||
            std::any_of(own.unknowns.begin(),
                        own.unknowns.end(),
                        [](const Index k) { return k < 0; }))
          continue;
        Contact &contact = result[c];
        Vector3  g;
        for (int k = 0; k < 3; ++k)
          g(k) = gradient(own.unknowns[k]);
        const Vector3 f        = own.rates.transpose().fullPivLu().solve(g);
        const double  pressure = f.dot(contact.normal);
        if (!(pressure > 0.))
          continue;
        Vector3      along = f - pressure * contact.normal;
        const double size  = along.norm(),
                     limit =
                       self.obstacles[contact.obstacle].friction * pressure;
        contact.state = size < limit ? ContactState::stick : ContactState::slip;
        if (size > limit)
          along *= limit / size;
        contact.force = pressure * contact.normal + along;
      }
    result.erase(std::remove_if(result.begin(),
                                result.end(),
                                [](const Contact &one) {
                                  return one.state == ContactState::open;
                                }),
                 result.end());
    return result;
  }

  Index
  FrictionalSearch::n_negative()
  {
    // Springs that are stiff enough leave what contacts do not hold; of one
    // that slips, the normal alone is held.
    Implementation    &self    = *implementation;
    std::vector<Touch> touches = self.touches(self.at);
    touches.erase(std::remove_if(touches.begin(),
                                 touches.end(),
                                 [](const Touch &touch) {
                                   return touch.contact.force.isZero(0.);
                                 }),
                  touches.end());
    for (Touch &touch : touches)
      touch.friction = touch.viscosity = 0.;
    self.put_load(self.at, touches, false);
    self.tangent.hold_hessian(self.at);
    if (agree(self.system.layout(), !touches.empty()))
      {
        self.known_for = 0.;
        self.springs.measure(self.at, touches);
        self.springs.put(touches, stiffer);
        self.put_load(self.at, touches, true);
        self.tangent.hold_hessian(self.at);
      }
    return self.tangent.inertia().negative;
  }
} // namespace slender
