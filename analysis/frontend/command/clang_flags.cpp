// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/clang_flags.h"

#include "analysis/frontend/command/response.h"
#include "analysis/frontend/frontend.h"

#include "clang/Basic/OffloadArch.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"

namespace warpdrf::frontend {
namespace {

namespace options = clang::options;

bool startsWithAny(llvm::StringRef name, llvm::ArrayRef<llvm::StringLiteral> prefixes) {
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}

/// Would run code of the workspace inside us, or stands for options we cannot see.
bool isForbidden(const llvm::opt::Option &option) {
  static constexpr llvm::StringLiteral prefixes[] = {"-fplugin", "-fpass-plugin", "-Xclang",
                                                     "--config"};
  return startsWithAny(option.getPrefixedName(), prefixes);
}

/// -f options about code generation, diagnostics or caches.
bool isJobOption(const llvm::opt::Option &option) {
  static constexpr llvm::StringLiteral prefixes[] = {
      "-fsanitize", "-flto",    "-fprofile",     "-fcoverage",  "-fmodule",  "-fsave-opt",
      "-ftime",     "-fuse-ld", "-fdiagnostics", "-fcrash",     "-fthinlto", "-fcs-profile",
      "-fembed",    "-fdebug",  "-fsyntax-only", "-ferror",     "-fxray",    "-fcolor",
      "-ffile-",    "-fno-lto", "-fno-sanitize", "-fno-profile"};
  return startsWithAny(option.getPrefixedName(), prefixes);
}

bool decidesReading(const llvm::opt::Option &option) {
  switch (option.getID()) {
  case options::OPT_include_pch:
  case options::OPT_ivfsoverlay:
  case options::OPT_fmodule_file:
  case options::OPT_offload_host_only:
  case options::OPT_offload_device_only:
  case options::OPT_offload_host_device:
    return false;
  case options::OPT_std_EQ:
  case options::OPT_stdlib_EQ:
  case options::OPT_ansi:
  case options::OPT__sysroot:
  case options::OPT__sysroot_EQ:
  case options::OPT_gcc_toolchain:
  case options::OPT_gcc_install_dir_EQ:
  case options::OPT_target:
  case options::OPT_B:
  case options::OPT_pthread:
  case options::OPT_undef:
  case options::OPT_fgpu_rdc:
    return true;
  default:
    break;
  }
  if (option.matches(options::OPT_M_Group)) // which Clang counts among the preprocessor's
    return false;
  for (options::ID group :
       {options::OPT_Preprocessor_Group, options::OPT_IncludePath_Group, options::OPT_i_Group,
        options::OPT_f_Group, options::OPT_f_clang_Group, options::OPT_O_Group})
    if (option.matches(group))
      return !isJobOption(option);
  return false;
}

/// -Wno-… may turn off an error, such as narrowing; the rest of -W only adds warnings nobody sees.
bool silencesError(const llvm::opt::Arg &argument) {
  llvm::StringRef value = argument.getNumValues() == 1 ? argument.getValue() : "";
  return argument.getOption().matches(options::OPT_W_Group) && value.starts_with("no-") &&
         !value.starts_with("no-error");
}

struct Architecture {
  unsigned generation = 0;
  unsigned kind = 0; ///< 0 plain, 1 family (f), 2 accelerated (a)
  std::string name;
};

std::optional<Architecture> parseArchitecture(llvm::StringRef name) {
  if (!name.consume_front("sm_") && !name.consume_front("compute_") && !name.consume_front("lto_"))
    return std::nullopt;
  Architecture result;
  llvm::StringRef digits = name.take_while(llvm::isDigit);
  llvm::StringRef suffix = name.drop_front(digits.size());
  if (digits.getAsInteger(10, result.generation) ||
      (!suffix.empty() && suffix != "a" && suffix != "f"))
    return std::nullopt;
  result.kind = suffix == "a" ? 2 : suffix == "f" ? 1 : 0;
  result.name = "sm_" + name.str();
  auto known = [](const std::string &arch) {
    return clang::IsNVIDIAOffloadArch(clang::StringToOffloadArch(arch));
  };
  // Clang has not all of the variants; the generation is what __CUDA_ARCH__ tells.
  if (!known(result.name))
    result.name = "sm_" + digits.str();
  return known(result.name) ? std::optional(result) : std::nullopt;
}

} // namespace

ClangFlags readClangFlags(const std::vector<std::string> &arguments, const std::string &directory,
                          std::vector<std::string> &notes) {
  ClangFlags result;
  std::vector<std::string> expanded = expandResponseFiles(arguments, directory, notes);
  std::vector<const char *> raw;
  for (const std::string &argument : expanded)
    raw.push_back(argument.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList list = clang::getDriverOptTable().ParseArgs(
      raw, missingIndex, missingCount, llvm::opt::Visibility(options::ClangOption));
  if (missingCount != 0)
    notes.push_back("'" + expanded[missingIndex] + "' has no value");
  for (const llvm::opt::Arg *argument : list) {
    const llvm::opt::Option &option = argument->getOption();
    if (option.matches(options::OPT_offload_arch_EQ)) {
      for (const char *value : argument->getValues())
        result.architectures.push_back(value);
    } else if (option.matches(options::OPT_cuda_path_EQ)) {
      result.toolkit = argument->getValue();
    } else if (option.matches(options::OPT_UNKNOWN) || isForbidden(option)) {
      notes.push_back("dropped '" + argument->getAsString(list) + "'");
    } else if (decidesReading(option) || silencesError(*argument)) {
      llvm::opt::ArgStringList rendered;
      argument->render(list, rendered);
      result.flags.insert(result.flags.end(), rendered.begin(), rendered.end());
    }
  }
  return result;
}

std::optional<std::string> chooseArchitecture(const std::vector<std::string> &asked,
                                              std::vector<std::string> &notes) {
  Architecture best;
  for (const std::string &name : asked) {
    std::optional<Architecture> one = parseArchitecture(name);
    if (!one)
      notes.push_back("architecture '" + name + "' is not one Clang knows");
    else if (std::pair(one->generation, one->kind) >= std::pair(best.generation, best.kind))
      best = *one;
  }
  return best.name.empty() ? std::nullopt : std::optional(best.name);
}

bool isArchitecture(const std::string &name) {
  return parseArchitecture(name).has_value();
}

std::string unknownArchitecture(const std::string &name) {
  return "there is no architecture '" + name + "'; expected one like sm_80 or sm_90a";
}

} // namespace warpdrf::frontend
