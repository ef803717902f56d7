// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/studies/check_idle.h>
#include <slender/studies/response_parameters.h>

#include <deal.II/base/parameter_handler.h>

#include <tuple>

namespace slender
{
  namespace
  {
    const std::string table = "response";
  }

  void
  ResponseParameters::declare(dealii::ParameterHandler &prm)
  {
    using namespace dealii::Patterns;
    prm.enter_subsection("Response");
    prm.add_parameter("Forcing",
                      options.forcing,
                      "Name of a load, a parameter of the model, that "
                      "oscillates a little about its value; empty for no such "
                      "response.",
                      Anything());
    prm.add_parameter(
      "Measurement",
      options.response,
      "What is looked at: a measurement of the model. The table "
      "'response.csv' has its amplitude for an amplitude of "
      "one of the load, and its phase before the load.",
      Anything());
    prm.add_parameter("Lowest frequency",
                      lowest,
                      "Where the range of frequencies begins [1/time].",
                      Double(0.));
    prm.add_parameter("Highest frequency",
                      highest,
                      "Where it ends [1/time]; well below the highest of the "
                      "'Modes', which the response consists of.",
                      Double(0.));
    prm.add_parameter("Points",
                      n_points,
                      "How many frequencies, equally spaced [1].",
                      Integer(2, 1000000));
    prm.add_parameter("Rayleigh alpha",
                      options.alpha,
                      "Damping in proportion to mass and velocity [1/time].",
                      Double(0.));
    prm.add_parameter("Rayleigh beta",
                      options.beta,
                      "Damping in proportion to stiffness and velocity [time].",
                      Double(0.));
    prm.leave_subsection();
  }

  void
  ResponseParameters::check(const BodyParameters &body) const
  {
    const ResponseParameters usual;
    const std::string        when = "'Forcing' names a load";
    const auto idle = [&](const auto &value, const auto &other, auto name) {
      check_idle(
        is_wanted(), value, other, std::string("Response/") + name, when);
    };
    idle(options.response, usual.options.response, "Measurement");
    idle(lowest, usual.lowest, "Lowest frequency");
    idle(highest, usual.highest, "Highest frequency");
    idle(n_points, usual.n_points, "Points");
    idle(options.alpha, usual.options.alpha, "Rayleigh alpha");
    idle(options.beta, usual.options.beta, "Rayleigh beta");
    if (!is_wanted())
      return;
    if (options.response.empty())
      throw InputError("a response needs the name of a measurement",
                       "Response/Measurement");
    if (!(highest > lowest))
      throw InputError("the highest frequency has to be above the lowest one",
                       "Response/Highest frequency");
    body.check_parameter(options.forcing);
  }

  void
  ResponseParameters::check_model(Model &model, const Kinetics &kinetics) const
  {
    if (!is_wanted())
      return;
    const auto named = [](const std::string &path, const auto &look_up) {
      try
        {
          return look_up();
        }
      catch (const InputError &error)
        {
          throw InputError(error.what(), path);
        }
    };
    const Vector q = model.initial_state();
    named("Response/Measurement",
          [&] { return find_measurement(model.measure(q), options.response); });
    const auto                parameter = named("Response/Forcing", [&] {
      return model.find_parameter(options.forcing);
    });
    const std::vector<double> values    = model.parameter_values();
    const Vector              y         = kinetics.coordinates(q);
    model.set_parameter(options.forcing, *parameter.value + parameter.scale);
    const double moved =
      sum_over_ranks(model.layout(),
                     (kinetics.coordinates(q) - y).squaredNorm());
    model.set_parameter_values(values);
    if (moved != 0.)
      throw InputError("'" + options.forcing +
                         "' moves what holds the body, and masses with it; the "
                         "response is to loads",
                       "Response/Forcing");
    if (root_mean_square(model.layout(),
                         model.parameter_derivative(q, options.forcing)) == 0.)
      throw InputError("'" + options.forcing + "' does nothing to this body",
                       "Response/Forcing");
  }

  void
  ResponseParameters::begin(Recorder &recorder) const
  {
    if (is_wanted())
      recorder.begin_table(
        table,
        {"frequency", "amplitude", "phase", "real_part", "imaginary_part"});
  }

  void
  ResponseParameters::record(Recorder                       &recorder,
                             Model                          &model,
                             const Kinetics                 &kinetics,
                             const Vector                   &q,
                             const std::vector<NaturalMode> &modes,
                             const LinearSolver              solver) const
  {
    if (!is_wanted())
      return;
    const Receptance receptance(model, kinetics, q, modes, options, solver);
    for (int i = 0; i < n_points; ++i)
      {
        const double frequency =
          lowest + (highest - lowest) * i / (n_points - 1);
        const std::complex<double> R = receptance(frequency);
        recorder.row(table,
                     {frequency, std::abs(R), std::arg(R), R.real(), R.imag()});
      }
  }
} // namespace slender
