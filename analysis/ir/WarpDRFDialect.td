// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `warpdrf` dialect: the paper's small language (section 3.1), made fit for real kernels.
//
// One module holds the kernels and device functions of one translation unit, one `warpdrf.func` per
// distinct instantiation, plus the shared, global and constant objects they name. Control flow is
// structured; `return`, `break` and `continue` may end any block. Arithmetic is upstream `arith`;
// any other pure function is `warpdrf.apply`. Scalars are signless iN, f16, bf16, f32, f64 and
// `!warpdrf.ptr`; records live in memory objects and are moved with `warpdrf.copy`.
//
// Every op carries a FileLineColRange location of the source it stands for.
#ifndef WARPDRF_DIALECT
#define WARPDRF_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def WarpDRF_Dialect : Dialect {
  let name = "warpdrf";
  let cppNamespace = "::warpdrf::ir";
  let summary = "memory accesses, warp primitives and structured control flow of one kernel";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===--- types -------------------------------------------------------------------------------------===//

class WarpDRF_Type<string name, string keyword> : TypeDef<WarpDRF_Dialect, name> {
  let mnemonic = keyword;
}

def WarpDRF_Ptr : WarpDRF_Type<"Ptr", "ptr"> {
  let summary = "a pointer: an object and a byte offset in it";
}

def WarpDRF_Slot : WarpDRF_Type<"Slot", "slot"> {
  let summary = "a thread-local variable whose address is never taken";
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}

//===--- enums -------------------------------------------------------------------------------------===//

class WarpDRF_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::warpdrf::ir";
}

def WarpDRF_Space : WarpDRF_Enum<"MemorySpace", "where an object lives", [
  I32EnumAttrCase<"Shared", 0, "shared">,   // one per block
  I32EnumAttrCase<"Global", 1, "global">,   // one per device
  I32EnumAttrCase<"Local", 2, "local">,     // one per thread (and per activation)
  I32EnumAttrCase<"Param", 3, "param">,     // a by-value record parameter of a kernel: read-only
  I32EnumAttrCase<"Constant", 4, "constant"> // __constant__, never written by a kernel
]>;

def WarpDRF_SyncScope : WarpDRF_Enum<"SyncScope", "whom an operation reaches", [
  I32EnumAttrCase<"Thread", 0, "thread">,
  I32EnumAttrCase<"Warp", 1, "warp">,
  I32EnumAttrCase<"Block", 2, "block">,
  I32EnumAttrCase<"Cluster", 3, "cluster">,
  I32EnumAttrCase<"Grid", 4, "grid">,
  I32EnumAttrCase<"System", 5, "system">
]>;

def WarpDRF_Order : WarpDRF_Enum<"MemoryOrder", "memory order of an access", [
  I32EnumAttrCase<"Plain", 0, "plain">,
  I32EnumAttrCase<"Volatile", 1, "volatile">,
  I32EnumAttrCase<"Relaxed", 2, "relaxed">,
  I32EnumAttrCase<"Acquire", 3, "acquire">,
  I32EnumAttrCase<"Release", 4, "release">,
  I32EnumAttrCase<"AcqRel", 5, "acq_rel">,
  I32EnumAttrCase<"SeqCst", 6, "seq_cst">
]>;

def WarpDRF_Special : WarpDRF_Enum<"SpecialValue", "a value the launch gives a thread", [
  I32EnumAttrCase<"TidX", 0, "tid_x">, I32EnumAttrCase<"TidY", 1, "tid_y">,
  I32EnumAttrCase<"TidZ", 2, "tid_z">, I32EnumAttrCase<"BidX", 3, "bid_x">,
  I32EnumAttrCase<"BidY", 4, "bid_y">, I32EnumAttrCase<"BidZ", 5, "bid_z">,
  I32EnumAttrCase<"BDimX", 6, "bdim_x">, I32EnumAttrCase<"BDimY", 7, "bdim_y">,
  I32EnumAttrCase<"BDimZ", 8, "bdim_z">, I32EnumAttrCase<"GDimX", 9, "gdim_x">,
  I32EnumAttrCase<"GDimY", 10, "gdim_y">, I32EnumAttrCase<"GDimZ", 11, "gdim_z">,
  I32EnumAttrCase<"WarpSize", 12, "warp_size">, I32EnumAttrCase<"LaneId", 13, "lane_id">,
  I32EnumAttrCase<"LaneMaskEq", 14, "lanemask_eq">, I32EnumAttrCase<"LaneMaskLt", 15, "lanemask_lt">,
  I32EnumAttrCase<"LaneMaskLe", 16, "lanemask_le">, I32EnumAttrCase<"LaneMaskGt", 17, "lanemask_gt">,
  I32EnumAttrCase<"LaneMaskGe", 18, "lanemask_ge">
]>;

def WarpDRF_AtomicKind : WarpDRF_Enum<"AtomicKind", "what an atomic does", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"Exch", 2, "exch">, I32EnumAttrCase<"Cas", 3, "cas">,
  I32EnumAttrCase<"Min", 4, "min">, I32EnumAttrCase<"Max", 5, "max">,
  I32EnumAttrCase<"Inc", 6, "inc">, I32EnumAttrCase<"Dec", 7, "dec">,
  I32EnumAttrCase<"And", 8, "and">, I32EnumAttrCase<"Or", 9, "or">,
  I32EnumAttrCase<"Xor", 10, "xor">, I32EnumAttrCase<"Load", 11, "load">,
  I32EnumAttrCase<"Store", 12, "store">
]>;

// `Matrix*` are WMMA and PTX matrix operations: the whole warp takes part, a load or store is one access.
def WarpDRF_PrimitiveKind : WarpDRF_Enum<"PrimitiveKind", "a warp primitive", [
  I32EnumAttrCase<"SyncWarp", 0, "syncwarp">,
  I32EnumAttrCase<"ShflIdx", 1, "shfl_idx">, I32EnumAttrCase<"ShflUp", 2, "shfl_up">,
  I32EnumAttrCase<"ShflDown", 3, "shfl_down">, I32EnumAttrCase<"ShflXor", 4, "shfl_xor">,
  I32EnumAttrCase<"Ballot", 5, "ballot">, I32EnumAttrCase<"Any", 6, "any">,
  I32EnumAttrCase<"All", 7, "all">, I32EnumAttrCase<"MatchAny", 8, "match_any">,
  I32EnumAttrCase<"MatchAll", 9, "match_all">,
  I32EnumAttrCase<"ReduceAdd", 10, "reduce_add">, I32EnumAttrCase<"ReduceMin", 11, "reduce_min">,
  I32EnumAttrCase<"ReduceMax", 12, "reduce_max">, I32EnumAttrCase<"ReduceAnd", 13, "reduce_and">,
  I32EnumAttrCase<"ReduceOr", 14, "reduce_or">, I32EnumAttrCase<"ReduceXor", 15, "reduce_xor">,
  I32EnumAttrCase<"MatrixLoad", 16, "matrix_load">, I32EnumAttrCase<"MatrixStore", 17, "matrix_store">,
  I32EnumAttrCase<"MatrixFill", 18, "matrix_fill">, I32EnumAttrCase<"MatrixMma", 19, "matrix_mma">
]>;

def WarpDRF_VoteKind : WarpDRF_Enum<"BarrierVote", "what a block barrier computes", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Count", 1, "count">,
  I32EnumAttrCase<"And", 2, "and">, I32EnumAttrCase<"Or", 3, "or">
]>;

class WarpDRF_Op<string mnemonic, list<Trait> traits = []> : Op<WarpDRF_Dialect, mnemonic, traits>;

def WarpDRF_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, WarpDRF_Ptr]>;

//===--- functions and objects ---------------------------------------------------------------------===//

def WarpDRF_FuncOp : WarpDRF_Op<"func", [IsolatedFromAbove, NoTerminator, SingleBlock,
    FunctionOpInterface]> {
  let summary = "a kernel (attribute `kernel`) or device function instantiation";
  let description = [{
    A record argument is a pointer to a copy that belongs to the callee; a record result is written through
    a first argument marked `warpdrf.sret`. Attributes of kernels: `warpdrf.param_names`,
    `warpdrf.display_name` (without template arguments), `warpdrf.instantiation` (with them),
    `warpdrf.name_range` (a location attribute), `warpdrf.launch_bounds` (max threads per block).
    A kernel's by-value record parameter of N bytes carries the argument attribute `warpdrf.byval = N`,
    a scalar integer parameter that is unsigned `warpdrf.unsigned`, a pointer whose elements have a type
    in the source `warpdrf.element`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    UnitAttr:$kernel, OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    bool isDeclaration() { return getBody().empty(); }
  }];
}

def WarpDRF_ObjectOp : WarpDRF_Op<"object", [Symbol]> {
  let summary = "a module-level memory object: __shared__, __device__, __constant__ variables";
  let description = [{
    `size` is in bytes, 0 when not known (`extern __shared__`: all of a kernel's are one object at one
    address, so all of a module's are one op). A `__shared__` local of a helper is one object
    per function instantiation, not per inlined call.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$display_name, WarpDRF_Space:$space,
    I64Attr:$size, OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = "$space $sym_name $display_name $size attr-dict";
}

def WarpDRF_AddressOfOp : WarpDRF_Op<"address_of", [Pure]> {
  let summary = "the address of a module-level object";
  let arguments = (ins FlatSymbolRefAttr:$object);
  let results = (outs WarpDRF_Ptr:$result);
  let assemblyFormat = "$object attr-dict";
  let hasVerifier = 1;
}

def WarpDRF_LocalOp : WarpDRF_Op<"local"> {
  let summary = "a fresh local memory object (aggregate, or scalar whose address is taken)";
  let arguments = (ins StrAttr:$name, I64Attr:$size);
  let results = (outs WarpDRF_Ptr:$result);
  let assemblyFormat = "$name $size attr-dict";
}

//===--- slots -------------------------------------------------------------------------------------===//

def WarpDRF_VarOp : WarpDRF_Op<"var"> {
  let summary = "declares a thread-local variable; undefined until set";
  let arguments = (ins StrAttr:$name);
  let results = (outs WarpDRF_Slot:$slot);
  let assemblyFormat = "$name attr-dict `:` type($slot)";
}
def WarpDRF_GetOp : WarpDRF_Op<"get", [TypesMatchWith<"the slot's type", "slot", "value",
    "::llvm::cast<::warpdrf::ir::SlotType>($_self).getValue()">]> {
  let arguments = (ins WarpDRF_Slot:$slot);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$slot attr-dict `:` type($slot)";
}
def WarpDRF_SetOp : WarpDRF_Op<"set", [TypesMatchWith<"the slot's type", "slot", "value",
    "::llvm::cast<::warpdrf::ir::SlotType>($_self).getValue()">]> {
  let arguments = (ins WarpDRF_Slot:$slot, AnyType:$value);
  let assemblyFormat = "$slot `,` $value attr-dict `:` type($slot)";
}

//===--- pointers ----------------------------------------------------------------------------------===//

def WarpDRF_OffsetOp : WarpDRF_Op<"offset", [Pure]> {
  let summary = "a pointer moved by a number of bytes";
  let description = [{
    With `extent`, the base points to an array of that many bytes, which may be part of a larger object, and the
    language demands of an access that the number is within it.
  }];
  let arguments = (ins WarpDRF_Ptr:$base, I64:$bytes, OptionalAttr<I64Attr>:$extent);
  let results = (outs WarpDRF_Ptr:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$base, "::mlir::Value":$bytes),
    [{ build($_builder, $_state, type, base, bytes, ::mlir::IntegerAttr()); }]>];
  let assemblyFormat = "$base `,` $bytes (`within` $extent^)? attr-dict";
}
def WarpDRF_NullOp : WarpDRF_Op<"null", [Pure]> {
  let results = (outs WarpDRF_Ptr:$result);
  let assemblyFormat = "attr-dict";
}
def WarpDRF_PtrToIntOp : WarpDRF_Op<"ptr_to_int", [Pure]> {
  let arguments = (ins WarpDRF_Ptr:$ptr);
  let results = (outs I64:$result);
  let assemblyFormat = "$ptr attr-dict";
}
def WarpDRF_IntToPtrOp : WarpDRF_Op<"int_to_ptr", [Pure]> {
  let arguments = (ins I64:$value);
  let results = (outs WarpDRF_Ptr:$result);
  let assemblyFormat = "$value attr-dict";
}
def WarpDRF_PtrDiffOp : WarpDRF_Op<"ptr_diff", [Pure]> {
  let summary = "distance in bytes between two pointers into one object";
  let arguments = (ins WarpDRF_Ptr:$lhs, WarpDRF_Ptr:$rhs);
  let results = (outs I64:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}
def WarpDRF_PtrEqOp : WarpDRF_Op<"ptr_eq", [Pure]> {
  let arguments = (ins WarpDRF_Ptr:$lhs, WarpDRF_Ptr:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

//===--- memory ------------------------------------------------------------------------------------===//

def WarpDRF_ReadOp : WarpDRF_Op<"read"> {
  let arguments = (ins WarpDRF_Ptr:$address, DefaultValuedAttr<WarpDRF_Order, "MemoryOrder::Plain">:$order,
    DefaultValuedAttr<WarpDRF_SyncScope, "SyncScope::Thread">:$scope);
  let results = (outs WarpDRF_Scalar:$value);
  let assemblyFormat = "$address (`order` $order^)? (`scope` $scope^)? attr-dict `:` type($value)";
}
def WarpDRF_WriteOp : WarpDRF_Op<"write"> {
  let arguments = (ins WarpDRF_Ptr:$address, WarpDRF_Scalar:$value,
    DefaultValuedAttr<WarpDRF_Order, "MemoryOrder::Plain">:$order,
    DefaultValuedAttr<WarpDRF_SyncScope, "SyncScope::Thread">:$scope);
  let assemblyFormat = [{
    $address `,` $value (`order` $order^)? (`scope` $scope^)? attr-dict `:` type($value)
  }];
}
def WarpDRF_CopyOp : WarpDRF_Op<"copy"> {
  let summary = "copies `size` bytes: a read of the source, then a write of the destination";
  let description = [{
    With `async`, the write happens later: cp.async and kin. One that completes `on` a barrier in memory is done
    when the phase is over in which its thread arrives there next.
  }];
  let arguments = (ins WarpDRF_Ptr:$destination, WarpDRF_Ptr:$source, I64Attr:$size, UnitAttr:$async,
    Optional<WarpDRF_Ptr>:$barrier);
  let builders = [OpBuilder<(ins "::mlir::Value":$destination, "::mlir::Value":$source, "std::uint64_t":$size,
    CArg<"bool", "false">:$async),
    [{ build($_builder, $_state, destination, source, size, async, ::mlir::Value()); }]>];
  let assemblyFormat = "$destination `,` $source $size (`on` $barrier^)? attr-dict";
}
def WarpDRF_FillOp : WarpDRF_Op<"fill"> {
  let summary = "sets `size` bytes to zero";
  let arguments = (ins WarpDRF_Ptr:$destination, I64Attr:$size);
  let assemblyFormat = "$destination $size attr-dict";
}
def WarpDRF_AtomicOp : WarpDRF_Op<"atomic"> {
  let summary = "a read-modify-write (or atomic load, store); gives the old value";
  let description = [{Operands: none for `load`, (compare, value) for `cas`, else (value).}];
  let arguments = (ins WarpDRF_AtomicKind:$kind, WarpDRF_Ptr:$address, Variadic<WarpDRF_Scalar>:$arguments,
    DefaultValuedAttr<WarpDRF_Order, "MemoryOrder::Relaxed">:$order,
    DefaultValuedAttr<WarpDRF_SyncScope, "SyncScope::Grid">:$scope);
  let results = (outs WarpDRF_Scalar:$old);
  let assemblyFormat = [{
    $kind $address (`,` $arguments^)? (`order` $order^)? (`scope` $scope^)? attr-dict `:`
    functional-type($arguments, $old)
  }];
  let hasVerifier = 1;
}
def WarpDRF_FenceOp : WarpDRF_Op<"fence"> {
  let arguments = (ins WarpDRF_SyncScope:$scope);
  let assemblyFormat = "$scope attr-dict";
}

//===--- synchronisation ---------------------------------------------------------------------------===//

def WarpDRF_BarrierOp : WarpDRF_Op<"barrier", [AttrSizedOperandSegments]> {
  let summary = "a barrier of a block, cluster or grid; orders memory among its participants";
  let description = [{
    `name` is the source spelling. `id` and `count` are those of a named barrier (`bar.sync id, count`);
    `arrive` releases without waiting. With a vote the result is uniform over the block.
  }];
  let arguments = (ins StrAttr:$name, WarpDRF_SyncScope:$scope,
    DefaultValuedAttr<WarpDRF_VoteKind, "BarrierVote::None">:$vote, Optional<I1>:$predicate,
    Optional<I32>:$id, Optional<I32>:$count, UnitAttr:$arrive);
  let results = (outs Optional<I32>:$result);
  let assemblyFormat = [{
    $name $scope (`vote` $vote^)? (`pred` $predicate^)? (`id` $id^)? (`count` $count^)? (`arrive` $arrive^)?
    attr-dict (`:` type($result)^)?
  }];
  let extraClassDeclaration = [{ bool isNamed() { return static_cast<bool>(getId()); } }];
  let hasVerifier = 1;
}
// A barrier in memory (`cuda::barrier`) holds in its first 8 bytes how many arrivals complete a phase.
def WarpDRF_ArriveOp : WarpDRF_Op<"arrive"> {
  let summary = "arrives at a barrier in memory; gives the phase, and waits for nobody";
  let arguments = (ins StrAttr:$name, WarpDRF_Ptr:$address);
  let results = (outs I64:$phase);
  let assemblyFormat = "$name $address attr-dict";
}
def WarpDRF_AwaitOp : WarpDRF_Op<"await"> {
  let summary = "waits for the end of a phase of a barrier in memory; what was before its arrivals is behind it";
  let arguments = (ins StrAttr:$name, WarpDRF_Ptr:$address, I64:$phase);
  let assemblyFormat = "$name $address `,` $phase attr-dict";
}
def WarpDRF_PrimitiveOp : WarpDRF_Op<"primitive", [AttrSizedOperandSegments]> {
  let summary = "a warp primitive: collective or warp barrier";
  let description = [{
    `name` is the source spelling. Operands by kind:
      syncwarp: none · shfl_*: (value, lane or delta or mask as i32, width as i32) ·
      ballot, any, all: (predicate i1) · match_*, reduce_*: (value) ·
      matrix_load, matrix_store: no values; `address`, `stride` (bytes between rows) and the attributes `rows`,
      `row_bytes` describe the one access · matrix_fill, matrix_mma: none.
    Results: the shuffled value; ballot and match give i32; any, all i1 (match_all: i32 mask and i1);
    matrix operations none (fragments are opaque).
    A missing mask means "the whole warp". The configuration says what the kind orders and requires.
  }];
  let arguments = (ins StrAttr:$name, WarpDRF_PrimitiveKind:$kind, Optional<I32>:$mask,
    Variadic<WarpDRF_Scalar>:$arguments, Optional<WarpDRF_Ptr>:$address, Optional<I64>:$stride,
    DefaultValuedAttr<I64Attr, "0">:$rows, DefaultValuedAttr<I64Attr, "0">:$row_bytes);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $name $kind (`mask` $mask^)? (`at` $address^ `,` $stride)? `(` $arguments `)` attr-dict `:`
    functional-type($arguments, $outputs)
  }];
  let hasVerifier = 1;
}
def WarpDRF_ActiveMaskOp : WarpDRF_Op<"activemask"> {
  let summary = "__activemask(): a snapshot, no primitive";
  let results = (outs I32:$mask);
  let assemblyFormat = "attr-dict";
}

//===--- values ------------------------------------------------------------------------------------===//

def WarpDRF_SpecialOp : WarpDRF_Op<"special", [Pure]> {
  let arguments = (ins WarpDRF_Special:$which);
  let results = (outs I32:$value);
  let assemblyFormat = "$which attr-dict";
}
def WarpDRF_ApplyOp : WarpDRF_Op<"apply", [Pure]> {
  let summary = "an uninterpreted pure function: equal arguments give equal results";
  let arguments = (ins StrAttr:$function, Variadic<WarpDRF_Scalar>:$arguments);
  let results = (outs WarpDRF_Scalar:$value);
  let assemblyFormat = "$function `(` $arguments `)` attr-dict `:` functional-type($arguments, $value)";
}
def WarpDRF_UnknownOp : WarpDRF_Op<"unknown"> {
  let summary = "a value nobody knows, different at each execution (clock, uninitialised variable)";
  let arguments = (ins StrAttr:$why);
  let results = (outs WarpDRF_Scalar:$value);
  let assemblyFormat = "$why attr-dict `:` type($value)";
}
def WarpDRF_AssumeOp : WarpDRF_Op<"assume"> {
  let summary = "__builtin_assume and live asserts";
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}
def WarpDRF_UnsupportedOp : WarpDRF_Op<"unsupported"> {
  let summary = "a construct the front end does not model; the kernel's verdict says so";
  let arguments = (ins StrAttr:$construct);
  let results = (outs Optional<WarpDRF_Scalar>:$value);
  let assemblyFormat = "$construct attr-dict (`:` type($value)^)?";
}

//===--- control flow ------------------------------------------------------------------------------===//

def WarpDRF_CallOp : WarpDRF_Op<"call"> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$arguments);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $outputs)";
  let hasVerifier = 1;
}
def WarpDRF_IfOp : WarpDRF_Op<"if", [NoTerminator, SingleBlock]> {
  let arguments = (ins I1:$condition);
  let regions = (region AnyRegion:$thenRegion, AnyRegion:$elseRegion);
  let assemblyFormat = "$condition attr-dict-with-keyword $thenRegion `else` $elseRegion";
}
def WarpDRF_LoopOp : WarpDRF_Op<"loop", [NoTerminator, SingleBlock]> {
  let summary = "while, do-while (`post_test`) and for";
  let description = [{
    Runs `cond` (which ends in `warpdrf.condition`), then `body`, then `step`, repeatedly; with `post_test` the
    first test is skipped. `continue` in the body goes to `step`; `break` leaves the loop. A missing
    condition is a `cond` region with a constant true. `unroll` holds the count of a `#pragma unroll` (-1: full).
  }];
  let arguments = (ins UnitAttr:$post_test, OptionalAttr<I64Attr>:$unroll);
  let regions = (region AnyRegion:$cond, AnyRegion:$body, AnyRegion:$step);
  let assemblyFormat = "attr-dict-with-keyword $cond `do` $body `step` $step";
  let hasVerifier = 1;
}
def WarpDRF_ConditionOp : WarpDRF_Op<"condition"> {
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasVerifier = 1;
}
def WarpDRF_SwitchOp : WarpDRF_Op<"switch", [NoTerminator]> {
  let summary = "ordered cases with fallthrough";
  let description = [{
    Region i is entered when the selector is one of `values[i]`; region `default_case` (-1: none) when no value
    matches. A region that does not end in `break` falls through to the next one.
  }];
  let arguments = (ins AnySignlessInteger:$selector, ArrayAttr:$values, I64Attr:$default_case);
  let regions = (region VariadicRegion<AnyRegion>:$cases);
  let assemblyFormat = "$selector `:` type($selector) $values `default` $default_case attr-dict-with-keyword $cases";
  let hasVerifier = 1;
}
// Ends its block; leaves the innermost loop or switch.
def WarpDRF_BreakOp : WarpDRF_Op<"break"> {
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
// Ends its block; goes on with the innermost loop's step.
def WarpDRF_ContinueOp : WarpDRF_Op<"continue"> {
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
// Ends its block; leaves the function.
def WarpDRF_ReturnOp : WarpDRF_Op<"return"> {
  let arguments = (ins Variadic<AnyType>:$arguments);
  let assemblyFormat = "($arguments^ `:` type($arguments))? attr-dict";
  let hasVerifier = 1;
}

#endif
