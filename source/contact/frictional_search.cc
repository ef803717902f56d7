// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/augmented_step.h>
#include <slender/contact/contact_frame.h>
#include <slender/contact/contact_load.h>
#include <slender/contact/frictional_search.h>
#include <slender/solvers/ghosts.h>
#include <slender/systems/structure.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    /// Points that are nearer are tried [length]: those that rest stand at zero
    /// but for round-off. Others are noticed once an iterate has them inside.
    constexpr double touching_gap = 1e-9;

    /// Springs of contacts are this much stiffer than the body gives way: with
    /// every substitution their stretch falls by as much.
    /// Not more: places have round-off, which a spring makes a force of.
    constexpr double strength_of_springs = 300.;

    /// Where signs are counted and no force is asked for.
    constexpr double stiffer = 300.;

    /// To so much of the body's size places are known.
    constexpr double known_place = 1e-14;

    /// Of changes of contacts' states within an iteration.
    constexpr int most_rounds = 12;

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

    class Stopwatch
    {
    public:
      explicit Stopwatch(double &the_sum)
        : sum(the_sum)
        , start(std::chrono::steady_clock::now())
      {}

      ~Stopwatch()
      {
        sum += std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                             start)
                 .count();
      }

      Stopwatch(const Stopwatch &) = delete;
      Stopwatch &
      operator=(const Stopwatch &) = delete;

    private:
      double                               &sum;
      std::chrono::steady_clock::time_point start;
    };
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
      , augmented(system.layout(), exchange, tangent, system.energy_unit())
    {
      loaded.add_term("contacts", std::unique_ptr<Term>(load));
    }

    /// Points that touch at q or did so before, with the forces of before.
    std::vector<Touch>
    touches(const Vector &q) const;

    /// W, and what stands at an obstacle as `b`.
    CoulombProblem
    problem(const std::vector<Touch> &touches, Eigen::MatrixXd &responses);

    /// Newton's method with either way to treat contacts; they are left in
    /// `contacts`.
    Equilibrium
    search(const Vector &guess, const Vector &previous, bool augments);

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
                   bool                some);

    /// The forces of contacts act on the body at q, with springs if they are
    /// augmented.
    void
    put_load(const Vector &q, const std::vector<Touch> &touches, bool springs);

    /// How stiff springs are to be at the tangent that is held.
    double
    strength(const std::vector<Touch> &touches);

    void
    hold_tangent(const Vector &q, const Vector &previous)
    {
      if (options.mixed_tangent)
        tangent.hold_newton_tangent(q, previous);
      else
        tangent.hold_hessian(q);
    }

    System                 &system;
    const TouchingPoints   &points;
    const Obstacles        &obstacles;
    NewtonOptions           options;
    Structure               loaded;
    ContactLoad            *load; ///< of that structure
    SystemTangent           tangent;
    Exchange                exchange;
    AugmentedStep           augmented;
    std::vector<Contact>    contacts; ///< found, or tried last
    Eigen::Matrix3Xd        begin;
    double                  friction_factor = 1., step_length = 0.;
    double                  viscosity  = 0.;
    bool                    must_stick = false, has_slipped = false;
    int                     contact_iterations = 0;
    long                    n_condensed        = 0;
    Index                   first              = 0; ///< of all, on this rank
    FrictionalSearch::Times times;
    Vector                  at; ///< the state of the last search
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
            // One that was not tried yet is held until it pulls.
            touch.contact.state =
              old[i] >= 0 ? contacts[old[i]].state : first_state(touch);
            const Vector3 way =
              x.col(i) - begin.col(i) - step_length * obstacle.velocity;
            touch.contact.slip =
              way - touch.contact.normal * touch.contact.normal.dot(way);
            touch.frame    = contact_frame(touch.contact.normal);
            touch.moved    = touch.frame.transpose() * touch.contact.slip;
            touch.moved(0) = gap;
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
    return result;
  }

  CoulombProblem
  FrictionalSearch::Implementation::problem(const std::vector<Touch> &touches,
                                            Eigen::MatrixXd          &responses)
  {
    MPI_Comm   communicator = system.layout().communicator;
    const auto here         = static_cast<Index>(touches.size());
    Index      all          = here;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, communicator);
    first = 0;
    MPI_Exscan(&here, &first, 1, MPI_INT, MPI_SUM, communicator);

    const double unit = system.energy_unit();
    responses.setZero(system.layout().n_owned(), 3 * all);
    for (Index i = 0; i < here; ++i)
      {
        const Touch &touch = touches[i];
        for (std::size_t k = 0; k < touch.unknowns.size(); ++k)
          if (touch.unknowns[k] >= 0)
            responses.block<1, 3>(touch.unknowns[k], 3 * (first + i)) =
              touch.rows.col(static_cast<Index>(k)).transpose() / unit;
      }
    CoulombProblem result;
    result.W = Eigen::MatrixXd::Zero(3 * all, 3 * all);
    result.b = Vector::Zero(3 * all);
    result.friction.assign(all, 0.);
    if (all == 0)
      return result;
    if (!tangent.solve(responses))
      responses.setConstant(std::numeric_limits<double>::quiet_NaN());
    for (Index i = 0; i < here; ++i)
      {
        const Touch &touch = touches[i];
        for (std::size_t k = 0; k < touch.unknowns.size(); ++k)
          if (touch.unknowns[k] >= 0)
            result.W.middleRows<3>(3 * (first + i)) +=
              touch.rows.col(static_cast<Index>(k)) *
              responses.row(touch.unknowns[k]);
        result.b.segment<3>(3 * (first + i)) = touch.moved;
        result.friction[first + i]           = touch.friction;
      }
    const auto sum = [&](double *numbers, const Index n) {
      MPI_Allreduce(
        MPI_IN_PLACE, numbers, n, MPI_DOUBLE, MPI_SUM, communicator);
    };
    sum(result.W.data(), 9 * all * all);
    sum(result.b.data(), 3 * all);
    sum(result.friction.data(), all);
    return result;
  }

  void
  FrictionalSearch::Implementation::put_load(const Vector             &q,
                                             const std::vector<Touch> &touches,
                                             const bool                springs)
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
        if (springs)
          forces.back().stiffness += augmented.stiffness(touch);
      }
    load->set(forces);
  }

  double
  FrictionalSearch::Implementation::strength(const std::vector<Touch> &touches)
  {
    // By how much the first of all contacts gives way along its normal.
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
    return gives_way != 0. ? strength_of_springs / std::abs(gives_way) : 0.;
  }

  FrictionalSearch::Implementation::Advance
  FrictionalSearch::Implementation::condensed_step(std::vector<Touch> &touches,
                                                   const Vector       &gradient)
  {
    const Layout   &layout = system.layout();
    Advance         result;
    Eigen::MatrixXd free_step = -gradient.head(layout.n_owned());
    if (!tangent.solve(free_step))
      return result;
    result.solved                      = true;
    result.step                        = Vector::Zero(layout.n_local());
    result.step.head(layout.n_owned()) = free_step.col(0);
    result.step                        = exchange.with_ghosts(result.step);
    const Stopwatch stopwatch(times.contacts);
    Eigen::MatrixXd responses;
    CoulombProblem  problem = this->problem(touches, responses);
    Vector          start   = Vector::Zero(problem.b.size());
    Vector          ahead   = start;
    for (std::size_t i = 0; i < touches.size(); ++i)
      {
        const Index k = 3 * (first + static_cast<Index>(i));
        start.segment<3>(k) =
          touches[i].frame.transpose() * touches[i].contact.force;
        ahead.segment<3>(k) = touches[i].rate(result.step);
      }
    for (Vector *numbers : {&start, &ahead})
      MPI_Allreduce(MPI_IN_PLACE,
                    numbers->data(),
                    static_cast<int>(numbers->size()),
                    MPI_DOUBLE,
                    MPI_SUM,
                    layout.communicator);
    // The step so far is one under the forces of before.
    problem.b += ahead - problem.W * start;
    CoulombSolution solution;
    solution.converged = true;
    if (problem.n_contacts() > 0)
      {
        solution = solve_coulomb(problem, start);
        contact_iterations += solution.iterations;
        result.step.head(layout.n_owned()) += responses * (solution.r - start);
        result.step = exchange.with_ghosts(result.step);
      }
    for (std::size_t i = 0; i < touches.size(); ++i)
      {
        const Index k = first + static_cast<Index>(i);
        touches[i].contact.force =
          touches[i].frame * solution.r.segment<3>(3 * k);
        touches[i].contact.state = solution.states[k];
      }
    result.settled = solution.converged;
    return result;
  }

  FrictionalSearch::Implementation::Advance
  FrictionalSearch::Implementation::augmented_step(const Vector       &q,
                                                   const Vector       &previous,
                                                   std::vector<Touch> &touches,
                                                   const Vector       &gradient,
                                                   const bool          some)
  {
    if (some && augmented.strength == 0.)
      {
        // The tangent so far is without springs.
        hold_tangent(q, previous);
        const Stopwatch stopwatch(times.contacts);
        augmented.strength = strength(touches);
        if (augmented.strength == 0.)
          return {};
        augmented.resolution =
          known_place * size_of(system.layout(), points.places(q));
        put_load(q, touches, true);
      }
    std::vector<Vector3> before;
    for (const Touch &touch : touches)
      before.push_back(touch.contact.force);
    // What sticks, slips or opens is found before the step is taken: one with
    // points held that should not be leads anywhere.
    for (int round = 0;; ++round)
      {
        hold_tangent(q, previous);
        const Stopwatch       stopwatch(times.contacts);
        AugmentedStep::Result one = augmented.solve(touches, gradient, before);
        contact_iterations += some ? one.iterations : 0;
        if (!one.solved || !one.changed || round == most_rounds)
          return {std::move(one.step), one.solved, one.settled && !one.changed};
        put_load(q, touches, true);
      }
  }

  Equilibrium
  FrictionalSearch::Implementation::search(const Vector &guess,
                                           const Vector &previous_state,
                                           const bool    augments)
  {
    const Layout &layout   = system.layout();
    Vector        previous = previous_state;
    Equilibrium   result;
    result.q           = guess;
    result.outcome     = Outcome::too_many_iterations;
    augmented.strength = 0.;
    double last_step   = std::numeric_limits<double>::infinity();
    for (; result.iterations < options.max_iterations; ++result.iterations)
      {
        const Vector       q = result.q;
        std::vector<Touch> touches;
        bool               some = false;
        {
          const Stopwatch stopwatch(times.contacts);
          touches = this->touches(q);
          some    = agree(layout, !touches.empty());
          put_load(q, touches, augments);
        }
        const Vector gradient = exchange.accumulated(loaded.gradient(q));
        result.residual       = root_mean_square(layout, gradient);
        Advance advance;
        if (augments)
          advance = augmented_step(q, previous, touches, gradient, some);
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

  Equilibrium
  FrictionalSearch::search(const Vector                &guess,
                           const Eigen::Matrix3Xd      &begin,
                           const std::optional<Vector> &previous_state,
                           const std::vector<Contact>  &guess_of_contacts)
  {
    Implementation &self = *implementation;
    const Stopwatch all(self.times.all);
    self.begin              = begin;
    self.contacts           = guess_of_contacts;
    self.friction_factor    = friction_factor;
    self.step_length        = step_length;
    self.viscosity          = viscosity;
    self.must_stick         = must_stick;
    self.has_slipped        = false;
    self.contact_iterations = 0;
    const Vector previous =
      previous_state ? *previous_state : self.system.full_state(guess);
    Equilibrium result =
      self.search(guess, previous, method != Method::condensed);
    if (!result.converged() && method == Method::automatic && viscosity == 0. &&
        !self.has_slipped)
      {
        const int spent = result.iterations;
        self.contacts   = guess_of_contacts;
        result          = self.search(guess, previous, false);
        result.iterations += spent;
        ++self.n_condensed;
      }
    self.at = result.q;
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
        self.augmented.strength = stiffer * self.strength(touches);
        self.put_load(self.at, touches, true);
        self.tangent.hold_hessian(self.at);
      }
    return self.tangent.inertia().negative;
  }
} // namespace slender
