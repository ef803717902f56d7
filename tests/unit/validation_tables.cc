// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/studies/configured_study.h>
#include <slender/studies/validation_checks.h>
#include <slender/studies/validation_table.h>

#include <boost/test/unit_test.hpp>

#include <set>

namespace
{
  using namespace slender;

  /// A model at resolutions, each with two bodies.
  Entrant
  make_entrant(const std::string &paper)
  {
    return {Protocol::cantilever,
            "a model",
            "kirchhoff rod",
            {},
            {{"coarse", "1 element", 1, {}}, {"fine", "2 elements", 2, {}}},
            {{"thin", {}}, {"thick", {}}},
            paper,
            "why"};
  }

  std::vector<CaseResult>
  cases_of(const Entrant &entrant, const std::vector<double> &distances)
  {
    std::vector<CaseResult> cases;
    for (const auto &resolution : entrant.resolutions)
      for (const auto &body : entrant.bodies)
        {
          CaseResult one;
          one.entrant    = &entrant;
          one.resolution = &resolution;
          one.body       = &body;
          one.distance   = distances.at(cases.size());
          one.seconds    = 1.;
          cases.push_back(one);
        }
    return cases;
  }
} // namespace



BOOST_AUTO_TEST_SUITE(validation_tables)

BOOST_AUTO_TEST_CASE(all_bodies_have_to_pass)
{
  const Entrant   entrant = make_entrant("OK (20 elts)");
  const TableLine line =
    judge_entrant(cases_of(entrant, {0.01, 0.2, 0.01, 0.02}));
  BOOST_TEST(line.verdict == "OK");
  BOOST_TEST(line.resolution == "2 elements");
  BOOST_TEST(line.distance == 0.02);
  BOOST_TEST(line.seconds == 2.);
  BOOST_TEST(!line.differs());
}

BOOST_AUTO_TEST_CASE(a_model_that_passes_when_it_is_coarse_alone_fails)
{
  const Entrant   entrant = make_entrant("OK (20 elts)");
  const TableLine line =
    judge_entrant(cases_of(entrant, {0.01, 0.01, 0.2, 0.1}));
  BOOST_TEST(line.verdict == "KO");
  BOOST_TEST(line.distance == 0.2);
  BOOST_TEST(line.differs());
  BOOST_TEST(line.remark.find("by accident with 1 element") !=
             std::string::npos);
  BOOST_TEST(as_markdown({line}).find("**KO**") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_curve_with_holes_is_none)
{
  const Entrant entrant = make_entrant("–");
  auto          cases   = cases_of(entrant, {0.01, 0.01, 0.01, 0.01});
  cases.back().failed   = 1;
  const TableLine line  = judge_entrant(cases);
  BOOST_TEST(line.verdict == "KO");
  BOOST_TEST(line.remark.find("1 sample failed") != std::string::npos);
  BOOST_TEST(!line.differs());
}

BOOST_AUTO_TEST_CASE(an_exception_between_resolutions_is_told_with_its_cause)
{
  Entrant entrant = make_entrant("OK (20 elts)");
  entrant.resolutions.push_back({"fine", "4 elements", 4, {}});
  auto cases           = cases_of(entrant, {0.01, 0.01, 0.01, 0.4, 0.01, 0.01});
  cases[3].failed      = 1;
  const TableLine line = judge_entrant(cases);
  BOOST_TEST(line.verdict == "OK");
  BOOST_TEST(line.resolution == "4 elements");
  BOOST_TEST(line.remark.find("accident") == std::string::npos);
  BOOST_TEST(line.remark.find("not with 2 elements, thick, though with fewer: "
                              "its curve has a hole, 1 sample failed") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(settings_of_all_cases_are_those_of_studies)
{
  std::set<std::string> names;
  for (const Entrant &entrant : validation_entrants())
    {
      BOOST_TEST(names.insert(name_of(entrant.protocol) + entrant.name).second);
      // A comma would end the name in a list of them.
      BOOST_TEST(entrant.name.find(',') == std::string::npos);
      for (const auto &resolution : entrant.resolutions)
        for (const auto &body : entrant.bodies)
          {
            Settings all = entrant.settings;
            all.insert(all.end(),
                       resolution.settings.begin(),
                       resolution.settings.end());
            all.insert(all.end(), body.settings.begin(), body.settings.end());
            BOOST_CHECK_NO_THROW(
              ConfiguredStudy(name_of(entrant.protocol), entrant.model, all));
          }
      for (std::size_t i = 1; i < entrant.resolutions.size(); ++i)
        BOOST_TEST(entrant.resolutions[i - 1].number <
                   entrant.resolutions[i].number);
    }
  for (const PropertyCheck &check : all_property_checks())
    for (const auto &trial : check.trials)
      BOOST_CHECK_NO_THROW(
        ConfiguredStudy(trial.study, trial.model, trial.settings));
}

BOOST_AUTO_TEST_CASE(a_study_in_memory_is_the_study)
{
  ConfiguredStudy          study("cantilever",
                        "super helix",
                        {"Cantilever/Exponent step=1",
                                  "Super helix/Elements=20",
                                  "Cantilever/Shapes=0"});
  ConfiguredStudy::Outcome outcome;
  study.run(MPI_COMM_WORLD, outcome);
  BOOST_TEST(outcome.summary.samples == 8);
  BOOST_TEST(outcome.summary.failed == 0);
  BOOST_TEST(outcome.recorded.tables.at("results").rows().size() == 8u);
  BOOST_TEST(outcome.summary.distance.value() < 0.05);
}

BOOST_AUTO_TEST_SUITE_END()
