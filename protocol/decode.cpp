// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leaves of decoding: paths and plain types.
#include "protocol/decode.h"

#include <limits>

namespace warpdrf::protocol {

std::string Path::text() const {
  if (!parent)
    return root->name;
  std::string head = parent->text();
  if (name.empty())
    return head + "[" + std::to_string(position) + "]";
  return head.empty() ? std::string(name) : head + "." + std::string(name);
}

bool Path::fail(std::string_view what) const {
  if (root->message.empty()) {
    std::string where = text();
    root->message = where.empty() ? std::string(what) : where + ": " + std::string(what);
  }
  return false;
}

bool fromJson(const Json &json, bool &out, Path path) {
  if (!json.is_boolean())
    return path.fail("expected true or false");
  out = json.get<bool>();
  return true;
}

template <typename T>
static bool integerFromJson(const Json &json, T &out, Path path) {
  // Some clients print every number as a float: 3.0 is an integer too.
  if (json.is_number_float()) {
    double value = json.get<double>();
    if (value >= 0 && value <= std::numeric_limits<int>::max() &&
        value == static_cast<int>(value)) {
      out = static_cast<T>(value);
      return true;
    }
    return path.fail("expected an integer");
  }
  if (!json.is_number_integer())
    return path.fail("expected an integer");
  bool fits = json.is_number_unsigned()
                  ? json.get<std::uint64_t>() <= std::uint64_t(std::numeric_limits<T>::max())
                  : json.get<std::int64_t>() >= std::int64_t(std::numeric_limits<T>::min()) &&
                        json.get<std::int64_t>() <= std::int64_t(std::numeric_limits<T>::max());
  if (!fits)
    return path.fail("number out of range");
  out = json.get<T>();
  return true;
}

bool fromJson(const Json &json, int &out, Path path) {
  return integerFromJson(json, out, path);
}
bool fromJson(const Json &json, unsigned &out, Path path) {
  return integerFromJson(json, out, path);
}

bool fromJson(const Json &json, std::string &out, Path path) {
  if (!json.is_string())
    return path.fail("expected a string");
  out = json.get_ref<const std::string &>();
  return true;
}

bool fromJson(const Json &json, Json &out, Path) {
  out = json;
  return true;
}

const Json &descend(const Json &json, std::initializer_list<const char *> keys) {
  static const Json nothing;
  const Json *at = &json;
  for (const char *key : keys) {
    if (!at->is_object())
      return nothing;
    auto it = at->find(key);
    if (it == at->end())
      return nothing;
    at = &*it;
  }
  return *at;
}

bool nestsDeeperThan(std::string_view text, unsigned limit) {
  unsigned depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > limit)
        return true;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

} // namespace warpdrf::protocol
