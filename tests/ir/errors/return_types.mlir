// expected-error: does not fit the results of 'f'
warpdrf.func @f(%x: i32) -> i32 {
  warpdrf.return
}
