// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of a hover, apart from the protocol (the sessions test the rest).
#include "server/lsp/describe.h"
#include "tests/support/catch.h"

using namespace warpdrf;
using namespace warpdrf::lsp;

static std::string noLink(const Range &) {
  return "link";
}

static FileReport withSites(std::vector<std::string> participants) {
  FileReport report;
  for (const std::string &who : participants) {
    KernelReport kernel;
    kernel.name = "k";
    kernel.range = {"a.cu", {1, 1}, {1, 2}};
    SyncSite site;
    site.name = "__syncwarp";
    site.kind = SyncSite::Kind::WarpBarrier;
    site.range = {"a.cu", {5, 3}, {5, 15}};
    site.participants = who;
    kernel.sites = {site};
    report.kernels.push_back(kernel);
  }
  return report;
}

static std::string plainAt(const FileReport &report, Position at) {
  auto found = describe(report, "a.cu", at, noLink);
  return found ? found->text.print(false) : "";
}

static std::size_t occurrences(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++n;
  return n;
}

TEST_CASE("instantiations that agree are described once") {
  CHECK(occurrences(plainAt(withSites({"all", "all", "all"}), {5, 4}), "__syncwarp") == 1);
  CHECK(occurrences(plainAt(withSites({"all", "some"}), {5, 4}), "__syncwarp") == 2);
  std::string many = plainAt(withSites({"1", "2", "3", "4", "5", "6"}), {5, 4});
  CHECK(occurrences(many, "__syncwarp") == 4);
  CHECK_THAT(many, ContainsSubstring("2 more instantiations"));
}

TEST_CASE("what the configurations guarantee is drawn") {
  FileReport report = withSites({"lanes 0–15"});
  report.kernels[0].sites[0].lanes = 0x0000ffff;
  std::string partial = plainAt(report, {5, 4});
  CHECK_THAT(partial, ContainsSubstring("████████████████░░░░░░░░░░░░░░░░  arrive"));
  CHECK_THAT(partial, ContainsSubstring("cuda ░"));
  CHECK_THAT(partial, ContainsSubstring("fmr  ████████████████░░░░░░░░░░░░░░░░  guaranteed"));
  report.kernels[0].sites[0].lanes = 0xffffffff;
  CHECK_THAT(plainAt(report, {5, 4}), ContainsSubstring("guaranteed by cuda, smr, fmr"));
}

TEST_CASE("a device function tells who must call it together, and why") {
  FileReport report;
  DeviceFunction function;
  function.name = "sum";
  function.range = {"a.cu", {2, 1}, {2, 4}};
  function.inferred = DeviceFunction::Converged::Warp;
  function.because = {{Related::Role::Barrier, "__shfl_sync", {"a.cu", {3, 1}, {3, 4}}}};
  report.functions = {function};
  CHECK(plainAt(report, {2, 2}) ==
        "sum: requires converged(warp) (inferred)\n\n- line 3: __shfl_sync");
  report.functions[0].declared = "converged(block)";
  CHECK_THAT(plainAt(report, {2, 2}), ContainsSubstring("requires converged(block) (declared)"));
  CHECK_THAT(plainAt(report, {2, 2}), ContainsSubstring("inferred: requires converged(warp)"));
  report.functions[0] = {"plain", function.range, {}, "", {}};
  CHECK_THAT(plainAt(report, {2, 2}), ContainsSubstring("need not be converged"));
}

TEST_CASE("nothing where nothing is") {
  CHECK(plainAt(withSites({"all"}), {5, 2}).empty());
  CHECK(plainAt(withSites({"all"}), {4, 4}).empty());
  CHECK(describe(withSites({"all"}), "b.cu", {5, 4}, noLink) == std::nullopt);
}

TEST_CASE("program text survives Markdown") {
  Markup text;
  text.paragraph().text("a*b __x__ <T>").code("__x__").bullet().text("1").bullet().text("2");
  CHECK(text.print(true) == "a\\*b \\_\\_x\\_\\_ \\<T\\>`__x__`\n\n- 1\n- 2");
  CHECK(text.print(false) == "a*b __x__ <T>__x__\n\n- 1\n- 2");
}
