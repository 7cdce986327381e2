// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which handler answers which method.
//
// How to add one:
//  1. Put its params and result, with their JSON, into a header of protocol/ (by area).
//  2. Write server/lsp/handle_<request>.cpp with one function `void <request>(Server &, const
//  Params &,
//     Reply<Result>)`, or without the reply for a notification. A handler must not block: what
//     needs a finished check goes through `Scheduler::whenChecked` and answers from its callback.
//  3. Declare it in handlers.h, bind it in registry.cpp, strike it off `unimplementedMethods`,
//  announce it
//     in ServerCapabilities.
//  4. Add a session script to tests/lsp/sessions.
#pragma once

#include <span>
#include <string_view>

namespace warpdrf::lsp {

class Server;

void registerHandlers(Server &server);

/// The requests of LSP 3.17 that a client might miss here; they are answered with "method not
/// found".
std::span<const std::string_view> unimplementedMethods();

} // namespace warpdrf::lsp
