// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages on a byte stream: `Content-Length: N`, a blank line, N bytes of JSON. The reader is
// tolerant (LF for CRLF, any case, unknown headers) and finds its way back after garbage: it skips
// to the next `Content-Length:`, so one broken message costs one error, not the session.
#pragma once

#include "protocol/error.h"

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

namespace warpdrf::protocol {

class Input {
public:
  virtual ~Input() = default;
  /// Reads at most `size` bytes, waiting for the first; 0 at the end of the stream.
  virtual std::size_t read(char *data, std::size_t size) = 0;
};

class Output {
public:
  virtual ~Output() = default;
  /// Writes everything; false once the other side is gone. Called by one thread at a time.
  virtual bool write(std::string_view data) = 0;
};

/// A file descriptor it does not own. The caller must have SIGPIPE ignored.
class FdInput : public Input {
public:
  explicit FdInput(int fd) : fd(fd) {}
  std::size_t read(char *data, std::size_t size) override;

private:
  int fd;
};

class FdOutput : public Output {
public:
  explicit FdOutput(int fd) : fd(fd) {}
  bool write(std::string_view data) override;

private:
  int fd;
};

/// Larger messages are skipped and answered with an error. A 10 MB source, escaped, fits well.
inline constexpr std::size_t maximalMessageSize = 64u << 20;

class MessageReader {
public:
  struct EndOfStream {};
  /// A message's body, or what was wrong with it, or the end.
  using Frame = std::variant<std::string, ResponseError, EndOfStream>;

  explicit MessageReader(Input &input, std::size_t limit = maximalMessageSize)
      : input(input), limit(limit) {}
  Frame next();

private:
  struct Header {
    bool ended = false; ///< the stream ended first
    std::string error;  ///< why `length` is not to be trusted
    unsigned long long length = 0;
  };
  Header readHeader();
  bool readLine(std::string &line);
  bool fill();
  std::string take(std::size_t size);
  bool skip(unsigned long long size);

  Input &input;
  std::size_t limit;
  std::string buffer; ///< bytes read ahead
  std::size_t at = 0; ///< the first unread one
  bool lost = false;  ///< after garbage: look for the next header, without another error
};

/// Frames and writes messages. Thread-safe.
class MessageWriter {
public:
  explicit MessageWriter(Output &output) : output(output) {}
  void write(std::string_view body);

private:
  std::mutex mutex;
  Output &output;
};

} // namespace warpdrf::protocol
