// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/conformance.h"

#include <nlohmann/json.hpp>

namespace warpdrf::render {

using namespace conformance;
using Json = nlohmann::ordered_json;

std::string expectedJson(const Test &test) {
  Json json = {{"version", 1},
               {"seed", test.seed},
               {"contract", contractName(test.contract)},
               {"width", test.layout.width},
               {"threads", test.layout.threads},
               {"places", test.layout.places},
               {"capacity", test.layout.capacity},
               {"participants", Json::array()}};
  for (const Participants &instance : test.expected.instances)
    json["participants"].push_back({{"place", instance.place},
                                    {"coordinates", instance.coordinates},
                                    {"warp", instance.warp},
                                    {"lanes", instance.lanes}});
  return json.dump() + "\n";
}

} // namespace warpdrf::render
