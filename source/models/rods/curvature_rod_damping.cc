// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/systems/dissipation.h>

#include <numeric>

namespace slender
{
  /// The strains are the unknowns themselves.
  class CurvatureRod::StrainRates : public Dissipation
  {
  public:
    StrainRates(const CurvatureRod &the_rod, const DissipationOptions &law)
      : rod(the_rod)
      , coefficients(law.twist, law.bending, law.bending)
    {}

    Vector
    strains(const Vector &q) const override
    {
      if (rod.layout().n_owned() == 0)
        return Vector();
      return rod.strains_of(q).reshaped();
    }

    double
    potential(const Vector &strains) const override
    {
      if (strains.size() == 0)
        return 0.;
      return 0.5 * strains.dot(stress(strains));
    }

    void
    add_gradient(const Vector &q,
                 const Vector &origin,
                 const double  rate,
                 const double  factor,
                 Vector       &gradient) const override
    {
      if (rod.layout().n_owned() == 0)
        return;
      const Vector all = factor * rate * stress(strains(q) - origin);
      gradient.head(rod.n_strain_unknowns()) += all(rod.unknown_strains);
    }

    void
    add_hessian(const Vector & /*q*/,
                const Vector & /*origin*/,
                const double rate,
                const double factor,
                HessianSink &sink) const override
    {
      if (rod.layout().n_owned() == 0)
        return;
      Eigen::MatrixXd H = factor * rate * rod.elastic_hessian();
      for (Index i = 0; i < rod.n_strain_unknowns(); ++i)
        H.row(i) *= coefficients(rod.unknown_strains[i] % 3);
      std::vector<Index> unknowns(rod.n_strain_unknowns());
      std::iota(unknowns.begin(), unknowns.end(), 0);
      sink.add(unknowns.data(), rod.n_strain_unknowns(), H.data());
    }

  private:
    Vector
    stress(const Vector &strains) const
    {
      const Eigen::Map<const Strains> e(strains.data(),
                                        3,
                                        rod.field.n_strains());
      const Strains                   result =
        rod.stiffness.cwiseProduct(coefficients).asDiagonal() * e *
        rod.overlaps;
      return result.reshaped();
    }

    const CurvatureRod &rod;
    const Vector3       coefficients;
  };

  std::unique_ptr<Dissipation>
  CurvatureRod::dissipation(const DissipationOptions &options) const
  {
    check_damping(options);
    refuse_power_law(options);
    if (options.stretch != 0.)
      throw InputError("a rod of this model does not stretch, so that "
                       "'Stretch' damps nothing",
                       "Damping/Stretch");
    return std::make_unique<StrainRates>(*this, options);
  }
} // namespace slender
