// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layering: which folder may include what. The table is the rule; docs/architecture.md explains
// it.
#include "tests/architecture/tree.h"
#include "tests/support/catch.h"

#include <optional>

using namespace warpdrf::test;

namespace {

/// A folder and the prefixes of what its files may include: our folders, and the libraries we
/// watch. The longest `folder` that fits a file decides. An include that no watched prefix fits is
/// free (standard library, Boost in the server, Catch2 in tests).
struct Layer {
  std::string folder;
  std::vector<std::string> allowed;
};

const std::string clangHeaders = "clang/", mlirHeaders = "mlir/", llvmHeaders = "llvm/",
                  generated = "WarpDRF", json = "nlohmann/", z3 = "z3", boost = "boost/",
                  vulkan = "vulkan/", glslang = "glslang/";

const std::vector<Layer> layers = {
    {"protocol/", {"protocol/", json}},
    // The library's facade: files in, reports out. No MLIR, no Clang, no JSON.
    {"analysis/", {"analysis/"}},
    {"analysis/report/", {"analysis/report/"}},
    {"analysis/ir/", {"analysis/ir/", mlirHeaders, llvmHeaders, generated}},
    {"analysis/frontend/",
     {"analysis/frontend/", "analysis/ir/", "analysis/report/", clangHeaders, mlirHeaders,
      llvmHeaders}},
    {"analysis/contract/",
     {"analysis/contract/", "analysis/ir/", "analysis/report/", mlirHeaders, llvmHeaders}},
    {"analysis/contract/solver",
     {"analysis/contract/", "analysis/ir/", "analysis/report/", llvmHeaders, z3, boost}},
    {"analysis/interpreter/",
     {"analysis/interpreter/", "analysis/ir/", "analysis/report/", mlirHeaders, llvmHeaders}},
    // Text out; knows none of the others.
    {"analysis/fuzz/", {"analysis/fuzz/"}},
    // Tests of devices: what is generated and what the oracle says of it. No MLIR, no device.
    {"analysis/conformance/", {"analysis/conformance/", "analysis/interpreter/interpreter.h"}},
    // A walk over the dialect, and languages as text.
    {"analysis/raise/", {"analysis/raise/"}},
    {"analysis/raise/expressions", {"analysis/raise/", "analysis/ir/", mlirHeaders, llvmHeaders}},
    {"analysis/raise/raise", {"analysis/raise/", "analysis/ir/", mlirHeaders, llvmHeaders}},
    // Runs shaders; knows nothing of us.
    {"analysis/vulkan/", {"analysis/vulkan/", vulkan, glslang}},
    // Text edits on the statement outline, re-checked through the facade.
    {"analysis/fixes/",
     {"analysis/fixes/", "analysis/analysis.h", "analysis/report/", "analysis/contract/budget.h",
      "analysis/frontend/frontend.h"}},
    {"server/",
     {"server/", "protocol/", "analysis/analysis.h", "analysis/choose_arguments.h",
      "analysis/report/", "analysis/contract/assume.h", "analysis/contract/check.h",
      "analysis/contract/launch_spec.h", "analysis/frontend/files_seen.h",
      "analysis/frontend/frontend.h", "analysis/interpreter/interpreter.h", "analysis/conformance/",
      "analysis/raise/raise.h", "analysis/vulkan/vulkan.h", json, boost}},
    // The server proper sees reports only; the checker comes to it as a service.
    {"server/lsp/", {"server/lsp/", "protocol/", "analysis/report/", json, boost}},
};

const std::vector<std::string> watched = {
    "protocol/", "analysis/", "server/", "tests/", clangHeaders, mlirHeaders, llvmHeaders,
    generated,   json,        z3,        boost,    vulkan,       glslang};

bool fitsOne(const std::string &text, const std::vector<std::string> &prefixes) {
  for (const std::string &prefix : prefixes)
    if (startsWith(text, prefix))
      return true;
  return false;
}

const Layer *layerOf(const std::string &path) {
  const Layer *best = nullptr;
  for (const Layer &layer : layers)
    if (startsWith(path, layer.folder) && (!best || layer.folder.size() > best->folder.size()))
      best = &layer;
  return best;
}

/// The name in an `#include` line, without quotes or brackets.
std::optional<std::string> included(const std::string &line) {
  std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#')
    return std::nullopt;
  std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0)
    return std::nullopt;
  std::size_t begin = line.find_first_of("\"<", word);
  std::size_t end = line.find_last_of("\">");
  if (begin == std::string::npos || end == std::string::npos || end <= begin)
    return std::nullopt;
  return line.substr(begin + 1, end - begin - 1);
}

/// Every forbidden edge of `file`, as "path:line: includes name".
std::vector<std::string> forbidden(const SourceFile &file) {
  std::vector<std::string> found;
  const Layer *layer = layerOf(file.path);
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::optional<std::string> name = included(file.lines[i]);
    if (!name || !fitsOne(*name, watched))
      continue;
    if (!layer || !fitsOne(*name, layer->allowed))
      found.push_back(file.path + ":" + std::to_string(i + 1) + ": may not include " + *name);
  }
  return found;
}

} // namespace

TEST_CASE("no include crosses the layers the wrong way") {
  std::vector<std::string> found;
  for (const SourceFile &file :
       sourceFiles({"protocol", "analysis", "server"}, {".h", ".cpp", ".def"})) {
    // The bundled CUDA declarations are data for Clang, not part of this program.
    if (startsWith(file.path, "analysis/frontend/include"))
      continue;
    for (const std::string &edge : forbidden(file))
      found.push_back(edge);
  }
  CHECK(found == std::vector<std::string>{});
}

TEST_CASE("the include rules catch what they should") {
  auto edges = [](const std::string &path, const std::string &line) {
    return forbidden(SourceFile{path, {line}}).size();
  };
  CHECK(edges("protocol/rpc.cpp", "#include \"analysis/report/report.h\"") == 1);
  CHECK(edges("analysis/contract/walk.cpp", "#include <clang/AST/Expr.h>") == 1);
  CHECK(edges("analysis/contract/walk.cpp", "#include <z3.h>") == 1);
  CHECK(edges("analysis/contract/solver_z3.cpp", "#include <z3.h>") == 0);
  CHECK(edges("analysis/analysis.cpp", "#  include <nlohmann/json.hpp>") == 1);
  CHECK(edges("server/lsp/hover.cpp", "#include \"mlir/IR/Builders.h\"") == 1);
  CHECK(edges("analysis/ir/text.cpp", "#include \"mlir/Parser/Parser.h\"") == 0);
  CHECK(edges("server/cli/conform.cpp", "#include <vulkan/vulkan.h>") == 1);
  CHECK(edges("analysis/raise/glsl.cpp", "#include \"mlir/IR/Builders.h\"") == 1);
  CHECK(edges("analysis/new_layer.cpp", "#include <vector>") == 0);
}
