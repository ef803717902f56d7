// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/models/ribbons/stretchable_kernel.h>

namespace slender::ribbons::stretchable
{
  Density
  membrane(const Vector8 &z, const Section &section)
  {
    const double ww = section.width * section.width;

    // K = tau^2 - kappa_1 chi.
    const double K  = z(tau) * z(tau) - z(kappa_1) * z(chi);
    Vector8      dK = Vector8::Zero();
    dK(tau)         = 2. * z(tau);
    dK(kappa_1)     = -z(chi);
    dK(chi)         = -z(kappa_1);

    // a = epsilon + w^2/24 K.
    const double a  = z(epsilon) + ww / 24. * K;
    Vector8      da = ww / 24. * dK;
    da(epsilon)     = 1.;

    // c = kappa_2 - kappa_2^0 + w^2/40 (2 tau chi' - tau' chi).
    const double c =
      z(kappa_2) - section.natural_strain(2) +
      ww / 40. * (2. * z(tau) * z(chi_rate) - z(tau_rate) * z(chi));
    Vector8 dc   = Vector8::Zero();
    dc(tau)      = ww / 20. * z(chi_rate);
    dc(kappa_2)  = 1.;
    dc(chi)      = -ww / 40. * z(tau_rate);
    dc(tau_rate) = -ww / 40. * z(chi);
    dc(chi_rate) = ww / 20. * z(tau);

    const double stiffness = 12. / (section.thickness * section.thickness);
    const double of_c = ww / 12., of_K = ww * ww / 720.;
    Density      e;
    e.value    = 0.5 * stiffness * (a * a + of_c * c * c + of_K * K * K);
    e.gradient = stiffness * (a * da + of_c * c * dc + of_K * K * dK);
    e.hessian  = da * da.transpose() + of_c * dc * dc.transpose() +
                of_K * dK * dK.transpose();
    const auto add = [&e](const int i, const int j, const double value) {
      e.hessian(i, j) += value;
      e.hessian(j, i) += value;
    };
    const double by_K = ww / 24. * a + of_K * K, by_c = of_c * c;
    e.hessian(tau, tau) += 2. * by_K;
    add(kappa_1, chi, -by_K);
    add(tau, chi_rate, by_c * ww / 20.);
    add(tau_rate, chi, -by_c * ww / 40.);
    e.hessian *= stiffness;
    return e;
  }

  Matrix8
  bending_stiffness(const Section &section)
  {
    const double nu     = section.poisson;
    const double ww     = section.width * section.width;
    Matrix8      B      = Matrix8::Zero();
    B(kappa_1, kappa_1) = B(chi, chi) = 1.;
    B(kappa_1, chi) = B(chi, kappa_1) = nu;
    B(tau, tau)                       = 2. * (1. - nu);
    B(tau_rate, tau_rate)             = ww / 12.;
    B(kappa_1, chi_bend) = B(chi_bend, kappa_1) = ww / 24.;
    B(chi, chi_bend) = B(chi_bend, chi) = nu * ww / 24.;
    B(chi_rate, chi_rate)               = 2. * (1. - nu) * ww / 12.;
    B(chi_bend, chi_bend)               = ww * ww / 320.;
    return B / (1. - nu * nu);
  }

  Density
  bending(const Vector8 &z, const Section &section)
  {
    Vector8 excess = z;
    excess(kappa_1) -= section.natural_strain(1);
    Density e;
    e.hessian  = bending_stiffness(section);
    e.gradient = e.hessian * excess;
    e.value    = 0.5 * excess.dot(e.gradient);
    return e;
  }
} // namespace slender::ribbons::stretchable
