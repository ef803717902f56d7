// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_knot_study_h
#define slender_studies_knot_study_h

#include <slender/dynamics/motion.h>
#include <slender/studies/contact_parameters.h>
#include <slender/studies/overhand_knot.h>
#include <slender/studies/round_rod.h>
#include <slender/studies/study.h>

namespace slender
{
  class DiscreteElasticRod;

  /**
   * An open overhand knot (Choi, Tong, Jawed, Joo 2021) that is pulled at both
   * ends at a given speed, and let loose again on request: force over
   * shortening, penetration, contacts, inversion, against the theory of Audoly,
   * Clauvelin and Neukirch (2007) for the simplest knot.
   */
  class KnotStudy : public Study
  {
  public:
    KnotStudy();

    std::string
    only_model() const override
    {
      return "discrete elastic rod";
    }

    void
    declare(dealii::ParameterHandler &prm) override;

    void
    check() const override;

    void
    rehearse(const Workplace &workplace) const override;

    StudyResult
    run(Workplace &workplace) override;

  private:
    /// The rod, the contact with itself and where they begin.
    struct Knot;

    std::unique_ptr<Knot>
    build(const Workplace &workplace) const;

    RodBody
    body(const Eigen::Matrix3Xd &polygon) const;

    MotionOptions
    motion_options() const;

    /// Empty, unless it is another knot by now.
    std::string
    what_passed(const Knot &knot, const Vector &q) const;

    /// Lets the knot come to rest at held ends, without friction; adds to the
    /// number of iterations.
    Vector
    settled(Knot &knot, int &iterations) const;

    /// By how much each end has been pulled at a time.
    double
    pulled(double time) const;

    double
    end_time() const;

    RoundRod          rod;
    OverhandKnot      geometry; ///< but for what is the rod's
    double            tight         = 0.1;
    double            loose         = 0.;
    double            speed         = 6e-3;
    double            viscosity     = 0.01;
    double            settling      = 20.;
    double            step          = 5e-4;
    double            smallest_step = 1e-7;
    double            rows_every    = 0.1;
    double            shapes_every  = 1.;
    ContactParameters contact;
    DampingOptions    damping;
    NewtonOptions     newton;
  };
} // namespace slender

#endif
