// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's text form: what `warpdrf lower` prints and `.mlir` tests hold. Round-trips.
#pragma once

#include <memory>
#include <string>

namespace mlir {
class MLIRContext;
class ModuleOp;
template <typename>
class OwningOpRef;
} // namespace mlir

namespace warpdrf::ir {

/// A context with the `warpdrf` and `arith` dialects loaded and MLIR's own threads off.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Prints a module; with `locations` every op shows the source range it stands for.
std::string print(mlir::ModuleOp module, bool locations);

/// Parses and verifies. On failure the result is empty and `error` says what and where. `path` is
/// where an operation without a location is then said to stand.
mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text, mlir::MLIRContext &context,
                                        std::string &error, const std::string &path = "input.mlir");

} // namespace warpdrf::ir
