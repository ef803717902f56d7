// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_validation_stiffness_fit_h
#define slender_validation_stiffness_fit_h

#include <slender/base/table.h>
#include <slender/validation/cantilever_curve.h>

#include <optional>
#include <string>
#include <vector>

namespace slender
{
  /**
   * The bending stiffness with which the elastica passes best through measured
   * aspect ratios H/W: the minimum over s of
   *
   *   sum_i (ln (H/W)_i - ln f(Gamma_i / s))^2,
   *
   * f the master curve, Gamma_i the weight of a sample over a nominal
   * stiffness, of which s is a multiple. In logarithms, because a ruler's error
   * is a part of what it measures.
   *
   * The uncertainty is that of least squares: with the slopes
   * J_i = d ln f/d ln Gamma, ln s has the variance sigma^2 / sum J_i^2; sigma
   * is taken from the residuals, with the quantile of Student's distribution of
   * n - 1 degrees of freedom, or given, with that of the normal distribution.
   */
  struct StiffnessFit
  {
    double      factor;         ///< s
    double      standard_error; ///< of ln s, that is, relative
    double      low, high;      ///< s with a probability of 95 %
    double      scatter;        ///< of ln(H/W) about the curve
    double      worst;          ///< the largest residual of ln(H/W)
    std::size_t worst_sample;
    std::size_t n_samples;
  };

  /// @param noise relative error of H/W; none: from the residuals.
  /// Throws InputError for fewer samples than two, or one without a noise.
  StiffnessFit
  fit_stiffness(const std::vector<double> &gammas,
                const std::vector<double> &aspect_ratios,
                std::optional<double>      noise);

  /// Measured droops as a file has them.
  struct DroopMeasurements
  {
    std::vector<double> gammas; ///< or those of the stiffness 1 N m^2
    std::vector<double> aspect_ratios;
    bool                is_in_units; ///< then the factor is EI in N m^2
    double              longest;     ///< L of a strip in units

    std::optional<double> width, thickness; ///< of a strip, if told
    std::optional<double> poisson;
  };

  /**
   * Columns as for the score, or, for a real strip of unknown stiffness, L [m],
   * H and W (or aspect_ratio), mass_per_length [kg/m] or mass [kg] with the
   * `total_length` [m] it was weighed at, and g. Columns `width`, `thickness`
   * and `poisson` turn E I into Young's modulus. Throws InputError.
   */
  DroopMeasurements
  read_droops(const Table &table, const std::string &source);
} // namespace slender

#endif
