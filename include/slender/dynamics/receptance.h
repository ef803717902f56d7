// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_dynamics_receptance_h
#define slender_dynamics_receptance_h

#include <slender/dynamics/natural_modes.h>
#include <slender/solvers/tangent.h>

#include <complex>
#include <string>

namespace slender
{
  /// What makes a body vibrate, what is looked at, and Rayleigh's damping.
  struct ReceptanceOptions
  {
    std::string forcing;    ///< a parameter of the system: a load
    std::string response;   ///< one of its measurements
    double      alpha = 0.; ///< of the mass [1/time]
    double      beta  = 0.; ///< of the stiffness [time]
  };

  /**
   * The answer of a body to a load that oscillates a little about its value,
   * p + dp cos(wt): a measurement that follows as m + Re(R(w) dp exp(iwt)), of
   * small vibrations about an equilibrium,
   *
   *   ((1 + iw beta) K - (w^2 - iw alpha) M) u = F dp,   F = -d2E/dq dp.
   *
   * With the natural modes phi of M-norm one, s = (w^2 - iw alpha)/(1 + iw
   * beta) and any c above zero,
   *
   *   (1 + iw beta) u = (K + c M)^-1 F
   *       + sum phi (phi.F) (1/(w_phi^2 - s) - 1/(w_phi^2 + c)).
   *
   * The first part is one solution of a static problem; with it what higher
   * modes than those given leave out falls as 1/w_phi^4. Free bodies are no
   * exception, their rigid motions being modes.
   */
  class Receptance
  {
  public:
    /// Collective. Throws InputError for a load or a measurement that the
    /// system does not have.
    Receptance(System                         &system,
               const Kinetics                 &kinetics,
               const Vector                   &q,
               const std::vector<NaturalMode> &modes,
               const ReceptanceOptions        &options,
               LinearSolver solver = LinearSolver::automatic);

    /// R at the frequency w/(2 pi) [1/time].
    std::complex<double>
    operator()(double frequency) const;

  private:
    /// How much of the answer is in one mode.
    struct Part
    {
      double squared; ///< w_phi^2
      double amount;  ///< (dm/dq phi) (phi.F)
    };

    double            alpha, beta;
    double            shift = 1.; ///< c
    double            rest  = 0.; ///< dm/dq (K + c M)^-1 F
    std::vector<Part> parts;
  };
} // namespace slender

#endif
