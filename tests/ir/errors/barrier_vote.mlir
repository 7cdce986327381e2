// expected-error: takes a predicate exactly when it votes
warpdrf.func @k(%c: i1) attributes {kernel} {
  warpdrf.barrier "__syncthreads" block pred %c
  warpdrf.return
}
