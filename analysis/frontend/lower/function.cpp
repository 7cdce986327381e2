// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

FunctionLowering::FunctionLowering(UnitLowering &unit, const clang::FunctionDecl *function)
    : unit(unit), function(function), types(unit.types), builder(&unit.context),
      addressTaken(function) {}

/// Folding leaves constants behind that nothing uses any more.
static void eraseDead(ir::FuncOp function) {
  std::vector<mlir::Operation *> operations;
  function.walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation *operation) { operations.push_back(operation); });
  for (mlir::Operation *operation : llvm::reverse(operations))
    if (mlir::isOpTriviallyDead(operation))
      operation->erase();
}

void FunctionLowering::run(const std::string &symbol) {
  builder.setInsertionPointToEnd(unit.module->getBody());
  auto op = ir::FuncOp::create(builder, unit.locations.of(function->getSourceRange()), symbol,
                               unit.functionType(function));
  mlir::Block &entry = op.getBody().emplaceBlock();
  for (mlir::Type type : op.getFunctionType().getInputs())
    entry.addArgument(type, op.getLoc());
  builder.setInsertionPointToEnd(&entry);
  if (function->hasAttr<clang::CUDAGlobalAttr>())
    kernelAttributes(op);
  bindParameters(entry);
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    initialiseMembers(constructor);
  if (const clang::Stmt *body = function->getBody())
    statement(body);
  if (reachable() && op.getFunctionType().getNumResults()) {
    // Flowing off the end of a function with a result: nothing may use the value.
    mlir::Type type = op.getFunctionType().getResult(0);
    Value value = ir::UnknownOp::create(builder, op.getLoc(), type, "missing return");
    ir::ReturnOp::create(builder, op.getLoc(), value);
  }
  eraseDead(op);
  if (entry.empty()) // the text form has no function without a body
    ir::ReturnOp::create(builder, op.getLoc(), mlir::ValueRange());
}

/// What an array of this type consists of: the type in memory, or that of all scalars of a record
/// (`half2`, `float4`). Null if there is no one such type.
static mlir::Type elementOf(const Types &types, clang::QualType type) {
  if (type->isIncompleteType() || type->isFunctionType() || types.containsPointer(type))
    return {};
  const std::vector<Leaf> all = types.leaves(type, 16);
  const auto other = [&](const Leaf &leaf) { return leaf.type != all.front().type; };
  return all.empty() || llvm::any_of(all, other) ? mlir::Type() : all.front().type;
}

void FunctionLowering::kernelAttributes(ir::FuncOp op) {
  op.setKernel(true);
  op->setAttr("warpdrf.display_name", builder.getStringAttr(qualifiedName(function)));
  op->setAttr("warpdrf.instantiation", builder.getStringAttr(instantiationName(function)));
  op->setAttr("warpdrf.name_range", unit.locations.of(function->getNameInfo().getSourceRange()));
  llvm::SmallVector<mlir::Attribute> names;
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    names.push_back(builder.getStringAttr(parameter->getName()));
    mlir::Type scalarType = types.scalar(parameter->getType());
    if (!scalarType)
      op.setArgAttr(i, "warpdrf.byval",
                    builder.getI64IntegerAttr(types.size(parameter->getType())));
    else if (scalarType.isInteger() && Types::isUnsigned(parameter->getType()))
      op.setArgAttr(i, "warpdrf.unsigned", builder.getUnitAttr());
    // What an array consists of, for those who make one for the argument.
    if (parameter->getType()->isPointerType())
      if (mlir::Type element = elementOf(types, parameter->getType()->getPointeeType()))
        op.setArgAttr(i, "warpdrf.element", mlir::TypeAttr::get(element));
  }
  op->setAttr("warpdrf.param_names", builder.getArrayAttr(names));
  const auto *bounds = function->getAttr<clang::CUDALaunchBoundsAttr>();
  clang::Expr::EvalResult value;
  if (bounds && !bounds->getMaxThreads()->isValueDependent() &&
      bounds->getMaxThreads()->EvaluateAsInt(value, unit.ast))
    op->setAttr("warpdrf.launch_bounds",
                builder.getI64IntegerAttr(value.Val.getInt().getExtValue()));
}

void FunctionLowering::bindParameters(mlir::Block &entry) {
  unsigned next = 0;
  if (!types.isScalar(function->getReturnType()) && !function->getReturnType()->isVoidType()) {
    llvm::cast<ir::FuncOp>(entry.getParentOp())
        .setArgAttr(0, "warpdrf.sret", builder.getUnitAttr());
    resultPointer = entry.getArgument(next++);
  }
  if (hasThis(function)) {
    thisPointer = entry.getArgument(next++);
    const clang::CXXRecordDecl *record = llvm::cast<clang::CXXMethodDecl>(function)->getParent();
    if (record->isLambda())
      record->getCaptureFields(captures, thisCapture);
  }
  for (const clang::ParmVarDecl *parameter : function->parameters()) {
    Value value = entry.getArgument(next++);
    const mlir::Location at = unit.locations.of(parameter->getSourceRange());
    value.setLoc(at);
    Place &place = variables[parameter];
    place.type = parameter->getType().getNonReferenceType();
    if (parameter->getType()->isReferenceType() || !types.isScalar(parameter->getType())) {
      place.address = value;
    } else if (addressTaken.needsAddress(parameter)) {
      place.address = local(at, parameter->getName(), types.size(parameter->getType()));
      write(at, place.address, value, parameter->getType());
    } else if (addressTaken.isModified(parameter)) {
      place.slot = slot(at, parameter->getName(), value.getType());
      ir::SetOp::create(builder, at, place.slot, value);
    } else {
      place.value = value;
    }
  }
}

void FunctionLowering::initialiseMembers(const clang::CXXConstructorDecl *constructor) {
  if (constructor->getParent()->isUnion() && constructor->isImplicit() &&
      constructor->isCopyOrMoveConstructor()) {
    // A union's implicit copy has no member initialisers: it copies the bytes.
    copyBytes(unit.locations.of(constructor->getSourceRange()), thisPointer,
              variables[constructor->getParamDecl(0)].address,
              unit.ast.getCanonicalTagType(constructor->getParent()));
    return;
  }
  for (const clang::CXXCtorInitializer *initialiser : constructor->inits())
    initialiseMember(constructor, initialiser);
}

void FunctionLowering::initialiseMember(const clang::CXXConstructorDecl *constructor,
                                        const clang::CXXCtorInitializer *initialiser) {
  const mlir::Location at = loc(initialiser->getInit());
  const clang::CXXRecordDecl *record = constructor->getParent();
  if (initialiser->isDelegatingInitializer())
    return initialise(initialiser->getInit(), thisPointer, unit.ast.getCanonicalTagType(record));
  if (initialiser->isBaseInitializer()) {
    if (initialiser->isBaseVirtual()) {
      unsupported(initialiser->getInit(), "virtual base class");
      return;
    }
    const clang::QualType type(initialiser->getBaseClass(), 0);
    const clang::CharUnits bytes =
        unit.ast.getASTRecordLayout(record).getBaseClassOffset(type->getAsCXXRecordDecl());
    return initialise(initialiser->getInit(), offset(at, thisPointer, bytes.getQuantity()), type);
  }
  Place target{.address = thisPointer};
  if (const clang::IndirectFieldDecl *indirect = initialiser->getIndirectMember()) {
    for (const clang::NamedDecl *link : indirect->chain()) {
      const auto *field = llvm::cast<clang::FieldDecl>(link);
      target = fieldPlace(at, target.address, field, field->getType());
    }
  } else {
    const clang::FieldDecl *field = initialiser->getMember();
    const mlir::Type scalarType = types.scalar(field->getType());
    if (field->getType()->isReferenceType()) {
      const std::int64_t bytes = unit.ast.getFieldOffset(field) / 8;
      return initialise(initialiser->getInit(), offset(at, thisPointer, bytes), field->getType());
    }
    target = fieldPlace(at, thisPointer, field, field->getType());
    if (target.bitField && scalarType)
      return writePlace(at, target, scalar(initialiser->getInit()));
  }
  initialise(initialiser->getInit(), target.address, target.type);
}

bool FunctionLowering::reachable() {
  mlir::Block *block = builder.getInsertionBlock();
  return block->empty() || !llvm::isa<ir::ReturnOp, ir::BreakOp, ir::ContinueOp>(block->back());
}

mlir::Value FunctionLowering::integer(mlir::Location loc, mlir::Type type, std::int64_t value) {
  const unsigned width = type.getIntOrFloatBitWidth();
  const llvm::APInt bits(width, static_cast<std::uint64_t>(value), /*isSigned=*/true,
                         /*implicitTrunc=*/true);
  return mlir::arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, bits));
}

mlir::Value FunctionLowering::zero(mlir::Location loc, mlir::Type type) {
  if (llvm::isa<ir::PtrType>(type))
    return ir::NullOp::create(builder, loc, type);
  return mlir::arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

mlir::Value FunctionLowering::offset(mlir::Location loc, Value base, std::int64_t bytes) {
  if (bytes == 0)
    return base;
  return ir::OffsetOp::create(builder, loc, types.pointer(), base, integer64(loc, bytes));
}

mlir::Value FunctionLowering::local(mlir::Location loc, llvm::StringRef name, std::int64_t size) {
  return ir::LocalOp::create(builder, loc, types.pointer(), name, size);
}

mlir::Value FunctionLowering::temporary(const clang::Expr *expr, clang::QualType type) {
  return local(loc(expr), "temporary", types.size(type));
}

mlir::Value FunctionLowering::slot(mlir::Location loc, llvm::StringRef name, mlir::Type type) {
  return ir::VarOp::create(builder, loc, ir::SlotType::get(&unit.context, type), name);
}

mlir::Value FunctionLowering::unsupported(const clang::Stmt *at, const std::string &construct,
                                          mlir::Type type) {
  return ir::UnsupportedOp::create(builder, loc(at), type, construct).getValue();
}

void FunctionLowering::assumeFalse(mlir::Location loc) {
  ir::AssumeOp::create(builder, loc, boolean(loc, false));
}

void FunctionLowering::emitIf(mlir::Location loc, Value condition,
                              llvm::function_ref<void()> thenBody,
                              llvm::function_ref<void()> elseBody) {
  auto op = ir::IfOp::create(builder, loc, condition);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getThenRegion().emplaceBlock());
  thenBody();
  builder.setInsertionPointToStart(&op.getElseRegion().emplaceBlock());
  elseBody();
}

static ir::MemoryOrder orderOf(clang::QualType type) {
  return type.isVolatileQualified() ? ir::MemoryOrder::Volatile : ir::MemoryOrder::Plain;
}

mlir::Value FunctionLowering::read(mlir::Location loc, Value address, clang::QualType type) {
  mlir::Type inMemory = types.memory(type);
  Value value = ir::ReadOp::create(builder, loc, inMemory, address, orderOf(type));
  if (inMemory != types.scalar(type))
    value = truth(loc, value);
  return value;
}

void FunctionLowering::write(mlir::Location loc, Value address, Value value, clang::QualType type) {
  if (mlir::Type inMemory = types.memory(type); inMemory != value.getType())
    value = builder.createOrFold<mlir::arith::ExtUIOp>(loc, inMemory, value);
  ir::WriteOp::create(builder, loc, address, value, orderOf(type));
}

} // namespace warpdrf::frontend
