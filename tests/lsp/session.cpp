// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/lsp/session.h"

#include "tests/support/catch.h"

#include <poll.h>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace warpdrf::test {

bool fits(const Json &pattern, const Json &message) {
  if (pattern.is_object()) {
    if (!message.is_object())
      return false;
    for (const auto &[key, value] : pattern.items())
      if (!message.contains(key) || !fits(value, message[key]))
        return false;
    return true;
  }
  if (pattern.is_array()) {
    if (!message.is_array() || pattern.size() != message.size())
      return false;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      if (!fits(pattern[i], message[i]))
        return false;
    return true;
  }
  if (pattern.is_string() && pattern.get_ref<const std::string &>().starts_with('~'))
    return message.is_string() &&
           std::regex_search(message.get<std::string>(),
                             std::regex(pattern.get<std::string>().substr(1)));
  return pattern == message;
}

PipeConnection::~PipeConnection() {
  closeInput();
  close(out);
}

void PipeConnection::closeInput() {
  if (in >= 0)
    close(in);
  in = -1;
}

void PipeConnection::send(const std::string &bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    ssize_t n = write(in, bytes.data() + at, bytes.size() - at);
    if (n < 0)
      return; // the server is gone; the next expectation says so
    at += static_cast<std::size_t>(n);
  }
}

std::optional<Json> PipeConnection::receive(std::chrono::milliseconds timeout) {
  auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    std::size_t blank = buffer.find("\r\n\r\n");
    if (blank != std::string::npos) {
      std::size_t size = std::stoul(buffer.substr(buffer.find(':') + 1)), start = blank + 4;
      if (buffer.size() >= start + size) {
        Json message = Json::parse(buffer.substr(start, size));
        buffer.erase(0, start + size);
        return message;
      }
    }
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd fd{out, POLLIN, 0};
    if (left.count() <= 0 || poll(&fd, 1, static_cast<int>(left.count())) <= 0)
      return std::nullopt;
    char data[65536];
    ssize_t n = read(out, data, sizeof data);
    if (n <= 0)
      return std::nullopt;
    buffer.append(data, static_cast<std::size_t>(n));
  }
}

namespace {

struct Entry {
  std::string mark, body;
  unsigned line = 0;
};

/// "text NAME" becomes mark "text" with the name on the body's first line.
std::vector<Entry> entriesOf(const std::string &content) {
  std::vector<Entry> entries;
  std::istringstream stream(content);
  std::string line;
  for (unsigned number = 1; std::getline(stream, line); ++number) {
    if (line.starts_with('#'))
      continue;
    bool started = false;
    for (const char *mark : {"text ", "--> ", "raw> ", "<-- ", "<x- ", "end "})
      if (!started && line.starts_with(mark)) {
        std::string name(mark);
        name.pop_back();
        entries.push_back({name, line.substr(name.size() + 1) + "\n", number});
        started = true;
      }
    if (!started && !entries.empty())
      entries.back().body += line + "\n";
  }
  return entries;
}

std::string unescape(const std::string &body) {
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\n')
      continue;
    if (body[i] != '\\') {
      out += body[i];
      continue;
    }
    char c = body.at(++i);
    if (c == 'x') {
      out += static_cast<char>(std::stoi(body.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += c == 'r' ? '\r' : c == 'n' ? '\n' : c;
    }
  }
  return out;
}

class Player {
public:
  explicit Player(Connection &connection, std::chrono::milliseconds patience)
      : connection(connection), patience(patience) {}

  void play(const Entry &entry) {
    if (entry.mark == "text") {
      std::size_t end = entry.body.find('\n');
      texts[entry.body.substr(0, end)] = entry.body.substr(end + 1);
    } else if (entry.mark == "-->") {
      send(parse(entry.body));
    } else if (entry.mark == "raw>") {
      seen.clear();
      connection.send(unescape(entry.body));
    } else if (entry.mark == "<--") {
      expect(parse(entry.body));
    } else if (entry.mark == "<x-") {
      Json pattern = parse(entry.body);
      for (const Json &message : seen)
        if (fits(pattern, message))
          FAIL_CHECK("unexpected: " << message.dump(1));
    } else if (entry.mark == "end") {
      CHECK(connection.finish() == std::stoi(entry.body));
    }
  }

private:
  Json parse(const std::string &body) {
    Json json = Json::parse(body);
    substitute(json);
    return json;
  }

  void substitute(Json &json) {
    if (json.is_structured()) {
      for (Json &item : json)
        substitute(item);
    } else if (json.is_string() && json.get_ref<const std::string &>().starts_with('@')) {
      json = texts.at(json.get<std::string>().substr(1));
    }
  }

  void send(Json message) {
    seen.clear();
    if (!message.contains("jsonrpc"))
      message["jsonrpc"] = "2.0";
    std::string body = message.dump();
    connection.send("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  void expect(const Json &pattern) {
    std::size_t passed = seen.size();
    while (auto message = connection.receive(patience)) {
      seen.push_back(*message);
      if (fits(pattern, *message))
        return;
    }
    std::string others;
    for (std::size_t i = passed; i < seen.size(); ++i)
      others += "\n" + seen[i].dump(1);
    FAIL("no message fits; came instead:" << others);
  }

  Connection &connection;
  std::chrono::milliseconds patience;
  std::map<std::string, std::string> texts;
  std::vector<Json> seen; ///< since the last thing sent
};

} // namespace

void play(const std::filesystem::path &file, Connection &connection,
          std::chrono::milliseconds patience) {
  Player player(connection, patience);
  for (const Entry &entry : entriesOf(readFile(file))) {
    INFO(file.filename().string() << ":" << entry.line << ": " << entry.mark);
    player.play(entry);
  }
}

} // namespace warpdrf::test
