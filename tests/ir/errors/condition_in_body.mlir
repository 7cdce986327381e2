// expected-error: stands directly in a loop's cond region
warpdrf.func @k(%c: i1) attributes {kernel} {
  warpdrf.loop {
    warpdrf.condition %c
  } do {
    warpdrf.condition %c
  } step {
  }
  warpdrf.return
}
