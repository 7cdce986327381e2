// expected-error: stands outside any loop body and switch
warpdrf.func @k() attributes {kernel} {
  warpdrf.break
}
