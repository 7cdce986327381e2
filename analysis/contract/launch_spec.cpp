// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/launch_spec.h"

#include <charconv>

namespace warpdrf::contract {

namespace {

using Dims = std::array<std::optional<std::int64_t>, 3>;

/// A cursor over the text; each `take…` skips white space first.
struct Reader {
  std::string_view rest;

  void skipBlanks() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r'))
      rest.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skipBlanks();
    if (!rest.starts_with(token))
      return false;
    rest.remove_prefix(token.size());
    return true;
  }
  /// A positive number, or `*`, which leaves the value empty.
  bool takeDim(std::optional<std::int64_t> &value) {
    if (take("*")) {
      value.reset();
      return true;
    }
    std::int64_t number = 0;
    auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (failure != std::errc() || number < 1)
      return false;
    rest.remove_prefix(end - rest.data());
    value = number;
    return true;
  }
};

bool readDims(Reader &reader, Dims &dims) {
  dims = {std::nullopt, 1, 1};
  if (!reader.take("("))
    return reader.takeDim(dims[0]);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i > 0 && !reader.take(","))
      break;
    if (!reader.takeDim(dims[i]))
      return false;
  }
  return reader.take(")");
}

/// What CUDA can launch; what it cannot would make every statement about it true.
std::string beyondLimits(const Dims &dims, const char *name, const Dims &limits) {
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] && *dims[i] > *limits[i])
      return std::string("dimension ") + "xyz"[i] + " of the " + name + " is " +
             std::to_string(*dims[i]) + ", but CUDA allows at most " + std::to_string(*limits[i]);
  return "";
}

std::string beyondLimits(const LaunchContext &context) {
  std::string wrong = beyondLimits(context.block, "block", {1024, 1024, 64});
  if (wrong.empty())
    wrong = beyondLimits(context.grid, "grid", {2147483647, 65535, 65535});
  if (!wrong.empty())
    return wrong;
  std::int64_t threads = 1; // unknown dimensions are at least 1
  for (const std::optional<std::int64_t> &size : context.block)
    threads *= size.value_or(1);
  return threads <= 1024 ? ""
                         : "the block has " + std::to_string(threads) +
                               " threads, but CUDA allows at most 1024";
}

} // namespace

std::optional<LaunchContext> parseLaunchSpec(const std::string &spec, std::string &error) {
  LaunchContext context;
  Reader reader{spec};
  bool any = false;
  for (reader.skipBlanks(); !reader.rest.empty(); reader.skipBlanks()) {
    Dims *dims = reader.take("block")  ? &context.block
                 : reader.take("grid") ? &context.grid
                                       : nullptr;
    if (!dims || !reader.take("=") || !readDims(reader, *dims)) {
      error =
          "expected 'block=(X,Y,Z) grid=(X,Y,Z)' with positive numbers or '*', got '" + spec + "'";
      return std::nullopt;
    }
    any = true;
  }
  if (!any) {
    error = "an empty launch; expected 'block=(X,Y,Z) grid=(X,Y,Z)'";
    return std::nullopt;
  }
  error = beyondLimits(context);
  return error.empty() ? std::optional(context) : std::nullopt;
}

} // namespace warpdrf::contract
