// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fuzz/shrink.h"

#include <functional>

namespace warpdrf::fuzz {

namespace {

/// Takes a changed copy of the part that is being looked at.
template <typename Part>
using Put = std::function<void(Part)>;

std::vector<std::string> constants(Type type) {
  switch (type) {
  case Type::Integer:
    return {"0", "1"};
  case Type::Condition:
    return {"true", "false"};
  case Type::Mask:
    return {"~0u"};
  }
  return {};
}

void expression(const Expression &given, const Put<Expression> &put) {
  const std::vector<std::string> plain = constants(given.type);
  bool isPlain = false;
  for (const std::string &constant : plain)
    isPlain |= constant == given.pattern;
  if (!isPlain)
    for (const std::string &constant : plain)
      put({given.type, constant, {}});
  for (std::size_t i = 0; i < given.operands.size(); ++i) {
    if (given.operands[i].type == given.type)
      put(given.operands[i]);
    expression(given.operands[i], [&](Expression changed) {
      Expression copy = given;
      copy.operands[i] = std::move(changed);
      put(std::move(copy));
    });
  }
}

void block(const Block &given, const Put<Block> &put);

/// What may stand in a statement's place.
void statement(const Statement &given, const Put<Block> &put) {
  put({});
  for (const Arm &arm : given.arms)
    put(arm.body);
  for (std::size_t i = 1; i < given.arms.size(); ++i) {
    Statement copy = given;
    copy.arms.erase(copy.arms.begin() + static_cast<std::ptrdiff_t>(i));
    put({std::move(copy)});
  }
  for (std::size_t i = 0; i < given.arms.size(); ++i)
    block(given.arms[i].body, [&](Block changed) {
      Statement copy = given;
      copy.arms[i].body = std::move(changed);
      put({std::move(copy)});
    });
  for (std::size_t i = 0; i < given.operands.size(); ++i)
    expression(given.operands[i], [&](Expression changed) {
      Statement copy = given;
      copy.operands[i] = std::move(changed);
      put({std::move(copy)});
    });
}

void block(const Block &given, const Put<Block> &put) {
  for (std::size_t i = 0; i < given.size(); ++i)
    statement(given[i], [&](Block instead) {
      Block copy(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(i));
      copy.insert(copy.end(), instead.begin(), instead.end());
      copy.insert(copy.end(), given.begin() + static_cast<std::ptrdiff_t>(i) + 1, given.end());
      put(std::move(copy));
    });
}

} // namespace

std::vector<Program> smaller(const Program &program) {
  std::vector<Program> result;
  block(program.body, [&](Block body) {
    Program copy = program;
    copy.body = std::move(body);
    result.push_back(std::move(copy));
  });
  if (!program.block) {
    result.push_back(program);
    result.back().block = 64;
  }
  if (program.rows > 1) {
    result.push_back(program);
    result.back().rows = 1;
  }
  if (!program.grid) {
    result.push_back(program);
    result.back().grid = 2;
  }
  return result;
}

} // namespace warpdrf::fuzz
