// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread's own memory objects hold at a point of the program.
#pragma once

#include "analysis/contract/term.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace warpdrf::contract {

/// The contents of one object. Bytes nobody wrote are undefined, or zero after a fill.
struct LocalMemory {
  struct Cell {
    std::int64_t size;
    Term value;
    bool operator==(const Cell &) const = default;
  };
  /// Bytes copied from shared, global or parameter memory: read through to what was there then.
  struct Copy {
    std::int64_t offset, size, object;
    Term source; ///< byte offset in `object`
    unsigned version;
    bool operator==(const Copy &) const = default;
  };
  std::map<std::int64_t, Cell> cells; ///< win over copies
  std::vector<Copy> copies;           ///< later ones win
  bool zero = false;                  ///< other bytes are zero
  Term scrambled = nullptr; ///< set once a write with unknown offset happened: names the contents

  bool operator==(const LocalMemory &) const = default;
};

/// All objects of a thread. A large kernel has thousands of cells and as many branches, each of
/// which starts with a copy: copies share what neither has changed. Not thread-safe.
class LocalMemories {
public:
  using Shared = std::map<std::int64_t, std::shared_ptr<LocalMemory>>;

  const Shared &all() const {
    static const Shared none;
    return memories ? *memories : none;
  }

  /// Null if there is no such object yet.
  const LocalMemory *find(std::int64_t object) const {
    auto found = all().find(object);
    return found == all().end() ? nullptr : found->second.get();
  }

  /// To read from; empty if there is no such object yet.
  const LocalMemory &of(std::int64_t object) const {
    static const LocalMemory none;
    const LocalMemory *memory = find(object);
    return memory ? *memory : none;
  }

  /// To be changed. The reference holds until something else is copied or changed.
  LocalMemory &change(std::int64_t object) {
    std::shared_ptr<LocalMemory> &memory = entry(object);
    if (!memory)
      memory = std::make_shared<LocalMemory>();
    else if (memory.use_count() > 1)
      memory = std::make_shared<LocalMemory>(*memory);
    return *memory;
  }

  void set(std::int64_t object, std::shared_ptr<LocalMemory> memory) {
    entry(object) = std::move(memory);
  }

  /// Drops all objects but some.
  template <typename Predicate>
  void keep(Predicate wanted) {
    const auto dropped = [&](const auto &entry) { return !wanted(entry.first); };
    if (std::any_of(all().begin(), all().end(), dropped)) {
      unshare();
      std::erase_if(*memories, dropped);
    }
  }

private:
  void unshare() {
    if (memories.use_count() != 1)
      memories = std::make_shared<Shared>(all());
  }

  std::shared_ptr<LocalMemory> &entry(std::int64_t object) {
    unshare();
    return (*memories)[object];
  }

  std::shared_ptr<Shared> memories; ///< null: none, as when moved from
};

} // namespace warpdrf::contract
