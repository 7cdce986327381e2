// expected-error: needs one list of values per case region
warpdrf.func @k(%s: i32) attributes {kernel} {
  warpdrf.switch %s : i32 [array<i64: 1>, array<i64: 2>] default -1 {
  }
  warpdrf.return
}
