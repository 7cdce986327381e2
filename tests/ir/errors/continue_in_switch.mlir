// expected-error: stands outside any loop body
warpdrf.func @k(%s: i32) attributes {kernel} {
  warpdrf.switch %s : i32 [array<i64: 1>] default -1 {
    warpdrf.continue
  }
  warpdrf.return
}
