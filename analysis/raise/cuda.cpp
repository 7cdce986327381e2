// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA and HIP, with a host program that runs the kernel and prints every array as a line of
// numbers. Neither language promises who is together in divergent code: the masks of CUDA's
// primitives are the active lanes, as a full mask would wait for lanes that never come.
#include "analysis/raise/language.h"

namespace warpdrf::raise {

namespace {

const char *const cudaPrimitives = R"(
__device__ unsigned ballotOf(bool yes) { return __ballot_sync(__activemask(), yes); }
__device__ bool anyOf(bool yes) { return __any_sync(__activemask(), yes); }
__device__ bool allOf(bool yes) { return __all_sync(__activemask(), yes); }
__device__ unsigned sumOf(unsigned value) {
  const unsigned lanes = __activemask();
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(lanes, value);
#else
  unsigned all = 0;
  for (unsigned rest = lanes; rest; rest &= rest - 1)
    all += __shfl_sync(lanes, value, __ffs(rest) - 1);
  return all;
#endif
}
)";

// A ballot has 64 bits; tests of more than 32 lanes are not generated.
const char *const hipPrimitives = R"(
__device__ unsigned ballotOf(bool yes) { return (unsigned)__ballot(yes); }
__device__ bool anyOf(bool yes) { return __any(yes); }
__device__ bool allOf(bool yes) { return __all(yes); }
__device__ unsigned sumOf(unsigned value) {
  unsigned all = 0;
  for (unsigned long long rest = __ballot(1); rest; rest &= rest - 1)
    all += __shfl((int)value, __ffsll(rest) - 1);
  return all;
}
)";

class Cuda : public Language {
public:
  explicit Cuda(bool hip) : hip(hip) {}

  std::string extension() const override { return hip ? ".hip" : ".cu"; }
  std::string type(Type type) const override {
    return type == Type::Word ? "unsigned" : Language::type(type);
  }
  std::string toWord(const std::string &value) const override { return "unsigned(" + value + ")"; }

  std::string prologue(const Subject &subject) const override {
    std::string text = hip ? "#include <hip/hip_runtime.h>\n" : "";
    text += "#include <cstdio>\n\n";
    for (const Buffer &buffer : subject.buffers) {
      text += "__device__ unsigned " + buffer.name + "[" + std::to_string(buffer.words) + "]";
      std::string contents;
      for (std::size_t i = 0; i < buffer.contents.size(); ++i)
        contents += (i == 0 ? "" : i % 32 ? ", " : ",\n  ") + std::to_string(buffer.contents[i]);
      text += (contents.empty() ? "" : " = {\n  " + contents + "}") + ";\n";
    }
    return text + (hip ? hipPrimitives : cudaPrimitives);
  }

  std::string functionHeader(const std::string &name, Type result,
                             const std::vector<Parameter> &parameters) const override {
    return "__device__ " + Language::functionHeader(name, result, parameters);
  }

  std::string kernelHeader(const Subject &subject) const override {
    return "__global__ void " + subject.kernel + "()";
  }

  std::string special(const std::string &which) const override {
    static const std::pair<const char *, const char *> names[] = {
        {"tid_x", "threadIdx.x"},
        {"lane_id", "(threadIdx.x % warpSize)"},
        {"warp_size", "unsigned(warpSize)"},
        {"bid_x", "blockIdx.x"},
        {"bdim_x", "blockDim.x"}};
    return named(names, which);
  }

  std::string primitive(const std::string &kind,
                        const std::vector<std::string> &operands) const override {
    static const std::pair<const char *, const char *> names[] = {
        {"ballot", "ballotOf"}, {"any", "anyOf"}, {"all", "allOf"}, {"reduce_add", "sumOf"}};
    if (kind == "syncwarp" && !hip)
      return "__syncwarp(__activemask())";
    return callOf(names, kind, operands);
  }

  std::string epilogue(const Subject &subject) const override {
    const std::string api = hip ? "hip" : "cuda";
    std::string text = "\nint main() {\n"
                       "  int device = 0, lanes = 0;\n"
                       "  " +
                       api +
                       "GetDevice(&device);\n"
                       "  " +
                       api + "DeviceGetAttribute(&lanes, " +
                       (hip ? "hipDeviceAttributeWarpSize" : "cudaDevAttrWarpSize") +
                       ", device);\n"
                       "  if (lanes != " +
                       std::to_string(subject.width) +
                       ") {\n"
                       "    std::fprintf(stderr, \"made for warps of " +
                       std::to_string(subject.width) +
                       " lanes, not %d\\n\", lanes);\n"
                       "    return 2;\n"
                       "  }\n"
                       "  " +
                       subject.kernel + "<<<1, " + std::to_string(subject.threads) +
                       ">>>();\n"
                       "  if (" +
                       api + "DeviceSynchronize() != " + api +
                       "Success)\n"
                       "    return 2;\n";
    for (const Buffer &buffer : subject.buffers) {
      if (!buffer.written)
        continue;
      const std::string words = std::to_string(buffer.words);
      text += "  {\n"
              "    static unsigned copy[" +
              words +
              "];\n"
              "    if (" +
              api + "MemcpyFromSymbol(copy, " +
              (hip ? "HIP_SYMBOL(" + buffer.name + ")" : buffer.name) + ", sizeof copy) != " + api +
              "Success)\n"
              "      return 2;\n"
              "    std::printf(\"" +
              buffer.name +
              "\");\n"
              "    for (unsigned word : copy)\n"
              "      std::printf(\" %u\", word);\n"
              "    std::printf(\"\\n\");\n"
              "  }\n";
    }
    return text + "}\n";
  }

private:
  bool hip;
};

} // namespace

std::unique_ptr<Language> makeCuda() {
  return std::make_unique<Cuda>(false);
}
std::unique_ptr<Language> makeHip() {
  return std::make_unique<Cuda>(true);
}

} // namespace warpdrf::raise
