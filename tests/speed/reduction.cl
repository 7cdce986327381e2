// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of each group's numbers by a tree in local memory; its twin is reduction.cu.
kernel void reduce(global const float *in, global float *out, local float *s) {
  int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    out[get_group_id(0)] = s[0];
}
