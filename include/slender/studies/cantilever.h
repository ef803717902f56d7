// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_cantilever_h
#define slender_studies_cantilever_h

#include <slender/studies/hanging_body.h>
#include <slender/studies/study.h>

namespace slender
{
  struct Sweep;

  /**
   * The Cantilever protocol (Romero et al. 2021, section 4.2; recipe manual,
   * Algorithms 1 and 2): a rod is clamped horizontally and hangs down under
   * its weight. The ratio H/W of how far its end is below and away from the
   * clamp is compared with the elastica, as a function of the gravito-bending
   * parameter Gamma = rho A g L^3 / (E I).
   *
   * Algorithm 1 varies gravity on one rod of unit length and stiffness;
   * Algorithm 2 ("redundant") varies length, thickness and Young's modulus of
   * rods in SI units, which all have to fall on the same curve.
   *
   * Models of shells and ribbons take a ribbon, Gamma* = rho h g L^3 / D. Its
   * master curve is the same if Poisson's ratio is 0; otherwise its edges curl,
   * unless it is developable.
   */
  class CantileverStudy : public Study
  {
  public:
    void
    set_body_kind(BodyKind kind) override;

    void
    declare(dealii::ParameterHandler &prm) override;

    void
    check() const override;

    int
    n_pieces() const override;

    void
    rehearse(const Workplace &workplace) const override;

    StudyResult
    run(Workplace &workplace) override;

  private:
    /// That of Algorithm 1, of length and bending stiffness one.
    RodBody
    simple_rod() const;

    Sweep
    simple_sweep(Workplace &workplace) const;

    Sweep
    redundant_sweep(Workplace &workplace) const;

    /// A circular section of a material.
    RodBody
    round_rod(double length,
              double radius,
              double young_modulus,
              double poisson_ratio,
              double density) const;

    /// A ribbon as a shell that is clamped at its left edge.
    std::unique_ptr<Model>
    shell_ribbon(const Workplace &workplace,
                 double           length,
                 double           thickness,
                 double           young_modulus,
                 double           density) const;

    bool
    is_projective() const;

    std::unique_ptr<HangingBody>
    hanging(std::unique_ptr<Model> body) const;

    /// The body of Algorithm 1, whatever kind the model is of.
    std::unique_ptr<Model>
    simple_body(const Workplace &workplace) const;

    /// A rod or a strip of Algorithm 2, and the stiffness by which its Gamma is
    /// defined.
    RodBody
    redundant_body(double length, double thickness, double young_modulus) const;

    BodyKind kind = BodyKind::rod;

    bool   redundant        = false;
    double softest          = 1e4;
    bool   extensible       = false;
    double radius           = 5e-4;
    double poisson          = 0.;
    double ribbon_width     = 0.1;
    double ribbon_thickness = 1e-3;
    int    cells_along      = 16;
    int    cells_across     = 1;
    double grading          = 20.;

    double first_exponent = -3.;
    double last_exponent  = 4.;
    double exponent_step  = 0.025;
    int    n_chains       = 8;
    int    n_shapes       = 15;

    std::string        solver = "newton";
    NewtonOptions      newton;
    ProjectiveSettling projective;
  };
} // namespace slender

#endif
