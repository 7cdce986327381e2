// expected-error: of kind 'shfl_xor' takes 3 operands and gives 1 results
warpdrf.func @k(%v: i32) attributes {kernel} {
  %r = warpdrf.primitive "__shfl_xor_sync" shfl_xor(%v) : (i32) -> i32
  warpdrf.return
}
