// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane timeline: a column per lane, program order downwards. A lane's line is solid where it is
// at work and faint over the rows that only others executed; it takes the colour of the group of
// lanes it goes with, so divergence and reconvergence are seen as changes of colour.
#include "server/render/execution.h"

#include <algorithm>
#include <sstream>

namespace warpdrf::render {

using namespace interpreter;

namespace {

constexpr int left = 190, top = 64, warpGap = 14;
constexpr std::size_t maximalRows = 400;
constexpr std::uint32_t maximalThreads = 256;

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  return result;
}

class Timeline {
public:
  Timeline(const std::string &kernel, const Launch &launch, const Execution &execution)
      : kernel(kernel), launch(launch), execution(execution) {}

  std::string draw() {
    chooseBlocks();
    chooseRows();
    const int width = std::max(x(columns() - 1) + laneWidth + 24, 720);
    const int height = y(rowCount) + 56;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
        << "\" viewBox=\"0 0 " << width << " " << height
        << "\" font-family=\"sans-serif\" font-size=\"11\">\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    label(12, 20, kernel + ": " + summary(), "font-size=\"14\" font-weight=\"bold\"");
    heads();
    lanes();
    for (std::size_t row = 0; row < rowCount; ++row)
      drawRow(row);
    races();
    footer(y(rowCount) + 28);
    out << "</svg>\n";
    return out.str();
  }

private:
  std::uint32_t threadsPerBlock() const {
    return static_cast<std::uint32_t>(launch.block[0] * launch.block[1] * launch.block[2]);
  }

  /// The first block, and the other one of the first race between blocks.
  void chooseBlocks() {
    blocks = {0};
    for (const Race &race : execution.races) {
      std::vector<std::uint32_t> both = {race.first.thread.blockIndex,
                                         race.second.thread.blockIndex};
      std::ranges::sort(both);
      both.erase(std::unique(both.begin(), both.end()), both.end());
      blocks = both;
      break;
    }
    shownThreads = std::min(threadsPerBlock(), maximalThreads);
    laneWidth = columns() <= 36 ? 18 : columns() <= 140 ? 9 : 5;
  }

  std::uint32_t columns() const { return shownThreads * static_cast<std::uint32_t>(blocks.size()); }

  /// The column of a thread; none if it is not drawn.
  std::optional<std::uint32_t> columnOf(std::uint32_t block, std::uint32_t thread) const {
    auto at = std::ranges::find(blocks, block);
    if (at == blocks.end() || thread >= shownThreads)
      return std::nullopt;
    return static_cast<std::uint32_t>(at - blocks.begin()) * shownThreads + thread;
  }

  int x(std::uint32_t column) const {
    const std::uint32_t warpsBefore =
        column / shownThreads * ((shownThreads + launch.width - 1) / launch.width) +
        column % shownThreads / launch.width;
    return left + static_cast<int>(column) * laneWidth + static_cast<int>(warpsBefore) * warpGap;
  }
  int y(std::size_t row) const { return top + 10 + static_cast<int>(row) * rowHeight; }

  void chooseRows() {
    std::vector<std::uint32_t> used;
    for (const TimelineEvent &event : execution.timeline)
      if (columnOf(event.block, event.thread))
        used.push_back(event.row);
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    leftOut = used.size() > maximalRows ? used.size() - maximalRows : 0;
    used.resize(std::min(used.size(), maximalRows));
    rowCount = used.size();
    byRow.resize(rowCount);
    for (const TimelineEvent &event : execution.timeline) {
      auto at = std::ranges::lower_bound(used, event.row);
      if (at != used.end() && *at == event.row && columnOf(event.block, event.thread))
        byRow[static_cast<std::size_t>(at - used.begin())].push_back(&event);
    }
  }

  std::string summary() const {
    std::string text = endingName(execution.ending);
    text += ", " + std::to_string(execution.races.size()) + " races, weakest configuration ";
    return text + configurationName(execution.weakest);
  }

  void label(int at, int baseline, const std::string &text, const std::string &style = "") {
    out << "<text x=\"" << at << "\" y=\"" << baseline << "\" " << style << ">" << escaped(text)
        << "</text>\n";
  }

  void heads() {
    for (std::uint32_t column = 0; column < columns(); ++column) {
      const std::uint32_t thread = column % shownThreads, lane = thread % launch.width;
      if (lane == 0) {
        std::string name = "warp " + std::to_string(thread / launch.width);
        if (blocks.size() > 1)
          name = "block " + std::to_string(blocks[column / shownThreads]) + ", " + name;
        label(x(column), top - 22, name, "font-weight=\"bold\"");
      }
      if (laneWidth >= 14 || lane % 8 == 0)
        label(x(column), top - 6, std::to_string(lane), "font-size=\"9\" fill=\"#555\"");
    }
  }

  /// Which lanes are together: those of one warp with an event in one row have one colour, that of
  /// their first lane; a lone group of all lanes is black.
  void lanes() {
    static const char *const colours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd",
                                          "#8c564b", "#17becf", "#bcbd22", "#e377c2"};
    for (std::uint32_t column = 0; column < columns(); ++column)
      out << "<line x1=\"" << middle(column) << "\" y1=\"" << y(0) - 8 << "\" x2=\""
          << middle(column) << "\" y2=\"" << y(rowCount)
          << "\" stroke=\"#ddd\" stroke-dasharray=\"2 3\"/>\n";
    for (std::size_t row = 0; row < rowCount; ++row) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> warps;
      for (const TimelineEvent *event : byRow[row])
        warps[*columnOf(event->block, event->thread) / shownThreads * 4096 +
              event->thread / launch.width]
            .push_back(*columnOf(event->block, event->thread));
      for (auto &[warp, members] : warps) {
        std::ranges::sort(members);
        members.erase(std::unique(members.begin(), members.end()), members.end());
        const std::uint32_t first = (warp % 4096) * launch.width;
        const std::size_t whole = std::min(launch.width, shownThreads - first);
        const char *colour = members.size() == whole
                                 ? "#222"
                                 : colours[members.front() % launch.width % std::size(colours)];
        for (std::uint32_t column : members)
          out << "<line x1=\"" << middle(column) << "\" y1=\"" << y(row) - 3 << "\" x2=\""
              << middle(column) << "\" y2=\"" << y(row + 1) - 3 << "\" stroke=\"" << colour
              << "\" stroke-width=\"" << std::max(2, laneWidth / 4) << "\"/>\n";
      }
    }
  }

  int middle(std::uint32_t column) const { return x(column) + laneWidth / 2; }

  void drawRow(std::size_t row) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> instances; // columns by instance
    std::string text;
    for (const TimelineEvent *event : byRow[row]) {
      if (event->kind == TimelineEvent::Kind::Instance)
        instances[event->index].push_back(*columnOf(event->block, event->thread));
      else if (event->kind == TimelineEvent::Kind::Exit)
        text = "exit";
      else if (event->kind == TimelineEvent::Kind::Enter)
        text = event->label;
    }
    for (auto &[index, columnsOf] : instances) {
      const Instance &instance = execution.instances[index];
      const Site &site = execution.sites[instance.site];
      text = site.name + " (";
      for (std::size_t i = 0; i < instance.coordinates.size(); ++i)
        text += (i ? "," : "") + std::to_string(instance.coordinates[i]);
      text += ")";
      band(row, columnsOf, instance, site);
    }
    const int line = lineOf(row);
    label(8, y(row) + 6, (line ? std::to_string(line) + "  " : "") + text,
          instances.empty() ? "font-size=\"10\" fill=\"#777\"" : "font-size=\"10\"");
  }

  int lineOf(std::size_t row) const {
    for (const TimelineEvent *event : byRow[row])
      if (event->kind == TimelineEvent::Kind::Instance)
        return static_cast<int>(
            execution.sites[execution.instances[event->index].site].place.range.begin.line);
    return 0;
  }

  /// A band over the participants, in runs of neighbours.
  void band(std::size_t row, std::vector<std::uint32_t> &members, const Instance &instance,
            const Site &site) {
    std::ranges::sort(members);
    const char *fill = instance.weakest == Configuration::Cuda  ? "#9ecae1"
                       : instance.weakest == Configuration::Smr ? "#fdd0a2"
                                                                : "#fcae91";
    for (std::size_t i = 0; i < members.size();) {
      std::size_t end = i;
      while (end + 1 < members.size() && members[end + 1] == members[end] + 1)
        ++end;
      out << "<rect x=\"" << x(members[i]) << "\" y=\"" << y(row) - 3 << "\" width=\""
          << x(members[end]) + laneWidth - x(members[i]) << "\" height=\"12\" rx=\"3\" fill=\""
          << fill << "\" stroke=\"#456\" stroke-width=\"" << (site.barrier ? 1.6 : 0.8)
          << "\"><title>" << escaped(site.name) << "</title></rect>\n";
      i = end + 1;
    }
  }

  void races() {
    struct Ends {
      int x1 = 0, y1 = 0, x2 = 0, y2 = 0;
      bool first = false, second = false;
    };
    std::map<std::uint32_t, Ends> ends;
    for (std::size_t row = 0; row < rowCount; ++row)
      for (const TimelineEvent *event : byRow[row]) {
        Ends &at = ends[event->index];
        const int column = middle(*columnOf(event->block, event->thread));
        if (event->kind == TimelineEvent::Kind::RaceFirst) {
          at.x1 = column, at.y1 = y(row) + 3, at.first = true;
        } else if (event->kind == TimelineEvent::Kind::RaceSecond) {
          at.x2 = column, at.y2 = y(row) + 3, at.second = true;
        }
      }
    for (const auto &[index, at] : ends) {
      if (!at.first || !at.second)
        continue;
      const Race &race = execution.races[index];
      out << "<g stroke=\"#d62728\" fill=\"#d62728\"><line x1=\"" << at.x1 << "\" y1=\"" << at.y1
          << "\" x2=\"" << at.x2 << "\" y2=\"" << at.y2 << "\" stroke-width=\"2\"/><circle cx=\""
          << at.x1 << "\" cy=\"" << at.y1 << "\" r=\"4\"/><circle cx=\"" << at.x2 << "\" cy=\""
          << at.y2 << "\" r=\"4\"/><title>"
          << escaped("race on " + race.object + ": line " +
                     std::to_string(race.first.place.range.begin.line) + " and line " +
                     std::to_string(race.second.place.range.begin.line))
          << "</title></g>\n";
    }
  }

  void footer(int baseline) {
    std::string text = "bands: blue a complete warp, orange a part that smr guarantees, red one "
                       "that only fmr does; red line: a race";
    if (leftOut)
      text += "; " + std::to_string(leftOut) + " later rows left out";
    if (threadsPerBlock() > shownThreads)
      text += "; threads from " + std::to_string(shownThreads) + " on left out";
    label(8, baseline, text, "fill=\"#555\"");
    if (!execution.finished())
      label(8, baseline + 16, execution.message, "fill=\"#d62728\"");
  }

  const std::string &kernel;
  const Launch &launch;
  const Execution &execution;
  std::ostringstream out;
  std::vector<std::uint32_t> blocks;
  std::vector<std::vector<const TimelineEvent *>> byRow;
  std::size_t rowCount = 0, leftOut = 0;
  std::uint32_t shownThreads = 0;
  int laneWidth = 18;
  static constexpr int rowHeight = 20;
};

} // namespace

std::string executionSvg(const std::string &kernel, const Launch &launch,
                         const Execution &execution) {
  return Timeline(kernel, launch, execution).draw();
}

} // namespace warpdrf::render
