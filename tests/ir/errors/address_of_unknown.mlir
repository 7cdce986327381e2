// expected-error: names 's', which is not an object of this module
warpdrf.func @k() attributes {kernel} {
  %s = warpdrf.address_of @s
  warpdrf.return
}
