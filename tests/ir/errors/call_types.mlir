// expected-error: does not fit the type of 'f'
warpdrf.func @f(%x: i32) {
  warpdrf.return
}
warpdrf.func @k(%x: i64) attributes {kernel} {
  warpdrf.call @f(%x) : (i64) -> ()
  warpdrf.return
}
