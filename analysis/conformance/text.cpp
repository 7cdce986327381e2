// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/conformance/text.h"

#include <vector>

namespace warpdrf::conformance {

namespace {

class Writer {
public:
  Writer(const Program &program, const TextOptions &options) : program(program), options(options) {}

  std::string module() {
    line("module {");
    ++depth;
    objects();
    record();
    // Callees first, as most languages want them.
    for (std::size_t i = program.functions.size(); i-- > 0;)
      function(i);
    --depth;
    line("}");
    return std::move(out);
  }

private:
  void line(const std::string &text) { out.append(2 * depth, ' ').append(text).append("\n"); }

  /// A line that defines a value; gives its name.
  std::string define(const std::string &text) {
    const std::string name = "%" + std::to_string(values++);
    line(name + " = " + text);
    return name;
  }

  std::string constant(std::uint64_t number, const std::string &type = "i32") {
    return define("arith.constant " + std::to_string(number) + " : " + type);
  }

  std::string binary(const std::string &op, const std::string &left, const std::string &right,
                     const std::string &type = "i32") {
    return define("arith." + op + " " + left + ", " + right + " : " + type);
  }

  std::string address(const std::string &object, const std::string &index) {
    const std::string base = define("warpdrf.address_of @" + object);
    const std::string wide = define("arith.extui " + index + " : i32 to i64");
    const std::string size = constant(4, "i64");
    const std::string bytes = binary("muli", wide, size, "i64");
    return define("warpdrf.offset " + base + ", " + bytes);
  }

  std::string read(const std::string &object, const std::string &index) {
    const std::string at = address(object, index);
    return define("warpdrf.read " + at + " : i32");
  }

  void write(const std::string &object, const std::string &index, const std::string &value) {
    const std::string at = address(object, index);
    line("warpdrf.write " + at + ", " + value + " : i32");
  }

  void objects() {
    const std::uint64_t cells = std::uint64_t{program.places} * program.threads();
    std::string contents;
    for (std::uint32_t word : program.input)
      contents += (contents.empty() ? "" : ", ") + std::to_string(word);
    line("warpdrf.object constant @data \"data\" " + std::to_string(4 * program.input.size()) +
         " {warpdrf.contents = array<i32: " + contents + ">}");
    line("warpdrf.object global @visits \"visits\" " + std::to_string(4 * cells));
    line("warpdrf.object global @results \"results\" " +
         std::to_string(8 * cells * options.capacity));
  }

  void record() {
    line("warpdrf.func @record(%place: i32, %lanes: i32, %count: i32) attributes "
         "{warpdrf.param_names = [\"place\", \"lanes\", \"count\"]} {");
    ++depth;
    values = 0;
    const std::string thread = define("warpdrf.special tid_x");
    const std::string threads = constant(program.threads());
    const std::string row = binary("muli", "%place", threads);
    const std::string counter = binary("addi", row, thread);
    const std::string visit = variable("visit", read("visits", counter));
    const std::string one = constant(1);
    const std::string next = binary("addi", get(visit), one);
    write("visits", counter, next);
    const std::string last = constant(options.capacity - 1);
    const std::string slot = binary("minui", get(visit), last);
    const std::string capacity = constant(options.capacity);
    const std::string visits = binary("muli", "%place", capacity);
    const std::string which = binary("addi", visits, slot);
    const std::string line = binary("muli", which, threads);
    const std::string mine = binary("addi", line, thread);
    const std::string two = constant(2);
    const std::string cell = variable("cell", binary("muli", mine, two));
    write("results", get(cell), "%lanes");
    const std::string second = binary("addi", get(cell), one);
    write("results", second, "%count");
    end();
  }

  void end() {
    --depth;
    line("}");
  }

  std::string variable(const std::string &name, const std::string &value) {
    const std::string slot = define("warpdrf.var \"" + name + "\" : <i32>");
    line("warpdrf.set " + slot + ", " + value + " : <i32>");
    return slot;
  }
  std::string get(const std::string &slot) { return define("warpdrf.get " + slot + " : <i32>"); }

  void function(std::size_t index) {
    values = 0;
    counters.clear();
    if (index == 0)
      line("warpdrf.func @test() attributes {kernel, warpdrf.param_names = [], warpdrf.test = " +
           description() + "} {");
    else
      line("warpdrf.func @f" + std::to_string(index) +
           "(%p: i32) attributes {warpdrf.param_names = [\"p\"]} {");
    ++depth;
    const std::string zero = constant(0);
    last = variable("last", zero);
    block(program.functions[index]);
    end();
  }

  std::string description() const {
    const auto number = [](const char *name, std::uint64_t value) {
      return std::string(name) + " = " + std::to_string(value) + " : i64, ";
    };
    return "{capacity = " + std::to_string(options.capacity) + " : i64, contract = \"" +
           options.contract + "\", " + number("places", program.places) +
           number("seed", options.seed) + number("threads", program.threads()) +
           "width = " + std::to_string(program.width) + " : i64}";
  }

  void block(const Block &block) {
    for (const Statement &each : block)
      statement(each);
  }

  void nested(const Block &body) {
    ++depth;
    block(body);
    --depth;
  }

  std::string value(const Value &value) {
    std::string made;
    switch (value.kind) {
    case Value::Kind::Literal:
      made = constant(value.number);
      break;
    case Value::Kind::Input: {
      const std::string index = constant(value.number);
      made = read("data", index);
      break;
    }
    case Value::Kind::LaneInput: {
      const std::string row = constant(inputWords + value.number * program.threads());
      const std::string thread = define("warpdrf.special tid_x");
      const std::string index = binary("addi", row, thread);
      made = read("data", index);
      break;
    }
    case Value::Kind::Lane:
      made = define("warpdrf.special lane_id");
      break;
    case Value::Kind::Counter:
      // The reducer may have taken the loop away.
      made = value.number < counters.size() && !counters[value.number].empty()
                 ? get(counters[value.number])
                 : constant(0);
      break;
    case Value::Kind::Parameter:
      made = "%p";
      break;
    }
    if (!value.modulo)
      return made;
    const std::string modulo = constant(value.modulo);
    return binary("remui", made, modulo);
  }

  std::string compare(const std::string &predicate, const std::string &left,
                      const std::string &right) {
    return define("arith.cmpi " + predicate + ", " + left + ", " + right + " : i32");
  }

  std::string condition(const Condition &condition) {
    static const char *const predicates[] = {"ult", "eq", "ne", "uge"};
    const std::string left = value(condition.left), right = value(condition.right);
    return compare(predicates[static_cast<int>(condition.compare)], left, right);
  }

  void log(unsigned place, const std::string &lanes, const std::string &count) {
    const std::string number = constant(place);
    line("warpdrf.call @record(" + number + ", " + lanes + ", " + count +
         ") : (i32, i32, i32) -> ()");
  }

  void statement(const Statement &statement) {
    switch (statement.kind) {
    case Statement::Kind::Site: {
      const std::string name = std::to_string(statement.number);
      const std::string yes = define("arith.constant true");
      const std::string lanes =
          define("warpdrf.primitive \"ballot " + name + "\" ballot(" + yes + ") : (i1) -> i32");
      line("warpdrf.set " + last + ", " + lanes + " : <i32>");
      const std::string one = constant(1);
      const std::string count =
          define("warpdrf.primitive \"count " + name + "\" reduce_add(" + one + ") : (i32) -> i32");
      return log(statement.number, lanes, count);
    }
    case Statement::Kind::Note: {
      const std::string lanes = get(last);
      const std::string zero = constant(0);
      return log(statement.number, lanes, zero);
    }
    case Statement::Kind::If: {
      line("warpdrf.if " + condition(statement.condition) + " {");
      nested(statement.arms[0].body);
      line("} else {");
      if (statement.arms.size() > 1)
        nested(statement.arms[1].body);
      return line("}");
    }
    case Statement::Kind::Loop:
      return loop(statement);
    case Statement::Kind::Switch:
      return select(statement);
    case Statement::Kind::Call: {
      const std::string argument = value(statement.value);
      return line("warpdrf.call @f" + std::to_string(statement.number) + "(" + argument +
                  ") : (i32) -> ()");
    }
    case Statement::Kind::Break:
      return line("warpdrf.break");
    case Statement::Kind::Continue:
      return line("warpdrf.continue");
    case Statement::Kind::Return:
      return line("warpdrf.return");
    }
  }

  void count(const std::string &counter) {
    const std::string old = get(counter), one = constant(1);
    line("warpdrf.set " + counter + ", " + binary("addi", old, one) + " : <i32>");
  }

  std::string inRange(const Statement &loop, const std::string &counter) {
    const std::string now = get(counter), bound = value(loop.value);
    return compare("ult", now, bound);
  }

  void loop(const Statement &loop) {
    const std::string zero = constant(0);
    const std::string counter = variable("i" + std::to_string(loop.number), zero);
    counters.resize(loop.number);
    counters.push_back(counter);
    const bool endless = loop.form == LoopForm::Endless;
    line(loop.form == LoopForm::Do ? "warpdrf.loop attributes {post_test} {" : "warpdrf.loop {");
    ++depth;
    // The bound may name the counters of the loops around this one only, so they are still right.
    const std::string condition = endless ? define("arith.constant true") : inRange(loop, counter);
    line("warpdrf.condition " + condition);
    --depth;
    line("} do {");
    ++depth;
    if (loop.form == LoopForm::While || loop.form == LoopForm::Do)
      count(counter);
    block(loop.arms[0].body);
    counters.resize(loop.number + 1);
    counters[loop.number] = counter;
    if (endless) {
      exit(loop, counter);
      block(loop.arms[1].body);
    }
    --depth;
    line("} step {");
    ++depth;
    if (loop.form == LoopForm::For)
      count(counter);
    --depth;
    line("}");
  }

  void exit(const Statement &loop, const std::string &counter) {
    count(counter);
    const std::string now = get(counter), bound = value(loop.value);
    line("warpdrf.if " + compare("uge", now, bound) + " {");
    ++depth;
    line("warpdrf.break");
    --depth;
    line("} else {");
    line("}");
  }

  void select(const Statement &statement) {
    const std::string selector = value(statement.value);
    std::string values, otherwise = "-1";
    for (std::size_t i = 0; i < statement.arms.size(); ++i) {
      std::string labels;
      for (unsigned label : statement.arms[i].labels)
        labels += (labels.empty() ? ": " : ", ") + std::to_string(label);
      values += (i ? ", array<i64" : "array<i64") + labels + ">";
      if (statement.arms[i].otherwise)
        otherwise = std::to_string(i);
    }
    line("warpdrf.switch " + selector + " : i32 [" + values + "] default " + otherwise + " {");
    for (std::size_t i = 0; i < statement.arms.size(); ++i) {
      const Arm &arm = statement.arms[i];
      ++depth;
      block(arm.body);
      if (!arm.falls)
        line("warpdrf.break");
      --depth;
      line(i + 1 < statement.arms.size() ? "}, {" : "}");
    }
  }

  const Program &program;
  const TextOptions &options;
  std::string out, last;
  std::vector<std::string> counters; ///< slots, from the outermost loop on
  unsigned depth = 0, values = 0;
};

} // namespace

std::string text(const Program &program, const TextOptions &options) {
  return Writer(program, options).module();
}

} // namespace warpdrf::conformance
