// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/validation_table.h>
#include <slender/validation/bend_twist_plane.h>
#include <slender/validation/cantilever_curve.h>
#include <slender/validation/lateral_buckling_plane.h>
#include <slender/validation/stick_slip_curve.h>

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>

namespace slender
{
  bool
  CaseResult::agrees() const
  {
    return failure.empty() && failed == 0 && distance < passing_distance;
  }

  bool
  TableLine::differs() const
  {
    const bool is_judged =
      paper.rfind("OK", 0) == 0 || paper.rfind("KO", 0) == 0;
    return is_judged && paper.substr(0, 2) != verdict;
  }

  namespace
  {
    void
    append(std::string &text, const std::string &more)
    {
      text += (text.empty() || more.empty() ? "" : "; ") + more;
    }

    /// The last case that did not agree before those with `passing`, where
    /// coarser ones did, and why.
    std::string
    exception_between(const std::vector<CaseResult> &cases,
                      const Entrant::Resolution     *passing)
    {
      std::string words;
      for (const CaseResult &one : cases)
        {
          if (one.resolution == passing)
            break;
          if (one.agrees())
            continue;
          words = "not with " + one.resolution->words + ", " + one.body->name +
                  ", though with fewer";
          if (!one.failure.empty())
            words += ": " + one.failure;
          else if (one.failed > 0)
            words += ": its curve has a hole, " + std::to_string(one.failed) +
                     (one.failed == 1 ? " sample" : " samples") + " failed";
        }
      return words;
    }
  } // namespace

  TableLine
  judge_entrant(const std::vector<CaseResult> &cases)
  {
    const Entrant &entrant = *cases.front().entrant;
    // The resolutions that were tried, each with all bodies.
    std::vector<const Entrant::Resolution *> tried;
    std::vector<bool>                        agrees;
    for (const CaseResult &one : cases)
      {
        if (tried.empty() || tried.back() != one.resolution)
          {
            tried.push_back(one.resolution);
            agrees.push_back(true);
          }
        agrees.back() = agrees.back() && one.agrees();
      }
    const RefinementRule rule(agrees);
    const std::size_t    shown = rule.first.value_or(tried.size() - 1);

    TableLine line{entrant.protocol,
                   entrant.name,
                   rule.first ? "OK" : "KO",
                   0.,
                   tried[shown]->words,
                   0.,
                   entrant.paper,
                   ""};
    long      failed = 0;
    for (const CaseResult &one : cases)
      if (one.resolution == tried[shown])
        {
          line.distance = one.failure.empty()
                            ? worse(line.distance, one.distance)
                            : Table::unknown;
          line.seconds += one.seconds;
          failed += one.failed;
          if (!one.failure.empty())
            append(line.remark, one.body->name + ": " + one.failure);
        }
    if (rule.accident && !rule.first)
      append(line.remark,
             "agrees by accident with " + tried[*rule.accident]->words);
    else if (rule.accident)
      append(line.remark, exception_between(cases, tried[shown]));
    if (failed > 0)
      append(line.remark,
             std::to_string(failed) +
               (failed == 1 ? " sample failed" : " samples failed"));
    if (rule.first && tried.size() == 1)
      append(line.remark, "one resolution only");
    else if (rule.first && !rule.is_confirmed)
      append(line.remark, "at the finest only");
    append(line.remark, entrant.remark);
    return line;
  }

  std::string
  as_markdown(const std::vector<TableLine> &lines)
  {
    std::ostringstream out;
    out << "| protocol | model | verdict | distance | from | seconds | in the "
           "paper | remark |\n"
        << "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const TableLine &line : lines)
      {
        out << "| " << name_of(line.protocol) << " | " << line.model << " | "
            << (line.differs() ? "**" + line.verdict + "**" : line.verdict)
            << " | ";
        if (Table::is_unknown(line.distance))
          out << "–";
        else
          out << std::fixed << std::setprecision(2) << 100. * line.distance
              << " %";
        out << " | " << line.resolution << " | " << std::fixed
            << std::setprecision(1) << line.seconds << " | " << line.paper
            << " | " << line.remark << " |\n";
      }
    return out.str();
  }

  PlaneCurve
  master_of(const Protocol protocol)
  {
    PlaneCurve curve;
    if (protocol == Protocol::cantilever)
      {
        const MasterCurve master =
          CantileverCurve().over(CantileverCurve::first_gamma,
                                 CantileverCurve::last_gamma);
        for (std::size_t i = 0; i < master.x.size(); ++i)
          curve.emplace_back(master.x[i], master.y[i]);
      }
    else if (protocol == Protocol::bend_twist)
      {
        // Far more points than a plot shows.
        const PlaneCurve  all  = bend_twist::master_in_box();
        const std::size_t step = all.size() / 500 + 1;
        for (std::size_t i = 0; i < all.size(); i += step)
          curve.push_back(all[i]);
        curve.push_back(all.back());
      }
    else if (protocol == Protocol::lateral_buckling)
      {
        using namespace lateral_buckling;
        curve =
          master_curve(*MasterFrontier::find(0.35), first_width, last_width);
      }
    else
      curve =
        StickSlipCurve().rising_part(std::numeric_limits<double>::infinity());
    return curve;
  }
} // namespace slender
