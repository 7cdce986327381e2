// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp primitives and barriers: an event each, and a result as uniform as CONTRACT 2.2 says.
#include "analysis/contract/executor.h"
#include "analysis/contract/masks.h"
#include "analysis/contract/planted.h"

#include <algorithm>
#include <bit>

namespace warpdrf::contract {

/// How widely a value that lanes take from the same lanes of their warps is uniform: over the block
/// when these have the same there.
Uniform Executor::reach(Term operand) {
  if (planted(Bug::voteWide))
    return Uniform::Block;
  return std::max(Uniform::Warp, std::min(operand->uniformGivenLane, Uniform::Block));
}

/// What a warp makes of the values of all its lanes: `fold` says that of equal ones it makes the
/// same however many they are, as a maximum does; a sum does not.
Uniform Executor::reachOfAll(Term operand, bool fold) {
  const bool alike = fold && operand->uniform >= Uniform::Block;
  return alike || wholeWarpRuns() || planted(Bug::voteWide) ? reach(operand) : Uniform::Warp;
}

/// In words, for messages.
static std::string whatGives(mlir::Operation *op) {
  if (auto primitive = llvm::dyn_cast<ir::PrimitiveOp>(op))
    return "what '" + primitive.getName().str() + "' gives";
  if (auto barrier = llvm::dyn_cast<ir::BarrierOp>(op))
    return "what '" + barrier.getName().str() + "' gives";
  return "what a reduction by shuffles gives";
}

Term Executor::collective(mlir::Operation *op, Term operand, Uniform uniform, bool boolean,
                          Interval range, int tag) {
  std::uint64_t key =
      (operand ? operand->id : 0) * 1000003ull + static_cast<std::uint64_t>(tag) * 31 + 17;
  return keyedAtom(op, key,
                   {SymbolKind::Collective, whatGives(op), uniform, uniform, boolean, range});
}

/// No lane of the warp was left out at the launch or has left the kernel on its own.
bool Executor::wholeWarpRuns() const {
  return execution.coordinates.completeWarps && std::ranges::all_of(exits, [&](unsigned exit) {
           return trace->exits[exit].condition->uniform >= Uniform::Warp;
         });
}

/// Of a later segment nothing is to be had: a lane reads its own value.
Term Executor::xorSource(Term lane, Term distance, Term end, std::int64_t width) {
  Term source = pool.bitXor(lane, distance);
  bool within = distance->range.lo >= 0 && distance->range.hi < width &&
                std::has_single_bit(static_cast<std::uint64_t>(width));
  return within ? source : pool.ite(pool.le(source, end), source, lane);
}

Term Executor::shuffle(ir::PrimitiveOp op, Event &event) {
  auto arguments = op.getArguments();
  Term operand = value(arguments[0]), other = value(arguments[1]);
  auto width = constantOf(value(arguments[2]));
  event.operand = operand;
  bool complete = isFullMask(event.mask, execution.options.warpWidth);
  Term lane = execution.coordinates.lane;
  if (width && *width > 0) {
    Term segment = pool.mul(pool.div(lane, pool.integer(*width)), pool.integer(*width));
    Term within = pool.sub(lane, segment);
    Term end = pool.addConstant(segment, *width - 1);
    if (op.getKind() == ir::PrimitiveKind::ShflIdx)
      event.source = pool.add(segment, pool.mod(other, pool.integer(*width)));
    else if (op.getKind() == ir::PrimitiveKind::ShflXor)
      event.source = xorSource(lane, other, end, *width);
    else if (op.getKind() == ir::PrimitiveKind::ShflDown)
      event.source = pool.ite(pool.le(pool.add(lane, other), end), pool.add(lane, other), lane);
    else
      event.source = pool.ite(pool.le(other, within), pool.sub(lane, other), lane);
  }
  if (complete && operand->uniform >= Uniform::Warp && wholeWarpRuns())
    return operand;
  bool whole = width && *width == execution.options.warpWidth;
  Uniform uniform = Uniform::Thread;
  if (op.getKind() == ir::PrimitiveKind::ShflIdx && complete && whole &&
      other->uniform >= Uniform::Warp)
    uniform = std::min(reach(operand), other->uniform);
  bool segments = op.getKind() == ir::PrimitiveKind::ShflIdx && complete && width && *width > 0 &&
                  !whole && other->uniform >= Uniform::Warp;
  if (segments) { // the same for all lanes of a segment: a function of its number
    Uniform each = std::min(reach(operand), other->uniform);
    Term segment[] = {pool.div(lane, pool.integer(*width))};
    return keyedAtom(
        op, mixHash(mixHash(operand->id, other->id), 19),
        {SymbolKind::Collective, whatGives(op), each, each, operand->boolean, operand->range},
        segment);
  }
  Term result = collective(op, operand, uniform, operand->boolean, operand->range,
                           static_cast<int>(other->id));
  auto distance = constantOf(other);
  if (op.getKind() == ir::PrimitiveKind::ShflXor && complete && distance && width)
    shuffles[result] = {operand, *distance, *width};
  if (op.getKind() == ir::PrimitiveKind::ShflIdx && whole && !complete)
    noteGroupTicket(result, event.mask, operand, other);
  return result;
}

/// `if (lane == leader) old = atomicAdd(…); old = shfl(old, leader)`, where the leader is the first
/// lane of the group that the mask names.
void Executor::noteGroupTicket(Term result, Term mask, Term operand, Term source) {
  if (mask->op != Op::Atom || result->op != Op::Atom || operand->op != Op::Ite)
    return;
  const auto symbol = static_cast<unsigned>(mask->value);
  const auto match = trace->matches.find(symbol);
  if (match == trace->matches.end() && !trace->ballots.contains(symbol))
    return;
  Term argument[] = {mask}, lane = execution.coordinates.lane;
  Term leader = pool.addConstant(pool.apply("__ffs", argument, false, {0, 64}), -1);
  if (source != leader)
    return;
  Term rank = rankOf(mask), leads = operand->children[0];
  const bool first =
      leads == pool.eq(lane, leader) || (rank && leads == pool.eq(rank, pool.integer(0)));
  Term old = operand->children[1];
  const auto ticket = old->op == Op::Atom ? trace->tickets.find(static_cast<unsigned>(old->value))
                                          : trace->tickets.end();
  if (!first || ticket == trace->tickets.end())
    return;
  // The leader's range has to be what the others take it for.
  std::unordered_map<Term, bool> seen;
  bool common = true;
  for (Term part : {ticket->second.offset, ticket->second.amount})
    forEachAtom(part, seen, [&](Term atom) {
      const bool key = match != trace->matches.end() && atom == match->second.key;
      common &= atom == mask || key || pool.symbolOf(atom).uniform >= Uniform::Warp ||
                pool.symbolOf(atom).kind == SymbolKind::Function;
    });
  if (common)
    trace->groupTickets[static_cast<unsigned>(result->value)] = {mask, old, counterArguments()};
}

void Executor::runPrimitive(ir::PrimitiveOp op) {
  Event &event = emit(Event::Kind::Primitive, op);
  event.name = op.getName().str();
  event.mask = op.getMask() ? value(op.getMask()) : nullptr;
  event.scope = ir::SyncScope::Warp;
  using K = ir::PrimitiveKind;
  K kind = op.getKind();
  if (kind == K::SyncWarp) {
    bumpVersions(false);
    reissuePending();
    return;
  }
  if (kind == K::MatrixLoad || kind == K::MatrixStore) {
    Term stride = value(op.getStride());
    auto rows = static_cast<std::int64_t>(op.getRows());
    for (const Pointee &target : resolve(value(op.getAddress()), op)) {
      // One access by the whole warp; its row is any of `rows`.
      Term row = pool.atom(pool.addSymbol({SymbolKind::Unknown,
                                           "row",
                                           Uniform::Thread,
                                           Uniform::Thread,
                                           false,
                                           {0, std::max<std::int64_t>(rows - 1, 0)}}));
      Pointee moved{target.condition, target.object,
                    pool.add(target.offset, pool.mul(row, stride))};
      Event &access = accessEvent(kind == K::MatrixLoad ? Event::Kind::Read : Event::Kind::Write,
                                  moved, static_cast<std::int64_t>(op.getRowBytes()), op);
      access.byWarp = true;
      if (access.writes()) {
        state.versions[target.object] = nextVersion++;
        noteStored(access, nullptr);
      }
    }
    return;
  }
  if (op.getArguments().empty())
    return;
  bool complete = isFullMask(event.mask, execution.options.warpWidth);
  event.operand = value(op.getArguments()[0]);
  std::int64_t fullMask = (std::int64_t{1} << std::min(execution.options.warpWidth, 60u)) - 1;
  const bool fold = kind == K::Any || kind == K::All || kind == K::ReduceMin ||
                    kind == K::ReduceMax || kind == K::ReduceAnd || kind == K::ReduceOr;
  Uniform uniform = complete ? reachOfAll(event.operand, fold) : Uniform::Thread;
  auto truth = [&](Term t) { return t->boolean ? t : pool.negate(pool.eq(t, pool.integer(0))); };
  std::vector<Term> results;
  switch (kind) {
  case K::ShflIdx:
  case K::ShflUp:
  case K::ShflDown:
  case K::ShflXor:
    results = {shuffle(op, event)};
    break;
  case K::Ballot: {
    event.operand = truth(event.operand);
    Term mask = collective(op, event.operand, uniform, false, {0, fullMask},
                           event.mask ? static_cast<int>(event.mask->id) : 0);
    trace->ballots[static_cast<unsigned>(mask->value)] = {event.operand, event.path,
                                                          counterArguments()};
    results = {mask};
    break;
  }
  case K::Any:
  case K::All:
    event.operand = truth(event.operand);
    if (auto c = constantOf(event.operand); c && complete)
      results = {pool.boolean(*c)};
    else
      results = {collective(op, event.operand, uniform, true, {0, 1})};
    break;
  case K::MatchAny:
    results = {collective(op, event.operand, Uniform::Thread, false, {0, fullMask})};
    trace->matches[static_cast<unsigned>(results[0]->value)] = {
        event.operand, counterArguments(), complete ? nullptr : event.mask,
        complete ? std::vector<Term>() : event.path};
    break;
  case K::MatchAll:
    results = {collective(op, event.operand, uniform, false, {0, fullMask}),
               collective(op, event.operand, uniform, true, {0, 1}, 1)};
    break;
  default:
    results = {collective(op, event.operand, uniform, false,
                          kind == K::ReduceMin || kind == K::ReduceMax
                              ? event.operand->range
                              : Interval{-kUnbounded, kUnbounded})};
    break;
  }
  event.result = results[0];
  const bool alike = kind != K::ShflIdx && kind != K::ShflUp && kind != K::ShflDown &&
                     kind != K::ShflXor && kind != K::MatchAny;
  if (alike && !complete && event.mask->op == Op::Atom && results[0]->op == Op::Atom &&
      trace->matches.contains(static_cast<unsigned>(event.mask->value)))
    trace->groupTickets[static_cast<unsigned>(results[0]->value)] = {event.mask, nullptr,
                                                                     counterArguments()};
  for (auto [result, term] : llvm::zip(op.getOutputs(), results)) {
    if (result.getType().isInteger(1) && !term->boolean)
      term = truth(term);
    define(result, term);
  }
}

void Executor::runBarrier(ir::BarrierOp op) {
  Event &event = emit(Event::Kind::Barrier, op);
  event.name = op.getName().str();
  event.scope = op.getScope();
  if (op.isNamed())
    event.operand = value(op.getId()); // what named barriers match by
  if (op.getCount())
    event.count = value(op.getCount());
  bumpVersions(true, event.scope >= ir::SyncScope::Grid);
  reissuePending();
  if (!op.getResult())
    return;
  Term predicate = op.getPredicate() ? value(op.getPredicate()) : pool.boolean(true);
  event.value = predicate;
  define(op.getResult(), collective(op, predicate, Uniform::Block, false, {0, 1024}));
}

} // namespace warpdrf::contract
