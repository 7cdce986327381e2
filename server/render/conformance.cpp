// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/conformance.h"

#include <nlohmann/json.hpp>

namespace warpdrf::render {

using namespace conformance;
using Json = nlohmann::ordered_json;

std::string expectedJson(const Test &test) {
  Json json = {{"version", 1},
               {"seed", test.seed},
               {"contract", contractName(test.contract)},
               {"width", test.layout.width},
               {"threads", test.layout.threads},
               {"places", test.layout.places},
               {"capacity", test.layout.capacity},
               {"participants", Json::array()}};
  for (const Participants &instance : test.expected.instances)
    json["participants"].push_back({{"place", instance.place},
                                    {"coordinates", instance.coordinates},
                                    {"warp", instance.warp},
                                    {"lanes", instance.lanes}});
  return json.dump() + "\n";
}

std::string conformanceText(const std::vector<Row> &rows) {
  std::string result;
  for (const Row &row : rows) {
    const std::string what =
        row.device + ", " + row.backend + ", " + contractName(row.contract) + ": ";
    for (const Failure &failure : row.failures) {
      result += what + "seed " + std::to_string(failure.seed) + ": " + text(failure.difference);
      if (failure.statements != failure.statementsBefore)
        result += ", reduced from " + std::to_string(failure.statementsBefore) + " to " +
                  std::to_string(failure.statements) + " statements";
      result += "\n";
    }
    for (const auto &[seed, error] : row.errors)
      result += what + "seed " + std::to_string(seed) + ": not run: " + error + "\n";
  }
  result += result.empty() ? "" : "\n";
  for (const Row &row : rows) {
    result += row.device + " (" + std::to_string(row.width) + " lanes), " + row.backend + ", " +
              contractName(row.contract) + ": " + std::to_string(row.ran - row.failures.size()) +
              " of " + std::to_string(row.ran) + " agree";
    if (!row.avoids.empty())
      result += " (tests without " + row.avoids + ")";
    if (!row.errors.empty())
      result += ", " + std::to_string(row.errors.size()) + " not run";
    result += "\n";
  }
  return result;
}

static Json failureJson(const Failure &failure) {
  static const char *const kinds[] = {"lanes", "count", "visits", "no-end"};
  const Difference &difference = failure.difference;
  return {{"seed", failure.seed},
          {"kind", kinds[static_cast<int>(difference.kind)]},
          {"note", difference.note},
          {"place", difference.place},
          {"visit", difference.visit},
          {"thread", difference.thread},
          {"expected", difference.expected},
          {"seen", difference.seen},
          {"cells", difference.cells},
          {"statements", failure.statements}};
}

std::string conformanceJson(const std::vector<Row> &rows) {
  Json json = {{"version", 1}, {"rows", Json::array()}};
  for (const Row &row : rows) {
    Json made = {{"device", row.device},
                 {"backend", row.backend},
                 {"contract", contractName(row.contract)},
                 {"width", row.width},
                 {"avoids", row.avoids},
                 {"ran", row.ran},
                 {"agree", row.ran - row.failures.size()},
                 {"failures", Json::array()},
                 {"errors", Json::array()}};
    for (const Failure &failure : row.failures)
      made["failures"].push_back(failureJson(failure));
    for (const auto &[seed, error] : row.errors)
      made["errors"].push_back({{"seed", seed}, {"message", error}});
    json["rows"].push_back(std::move(made));
  }
  return json.dump() + "\n";
}

} // namespace warpdrf::render
