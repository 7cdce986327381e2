// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a module that all languages share. An expression is written where it is used, if
// that is one place; one that rests on what may change (a variable, memory) is put into a temporary
// before anything changes it.
#pragma once

#include "analysis/ir/dialect.h"
#include "analysis/raise/language.h"

#include <map>
#include <set>

namespace warpdrf::raise {

class Raiser {
public:
  Raiser(const Language &language, Subject &subject) : language(language), subject(subject) {}

  /// The kernel and what it calls. Empty on failure; `problem()` says why.
  std::string raise(ir::FuncOp kernel);
  const std::string &problem() const { return error; }

private:
  struct Expression {
    std::string text;
    bool atomic = true;   ///< needs no parentheses
    bool changes = false; ///< rests on a variable or on memory that is written
  };

  // raiser.cpp: functions and statements
  void function(ir::FuncOp op);
  void calleesFirst(ir::FuncOp op);
  void region(mlir::Region &region);
  void operation(mlir::Operation &op);
  bool statement(mlir::Operation &op);
  void variable(ir::VarOp op);
  void assign(ir::SetOp op);
  void branch(ir::IfOp op);
  void loop(ir::LoopOp op);
  void endless(ir::LoopOp op);
  void select(ir::SwitchOp op);
  void call(ir::CallOp op);
  void primitive(ir::PrimitiveOp op);
  bool objects(ir::FuncOp kernel);
  std::string stepText(ir::LoopOp op);

  // expressions.cpp
  bool expression(mlir::Operation &op);
  void special(ir::SpecialOp op);
  void binary(mlir::Operation &op);
  void compare(mlir::arith::CmpIOp op);
  void constant(mlir::arith::ConstantOp op);
  void define(mlir::Value value, Expression expression);
  Expression operand(mlir::Value value);
  std::string inside(mlir::Value value); ///< as an operand of an operator
  std::string element(mlir::Value address);
  std::string words(mlir::Value bytes);
  std::string low(mlir::Value wide);
  std::string asTemporary(mlir::Value value, const Expression &expression);
  void settle();

  void line(const std::string &text);
  void fail(mlir::Operation &op, const std::string &what);
  std::string fresh(const std::string &wanted);
  Type typeOf(mlir::Type type, mlir::Operation &op);

  const Language &language;
  Subject &subject;
  std::string out, error;
  unsigned depth = 0, temporaries = 0;
  std::set<mlir::Operation *> emitted, entered;
  std::set<std::string> names;
  std::set<std::string> written; ///< objects that something writes
  llvm::DenseMap<mlir::Value, Expression> values;
  std::vector<mlir::Value> pending; ///< not yet used, in order
  llvm::DenseMap<mlir::Value, std::string> slots;
  std::set<mlir::Operation *> undeclared;            ///< variables whose first value declares them
  std::map<std::string, std::string> buffers;        ///< name by symbol
  llvm::DenseMap<mlir::Value, std::string> pointers; ///< name by the kernel's parameter
};

} // namespace warpdrf::raise
