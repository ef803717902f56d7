// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef slender_studies_study_h
#define slender_studies_study_h

#include <slender/base/groups.h>
#include <slender/models/model_list.h>
#include <slender/output/summary.h>
#include <slender/studies/checkpoint_clock.h>

#include <functional>
#include <iosfwd>
#include <map>
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
  class Journal;
  class Recorder;

  /// What a study works with.
  struct Workplace
  {
    const Groups       &groups;
    const ModelBuilder &model;
    std::string         model_name;

    /// Takes rows, shapes, states and lines for the log as they come.
    Recorder &recorder;

    /// Of the parts of a sweep that are finished; null if nothing is kept.
    Journal *journal = nullptr;

    /// When long computations save where they are.
    CheckpointClock clock = CheckpointClock(1e9, 0);

    /// Where progress is shown on the first rank; null elsewhere.
    std::ostream *progress             = nullptr;
    bool          progress_is_terminal = false;
  };

  /// What came of a study, besides what it recorded. Meaningful on the first
  /// rank only.
  struct StudyResult
  {
    /// Verdict and errors; the program adds names, counts, time and version.
    Summary summary;

    /// Texts that go into files beside the tables, by their names.
    std::map<std::string, std::string> texts;

    /// It was asked to end, and has saved where it was.
    bool is_interrupted = false;
  };

  // The tables and the series that studies record.
  namespace recorded
  {
    constexpr const char *results  = "results";
    constexpr const char *frontier = "frontier";
    constexpr const char *master   = "master";
    constexpr const char *shapes   = "shapes";
    constexpr const char *modes    = "modes";

    // Counters of the summary.
    constexpr const char *samples    = "samples";
    constexpr const char *failed     = "failed";
    constexpr const char *iterations = "newton_iterations";
  } // namespace recorded

  /// Counts a failure, and says why in the results and in the log.
  void
  report_failure(Recorder &recorder, const std::string &why);

  /// A remark in the results and in the log.
  void
  report_remark(Recorder &recorder, const std::string &text);

  /// The paper's rule: OK within 5 % of the plot.
  void
  judge(Summary &summary, double distance);

  /**
   * The question that a parameter file asks. A study declares its own section,
   * builds its bodies, computes, and records what it finds as it comes.
   */
  class Study
  {
  public:
    virtual ~Study() = default;

    /// What kind of body the chosen model is of; called first. Throws
    /// InputError if the study has no question about such bodies.
    virtual void
    set_body_kind(BodyKind kind);

    /// The name of the one model that it works with; empty for any of bodies
    /// of its kind.
    virtual std::string
    only_model() const
    {
      return "";
    }

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

    /// How many parts of it groups of ranks can compute at the same time, each
    /// with a body of its own; called after check().
    virtual int
    n_pieces() const
    {
      return 1;
    }

    /**
     * All that a run does before it computes: builds the body, and checks what
     * was said of it (names of parameters and measurements, positions of
     * points, earlier runs). Throws InputError; what passes here, run() does
     * not refuse. Collective over all ranks, but some may have nothing to do.
     */
    virtual void
    rehearse(const Workplace &workplace) const = 0;

    /// Collective over all ranks. A run that is resumed finds the recorder's
    /// last checkpoint, or the journal, and goes on from there.
    virtual StudyResult
    run(Workplace &workplace) = 0;
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
