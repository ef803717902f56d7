// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/dynamics/explicit_contact.h>
#include <slender/dynamics/frictional_steps.h>
#include <slender/dynamics/projective_rod.h>
#include <slender/dynamics/velocity_filter.h>
#include <slender/studies/strip_motion.h>

#include <cmath>
#include <limits>

namespace slender
{
  namespace
  {
    /// Where the floor is follows from the time.
    Motion::Drive
    driven(PressedStrip &strip, const double speed)
    {
      strip.floor()[0].velocity = -speed * Vector3::UnitX();
      return [&strip, speed](const double time) { strip.push(speed * time); };
    }

    /// Of a body that is the strip's own.
    class OwnStrip : public StripMotion
    {
    public:
      OwnStrip(const StripMotionOptions &options, PressedStrip &the_strip)
        : strip(the_strip)
        , start(strip.epsilon() / options.speed)
        , drive(driven(strip, options.speed))
      {}

      double
      tip_displacement() const override
      {
        return strip.tip_displacement();
      }

      PressedStrip::Forces
      forces() const override
      {
        return strip.forces();
      }

      bool
      put(PressedStrip &) const override
      {
        return true;
      }

      long
      iterations() const override
      {
        return n;
      }

    protected:
      /// The floor alone is driven: no support of the body moves, which a drive
      /// of the motion would have to find out.
      template <class Step>
      bool
      advance(Motion                     &motion,
              const double                length,
              const Step                 &step,
              const std::vector<Contact> &contacts)
      {
        const double before = motion.now().time;
        drive(before + length);
        const Motion::Step done = step(length);
        n += done.iterations;
        if (done.converged())
          strip.take(motion.now().unknowns.place, contacts);
        else
          drive(before);
        return done.converged();
      }

      PressedStrip &strip;
      double        start;
      Motion::Drive drive;
      long          n = 0;
    };

    /// Coulomb's law, exact at the end of each step, or viscous friction in its
    /// place.
    class ImplicitStrip : public OwnStrip
    {
    public:
      ImplicitStrip(const StripMotionOptions &options,
                    System                   &system,
                    PressedStrip             &the_strip)
        : OwnStrip(options, the_strip)
        , steps(system, strip.floor(), options.motion.newton)
        , motion(system, with_search(options))
      {
        motion.start(strip.state(), start);
      }

      double
      time() const override
      {
        return motion.now().time;
      }

      bool
      step(const double length) override
      {
        return advance(
          motion,
          length,
          [&](const double h) { return motion.step(h); },
          steps.contacts());
      }

    private:
      MotionOptions
      with_search(const StripMotionOptions &options)
      {
        steps.starts_warm = true;
        if (options.law == "viscous")
          steps.viscosity = options.viscosity;
        MotionOptions result = options.motion;
        result.search        = steps.search();
        return result;
      }

      FrictionalSteps steps;
      Motion          motion;
    };

    class FilteredStrip : public OwnStrip
    {
    public:
      FilteredStrip(const StripMotionOptions &options,
                    System                   &system,
                    PressedStrip             &the_strip)
        : OwnStrip(options, the_strip)
        , motion(system, options.motion)
        , filtered(system,
                   motion,
                   strip.floor(),
                   {options.rounds, options.thickness, options.repulsion})
      {
        motion.start(strip.state(), start);
      }

      double
      time() const override
      {
        return motion.now().time;
      }

      bool
      step(const double length) override
      {
        return advance(
          motion,
          length,
          [&](const double h) { return filtered.step(h); },
          filtered.contacts());
      }

    private:
      Motion         motion;
      FilteredMotion filtered;
    };

    class ExplicitStrip : public OwnStrip
    {
    public:
      ExplicitStrip(const StripMotionOptions &options,
                    System                   &system,
                    PressedStrip             &the_strip)
        : OwnStrip(options, the_strip)
        , contact(system,
                  strip.floor(),
                  options.motion.damping.alpha,
                  options.stick,
                  drive)
      {
        contact.start(strip.state(), start);
      }

      double
      time() const override
      {
        return contact.time();
      }

      bool
      step(const double length) override
      {
        ++n;
        const bool good = contact.step(length);
        strip.take(contact.place(), contact.contacts());
        return good;
      }

      double
      stable_step() const override
      {
        return contact.stable_step();
      }

    private:
      ExplicitContact contact;
    };

    /// A rod of its own, through the points of the strip.
    class ProjectiveStrip : public StripMotion
    {
    public:
      ProjectiveStrip(const StripMotionOptions &options,
                      const PressedStrip       &the_strip,
                      Obstacles                 the_floor)
        : floor(std::move(the_floor))
        , speed(options.speed)
        , now(the_strip.epsilon() / speed)
        , rod(nodes(the_strip), of(options))
        , turns(options.turns)
      {
        floor[0].velocity = -speed * Vector3::UnitX();
      }

      bool
      step(const double length) override
      {
        now += length;
        floor[0].shift = -speed * now * Vector3::UnitX();
        rod.step(length, floor);
        n += turns;
        return rod.places().allFinite();
      }

      double
      time() const override
      {
        return now;
      }

      double
      tip_displacement() const override
      {
        return std::abs(rod.places()(2, rod.places().cols() - 1));
      }

      PressedStrip::Forces
      forces() const override
      {
        PressedStrip::Forces result;
        const Index          tip = rod.places().cols() - 1;
        for (const Contact &contact : rod.contacts())
          {
            result.thrust -= contact.force(0);
            result.friction += contact.force(2);
            (contact.state == ContactState::stick ? result.sticking
                                                  : result.slipping) += 1;
            if (contact.point != tip)
              {
                ++result.beyond_tip;
                result.length =
                  std::max(result.length,
                           1. - static_cast<double>(contact.point) / tip);
              }
          }
        return result;
      }

      bool
      put(PressedStrip &) const override
      {
        return false;
      }

      long
      iterations() const override
      {
        return n;
      }

    private:
      static Eigen::Matrix3Xd
      nodes(const PressedStrip &strip)
      {
        // The clamped node is none of those that can touch.
        const Eigen::Matrix3Xd x = strip.points().places(strip.state());
        Eigen::Matrix3Xd       all(3, x.cols() + 1);
        all << Vector3::Zero(), x;
        return all;
      }

      static ProjectiveRodOptions
      of(const StripMotionOptions &options)
      {
        ProjectiveRodOptions result;
        result.axial      = options.axial;
        result.drag       = options.motion.damping.alpha;
        result.iterations = options.turns;
        return result;
      }

      Obstacles     floor;
      double        speed, now;
      ProjectiveRod rod;
      int           turns;
      long          n = 0;
    };
  } // namespace

  const std::vector<std::string> &
  friction_laws()
  {
    static const std::vector<std::string> names = {
      "coulomb", "viscous", "bridson-harmon", "penalty", "projective"};
    return names;
  }

  double
  StripMotion::stable_step() const
  {
    return std::numeric_limits<double>::infinity();
  }

  std::unique_ptr<StripMotion>
  make_strip_motion(const StripMotionOptions &options,
                    System                   &system,
                    PressedStrip             &strip)
  {
    if (options.law == "coulomb" || options.law == "viscous")
      return std::make_unique<ImplicitStrip>(options, system, strip);
    if (options.law == "bridson-harmon")
      return std::make_unique<FilteredStrip>(options, system, strip);
    if (options.law == "penalty")
      return std::make_unique<ExplicitStrip>(options, system, strip);
    return std::make_unique<ProjectiveStrip>(options, strip, strip.floor());
  }
} // namespace slender
