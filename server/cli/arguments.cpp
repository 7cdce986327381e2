// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/arguments.h"

#include "server/cli/commands.h"

#include <algorithm>
#include <charconv>
#include <iostream>

namespace warpdrf::cli {

Arguments::Arguments(std::string usage, std::string about)
    : usage(std::move(usage)), about(std::move(about)) {}

void Arguments::flag(const std::string &name, const std::string &help, std::function<void()> set) {
  options.push_back({name, "", help, false, [set = std::move(set)](const std::string &) {
                       set();
                       return std::string();
                     }});
}

void Arguments::option(const std::string &name, const std::string &value, const std::string &help,
                       Store store) {
  options.push_back({name, value, help, false, std::move(store)});
}

void Arguments::hiddenOption(const std::string &name, Store store) {
  options.push_back({name, "VALUE", "", true, std::move(store)});
}

const Arguments::Option *Arguments::find(const std::string &name) const {
  auto found = std::ranges::find(options, name, &Option::name);
  return found == options.end() ? nullptr : &*found;
}

/// Reads the option at `at` and moves on to its last argument.
std::string Arguments::parseOption(const std::vector<std::string> &arguments,
                                   std::size_t &at) const {
  std::string name = arguments[at];
  std::optional<std::string> value;
  bool isLong = name.starts_with("--");
  if (std::size_t equals = name.find('='); isLong && equals != std::string::npos) {
    value = name.substr(equals + 1);
    name.resize(equals);
  } else if (!isLong && name.size() > 2) { // -j4
    value = name.substr(2);
    name.resize(2);
  }
  const Option *option = find(name);
  if (!option)
    return "there is no option '" + name + "'";
  auto note = [&] {
    if (seen)
      seen->push_back(name + "=" + value.value_or(""));
  };
  if (option->value.empty()) {
    note();
    return value ? "'" + name + "' takes no value" : option->store("");
  }
  if (!value) {
    if (at + 1 == arguments.size())
      return "'" + name + "' needs a value: " + option->value;
    value = arguments[++at];
  }
  note();
  std::string wrong = option->store(*value);
  return wrong.empty() ? "" : "'" + name + "': " + wrong;
}

std::string Arguments::parseAll(const std::vector<std::string> &arguments, bool &help) const {
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (argument == "--help" || argument == "-h") {
      help = true;
      return "";
    }
    if (argument == "--") {
      if (!after)
        return "nothing can follow '--' here";
      after->assign(arguments.begin() + at + 1, arguments.end());
      return "";
    }
    if (argument.size() > 1 && argument[0] == '-') {
      if (std::string wrong = parseOption(arguments, at); !wrong.empty())
        return wrong;
    } else if (places) {
      places->push_back(argument);
    } else {
      return "unexpected '" + argument + "'";
    }
  }
  return "";
}

void Arguments::printHelp() const {
  std::cout << "usage: warpdrf " << usage << "\n\n" << about << "\n";
  std::size_t width = 0;
  auto left = [](const Option &option) {
    return option.name + (option.value.empty() ? "" : " " + option.value);
  };
  for (const Option &option : options)
    if (!option.hidden)
      width = std::max(width, left(option).size());
  if (width > 0)
    std::cout << "\n";
  for (const Option &option : options) {
    std::string text = left(option);
    text.resize(std::max(width, text.size()), ' ');
    if (!option.hidden)
      std::cout << "  " << text << "  " << option.help << "\n";
  }
}

bool Arguments::parse(const std::vector<std::string> &arguments, int &exitCode) const {
  bool help = false;
  std::string wrong = parseAll(arguments, help);
  if (wrong.empty() && !help)
    return true;
  exitCode = help ? 0 : 2;
  if (help)
    printHelp();
  else
    std::cerr << "warpdrf: " << wrong << "\nusage: warpdrf " << usage << "\n";
  return false;
}

Arguments::Store number(unsigned &target, unsigned least) {
  return [&target, least](const std::string &value) -> std::string {
    unsigned parsed = 0;
    auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (failure != std::errc() || end != value.data() + value.size() || parsed < least)
      return "expected a whole number of at least " + std::to_string(least) + ", got '" + value +
             "'";
    target = parsed;
    return "";
  };
}

Arguments::Store text(std::string &target) {
  return [&target](const std::string &value) {
    target = value;
    return std::string();
  };
}

Arguments::Store text(std::optional<std::string> &target) {
  return [&target](const std::string &value) {
    target = value;
    return std::string();
  };
}

} // namespace warpdrf::cli
