// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers one call of a cooperative group. groups.cpp has blocks, grids and tiles of a size known at
// compile time, coalesced_groups.cpp the groups that a run forms, any_group.cpp `thread_group`,
// group_copies.cpp what they copy together.
//
// **Invariant.** Of a group's object only these files know what it holds: nothing for blocks, grids
// and tiles; the mask of its lanes for a coalesced group; a tag, and the mask if it is one of
// coalesced threads, for a `thread_group`.
#pragma once

#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

struct GroupLowering {
  using Value = mlir::Value;

  bool run(llvm::StringRef name, Value &result);
  bool barrier(const clang::CXXRecordDecl *group);
  bool tile(llvm::StringRef name, Value &result);
  bool tileCollective(llvm::StringRef name, Value &result);
  bool tileShape(llvm::StringRef name, Value &result);
  bool wideTile(llvm::StringRef name, Value &result);
  void wideBarrier();
  void shuffleWords(ir::PrimitiveKind kind, const std::string &shown);
  bool tileReduction(llvm::StringRef name, Value &result);
  Value combine(const clang::CXXRecordDecl *function, Value a, Value b, clang::QualType type);
  Value exchange(ir::PrimitiveKind kind, const std::string &shown, Value value, Value lane);
  Value metaGroup(llvm::StringRef name);
  Value number(std::int64_t value) { return lowering.integer(at, i32, value); }
  Value special(ir::SpecialValue which) { return ir::SpecialOp::create(builder, at, i32, which); }
  Value mask();
  Value threadInBlock();
  Value placeInTile(std::int64_t threads);
  Value threadsInBlock();
  void warpBarrier(const std::string &shown, Value mask);
  void blockBarrier();

  // coalesced_groups.cpp
  bool coalesced(llvm::StringRef name, Value &result);
  bool formGroup(llvm::StringRef name);
  bool coalescedShape(llvm::StringRef name, Value lanes, Value &result);
  bool coalescedShuffle(llvm::StringRef name, Value lanes, Value &result);
  bool coalescedVote(llvm::StringRef name, Value lanes, Value &result);
  bool coalescedReduction(llvm::StringRef name, Value &result);
  Value maskOf(const clang::Expr *groupObject);
  Value rankIn(Value lanes);
  Value laneOfRank(Value lanes, Value rank);
  Value function(llvm::StringRef name, llvm::ArrayRef<Value> arguments);

  // group_copies.cpp
  struct Shares { ///< of what a group does together
    Value rank = {}, threads = {};
    std::int64_t known = 0; ///< the number of threads; 0: not known
    Value barrier = {};     ///< that the copies complete on, if they are not for a wait
  };
  bool copies(llvm::StringRef name);
  bool copyTogether(Value barrier = {});
  bool findShares(const clang::Expr *object, Shares &shares);
  void copyShare(const Shares &shares, std::int64_t unit, Value to, Value from, Value bytes,
                 std::optional<std::int64_t> known);

  // any_group.cpp
  bool anyGroup(llvm::StringRef name, Value &result);
  void anyBarrier(Value object);
  /// Brings a value to the type the call has.
  Value shaped(Value value) {
    return lowering.convert(at, value, lowering.unit.ast.UnsignedIntTy, expr->getType());
  }
  /// The group that a member is called on.
  Value object();

  FunctionLowering &lowering;
  const clang::CallExpr *expr;
  const clang::CXXRecordDecl *group; ///< the class of the group a member is called on
  Value destination;
  mlir::Location at;
  mlir::OpBuilder &builder;
  mlir::Type i32;
  std::int64_t size = 0; ///< of a tile
};

/// The static size of `thread_block_tile<N, …>` or of the base that the toolkit gives it; 0 for any
/// other class.
std::int64_t tileSize(const clang::CXXRecordDecl *group);

} // namespace warpdrf::frontend
