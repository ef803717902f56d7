// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_ribbons_ribbon_h
#define slender_models_ribbons_ribbon_h

#include <slender/models/ribbons/ribbon_elements.h>
#include <slender/models/rods/rod_model.h>
#include <slender/systems/sole_support.h>

namespace slender
{
  /**
   * A ribbon: a rod of rectangular section, wide and thin, whose unknowns are
   * its strains. Frame and centreline follow by integration from the clamped
   * start (ribbon_work.h), and
   *
   *   E = elastic energy - W(strains) - M alpha(R(1)),
   *
   * where the elements have the elastic energy: a developable ribbon
   * (developable_elements.h) or one that stretches (stretchable_elements.h).
   *
   * Director 1 is along the width. Besides the parameters of rods a ribbon has
   * its width, and a tilt of gravity about the tangent at the start. What is
   * measured of it besides are the displacements of the two corners of its end,
   * "top" on the side of director 1 and "bottom" on the other.
   *
   * The unknowns couple all with all and are few: they live on the first rank
   * of the communicator, the other ranks have none.
   */
  class Ribbon : public RodModel, public SoleSupport
  {
  public:
    /// Throws InputError if the body is no ribbon, or held or loaded in a way
    /// that ribbons do not have.
    Ribbon(const RodBody                           &body,
           std::unique_ptr<ribbons::RibbonElements> elements,
           MPI_Comm                                 communicator);

    const Layout &
    layout() const override;

    Vector
    initial_state() const override;

    double
    energy(const Vector &q) const override;

    Vector
    gradient(const Vector &q) const override;

    void
    hessian(const Vector &q, HessianSink &sink) const override;

    double
    longest_step(const Vector &q, const Vector &direction) const override;

    /// All of them on the first rank.
    std::vector<RodStation>
    local_stations(const Vector &q) const override;

    std::array<Vector3, 2>
    reactions(const Vector &q) const override;

    std::string
    support_force() const override
    {
      return "start force";
    }

    /// The same strains: it is the clamp that gives the ribbon its place.
    Vector
    moved(const Vector  &q,
          const Vector4 &rotation,
          const Vector3 &translation) const override;

    std::vector<Measurement>
    measure(const Vector &q) const override;

    /// As a surface.
    Drawing
    draw(const Vector &q) const override;

    /// Not of a developable ribbon.
    std::unique_ptr<Kinetics>
    kinetics(const MassOptions &options) const override;

    std::unique_ptr<Dissipation>
    dissipation(const DissipationOptions &options) const override;

  protected:
    void
    parameters_changed() override;

    std::optional<Vector4>
    loaded_frame(const Vector &q) const override;

    bool
    owns_end_load() const override;

  private:
    class MovingSections;
    class StrainRates;

    /// The surface at a station: x = position + y across - y^2/2 curl normal,
    /// with the curvature `bend` across the ribbon; a developable one is
    /// straight along its lines.
    struct Strip
    {
      Vector3 across, normal;
      double  bend, curl;
    };

    struct Sections
    {
      std::vector<RodStation> stations;
      std::vector<Strip>      strips;
    };

    Sections
    sections(const Vector &q) const;

    Vector3
    weight() const;

    ribbons::Loads
    loads(const Vector4 &end_frame) const;

    std::unique_ptr<ribbons::RibbonElements> elements;
    Layout                                   the_layout;
    RodBody       reference; ///< before its width changed
    double        gravity_tilt = 0.;
    ribbons::Pose start;
  };

  /// A strip of a material: a rod with the section of a ribbon.
  RodBody
  strip_body(double length,
             double width,
             double thickness,
             double young,
             double poisson,
             double density);

  /// The parameters and measurements of every ribbon.
  const Quantities &
  ribbon_quantities();
} // namespace slender

#endif
