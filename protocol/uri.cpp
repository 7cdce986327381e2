// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RFC 3986 escapes for paths.
#include "protocol/uri.h"

#include <cctype>
#include <filesystem>
#include <system_error>

namespace warpdrf::protocol {

static int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int high = i + 2 < text.size() && text[i] == '%' ? hexDigit(text[i + 1]) : -1;
    int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string pathFromUri(std::string_view uri) {
  std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos)
    return unescape(uri);
  std::string_view rest = uri.substr(colon + 1);
  if (rest.substr(0, 2) == "//") {
    std::size_t slash = rest.find('/', 2);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
  }
  return unescape(rest.substr(0, rest.find_first_of("?#")));
}

std::string uriFromPath(std::string_view path) {
  std::error_code ignored;
  std::string absolute = path.substr(0, 1) == "/"
                             ? std::string(path)
                             : std::filesystem::absolute(std::string(path), ignored).string();
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string out = "file://";
  for (unsigned char c : absolute) {
    if (std::isalnum(c) ||
        std::string_view("/-_.~").find(static_cast<char>(c)) != std::string_view::npos) {
      out += static_cast<char>(c);
    } else {
      out += '%';
      out += hex[c >> 4];
      out += hex[c & 15];
    }
  }
  return out;
}

} // namespace warpdrf::protocol
