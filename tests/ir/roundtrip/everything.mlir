// One of every operation of the dialect.
module {
  warpdrf.object shared @s "s" 128
  warpdrf.object constant @table "table" 64
  warpdrf.func @helper(%arg0: !warpdrf.ptr {warpdrf.sret}, %arg1: i32) -> i32 {
    warpdrf.write %arg0, %arg1 : i32
    warpdrf.return %arg1 : i32
  }
  warpdrf.func @k(%arg0: !warpdrf.ptr, %arg1: i32 {warpdrf.unsigned}, %arg2: i1, %arg3: i64) attributes {kernel, warpdrf.display_name = "k", warpdrf.launch_bounds = 256 : i64, warpdrf.param_names = ["x", "n", "c", "i"]} {
    %0 = warpdrf.address_of @s
    %1 = warpdrf.local "pair" 8
    %2 = warpdrf.var "sum" : <f32>
    %3 = warpdrf.read %0 : f32
    warpdrf.set %2, %3 : <f32>
    %4 = warpdrf.get %2 : <f32>
    %5 = warpdrf.offset %arg0, %arg3
    %6 = warpdrf.null
    %7 = warpdrf.ptr_to_int %5
    %8 = warpdrf.int_to_ptr %7
    %9 = warpdrf.ptr_diff %5, %arg0
    %10 = warpdrf.ptr_eq %5, %6
    %11 = warpdrf.read %5 order volatile : i32
    warpdrf.write %5, %11 order release scope grid : i32
    warpdrf.copy %1, %5 8
    warpdrf.copy %0, %5 16 {async}
    warpdrf.fill %1 8
    %12 = warpdrf.atomic add %5, %arg1 : (i32) -> i32
    %13 = warpdrf.atomic cas %5, %arg1, %11 scope block : (i32, i32) -> i32
    %14 = warpdrf.atomic load %5 : () -> i32
    warpdrf.fence grid
    warpdrf.barrier "__syncthreads" block
    %15 = warpdrf.barrier "__syncthreads_count" block vote count pred %arg2 : i32
    warpdrf.barrier "bar.sync" block id %arg1 count %arg1
    warpdrf.barrier "bar.arrive" block id %arg1 count %arg1 arrive
    warpdrf.barrier "grid.sync" grid
    warpdrf.primitive "__syncwarp" syncwarp mask %arg1() : () -> ()
    %16 = warpdrf.primitive "__shfl_down_sync" shfl_down mask %arg1(%3, %arg1, %arg1) : (f32, i32, i32) -> f32
    %17 = warpdrf.primitive "__ballot_sync" ballot mask %arg1(%arg2) : (i1) -> i32
    %18 = warpdrf.primitive "__any_sync" any mask %arg1(%arg2) : (i1) -> i1
    %19:2 = warpdrf.primitive "__match_all_sync" match_all mask %arg1(%11) : (i32) -> (i32, i1)
    warpdrf.primitive "load_matrix_sync" matrix_load at %0, %arg3() {row_bytes = 32 : i64, rows = 16 : i64} : () -> ()
    %20 = warpdrf.activemask
    %21 = warpdrf.special tid_x
    %22 = warpdrf.apply "sqrtf"(%3) : (f32) -> f32
    %23 = warpdrf.unknown "clock64" : i64
    warpdrf.assume %arg2
    warpdrf.unsupported "goto"
    %24 = warpdrf.unsupported "asm" : i32
    %25 = warpdrf.call @helper(%1, %arg1) : (!warpdrf.ptr, i32) -> i32
    warpdrf.copy %0, %5 16 on %0 {async}
    %26 = warpdrf.arrive "barrier::arrive" %0
    warpdrf.await "barrier::wait" %0, %26
    warpdrf.if %arg2 {
      warpdrf.return
    } else {
    }
    warpdrf.loop attributes {post_test, unroll = -1 : i64} {
      warpdrf.condition %arg2
    } do {
      warpdrf.if %18 {
        warpdrf.continue
      } else {
        warpdrf.break
      }
    } step {
      %27 = arith.addi %arg1, %arg1 : i32
    }
    warpdrf.switch %21 : i32 [array<i64: 1, 2>, array<i64>] default 1 {
      warpdrf.break
    }, {
    }
    warpdrf.return
  }
}
