// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of problems, apart from the protocol (the sessions test the rest).
#include "server/lsp/diagnostics.h"
#include "tests/support/catch.h"

using namespace warpdrf;
using namespace warpdrf::lsp;

namespace {

struct Sink : protocol::Output {
  bool write(std::string_view data) override {
    text += data;
    return true;
  }
  std::string text;
};

Checked checkedOf(const std::string &name, std::vector<Finding> findings) {
  Checked checked;
  checked.document = {"file:///p/" + name, "/p/" + name, 1, std::make_shared<const Text>("\n\n\n")};
  checked.report.includes = {"/p/common.cuh"};
  checked.report.findings = std::move(findings);
  return checked;
}

Finding findingAt(const std::string &file, unsigned line) {
  Finding finding;
  finding.rule = "race";
  finding.message = "a race";
  finding.primary = {file, {line, 1}, {line, 2}};
  return finding;
}

struct Bench {
  explicit Bench(bool related = false) {
    client.can.pullDiagnostics = client.can.refreshDiagnostics = true;
    client.can.relatedDiagnostics = related;
  }

  std::optional<protocol::DocumentDiagnosticReport> ask(const Snapshot &document,
                                                        const std::string &before = "") {
    diagnostics.asked(document.uri);
    return diagnostics.answer(document.uri, document.text, before);
  }
  bool sent(const std::string &method) {
    return std::exchange(sink.text, "").find(method) != std::string::npos;
  }

  Sink sink;
  protocol::Endpoint endpoint{sink};
  Client client;
  Diagnostics diagnostics{endpoint, client};
};

constexpr const char *refresh = "workspace/diagnostic/refresh";
constexpr const char *publish = "textDocument/publishDiagnostics";

} // namespace

TEST_CASE("the same list has the same id, and is not sent twice") {
  Bench bench;
  Checked checked = checkedOf("a.cu", {findingAt("/p/a.cu", 1)});
  bench.diagnostics.checked(checked);
  auto first = bench.ask(checked.document);
  REQUIRE(first);
  CHECK(first->items->size() == 1);
  auto second = bench.ask(checked.document, first->resultId);
  REQUIRE(second);
  CHECK(second->resultId == first->resultId);
  CHECK_FALSE(second->items);
  CHECK(bench.ask(checked.document, "another")->items);
  CHECK_FALSE(bench.sent(publish));
}

TEST_CASE("another text has no answer before its check") {
  Bench bench;
  Checked checked = checkedOf("a.cu", {});
  bench.diagnostics.checked(checked);
  Snapshot edited = checked.document;
  edited.text = std::make_shared<const Text>("new");
  CHECK_FALSE(bench.ask(edited));
}

TEST_CASE("the client is told to ask again if it would hear something else") {
  Bench bench;
  Checked checked = checkedOf("a.cu", {findingAt("/p/a.cu", 1)});
  bench.diagnostics.checked(checked);
  CHECK_FALSE(bench.sent(refresh)); // it has not asked yet
  bench.ask(checked.document);
  bench.diagnostics.checked(checked);
  CHECK_FALSE(bench.sent(refresh));
  checked.report.findings.clear();
  bench.diagnostics.asked(checked.document.uri);
  bench.diagnostics.checked(checked);
  CHECK_FALSE(bench.sent(refresh)); // it is about to hear it
  bench.diagnostics.answer(checked.document.uri, checked.document.text, "");
  bench.diagnostics.checked(checkedOf("a.cu", {findingAt("/p/a.cu", 2)}));
  CHECK(bench.sent(refresh));
}

TEST_CASE("findings in a header go with the answer, or are sent to those who do not take them") {
  for (bool related : {true, false}) {
    Bench bench(related);
    Checked checked = checkedOf("a.cu", {findingAt("/p/common.cuh", 3)});
    bench.diagnostics.checked(checked);
    CHECK(bench.sent("file:///p/common.cuh") == !related);
    CHECK(bench.ask(checked.document)->related.size() == related);
    bench.diagnostics.checked(checkedOf("a.cu", {}));
    CHECK(bench.sent("\"diagnostics\":[]") == !related);
    auto empty = bench.ask(checkedOf("a.cu", {}).document);
    CHECK_FALSE(empty); // of another text
  }
}

TEST_CASE("a header that is checked itself has each finding once, and system headers have none") {
  Bench bench(true);
  Checked header = checkedOf("common.cuh", {findingAt("/p/common.cuh", 3)});
  bench.diagnostics.checked(header);
  bench.diagnostics.checked(
      checkedOf("a.cu", {findingAt("/p/common.cuh", 3), findingAt("/p/common.cuh", 2),
                         findingAt("/usr/include/cub.cuh", 1)}));
  CHECK(bench.ask(header.document)->items->size() == 2);
}
