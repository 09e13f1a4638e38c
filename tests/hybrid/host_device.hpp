// Threads of the CPU in place of the GPU: what the GPU's part of a hybrid solve asks of a device, and a graph's solve with it.
#pragma once
#include <copse/memory.hpp>
#include <graph/scan.hpp>
#include <hybrid/contracting_gpu_part.hpp>
#include <hybrid/cpu_part.hpp>
#include <hybrid/keeping_gpu_part.hpp>
#include <hybrid/listed_edges.hpp>
#include <hybrid/named.hpp>
#include <hybrid/solve.hpp>
#include <loops/threads.hpp>
#include <variants/components_code.hpp>
#include <variants/table.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::test {

template <class Backend>
class host_device {
public:
  using backend_type = Backend;

  explicit host_device(unsigned threads) : loops_{threads} {}

  [[nodiscard]] const Backend& loops() const noexcept { return loops_; }
  [[nodiscard]] static std::pmr::memory_resource* memory() noexcept { return host_memory(); }
  /// As a warp would: a row's arcs are taken by three in turn.
  template <class Walk>
  void walk(std::size_t rows, std::uint64_t /*arcs*/, Walk walk) const {
    constexpr unsigned lanes = 3;
    loops_.for_blocks(rows, [walk](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::uint64_t first = 0, last = 0;
        const auto row = walk.row(i, first, last);
        for (unsigned lane = 0; lane < lanes; ++lane) walk.along(row, first + lane, last, lanes);
      }
    });
  }
  void sum_up(std::uint64_t* counts, std::size_t items) const {
    counts[items] = 0;
    exclusive_scan(std::span{counts, items + 1}, loops_.threads());
  }
  void upload(void* to, const void* from, std::size_t bytes) const {
    if (bytes != 0) std::memcpy(to, from, bytes);
  }
  template <class T>
  [[nodiscard]] T fetched(const T* from) const {
    return *from;
  }
  void wait() const {}

private:
  Backend loops_;
};

/// How one test solves.
struct hybrid_way {
  hybrid::cpu_part part = hybrid::cpu_part::dfs;
  cross_rule cross = cross_rule::keep;
  std::string_view gpu_variant = "threads.none.async.halve";
  unsigned threads = 2;
};

template <class Device, class GpuPart, class Offset>
std::vector<std::uint32_t> solve_with(Device& device, GpuPart gpu_part, csr_view<std::uint32_t, Offset> g, std::uint32_t cut,
                                      const hybrid_way& way, hybrid_report& report) {
  using id = std::uint32_t;
  std::vector<id> words(g.vertices(), 0xABABABAB);
  const solve_request options{{}, {.threads = way.threads}};
  phase_times times;
  const auto load = [&](phase_times&) {
    gpu_part.make_room(g.vertices(), cut);
    const backend::any_rows<id> all{g};
    const std::uint64_t first = g.offsets.empty() ? 0 : std::uint64_t{g.offsets[cut]};
    const auto at = all.offsets.moved_to(static_cast<const Offset*>(all.offsets.data()) + cut);
    gpu_part.load({at, all.targets + first, first, all.arcs - first, cut, g.vertices() - cut, g.sorted});
  };
  const auto solve = [&](const backend::arc_set<id>& inside) {
    const variant::table_entry* entry = hybrid::gpu_part_entry(way.gpu_variant);
    phase_times phases;
    buffer<id> labels{inside.vertices};
    const auto label = [&](const backend::arc_set<id>& graph) {
      variant::components_code<backend::threads, id>::run(entry->sampler, entry->finish, graph, labels.span(), options, phases);
    };
    if (entry->info.input == input_kind::csr) {
      label(inside);
    } else {
      const auto edges = hybrid::listed_edges(device, inside.rows);
      label(backend::arc_set<id>{coo_view<id>{inside.vertices, edges.span()}});
    }
    return labels;
  };
  const auto cpu_part = [&] {
    auto between = hybrid::label_cpu_part(way.part, g, g.vertices(), cut, std::span{words}, options);
    return hybrid::cpu_answer{std::span{words}.first(cut), std::move(between)};
  };
  hybrid::new_pages room{words, cut};
  const auto while_rows_come = [&](const auto& done) {
    if (way.threads > 1) room.touch(done);
  };
  const auto while_device_works = [&](const auto& done) { room.touch_by(way.threads, done); };
  const auto labels =
      hybrid::solve_on_both(gpu_part, cut, hybrid::both_sides{load, while_rows_come, cpu_part, while_device_works, solve}, report, times);
  return {labels.begin(), labels.end()};
}

/// Labels of all vertices, as both sides find them; `cut` of them are the CPU's.
template <class Backend, class Offset>
std::vector<std::uint32_t> solve_hybrid_on_host(csr_view<std::uint32_t, Offset> g, std::uint32_t cut, const hybrid_way& way,
                                                hybrid_report& report) {
  using device_type = host_device<Backend>;
  device_type device{way.threads};
  if (way.cross == cross_rule::keep) {
    const std::uint64_t most_narrow = sizeof(Offset) == 8 ? 0 : UINT32_MAX;  // so that wide ones are tried too
    return solve_with(device, hybrid::keeping_gpu_part<device_type>{device, most_narrow}, g, cut, way, report);
  }
  return solve_with(device, hybrid::contracting_gpu_part<device_type>{device, way.cross}, g, cut, way, report);
}

}  // namespace copse::test
