// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per shape of value; the table in `ProjectReader::member` says which key has which.
#include "analysis/frontend/project.h"

#include "analysis/frontend/command/clang_flags.h"
#include "analysis/frontend/command/json_file.h"
#include "analysis/frontend/command/project_files.h"
#include "analysis/frontend/frontend.h"
#include "analysis/frontend/paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warpdrf::frontend {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using Words = llvm::ArrayRef<llvm::StringLiteral>;

constexpr llvm::StringLiteral keys[] = {"flags",    "arch",        "toolkit", "contract", "masks",
                                        "severity", "assumptions", "kernels", "launch",   "assume",
                                        "timeouts", "devices",     "$schema"};
/// CONTRACT 2.6 names more; without these the checker knows how to go on.
constexpr llvm::StringLiteral assumptionNames[] = {"layout", "extents", "whole warps"};

std::string quotedList(Words words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == words.size() ? " or '" : ", '") + words[i].str() + "'";
  return text;
}

std::string kindOf(const Value &value) {
  switch (value.kind()) {
  case Value::Null:
    return "null";
  case Value::Boolean:
    return "true or false";
  case Value::Number:
    return "a number";
  case Value::String:
    return "a string";
  case Value::Array:
    return "a list";
  case Value::Object:
    return "an object";
  }
  return "something else";
}

class ProjectReader {
public:
  ProjectReader(const JsonFile &json, Project &project) : json(json), project(project) {}

  void read() {
    const Object *root = json.root().getAsObject();
    if (!root)
      return wrongKind("", json.root(), "an object");
    for (const auto &[key, value] : *root)
      member(key.str(), value);
  }

private:
  void problem(const std::string &at, std::string message) {
    project.problems.push_back({json.placeOf(at), std::move(message)});
  }
  void wrongKind(const std::string &at, const Value &value, const std::string &expected) {
    problem(at, "expected " + expected + ", got " + kindOf(value));
  }
  void unknownKey(const std::string &at, llvm::StringRef key, Words known) {
    const llvm::StringLiteral *nearest = nullptr;
    unsigned least = key.size() / 2 + 2; // farther is no likeness
    for (const llvm::StringLiteral &word : known)
      if (unsigned distance = key.edit_distance(word, true, least); distance < least) {
        least = distance;
        nearest = &word;
      }
    problem(at + "/" + key.str() + ":key", "unknown key '" + key.str() + "'" +
                                               (nearest ? "; did you mean '" + nearest->str() + "'?"
                                                        : "; expected " + quotedList(known)));
  }

  void member(const std::string &key, const Value &value) {
    const std::string at = "/" + key;
    if (key == "flags")
      for (PlacedText &flag : list(at, value))
        project.flags.push_back(std::move(flag.text));
    else if (key == "arch")
      architecture(at, value);
    else if (key == "toolkit")
      project.toolkit = text(at, value);
    else if (key == "contract")
      project.contract = oneOf(at, value, {"cuda", "smr", "fmr"});
    else if (key == "masks")
      project.masks = oneOf(at, value, {"documented", "strict"});
    else if (key == "severity")
      severities(at, value);
    else if (key == "assumptions")
      assumptions(at, value);
    else if (key == "kernels")
      filters(at, value);
    else if (key == "launch")
      project.launches = perKernel(at, value);
    else if (key == "assume")
      project.assumptions = perKernel(at, value);
    else if (key == "timeouts")
      timeouts(at, value);
    else if (key == "devices")
      problem(at + ":key", "devices are not supported in this version; leave 'devices' out");
    else if (key != "$schema") // which editors read
      unknownKey("", key, keys);
  }

  std::optional<std::string> text(const std::string &at, const Value &value) {
    if (auto text = value.getAsString())
      return text->str();
    wrongKind(at, value, "a string");
    return std::nullopt;
  }

  std::optional<std::string> oneOf(const std::string &at, const Value &value, Words words) {
    std::optional<std::string> word = text(at, value);
    if (!word || llvm::is_contained(words, *word))
      return word;
    problem(at, "expected " + quotedList(words) + ", got '" + *word + "'");
    return std::nullopt;
  }

  std::vector<PlacedText> list(const std::string &at, const Value &value,
                               const std::string &key = "") {
    std::vector<PlacedText> result;
    const Array *array = value.getAsArray();
    if (!array) {
      wrongKind(at, value, "a list of strings");
      return result;
    }
    for (std::size_t i = 0; i < array->size(); ++i) {
      std::string inner = at + "/" + std::to_string(i);
      if (auto element = text(inner, (*array)[i]))
        result.push_back({key, std::move(*element), json.placeOf(inner)});
    }
    return result;
  }

  const Object *object(const std::string &at, const Value &value) {
    const Object *object = value.getAsObject();
    if (!object)
      wrongKind(at, value, "an object");
    return object;
  }

  void architecture(const std::string &at, const Value &value) {
    std::optional<std::string> name = text(at, value);
    if (name && !isArchitecture(*name))
      problem(at, unknownArchitecture(*name));
    else
      project.architecture = name;
  }

  void severities(const std::string &at, const Value &value) {
    if (const Object *rules = object(at, value))
      for (const auto &[rule, severity] : *rules) {
        std::string inner = at + "/" + rule.str();
        if (auto word = oneOf(inner, severity, {"error", "warning", "information", "hint"}))
          project.severities.push_back({rule.str(), *word, json.placeOf(inner + ":key")});
      }
  }

  void assumptions(const std::string &at, const Value &value) {
    if (const Object *names = object(at, value))
      for (const auto &[name, on] : *names) {
        std::string inner = at + "/" + name.str();
        if (!llvm::is_contained(assumptionNames, name.str()))
          unknownKey(at, name, assumptionNames);
        else if (!on.getAsBoolean())
          wrongKind(inner, on, "true or false");
        else if (!*on.getAsBoolean())
          project.assumptionsOff.push_back(name.str());
      }
  }

  void filters(const std::string &at, const Value &value) {
    if (const Object *lists = object(at, value))
      for (const auto &[name, patterns] : *lists) {
        if (name == "allow" || name == "deny")
          (name == "allow" ? project.allow : project.deny) = list(at + "/" + name.str(), patterns);
        else
          unknownKey(at, name, {"allow", "deny"});
      }
  }

  /// Of each kernel a text or a list of them.
  std::vector<PlacedText> perKernel(const std::string &at, const Value &value) {
    std::vector<PlacedText> result;
    if (const Object *kernels = object(at, value))
      for (const auto &[kernel, texts] : *kernels) {
        std::string inner = at + "/" + kernel.str();
        if (texts.kind() == Value::Array)
          llvm::append_range(result, list(inner, texts, kernel.str()));
        else if (auto one = text(inner, texts))
          result.push_back({kernel.str(), std::move(*one), json.placeOf(inner)});
      }
    return result;
  }

  void timeouts(const std::string &at, const Value &value) {
    if (const Object *times = object(at, value))
      for (const auto &[name, seconds] : *times) {
        std::string inner = at + "/" + name.str();
        std::optional<double> number = seconds.getAsNumber();
        std::optional<double> *target = name == "kernel"  ? &project.kernelSeconds
                                        : name == "query" ? &project.querySeconds
                                        : name == "file"  ? &project.fileSeconds
                                                          : nullptr;
        if (!target)
          unknownKey(at, name, {"kernel", "query", "file"});
        else if (!number)
          wrongKind(inner, seconds, "a number of seconds");
        else if (*number < 0.001 || *number > 86400)
          problem(inner, "expected from 0.001 to 86400 seconds");
        else
          *target = number;
      }
  }

  const JsonFile &json;
  Project &project;
};

} // namespace

Project findProject(const std::string &path) {
  Project project;
  std::string absolute = absolutePath(path, currentDirectory());
  auto file = findUpward(llvm::sys::path::parent_path(absolute).str(), ".warpdrf.json");
  if (!file)
    return project;
  project.file = *file;
  if (auto json = JsonFile::read(*file, project.problems))
    ProjectReader(*json, project).read();
  return project;
}

} // namespace warpdrf::frontend
