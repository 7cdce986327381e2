// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf lsp`: joins the language server to the checker, which runs in a child: this program
// again, as `warpdrf lsp --role=checker`.
#include "analysis/analysis.h"
#include "server/cli/arguments.h"
#include "server/cli/commands.h"
#include "server/lsp/server.h"
#include "server/worker/run_service.h"
#include "server/worker/serve.h"
#include "server/worker/service.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace warpdrf::cli {

namespace {

CheckOptions optionsOf(const lsp::Settings &settings, bool fixes) {
  CheckOptions options;
  options.flags = settings.flags;
  if (!settings.arch.empty())
    options.arch = settings.arch;
  // The defaults ask for nothing, and leave it to the project's file.
  using contract::Configuration;
  if (settings.contract != "cuda")
    options.configuration = settings.contract == "smr" ? Configuration::Smr : Configuration::Fmr;
  if (settings.strict)
    options.masks = contract::Masks::Strict;
  options.contract.queryBudget = std::chrono::milliseconds(200); // somebody waits
  options.fixes = fixes;
  options.replay = fixes; // in the editor's second stage: the first answer does not wait for it
  return options;
}

class CheckerService : public lsp::CheckService {
public:
  FileReport check(const std::string &path, const std::string &text, const Unsaved &unsaved,
                   const lsp::Settings &settings, bool fixes, std::stop_token stop,
                   const Progress &progress) override {
    hideToolkit(settings.noToolkit);
    CheckOptions options = optionsOf(settings, fixes);
    options.unsaved = unsaved;
    return checker.check(path, text, options, [stop] { return stop.stop_requested(); }, progress);
  }

private:
  /// The front end takes it from the environment, which only the thread that checks reads.
  void hideToolkit(bool hide) {
    if (hide == hidden)
      return;
    hidden = hide;
    if (hide)
      setenv("WARPDRF_NO_TOOLKIT", "1", /*overwrite=*/1);
    else
      unsetenv("WARPDRF_NO_TOOLKIT");
  }

  Checker checker;
  bool hidden = false;
};

} // namespace

int lsp(const CommandArguments &arguments) {
  Arguments parser("lsp", "The language server (LSP 3.17), on standard input and output.");
  std::string role;
  parser.hiddenOption("--role", text(role));
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  std::signal(SIGPIPE, SIG_IGN); // an editor that went away is an end of output, no reason to die
  protocol::FdInput input(STDIN_FILENO);
  protocol::FdOutput output(STDOUT_FILENO);
  if (role == "checker") {
    CheckerService checker;
    worker::serve(input, output, checker);
  }
  worker::WorkerService service({"lsp", "--role=checker"});
  worker::ChildRunService runs({"run"});
  lsp::Server server(output, service, runs, {});
  return server.run(input);
}

} // namespace warpdrf::cli
