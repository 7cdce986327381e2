// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/conformance/compare.h"

namespace warpdrf::conformance {

static bool isNote(const Block &block, unsigned place) {
  for (const Statement &statement : block) {
    if (statement.kind == Statement::Kind::Note && statement.number == place)
      return true;
    for (const Arm &arm : statement.arms)
      if (isNote(arm.body, place))
        return true;
  }
  return false;
}

std::optional<Difference> compare(const Test &test, const Memory &seen) {
  const Layout &layout = test.layout;
  const Memory &wanted = test.expected.memory;
  std::optional<Difference> first;
  std::uint64_t cells = 0;
  const auto differ = [&](Difference::Kind kind, unsigned place, unsigned visit, unsigned thread,
                          std::uint32_t expected, std::uint32_t got) {
    ++cells;
    if (!first)
      first = {kind, false, place, visit, thread, expected, got, 0};
  };
  for (unsigned place = 0; place < layout.places; ++place) {
    for (unsigned visit = 0; visit < layout.capacity; ++visit)
      for (unsigned thread = 0; thread < layout.threads; ++thread) {
        const std::size_t cell =
            2 * ((std::size_t{place} * layout.capacity + visit) * layout.threads + thread);
        for (unsigned part = 0; part < 2; ++part)
          if (wanted.results[cell + part] != seen.results[cell + part])
            differ(part ? Difference::Kind::Count : Difference::Kind::Lanes, place, visit, thread,
                   wanted.results[cell + part], seen.results[cell + part]);
      }
    for (unsigned thread = 0; thread < layout.threads; ++thread) {
      const std::size_t cell = std::size_t{place} * layout.threads + thread;
      if (wanted.visits[cell] != seen.visits[cell])
        differ(Difference::Kind::Visits, place, 0, thread, wanted.visits[cell], seen.visits[cell]);
    }
  }
  if (first) {
    first->cells = cells;
    for (const Block &function : test.program.functions)
      first->note |= isNote(function, first->place);
  }
  return first;
}

std::string lanesText(std::uint32_t lanes) {
  std::string text;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned end = lane;
    while (end + 1 < 32 && (lanes >> (end + 1) & 1))
      ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(lane) +
            (end > lane ? "-" + std::to_string(end) : "");
    lane = end;
  }
  return text.empty() ? "none" : text;
}

std::string text(const Difference &difference) {
  if (difference.kind == Difference::Kind::NoEnd)
    return "does not end";
  std::string where = (difference.note ? "note " : "place ") + std::to_string(difference.place);
  std::string thread = ", thread " + std::to_string(difference.thread) + ": ";
  const std::string more = " (" + std::to_string(difference.cells) + " cells differ)";
  if (difference.kind != Difference::Kind::Visits)
    where += ", visit " + std::to_string(difference.visit);
  if (difference.kind == Difference::Kind::Lanes)
    return where + thread + "expected lanes " + lanesText(difference.expected) + ", seen " +
           lanesText(difference.seen) + more;
  return where + thread + "expected " + std::to_string(difference.expected) +
         (difference.kind == Difference::Kind::Count ? " lanes counted, seen " : " visits, seen ") +
         std::to_string(difference.seen) + more;
}

} // namespace warpdrf::conformance
