// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_touching_rods_h
#define slender_studies_touching_rods_h

#include <slender/contact/rod_walls.h>
#include <slender/dynamics/motion.h>
#include <slender/studies/contact_parameters.h>
#include <slender/studies/obstacle_parameters.h>
#include <slender/studies/rod_arrangement.h>
#include <slender/studies/rod_parameters.h>

#include <memory>
#include <vector>

namespace slender
{
  /**
   * One rod or several that touch each other, themselves and walls: a structure
   * of discrete elastic rods with the terms of their contacts, where it begins.
   */
  class TouchingRods
  {
  public:
    /// Throws InputError for rods that cannot touch, or that overlap or are in
    /// a wall at the start: which, and where.
    TouchingRods(const RodParameters      &rod,
                 const RodArrangement     &arrangement,
                 const ContactParameters  &contact,
                 const ObstacleParameters &obstacles,
                 const ModelBuilder       &builder,
                 MPI_Comm                  communicator);

    System &
    system()
    {
      return *structure;
    }

    std::size_t
    n_rods() const
    {
      return models.size();
    }

    Model &
    model(const std::size_t i)
    {
      return *models[i];
    }

    /// Where they begin.
    const Vector &
    start() const
    {
      return first_place;
    }

    /// A step of a motion of this system. One in which rods would pass through
    /// each other is taken back, and said to be too long.
    struct Step
    {
      Motion::Step step;
      bool         passed = false;

      bool
      succeeded() const
      {
        return step.converged() && !passed;
      }
    };
    Step
    take(Motion &motion, double length);

    /// Energy that friction has taken since the start.
    double
    friction_work() const;

    /// Of one rod all that it measures, of several what they have in common;
    /// contacts, and of one rod twist and writhe [turns].
    std::vector<Measurement>
    measure(const Vector &q) const;

    Drawing
    draw(const Vector &q) const;

  private:
    std::vector<std::unique_ptr<Model>> models;
    std::unique_ptr<Structure>          structure;
    RodContact                         *contact = nullptr;
    RodWalls                           *walls   = nullptr;
    Vector                              first_place;
  };
} // namespace slender

#endif
