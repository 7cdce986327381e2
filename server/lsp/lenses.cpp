// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/lenses.h"

#include "server/lsp/command_names.h"
#include "server/lsp/kernels.h"

#include <algorithm>

namespace warpdrf::lsp {

using protocol::CodeLens;
using protocol::Json;

static std::string plural(std::size_t n, const std::string &noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

namespace {

class Lenses {
public:
  Lenses(const Checked &checked, const Client &client)
      : checked(checked), client(client), places(checked.document, client.encoding) {}

  std::vector<CodeLens> all() {
    for (const Instances &instances : kernelsHere(checked.report, places))
      add(instances);
    return std::move(lenses);
  }

private:
  void add(const Instances &instances) {
    const KernelReport &kernel = *instances[0];
    const protocol::Range range = places.range(kernel.range);
    const std::vector<const Finding *> findings = findingsOf(kernel.name);
    lenses.push_back({range, {titleOf(instances, findings.size()), "", {}}});
    auto witnessed = std::ranges::find_if(
        findings, [](const Finding *finding) { return finding->witness.has_value(); });
    if (witnessed != findings.end())
      offer(range, "show witness", showWitnessCommand,
            {{"uri", checked.document.uri}, {"fingerprint", (*witnessed)->fingerprint}});
    // Which of many instantiations to run is nothing to guess, and one that was not lowered cannot
    // be.
    if (instances.size() == 1 && (kernel.primitives > 0 || kernel.accesses > 0))
      offer(range, "run in interpreter", runInInterpreterCommand,
            {{"uri", checked.document.uri},
             {"kernel", kernel.name},
             {"instantiation", kernel.instantiation}});
  }

  void offer(const protocol::Range &range, const char *title, const char *command, Json argument) {
    if (client.carriesOut(command))
      lenses.push_back({range, {title, command, {std::move(argument)}}});
  }

  /// Those that decide the verdict, the worst first.
  std::vector<const Finding *> findingsOf(const std::string &kernel) const {
    std::vector<const Finding *> out;
    for (const Finding &finding : checked.report.findings)
      if (finding.kernel == kernel && !finding.suppressed && finding.severity >= Severity::Warning)
        out.push_back(&finding);
    std::ranges::stable_sort(out, std::ranges::greater(), &Finding::severity);
    return out;
  }

  static std::string titleOf(const Instances &instances, std::size_t findings) {
    std::string title = verdictInWords(instances);
    if (findings > 0)
      title += " (" + plural(findings, "finding") + ")";
    std::set<std::string> assumptions;
    for (const KernelReport *kernel : instances)
      assumptions.insert(kernel->assumptions.begin(), kernel->assumptions.end());
    if (!assumptions.empty())
      title += ", " + plural(assumptions.size(), "assumption");
    return title;
  }

  const Checked &checked;
  const Client &client;
  Places places;
  std::vector<CodeLens> lenses;
};

} // namespace

std::vector<CodeLens> lensesOf(const Checked &checked, const Client &client) {
  return Lenses(checked, client).all();
}

} // namespace warpdrf::lsp
