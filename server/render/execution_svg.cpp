// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane timeline: a column per lane, program order downwards. A lane's line is thick where it is
// at work and thin over the rows that only others executed; it takes the colour of the group of
// lanes it goes with, so divergence and reconvergence are seen as changes of colour. Light or dark
// as the reader's pages are.
#include "server/render/execution.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace warpdrf::render {

using namespace interpreter;

namespace {

constexpr int left = 230, top = 64, warpGap = 14, rowHeight = 20;
constexpr std::size_t maximalRows = 400, maximalLabel = 36;

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

/// Text is dark on light pages and light on dark ones; what does not know the query sees dark.
const char *const style =
    "<style>.page{fill:#fff}.text{fill:#222}.faint{fill:#666}.whole{stroke:#333}.idle{stroke:#ccc}"
    "@media(prefers-color-scheme:dark){.page{fill:#1e1e1e}.text{fill:#ddd}.faint{fill:#999}"
    ".whole{stroke:#ccc}.idle{stroke:#555}}</style>\n";

class Timeline {
public:
  Timeline(const std::string &kernel, const Launch &launch, const Execution &execution)
      : kernel(kernel), launch(launch), execution(execution), blocks(launch.timeline),
        shownThreads(std::clamp(threadsPerBlock(), 1u, launch.timelineThreads)) {
    laneWidth = columns() <= 36 ? 18 : columns() <= 140 ? 9 : 5;
  }

  std::string draw() {
    chooseRows();
    std::ostringstream body;
    std::swap(out, body);
    label(12, 22, kernel + ": " + summary(), "text", "font-size=\"14\" font-weight=\"bold\"");
    heads();
    idleLines();
    for (std::size_t row = 0; row < rowCount; ++row)
      workLines(row);
    for (std::size_t row = 0; row < rowCount; ++row)
      drawRow(row);
    races();
    const int height = footer(y(rowCount) + 24);
    std::swap(out, body);
    const int width = std::max(x(columns() - 1) + laneWidth + 24, 760);
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
        << "\" viewBox=\"0 0 " << width << " " << height
        << "\" font-family=\"sans-serif\" font-size=\"11\">\n"
        << style << "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
        << body.str() << "</svg>\n";
    return out.str();
  }

private:
  std::uint32_t threadsPerBlock() const {
    return static_cast<std::uint32_t>(launch.block[0] * launch.block[1] * launch.block[2]);
  }
  std::uint32_t columns() const { return shownThreads * static_cast<std::uint32_t>(blocks.size()); }

  /// The column of a thread; none if it is not drawn.
  std::optional<std::uint32_t> columnOf(std::uint32_t block, std::uint32_t thread) const {
    auto at = std::ranges::find(blocks, block);
    if (at == blocks.end() || thread >= shownThreads)
      return std::nullopt;
    return static_cast<std::uint32_t>(at - blocks.begin()) * shownThreads + thread;
  }

  /// The warps in order of their columns, numbered over all blocks.
  std::uint32_t warpOf(std::uint32_t column) const {
    return column / shownThreads * ((shownThreads + launch.width - 1) / launch.width) +
           column % shownThreads / launch.width;
  }
  int x(std::uint32_t column) const {
    return left + static_cast<int>(column) * laneWidth + static_cast<int>(warpOf(column)) * warpGap;
  }
  int middle(std::uint32_t column) const { return x(column) + laneWidth / 2; }
  int y(std::size_t row) const { return top + 10 + static_cast<int>(row) * rowHeight; }

  void chooseRows() {
    std::vector<std::uint32_t> used;
    for (const TimelineEvent &event : execution.timeline)
      used.push_back(event.row);
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    cut = used.size() > maximalRows;
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
    return std::string(endingName(execution.ending)) + ", " +
           counted(execution.races.size(), "race") + ", weakest configuration " +
           configurationName(execution.weakest);
  }

  void label(int at, int baseline, const std::string &text, const char *kind,
             const std::string &more = "") {
    out << "<text class=\"" << kind << "\" x=\"" << at << "\" y=\"" << baseline << "\" " << more
        << ">" << escaped(text) << "</text>\n";
  }

  void heads() {
    for (std::uint32_t column = 0; column < columns(); ++column) {
      const std::uint32_t thread = column % shownThreads, lane = thread % launch.width;
      if (lane == 0) {
        std::string name = "warp " + std::to_string(thread / launch.width);
        if (launch.grid[0] * launch.grid[1] * launch.grid[2] > 1)
          name = "block " + std::to_string(blocks[column / shownThreads]) + ", " + name;
        label(x(column), top - 20, name, "text", "font-weight=\"bold\"");
      }
      if (laneWidth >= 14 || lane % 8 == 0)
        label(middle(column), top - 4, std::to_string(lane), "faint",
              "font-size=\"9\" text-anchor=\"middle\"");
    }
  }

  void line(std::uint32_t column, int from, int to, const std::string &look) {
    out << "<line x1=\"" << middle(column) << "\" y1=\"" << from << "\" x2=\"" << middle(column)
        << "\" y2=\"" << to << "\" " << look << "/>\n";
  }

  /// A thin line for a lane until it leaves the kernel.
  void idleLines() {
    std::map<std::uint32_t, std::size_t> leaves;
    for (std::size_t row = 0; row < rowCount; ++row)
      for (const TimelineEvent *event : byRow[row])
        if (event->kind == TimelineEvent::Kind::Exit)
          leaves[*columnOf(event->block, event->thread)] = row;
    for (std::uint32_t column = 0; column < columns(); ++column) {
      const auto end = leaves.find(column);
      line(column, y(0) - 6, end == leaves.end() ? y(rowCount) : y(end->second) + 6,
           "class=\"idle\"");
    }
  }

  /// Lanes of one warp with an event in the row are together: a complete warp has the text's
  /// colour, a part one by its first lane.
  void workLines(std::size_t row) {
    static const char *const colours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd",
                                          "#8c564b", "#17a2b8", "#a0a020", "#e377c2"};
    std::map<std::uint32_t, std::set<std::uint32_t>> warps;
    bool isExit = false;
    for (const TimelineEvent *event : byRow[row]) {
      const std::uint32_t column = *columnOf(event->block, event->thread);
      if (!isRace(*event))
        warps[warpOf(column)].insert(column);
      isExit |= event->kind == TimelineEvent::Kind::Exit;
    }
    for (const auto &[warp, members] : warps) {
      const std::uint32_t first = *members.begin() % shownThreads / launch.width * launch.width;
      const std::size_t whole = std::min(launch.width, shownThreads - first);
      const std::uint32_t lane = *members.begin() % shownThreads % launch.width;
      // Neighbours and halves, quarters of a warp shall differ.
      const char *colour = colours[(lane + lane / 8 * 3) % std::size(colours)];
      const std::string look =
          (members.size() == whole ? std::string("class=\"whole\"")
                                   : "stroke=\"" + std::string(colour) + "\"") +
          " stroke-width=\"" + std::to_string(std::max(2, laneWidth / 4)) + "\"";
      for (std::uint32_t column : members)
        line(column, y(row) - 6, isExit ? y(row) + 6 : y(row + 1) - 6, look);
    }
  }

  static bool isRace(const TimelineEvent &event) {
    return event.kind == TimelineEvent::Kind::RaceFirst ||
           event.kind == TimelineEvent::Kind::RaceSecond;
  }

  /// What happens in a row, and its bands.
  void drawRow(std::size_t row) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> instances; // columns by instance
    std::string text;
    for (const TimelineEvent *event : byRow[row])
      switch (event->kind) {
      case TimelineEvent::Kind::Instance:
        instances[event->index].push_back(*columnOf(event->block, event->thread));
        break;
      case TimelineEvent::Kind::Exit:
        text = "leaves the kernel";
        break;
      case TimelineEvent::Kind::Enter:
      case TimelineEvent::Kind::Iteration:
        text = event->label;
        break;
      case TimelineEvent::Kind::RaceFirst:
        text = accessName(execution.races[event->index].first) + std::string(" of ") +
               execution.races[event->index].object;
        break;
      case TimelineEvent::Kind::RaceSecond:
        text = accessName(execution.races[event->index].second) + std::string(" of ") +
               execution.races[event->index].object;
        break;
      }
    for (auto &[index, members] : instances) {
      const Instance &instance = execution.instances[index];
      text = execution.sites[instance.site].name + " (";
      for (std::size_t i = 0; i < instance.coordinates.size(); ++i)
        text += (i ? "," : "") + std::to_string(instance.coordinates[i]);
      text += ")";
      band(row, members, instance);
    }
    if (const unsigned line = byRow[row].front()->range.begin.line)
      label(38, y(row) + 4, std::to_string(line), "faint", "font-size=\"10\" text-anchor=\"end\"");
    if (text.size() > maximalLabel)
      text = text.substr(0, maximalLabel) + "…";
    label(46, y(row) + 4, text, instances.empty() ? "faint" : "text", "font-size=\"10\"");
  }

  /// A band over the participants, in runs of neighbours.
  void band(std::size_t row, std::vector<std::uint32_t> &members, const Instance &instance) {
    const Site &site = execution.sites[instance.site];
    std::ranges::sort(members);
    const char *fill = instance.weakest == Configuration::Cuda  ? "#9ecae1"
                       : instance.weakest == Configuration::Smr ? "#fdd0a2"
                                                                : "#f4978e";
    std::string title = site.name;
    if (!site.barrier)
      title += ", warp " + std::to_string(instance.warp) + ": lanes " +
               shownLanes(instance.participants);
    for (std::size_t i = 0; i < members.size();) {
      std::size_t end = i;
      // A band of a barrier spans the gaps between warps.
      while (end + 1 < members.size() && members[end + 1] == members[end] + 1)
        ++end;
      out << "<rect x=\"" << x(members[i]) << "\" y=\"" << y(row) - 6 << "\" width=\""
          << x(members[end]) + laneWidth - x(members[i]) << "\" height=\"12\" rx=\"3\" fill=\""
          << fill << "\" stroke=\"#456\" stroke-width=\"" << (site.barrier ? 1.6 : 0.8)
          << "\"><title>" << escaped(title) << "</title></rect>\n";
      i = end + 1;
    }
  }

  void races() {
    struct End {
      int x = 0, y = 0;
    };
    std::map<std::uint32_t, std::array<std::optional<End>, 2>> ends;
    for (std::size_t row = 0; row < rowCount; ++row)
      for (const TimelineEvent *event : byRow[row])
        if (isRace(*event))
          ends[event->index][event->kind == TimelineEvent::Kind::RaceSecond] =
              End{middle(*columnOf(event->block, event->thread)), y(row)};
    for (const auto &[index, both] : ends) {
      if (!both[0] || !both[1])
        continue;
      ++racesDrawn;
      const Race &race = execution.races[index];
      out << "<g stroke=\"#d62728\" fill=\"#d62728\"><line x1=\"" << both[0]->x << "\" y1=\""
          << both[0]->y << "\" x2=\"" << both[1]->x << "\" y2=\"" << both[1]->y
          << "\" stroke-width=\"2\"/>";
      for (const std::optional<End> &end : both)
        out << "<circle cx=\"" << end->x << "\" cy=\"" << end->y << "\" r=\"4\"/>";
      out << "<title>"
          << escaped("race on " + race.object + ": line " +
                     std::to_string(race.first.place.range.begin.line) + " and line " +
                     std::to_string(race.second.place.range.begin.line))
          << "</title></g>\n";
    }
  }

  /// What the colours mean and what is missing; gives the height of the picture.
  int footer(int baseline) {
    const auto note = [&](const std::string &text, const char *look = "") {
      label(12, baseline, text, "faint", look);
      baseline += 16;
    };
    note("Lines: black or white a complete warp, coloured a part of one, thin a lane that others "
         "are "
         "ahead of or behind.");
    note("Bands: blue a complete warp or block, orange a part that smr guarantees, red one that "
         "only fmr does. Red lines: races.");
    if (cut)
      note("The first " + std::to_string(maximalRows) + " rows are shown; more follow.");
    if (threadsPerBlock() > shownThreads)
      note("The first " + std::to_string(shownThreads) + " of " +
           std::to_string(threadsPerBlock()) + " threads of a block are shown.");
    const std::int64_t grid = launch.grid[0] * launch.grid[1] * launch.grid[2];
    if (const auto shown = static_cast<std::int64_t>(blocks.size()); shown < grid)
      note(std::to_string(shown) + " of " + std::to_string(grid) + " blocks " +
           (shown == 1 ? "is" : "are") + " shown.");
    if (execution.instanceCount > execution.instances.size())
      note("The first " + std::to_string(execution.instances.size()) + " of " +
           std::to_string(execution.instanceCount) + " primitive instances are recorded.");
    if (racesDrawn < execution.races.size())
      note(counted(execution.races.size() - racesDrawn, "race") +
           " of threads or rows that are not shown.");
    if (!execution.finished()) {
      out << "<text fill=\"#d62728\" x=\"12\" y=\"" << baseline << "\">"
          << escaped((execution.place ? shownRange(execution.place->range) + ": " : "") +
                     execution.message)
          << "</text>\n";
      baseline += 16;
    }
    return baseline;
  }

  const std::string &kernel;
  const Launch &launch;
  const Execution &execution;
  std::ostringstream out;
  std::vector<std::uint32_t> blocks;
  std::uint32_t shownThreads = 0;
  std::vector<std::vector<const TimelineEvent *>> byRow;
  std::size_t rowCount = 0, racesDrawn = 0;
  bool cut = false;
  int laneWidth = 18;
};

} // namespace

std::string executionSvg(const std::string &kernel, const Launch &launch,
                         const Execution &execution) {
  return Timeline(kernel, launch, execution).draw();
}

std::vector<std::uint32_t> timelineBlocks(const Launch &launch, const Execution &execution) {
  for (const Race &race : execution.races)
    if (race.scope == Scope::Grid) {
      const auto [one, two] =
          std::minmax(race.first.thread.blockIndex, race.second.thread.blockIndex);
      return {one, two};
    }
  if (!execution.races.empty())
    return {execution.races.front().first.thread.blockIndex};
  return {launch.onlyBlocks.empty() ? 0 : launch.onlyBlocks.front()};
}

} // namespace warpdrf::render
