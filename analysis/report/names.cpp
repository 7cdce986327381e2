// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/names.h"

#include <algorithm>
#include <iterator>

namespace warpdrf {

// Each table lists the names in the order of the enumeration.
template <typename Enum>
constexpr std::array<std::string_view, 0> names{};
template <>
constexpr std::array names<Severity> =
    std::to_array<std::string_view>({"hint", "information", "warning", "error"});
template <>
constexpr std::array names<Confidence> =
    std::to_array<std::string_view>({"confirmed", "modelled", "possible"});
template <>
constexpr std::array names<Verdict> =
    std::to_array<std::string_view>({"ok", "unproved", "unsupported", "violated"});
template <>
constexpr std::array names<Scope> =
    std::to_array<std::string_view>({"thread", "warp", "block", "cluster", "grid"});
template <>
constexpr std::array names<Space> =
    std::to_array<std::string_view>({"shared", "global", "local", "param", "constant"});
template <>
constexpr std::array names<Related::Role> =
    std::to_array<std::string_view>({"access", "branch", "mask", "call", "barrier", "exit"});

template <typename Enum>
static std::string_view nameIn(Enum value) {
  return names<Enum>[static_cast<std::size_t>(value)];
}

std::string_view name(Severity value) {
  return nameIn(value);
}
std::string_view name(Confidence value) {
  return nameIn(value);
}
std::string_view name(Verdict value) {
  return nameIn(value);
}
std::string_view name(Scope value) {
  return nameIn(value);
}
std::string_view name(Space value) {
  return nameIn(value);
}
std::string_view name(Related::Role value) {
  return nameIn(value);
}

template <typename Enum>
std::optional<Enum> valueOf(std::string_view name) {
  const auto &table = names<Enum>;
  auto found = std::ranges::find(table, name);
  if (found == table.end())
    return std::nullopt;
  return static_cast<Enum>(std::distance(table.begin(), found));
}

template std::optional<Severity> valueOf(std::string_view);
template std::optional<Confidence> valueOf(std::string_view);
template std::optional<Verdict> valueOf(std::string_view);
template std::optional<Scope> valueOf(std::string_view);
template std::optional<Space> valueOf(std::string_view);
template std::optional<Related::Role> valueOf(std::string_view);

} // namespace warpdrf
