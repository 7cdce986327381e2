// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/nvcc.h"

#include "analysis/frontend/command/response.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

namespace warpdrf::frontend {
namespace {

enum class Action {
  Drop,        ///< says nothing about the code
  DropValue,   ///< the same, with a value
  Prefix,      ///< a comma list; each element becomes `clang` + element
  Separate,    ///< a comma list; each element becomes `clang`, element
  HostOptions, ///< a comma list of options for the host compiler
  OptionsFile, ///< a comma list of files of options
  Define,      ///< stands for the macro `clang`
  DefineIf,    ///< the same, if the value is `true`
  Architecture,
  GenerateCode,
  DefaultStream,
};

struct Option {
  const char *longName;  ///< with two dashes
  const char *shortName; ///< with one dash
  Action action;
  const char *clang = "";
  const char *also = ""; ///< a second option of Clang's that goes with a definition
};

// `nvcc --help` of CUDA 13, plus what older ones had.
constexpr Option options[] = {
    {"include-path", "I", Action::Prefix, "-I"},
    {"define-macro", "D", Action::Prefix, "-D"},
    {"undefine-macro", "U", Action::Prefix, "-U"},
    {"system-include", "isystem", Action::Separate, "-isystem"},
    {"pre-include", "include", Action::Separate, "-include"},
    {"std", "std", Action::Prefix, "-std="},
    {"ftemplate-depth", "ftemplate-depth", Action::Prefix, "-ftemplate-depth="},
    {"compiler-options", "Xcompiler", Action::HostOptions},
    {"options-file", "optf", Action::OptionsFile},
    {"gpu-architecture", "arch", Action::Architecture},
    {"generate-code", "gencode", Action::GenerateCode},
    {"default-stream", "default-stream", Action::DefaultStream},

    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", Action::Define,
     "__CUDACC_RELAXED_CONSTEXPR__"},
    {"extended-lambda", "extended-lambda", Action::Define, "__CUDACC_EXTENDED_LAMBDA__"},
    {"expt-extended-lambda", "expt-extended-lambda", Action::Define, "__CUDACC_EXTENDED_LAMBDA__"},
    // Without -fgpu-rdc no kernel may launch another.
    {"device-c", "dc", Action::Define, "__CUDACC_RDC__", "-fgpu-rdc"},
    {"device-w", "dw", Action::Define, "__CUDACC_RDC__", "-fgpu-rdc"},
    {"relocatable-device-code", "rdc", Action::DefineIf, "__CUDACC_RDC__", "-fgpu-rdc"},
    {"extensible-whole-program", "ewp", Action::Define, "__CUDACC_EWP__"},
    {"device-debug", "G", Action::Define, "__CUDACC_DEBUG__"},

    {"x", "x", Action::DropValue},
    {"gpu-code", "code", Action::DropValue},
    {"ptxas-options", "Xptxas", Action::DropValue},
    {"nvlink-options", "Xnvlink", Action::DropValue},
    {"fatbin-options", "Xfatbin", Action::DropValue},
    {"archive-options", "Xarchive", Action::DropValue},
    {"linker-options", "Xlinker", Action::DropValue},
    {"cudafe-options", "Xcudafe", Action::DropValue},
    {"output-file", "o", Action::DropValue},
    {"output-directory", "odir", Action::DropValue},
    {"library", "l", Action::DropValue},
    {"library-path", "L", Action::DropValue},
    {"dependency-output", "MF", Action::DropValue},
    {"dependency-target-name", "MT", Action::DropValue},
    {"compiler-bindir", "ccbin", Action::DropValue},
    {"archiver-binary", "arbin", Action::DropValue},
    {"cudart", "cudart", Action::DropValue},
    {"cudadevrt", "cudadevrt", Action::DropValue},
    {"libdevice-directory", "ldir", Action::DropValue},
    {"target-directory", "target-dir", Action::DropValue},
    {"optimization-info", "opt-info", Action::DropValue},
    {"optimize", "O", Action::DropValue},
    {"Ofast-compile", "Ofc", Action::DropValue},
    {"dopt", "dopt", Action::DropValue},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", Action::DropValue},
    {"machine", "m", Action::DropValue},
    {"static-global-template-stub", "static-global-template-stub", Action::DropValue},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility",
     Action::DropValue},
    {"threads", "t", Action::DropValue},
    {"split-compile", "split-compile", Action::DropValue},
    {"split-compile-extended", "split-compile-extended", Action::DropValue},
    {"fdevice-time-trace", "fdevice-time-trace", Action::DropValue},
    {"keep-dir", "keep-dir", Action::DropValue},
    {"time", "time", Action::DropValue},
    {"run-args", "run-args", Action::DropValue},
    {"input-drive-prefix", "idp", Action::DropValue},
    {"dependency-drive-prefix", "ddp", Action::DropValue},
    {"drive-prefix", "dp", Action::DropValue},
    {"entries", "e", Action::DropValue},
    {"maxrregcount", "maxrregcount", Action::DropValue},
    {"ftz", "ftz", Action::DropValue},
    {"prec-div", "prec-div", Action::DropValue},
    {"prec-sqrt", "prec-sqrt", Action::DropValue},
    {"fmad", "fmad", Action::DropValue},
    {"Werror", "Werror", Action::DropValue},
    {"qpp-config", "qpp-config", Action::DropValue},
    {"diag-error", "diag-error", Action::DropValue},
    {"diag-suppress", "diag-suppress", Action::DropValue},
    {"diag-warn", "diag-warn", Action::DropValue},
    {"host-linker-script", "hls", Action::DropValue},
    {"brief-diagnostics", "brief-diag", Action::DropValue},
    {"jump-table-density", "jtd", Action::DropValue},
    {"device-stack-protector", "device-stack-protector", Action::DropValue},
    {"compress-mode", "compress-mode", Action::DropValue},
    {"frandom-seed", "frandom-seed", Action::DropValue},
    {"sanitize", "sanitize", Action::DropValue},

    {"cuda", "cuda", Action::Drop},
    {"cubin", "cubin", Action::Drop},
    {"fatbin", "fatbin", Action::Drop},
    {"ptx", "ptx", Action::Drop},
    {"optix-ir", "optix-ir", Action::Drop},
    {"ltoir", "ltoir", Action::Drop},
    {"preprocess", "E", Action::Drop},
    {"generate-dependencies", "M", Action::Drop},
    {"generate-nonsystem-dependencies", "MM", Action::Drop},
    {"generate-dependencies-with-compile", "MD", Action::Drop},
    {"generate-nonsystem-dependencies-with-compile", "MMD", Action::Drop},
    {"generate-dependency-targets", "MP", Action::Drop},
    {"compile", "c", Action::Drop},
    {"device-link", "dlink", Action::Drop},
    {"link", "link", Action::Drop},
    {"lib", "lib", Action::Drop},
    {"run", "run", Action::Drop},
    {"objdir-as-tempdir", "objtemp", Action::Drop},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", Action::Drop},
    {"use-local-env", "use-local-env", Action::Drop},
    {"force-cl-env-setup", "force-cl-env-setup", Action::Drop},
    {"profile", "pg", Action::Drop},
    {"debug", "g", Action::Drop},
    {"generate-line-info", "lineinfo", Action::Drop},
    {"dlink-time-opt", "dlto", Action::Drop},
    {"lto", "lto", Action::Drop},
    {"gen-opt-lto", "gen-opt-lto", Action::Drop},
    {"no-exceptions", "noeh", Action::Drop},
    {"shared", "shared", Action::Drop},
    {"no-host-device-initializer-list", "nohdinitlist", Action::Drop},
    {"no-host-device-move-forward", "nohdmoveforward", Action::Drop},
    {"m64", "m64", Action::Drop},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", Action::Drop},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", Action::Drop},
    {"forward-unknown-opts", "forward-unknown-opts", Action::Drop},
    {"dont-use-profile", "noprof", Action::Drop},
    {"dryrun", "dryrun", Action::Drop},
    {"verbose", "v", Action::Drop},
    {"fdevice-syntax-only", "fdevice-syntax-only", Action::Drop},
    {"keep", "keep", Action::Drop},
    {"save-temps", "save-temps", Action::Drop},
    {"clean-targets", "clean", Action::Drop},
    {"no-align-double", "no-align-double", Action::Drop},
    {"no-device-link", "nodlink", Action::Drop},
    {"use_fast_math", "use_fast_math", Action::Drop}, // changes values, not who reads what
    {"extra-device-vectorization", "extra-device-vectorization", Action::Drop},
    {"keep-device-functions", "keep-device-functions", Action::Drop},
    {"source-in-ptx", "src-in-ptx", Action::Drop},
    {"restrict", "restrict", Action::Drop},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", Action::Drop},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", Action::Drop},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", Action::Drop},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Action::Drop},
    {"resource-usage", "res-usage", Action::Drop},
    {"no-compress", "no-compress", Action::Drop},
    {"compile-as-tools-patch", "astoolspatch", Action::Drop},
    {"display-error-number", "err-no", Action::Drop},
    {"no-display-error-number", "no-err-no", Action::Drop},
    {"augment-host-linker-script", "aug-hls", Action::Drop},
    {"relocatable-link", "r", Action::Drop},
    {"relocatable-ptx", "reloc-ptx", Action::Drop},
    {"jobserver", "jobserver", Action::Drop},
};

constexpr llvm::StringLiteral joined =
    "IDULlOotxm"; ///< short names that a value may follow at once

bool takesValue(Action action) {
  return action != Action::Drop && action != Action::Define;
}

const Option *find(llvm::StringRef name) {
  bool longForm = name.consume_front("--");
  if (!longForm && !name.consume_front("-"))
    return nullptr;
  for (const Option &option : options)
    if (name == (longForm ? option.longName : option.shortName))
      return &option;
  return nullptr;
}

/// Splits at commas; `\,` is a comma in an element.
std::vector<std::string> splitList(llvm::StringRef list) {
  std::vector<std::string> elements(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',')
      elements.back() += list[++i];
    else if (list[i] == ',')
      elements.emplace_back();
    else
      elements.back() += list[i];
  }
  llvm::erase_if(elements, [](const std::string &element) { return element.empty(); });
  return elements;
}

class Translator {
public:
  Translator(const std::string &directory, std::vector<std::string> &notes)
      : directory(directory), notes(notes) {}

  void run(const std::vector<std::string> &arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      llvm::StringRef argument = arguments[i];
      if (!argument.starts_with("-"))
        continue; // an input
      auto [name, value] = argument.split('=');
      bool hasValue = name.size() != argument.size();
      const Option *option = find(name);
      if (!option && argument.size() > 2 && joined.contains(argument[1])) {
        option = find(argument.take_front(2));
        value = argument.drop_front(2);
        hasValue = true;
        // -std, -link and the like begin with the same letter; so does what nvcc does not know.
        if (option && !isJoinedValue(*option, value))
          option = nullptr;
      }
      if (!option) {
        result.push_back(argument.str());
        continue;
      }
      if (takesValue(option->action) && !hasValue) {
        if (++i == arguments.size())
          return notes.push_back("'" + argument.str() + "' has no value");
        value = arguments[i];
      }
      apply(*option, value);
    }
  }

  std::vector<std::string> result;

private:
  /// -O and -t take numbers, -m takes 32 or 64, -x a language; -march= or -traditional are no such
  /// thing.
  static bool isJoinedValue(const Option &option, llvm::StringRef value) {
    char letter = option.shortName[0];
    if (letter == 't' || letter == 'm')
      return llvm::all_of(value, llvm::isDigit);
    if (letter == 'x')
      return value == "cu" || value == "c" || value == "c++";
    return true;
  }

  void apply(const Option &option, llvm::StringRef value) {
    switch (option.action) {
    case Action::Drop:
    case Action::DropValue:
      return;
    case Action::Prefix:
      for (const std::string &element : splitList(value))
        result.push_back(option.clang + element);
      return;
    case Action::Separate:
      for (const std::string &element : splitList(value)) {
        result.push_back(option.clang);
        result.push_back(element);
      }
      return;
    case Action::HostOptions:
      // nvcc hands them on through a shell, which splits them at spaces too.
      for (const std::string &element : splitList(value))
        for (std::string &word : splitCommandLine(element))
          result.push_back(std::move(word));
      return;
    case Action::OptionsFile:
      for (const std::string &file : splitList(value))
        optionsFile(file);
      return;
    case Action::DefineIf:
      if (value != "true")
        return;
      [[fallthrough]];
    case Action::Define:
      result.push_back(std::string("-D") + option.clang);
      if (*option.also)
        result.push_back(option.also);
      return;
    case Action::Architecture:
      return architecture(value);
    case Action::GenerateCode:
      for (const std::string &part : splitList(value))
        if (llvm::StringRef(part).starts_with("arch="))
          architecture(llvm::StringRef(part).drop_front(5));
      return; // code= is for the assembler
    case Action::DefaultStream:
      if (value == "per-thread")
        result.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      return;
    }
  }

  void architecture(llvm::StringRef name) { result.push_back("--offload-arch=" + name.str()); }

  void optionsFile(const std::string &file) {
    constexpr unsigned MaxDepth = 8;
    if (depth == MaxDepth)
      return notes.push_back("files of options are nested too deep at '" + file + "'");
    ++depth;
    run(readResponseFile(file, directory, notes));
    --depth;
  }

  const std::string &directory;
  std::vector<std::string> &notes;
  unsigned depth = 0;
};

} // namespace

bool isNvcc(const std::string &compiler) {
  llvm::StringRef name = llvm::sys::path::filename(compiler);
  name.consume_back(".exe");
  return name == "nvcc" || name.starts_with("nvcc-") || name == "nvcc_wrapper";
}

bool looksLikeNvcc(const std::vector<std::string> &arguments) {
  static constexpr llvm::StringLiteral only[] = {"-gencode",
                                                 "--generate-code",
                                                 "--gpu-architecture",
                                                 "-arch",
                                                 "--expt-",
                                                 "-expt-",
                                                 "--extended-lambda",
                                                 "-extended-lambda",
                                                 "-Xptxas",
                                                 "--ptxas-options",
                                                 "-rdc",
                                                 "--relocatable-device-code",
                                                 "-Xcompiler",
                                                 "--compiler-options"};
  return llvm::any_of(arguments, [](llvm::StringRef argument) {
    return llvm::any_of(only, [&](llvm::StringRef name) { return argument.starts_with(name); });
  });
}

std::vector<std::string> translateNvcc(const std::vector<std::string> &arguments,
                                       const std::string &directory,
                                       std::vector<std::string> &notes) {
  Translator translator(directory, notes);
  translator.run(expandResponseFiles(arguments, directory, notes));
  return std::move(translator.result);
}

} // namespace warpdrf::frontend
