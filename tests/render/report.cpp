// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to findings before they are rendered: merging, fingerprints, suppression, edits.
#include "analysis/report/merge.h"
#include "analysis/report/rules.h"
#include "analysis/report/source.h"
#include "analysis/report/suppress.h"
#include "tests/render/example.h"
#include "tests/support/catch.h"

using namespace warpdrf;

static Finding finding(unsigned line, const std::string &instantiation) {
  Finding result;
  result.rule = "race";
  result.kernel = "k";
  result.instantiations = {instantiation};
  result.primary = {"f.cu", {line, 3}, {line, 9}};
  return result;
}

TEST_CASE("the same fault in several instantiations is one finding") {
  std::vector<Finding> findings{finding(5, "k<2>"), finding(4, "k<1>"), finding(5, "k<1>")};
  findings[0].severity = Severity::Warning;
  findings[0].confidence = Confidence::Possible;
  mergeFindings(findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].primary.begin.line == 4);
  CHECK(findings[1].instantiations == std::vector<std::string>{"k<1>", "k<2>"});
  CHECK(findings[1].severity == Severity::Error);
  CHECK(findings[1].confidence == Confidence::Modelled);
}

TEST_CASE("different faults stay apart") {
  std::vector<Finding> findings(4, finding(5, "k"));
  findings[1].rule = "same-value-race";
  findings[2].related = {{Related::Role::Access, "", {"f.cu", {7, 1}, {7, 2}}}};
  findings[3].scope = Scope::Grid;
  mergeFindings(findings);
  CHECK(findings.size() == 4);
}

TEST_CASE("a finding is suppressed only if every instance is") {
  std::vector<Finding> findings{finding(5, "k<1>"), finding(5, "k<2>")};
  findings[0].suppressed = "known";
  mergeFindings(findings);
  REQUIRE(findings.size() == 1);
  CHECK_FALSE(findings[0].suppressed);
}

static std::string fingerprintAt(unsigned line, const std::string &text) {
  Sources sources;
  sources.set("f.cu", text);
  std::vector<Finding> findings{finding(line, "k")};
  setFingerprints(findings, sources);
  return findings[0].fingerprint;
}

TEST_CASE("fingerprints survive moves, layout and comments, but not changes") {
  std::string print = fingerprintAt(1, "s[i] = 1;");
  CHECK(print.size() == 16);
  CHECK(fingerprintAt(2, "\n  s[i] = 1;") == print);
  CHECK(fingerprintAt(1, "s[i]=1; // warpdrf: ignore race") == print);
  CHECK(fingerprintAt(1, "s[j] = 1;") != print);
}

TEST_CASE("equal lines have fingerprints of their own") {
  Sources sources;
  sources.set("f.cu", "s[i] = 1;\ns[i] = 1;\n");
  std::vector<Finding> findings{finding(1, "k"), finding(2, "k")};
  setFingerprints(findings, sources);
  CHECK(findings[0].fingerprint != findings[1].fingerprint);
}

TEST_CASE("a suppression holds on the line of any place that the finding names") {
  Finding race = finding(5, "k");
  race.related = {{Related::Role::Branch, "", {"f.cu", {3, 1}, {3, 9}}}};
  auto suppressedBy = [&](unsigned line, const std::string &rules) {
    std::vector<Finding> findings{race};
    suppress(findings, {{"f.cu", line, splitRules(rules), "why"}});
    return findings[0].suppressed.has_value();
  };
  CHECK(suppressedBy(5, "race"));
  CHECK(suppressedBy(3, "activemask, race"));
  CHECK_FALSE(suppressedBy(4, "race"));
  CHECK_FALSE(suppressedBy(5, "activemask"));
  CHECK_FALSE(suppressedBy(5, ""));
}

TEST_CASE("rules are split at commas") {
  CHECK(splitRules(" race ,activemask,,") == std::vector<std::string>{"race", "activemask"});
  CHECK(splitRules("").empty());
}

TEST_CASE("a suppressed finding does not count in the verdict") {
  KernelReport report;
  report.verdict = report.memory = Verdict::Violated;
  report.launches.push_back({{}, {}, "symbolic", Verdict::Violated});
  std::vector<Finding> findings{finding(5, "k")};
  findings[0].suppressed = "known";

  SECTION("nothing else is left") {
    revise(report, findings);
    CHECK(report.verdict == Verdict::Ok);
    CHECK(report.launches[0].verdict == Verdict::Ok);
  }
  SECTION("something is left open") {
    findings.push_back(finding(9, "k"));
    findings[1].rule = "unproved";
    findings[1].severity = Severity::Information;
    findings[1].message = "who knows";
    revise(report, findings);
    CHECK(report.verdict == Verdict::Unproved);
    CHECK(report.reason == "who knows");
  }
  SECTION("another race") {
    findings.push_back(finding(9, "k"));
    revise(report, findings);
    CHECK(report.verdict == Verdict::Violated);
  }
  SECTION("a fault of the other condition") {
    report.participation = Verdict::Violated;
    findings.push_back(finding(9, "k"));
    findings[1].rule = "divergent-barrier";
    revise(report, findings);
    CHECK(report.memory == Verdict::Ok);
    CHECK(report.participation == Verdict::Violated);
    CHECK(report.verdict == Verdict::Violated);
  }
}

TEST_CASE("edits are applied by position, in any order") {
  std::string text = "ab\ncd\n";
  std::vector<TextEdit> edits{{{"", {1, 2}, {1, 3}}, "X"}, {{"", {2, 3}, {2, 3}}, "!"}};
  CHECK(applyEdits(text, edits) == "aX\ncd!\n");
  CHECK(applyEdits(text, {{{"", {2, 1}, {3, 1}}, ""}}) == "ab\n");
  CHECK(applyEdits(text, {{{"", {9, 1}, {9, 1}}, "end"}}) == "ab\ncd\nend");
}

TEST_CASE("files that share a header share its findings") {
  FileReport a, b;
  a.path = "a.cu";
  b.path = "b.cu";
  a.findings = {finding(5, "k<1>")};
  b.findings = {finding(5, "k<2>")};
  render::RunReport run = render::joinFiles({a, b}, 0);
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings[0].instantiations.size() == 2);
}

TEST_CASE("every rule can be found and explained") {
  for (const Rule &rule : rules()) {
    CHECK(findRule(rule.name) == &rule);
    CHECK_FALSE(rule.bad.empty());
    CHECK_FALSE(rule.good.empty());
    CHECK(rule.bad != rule.good);
    CHECK_THAT(rulePage(rule), ContainsSubstring("# " + std::string(rule.name)));
  }
  CHECK(findRule("unsupported") == nullptr);
}
