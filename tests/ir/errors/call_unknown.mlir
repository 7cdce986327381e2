// expected-error: calls 'nowhere', which is not a function of this module
warpdrf.func @k() attributes {kernel} {
  warpdrf.call @nowhere() : () -> ()
  warpdrf.return
}
