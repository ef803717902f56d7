// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_starting_point_h
#define slender_studies_starting_point_h

#include <slender/statics/equilibrium.h>
#include <slender/studies/body_parameters.h>
#include <slender/studies/study.h>

#include <filesystem>
#include <string>

namespace slender
{
  /**
   * Where a continuation begins: at an equilibrium of the user's body under its
   * loads, or at a labelled point of an earlier run.
   */
  class StartingPoint
  {
  public:
    /// In the section that is open, whose name is given.
    void
    declare(dealii::ParameterHandler &prm, const std::string &section);

    void
    check() const;

    bool
    is_from_run() const
    {
      return !run.empty();
    }

    struct Found
    {
      Equilibrium         equilibrium;
      std::string         kind; ///< of special point; empty under loads
      bool                is_singular = false;
      Vector              null_vector; ///< if it is
      std::vector<Vector> companions;  ///< others, see BranchPoint
    };

    /// Loads the body; `values` of parameters replace the loads of that name.
    Found
    load(Model                         &model,
         const NewtonOptions           &newton,
         const BodyParameters          &body,
         const std::vector<LoadTarget> &values) const;

    /// Takes the labelled point up again. Throws InputError if there is none,
    /// or if it is not an equilibrium of this body.
    Found
    take_up(Model               &model,
            const NewtonOptions &newton,
            const Workplace     &workplace) const;

    /// Throws InputError if the body's loads are others than those of the
    /// point that was taken up, which count; those that vary may be.
    void
    check_loads(const Model                    &model,
                const BodyParameters           &body,
                const std::vector<std::string> &varied) const;

  private:
    std::filesystem::path
    file() const;

    std::string section;
    std::string run;
    int         label = 1;
  };

  /// Throws InputError if a load is set of a parameter that starts elsewhere.
  void
  check_start_value(const BodyParameters &body,
                    const std::string    &parameter,
                    double                start_value);

  /// A number, or a default for an empty text; throws InputError for anything
  /// else.
  double
  number_or(const std::string &text,
            double             otherwise,
            const std::string &parameter_path);
} // namespace slender

#endif
