// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_models_model_h
#define slender_models_model_h

#include <slender/base/drawing.h>
#include <slender/base/layout.h>
#include <slender/base/types.h>
#include <slender/models/hessian_sink.h>

#include <string>
#include <vector>

namespace slender
{
  /// A named number that is read off a state, such as "end x".
  struct Measurement
  {
    std::string name;
    double      value;
  };

  /**
   * A discretised elastic body: unknowns q, named scalar parameters p, an
   * energy E(q; p) with its derivatives, measurements and a drawing of itself.
   *
   * Unknowns and energy are dimensionless and of order one (lengths by the
   * size of the body, energies by its bending stiffness over its length), so
   * that solvers can use absolute tolerances. Parameters and measurements are
   * in the user's units.
   *
   * A model does no input or output and knows nothing of studies or solvers.
   * It lives on the communicator of its layout; functions are collective
   * there, and a Vector is always one rank's share (see Layout) with valid
   * ghosts.
   */
  class Model
  {
  public:
    Model()          = default;
    virtual ~Model() = default;

    // Parameters refer to members.
    Model(const Model &) = delete;
    Model &
    operator=(const Model &) = delete;

    virtual const Layout &
    layout() const = 0;

    /// 1 for a curve, whose unknowns can be put in an order in which each is
    /// coupled with its neighbours only; 2 for a surface.
    virtual int
    dimension() const
    {
      return 1;
    }

    /**
     * How many of the unknowns are Lagrange multipliers, on all ranks together.
     * With multipliers the energy is a Lagrangian and an equilibrium a saddle
     * point of it: at a stable one the Hessian has this many negative
     * eigenvalues.
     */
    virtual Index
    n_multipliers() const;

    /// A state to start from; it satisfies all prescribed values.
    virtual Vector
    initial_state() const = 0;

    /// This rank's part of the energy: the sum over ranks is E(q; p).
    virtual double
    energy(const Vector &q) const = 0;

    /// This rank's part of dE/dq, ghosts included: what stands at a ghost is
    /// still to be added to its owner's value.
    virtual Vector
    gradient(const Vector &q) const = 0;

    /// d2E/dq2, exact and symmetric. Every block that can ever be nonzero is
    /// added at every call, so that the first call shows the pattern.
    virtual void
    hessian(const Vector &q, HessianSink &sink) const = 0;

    /**
     * The tangent of the mixed-integration-point Newton method (Magisano,
     * Leonetti, Garcea): the Hessian, but with the geometric stiffness of the
     * stiff strains taken from the stress that the previous iterate's
     * linearisation predicts, sigma = C (eps(q0) + B(q0) (q - q0)). It equals
     * the Hessian where q = q0. Without stiff strains it is the Hessian.
     *
     * @param previous the full_state() of the previous iterate
     */
    virtual void
    newton_tangent(const Vector &q,
                   const Vector &previous,
                   HessianSink  &sink) const;

    /// d2E/dq2 times a direction (with valid ghosts), this rank's part like
    /// gradient(). The default multiplies block by block. Models with stiff
    /// strains do better: the strain first, then its stiffness; entries of the
    /// Hessian hold stiffnesses whose round-off would swamp the soft modes.
    virtual Vector
    hessian_times(const Vector &q, const Vector &direction) const;

    /// A state together with the values that are prescribed under the present
    /// parameters, in an order of the model's own.
    virtual Vector
    full_state(const Vector &q) const;

    /// d2E/dq dp for a named parameter, this rank's part like gradient().
    /// The default takes central differences at a step suited to the
    /// parameter's scale.
    virtual Vector
    parameter_derivative(const Vector &q, const std::string &name);

    /// Accepts a state: history that the energy refers to (such as reference
    /// frames) moves on. The state itself keeps its meaning; true is returned
    /// if directions at it may not, so that tangents and modes are to be
    /// computed anew.
    virtual bool
    commit(const Vector &q);

    /// What commit() has gathered, the same on every rank; empty for most
    /// models. With it, a state that was saved has its meaning again.
    virtual Vector
    history() const;

    virtual void
    set_history(const Vector &history);

    virtual std::vector<Measurement>
    measure(const Vector &q) const = 0;

    /// This rank's piece of the body, perhaps nothing: the pieces of all ranks
    /// together show the whole. Collective.
    virtual Drawing
    draw(const Vector &q) const = 0;

    struct Parameter
    {
      std::string name;
      std::string description; ///< with its unit
      double     *value;
      double      scale; ///< a typical magnitude
    };

    const std::vector<Parameter> &
    parameters() const;

    double
    parameter(const std::string &name) const;

    /// Throws InputError, with the nearest name, if there is no such one.
    void
    set_parameter(const std::string &name, double value);

  protected:
    void
    add_parameter(const std::string &name,
                  const std::string &description,
                  double            &value,
                  double             scale);

    /// Called after each change, to renew what depends on the parameters.
    virtual void
    parameters_changed();

  private:
    const Parameter &
    find_parameter(const std::string &name) const;

    std::vector<Parameter> all_parameters;
  };

  /// The value of one measurement; throws InputError, with the names that
  /// exist, if the model does not measure it.
  double
  find_measurement(const std::vector<Measurement> &measurements,
                   const std::string              &name);
} // namespace slender

#endif
