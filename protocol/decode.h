// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading typed values out of untrusted JSON, without exceptions: every `fromJson` returns false
// after it has said where and why ("params.textDocument.uri: expected a string"). Only the first
// error of a message is kept. Unknown fields are ignored, as LSP demands.
//
// To make a struct readable, declare `bool fromJson(const Json &, T &, Path)` in this namespace and
// write
//   return ObjectReader(json, path).required("uri", out.uri).optional("version", out.version).ok();
// Writing goes through nlohmann's own `to_json(Json &, const T &)`.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpdrf::protocol {

using Json = nlohmann::json;

/// Where in a message a value sits. Lives on the stack, next to its parent; copies are cheap.
class Path {
public:
  /// Holds the first error; outlives every path made from it.
  class Root {
  public:
    explicit Root(std::string name) : name(std::move(name)) {}
    const std::string &error() const { return message; }

  private:
    friend class Path;
    std::string name;
    std::string message;
  };

  Path(Root &root) : root(&root) {}
  Path field(std::string_view name) const { return Path(*this, name, 0); }
  Path index(std::size_t i) const { return Path(*this, {}, i); }

  /// Records "<path>: <what>" and returns false.
  bool fail(std::string_view what) const;

private:
  Path(const Path &parent, std::string_view name, std::size_t i)
      : root(parent.root), parent(&parent), name(name), position(i) {}
  std::string text() const;

  Root *root;
  const Path *parent = nullptr;
  std::string_view name;
  std::size_t position = 0;
};

bool fromJson(const Json &json, bool &out, Path path);
bool fromJson(const Json &json, int &out, Path path);
bool fromJson(const Json &json, unsigned &out, Path path);
bool fromJson(const Json &json, std::string &out, Path path);
bool fromJson(const Json &json, Json &out, Path path);

template <typename T>
bool fromJson(const Json &json, std::vector<T> &out, Path path) {
  if (!json.is_array())
    return path.fail("expected an array");
  out.clear();
  for (std::size_t i = 0; i < json.size(); ++i)
    if (!fromJson(json[i], out.emplace_back(), path.index(i)))
      return false;
  return true;
}

template <typename T>
bool fromJson(const Json &json, std::optional<T> &out, Path path) {
  return fromJson(json, out.emplace(), path);
}

/// Reads the fields of one object; the first failure makes the rest no-ops.
class ObjectReader {
public:
  ObjectReader(const Json &json, Path path) : json(json), path(path) {
    good = json.is_object() || path.fail("expected an object");
  }

  template <typename T>
  ObjectReader &required(const char *key, T &out) {
    if (!good)
      return *this;
    auto it = json.find(key);
    good = it != json.end() ? fromJson(*it, out, path.field(key)) : path.field(key).fail("missing");
    return *this;
  }

  /// Absent and null leave `out` as it is.
  template <typename T>
  ObjectReader &optional(const char *key, T &out) {
    if (!good)
      return *this;
    auto it = json.find(key);
    if (it != json.end() && !it->is_null())
      good = fromJson(*it, out, path.field(key));
    return *this;
  }

  bool ok() const { return good; }

private:
  const Json &json;
  Path path;
  bool good;
};

/// The member at `keys`, or null JSON where one of them is absent: for reading capabilities, whose
/// parents are all optional.
const Json &descend(const Json &json, std::initializer_list<const char *> keys);

/// Whether the text nests deeper than `limit`. Asked before parsing: copying and printing of nested
/// JSON recurse, so a hostile message could otherwise exhaust the stack.
bool nestsDeeperThan(std::string_view text, unsigned limit);

} // namespace warpdrf::protocol
