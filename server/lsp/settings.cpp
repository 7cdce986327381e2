// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each key is read by itself, so that a mistake in one does not disable the others.
#include "server/lsp/settings.h"

namespace warpdrf::lsp {

using protocol::Json;

template <typename T>
static void read(const Json &json, const char *key, T &out, std::string &errors) {
  auto it = json.find(key);
  if (it == json.end() || it->is_null())
    return;
  protocol::Path::Root root(std::string("warpdrf.") + key);
  T value{};
  if (fromJson(*it, value, protocol::Path(root)))
    out = std::move(value);
  else
    errors += (errors.empty() ? "" : "; ") + root.error();
}

Settings settingsFromJson(const Json &given, std::string &error) {
  Settings settings;
  const Json &section = protocol::descend(given, {"warpdrf"});
  const Json &json = section.is_object() ? section : given;
  if (!json.is_object())
    return settings;
  read(json, "flags", settings.flags, error);
  read(json, "arch", settings.arch, error);
  read(json, "contract", settings.contract, error);
  read(json, "strict", settings.strict, error);
  read(json, "noToolkit", settings.noToolkit, error);
  read(json, "showParseErrors", settings.showParseErrors, error);
  read(json, "inlayHints", settings.inlayHints, error);
  read(json, "divergentCode", settings.divergentCode, error);
  if (settings.contract != "cuda" && settings.contract != "smr" && settings.contract != "fmr") {
    error +=
        (error.empty() ? "" : "; ") + std::string("warpdrf.contract: expected cuda, smr or fmr");
    settings.contract = "cuda";
  }
  return settings;
}

Json settingsToJson(const Settings &settings) {
  return {{"flags", settings.flags},           {"arch", settings.arch},
          {"contract", settings.contract},     {"strict", settings.strict},
          {"noToolkit", settings.noToolkit},   {"showParseErrors", settings.showParseErrors},
          {"inlayHints", settings.inlayHints}, {"divergentCode", settings.divergentCode}};
}

} // namespace warpdrf::lsp
