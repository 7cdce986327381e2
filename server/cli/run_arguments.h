// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel arguments as `warpdrf run` takes them: `--arg NAME=VALUE` and the same in a JSON file.
#pragma once

#include "analysis/interpreter/interpreter.h"

namespace warpdrf::cli {

/// NAME=VALUE, where VALUE is
///   a number                    of a scalar; 0 of a pointer: null
///   zeros:N[:T] iota:N[:T]      an array of N elements: all 0; 0, 1, 2, …
///   random:N[:T]                whole numbers below 256, floats below 1, from --seed
///   fill:N:VALUE[:T]            all the same
///   …,INDEX=NUMBER              elements of such an array that differ, as often as needed
///   @FILE[:T]                   the bytes of a file
///   &OTHER[+BYTES]              a pointer into another argument's array
/// and NAME@OFFSET=VALUE[:T] a field of a record. T is i8 i16 i32 i64 f16 bf16 f32 f64; without it,
/// what the kernel accesses. Says what is wrong, or nothing.
std::string parseArgument(const std::string &text,
                          std::map<std::string, interpreter::Argument> &arguments);

/// A JSON object of such VALUEs by NAME (or NAME@OFFSET). Numbers and booleans need no text; a list
/// of numbers is an array; {"value": …, "type": T} gives either a type.
std::string readArguments(const std::string &path,
                          std::map<std::string, interpreter::Argument> &arguments);

/// "X", "X,Y" or "X,Y,Z".
std::string parseDimensions(const std::string &text, std::array<std::int64_t, 3> &dimensions);

/// `0,5` as linear indices of blocks, each once.
std::string parseBlocks(const std::string &text, std::vector<std::uint32_t> &blocks);

/// `12` or `helper.cuh:12` as the range of a line; `path` is the file of a bare number.
std::string parseLine(const std::string &text, const std::string &path, std::vector<Range> &ranges);

/// `3:17`: block and thread, by linear index.
std::string parseThread(const std::string &text,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>> &threads);

} // namespace warpdrf::cli
