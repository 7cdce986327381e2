// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether JSON fits a JSON schema: the keywords that our own schemas use. Any other one is a fault.
// A key of an object that its schema does not name is one as well, so that no schema falls behind.
#pragma once

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace warpdrf::test {

class SchemaCheck {
public:
  using Json = nlohmann::json;
  explicit SchemaCheck(Json schema) : root(std::move(schema)) {}

  /// What does not fit, each with its place.
  std::vector<std::string> operator()(const Json &value) {
    faults.clear();
    check(value, root, "");
    return faults;
  }

private:
  void fault(const std::string &at, const std::string &what) { faults.push_back(at + ": " + what); }

  static bool isOf(const Json &value, const std::string &type) {
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "boolean" ? value.is_boolean()
                               : type == "null" && value.is_null();
  }

  void check(const Json &value, const Json &schema, const std::string &at) {
    static const std::set<std::string> known = {"$schema",     "$defs",      "$ref",    "title",
                                                "description", "type",       "const",   "enum",
                                                "anyOf",       "properties", "items",   "required",
                                                "minItems",    "maxItems",   "minimum", "maximum"};
    for (const auto &[key, part] : schema.items())
      if (!known.count(key))
        fault(at, "the schema uses " + key);
    if (schema.contains("$ref")) {
      const auto to = schema["$ref"].get<std::string>();
      return check(value, root.at(Json::json_pointer(to.substr(1))), at);
    }
    if (schema.contains("anyOf")) {
      for (const Json &choice : schema["anyOf"]) {
        SchemaCheck each(root);
        each.check(value, choice, at);
        if (each.faults.empty())
          return;
      }
      return fault(at, "fits none of the choices");
    }
    if (schema.contains("type")) {
      const Json types = schema["type"].is_array() ? schema["type"] : Json{schema["type"]};
      bool fits = false;
      for (const Json &type : types)
        fits |= isOf(value, type.get<std::string>());
      if (!fits)
        return fault(at, "is of another type: " + value.dump());
    }
    if (schema.contains("const") && value != schema["const"])
      fault(at, "is " + value.dump());
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      fault(at, "is " + value.dump());
    if (value.is_number() && ((schema.contains("minimum") && value < schema["minimum"]) ||
                              (schema.contains("maximum") && value > schema["maximum"])))
      fault(at, "is out of range: " + value.dump());
    if (value.is_object())
      object(value, schema, at);
    if (value.is_array())
      array(value, schema, at);
  }

  void object(const Json &value, const Json &schema, const std::string &at) {
    if (schema.contains("required"))
      for (const Json &key : schema["required"])
        if (!value.contains(key.get<std::string>()))
          fault(at, "lacks " + key.get<std::string>());
    if (!schema.contains("properties"))
      return;
    for (const auto &[key, part] : value.items())
      if (schema["properties"].contains(key))
        check(part, schema["properties"][key], at + "/" + key);
      else
        fault(at, "has " + key + ", which the schema does not name");
  }

  void array(const Json &value, const Json &schema, const std::string &at) {
    if ((schema.contains("minItems") && value.size() < schema["minItems"]) ||
        (schema.contains("maxItems") && value.size() > schema["maxItems"]))
      fault(at, "has " + std::to_string(value.size()) + " elements");
    for (std::size_t i = 0; i < value.size() && schema.contains("items"); ++i)
      check(value[i], schema["items"], at + "/" + std::to_string(i));
  }

  Json root;
  std::vector<std::string> faults;
};

} // namespace warpdrf::test
