// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/project_files.h"

#include "analysis/frontend/paths.h"
#include "analysis/frontend/read_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

namespace warpdrf::frontend {
namespace {

std::unique_ptr<llvm::MemoryBuffer> read(const std::string &file,
                                         std::vector<ParseError> &problems) {
  std::string failure;
  std::unique_ptr<llvm::MemoryBuffer> buffer = readFile(file, failure);
  if (!buffer)
    problems.push_back({{file, {1, 1}, {1, 1}}, "cannot read the file: " + failure});
  return buffer;
}

/// A scalar or a list of scalars. Must consume the node in any case: YAML is parsed as it is
/// walked.
std::vector<std::string> strings(llvm::yaml::Node *node) {
  std::vector<std::string> result;
  llvm::SmallString<64> storage;
  if (auto *scalar = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(node)) {
    result.push_back(scalar->getValue(storage).str());
  } else if (auto *list = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(node)) {
    for (llvm::yaml::Node &element : *list) {
      if (auto *scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(&element))
        result.push_back(scalar->getValue(storage).str());
      else
        element.skip();
    }
  } else if (node) {
    node->skip();
  }
  return result;
}

/// One document of a .clangd file.
class Fragment {
public:
  Fragment(std::string path) : path(std::move(path)) {}

  void read(llvm::yaml::MappingNode &root) {
    eachKey(root, [&](llvm::StringRef key, llvm::yaml::Node *value) {
      auto *section = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(value);
      if (section && key == "If")
        eachKey(*section, [&](llvm::StringRef name, llvm::yaml::Node *inner) {
          condition(name, strings(inner));
        });
      else if (section && key == "CompileFlags")
        eachKey(*section, [&](llvm::StringRef name, llvm::yaml::Node *inner) {
          std::vector<std::string> list = strings(inner);
          auto &target = name == "Remove" ? flags.remove : flags.add;
          if (name == "Add" || name == "Remove")
            target.insert(target.end(), list.begin(), list.end());
        });
      else if (value)
        value->skip();
    });
  }

  bool applies = true;
  ClangdFlags flags;

private:
  template <typename Function>
  void eachKey(llvm::yaml::MappingNode &map, Function function) {
    for (llvm::yaml::KeyValueNode &pair : map) {
      llvm::SmallString<32> storage;
      auto *key = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(pair.getKey());
      // The key must be read before the value: both come from one stream.
      std::string name = key ? key->getValue(storage).str() : "";
      function(name, pair.getValue());
    }
  }

  void condition(llvm::StringRef name, const std::vector<std::string> &patterns) {
    bool match = llvm::any_of(patterns, [&](const std::string &pattern) {
      return llvm::Regex("^(" + pattern + ")$").match(path);
    });
    if ((name == "PathMatch" && !match) || (name == "PathExclude" && match))
      applies = false;
  }

  std::string path; ///< relative to the .clangd file
};

bool takesSeparateValue(llvm::StringRef flag) {
  static constexpr llvm::StringLiteral names[] = {
      "-I",         "-D", "-U",    "-isystem", "-include",       "-iquote",
      "-idirafter", "-x", "-arch", "-gencode", "--generate-code"};
  return llvm::is_contained(names, flag);
}

} // namespace

std::optional<std::string> findUpward(const std::string &folder, const std::string &name) {
  for (llvm::StringRef at = folder; !at.empty(); at = llvm::sys::path::parent_path(at)) {
    std::string file = joinPath(at, name);
    if (llvm::sys::fs::is_regular_file(file))
      return file;
  }
  return std::nullopt;
}

std::vector<std::string> readCompileFlags(const std::string &file,
                                          std::vector<ParseError> &problems) {
  std::vector<std::string> flags;
  auto buffer = read(file, problems);
  if (!buffer)
    return flags;
  llvm::SmallVector<llvm::StringRef> lines;
  buffer->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (!line.trim().empty())
      flags.push_back(line.trim().str());
  return flags;
}

ClangdFlags readClangd(const std::string &file, const std::string &path,
                       std::vector<ParseError> &problems) {
  ClangdFlags result;
  auto buffer = read(file, problems);
  if (!buffer)
    return result;
  llvm::StringRef relative = path;
  std::string folder = llvm::sys::path::parent_path(file).str() + "/";
  relative.consume_front(folder);
  llvm::SourceMgr sources;
  ParseError first;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &error, void *where) {
        auto &first = *static_cast<ParseError *>(where);
        unsigned line = std::max(error.getLineNo(), 1);
        unsigned column = std::max(error.getColumnNo(), 0) + 1;
        if (first.message.empty())
          first = {{first.range.file, {line, column}, {line, column + 1}},
                   "this is not YAML: " + error.getMessage().str()};
      },
      &first);
  first.range = {file, {1, 1}, {1, 1}};
  llvm::yaml::Stream stream(buffer->getMemBufferRef(), sources);
  for (llvm::yaml::Document &document : stream) {
    Fragment fragment(relative.str());
    if (auto *root = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(document.getRoot()))
      fragment.read(*root);
    if (stream.failed()) {
      problems.push_back(first);
      return {};
    }
    if (!fragment.applies)
      continue;
    result.add.insert(result.add.end(), fragment.flags.add.begin(), fragment.flags.add.end());
    result.remove.insert(result.remove.end(), fragment.flags.remove.begin(),
                         fragment.flags.remove.end());
  }
  return result;
}

void removeFlags(std::vector<std::string> &arguments, const std::vector<std::string> &remove) {
  for (llvm::StringRef name : remove) {
    bool prefix = name.consume_back("*");
    bool withValue = !prefix && takesSeparateValue(name);
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      llvm::StringRef argument = arguments[i];
      bool separate = withValue && argument == name;
      bool gone = argument == name || ((prefix || withValue) && argument.starts_with(name)) ||
                  (argument.starts_with(name) && argument.drop_front(name.size()).starts_with("="));
      if (!gone)
        kept.push_back(arguments[i]);
      else if (separate)
        ++i;
    }
    arguments = std::move(kept);
  }
}

} // namespace warpdrf::frontend
