// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lenses, symbols and hints of templates, whose instantiations share their source, and of what is
// elsewhere (the sessions test the rest).
#include "server/lsp/command_names.h"
#include "server/lsp/hints.h"
#include "server/lsp/lenses.h"
#include "server/lsp/regions.h"
#include "server/lsp/symbols.h"
#include "tests/support/catch.h"

using namespace warpdrf;
using namespace warpdrf::lsp;

namespace {

KernelReport instance(const std::string &name, Verdict verdict, std::uint32_t lanes) {
  KernelReport kernel;
  kernel.name = "k";
  kernel.instantiation = name;
  kernel.range = {"/a.cu", {1, 1}, {1, 2}};
  kernel.extent = {"/a.cu", {1, 1}, {4, 1}};
  kernel.verdict = verdict;
  kernel.primitives = 1;
  SyncSite site;
  site.name = "__any_sync";
  site.range = {"/a.cu", {2, 1}, {2, 5}};
  site.lanes = lanes;
  site.participants = std::to_string(lanes);
  kernel.sites = {site};
  return kernel;
}

Checked checkedOf(std::vector<KernelReport> kernels) {
  Checked checked;
  checked.document = {"file:///a.cu", "/a.cu", 1,
                      std::make_shared<const Text>("kernel\nvote\nrest\nend\n")};
  checked.report.kernels = std::move(kernels);
  return checked;
}

constexpr auto utf8 = protocol::PositionEncoding::Utf8;
constexpr protocol::Range everything{{0, 0}, {100, 0}};
constexpr std::uint32_t full = 0xffffffff;

} // namespace

TEST_CASE("a lens of many instantiations sums them up and runs none") {
  Client client;
  client.serverCommands = {runInInterpreterCommand};
  auto one = lensesOf(checkedOf({instance("k<1>", Verdict::Ok, full)}), client);
  REQUIRE(one.size() == 2);
  CHECK(one[0].command.title == "ok");
  CHECK(one[1].command.arguments.at(0).at("instantiation") == "k<1>");
  auto two = lensesOf(
      checkedOf({instance("k<1>", Verdict::Ok, full), instance("k<2>", Verdict::Violated, full)}),
      client);
  REQUIRE(two.size() == 1);
  CHECK(two[0].command.title == "2 instantiations: 1 ok, 1 violated");
}

TEST_CASE("no lens runs what nobody runs") {
  CHECK(lensesOf(checkedOf({instance("k", Verdict::Ok, full)}), {}).size() == 1);
}

TEST_CASE("hints are for what not the whole warp does") {
  CHECK(hintsOf(checkedOf({instance("k", Verdict::Ok, full)}), everything, utf8).empty());
  auto partial = hintsOf(checkedOf({instance("k", Verdict::Ok, 1)}), everything, utf8);
  REQUIRE(partial.size() == 1);
  CHECK(partial[0].label == "1");
  CHECK(partial[0].position == protocol::Position{1, 4});
  CHECK(hintsOf(checkedOf({instance("k", Verdict::Ok, 1)}), {{2, 0}, {3, 0}}, utf8).empty());
  auto differing =
      hintsOf(checkedOf({instance("k<1>", Verdict::Ok, full), instance("k<2>", Verdict::Ok, 1)}),
              everything, utf8);
  REQUIRE(differing.size() == 1);
  CHECK(differing[0].label == "differs");
}

TEST_CASE("divergent code is marked line by line, in the client's units") {
  KernelReport kernel = instance("k", Verdict::Ok, full);
  kernel.divergent = {{"/a.cu", {1, 3}, {3, 5}}, {"/b.cuh", {4, 1}, {4, 2}}};
  Checked checked = checkedOf({kernel});
  checked.document.text = std::make_shared<const Text>("if (x) {\n\n  ä b\n}\n");
  auto tokens = divergentTokens(checked, protocol::PositionEncoding::Utf16);
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[1].start == protocol::Position{2, 2});
  CHECK(tokens[1].length == 1); // two bytes
  CHECK(protocol::encoded(tokens).at("data") ==
        protocol::Json::array({0, 2, 6, 0, 1, 2, 2, 1, 0, 1}));
}

TEST_CASE("a symbol has the primitives that are in it, not those of a helper") {
  KernelReport kernel = instance("k", Verdict::Ok, full);
  SyncSite helper = kernel.sites[0];
  helper.range = {"/a.cu", {9, 1}, {9, 2}};
  kernel.sites.push_back(helper);
  Checked checked = checkedOf({kernel});
  checked.report.functions = {
      {"asks", {"/a.cu", {8, 1}, {8, 2}}, DeviceFunction::Converged::Block, "", {}},
      {"does not", {"/a.cu", {7, 1}, {7, 2}}, {}, "", {}}};
  auto symbols = symbolsOf(checked, utf8);
  REQUIRE(symbols.size() == 2);
  CHECK(symbols[0].children.size() == 1);
  CHECK(symbols[0].range.end.line == 3);
  CHECK(symbols[1].detail == "requires converged(block)");
}
