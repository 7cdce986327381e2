// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/interpreter/support.h"

#include "analysis/analysis.h"

#include <cstring>
#include <filesystem>
#include <optional>

namespace warpdrf::test {

using namespace interpreter;

/// Keeps what comes before the text of a file that an editor has open: here, the toolkit. That is
/// prepared on a thread of its own, which has to end before the program does: Clang's own data
/// would go from under it.
static std::optional<Checker> shared;

class CheckerEnds final : public Listener {
public:
  using Listener::Listener;
  void testRunEnded(const Catch::TestRunStats &) override { shared.reset(); }
};
CATCH_REGISTER_LISTENER(CheckerEnds)

Checker &checker() {
  if (!shared)
    shared.emplace();
  return *shared;
}

static std::string loweredFile(const std::string &path, const std::optional<std::string> &text) {
  std::string error;
  std::string module =
      checker().lower(path, text, CheckOptions(), std::nullopt, /*locations=*/true, error);
  INFO(error);
  REQUIRE(!module.empty());
  return module;
}

static Program loaded(const std::string &text, const std::string &path, const std::string &kernel) {
  std::string error;
  std::optional<Program> program = Program::load(text, path, kernel, error);
  INFO(error);
  REQUIRE(program);
  return std::move(*program);
}

Program cudaFile(const std::string &path, const std::string &kernel) {
  return loaded(loweredFile(path, std::nullopt), path, kernel);
}

std::string lowered(const std::string &text) {
  return loweredFile((std::filesystem::temp_directory_path() / "oracle.cu").string(), text);
}

Program cuda(const std::string &text, const std::string &kernel) {
  return loaded(lowered(text), "k.cu", kernel);
}

Program dialect(const std::string &body) {
  const std::string text = "module {\n  warpdrf.object shared @s \"s\" 256\n"
                           "  warpdrf.func @k(%out: !warpdrf.ptr) attributes {kernel, "
                           "warpdrf.param_names = [\"out\"]} {\n" +
                           body + "\n  warpdrf.return\n  }\n}\n";
  std::string error;
  std::optional<Program> program = Program::load(text, "k.mlir", "k", error);
  INFO(error);
  REQUIRE(program);
  return std::move(*program);
}

Launch launch(std::int64_t block, std::int64_t grid, unsigned width) {
  Launch result;
  result.block = {block, 1, 1};
  result.grid = {grid, 1, 1};
  result.width = width;
  return result;
}

Argument zeros(std::uint64_t count, std::optional<Element> element) {
  Array array;
  array.count = count;
  array.element = element;
  return array;
}

Argument iota(std::uint64_t count, std::optional<Element> element) {
  Array array;
  array.fill = Array::Fill::Iota;
  array.element = element;
  array.count = count;
  return array;
}

std::vector<std::int32_t> integers(const Execution &execution, const std::string &name) {
  for (const FinalArray &array : execution.memory)
    if (array.name == name) {
      std::vector<std::int32_t> values(array.bytes.size() / 4);
      std::memcpy(values.data(), array.bytes.data(), values.size() * 4);
      return values;
    }
  FAIL("no array " << name);
  return {};
}

std::uint64_t computed(const std::string &body, const std::string &type) {
  Launch once = launch(1);
  once.arguments["out"] = zeros(8, Element::I8);
  const Execution execution = dialect(body + "\n    warpdrf.write %out, %r : " + type).run(once);
  INFO(execution.message);
  REQUIRE(execution.finished());
  std::uint64_t bits = 0;
  std::memcpy(&bits, execution.memory.front().bytes.data(), 8);
  return bits;
}

} // namespace warpdrf::test
