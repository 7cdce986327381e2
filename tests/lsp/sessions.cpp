// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plays the session scripts: those in sessions/ through the server's loop in this process with a
// fake checker, those in sessions/program/ through the program itself.
#include "server/lsp/server.h"
#include "tests/lsp/fake_service.h"
#include "tests/lsp/session.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace warpdrf::test {

namespace {

std::vector<std::filesystem::path> scripts(const std::string &folder) {
  std::vector<std::filesystem::path> out;
  for (const auto &entry :
       std::filesystem::directory_iterator(sourceDir() / "tests" / "lsp" / folder))
    if (entry.path().extension() == ".session")
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

struct Pipes {
  int toServer[2], fromServer[2];
  Pipes() {
    std::signal(SIGPIPE, SIG_IGN);
    REQUIRE(pipe2(toServer, O_CLOEXEC) == 0);
    REQUIRE(pipe2(fromServer, O_CLOEXEC) == 0);
  }
};

/// The server's loop on a thread of this process.
class InProcess : public PipeConnection {
public:
  explicit InProcess(const lsp::ServerOptions &options, Pipes pipes = {})
      : PipeConnection(pipes.toServer[1], pipes.fromServer[0]), thread([this, options, pipes] {
          protocol::FdInput input(pipes.toServer[0]);
          protocol::FdOutput output(pipes.fromServer[1]);
          {
            lsp::Server server(output, service, runService, options);
            exitCode = server.run(input);
          }
          close(pipes.toServer[0]);
          close(pipes.fromServer[1]);
        }) {}
  ~InProcess() override { finish(); }

  int finish() override {
    closeInput();
    if (thread.joinable())
      thread.join();
    return exitCode;
  }

private:
  FakeService service;
  FakeRunService runService;
  int exitCode = -1;
  std::thread thread;
};

/// `warpdrf lsp` as a child.
class Child : public PipeConnection {
public:
  explicit Child(Pipes pipes = {}) : PipeConnection(pipes.toServer[1], pipes.fromServer[0]) {
    std::string path = program().string();
    pid = fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      dup2(pipes.toServer[0], STDIN_FILENO);
      dup2(pipes.fromServer[1], STDOUT_FILENO);
      execl(path.c_str(), path.c_str(), "lsp", nullptr);
      _exit(127);
    }
    close(pipes.toServer[0]);
    close(pipes.fromServer[1]);
  }
  ~Child() override { finish(); }

  int finish() override {
    closeInput();
    if (pid > 0) {
      int status = 0;
      waitpid(pid, &status, 0);
      exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      pid = -1;
    }
    return exitCode;
  }

private:
  pid_t pid = -1;
  int exitCode = -1;
};

} // namespace

TEST_CASE("patterns fit messages that have at least what they say") {
  CHECK(fits({{"a", 1}}, {{"a", 1}, {"b", 2}}));
  CHECK_FALSE(fits({{"a", 1}, {"c", 1}}, {{"a", 1}}));
  CHECK(fits(Json::array({{{"a", 1}}}), Json::array({{{"a", 1}, {"b", 2}}})));
  CHECK_FALSE(fits(Json::array(), Json::array({1})));
  CHECK(fits("~^ra.e$", "race"));
  CHECK_FALSE(fits("race", "races"));
  CHECK_FALSE(fits("~1", 1));
}

TEST_CASE("sessions with a fake checker, everything on one thread") {
  for (const auto &file : scripts("sessions")) {
    lsp::ServerOptions options;
    options.scheduler.threads = 0;
    InProcess server(options);
    play(file, server, std::chrono::seconds(10));
  }
}

TEST_CASE("sessions about what happens during a check") {
  for (const auto &file : scripts("sessions/threads")) {
    lsp::ServerOptions options;
    options.scheduler.debounce = std::chrono::milliseconds(1);
    options.scheduler.fixesDelay = std::chrono::milliseconds(1);
    options.scheduler.requestWait = std::chrono::milliseconds(200);
    options.progressDelay = std::chrono::milliseconds(50);
    InProcess server(options);
    play(file, server, std::chrono::seconds(10));
  }
}

TEST_CASE("a message of 100 MB is refused and survived") {
  lsp::ServerOptions options;
  options.scheduler.threads = 0;
  InProcess server(options);
  const std::size_t size = 100'000'000;
  server.send("Content-Length: " + std::to_string(size) + "\r\n\r\n");
  server.send(std::string(size, 'x'));
  auto answer = server.receive(std::chrono::seconds(20));
  REQUIRE(answer);
  CHECK(
      fits({{"id", nullptr}, {"error", {{"code", -32600}, {"message", "~larger than"}}}}, *answer));
  play(sourceDir() / "tests/lsp/sessions/lifecycle.session", server, std::chrono::seconds(10));
}

TEST_CASE("sessions through the program") {
  if (!std::filesystem::exists(program()))
    return skip("the program is not built");
  for (const auto &file : scripts("sessions/program")) {
    Child server;
    play(file, server, std::chrono::seconds(60));
  }
}

} // namespace warpdrf::test
