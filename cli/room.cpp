#include "room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/memory.hpp>
#include <copse/mergeable_forest.hpp>
#include <filesystem>
#include <string>

#include "core/memory_error.hpp"
#include "estimate.hpp"
#include "graph_sizes.hpp"
#include "output.hpp"
#include "rates.hpp"

namespace copse::cli {
namespace {

std::uint64_t bytes_of_files(const input& graph) {
  std::uint64_t bytes = 0;
  for (const auto& path : graph.paths()) {
    std::error_code unknown;  // reading says what is wrong with it
    const auto size = std::filesystem::file_size(path, unknown);
    bytes += unknown ? 0 : size;
  }
  return bytes;
}

/// Can it be looked at without reading all of it, or only a little?
bool is_quick_to_look_at(const input& graph) {
  return !graph.generated() && graph.read_once().empty() && is_cut(graph.paths(), graph.read_options());
}

std::string plan_of(const sized& found, const resources& context) {
  const plan_question asked{.size = found.size,
                            .threads = usable_threads(context.threads),
                            .memory_bytes = context.memory.limit_bytes(),
                            .workers = std::nullopt,
                            .network_bytes_per_second = 0};
  std::string text = fmt::format("; copse plan: at most {} vertices, {} edges, {}", found.size.vertices, found.size.edges, found.how);
  for (const way& each : ways_of(asked, {}))
    text += fmt::format("; {} {} on {} ({})", each.name, bytes_text(each.bytes), each.device, each.remark);
  return text;
}

}  // namespace

std::optional<std::uint64_t> bytes_of_list_above(const input& graph, std::uint64_t limit) {
  if (!is_quick_to_look_at(graph)) return std::nullopt;
  // An edge is four bytes of a file at least, and eight of a list.
  if (2 * bytes_of_files(graph) < limit) return std::nullopt;
  tracked_memory looking{std::max(limit, least_planning_bytes)};
  const sized found = look_at(graph, &looking);
  constexpr std::uint64_t sure = 10;                                        // less a tenth of the list: its length is told by pieces of it
  const std::uint64_t list = 2 * sizeof(std::uint32_t) * found.size.edges;  // at least: ids may be wider
  if (list - list / sure <= limit) return std::nullopt;
  return list;
}

void expect_room(const input& graph, const resources& context) {
  if (!context.memory_is_limited) return;
  const std::uint64_t limit = context.memory.limit_bytes();
  const auto list = bytes_of_list_above(graph, limit);
  if (!list) return;
  throw resource_error{
      fmt::format("--memory: found {}, expected {} and more for a list of edges in memory", bytes_text(limit), bytes_text(*list))};
}

resource_error with_ways(const resource_error& problem, const input& graph, const resources& context) {
  if (!context.memory_is_limited || !is_quick_to_look_at(graph)) return problem;
  tracked_memory looking{std::max(context.memory.limit_bytes(), least_planning_bytes)};
  try {
    return resource_error{problem.what() + plan_of(look_at(graph, &looking), context)};
  } catch (const memory_error&) {
    return problem;
  }
}

}  // namespace copse::cli
