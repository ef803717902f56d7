// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/rod_contact.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  using contact::Derivatives;
  using contact::FourPoints;
  using contact::Nearest;
  using contact::PairEnergy;
  using contact::Twelve;
  using contact::TwelveByTwelve;

  namespace
  {
    /// A rod cannot be bent so sharply that edges nearer along it than half a
    /// circle of its own radius touch.
    constexpr double half_a_circle = 3.141592653589793;

    /// What counts as a contact [radius].
    constexpr double near_enough = 0.05;
  } // namespace

  RodContact::RodContact(const RodContactOptions &the_options)
    : options(the_options)
  {}

  void
  RodContact::join(const Structure &the_structure)
  {
    structure = &the_structure;
    unit      = structure->energy_unit();
    int n_ranks;
    MPI_Comm_size(structure->layout().communicator, &n_ranks);
    if (n_ranks > 1)
      throw InputError("rods that touch are computed by one process each run; "
                       "start the program on one",
                       "Contact/Method");
    Index n_nodes = 0;
    for (std::size_t m = 0; m < structure->n_members(); ++m)
      {
        const auto *chain =
          dynamic_cast<const NodeChain *>(&structure->member(m));
        if (!chain)
          throw InputError("contact is between rods of the model 'discrete "
                           "elastic rod'",
                           "Contact/Method");
        const Index  n      = chain->n_nodes();
        const double length = chain->arc_length(n - 1);
        if (2. * half_a_circle * chain->section_radius() > length)
          throw InputError("the rod is too thick to touch itself or others: "
                           "its length is less than its circumference",
                           "Rod/Radius");
        for (Index i = 0; i < n; ++i)
          {
            std::array<Index, 3> numbers = chain->node_unknowns(i);
            for (Index &number : numbers)
              if (number >= 0)
                number = structure->number(m, number);
            unknowns.push_back(numbers);
            units.push_back(chain->node_unit());
            if (i + 1 < n)
              edges.push_back({n_nodes + i,
                               n_nodes + i + 1,
                               static_cast<Index>(m),
                               chain->arc_length(i),
                               chain->arc_length(i + 1),
                               chain->section_radius()});
          }
        chains.push_back(chain);
        chain_begins.push_back(n_nodes);
        n_nodes += n;
      }
    radius = edges.front().radius;
    for (const contact::Edge &edge : edges)
      radius = std::min(radius, edge.radius);
    force = options.force > 0.
              ? options.force
              : 0.01 * chains.front()->bending_stiffness() / (radius * radius);
    start(structure->initial_state());
  }

  void
  RodContact::set_step(const double length)
  {
    step = length;
  }

  void
  RodContact::set_force(const double value)
  {
    if (value > 0.)
      force = value;
    remember_sliding();
  }

  double
  RodContact::depth(const Vector &q) const
  {
    const Places3 x      = places(q);
    double        result = 0.;
    for (const Pair &pair : pairs)
      result = std::max(result,
                        pair.touching - contact::distance(four(x, pair.nodes)));
    return result;
  }

  void
  RodContact::start(const Vector &q)
  {
    accepted        = places(q);
    explicit_forces = Places3::Zero(3, accepted.cols());
    make_list(accepted);
  }

  RodContact::Places3
  RodContact::places(const Vector &q) const
  {
    Places3 x(3, static_cast<Index>(units.size()));
    for (std::size_t m = 0; m < chains.size(); ++m)
      chains[m]->place_nodes(chains.size() == 1 ? q : structure->share(m, q),
                             x.middleCols(chain_begins[m],
                                          chains[m]->n_nodes()));
    return x;
  }

  FourPoints
  RodContact::four(const Places3 &x, const std::array<Index, 4> &nodes)
  {
    FourPoints points;
    for (int a = 0; a < 4; ++a)
      points.col(a) = x.col(nodes[a]);
    return points;
  }

  double
  RodContact::cutoff(const Pair &pair) const
  {
    return pair.touching + radius * (options.method == ContactMethod::barrier
                                       ? options.gap
                                       : options.reach);
  }

  PairEnergy
  RodContact::pair_energy(const FourPoints &x,
                          const Pair       &pair,
                          const Derivatives wanted) const
  {
    if (options.method == ContactMethod::barrier)
      return contact::barrier_contact(
        x, {pair.touching, options.gap * radius, force}, wanted);
    return contact::soft_contact(
      x,
      {pair.touching, pair.radius, options.sharpness, force},
      options.smoothing,
      wanted);
  }

  double
  RodContact::normal_force(const Pair &pair, const double distance) const
  {
    if (options.method == ContactMethod::barrier)
      return -contact::Barrier{pair.touching, options.gap * radius, force}(
                distance)
                .slope;
    return -contact::SoftHinge{pair.touching,
                               pair.radius,
                               options.sharpness,
                               force}(distance)
              .slope;
  }

  void
  RodContact::make_list(const Places3 &x)
  {
    listed_at = x;
    const auto found =
      contact::near_edges(edges,
                          x,
                          (options.reach + options.skin) * radius,
                          [](const contact::Edge &a, const contact::Edge &b) {
                            return a.chain != b.chain ||
                                   std::max(b.begin - a.end, a.begin - b.end) >=
                                     half_a_circle * a.radius;
                          });
    if (found != list || pairs.empty())
      {
        list = found;
        ++list_number;
        pairs.clear();
        for (const auto &[i, j] : list)
          {
            const contact::Edge &a = edges[i], &b = edges[j];
            Pair                 pair;
            pair.nodes       = {a.first, a.second, b.first, b.second};
            pair.touching    = a.radius + b.radius;
            pair.radius      = 0.5 * pair.touching;
            const double m_a = chains[a.chain]->mass_per_length() *
                               (a.end - a.begin),
                         m_b = chains[b.chain]->mass_per_length() *
                               (b.end - b.begin);
            pair.masses = {m_a, m_a, m_b, m_b};
            pairs.push_back(pair);
          }
        spt_forces.assign(pairs.size(), 0.);
      }
    remember_sliding();
  }

  void
  RodContact::remember_sliding()
  {
    sliding.clear();
    for (Pair &pair : pairs)
      {
        pair.sliding = -1;
        if (options.friction == 0. || options.method == ContactMethod::spt)
          continue;
        const FourPoints x    = four(accepted, pair.nodes);
        const Nearest    near = nearest_points(contact::products_of(x));
        const double     d    = std::sqrt(near.squared_distance);
        if (d >= cutoff(pair) || d == 0.)
          continue;
        const Vector4 weights = contact::weights_of(near.t, near.u);
        pair.sliding          = static_cast<Index>(sliding.size());
        sliding.push_back({weights, x * weights / d, normal_force(pair, d)});
      }
  }

  RodContact::Slip
  RodContact::slip(const Pair &pair, const Places3 &x) const
  {
    const Sliding &s = sliding[pair.sliding];
    Vector3        w = Vector3::Zero();
    for (int a = 0; a < 4; ++a)
      w += s.weights(a) * (x.col(pair.nodes[a]) - accepted.col(pair.nodes[a]));
    Slip result;
    result.tangential = w - s.normal * s.normal.dot(w);
    result.length     = result.tangential.norm();
    // f(y) = y - w0/3 beyond w0, y^2/w0 - y^3/(3 w0^2) up to it.
    const double w0 = options.creep_speed * step, y = result.length,
                 N = options.friction * s.force;
    if (y < w0)
      {
        result.energy = N * (y * y / w0 - y * y * y / (3. * w0 * w0));
        result.slope_over_length = N * (2. - y / w0) / w0;
        result.bend              = N * (2. - 2. * y / w0) / w0;
      }
    else
      {
        result.energy            = N * (y - w0 / 3.);
        result.slope_over_length = N / y;
        result.bend              = 0.;
      }
    return result;
  }

  double
  RodContact::energy(const Vector &q) const
  {
    const Places3 x   = places(q);
    double        sum = 0.;
    if (options.method == ContactMethod::spt)
      return -explicit_forces.cwiseProduct(x).sum() / unit;
    for (const Pair &pair : pairs)
      {
        const FourPoints points = four(x, pair.nodes);
        if (contact::distance(points) < cutoff(pair))
          sum += pair_energy(points, pair, Derivatives::none).value;
        if (pair.sliding >= 0)
          sum += slip(pair, x).energy;
      }
    return sum / unit;
  }

  void
  RodContact::add_to(const std::array<Index, 4> &nodes,
                     const Twelve               &slope,
                     Vector                     &gradient) const
  {
    for (int a = 0; a < 4; ++a)
      for (int c = 0; c < 3; ++c)
        if (const Index i = unknowns[nodes[a]][c]; i >= 0)
          gradient(i) += slope(3 * a + c) * units[nodes[a]] / unit;
  }

  void
  RodContact::add_to(const std::array<Index, 4> &nodes,
                     const TwelveByTwelve       &bend,
                     HessianSink                &sink) const
  {
    std::array<Index, 12> numbers;
    Twelve                scale;
    for (int a = 0; a < 4; ++a)
      for (int c = 0; c < 3; ++c)
        {
          numbers[3 * a + c] = unknowns[nodes[a]][c];
          scale(3 * a + c)   = units[nodes[a]];
        }
    const TwelveByTwelve block =
      scale.asDiagonal() * bend * (scale / unit).asDiagonal();
    sink.add(numbers.data(), 12, block.data());
  }

  void
  RodContact::add_gradient(const Vector &q, Vector &gradient) const
  {
    if (options.method == ContactMethod::spt)
      {
        for (Index i = 0; i < explicit_forces.cols(); ++i)
          for (int c = 0; c < 3; ++c)
            if (const Index k = unknowns[i][c]; k >= 0)
              gradient(k) -= explicit_forces(c, i) * units[i] / unit;
        return;
      }
    const Places3 x = places(q);
    for (const Pair &pair : pairs)
      {
        const FourPoints points  = four(x, pair.nodes);
        const bool       is_near = contact::distance(points) < cutoff(pair);
        if (!is_near && pair.sliding < 0)
          continue;
        Twelve slope = Twelve::Zero();
        if (is_near)
          slope = pair_energy(points, pair, Derivatives::first).gradient;
        if (pair.sliding >= 0)
          {
            const Slip    s = slip(pair, x);
            const Vector3 f = s.slope_over_length * s.tangential;
            for (int a = 0; a < 4; ++a)
              slope.segment<3>(3 * a) += sliding[pair.sliding].weights(a) * f;
          }
        add_to(pair.nodes, slope, gradient);
      }
  }

  void
  RodContact::add_hessian(const Vector &q, HessianSink &sink) const
  {
    if (options.method == ContactMethod::spt)
      return;
    const Places3 x = places(q);
    for (const Pair &pair : pairs)
      {
        const FourPoints points = four(x, pair.nodes);
        TwelveByTwelve   bend   = TwelveByTwelve::Zero();
        if (contact::distance(points) < cutoff(pair))
          bend = pair_energy(points, pair, Derivatives::second).hessian;
        if (pair.sliding >= 0)
          {
            const Sliding  &known = sliding[pair.sliding];
            const Slip      s     = slip(pair, x);
            Eigen::Matrix3d H =
              s.slope_over_length * (Eigen::Matrix3d::Identity() -
                                     known.normal * known.normal.transpose());
            if (s.length > 0.)
              {
                const Vector3 e = s.tangential / s.length;
                H += (s.bend - s.slope_over_length) * e * e.transpose();
              }
            for (int a = 0; a < 4; ++a)
              for (int b = 0; b < 4; ++b)
                bend.block<3, 3>(3 * a, 3 * b) +=
                  known.weights(a) * known.weights(b) * H;
          }
        add_to(pair.nodes, bend, sink);
      }
  }

  void
  RodContact::add_hessian_times(const Vector &q,
                                const Vector &direction,
                                Vector       &product) const
  {
    HessianMultiplier multiplier(direction);
    add_hessian(q, multiplier);
    product += multiplier.product();
  }

  unsigned long
  RodContact::pattern() const
  {
    // Forces that do not depend on the place have no blocks.
    return options.method == ContactMethod::spt ? 0 : list_number;
  }

  void
  RodContact::survey(const Vector &q)
  {
    const Places3 x     = places(q);
    const double  limit = 0.5 * options.skin * radius;
    if (!x.allFinite())
      return;
    if ((x - listed_at).colwise().squaredNorm().maxCoeff() > limit * limit)
      make_list(x);
    if (options.method == ContactMethod::spt)
      correct_forces(x);
  }

  void
  RodContact::correct_forces(const Places3 &x)
  {
    explicit_forces.setZero();
    for (std::size_t p = 0; p < pairs.size(); ++p)
      {
        const Pair      &pair   = pairs[p];
        const FourPoints points = four(x, pair.nodes);
        const Nearest    near   = nearest_points(contact::products_of(points));
        const double     d      = std::sqrt(near.squared_distance);
        const double     depth  = pair.touching - d;
        const Vector4    w      = contact::weights_of(near.t, near.u);
        if (d == 0. || (spt_forces[p] == 0. && depth <= 0.))
          continue;
        // Masses at the two points that would move apart by the depth.
        double mobility = 0.;
        for (int a = 0; a < 4; ++a)
          mobility += w(a) * w(a) / pair.masses[a];
        if (std::abs(depth) > options.tolerance * radius)
          spt_forces[p] =
            std::max(0.,
                     spt_forces[p] + 0.5 * depth / (mobility * step * step));
        const Vector3 normal = points * w / d;
        Vector3       moved  = Vector3::Zero();
        for (int a = 0; a < 4; ++a)
          moved += w(a) * (x.col(pair.nodes[a]) - accepted.col(pair.nodes[a]));
        moved -= normal * normal.dot(moved);
        const Vector3 f =
          spt_forces[p] *
          (normal - options.friction * moved /
                      std::max(moved.norm(), options.creep_speed * step));
        for (int a = 0; a < 4; ++a)
          explicit_forces.col(pair.nodes[a]) += w(a) * f;
      }
  }

  double
  RodContact::clear_part(const Places3 &x,
                         const Places3 &dx,
                         const double   part,
                         const double   remains) const
  {
    // Conservative advancement: two edges that are g away from where they may
    // not be cannot get there before their points have moved by g towards each
    // other.
    double least = 1.;
    for (const Pair &pair : pairs)
      {
        const FourPoints a = four(x, pair.nodes), da = four(dx, pair.nodes);
        const Vector3    common = da.rowwise().mean();
        const double     speed =
          std::max((da.col(0) - common).norm(), (da.col(1) - common).norm()) +
          std::max((da.col(2) - common).norm(), (da.col(3) - common).norm());
        const double floor = part * pair.touching;
        const double room  = contact::distance(a) - floor;
        if (room <= 0. || speed * least < (1. - remains) * room)
          continue;
        double s = 0.;
        for (int i = 0; i < 100 && s < least; ++i)
          {
            const double now = contact::distance(a + s * da) - floor;
            if (now < remains * room && s > 0.)
              break;
            s += (now - 0.9 * remains * room) / speed;
          }
        least = std::min(least, s);
      }
    return least;
  }

  double
  RodContact::longest_step(const Vector &q, const Vector &direction) const
  {
    const Places3 x = places(q);
    Places3       dx(3, x.cols());
    for (Index i = 0; i < x.cols(); ++i)
      for (int c = 0; c < 3; ++c)
        dx(c, i) =
          unknowns[i][c] >= 0 ? units[i] * direction(unknowns[i][c]) : 0.;
    const double infinite = std::numeric_limits<double>::infinity();
    const double largest  = std::sqrt(dx.colwise().squaredNorm().maxCoeff());
    if (!(largest > 0.))
      return infinite;
    // Rods may not come nearer than half of touching on the way, neither those
    // of the list nor others, which are further apart than the reach. Where a
    // barrier is infinite, searches find that out by themselves.
    const double cap = (0.5 * options.reach + 0.5) * radius / largest;
    if (cap < 1.)
      dx *= cap;
    const double clear = clear_part(x, dx, 0.5, 0.4);
    return clear < 1. ? std::min(1., cap) * clear : cap < 1. ? cap : infinite;
  }

  bool
  RodContact::commit(const Vector &q)
  {
    const Places3 x = places(q);
    passed_through  = clear_part(accepted, x - accepted, 0.5, 0.05) < 1.;
    accepted        = x;
    if (options.method == ContactMethod::imc && options.adaption > 0.)
      {
        double least = options.reach;
        for (const Pair &pair : pairs)
          least =
            std::min(least,
                     (contact::distance(four(x, pair.nodes)) - pair.touching) /
                       radius);
        // With this factor the nearest pair would just touch.
        if (least < -options.low ||
            (least > options.high && least < options.reach))
          force *= std::clamp(2. / (1. + std::exp(options.sharpness * least)),
                              1. - options.adaption,
                              1. + options.adaption);
      }
    std::fill(spt_forces.begin(), spt_forces.end(), 0.);
    remember_sliding();
    return false;
  }

  Vector
  RodContact::history() const
  {
    const Index n = static_cast<Index>(accepted.size());
    Vector      mine(2 * n + 1);
    mine.head(n)       = Eigen::Map<const Vector>(listed_at.data(), n);
    mine.segment(n, n) = Eigen::Map<const Vector>(accepted.data(), n);
    mine(2 * n)        = force;
    return mine;
  }

  void
  RodContact::set_history(const Vector &mine)
  {
    const Index n = (static_cast<Index>(mine.size()) - 1) / 2;
    accepted      = Eigen::Map<const Places3>(mine.data() + n, 3, n / 3);
    force         = mine(2 * n);
    make_list(Eigen::Map<const Places3>(mine.data(), 3, n / 3));
    std::fill(spt_forces.begin(), spt_forces.end(), 0.);
    explicit_forces.setZero();
  }

  Places
  RodContact::history_places() const
  {
    Places     result;
    const auto n = static_cast<Index>(2 * accepted.size() + 1);
    result.size  = n;
    for (Index i = 0; i < n; ++i)
      {
        result.numbers.push_back(i);
        result.places.push_back(i);
      }
    return result;
  }

  std::vector<Measurement>
  RodContact::measure(const Vector &q) const
  {
    const Places3 x     = places(q);
    double        least = options.reach * radius, sum = 0., largest = 0.;
    int           contacts = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      {
        const double d   = contact::distance(four(x, pairs[p].nodes));
        const double gap = d - pairs[p].touching;
        least            = std::min(least, gap);
        contacts += gap < near_enough * radius ? 1 : 0;
        const double N = options.method == ContactMethod::spt ? spt_forces[p]
                         : d < cutoff(pairs[p]) ? normal_force(pairs[p], d)
                                                : 0.;
        sum += N;
        largest = std::max(largest, N);
      }
    return {{"contacts", static_cast<double>(contacts)},
            {"least gap", least},
            {"penetration", std::max(0., -least)},
            {"contact force", sum},
            {"largest contact force", largest}};
  }

  Eigen::Matrix3Xd
  RodContact::forces(const Vector &q) const
  {
    if (options.method == ContactMethod::spt)
      return explicit_forces;
    const Places3 x      = places(q);
    Places3       result = Places3::Zero(3, x.cols());
    for (const Pair &pair : pairs)
      {
        const FourPoints points = four(x, pair.nodes);
        if (contact::distance(points) >= cutoff(pair))
          continue;
        const Twelve slope =
          pair_energy(points, pair, Derivatives::first).gradient;
        for (int a = 0; a < 4; ++a)
          result.col(pair.nodes[a]) -= slope.segment<3>(3 * a);
      }
    return result;
  }

  RodContact::Overlap
  RodContact::deepest_overlap(const Vector &q) const
  {
    const Places3 x = places(q);
    Overlap       result;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      {
        const FourPoints points = four(x, pairs[p].nodes);
        const Nearest    near   = nearest_points(contact::products_of(points));
        const double     depth =
          pairs[p].touching - std::sqrt(near.squared_distance);
        if (depth <= result.depth)
          continue;
        const contact::Edge &a = edges[list[p].first],
                            &b = edges[list[p].second];
        result                 = {true,
                                  {a.chain, b.chain},
                                  {a.begin + near.t * (a.end - a.begin),
                                   b.begin + near.u * (b.end - b.begin)},
                                  depth,
                                  (1. - near.t) * points.col(0) + near.t * points.col(1)};
      }
    return result;
  }
} // namespace slender
