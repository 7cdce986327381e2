// A vote in a case of a switch: `falls` reaches it through two selectors, `stays` through one,
// `whole` with complete warps (of width 4).
module {
  warpdrf.func @falls(%out: !warpdrf.ptr) attributes {kernel, warpdrf.param_names = ["out"]} {
    %tid = warpdrf.special tid_x
    %four = arith.constant 4 : i32
    %bytes = arith.constant 4 : i64
    %yes = arith.constant true
    %which = arith.remui %tid, %four : i32
    warpdrf.switch %which : i32 [array<i64: 0>, array<i64: 1>] default -1 {
      %unused = arith.constant 1 : i32
    }, {
      %ballot = warpdrf.primitive "ballot" ballot(%yes) : (i1) -> i32
      %index = arith.extui %tid : i32 to i64
      %offset = arith.muli %index, %bytes : i64
      %at = warpdrf.offset %out, %offset
      warpdrf.write %at, %ballot : i32
      warpdrf.break
    }
    warpdrf.return
  }
  warpdrf.func @stays(%out: !warpdrf.ptr) attributes {kernel, warpdrf.param_names = ["out"]} {
    %tid = warpdrf.special tid_x
    %four = arith.constant 4 : i32
    %bytes = arith.constant 4 : i64
    %yes = arith.constant true
    %which = arith.remui %tid, %four : i32
    warpdrf.switch %which : i32 [array<i64: 0>, array<i64: 1>] default -1 {
      warpdrf.break
    }, {
      %ballot = warpdrf.primitive "ballot" ballot(%yes) : (i1) -> i32
      %index = arith.extui %tid : i32 to i64
      %offset = arith.muli %index, %bytes : i64
      %at = warpdrf.offset %out, %offset
      warpdrf.write %at, %ballot : i32
      warpdrf.break
    }
    warpdrf.return
  }
  warpdrf.func @whole(%out: !warpdrf.ptr) attributes {kernel, warpdrf.param_names = ["out"]} {
    %tid = warpdrf.special tid_x
    %four = arith.constant 4 : i32
    %bytes = arith.constant 4 : i64
    %yes = arith.constant true
    %which = arith.divui %tid, %four : i32
    warpdrf.switch %which : i32 [array<i64: 0>, array<i64: 1>] default -1 {
      %unused = arith.constant 1 : i32
    }, {
      %ballot = warpdrf.primitive "ballot" ballot(%yes) : (i1) -> i32
      %index = arith.extui %tid : i32 to i64
      %offset = arith.muli %index, %bytes : i64
      %at = warpdrf.offset %out, %offset
      warpdrf.write %at, %ballot : i32
      warpdrf.break
    }
    warpdrf.return
  }
}
