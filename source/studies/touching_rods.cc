// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/contact/curve_topology.h>
#include <slender/models/rods/discrete_elastic_rod.h>
#include <slender/studies/effects.h>
#include <slender/studies/overhand_knot.h>
#include <slender/studies/touching_rods.h>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace slender
{
  namespace
  {
    constexpr double pi = 3.141592653589793;

    DiscreteElasticRod &
    chain_of(Model &model)
    {
      auto *rod = dynamic_cast<DiscreteElasticRod *>(&model);
      if (!rod)
        throw InputError("contact is between rods of the model 'discrete "
                         "elastic rod'",
                         "Contact/Method");
      return *rod;
    }

    void
    refuse_inside(const RodWalls::Inside &inside, const Obstacles &obstacles)
    {
      std::ostringstream text;
      text << std::setprecision(4) << "rod " << inside.chain + 1
           << " begins inside the obstacle: at " << inside.arc_length
           << " of its length, near (" << inside.place.x() << ", "
           << inside.place.y() << ", " << inside.place.z() << "), it is "
           << inside.depth << " too deep";
      throw InputError(text.str(), obstacles[inside.wall].name + "/Point");
    }
  } // namespace

  TouchingRods::TouchingRods(const RodParameters      &rod,
                             const RodArrangement     &arrangement,
                             const ContactParameters  &contact_parameters,
                             const ObstacleParameters &obstacles,
                             const ModelBuilder       &builder,
                             MPI_Comm                  communicator)
  {
    const RodBody       body = rod.unloaded_body();
    std::vector<Vector> places;
    if (arrangement.is_one())
      {
        models.push_back(builder.build(body, communicator));
        chain_of(*models.back());
        places.push_back(models.back()->initial_state());
      }
    else
      for (const Eigen::Matrix3Xd &line :
           arrangement.centrelines(body.length, body.radius))
        {
          RodBody here              = body;
          here.length               = polygon_length(line);
          here.start.position       = line.col(0);
          here.start_frame          = {(line.col(1) - line.col(0)).normalized(),
                                       Vector3::UnitX()};
          here.start_frame.director = here.start_frame.tangent.unitOrthogonal();
          models.push_back(builder.build(here, communicator));
          DiscreteElasticRod &made = chain_of(*models.back());
          places.push_back(
            line.cols() == 2
              ? made.initial_state()
              : made.put_on(evenly_spaced(line, made.n_nodes() - 1)));
        }

    std::vector<Structure::Member> members;
    for (std::size_t i = 0; i < models.size(); ++i)
      {
        apply_loads(*models[i], rod);
        members.push_back({"rod " + std::to_string(i + 1), *models[i]});
      }
    structure   = members.size() == 1 ? std::make_unique<Structure>(*models[0])
                                      : std::make_unique<Structure>(members);
    first_place = Vector::Zero(structure->layout().n_local());
    for (std::size_t i = 0; i < models.size(); ++i)
      structure->add_share(i, places[i], first_place);

    const RodContactOptions options = contact_parameters.make();
    auto                    term    = std::make_unique<RodContact>(options);
    contact                         = term.get();
    structure->add_term("contact", std::move(term));
    contact->start(first_place);
    check_overlap(*contact,
                  first_place,
                  arrangement.is_one() ? "Rod/Radius" : "Rods/Arrangement");

    const Obstacles in_the_way = obstacles.make();
    if (in_the_way.empty())
      return;
    auto of_walls = std::make_unique<RodWalls>(
      obstacles.walls(),
      RodWallOptions{options.force, options.gap, options.creep_speed});
    walls = of_walls.get();
    structure->add_term("walls", std::move(of_walls));
    walls->start(first_place);
    if (const auto inside = walls->deepest(first_place); inside.exists)
      refuse_inside(inside, in_the_way);
  }

  TouchingRods::Step
  TouchingRods::take(Motion &motion, const double length)
  {
    // Newton's method begins with the list that a resumed run has.
    structure->survey(motion.now().unknowns.place);
    contact->set_step(length);
    if (walls)
      walls->set_step(length);
    Step result;
    result.step   = motion.step(length);
    result.passed = result.step.converged() && contact->has_passed_through();
    if (result.passed)
      motion.undo();
    if (!result.succeeded())
      // A search may have renewed the list of contacts.
      structure->set_state(motion.now().state);
    return result;
  }

  double
  TouchingRods::friction_work() const
  {
    return contact->friction_work() + (walls ? walls->friction_work() : 0.);
  }

  std::vector<Measurement>
  TouchingRods::measure(const Vector &q) const
  {
    if (models.size() == 1)
      {
        auto      &rod      = dynamic_cast<DiscreteElasticRod &>(*models[0]);
        auto       result   = structure->measure(q);
        double     twist    = 0.;
        const auto stations = rod.local_stations(q);
        for (std::size_t i = 0; i < stations.size(); ++i)
          {
            const double before = i > 0 ? stations[i - 1].arc_length
                                        : stations[i].arc_length,
                         behind = i + 1 < stations.size()
                                    ? stations[i + 1].arc_length
                                    : stations[i].arc_length;
            twist += stations[i].strain(0) * 0.5 * (behind - before);
          }
        contact::Places3 x(3, rod.n_nodes());
        rod.place_nodes(q, x);
        result.push_back({"twist", twist / (2. * pi)});
        // Straight on along the directions in which its ends are held.
        contact::Places3 on(3, x.cols() + 2);
        const double     far = 100. * polygon_length(x);
        const Vector3    first =
          quaternion::rotate(stations.front().frame, Vector3::UnitX());
        const Vector3 last =
          quaternion::rotate(stations.back().frame, Vector3::UnitX());
        on << x.col(0) - far * first, x, x.col(x.cols() - 1) + far * last;
        result.push_back({"writhe", contact::writhe(on)});
        return result;
      }
    std::vector<Measurement> result;
    const auto              &nodes = contact->nodes();
    const contact::Places3   x     = nodes.places(q);
    result.push_back({"mean height", x.row(2).mean()});
    result.push_back({"largest height", x.row(2).maxCoeff()});
    for (const Measurement &m : contact->measure(q))
      result.push_back({"contact/" + m.name, m.value});
    if (walls)
      for (const Measurement &m : walls->measure(q))
        result.push_back({"walls/" + m.name, m.value});
    return result;
  }

  Drawing
  TouchingRods::draw(const Vector &q) const
  {
    Drawing drawing = structure->draw(q);
    drawing.point_fields.push_back({"contact_force", contact->forces(q)});
    return drawing;
  }
} // namespace slender
