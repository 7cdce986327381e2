// expected-error: takes its values as array<i64: …> attributes
warpdrf.func @k(%s: i32) attributes {kernel} {
  warpdrf.switch %s : i32 [3 : i64] default 0 {
  }
  warpdrf.return
}
