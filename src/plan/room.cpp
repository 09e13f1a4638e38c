#include <copse/memory.hpp>
#include <copse/partial.hpp>
#include <copse/plan.hpp>
#include <core/bytes_text.hpp>
#include <core/cancelling_observer.hpp>
#include <plan/files.hpp>
#include <plan/room.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace copse::plan {
namespace {

/// True if the size of the input can be found without reading all of it, or if the input is small.
bool is_quick_to_look_at(std::span<const std::filesystem::path> paths, const io::read_options& input) {
  return !is_read_once(paths) && is_cut(paths, input);
}

sized_source look_at(std::span<const std::filesystem::path> paths, const io::read_options& input, std::uint64_t limit,
                     const execution& on) {
  tracked_memory looking{std::max(limit, least_planning_bytes)};
  cancelling_observer watcher{on.observer};
  return size_of_files(paths, input, {.threads = on.threads, .observer = &watcher, .memory = &looking});
}

std::string text_of(const sized_source& found, std::uint64_t limit, const execution& on) {
  const plan_question asked{.size = found.size,
                            .threads = usable_threads(on.threads),
                            .memory_bytes = limit,
                            .workers = std::nullopt,
                            .network_bytes_per_second = 0};
  std::string text = fmt::format("; copse plan: at most {} vertices, {} edges, {}", found.size.vertices, found.size.edges, found.origin);
  for (const planned_way& each : ways_on_cpu(asked, {})) {
    text += fmt::format("; {} {} on {} ({})", each.name, bytes_text(each.bytes), each.device, each.remark);
  }
  return text;
}

/// Returns text to append to an error under a memory limit: `; copse plan: `, then the ways to solve these files, and their bytes. Empty
/// without a limit, and for files that cannot be looked at quickly.
std::string ways_text(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on) {
  const auto limit = limit_of(on);
  if (!limit || !is_quick_to_look_at(paths, input)) return {};
  try {
    return text_of(look_at(paths, input, *limit, on), *limit, on);
  } catch (const error&) {  // the file has changed, or there is no memory to look at it: then the caller's error gets no plan
    return {};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace

std::optional<std::uint64_t> limit_of(const execution& on) {
  const auto* tracked = dynamic_cast<const tracked_memory*>(on.memory);
  return tracked == nullptr || tracked->limit_bytes() == UINT64_MAX ? std::nullopt : std::optional{tracked->limit_bytes()};
}

void expect_room(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on) {
  const auto limit = limit_of(on);
  // An edge takes at least four bytes in a file, and at least eight in a list.
  if (!limit || !is_quick_to_look_at(paths, input) || 2 * bytes_of_files(paths) < *limit) return;
  const sized_source found = look_at(paths, input, *limit, on);
  // The number of edges is an estimate, so there is an error only if the list exceeds the limit even after a tenth of it (one part in
  // `sure`) is subtracted.
  constexpr std::uint64_t sure = 10;
  const std::uint64_t list = 2 * sizeof(std::uint32_t) * found.size.edges;  // a lower bound: ids may be wider
  if (list - list / sure <= *limit) return;
  throw memory_error::before_work(
      fmt::format("the option memory: found {}, expected {} and more for a list of edges in memory", bytes_text(*limit), bytes_text(list)),
      text_of(found, *limit, on));
}

memory_error with_ways(const memory_error& problem, std::span<const std::filesystem::path> paths, const io::read_options& input,
                       const execution& on) {
  return problem.has_plan() ? problem : problem.with_plan(ways_text(paths, input, on));
}

}  // namespace copse::plan
