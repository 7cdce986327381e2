// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversations with a language server as text files (sessions/*.session). An entry starts with its
// mark at the start of a line and goes on to the next one:
//
//   # …              a comment (one line)
//   text NAME        the lines that follow; "@NAME" as a whole string in a message stands for them
//   --> {message}    is sent; "jsonrpc" is added where it is missing
//   raw> bytes       is sent as it is: \r \n \\ \xNN are escapes, line ends are not sent
//   <-- {pattern}    waits for a message that fits; others that come before it are passed over
//   <x- {pattern}    none of the messages since the last --> fits. Put it after a <-- that must
//   come later. end N            closes the server's input and expects exit code N
//
// A pattern fits if everything in it is in the message: objects may have more members, arrays must
// have the same length, a string "~regex" fits strings in which the expression is found, "@NAME" is
// replaced first.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace warpdrf::test {

using Json = nlohmann::json;

bool fits(const Json &pattern, const Json &message);

/// A running server, seen from the client's end.
class Connection {
public:
  virtual ~Connection() = default;
  virtual void send(const std::string &bytes) = 0;
  /// The next message; nothing if none comes in time or the server has ended.
  virtual std::optional<Json> receive(std::chrono::milliseconds timeout) = 0;
  /// Closes the input and waits for the end; the exit code.
  virtual int finish() = 0;
};

/// A connection over two file descriptors, which it owns.
class PipeConnection : public Connection {
public:
  PipeConnection(int toServer, int fromServer) : in(toServer), out(fromServer) {}
  ~PipeConnection() override;
  void send(const std::string &bytes) override;
  std::optional<Json> receive(std::chrono::milliseconds timeout) override;

protected:
  void closeInput();

private:
  int in, out;
  std::string buffer;
};

/// Plays the file; mistakes are Catch2 failures that name the line.
void play(const std::filesystem::path &file, Connection &connection,
          std::chrono::milliseconds patience);

} // namespace warpdrf::test
