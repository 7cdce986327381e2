// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers one function body. The methods are spread over the files named in front of each group.
//
// **Invariants.** A scalar expression is an SSA value, a record (or array) expression is the
// address of an object that holds it. Nothing is emitted after an op that ends its block
// (`reachable`).
#pragma once

#include "analysis/frontend/lower/address_taken.h"
#include "analysis/frontend/lower/unit.h"

namespace warpdrf::frontend {

/// Where an lvalue lives: a slot, an address (of the storage unit, for a bit-field), or, for a
/// parameter that nobody assigns, just its value.
struct Place {
  mlir::Value value = {};
  mlir::Value slot = {};
  mlir::Value address = {};
  const clang::FieldDecl *bitField = nullptr;
  clang::QualType type = {};
};

/// Whether a type is libcu++'s class template `name` of a scope.
bool isLibraryObject(clang::QualType type, llvm::StringRef name, llvm::StringRef scope);

class FunctionLowering {
public:
  FunctionLowering(UnitLowering &unit, const clang::FunctionDecl *function);
  void run(const std::string &symbol);

private:
  // Helpers of asm.cpp and groups.cpp.
  friend struct AsmLowering;
  friend struct GroupLowering;
  friend struct MatrixLowering;
  friend struct ObjectAtomics;
  using Value = mlir::Value;

  // --- function.cpp: signature, parameters, constructors' initialisers, building blocks
  void kernelAttributes(ir::FuncOp op);
  void bindParameters(mlir::Block &entry);
  void initialiseMembers(const clang::CXXConstructorDecl *constructor);
  void initialiseMember(const clang::CXXConstructorDecl *constructor,
                        const clang::CXXCtorInitializer *initialiser);
  bool reachable();
  mlir::Location loc(const clang::Stmt *stmt) { return unit.locations.of(stmt); }
  Value integer(mlir::Location loc, mlir::Type type, std::int64_t value);
  Value integer64(mlir::Location loc, std::int64_t value) {
    return integer(loc, types.integer(64), value);
  }
  Value boolean(mlir::Location loc, bool value) { return integer(loc, types.integer(1), value); }
  Value zero(mlir::Location loc, mlir::Type type);
  Value offset(mlir::Location loc, Value base, std::int64_t bytes);
  Value local(mlir::Location loc, llvm::StringRef name, std::int64_t size);
  Value temporary(const clang::Expr *expr, clang::QualType type);
  Value slot(mlir::Location loc, llvm::StringRef name, mlir::Type type);
  /// Emits `warpdrf.unsupported`; with a type, also the value that stands for the missing one.
  Value unsupported(const clang::Stmt *at, const std::string &construct, mlir::Type type = {});
  void assumeFalse(mlir::Location loc);
  void emitIf(mlir::Location loc, Value condition, llvm::function_ref<void()> thenBody,
              llvm::function_ref<void()> elseBody);
  Value read(mlir::Location loc, Value address, clang::QualType type);
  void write(mlir::Location loc, Value address, Value value, clang::QualType type);

  // --- stmt.cpp
  void statement(const clang::Stmt *stmt);
  void declaration(const clang::Decl *decl, const clang::Stmt *at);
  void declareVariable(const clang::VarDecl *variable, const clang::Stmt *at);
  void hoistVariable(const clang::VarDecl *variable);
  void hoistVariables(const clang::Stmt *stmt);
  void hoistAll(const clang::Stmt *stmt);
  void compound(const clang::CompoundStmt *stmt);
  void ifStatement(const clang::IfStmt *stmt);
  using Attributes = llvm::ArrayRef<const clang::Attr *>;
  struct LoopParts {
    const clang::Stmt *at;
    const clang::Expr *condition; ///< null: true
    const clang::VarDecl *conditionVariable = nullptr;
    llvm::ArrayRef<const clang::Stmt *> body;
    const clang::Expr *step = nullptr;
    bool postTest = false;
  };
  void loop(const LoopParts &parts, Attributes attributes);
  bool listFor(const clang::CXXForRangeStmt *stmt, Attributes attributes);
  void rangeFor(const clang::CXXForRangeStmt *stmt, Attributes attributes);
  void loopStatement(const clang::Stmt *stmt, Attributes attributes);
  void forStatement(const clang::ForStmt *stmt, Attributes attributes);
  void switchStatement(const clang::SwitchStmt *stmt);
  void countedLoop(mlir::Location loc, std::int64_t count, llvm::function_ref<void(Value)> body);
  /// From `first` on in steps of `stride`, as long as `goesOn`.
  void stridedLoop(mlir::Location loc, Value first, Value stride,
                   llvm::function_ref<Value(Value)> goesOn, llvm::function_ref<void(Value)> body);
  void returnStatement(const clang::ReturnStmt *stmt);

  // --- expr_scalar.cpp, operators.cpp, casts.cpp
  Value scalar(const clang::Expr *expr);
  Value scalarUnfolded(const clang::Expr *expr);
  Value condition(const clang::Expr *expr) { return scalar(expr); }
  void effects(const clang::Expr *expr);
  std::optional<clang::APValue> constantOf(const clang::Expr *expr);
  std::optional<bool> constantCondition(const clang::Expr *expr);
  Value constantValue(mlir::Location loc, const clang::APValue &value, clang::QualType type);
  Value load(const clang::Expr *glvalue);
  Value conditional(const clang::Expr *at, const clang::Expr *condition, mlir::Type type,
                    llvm::function_ref<Value()> whenTrue, llvm::function_ref<Value()> whenFalse,
                    bool speculate);
  Value unary(const clang::UnaryOperator *expr);
  Value increment(const clang::UnaryOperator *expr);
  Value binary(const clang::BinaryOperator *expr);
  Value logical(const clang::BinaryOperator *expr);
  void assign(const clang::BinaryOperator *expr);
  void compoundAssign(const clang::CompoundAssignOperator *expr);
  Value arithmetic(const clang::Stmt *at, clang::BinaryOperatorKind kind, Value lhs, Value rhs,
                   clang::QualType type);
  Value compare(const clang::Stmt *at, clang::BinaryOperatorKind kind, Value lhs, Value rhs,
                clang::QualType type);
  Value pointerAdd(const clang::Stmt *at, Value base, Value index, clang::QualType indexType,
                   clang::QualType pointer, bool negative);
  Value cast(const clang::CastExpr *expr);
  Value convert(mlir::Location loc, Value value, clang::QualType from, clang::QualType to);
  Value truth(mlir::Location loc, Value value);
  bool isSpeculatable(const clang::Expr *expr);

  // --- expr_address.cpp
  Place place(const clang::Expr *expr);
  /// The address of an lvalue, or of the object that a record prvalue is put in.
  Value address(const clang::Expr *expr);
  mlir::IntegerAttr innerExtent(const clang::Expr *base, Value bytes);
  Place variablePlace(const clang::VarDecl *variable, const clang::Expr *at);
  Place declPlace(const clang::DeclRefExpr *expr);
  Place capturePlace(const clang::ValueDecl *variable, const clang::Expr *at);
  Place memberPlace(const clang::MemberExpr *expr);
  Place fieldPlace(mlir::Location loc, Value base, const clang::FieldDecl *field,
                   clang::QualType type);
  Value baseOffset(const clang::CastExpr *cast, Value pointer);
  Value groupOfAnyKind(const clang::CastExpr *cast, Value pointer); // any_group.cpp
  Value readPlace(mlir::Location loc, const Place &place);
  void writePlace(mlir::Location loc, const Place &place, Value value);
  Value pointerTo(const Place &place, const clang::Expr *at);

  // --- expr_record.cpp
  /// Initialises the object at `destination`, of any type, with the value of `expr`.
  void initialise(const clang::Expr *expr, Value destination, clang::QualType type);
  void recordInto(const clang::Expr *expr, Value destination);
  void initList(const clang::Expr *at, llvm::ArrayRef<clang::Expr *> inits,
                const clang::FieldDecl *unionField, const clang::Expr *filler, clang::QualType type,
                Value destination);
  void construct(const clang::CXXConstructExpr *expr, Value destination);
  void copyArray(const clang::ArrayInitLoopExpr *expr, Value destination);
  void lambda(const clang::LambdaExpr *expr, Value destination);
  void copyBytes(mlir::Location loc, Value destination, Value source, clang::QualType type);
  void noteDestructor(const clang::Stmt *at, clang::QualType type);

  // --- call.cpp
  /// Lowers a call; `destination` takes a record result. Null when the call gives no scalar.
  Value call(const clang::CallExpr *expr, Value destination);
  Value emitCall(const clang::Expr *at, const clang::FunctionDecl *callee, Value destination,
                 Value object, llvm::ArrayRef<const clang::Expr *> arguments);
  Value indirectCall(const clang::CallExpr *expr, Value destination);
  Value virtualObject(const clang::CallExpr *expr, const clang::CXXMethodDecl *&method,
                      llvm::ArrayRef<const clang::Expr *> &arguments);
  Value argument(const clang::Expr *expr, clang::QualType parameter);
  Value callObject(const clang::CallExpr *expr, llvm::ArrayRef<const clang::Expr *> &arguments);
  const clang::Expr *pseudoResult(const clang::PseudoObjectExpr *expr);

  // --- library.cpp: functions of system headers that are not descended into
  bool isOpaqueLibrary(const clang::FunctionDecl *callee);
  Value applyLibrary(const clang::Expr *at, const clang::FunctionDecl *callee, Value destination,
                     llvm::ArrayRef<const clang::Expr *> arguments);

  // --- builtins.cpp, sync.cpp, groups.cpp: functions known by name
  bool builtin(const clang::CallExpr *expr, const clang::FunctionDecl *callee, Value destination,
               Value &result);
  bool syncBuiltin(const clang::CallExpr *expr, llvm::StringRef name, Value destination,
                   Value &result);
  bool shuffle(const clang::CallExpr *expr, llvm::StringRef name, Value destination, Value &result);
  Value extreme(mlir::Location loc, bool least, Value a, Value b, clang::QualType type);
  Value standardMinMax(const clang::CallExpr *expr);
  bool vote(const clang::CallExpr *expr, llvm::StringRef name, Value &result);
  bool barrier(const clang::CallExpr *expr, llvm::StringRef name, Value &result);
  bool valueBuiltin(const clang::CallExpr *expr, llvm::StringRef name, Value &result);
  bool atomicBuiltin(const clang::CallExpr *expr, llvm::StringRef name, Value destination,
                     Value &result);
  bool atomicObject(const clang::CallExpr *expr, const clang::FunctionDecl *callee, Value &result);
  bool memoryBuiltin(const clang::CallExpr *expr, llvm::StringRef name, Value destination,
                     Value &result);
  /// A cooperative group of a size known at compile time. Its objects hold nothing that is read.
  bool isTile(const clang::CXXRecordDecl *record) const;
  bool groupBuiltin(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                    Value destination, Value &result);
  bool matrixBuiltin(const clang::CallExpr *expr, const clang::FunctionDecl *callee);

  // --- pipelines.cpp: asynchronous copies
  bool pipeline(const clang::CallExpr *expr, llvm::StringRef name);
  bool pipelineObject(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                      Value &result);
  bool pipelineCopy(const clang::CallExpr *expr);
  bool isLibraryObject(const clang::CXXRecordDecl *record) const;
  std::optional<std::int64_t> constantSize(const clang::Expr *expr);
  void closeCopies(mlir::Location loc);
  void waitForCopies(mlir::Location loc, std::int64_t keep);

  // --- group_copies.cpp
  Value byteCount(const clang::Expr *expr);

  // --- memory_barriers.cpp: cuda::barrier
  bool memoryBarrier(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                     Value destination, Value &result);
  bool barrierMember(const clang::CallExpr *expr, llvm::StringRef name, Value destination,
                     Value &result);
  bool barrierCopy(const clang::CallExpr *expr);

  // --- device_runtime.cpp
  Value allocation(const clang::Expr *at, const clang::Expr *count, std::int64_t unitSize);
  Value newObject(const clang::CXXNewExpr *expr);
  void deleteObject(const clang::CXXDeleteExpr *expr);
  void launchFromDevice(const clang::CUDAKernelCallExpr *launch);
  bool deviceRuntime(const clang::CallExpr *expr, llvm::StringRef name, Value &result);

  // --- surfaces.cpp
  bool surface(const clang::CallExpr *expr, llvm::StringRef name, Value destination, Value &result);

  // --- library.cpp
  bool mathWithPointers(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                        Value &result);

  // --- builtins.cpp, continued
  Value argumentAs(const clang::Expr *expr, mlir::Type type);
  Value asBits(const clang::Expr *expr);
  void fromBits(mlir::Location loc, Value bits, Value destination);
  Value bitcast(mlir::Location loc, Value value, mlir::Type type);

  // --- asm.cpp
  void inlineAsm(const clang::GCCAsmStmt *stmt);

  UnitLowering &unit;
  const clang::FunctionDecl *function;
  const Types &types;
  mlir::OpBuilder builder;
  AddressTaken addressTaken;
  std::map<const clang::ValueDecl *, Place> variables;
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures;
  clang::FieldDecl *thisCapture = nullptr;
  Value thisPointer;
  Value resultPointer;
  // The array that is being copied element by element, and where in it we are.
  std::map<const clang::OpaqueValueExpr *, Value> boundAddresses;
  std::vector<Value> arrayIndices;
};

} // namespace warpdrf::frontend
