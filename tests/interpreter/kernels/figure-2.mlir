// Figure 2 of the paper.
#loc = loc("samples/figure-2-barrier-in-branch.cu":11:17 to :27)
module {
  warpdrf.object shared @neighbours.g "g" 8
  warpdrf.func @neighbours(%arg0: !warpdrf.ptr) attributes {kernel, warpdrf.display_name = "neighbours", warpdrf.instantiation = "neighbours", warpdrf.name_range = #loc, warpdrf.param_names = ["out"]} {
    %0 = warpdrf.var "tid" : <i32>
    %1 = warpdrf.special tid_x
    warpdrf.set %0, %1 : <i32>
    %2 = warpdrf.var "local" : <i32>
    %c0_i32 = arith.constant 0 : i32
    warpdrf.set %2, %c0_i32 : <i32>
    %3 = warpdrf.var "local2" : <i32>
    %4 = warpdrf.get %0 : <i32>
    %c1_i32 = arith.constant 1 : i32
    %5 = arith.addi %4, %c1_i32 : i32
    %6 = warpdrf.address_of @neighbours.g
    %7 = warpdrf.get %0 : <i32>
    %8 = arith.extsi %7 : i32 to i64
    %c4_i64 = arith.constant 4 : i64
    %9 = arith.muli %8, %c4_i64 : i64
    %10 = warpdrf.offset %6, %9
    warpdrf.write %10, %5 : i32
    %11 = warpdrf.get %0 : <i32>
    %c0_i32_0 = arith.constant 0 : i32
    %12 = arith.cmpi eq, %11, %c0_i32_0 : i32
    warpdrf.if %12 {
      %33 = warpdrf.address_of @neighbours.g
      %c4_i64_7 = arith.constant 4 : i64
      %34 = warpdrf.offset %33, %c4_i64_7
      %35 = warpdrf.read %34 : i32
      warpdrf.set %2, %35 : <i32>
      warpdrf.primitive "__syncwarp" syncwarp() : () -> ()
    } else {
    }
    warpdrf.primitive "__syncwarp" syncwarp() : () -> ()
    %13 = warpdrf.address_of @neighbours.g
    %c1_i32_1 = arith.constant 1 : i32
    %14 = warpdrf.get %0 : <i32>
    %15 = arith.subi %c1_i32_1, %14 : i32
    %16 = arith.extsi %15 : i32 to i64
    %c4_i64_2 = arith.constant 4 : i64
    %17 = arith.muli %16, %c4_i64_2 : i64
    %18 = warpdrf.offset %13, %17
    %19 = warpdrf.read %18 : i32
    warpdrf.set %3, %19 : <i32>
    %20 = warpdrf.get %2 : <i32>
    %c2_i32 = arith.constant 2 : i32
    %21 = warpdrf.get %0 : <i32>
    %22 = arith.muli %21, %c2_i32 : i32
    %23 = arith.extsi %22 : i32 to i64
    %c4_i64_3 = arith.constant 4 : i64
    %24 = arith.muli %23, %c4_i64_3 : i64
    %25 = warpdrf.offset %arg0, %24
    warpdrf.write %25, %20 : i32
    %26 = warpdrf.get %3 : <i32>
    %c2_i32_4 = arith.constant 2 : i32
    %27 = warpdrf.get %0 : <i32>
    %28 = arith.muli %27, %c2_i32_4 : i32
    %c1_i32_5 = arith.constant 1 : i32
    %29 = arith.addi %28, %c1_i32_5 : i32
    %30 = arith.extsi %29 : i32 to i64
    %c4_i64_6 = arith.constant 4 : i64
    %31 = arith.muli %30, %c4_i64_6 : i64
    %32 = warpdrf.offset %arg0, %31
    warpdrf.write %32, %26 : i32
  }
}
