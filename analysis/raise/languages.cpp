// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/raise/language.h"

namespace warpdrf::raise {

namespace {

struct Entry {
  std::string name;
  std::unique_ptr<Language> (*make)();
};

const std::vector<Entry> &entries() {
  static const std::vector<Entry> list = {
      {"glsl", makeGlsl}, {"cuda", makeCuda}, {"hip", makeHip}, {"hlsl", makeHlsl}};
  return list;
}

} // namespace

const std::vector<std::string> &targets() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const Entry &entry : entries())
      made.push_back(entry.name);
    return made;
  }();
  return names;
}

std::unique_ptr<Language> makeLanguage(const std::string &target) {
  for (const Entry &entry : entries())
    if (entry.name == target)
      return entry.make();
  return nullptr;
}

std::string Language::type(Type type) const {
  return type == Type::None ? "void" : type == Type::Bool ? "bool" : "uint";
}

std::string Language::functionHeader(const std::string &name, Type result,
                                     const std::vector<Parameter> &parameters) const {
  std::string header = type(result) + " " + name + "(";
  for (std::size_t i = 0; i < parameters.size(); ++i)
    header += (i ? ", " : "") + type(parameters[i].type) + " " + parameters[i].name;
  return header + ")";
}

} // namespace warpdrf::raise
