#include "gpu_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace copse::cli {
namespace {

constexpr std::uint64_t id_bytes = 4;
constexpr const char* too_wide = "64-bit ids run on the CPU only";

bool has_ids_for(const gpu_load& load) { return load.size.vertices <= UINT32_MAX; }

/// What moves to a GPU, and what it works on: rows are read arc by arc, a list end by end.
std::uint64_t bytes_of_load(const gpu_load& load) {
  return load.arcs != 0 ? id_bytes * (load.arcs + load.size.vertices + 1) : 2 * id_bytes * load.size.edges;
}
double solve_seconds(const gpu_load& load, const machine_rates& rates) {
  return static_cast<double>(load.size.edges) * *rates.gpu_seconds_per_edge;
}
double seconds_of_link(std::uint64_t bytes, const machine_rates& rates) {
  return static_cast<double>(bytes) / *rates.link_bytes_per_second;
}
double parse_seconds(const gpu_load& load, const machine_rates& rates) {
  return static_cast<double>(load.size.edges) * rates.parse_seconds_per_edge;
}

std::uint64_t bytes_held(const gpu_load& load) {
  // Only the sizes of these views are looked at.
  const auto n = static_cast<std::uint32_t>(load.size.vertices);
  if (load.arcs == 0) {
    const coo_view<std::uint32_t> list{n, {static_cast<const edge<std::uint32_t>*>(nullptr), static_cast<std::size_t>(load.size.edges)}};
    return gpu_solver::bytes_needed(list);
  }
  return bytes_of_load(load) + 3 * id_bytes * n;  // labels, and two lists of the fast path
}

way streamed(std::uint64_t free_bytes, std::size_t links, const gpu_load& load, const machine_rates& rates) {
  way found{.name = "gpu stream", .remark = "the edges are streamed in pieces, none held there"};
  const auto bytes = bytes_of_gpu_stream(load.size);
  if (!bytes) {
    found.fits = false;
    found.remark = too_wide;
    return found;
  }
  found.bytes = *bytes;
  found.fits = found.bytes <= free_bytes;
  const double shared = 1 / static_cast<double>(links);
  const double by_link = shared * seconds_of_link(bytes_of_load(load), rates), by_gpu = shared * solve_seconds(load, rates);
  found.seconds = rates.gpu_start_seconds + std::max({parse_seconds(load, rates), by_link, by_gpu}) +
                  seconds_of_link(id_bytes * load.size.vertices, rates);
  return found;
}

}  // namespace

double copy_seconds(const gpu_load& load, const machine_rates& rates) {
  return seconds_of_link(bytes_of_load(load) + id_bytes * load.size.vertices, rates);
}

way held_on_gpu(const gpu_facts& gpu, const gpu_load& load, const machine_rates& rates) {
  way found{.name = "gpu", .device = fmt::format("cuda:{}", gpu.index)};
  found.remark = load.arcs != 0 ? "rows in its memory" : "a list of edges in its memory";
  if (!has_ids_for(load)) {
    found.fits = false;
    found.remark = too_wide;
    return found;
  }
  found.bytes = bytes_held(load);
  found.fits = found.bytes <= gpu.free_bytes;
  found.seconds = rates.gpu_start_seconds + parse_seconds(load, rates) + solve_seconds(load, rates) + copy_seconds(load, rates);
  return found;
}

way streamed_through(const gpu_facts& gpu, const gpu_load& load, const machine_rates& rates) {
  way found = streamed(gpu.free_bytes, 1, load, rates);
  found.device = fmt::format("cuda:{}", gpu.index);
  return found;
}

std::vector<way> ways_of_gpus(std::span<const gpu_facts> all, const gpu_load& load, const machine_rates& rates) {
  std::vector<way> ways;
  const bool can_stream = bytes_of_gpu_stream(load.size).has_value();
  for (const gpu_facts& gpu : all) {
    ways.push_back(held_on_gpu(gpu, load, rates));
    if (can_stream) ways.push_back(streamed_through(gpu, load, rates));
  }
  if (all.size() > 1 && can_stream) {
    const auto least = std::ranges::min_element(all, {}, &gpu_facts::free_bytes);
    ways.push_back(streamed(least->free_bytes, all.size(), load, rates));
    ways.back().device = "cuda:all, each";
  }
  return ways;
}

}  // namespace copse::cli
