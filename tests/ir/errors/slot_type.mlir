// expected-error: the slot's type
warpdrf.func @k(%v: i64) attributes {kernel} {
  %s = warpdrf.var "i" : !warpdrf.slot<i32>
  "warpdrf.set"(%s, %v) : (!warpdrf.slot<i32>, i64) -> ()
  warpdrf.return
}
