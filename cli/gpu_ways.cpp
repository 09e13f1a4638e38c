#include "gpu_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

namespace copse::cli {
namespace {

constexpr std::uint64_t id_bytes = 4;
constexpr const char* too_wide = "64-bit ids run on the CPU only";

bool has_ids_for(const graph_size& size) { return size.vertices <= UINT32_MAX; }

/// What moves to a GPU, and what it works on: rows are read arc by arc, a list end by end.
std::uint64_t bytes_of_load(const graph_size& size) {
  return size.arcs != 0 ? id_bytes * (size.arcs + size.vertices + 1) : 2 * id_bytes * size.edges;
}
double solve_seconds(const graph_size& size, const machine_rates& rates) {
  return static_cast<double>(size.edges) * *rates.gpu_seconds_per_edge;
}
double seconds_of_link(std::uint64_t bytes, const machine_rates& rates) {
  return static_cast<double>(bytes) / *rates.link_bytes_per_second;
}
double parse_seconds(const graph_size& size, const machine_rates& rates) {
  return static_cast<double>(size.edges) * rates.parse_seconds_per_edge;
}

std::uint64_t bytes_held(const graph_size& size) {
  // Only the sizes of these views are looked at.
  const auto n = static_cast<std::uint32_t>(size.vertices);
  if (size.arcs == 0) {
    const coo_view<std::uint32_t> list{n, {static_cast<const edge<std::uint32_t>*>(nullptr), static_cast<std::size_t>(size.edges)}};
    return gpu_solver::bytes_needed(list);
  }
  return bytes_of_load(size) + 3 * id_bytes * n;  // labels, and two lists of the fast path
}

/// What each way needs of a GPU, before anybody asks which one: it fits nowhere yet, and there are no seconds.
way held_needs(const graph_size& size) {
  way found{.name = "gpu", .device = "none", .fits = false, .remark = too_wide};
  if (!has_ids_for(size)) return found;
  found.remark = size.arcs != 0 ? "rows in its memory" : "a list of edges in its memory";
  found.bytes = bytes_held(size);
  return found;
}
way stream_needs(const graph_size& size) {
  way found{.name = "gpu stream", .device = "none", .fits = false, .remark = too_wide};
  const auto bytes = bytes_of_gpu_stream(size);
  if (!bytes) return found;
  found.remark = "the edges are streamed in pieces, none held there";
  found.bytes = *bytes;
  return found;
}

/// Through `links` GPUs of which the fullest has so much free.
way streamed(std::uint64_t free_bytes, std::size_t links, const graph_size& size, const machine_rates& rates) {
  way found = stream_needs(size);
  if (found.bytes == 0) return found;
  found.fits = found.bytes <= free_bytes;
  const double shared = 1 / static_cast<double>(links);
  const double by_link = shared * seconds_of_link(bytes_of_load(size), rates), by_gpu = shared * solve_seconds(size, rates);
  found.seconds =
      rates.gpu_start_seconds + std::max({parse_seconds(size, rates), by_link, by_gpu}) + seconds_of_link(id_bytes * size.vertices, rates);
  return found;
}

/// cuda:0,1 as --device takes them.
std::string device_text(std::span<const gpu_facts> some, std::size_t all) {
  if (some.size() == all) return "cuda:all";
  std::string text = "cuda:";
  for (const gpu_facts& gpu : some) text += fmt::format("{}{}", text.back() == ':' ? "" : ",", gpu.index);
  return text;
}

}  // namespace

double copy_seconds(const graph_size& size, const machine_rates& rates) {
  return seconds_of_link(bytes_of_load(size) + id_bytes * size.vertices, rates);
}

way held_on_gpu(const gpu_facts& gpu, const graph_size& size, const machine_rates& rates) {
  way found = held_needs(size);
  found.device = fmt::format("cuda:{}", gpu.index);
  if (!has_ids_for(size)) return found;
  found.fits = found.bytes <= gpu.free_bytes;
  found.seconds = rates.gpu_start_seconds + parse_seconds(size, rates) + solve_seconds(size, rates) + copy_seconds(size, rates);
  return found;
}

way streamed_through(const gpu_facts& gpu, const graph_size& size, const machine_rates& rates) {
  way found = streamed(gpu.free_bytes, 1, size, rates);
  found.device = fmt::format("cuda:{}", gpu.index);
  return found;
}

std::vector<way> ways_of_gpus(std::span<const gpu_facts> all, const graph_size& size, const machine_rates& rates) {
  if (!built_with_cuda()) return {{.name = "gpu", .device = "none", .fits = false, .remark = "this build has no GPU part"}};
  if (all.empty()) return {held_needs(size), stream_needs(size)};
  std::vector<way> ways;
  const bool can_stream = bytes_of_gpu_stream(size).has_value();
  for (const gpu_facts& gpu : all) {
    ways.push_back(held_on_gpu(gpu, size, rates));
    if (can_stream) ways.push_back(streamed_through(gpu, size, rates));
  }
  for (std::size_t count = 2; can_stream && count <= all.size(); ++count) {
    const auto some = all.first(count);
    const auto least = std::ranges::min_element(some, {}, &gpu_facts::free_bytes);
    ways.push_back(streamed(least->free_bytes, count, size, rates));
    ways.back().name = fmt::format("{} gpus", count);
    ways.back().device = device_text(some, all.size()) + ", each";
  }
  return ways;
}

}  // namespace copse::cli
