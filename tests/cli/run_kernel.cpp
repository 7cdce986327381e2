// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf run` from outside: arguments and launches, right and wrong, and what it prints.
#include "tests/cli/run.h"
#include "tests/cli/schema.h"

using namespace warpdrf;
using namespace warpdrf::test;

namespace {

const char *const add = "__global__ void add(int *out, int n) {\n"
                        "  out[threadIdx.x] += n;\n"
                        "}\n";

Output runKernel(const std::string &arguments) {
  return run("run " + arguments + " 2>&1");
}

Json runJson(const std::string &arguments) {
  return Json::parse(run("run --format json " + arguments).text);
}

/// Ends with a status and a message that says `what`.
void checkSays(const std::string &arguments, int status, const std::string &what) {
  INFO(arguments);
  const Output output = runKernel(arguments);
  CHECK(output.status == status);
  CHECK_THAT(output.text, ContainsSubstring(what));
}

} // namespace

TEST_CASE("run: a kernel, its arguments, its memory") {
  Folder folder;
  const std::string file = folder.add("add.cu", add);
  const Output output = runKernel(file + " --block 4 --arg out=iota:4 --arg n=-5");
  CHECK(output.status == 0);
  CHECK_THAT(output.text, ContainsSubstring("out: 16 bytes, -5 -4 -3 -2\n") &&
                              ContainsSubstring("add: finished, 0 races"));
  checkSays(file + " --block 2 --arg out=fill:2:7:i32 --arg n=0xffffffff", 0, "8 bytes, 6 6");
  const Json same = runJson(file + " --block 4 --seed 7 --arg out=random:4 --arg n=1");
  CHECK(same == runJson(file + " --block 4 --seed 7 --arg out=random:4 --arg n=1"));
  CHECK(same["memory"] !=
        runJson(file + " --block 4 --seed 8 --arg out=random:4 --arg n=1")["memory"]);
}

TEST_CASE("run: a read of uninitialised shared memory is a finding") {
  Folder folder;
  const std::string file = folder.add("stale.cu", "__global__ void stale(int *d) {\n"
                                                  "  __shared__ int s[32];\n"
                                                  "  d[threadIdx.x] = s[threadIdx.x];\n"
                                                  "}\n");
  checkSays(file + " --block 32 --arg d=zeros:32", 1, "uninitialized-shared");
}

TEST_CASE("run: arguments from a JSON file, in every form") {
  Folder folder;
  const std::string file =
      folder.add("forms.cu", "struct P { int n; float s; float *d; short k; };\n"
                             "__global__ void k(P p, int *a, float *b, int *c,\n"
                             "                  int *d, bool e, double f) {\n"
                             "  int t = threadIdx.x;\n"
                             "  if (t < p.n) p.d[t] *= p.s;\n"
                             "  a[t] += p.k + e; b[t] += f; c[0] = d == 0;\n"
                             "}\n");
  folder.add("a.bin", std::string("\1\0\0\0\2\0\0\0", 8));
  const std::string arguments = folder.add(
      "args.json",
      R"({"p@0": 2, "p@4": {"value": 1.5, "type": "f32"}, "p@8": {"value": [2, 4], "type": "f32"},
          "p@16": "7:i16", "a": "@)" +
          folder.path.string() + R"(/a.bin", "b": [0.5, 1], "c": "&a+4", "d": 0, "e": true,
          "f": 2.5})");
  const Json root = runJson(file + " --block 2 --args " + arguments);
  CHECK(root["ending"] == "finished");
  std::map<std::string, Json> memory;
  for (const Json &array : root["memory"])
    memory[array["name"]] = array["values"];
  CHECK(memory["p@8"] == Json::parse("[3, 6]"));
  CHECK(memory["a"] == Json::parse("[9, 1]"));
  CHECK(memory["b"] == Json::parse("[3.0, 3.5]"));
  CHECK_FALSE(root["races"].empty()); // both threads write through c what a[1] is
}

TEST_CASE("run: mistakes in arguments") {
  Folder folder;
  const std::string file = folder.add("add.cu", add), k = file + " --block 4";
  const std::string line = "add.cu:1:1: ", good = k + " --arg out=zeros:4 --arg n=1";
  checkSays(k, 2,
            line + "missing argument: 'out' (32-bit array), 'n' (32-bit number); for example "
                   "--arg out=random:4 --arg n=4, or --choose for any");
  checkSays(good + " --arg m=1", 2,
            "no parameter 'm'; it has 'out' (32-bit array), 'n' (32-bit number)");
  checkSays(k + " --arg out=5 --arg n=1", 2, line + "argument 'out' must be an array");
  checkSays(k + " --arg out=zeros:4 --arg n=zeros:1", 2, line + "argument 'n' must be a number");
  checkSays(k + " --arg out=zeros:4 --arg n=1.5", 2, "must be a whole number of 32 bits");
  checkSays(k + " --arg out=zeros:4 --arg n=1e99", 2, "must be a whole number of 32 bits");
  checkSays(k + " --arg out=zeros:4 --arg n=4294967296", 2, "does not fit 32 bits");
  checkSays(k + " --arg out=zeros:99999999999 --arg n=1", 2, "larger than the memory limit");
  checkSays(k + " --arg out=zeros:-1 --arg n=1", 2, "expected zeros:N");
  checkSays(k + " --arg out=zeros:1:x --arg n=1", 2, "expected zeros:N");
  checkSays(k + " --arg 'out=&n' --arg n=1", 2, "which is no array argument");
  checkSays(k + " --arg out", 2, "expected NAME=VALUE");
  checkSays(k + " --arg out=@/nowhere --arg n=1", 2, "cannot read /nowhere");
  checkSays(k + " --arg out=@/ --arg n=1", 2, "cannot read /");
  folder.add("odd.bin", "12345");
  checkSays(k + " --arg n=1 --arg out=@" + folder.path.string() + "/odd.bin", 2, "has 5 bytes");
  checkSays(k + " --args /nowhere.json", 2, "cannot read /nowhere.json");
  checkSays(k + " --args /", 2, "cannot read /");
  const auto json = [&](const std::string &text) {
    return k + " --args " + folder.add("args.json", text);
  };
  checkSays(json("{\"n\": 1,\n \"out\": [1, 2,\n"), 2, "args.json:3: not JSON");
  checkSays(json("[1]"), 2, "is not a JSON object");
  checkSays(json(R"({"n": null})"), 2, "'n' is neither a number");
  checkSays(json(R"({"n": {"value": 1}})"), 2, "'n' is neither a number");
  checkSays(json(R"({"out": [1, "2"]})"), 2, "'out' holds something that is no number");
  checkSays(json(R"({"out": {"value": [1], "type": "u8"}})"), 2, "there is no type 'u8'");
  const std::string record = folder.add(
      "record.cu", "struct P { int n; };\n__global__ void k(P p, int *o) { *o = p.n; }\n");
  checkSays(record + " --arg o=zeros:1 --arg p@4=1", 2, "outside the record, which has 4 bytes");
  checkSays(record + " --arg o=zeros:1 --arg p@18446744073709551612=1", 2, "outside the record");
  checkSays(record + " --arg o=zeros:1 --arg p=1", 2, "must be a record");
}

TEST_CASE("run: launches that are none") {
  Folder folder;
  const std::string file = folder.add("add.cu", add) + " --arg out=zeros:4 --arg n=1";
  for (const char *block : {"0", "-1", "a", "1,2,3,4", "4,", "9999999999999999999"})
    checkSays(file + " --block " + block, 2, "expected X, X,Y or X,Y,Z");
  for (const char *block : {"5000", "32,64", "4000000000,4000000000,4000000000"})
    checkSays(file + " --block " + block, 2, "a block has at most 1024 threads");
  checkSays(file + " --grid 100000,100000", 2, "a grid has at most 2147483647 blocks");
  for (const char *width : {"0", "-1", "x"})
    checkSays(file + " --width " + width, 2, "expected a whole number");
  checkSays(file + " --width 129", 2, "a warp has 1 to 128 lanes");
  for (const char *width : {"1", "2", "64", "128"})
    checkSays(file + " --width " + width, 0, "finished");
  checkSays(file + " --schedule no", 2, "expected reference or random");
  checkSays(file + " --format xml", 2, "expected text, json or svg");
}

TEST_CASE("run: which kernel") {
  Folder folder;
  const std::string file =
      folder.add("several.cu", "template <int N> __global__ void k(int *o) { *o = N; }\n"
                               "namespace a { __global__ void m(int *o) { *o = 1; } }\n"
                               "__global__ void over(int *o) { *o = 2; }\n"
                               "__global__ void over(float *o) { *o = 3; }\n"
                               "void go(int *o) { k<1><<<1, 1>>>(o); k<2><<<1, 1>>>(o); }\n");
  const std::string argument = " --arg o=zeros:1";
  checkSays(file + argument, 2,
            "several kernels are meant; name one of:\n  k<1>\n  k<2>\n  a::m\n");
  checkSays(file + argument + " --kernel k", 2, "name one of:\n  k<1>\n  k<2>\n");
  checkSays(file + argument + " --kernel 'k<2>'", 0, "4 bytes, 2\n");
  checkSays(file + argument + " --kernel a::m", 0, "4 bytes, 1\n");
  checkSays(file + argument + " --kernel none", 2, "there is no kernel 'none'; there are:\n");
  // Overloads go by their symbols.
  checkSays(file + argument + " --kernel over", 2, "name one of:\n  over\n  over#2\n");
  checkSays(file + argument + " --kernel 'over#2'", 0, "4 bytes, 3\n");
  checkSays(folder.add("none.cu", "int main() {}\n"), 2, "there is no kernel");
  checkSays(folder.add("bad.mlir", "module {\n  nonsense\n"), 2, "bad.mlir:2:3: ");
  checkSays(folder.path.string() + "/absent.mlir", 2, "cannot be read");
  checkSays(folder.path.string(), 2, "only regular files are read");
}

TEST_CASE("run: the JSON fits its schema, whatever happens") {
  Folder folder;
  SchemaCheck fits(Json::parse(std::ifstream(sourceDir() / "docs/run.schema.json")));
  const std::string file =
      folder.add("mixed.cu", "__device__ int helper(int *s, int i) { return s[i]; }\n"
                             "__global__ void k(int *out, float *f, int n) {\n"
                             "  __shared__ int s[64];\n"
                             "  int t = threadIdx.x, v = 0;\n"
                             "  s[t] = t;\n"
                             "  for (int i = 0; i < 2; ++i)\n"
                             "    if (t % 32 < 16) v += __popc(__ballot_sync(0xffff, i));\n"
                             "  v += helper(s, t ^ 1);\n"
                             "  if (t < 48) __syncthreads();\n"
                             "  f[t] = 1.0f / (t - 1) - 1.0f / (t - 1);\n"
                             "  out[t + blockIdx.x * n] = v / n;\n"
                             "}\n");
  const std::string launch = file + " --block 64 --grid 2 --arg f=zeros:64 --arg out=";
  for (const std::string &each : {"zeros:128 --arg n=64", "zeros:128 --arg n=0",
                                  "zeros:100 --arg n=64", "zeros:4 --arg m=1", "zeros:4"}) {
    const Json root = runJson(launch + each);
    CHECK(fits(root) == std::vector<std::string>());
    for (const Json &instance : root["instances"]) {
      const Json &site = root["sites"][instance["site"].get<std::size_t>()];
      CHECK(instance.contains(site["barrier"] == true ? "warps" : "participants"));
    }
  }
  const Json root = runJson(launch + "zeros:128 --arg n=64");
  CHECK(root["ending"] == "finished");
  std::vector<int> half(16);
  std::iota(half.begin(), half.end(), 0);
  const Json &first = root["instances"][0];
  CHECK(root["sites"][first["site"].get<std::size_t>()]["name"] == "__ballot_sync");
  CHECK(first["coordinates"] == Json::parse("[0]"));
  CHECK(first["participants"] == Json(half));
  CHECK(first["mask"] == 0xffff);
  CHECK(root["weakest"] == "smr");
  CHECK(root["memory"][1]["values"][1] == "nan");
  CHECK(std::any_of(root["races"].begin(), root["races"].end(), [](const Json &race) {
    return race["second"]["place"]["calls"].size() == 1; // the read in helper()
  }));
  // A schema that is wrong is noticed.
  Json wrong = root;
  wrong["instances"][0]["participants"][0] = -1;
  wrong["instances"][0]["more"] = 1;
  wrong.erase("steps");
  CHECK(fits(wrong).size() == 3);
}

TEST_CASE("run: what is not given is chosen, the text is read, threads are followed") {
  Folder folder;
  SchemaCheck fits(Json::parse(std::ifstream(sourceDir() / "docs/run.schema.json")));
  const std::string file = folder.add(
      "reverse.cu", "__global__ void k(int *x, float f, bool b, signed char c, int n) {\n"
                    "  extern __shared__ int s[];\n"
                    "  if (threadIdx.x < n) s[threadIdx.x] = x[threadIdx.x * n];\n"
                    "  x[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x] + c;\n"
                    "}\n");
  const std::string launch =
      "run --block 64 --grid 2 --choose --follow auto --values 3 --format json ";
  const Json root = Json::parse(run(launch + file).text);
  CHECK(fits(root) == std::vector<std::string>());
  CHECK(root["ending"] == "finished");
  CHECK(root["chosen"] == Json::parse(R"({"x": "random:262144:i32", "f": "128", "b": "1",
                                          "c": "100", "n": "128"})"));
  CHECK(root["chosen_shared"] == 48 << 10);
  CHECK(root["memory"][0]["values"].size() == 3);
  REQUIRE(root["paths"].size() == 2);
  for (const char *end : {"first", "second"}) {
    const Json &race = root["races"][0], &path = root["paths"][end == std::string("second")];
    CHECK(path["by"] == race[end]["by"]);
    CHECK(std::any_of(path["events"].begin(), path["events"].end(), [&](const Json &event) {
      return event["kind"] == "race" && event["index"] == 0 && event["access"] == end &&
             event["place"]["line"] == race[end]["place"]["line"];
    }));
  }
  // What is given is left alone, a thread may be asked for, and the name of the text is free.
  const Json other = Json::parse(
      run("run --block 32 --choose --arg n=3 --follow 0:5 --format json --stdin /nowhere/a.cu < " +
          file)
          .text);
  CHECK(other["chosen"].contains("x"));
  CHECK_FALSE(other["chosen"].contains("n"));
  CHECK(other["paths"].size() == 1);
  CHECK(other["paths"][0]["by"]["lane"] == 5);
  CHECK(other["sites"].empty());
  CHECK_THAT(
      run("run --block 32 --choose " + file).text,
      ContainsSubstring("chosen: --arg b=1 --arg c=32 --arg f=32 --arg n=32 --arg x=random:"));
  // Of a fault: who was there and who was not.
  const std::string vote = folder.add(
      "vote.cu", "__global__ void k(int *x) {\n"
                 "  if (threadIdx.x % 2) x[threadIdx.x] = __any_sync(0xffffffff, 1);\n}\n");
  const Json fault =
      Json::parse(run("run --block 32 --choose --follow auto --format json " + vote).text);
  REQUIRE(fault["paths"].size() == 2);
  CHECK(fault["paths"][0]["by"]["lane"] == 1);
  CHECK(fault["paths"][1]["by"]["lane"] == 0);
}

TEST_CASE("run: the timeline") {
  Folder folder;
  const std::string file = folder.add("turns.cu", "__global__ void k(int *out) {\n"
                                                  "  int t = threadIdx.x;\n"
                                                  "  for (int i = 0; i < 2; ++i) {\n"
                                                  "    if (t < 8) __syncwarp(0xff);\n"
                                                  "    else out[0] = t;\n"
                                                  "  }\n"
                                                  "}\n");
  const std::string svg = run("run --format svg --block 32 --arg out=zeros:1 " + file).text;
  CHECK_THAT(svg, ContainsSubstring("iteration 1") && ContainsSubstring("else") &&
                      ContainsSubstring("__syncwarp (1)") && ContainsSubstring("lanes 0-7") &&
                      ContainsSubstring("race on out: line 5 and line 5"));
  CHECK(svg.find("iteration 2") == std::string::npos); // nobody does anything in it
  // However long a run, its picture is bounded.
  const std::string long_ = folder.add("long.cu", "__global__ void k(int *o, int n) {\n"
                                                  "  for (int i = 0; i < n; ++i) __syncthreads();\n"
                                                  "}\n");
  const Output output = run("run --format svg --block 1024 --arg o=zeros:1 --arg n=3000 " + long_);
  CHECK(output.status == 0);
  CHECK(output.text.size() < 40'000'000);
  CHECK_THAT(output.text, ContainsSubstring("The first 400 rows are shown; more follow.") &&
                              ContainsSubstring("The first 256 of 1024 threads"));
}
