// expected-error: of kind 'matrix_load' needs address
warpdrf.func @k() attributes {kernel} {
  warpdrf.primitive "load_matrix_sync" matrix_load() : () -> ()
  warpdrf.return
}
