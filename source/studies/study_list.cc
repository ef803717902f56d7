// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/base/parameter_file.h>
#include <slender/output/recorder.h>
#include <slender/studies/bend_twist.h>
#include <slender/studies/branch_study.h>
#include <slender/studies/cantilever.h>
#include <slender/studies/equilibrium_study.h>
#include <slender/studies/evaluate_study.h>
#include <slender/studies/frontier_study.h>
#include <slender/studies/growth_study.h>
#include <slender/studies/knot_study.h>
#include <slender/studies/lateral_buckling.h>
#include <slender/studies/motion_study.h>
#include <slender/studies/stick_slip.h>
#include <slender/studies/study.h>
#include <slender/studies/validation_study.h>
#include <slender/studies/vibration_study.h>
#include <slender/validation/master_curve.h>

namespace slender
{
  void
  report_remark(Recorder &recorder, const std::string &text)
  {
    recorder.remark(recorded::results, text);
    recorder.log(text);
  }

  void
  report_failure(Recorder &recorder, const std::string &why)
  {
    recorder.count(recorded::failed);
    report_remark(recorder, why);
  }

  void
  judge(Summary &summary, const double distance)
  {
    summary.distance = distance;
    summary.verdict  = distance < passing_distance ? Verdict::OK : Verdict::KO;
  }

  void
  Study::set_body_kind(const BodyKind kind)
  {
    if (kind != BodyKind::rod)
      throw InputError("this study is about rods; --list shows all models",
                       "Model");
  }

  const std::vector<StudyEntry> &
  study_list()
  {
    static const std::vector<StudyEntry> list = {
      {"cantilever",
       "protocol: how far a clamped heavy rod hangs down, against the elastica",
       [] { return std::make_unique<CantileverStudy>(); }},
      {"bend twist",
       "protocol: where a hanging curly rod leaves its plane, as a frontier",
       [] { return std::make_unique<BendTwistStudy>(); }},
      {"lateral buckling",
       "protocol: where a heavy plate on its edge gives way to the side",
       [] { return std::make_unique<LateralBucklingStudy>(); }},
      {"stick slip",
       "protocol: where the tip of a strip slips that is pressed on a floor",
       [] { return std::make_unique<StickSlipStudy>(); }},
      {"equilibrium",
       "a body of your own under loads that are raised step by step",
       [] { return std::make_unique<EquilibriumStudy>(); }},
      {"evaluate",
       "energies, forces and strains of shapes that formulas give",
       [] { return std::make_unique<EvaluateStudy>(); }},
      {"branch",
       "your body as one parameter varies: folds, bifurcations, other branches",
       [] { return std::make_unique<BranchStudy>(); }},
      {"frontier",
       "where your body buckles or snaps, as a curve in two parameters",
       [] { return std::make_unique<FrontierStudy>(); }},
      {"vibration",
       "natural frequencies and modes of your body, also under load",
       [] { return std::make_unique<VibrationStudy>(); }},
      {"growth",
       "your shell as it grows, swells, dries or melts in the course of time",
       [] { return std::make_unique<GrowthStudy>(); }},
      {"knot",
       "an overhand knot that is pulled tight: force, contacts, inversion",
       [] { return std::make_unique<KnotStudy>(); }},
      {"motion",
       "your body in motion: thrown, plucked, driven, damped",
       [] { return std::make_unique<MotionStudy>(); }},
      {"validation",
       "all protocols for all models at several resolutions: Table 1",
       [] { return std::make_unique<ValidationStudy>(); }}};
    return list;
  }

  const StudyEntry &
  find_study(const std::string &name)
  {
    std::vector<std::string> names;
    for (const StudyEntry &entry : study_list())
      if (entry.name == name)
        return entry;
      else
        names.push_back(entry.name);
    const auto near = nearest_name(name, names);
    throw InputError("there is no study '" + name + "'" +
                       (near ? "; did you mean '" + *near + "'?"
                             : "; --list shows all studies"),
                     "Study");
  }
} // namespace slender
