// Figure 5 of the paper.
#loc = loc("samples/figure-5-vote-in-nested-loops.cu":10:17 to :22)
module {
  warpdrf.func @agree(%arg0: !warpdrf.ptr) attributes {kernel, warpdrf.display_name = "agree", warpdrf.instantiation = "agree", warpdrf.name_range = #loc, warpdrf.param_names = ["out"]} {
    %0 = warpdrf.var "trips" : <i32>
    %1 = warpdrf.special tid_x
    %c16_i32 = arith.constant 16 : i32
    %2 = arith.cmpi ult, %1, %c16_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %3 = arith.select %2, %c2_i32, %c4_i32 : i32
    warpdrf.set %0, %3 : <i32>
    %4 = warpdrf.var "votes" : <i32>
    %c0_i32 = arith.constant 0 : i32
    warpdrf.set %4, %c0_i32 : <i32>
    %5 = warpdrf.var "i" : <i32>
    %c0_i32_0 = arith.constant 0 : i32
    warpdrf.set %5, %c0_i32_0 : <i32>
    warpdrf.loop {
      %11 = warpdrf.get %5 : <i32>
      %12 = warpdrf.get %0 : <i32>
      %13 = arith.cmpi slt, %11, %12 : i32
      warpdrf.condition %13
    } do {
      %11 = warpdrf.var "j" : <i32>
      %c0_i32_1 = arith.constant 0 : i32
      warpdrf.set %11, %c0_i32_1 : <i32>
      warpdrf.loop {
        %12 = warpdrf.get %11 : <i32>
        %13 = warpdrf.get %0 : <i32>
        %14 = arith.cmpi slt, %12, %13 : i32
        warpdrf.condition %14
      } do {
        %c-1_i32 = arith.constant -1 : i32
        %12 = warpdrf.get %5 : <i32>
        %13 = warpdrf.get %11 : <i32>
        %14 = arith.cmpi eq, %12, %13 : i32
        %15 = warpdrf.primitive "__any_sync" any mask %c-1_i32(%14) : (i1) -> i1
        %16 = arith.extui %15 : i1 to i32
        %17 = warpdrf.get %4 : <i32>
        %18 = arith.addi %17, %16 : i32
        warpdrf.set %4, %18 : <i32>
      } step {
        %12 = warpdrf.get %11 : <i32>
        %c1_i32 = arith.constant 1 : i32
        %13 = arith.addi %12, %c1_i32 : i32
        warpdrf.set %11, %13 : <i32>
      }
    } step {
      %11 = warpdrf.get %5 : <i32>
      %c1_i32 = arith.constant 1 : i32
      %12 = arith.addi %11, %c1_i32 : i32
      warpdrf.set %5, %12 : <i32>
    }
    %6 = warpdrf.get %4 : <i32>
    %7 = warpdrf.special tid_x
    %8 = arith.extui %7 : i32 to i64
    %c4_i64 = arith.constant 4 : i64
    %9 = arith.muli %8, %c4_i64 : i64
    %10 = warpdrf.offset %arg0, %9
    warpdrf.write %10, %6 : i32
  }
}
