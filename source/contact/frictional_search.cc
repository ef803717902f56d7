// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/contact_load.h>
#include <slender/contact/frictional_search.h>
#include <slender/solvers/ghosts.h>
#include <slender/systems/structure.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

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

    /// Two directions that make a frame with the normal (its first column).
    Eigen::Matrix3d
    frame_of(const Vector3 &normal)
    {
      Index smallest = 0;
      normal.cwiseAbs().minCoeff(&smallest);
      Eigen::Matrix3d frame;
      frame.col(0) = normal;
      frame.col(1) = normal.cross(Vector3::Unit(smallest)).normalized();
      frame.col(2) = normal.cross(frame.col(1));
      return frame;
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
    {
      loaded.add_term("contacts", std::unique_ptr<Term>(load));
    }

    /// A point at an obstacle, and how it moves with the unknowns in the frame
    /// of the contact: normal, then two tangents.
    struct Touch
    {
      Contact         contact;
      Eigen::Matrix3d frame = Eigen::Matrix3d::Zero();
      Vector3 moved = Vector3::Zero(); ///< gap, and slip since the beginning
      TouchingPoints::Rates rates;
    };

    std::vector<Touch>
    touches(const Vector &q);

    CoulombProblem
    problem(const std::vector<Touch> &touches, Eigen::MatrixXd &responses);

    /// The forces of the present contacts act on the body.
    void
    put_load();

    System                 &system;
    const TouchingPoints   &points;
    const Obstacles        &obstacles;
    NewtonOptions           options;
    Structure               loaded;
    ContactLoad            *load; ///< of that structure
    SystemTangent           tangent;
    Exchange                exchange;
    std::vector<Contact>    contacts; ///< found, or tried last
    Eigen::Matrix3Xd        begin;
    double                  friction_factor = 1., step_length = 0.;
    int                     contact_iterations = 0;
    Index                   first              = 0; ///< of all, on this rank
    FrictionalSearch::Times times;
    Vector                  at; ///< the state of the last search
  };

  std::vector<FrictionalSearch::Implementation::Touch>
  FrictionalSearch::Implementation::touches(const Vector &q)
  {
    const Eigen::Matrix3Xd x = points.places(q);
    std::vector<Touch>     result;
    std::vector<Index>     chosen;
    for (std::size_t o = 0; o < obstacles.size(); ++o)
      {
        const Obstacle &obstacle = obstacles[o];
        for (Index i = 0; i < points.size(); ++i)
          {
            const double gap = obstacle.gap(x.col(i));
            const auto   old =
              std::find_if(contacts.begin(),
                           contacts.end(),
                           [&](const Contact &one) {
                             return one.point == i && one.obstacle == o;
                           });
            const bool was_touching =
              old != contacts.end() && old->state != ContactState::open;
            if (gap > touching_gap && !was_touching)
              continue;
            Touch touch;
            touch.contact.point    = i;
            touch.contact.obstacle = o;
            touch.contact.gap      = gap;
            touch.contact.normal =
              obstacle.shape->normal(x.col(i) - obstacle.shift);
            touch.contact.force =
              was_touching ? old->force : Vector3(Vector3::Zero());
            touch.contact.state = ContactState::open;
            const Vector3 way =
              x.col(i) - begin.col(i) - step_length * obstacle.velocity;
            touch.contact.slip =
              way - touch.contact.normal * touch.contact.normal.dot(way);
            touch.frame    = frame_of(touch.contact.normal);
            touch.moved    = touch.frame.transpose() * touch.contact.slip;
            touch.moved(0) = gap;
            chosen.push_back(i);
            result.push_back(touch);
          }
      }
    const auto rates = points.rates(q, chosen);
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i].rates = rates[i];
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
    std::vector<Eigen::MatrixXd> rows; // of H, in the frames of the contacts
    for (Index i = 0; i < here; ++i)
      {
        const Touch &touch = touches[i];
        rows.emplace_back(touch.frame.transpose() * touch.rates.rates);
        for (std::size_t k = 0; k < touch.rates.unknowns.size(); ++k)
          if (touch.rates.unknowns[k] >= 0)
            responses.block<1, 3>(touch.rates.unknowns[k], 3 * (first + i)) =
              rows.back().col(static_cast<Index>(k)).transpose() / unit;
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
        for (std::size_t k = 0; k < touch.rates.unknowns.size(); ++k)
          if (touch.rates.unknowns[k] >= 0)
            result.W.middleRows<3>(3 * (first + i)) +=
              rows[i].col(static_cast<Index>(k)) *
              responses.row(touch.rates.unknowns[k]);
        result.b.segment<3>(3 * (first + i)) = touch.moved;
        // A factor that is infinite sticks without friction, too.
        const double mu = obstacles[touch.contact.obstacle].friction;
        result.friction[first + i] =
          std::isinf(friction_factor) ? 1e12 : friction_factor * mu;
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
  FrictionalSearch::Implementation::put_load()
  {
    std::vector<ContactLoad::Force> forces;
    const Eigen::Matrix3Xd          x = points.places(at);
    for (const Contact &contact : contacts)
      {
        const Obstacle &obstacle = obstacles[contact.obstacle];
        if (contact.state != ContactState::open)
          forces.push_back(
            {contact.point,
             contact.force,
             -contact.pressure() * obstacle.shape->curvature(
                                     x.col(contact.point) - obstacle.shift)});
      }
    load->set(forces);
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

  Equilibrium
  FrictionalSearch::search(const Vector                &guess,
                           const Eigen::Matrix3Xd      &begin,
                           const std::optional<Vector> &previous_state,
                           const std::vector<Contact>  &guess_of_contacts)
  {
    using Touch          = Implementation::Touch;
    Implementation &self = *implementation;
    const Stopwatch all(self.times.all);
    self.begin              = begin;
    self.contacts           = guess_of_contacts;
    self.friction_factor    = friction_factor;
    self.step_length        = step_length;
    self.contact_iterations = 0;
    const Layout &layout    = self.system.layout();

    Equilibrium result;
    result.q = guess;
    self.at  = guess;
    // Forces of before bear the body in the first tangent.
    self.put_load();
    Vector previous =
      previous_state ? *previous_state : self.system.full_state(guess);
    result.outcome = Outcome::too_many_iterations;
    for (; result.iterations < self.options.max_iterations; ++result.iterations)
      {
        const Vector q = result.q;
        if (self.options.mixed_tangent)
          self.tangent.hold_newton_tangent(q, previous);
        else
          self.tangent.hold_hessian(q);
        previous = self.system.full_state(q);
        const Vector gradient =
          self.exchange.accumulated(self.loaded.gradient(q));
        result.residual           = root_mean_square(layout, gradient);
        Eigen::MatrixXd free_step = -gradient.head(layout.n_owned());
        if (!self.tangent.solve(free_step))
          {
            result.outcome = Outcome::singular_tangent;
            return result;
          }
        Vector step                 = Vector::Zero(layout.n_local());
        step.head(layout.n_owned()) = free_step.col(0);
        step                        = self.exchange.with_ghosts(step);
        CoulombSolution solution;
        solution.converged = true;
        {
          const Stopwatch    contacts(self.times.contacts);
          std::vector<Touch> touches = self.touches(q);
          Eigen::MatrixXd    responses;
          CoulombProblem     problem = self.problem(touches, responses);
          Vector             start   = Vector::Zero(problem.b.size());
          Vector             ahead   = Vector::Zero(problem.b.size());
          for (std::size_t i = 0; i < touches.size(); ++i)
            {
              const Touch &touch = touches[i];
              const Index  at    = 3 * (self.first + static_cast<Index>(i));
              start.segment<3>(at) =
                touch.frame.transpose() * touch.contact.force;
              for (std::size_t k = 0; k < touch.rates.unknowns.size(); ++k)
                if (const Index u = touch.rates.unknowns[k]; u >= 0)
                  ahead.segment<3>(at) +=
                    step(u) * touch.frame.transpose() *
                    touch.rates.rates.col(static_cast<Index>(k));
            }
          MPI_Allreduce(MPI_IN_PLACE,
                        start.data(),
                        static_cast<int>(start.size()),
                        MPI_DOUBLE,
                        MPI_SUM,
                        layout.communicator);
          MPI_Allreduce(MPI_IN_PLACE,
                        ahead.data(),
                        static_cast<int>(ahead.size()),
                        MPI_DOUBLE,
                        MPI_SUM,
                        layout.communicator);
          // The step so far is one under the forces of before.
          problem.b += ahead - problem.W * start;
          if (problem.n_contacts() > 0)
            {
              solution = solve_coulomb(problem, start);
              self.contact_iterations += solution.iterations;
              step.head(layout.n_owned()) += responses * (solution.r - start);
              step = self.exchange.with_ghosts(step);
            }
          for (std::size_t i = 0; i < touches.size(); ++i)
            {
              const Index at = self.first + static_cast<Index>(i);
              touches[i].contact.force =
                touches[i].frame * solution.r.segment<3>(3 * at);
              touches[i].contact.state = solution.states[at];
            }
          self.contacts.clear();
          for (const Touch &touch : touches)
            self.contacts.push_back(touch.contact);
        }
        result.step = root_mean_square(layout, step);
        if (!std::isfinite(result.step))
          {
            result.outcome = Outcome::not_finite;
            return result;
          }
        result.q += step;
        self.at = result.q;
        self.put_load();
        if (result.step <= self.options.step_tolerance && solution.converged)
          {
            ++result.iterations;
            result.outcome = Outcome::converged;
            break;
          }
      }
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
    // Inertia of [K H^T; H 0] in two ways: that of K where H dq = 0, and as
    // many of either sign as there are rows; and that of K and of -W.
    Implementation &self = *implementation;
    self.tangent.hold_hessian(self.at);
    const Index of_tangent = self.tangent.inertia().negative;
    std::vector<Implementation::Touch> touches;
    std::vector<Index>                 chosen;
    for (const Contact &contact : self.contacts)
      if (contact.state != ContactState::open)
        {
          touches.emplace_back();
          touches.back().contact = contact;
          touches.back().frame   = frame_of(contact.normal);
          chosen.push_back(contact.point);
        }
    const auto rates = self.points.rates(self.at, chosen);
    for (std::size_t i = 0; i < touches.size(); ++i)
      touches[i].rates = rates[i];
    Eigen::MatrixXd      responses;
    const CoulombProblem problem = self.problem(touches, responses);
    if (problem.n_contacts() == 0)
      return of_tangent;
    // Of a contact that slips, the normal alone is held.
    std::vector<int> holds(problem.n_contacts(), 0);
    for (std::size_t i = 0; i < touches.size(); ++i)
      holds[self.first + i] =
        touches[i].contact.state == ContactState::stick ? 3 : 1;
    MPI_Allreduce(MPI_IN_PLACE,
                  holds.data(),
                  static_cast<int>(holds.size()),
                  MPI_INT,
                  MPI_SUM,
                  self.system.layout().communicator);
    std::vector<Index> rows;
    for (std::size_t i = 0; i < holds.size(); ++i)
      for (int c = 0; c < holds[i]; ++c)
        rows.push_back(3 * static_cast<Index>(i) + c);
    const Eigen::MatrixXd W = problem.W(rows, rows);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      0.5 * (W + W.transpose()), Eigen::EigenvaluesOnly);
    return of_tangent -
           static_cast<Index>((eigen.eigenvalues().array() < 0.).count());
  }
} // namespace slender
