// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading is a small state machine over lines; see MessageReader::readHeader for what counts as
// garbage.
#include "protocol/framing.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <unistd.h>

namespace warpdrf::protocol {

static constexpr std::string_view lengthKey = "content-length:";
/// A header line longer than this is not a header.
static constexpr std::size_t maximalLine = 8192;
/// A claimed length beyond this is a mistake, not a message: nobody will send so many bytes to
/// skip.
static constexpr unsigned long long absurdLength = 4ull << 30;

std::size_t FdInput::read(char *data, std::size_t size) {
  for (;;) {
    ssize_t n = ::read(fd, data, size);
    if (n >= 0)
      return static_cast<std::size_t>(n);
    if (errno != EINTR)
      return 0;
  }
}

bool FdOutput::write(std::string_view data) {
  while (!data.empty()) {
    ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    data.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

static std::string lower(std::string_view text) {
  std::string out(text);
  for (char &c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool MessageReader::fill() {
  if (at > 0) {
    buffer.erase(0, at);
    at = 0;
  }
  std::size_t old = buffer.size();
  buffer.resize(old + 65536);
  std::size_t n = input.read(buffer.data() + old, 65536);
  buffer.resize(old + n);
  return n > 0;
}

/// The next line without its end. A line that does not end soon is handed out in pieces.
bool MessageReader::readLine(std::string &line) {
  for (;;) {
    std::size_t end = buffer.find('\n', at);
    bool whole = end != std::string::npos;
    if (whole || buffer.size() - at > maximalLine) {
      std::size_t stop = whole ? end : buffer.size();
      // Keep the tail of an endless line: a header's key may straddle the cut.
      if (!whole)
        stop -= lengthKey.size();
      line = buffer.substr(at, stop - at);
      at = whole ? stop + 1 : stop;
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      return true;
    }
    if (!fill())
      return false;
  }
}

static bool parseLength(std::string_view text, unsigned long long &out) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  if (text.empty() || text.size() > 18)
    return false;
  out = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return false;
    out = out * 10 + static_cast<unsigned>(c - '0');
  }
  return true;
}

/// Reads up to and including the blank line. Without a usable length the body's extent is unknown:
/// the reader is then lost until a line holds `Content-Length:`, possibly glued to the end of a
/// body whose length was given too small.
MessageReader::Header MessageReader::readHeader() {
  Header header;
  bool found = false, any = false;
  std::string line;
  for (;;) {
    if (!readLine(line)) {
      header.ended = true;
      return header;
    }
    std::string key = lower(line);
    std::size_t start = key.find(lengthKey);
    if (start != std::string::npos) {
      found = parseLength(std::string_view(line).substr(start + lengthKey.size()), header.length);
      if (!found || header.length > absurdLength) {
        header.error = "bad Content-Length '" + line.substr(start + lengthKey.size()) + "'";
        return header;
      }
      lost = false;
    } else if (line.empty() && found) {
      return header;
    } else if (!line.empty() && line.find(':') == std::string::npos && !lost) {
      header.error = "not a header line: '" + line.substr(0, 40) + "'";
      return header;
    } else if (line.empty() && any && !lost) {
      header.error = "header without Content-Length";
      return header;
    }
    any |= !line.empty();
  }
}

std::string MessageReader::take(std::size_t size) {
  std::string body = buffer.substr(at, size);
  at += body.size();
  body.reserve(size);
  while (body.size() < size) {
    if (at >= buffer.size() && !fill())
      return {};
    std::size_t more = std::min(size - body.size(), buffer.size() - at);
    body.append(buffer, at, more);
    at += more;
  }
  return body;
}

bool MessageReader::skip(unsigned long long size) {
  while (size > 0) {
    if (at >= buffer.size() && !fill())
      return false;
    std::size_t some =
        static_cast<std::size_t>(std::min<unsigned long long>(size, buffer.size() - at));
    at += some;
    size -= some;
  }
  return true;
}

MessageReader::Frame MessageReader::next() {
  Header header = readHeader();
  if (header.ended)
    return EndOfStream{};
  if (!header.error.empty()) {
    lost = true;
    return ResponseError{ErrorCode::ParseError, header.error};
  }
  if (header.length > limit) {
    if (!skip(header.length))
      return EndOfStream{};
    return ResponseError{ErrorCode::InvalidRequest, "message of " + std::to_string(header.length) +
                                                        " bytes is larger than the limit of " +
                                                        std::to_string(limit)};
  }
  std::string body = take(static_cast<std::size_t>(header.length));
  if (body.size() < header.length)
    return EndOfStream{};
  return body;
}

void MessageWriter::write(std::string_view body) {
  std::string message = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  message += body;
  std::lock_guard lock(mutex);
  // When the client is gone the reader sees the end of its stream too; there is nobody to tell.
  output.write(message);
}

} // namespace warpdrf::protocol
