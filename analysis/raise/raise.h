// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the dialect to a program for a device: one file per language over a shared walk
// (raiser.h). The output is deterministic and for people to read. What a language lacks is an error
// that names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpdrf::raise {

/// The languages there are: "glsl", ….
const std::vector<std::string> &targets();

/// An array that the program reads or writes, of 32-bit words.
struct Buffer {
  std::string name; ///< in the program
  bool written = false;
  std::uint64_t words = 0;
  std::vector<std::uint32_t> contents; ///< at the start; what is missing is zero
};

/// What a run needs beside the text. Bindings are the buffers' indices.
struct Subject {
  std::string kernel;
  unsigned width = 32, threads = 32; ///< of the one block
  std::vector<Buffer> buffers;
  /// Of a conformance test (conformance/text.h), else 0.
  unsigned places = 0, capacity = 0;
  std::uint64_t seed = 0;
  std::string contract;
};

struct Raised {
  std::string text, extension;
  Subject subject;
};

/// Raises a kernel (empty: the only one) of a module given as dialect text.
std::optional<Raised> raise(const std::string &module, const std::string &path,
                            const std::string &kernel, const std::string &target,
                            std::string &error);

} // namespace warpdrf::raise
