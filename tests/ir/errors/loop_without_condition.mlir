// expected-error: needs a cond region that ends in 'warpdrf.condition'
warpdrf.func @k() attributes {kernel} {
  warpdrf.loop {
  } do {
  } step {
  }
  warpdrf.return
}
