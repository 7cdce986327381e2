// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/messages.h"

#include "protocol/decode.h"
#include "server/render/json.h"

namespace warpdrf::worker {

using protocol::Json;
using protocol::ObjectReader;
using protocol::Path;

static std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string print(const CheckMessage &message) {
  const lsp::Settings &settings = message.settings;
  return dump({{"check", message.number},
               {"path", message.path},
               {"text", message.text},
               {"fixes", message.fixes},
               {"parts", message.parts},
               {"unsaved", message.unsaved},
               {"settings", settingsToJson(settings)}});
}

std::string print(const DoneMessage &message) {
  if (!message.error.empty())
    return dump({{"done", message.number}, {"error", message.error}});
  render::RunReport run{{message.report}, message.report.findings, message.report.timeMs};
  run.files[0].findings.clear();
  return dump({{"done", message.number},
               {"more", message.more},
               {"report", toJson(run, render::JsonDetail::Editor)}});
}

std::string printCancel(unsigned number) {
  return dump({{"cancel", number}});
}

/// Both ends are this program, so a damaged message is a fault of ours; it is still survived.
static Json parse(const std::string &text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::optional<CheckMessage> readCheck(const std::string &text) {
  Path::Root root("check");
  CheckMessage message;
  Json settings, unsaved;
  if (!ObjectReader(parse(text), root)
           .required("check", message.number)
           .required("path", message.path)
           .required("text", message.text)
           .required("fixes", message.fixes)
           .required("parts", message.parts)
           .required("unsaved", unsaved)
           .required("settings", settings)
           .ok())
    return std::nullopt;
  std::string mistakes;
  message.settings = lsp::settingsFromJson(settings, mistakes);
  for (const auto &[path, content] : unsaved.items())
    if (content.is_string())
      message.unsaved[path] = content.get<std::string>();
  return message;
}

std::optional<DoneMessage> readDone(const std::string &text) {
  Path::Root root("done");
  DoneMessage message;
  std::string report;
  if (!ObjectReader(parse(text), root)
           .required("done", message.number)
           .optional("report", report)
           .optional("error", message.error)
           .optional("more", message.more)
           .ok())
    return std::nullopt;
  if (!message.error.empty())
    return message;
  std::optional<render::RunReport> run = render::fromJson(report);
  if (!run || run->files.size() != 1)
    return std::nullopt;
  message.report = std::move(run->files[0]);
  message.report.findings = std::move(run->findings);
  message.report.timeMs = run->timeMs;
  return message;
}

std::optional<unsigned> readCancel(const std::string &text) {
  Path::Root root("cancel");
  unsigned number = 0;
  if (!ObjectReader(parse(text), root).required("cancel", number).ok())
    return std::nullopt;
  return number;
}

} // namespace warpdrf::worker
