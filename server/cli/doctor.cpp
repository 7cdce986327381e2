// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf doctor FILE`: everything that decides how a file is checked, to read before filing a
// bug.
#include "analysis/report/names.h"
#include "server/cli/commands.h"
#include "server/cli/common_options.h"

#include <cstdio>
#include <iostream>

namespace warpdrf::cli {

static std::string milliseconds(double time) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f ms", time);
  return buffer;
}

static void printCommand(const std::string &path, const CheckOptions &options) {
  std::string error;
  frontend::CompileCommand command =
      frontend::findCommand(path, options.database, options.flags, options.arch, error);
  std::cout << "file          " << path << "\n"
            << "command from  " << command.source << "\n"
            << "directory     " << command.directory << "\n"
            << "flags        ";
  for (const std::string &flag : command.flags)
    std::cout << " " << flag;
  std::cout << "\narchitecture  " << command.arch << "\n"
            << "toolkit       " << command.toolkit.value_or("none: bundled declarations of CUDA")
            << "\n"
            << "view          device code for kernels, host code for launches only\n";
  for (const std::string &note : command.notes)
    std::cout << "note          " << note << "\n";
}

static std::string dims(const std::array<std::optional<std::int64_t>, 3> &values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i ? "," : "") + (values[i] ? std::to_string(*values[i]) : std::string("*"));
  return text + ")";
}

static void printKernel(const KernelReport &kernel) {
  std::cout << "\nkernel        " << kernel.instantiation << "  (" << kernel.range.file << ":"
            << kernel.range.begin.line << ")\n"
            << "  verdict     " << name(kernel.verdict) << " (memory " << name(kernel.memory)
            << ", participation " << name(kernel.participation) << ")\n";
  if (!kernel.reason.empty())
    std::cout << "  reason      " << kernel.reason << "\n";
  for (const LaunchDims &launch : kernel.launches)
    std::cout << "  launch      block=" << dims(launch.block) << " grid=" << dims(launch.grid)
              << "  " << launch.source << ": " << name(launch.verdict) << "\n";
  for (const std::string &assumption : kernel.assumptions)
    std::cout << "  assuming    " << assumption << "\n";
  std::cout << "  size        " << kernel.primitives << " primitives and barriers, "
            << kernel.accesses << " accesses\n"
            << "  ir          " << kernel.irHash << "\n"
            << "  time        " << milliseconds(kernel.timeMs) << "\n";
}

static void printReport(const FileReport &report) {
  for (const auto *errors : {&report.projectErrors, &report.parseErrors})
    for (const ParseError &error : *errors)
      std::cout << "error         " << error.range.file << ":" << error.range.begin.line << ":"
                << error.range.begin.column << ": " << error.message << "\n";
  double kernels = 0;
  for (const KernelReport &kernel : report.kernels) {
    printKernel(kernel);
    kernels += kernel.timeMs;
  }
  std::cout << "\nkernels       " << report.kernels.size() << ", findings "
            << report.findings.size() << "\n"
            << "time          " << milliseconds(report.timeMs) << ": parse and lower "
            << milliseconds(report.timeMs - kernels) << ", check " << milliseconds(kernels) << "\n";
}

int doctor(const CommandArguments &arguments) {
  CheckOptions options;
  std::vector<std::string> paths;
  Arguments parser("doctor [OPTIONS] FILE [-- COMPILER FLAGS]",
                   "Shows how a file is compiled and checked: the command and where it comes from, "
                   "the toolkit, launches, verdicts, times.");
  declareCompileOptions(parser, options);
  declareCheckOptions(parser, options);
  parser.positional(paths);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  if (paths.size() != 1) {
    std::cerr << "warpdrf: doctor takes one file\n";
    return 2;
  }
  std::cout << "warpdrf       " WARPDRF_VERSION "\n";
  printCommand(paths.front(), options);
  Checker checker;
  FileReport report = checker.check(paths.front(), std::nullopt, options);
  printReport(report);
  if (options.kernelRegex && report.kernels.empty()) {
    std::cerr << noSuchKernel(*options.kernelRegex, report.otherKernels);
    return 2;
  }
  return report.parseErrors.empty() && report.projectErrors.empty() ? 0 : 2;
}

} // namespace warpdrf::cli
