// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/clear_way.h>
#include <slender/contact/rod_contact.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  using contact::Derivatives;
  using contact::FourPoints;
  using contact::Nearest;
  using contact::Twelve;
  using contact::TwelveByTwelve;

  namespace
  {
    /// A rod cannot be bent so sharply that edges nearer along it than half a
    /// circle of its own radius touch.
    constexpr double half_a_circle = 3.141592653589793;

    /// Rods may not come nearer on the way than this part of touching.
    constexpr double nearest_part = 0.5;

    /// A node moves no further in a step of Newton's method [radius].
    constexpr double longest = 8.;

    bool
    may_touch(const contact::Edge &a, const contact::Edge &b)
    {
      return a.chain != b.chain || std::max(b.begin - a.end, a.begin - b.end) >=
                                     half_a_circle * a.radius;
    }

    /// What is left of a soft hinge where it is cut off: exp(-11) of F.
    constexpr double cut_off = 11.;

    /// Of the barrier: how much further than it acts edges are looked at
    /// [radius].
    constexpr double beyond = 0.03;
  } // namespace

  RodContact::RodContact(const RodContactOptions &the_options)
    : options(the_options)
  {
    if (options.reach == 0.)
      options.reach = options.method == ContactMethod::barrier
                        ? options.gap + beyond
                        : cut_off / options.sharpness;
  }

  void
  RodContact::join(const Structure &structure)
  {
    rods = contact::RodNodes(structure);
    for (std::size_t m = 0; m < rods.n_chains(); ++m)
      {
        const NodeChain &chain = rods.chain(m);
        const double h = chain.section_radius(), segments = chain.n_nodes() - 1,
                     length = chain.arc_length(chain.n_nodes() - 1);
        if (2. * half_a_circle * h > length)
          throw InputError("the rod is too thick to touch itself or others: "
                           "its length is less than its circumference",
                           "Rod/Radius");
        // A rod that is bent into its smallest circle is a polygon of ten
        // edges at least, else edges cut through what they should go around.
        if (length / segments > 6. * h)
          {
            std::ostringstream text;
            text << std::setprecision(4)
                 << "segments are too long for rods of this radius to touch: "
                 << length / segments << " each, and at most six times "
                 << "the radius, " << 6. * h << ", is allowed; take at least "
                 << std::ceil(length / (6. * h)) << " segments";
            throw InputError(text.str(), "Discrete elastic rod/Segments");
          }
      }
    radius        = rods.radius();
    law.method    = options.method;
    law.sharpness = options.sharpness;
    law.smoothing = options.smoothing;
    law.depth     = options.depth * radius;
    law.gap       = options.gap * radius;
    law.reach     = options.reach * radius;
    law.force     = options.force > 0. ? options.force : rods.usual_force();
    start(structure.initial_state());
  }

  void
  RodContact::set_step(const double length)
  {
    step      = length;
    iteration = -1;
    if (is_hybrid())
      remember_sliding();
    for (Sliding &known : sliding)
      known.law.width = options.creep_speed * step;
  }

  void
  RodContact::set_force(const double value)
  {
    if (value > 0.)
      law.force = value;
    remember_sliding();
  }

  double
  RodContact::least_gap(const Vector &q) const
  {
    const Places3 x      = rods.places(q);
    double        result = options.reach * radius;
    for (const Pair &pair : pairs)
      result = std::min(result,
                        contact::distance(four(x, pair.nodes)) - pair.touching);
    return result;
  }

  void
  RodContact::start(const Vector &q)
  {
    accepted        = rods.places(q);
    velocity        = Places3::Zero(3, is_hybrid() ? accepted.cols() : 0);
    explicit_forces = Places3::Zero(3, accepted.cols());
    dissipated      = 0.;
    make_list(accepted);
  }

  FourPoints
  RodContact::four(const Places3 &x, const std::array<Index, 4> &nodes)
  {
    FourPoints points;
    for (int a = 0; a < 4; ++a)
      points.col(a) = x.col(nodes[a]);
    return points;
  }

  void
  RodContact::make_list(const Places3 &x)
  {
    listed_at        = x;
    const auto found = contact::near_edges(
      rods.edges(), x, (options.reach + options.skin) * radius, may_touch);
    if (found != list || pairs.empty())
      {
        list = found;
        ++list_number;
        pairs.clear();
        for (const auto &[i, j] : list)
          {
            const contact::Edge &a = rods.edges()[i], &b = rods.edges()[j];
            pairs.push_back(
              {{a.first, a.second, b.first, b.second}, a.radius + b.radius});
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
        if (d >= law.cutoff(pair.touching) || d == 0.)
          continue;
        pair.sliding = static_cast<Index>(sliding.size());
        Sliding known;
        known.weights    = contact::weights_of(near.t, near.u);
        known.law.normal = x * known.weights / d;
        known.law.limit = options.friction * law.normal_force(pair.touching, d);
        known.law.width = options.creep_speed * step;
        if (is_hybrid())
          {
            Vector3 w = Vector3::Zero();
            for (int a = 0; a < 4; ++a)
              w += (step * known.weights(a)) * velocity.col(pair.nodes[a]);
            known.constant = known.law.force(w);
          }
        sliding.push_back(known);
      }
  }

  Vector3
  RodContact::slid(const Pair &pair, const Places3 &x) const
  {
    const Vector4 &weights = sliding[pair.sliding].weights;
    Vector3        w       = Vector3::Zero();
    for (int a = 0; a < 4; ++a)
      w += weights(a) * (x.col(pair.nodes[a]) - accepted.col(pair.nodes[a]));
    return w;
  }

  double
  RodContact::energy(const Vector &q) const
  {
    const Places3 x   = rods.places(q);
    double        sum = 0.;
    if (options.method == ContactMethod::spt)
      return -rods.energy(explicit_forces.cwiseProduct(x).sum());
    for (const Pair &pair : pairs)
      {
        const FourPoints points = four(x, pair.nodes);
        if (contact::distance(points) < law.cutoff(pair.touching))
          sum += law.energy(points, pair.touching, Derivatives::none).value;
        if (pair.sliding >= 0)
          {
            const Sliding &known = sliding[pair.sliding];
            const Vector3  w     = slid(pair, x);
            sum +=
              is_hybrid() ? known.constant.dot(w) : known.law.slip(w).energy;
          }
      }
    return rods.energy(sum);
  }

  void
  RodContact::add_gradient(const Vector &q, Vector &gradient) const
  {
    if (options.method == ContactMethod::spt)
      {
        for (Index i = 0; i < explicit_forces.cols(); ++i)
          {
            const Vector3 slope = -explicit_forces.col(i);
            rods.add_slope(&i, 1, slope.data(), gradient);
          }
        return;
      }
    const Places3 x = rods.places(q);
    for (const Pair &pair : pairs)
      {
        const FourPoints points = four(x, pair.nodes);
        const bool       is_near =
          contact::distance(points) < law.cutoff(pair.touching);
        if (!is_near && pair.sliding < 0)
          continue;
        Twelve slope = Twelve::Zero();
        if (is_near)
          slope =
            law.energy(points, pair.touching, Derivatives::first).gradient;
        if (pair.sliding >= 0)
          {
            const Sliding &known = sliding[pair.sliding];
            const Vector3  f =
              is_hybrid() ? known.constant : known.law.force(slid(pair, x));
            for (int a = 0; a < 4; ++a)
              slope.segment<3>(3 * a) += known.weights(a) * f;
          }
        rods.add_slope(pair.nodes.data(), 4, slope.data(), gradient);
      }
  }

  void
  RodContact::add_hessian(const Vector &q, HessianSink &sink) const
  {
    if (is_explicit())
      return;
    const Places3 x = rods.places(q);
    for (const Pair &pair : pairs)
      {
        const FourPoints points = four(x, pair.nodes);
        TwelveByTwelve   bend;
        if (contact::distance(points) < law.cutoff(pair.touching))
          bend = law.energy(points, pair.touching, Derivatives::second).hessian;
        else
          bend.setZero();
        if (pair.sliding >= 0 && !is_hybrid())
          {
            const Sliding        &known = sliding[pair.sliding];
            const Eigen::Matrix3d H     = known.law.stiffness(
              slid(pair, x),
              contact::LaggedFriction::stiffness_of_iteration(iteration));
            for (int a = 0; a < 4; ++a)
              for (int b = 0; b < 4; ++b)
                bend.block<3, 3>(3 * a, 3 * b) +=
                  (known.weights(a) * known.weights(b)) * H;
          }
        rods.add_bend<4>(pair.nodes, bend, sink);
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
    return is_explicit() ? 0 : list_number;
  }

  void
  RodContact::survey(const Vector &q)
  {
    ++iteration;
    const Places3 x     = rods.places(q);
    const double  limit = 0.5 * options.skin * radius;
    if (!x.allFinite())
      return;
    if ((x - listed_at).colwise().squaredNorm().maxCoeff() > limit * limit)
      make_list(x);
    if (options.method == ContactMethod::spt)
      correct_forces(x);
  }

  double
  RodContact::clear_part(const Places3 &x,
                         const Places3 &dx,
                         const double   part,
                         const double   remains) const
  {
    double     least = 1.;
    const auto look  = [&](const std::array<Index, 4> &nodes,
                          const double                touching) {
      least = contact::clear_way(
        four(x, nodes), four(dx, nodes), part * touching, remains, least);
    };
    for (const Pair &pair : pairs)
      look(pair.nodes, pair.touching);
    // Others are further apart than the reach where the list was looked at, and
    // no nodes have moved from there by more than half of the skin. Where these
    // nodes move further, there are more that could meet.
    const double largest = std::sqrt(dx.colwise().squaredNorm().maxCoeff());
    const double from =
      std::sqrt((x - listed_at).colwise().squaredNorm().maxCoeff());
    if (2. * (largest + from) > (options.reach + options.skin) * radius)
      for (const auto &[i, j] :
           contact::near_edges(rods.edges(), x, 2. * largest, may_touch))
        {
          const contact::Edge &a = rods.edges()[i], &b = rods.edges()[j];
          look({a.first, a.second, b.first, b.second}, a.radius + b.radius);
        }
    return least;
  }

  double
  RodContact::longest_step(const Vector &q, const Vector &direction) const
  {
    const Places3 x        = rods.places(q);
    Places3       dx       = rods.displacements(direction);
    const double  infinite = std::numeric_limits<double>::infinity();
    const double  largest  = std::sqrt(dx.colwise().squaredNorm().maxCoeff());
    if (!(largest > 0.) || !std::isfinite(largest))
      return infinite;
    const double cap = longest * radius / largest;
    if (cap < 1.)
      dx *= cap;
    // Rods may not come nearer than half of touching on the way; where there is
    // a barrier they may not touch.
    const bool   is_hard = options.method == ContactMethod::barrier;
    const double clear =
      clear_part(x, dx, is_hard ? 1. : nearest_part, is_hard ? 0.1 : 0.4);
    return clear < 1. ? std::min(1., cap) * clear : cap < 1. ? cap : infinite;
  }

  bool
  RodContact::commit(const Vector &q)
  {
    const Places3 x = rods.places(q);
    iteration       = contact::LaggedFriction::outside_a_step;
    passed_through =
      clear_part(accepted, x - accepted, nearest_part, 0.05) < 1.;
    for (const Pair &pair : pairs)
      if (pair.sliding >= 0)
        {
          const Sliding &known = sliding[pair.sliding];
          const Vector3  w     = slid(pair, x);
          dissipated +=
            (is_hybrid() ? known.constant : known.law.force(w)).dot(w);
        }
    if (is_hybrid())
      velocity = (x - accepted) / step;
    accepted = x;
    if (options.method == ContactMethod::imc && options.adaption > 0.)
      {
        const double least = least_gap(q) / radius;
        // With this factor the nearest pair would just touch.
        if (least < -options.low ||
            (least > options.high && least < options.reach))
          law.force *=
            std::clamp(2. / (1. + std::exp(options.sharpness * least)),
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
    const Index n = static_cast<Index>(accepted.size()),
                m = static_cast<Index>(velocity.size());
    Vector mine(2 * n + m + 2);
    mine.head(n)           = Eigen::Map<const Vector>(listed_at.data(), n);
    mine.segment(n, n)     = Eigen::Map<const Vector>(accepted.data(), n);
    mine.segment(2 * n, m) = Eigen::Map<const Vector>(velocity.data(), m);
    mine(2 * n + m)        = law.force;
    mine(2 * n + m + 1)    = dissipated;
    return mine;
  }

  void
  RodContact::set_history(const Vector &mine)
  {
    const Index n = static_cast<Index>(accepted.size()),
                m = static_cast<Index>(velocity.size());
    accepted      = Eigen::Map<const Places3>(mine.data() + n, 3, n / 3);
    velocity      = Eigen::Map<const Places3>(mine.data() + 2 * n, 3, m / 3);
    law.force     = mine(2 * n + m);
    dissipated    = mine(2 * n + m + 1);
    make_list(Eigen::Map<const Places3>(mine.data(), 3, n / 3));
    std::fill(spt_forces.begin(), spt_forces.end(), 0.);
    explicit_forces.setZero();
  }

  Places
  RodContact::history_places() const
  {
    return contact::places_in_order(2 * accepted.size() + velocity.size() + 2);
  }
} // namespace slender
