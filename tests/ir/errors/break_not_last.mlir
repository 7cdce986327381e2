// expected-error: is not the last operation of its block
warpdrf.func @k(%c: i1) attributes {kernel} {
  warpdrf.loop {
    warpdrf.condition %c
  } do {
    warpdrf.break
    %t = warpdrf.special tid_x
  } step {
  }
  warpdrf.return
}
