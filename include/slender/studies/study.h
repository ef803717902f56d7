// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_study_h
#define slender_studies_study_h

#include <slender/base/drawing.h>
#include <slender/base/groups.h>
#include <slender/base/table.h>
#include <slender/models/model_list.h>
#include <slender/output/solutions.h>
#include <slender/output/summary.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dealii
{
  class ParameterHandler;
}

namespace slender
{
  /// What a study works with.
  struct Workplace
  {
    const Groups       &groups;
    const ModelBuilder &model;
    std::string         model_name;

    /// Where progress is shown on the first rank; null elsewhere.
    std::ostream *progress             = nullptr;
    bool          progress_is_terminal = false;

    /// Takes lines for the log (and for the terminal) on the first rank, does
    /// nothing elsewhere.
    std::function<void(const std::string &)> log;
  };

  /// Shapes that ParaView opens as a series.
  struct Series
  {
    struct Item
    {
      double  time; ///< or the load, or the parameter that was varied
      Drawing drawing;
    };

    std::string       name; ///< of the files in fields/
    std::vector<Item> items;
  };

  /// What a study found. Meaningful on the first rank only.
  struct StudyResult
  {
    Table                results;
    std::optional<Table> frontier;
    std::vector<Series>  series;

    /// Points from which a later run can start; the program adds the model.
    std::vector<Solution> solutions;

    /// Verdict, errors and counts; the program adds names, time and version.
    Summary summary;
  };

  /// Counts a failure, and says why in the table and in the log.
  void
  report_failure(const Workplace   &workplace,
                 StudyResult       &result,
                 const std::string &why);

  /**
   * The question that a parameter file asks. A study declares its own section,
   * builds its bodies, computes, and returns tables and shapes; writing them
   * is not its business.
   */
  class Study
  {
  public:
    virtual ~Study() = default;

    /// What kind of body the chosen model is of; called first. Throws
    /// InputError if the study has no question about such bodies.
    virtual void
    set_body_kind(BodyKind kind);

    /// Whether it is about a user's own body, whose parameters may vary and
    /// whose measurements are recorded by name.
    virtual bool
    takes_any_body() const
    {
      return false;
    }

    /// The outermost sections that the file has; called before declare(). A
    /// body may have any number of edges, each with a section of its own.
    virtual void
    set_sections(const std::vector<std::string> & /*names*/)
    {}

    virtual void
    declare(dealii::ParameterHandler &prm) = 0;

    /// Throws InputError if settings contradict each other. Called after the
    /// file was read and before anything is computed or created.
    virtual void
    check() const
    {}

    /**
     * All that a run does before it computes: builds the body, and checks what
     * was said of it (names of parameters and measurements, positions of
     * points, earlier runs). Throws InputError; what passes here, run() does
     * not refuse. Collective over all ranks, but some may have nothing to do.
     */
    virtual void
    rehearse(const Workplace &workplace) const = 0;

    /// Collective over all ranks.
    virtual StudyResult
    run(const Workplace &workplace) = 0;
  };

  struct StudyEntry
  {
    std::string                             name;
    std::string                             description;
    std::function<std::unique_ptr<Study>()> make;
  };

  /// All studies, in the order in which they are listed to users.
  const std::vector<StudyEntry> &
  study_list();

  /// Throws InputError, with the nearest name, if there is no such study.
  const StudyEntry &
  find_study(const std::string &name);
} // namespace slender

#endif
