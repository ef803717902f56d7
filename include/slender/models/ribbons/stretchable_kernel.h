// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_ribbons_stretchable_kernel_h
#define slender_models_ribbons_stretchable_kernel_h

#include <slender/models/ribbons/ribbon_elements.h>

/**
 * The energy per length of a ribbon that stretches, from the energy of a thin
 * plate whose sections are parabolas,
 *
 *   x(s, y) = r + y d1 - y^2/2 chi d2,
 *
 * with the curvature chi across the ribbon as a field of its own; in units of
 * E w h^3/12 with lengths in units of the ribbon's.
 *
 * Membrane. The fibre at y is longer by
 *
 *   epsilon - y kappa_2 + y^2/2 (tau^2 - kappa_1 chi) - y^3/2 tau chi',
 *
 * of which the third part is that of Gauss's curvature. The moment M in the
 * plane of the ribbon has the stresses -12 M y/w^3 along it and, by balance of
 * forces, 6 M'/w^3 (y^2 - w^2/4) across it, whose strain is -y^2/2 tau chi;
 * their work is M times the change of
 *
 *   c = kappa_2 - kappa_2^0 + w^2/40 (2 tau chi' - tau' chi),
 *
 * after an integration by parts. Moments over the width give
 *
 *   6/h^2 [(epsilon + w^2/24 K)^2 + w^2/12 c^2 + w^4/720 K^2],
 *   K = tau^2 - kappa_1 chi.
 *
 * Bending. With curvatures k + y^2/2 chi'' and y tau' along, chi across and
 * tau - y chi' of twist, k = kappa_1 - kappa_1^0,
 *
 *   1/(2 (1 - nu^2)) [ k^2 + 2 nu k chi + chi^2 + 2 (1 - nu) tau^2
 *     + w^2/12 (tau'^2 + (k + nu chi) chi'' + 2 (1 - nu) chi'^2)
 *     + w^4/320 chi''^2 ].
 *
 * The mass of a section is at - w^2/24 chi along d2.
 */
namespace slender::ribbons::stretchable
{
  /// What the density depends on, at a point.
  enum Input
  {
    tau,
    kappa_1,
    kappa_2,
    epsilon,
    chi,
    tau_rate,
    chi_rate,
    chi_bend,
    n_inputs
  };

  using Vector8 = Eigen::Matrix<double, n_inputs, 1>;
  using Matrix8 = Eigen::Matrix<double, n_inputs, n_inputs>;

  struct Density
  {
    double  value;
    Vector8 gradient;
    Matrix8 hessian;
  };

  Density
  membrane(const Vector8 &z, const Section &section);

  /// A quadratic function of z, less its natural value.
  Matrix8
  bending_stiffness(const Section &section);

  Density
  bending(const Vector8 &z, const Section &section);

  /// Where the mass of a section is, along d2, for chi = 1.
  inline double
  mass_offset_rate(const Section &section)
  {
    return -section.width * section.width / 24.;
  }
} // namespace slender::ribbons::stretchable

#endif
