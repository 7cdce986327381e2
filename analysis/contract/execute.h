// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic execution of one thread of a kernel: dialect in, Trace out. Everything is inlined.
// Branches are merged with if-then-else terms; a loop is unrolled when its trip count is a small
// constant, else its carried values get closed forms (execute_loop.cpp).
#pragma once

#include "analysis/contract/budget.h"
#include "analysis/contract/coordinates.h"
#include "analysis/contract/trace.h"

#include <memory>

namespace warpdrf::contract {

struct Execution {
  TermPool &pool;
  ir::FuncOp kernel;
  const LaunchContext &context;
  const Coordinates &coordinates;
  const Options &options;
  const Budget &budget;
  const Cancelled &cancelled;
};

/// Runs the kernel twice: the first run finds out which objects are written, which decides what
/// their reads give. Never fails; what it does not understand is in Trace::unsupported.
std::unique_ptr<Trace> execute(const Execution &execution);

/// The dimensions the kernel and the functions it calls read.
DimensionsRead dimensionsRead(ir::FuncOp kernel);

/// The source range of a location or op, {} when it is unknown.
Range rangeOf(mlir::Location location);
Range rangeOf(mlir::Operation *op);

} // namespace warpdrf::contract
