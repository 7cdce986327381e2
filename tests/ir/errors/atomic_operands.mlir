// expected-error: of kind 'cas' takes 2 operands
warpdrf.func @k(%p: !warpdrf.ptr, %v: i32) attributes {kernel} {
  %o = warpdrf.atomic cas %p, %v : (i32) -> i32
  warpdrf.return
}
