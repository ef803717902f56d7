// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/contact/pair_energy.h>
#include <slender/contact/rod_walls.h>

#include <algorithm>
#include <cmath>

namespace slender
{
  using contact::Barrier;
  using contact::Curve;
  using contact::Places3;

  RodWalls::RodWalls(std::vector<Wall>     the_walls,
                     const RodWallOptions &the_options)
    : walls(std::move(the_walls))
    , options(the_options)
  {
    for (Wall &wall : walls)
      wall.normal.normalize();
  }

  void
  RodWalls::join(const Structure &structure)
  {
    rods = contact::RodNodes(structure);
    for (std::size_t m = 0; m < rods.n_chains(); ++m)
      radii.insert(radii.end(),
                   static_cast<std::size_t>(rods.chain(m).n_nodes()),
                   rods.chain(m).section_radius());
    barrier_gap = options.gap * rods.radius();
    force       = options.force > 0. ? options.force : rods.usual_force();
    start(structure.initial_state());
  }

  void
  RodWalls::set_step(const double length)
  {
    step      = length;
    iteration = -1;
    remember_sliding();
  }

  void
  RodWalls::start(const Vector &q)
  {
    accepted   = rods.places(q);
    dissipated = 0.;
    remember_sliding();
  }

  double
  RodWalls::gap(const Wall &wall, const Places3 &x, const Index node) const
  {
    return wall.normal.dot(x.col(node) - wall.point) - radii[node];
  }

  void
  RodWalls::remember_sliding()
  {
    sliding.clear();
    for (const Wall &wall : walls)
      if (wall.friction > 0.)
        for (Index i = 0; i < rods.size(); ++i)
          if (const double g = gap(wall, accepted, i);
              g < barrier_gap && g > 0.)
            sliding.push_back(
              {i,
               {wall.friction * -Barrier{0., barrier_gap, force}(g).slope,
                options.creep_speed * step,
                wall.normal}});
  }

  void
  RodWalls::survey(const Vector &)
  {
    ++iteration;
  }

  double
  RodWalls::energy(const Vector &q) const
  {
    const Places3 x   = rods.places(q);
    double        sum = 0.;
    for (const Wall &wall : walls)
      for (Index i = 0; i < rods.size(); ++i)
        if (const double g = gap(wall, x, i); g < barrier_gap)
          sum += Barrier{0., barrier_gap, force}(g).value;
    for (const Sliding &s : sliding)
      sum += s.law.slip(x.col(s.node) - accepted.col(s.node)).energy;
    return rods.energy(sum);
  }

  void
  RodWalls::add_gradient(const Vector &q, Vector &gradient) const
  {
    const Places3 x = rods.places(q);
    for (const Wall &wall : walls)
      for (Index i = 0; i < rods.size(); ++i)
        if (const double g = gap(wall, x, i); g < barrier_gap)
          {
            const Vector3 slope =
              Barrier{0., barrier_gap, force}(g).slope * wall.normal;
            rods.add_slope(&i, 1, slope.data(), gradient);
          }
    for (const Sliding &s : sliding)
      {
        const Vector3 slope = s.law.force(x.col(s.node) - accepted.col(s.node));
        rods.add_slope(&s.node, 1, slope.data(), gradient);
      }
  }

  void
  RodWalls::add_hessian(const Vector &q, HessianSink &sink) const
  {
    // A block for every node, so that the pattern never changes.
    const Places3                x = rods.places(q);
    std::vector<Eigen::Matrix3d> bends(static_cast<std::size_t>(rods.size()),
                                       Eigen::Matrix3d::Zero());
    for (const Wall &wall : walls)
      for (Index i = 0; i < rods.size(); ++i)
        if (const double g = gap(wall, x, i); g < barrier_gap)
          bends[i] += (Barrier{0., barrier_gap, force}(g).bend * wall.normal) *
                      wall.normal.transpose();
    for (const Sliding &s : sliding)
      bends[s.node] +=
        s.law.stiffness(x.col(s.node) - accepted.col(s.node),
                        contact::LaggedFriction::stiffness_of_iteration(
                          iteration));
    for (Index i = 0; i < rods.size(); ++i)
      rods.add_bend<1>({i}, bends[i], sink);
  }

  void
  RodWalls::add_hessian_times(const Vector &q,
                              const Vector &direction,
                              Vector       &product) const
  {
    HessianMultiplier multiplier(direction);
    add_hessian(q, multiplier);
    product += multiplier.product();
  }

  double
  RodWalls::longest_step(const Vector &q, const Vector &direction) const
  {
    // Nine tenths of the way to a wall; where nodes cross it along a straight
    // line is known.
    const Places3 x = rods.places(q), dx = rods.displacements(direction);
    double        least = std::numeric_limits<double>::infinity();
    for (const Wall &wall : walls)
      for (Index i = 0; i < rods.size(); ++i)
        {
          const double speed = -wall.normal.dot(dx.col(i)),
                       room  = gap(wall, x, i);
          if (speed > 0. && room > 0.)
            least = std::min(least, 0.9 * room / speed);
        }
    return least;
  }

  bool
  RodWalls::commit(const Vector &q)
  {
    const Places3 x = rods.places(q);
    iteration       = contact::LaggedFriction::outside_a_step;
    for (const Sliding &s : sliding)
      {
        const Vector3 w = x.col(s.node) - accepted.col(s.node);
        dissipated += s.law.force(w).dot(w);
      }
    accepted = x;
    remember_sliding();
    return false;
  }

  Vector
  RodWalls::history() const
  {
    const auto n = static_cast<Index>(accepted.size());
    Vector     mine(n + 1);
    mine.head(n) = Eigen::Map<const Vector>(accepted.data(), n);
    mine(n)      = dissipated;
    return mine;
  }

  void
  RodWalls::set_history(const Vector &mine)
  {
    const auto n = static_cast<Index>(accepted.size());
    accepted     = Eigen::Map<const Places3>(mine.data(), 3, n / 3);
    dissipated   = mine(n);
    remember_sliding();
  }

  Places
  RodWalls::history_places() const
  {
    return contact::places_in_order(accepted.size() + 1);
  }

  std::vector<Measurement>
  RodWalls::measure(const Vector &q) const
  {
    const Places3 x     = rods.places(q);
    double        least = std::numeric_limits<double>::infinity(), sum = 0.;
    int           nodes = 0;
    for (const Wall &wall : walls)
      for (Index i = 0; i < rods.size(); ++i)
        {
          const double g = gap(wall, x, i);
          least          = std::min(least, g);
          if (g < barrier_gap)
            {
              ++nodes;
              sum -= Barrier{0., barrier_gap, force}(g).slope;
            }
        }
    return {{"nodes at walls", static_cast<double>(nodes)},
            {"least gap to walls", least},
            {"force on walls", sum}};
  }

  RodWalls::Inside
  RodWalls::deepest(const Vector &q) const
  {
    const Places3 x = rods.places(q);
    Inside        result;
    for (std::size_t w = 0; w < walls.size(); ++w)
      for (std::size_t m = 0; m < rods.n_chains(); ++m)
        for (Index k = 0; k < rods.chain(m).n_nodes(); ++k)
          {
            const Index  i     = rods.begin(m) + k;
            const double depth = -gap(walls[w], x, i);
            if (depth < 0. || (result.exists && depth <= result.depth))
              continue;
            result = {true,
                      w,
                      static_cast<Index>(m),
                      rods.chain(m).arc_length(k),
                      depth,
                      x.col(i)};
          }
    return result;
  }
} // namespace slender
