// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The errors a JSON-RPC peer may be told, with LSP's additions.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#errorCodes
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace warpdrf::protocol {

enum class ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestCancelled = -32800,
  ContentModified = -32801,
  ServerCancelled = -32802,
  RequestFailed = -32803,
};

struct ResponseError {
  ErrorCode code = ErrorCode::InternalError;
  std::string message;
};

/// A value or the error to answer with.
template <typename T>
using Expected = std::variant<T, ResponseError>;

} // namespace warpdrf::protocol
