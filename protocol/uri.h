// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths and the `file:` URIs that name them in LSP.
#pragma once

#include <string>
#include <string_view>

namespace warpdrf::protocol {

/// The decoded path of a URI of any scheme ("untitled:a.cu" gives "a.cu"); malformed escapes stay
/// as they are.
std::string pathFromUri(std::string_view uri);

/// A `file:` URI, everything but unreserved characters escaped. Relative paths are made absolute.
std::string uriFromPath(std::string_view path);

} // namespace warpdrf::protocol
