// Edges that arrive together.
//
// An edge between two vertices of a component changes no component, so all threads insert such edges first, while the forest stays as it
// is. They sort the ends of the edges by vertex, so that they visit vertices and sets in the order of memory, and each set by one thread.
// The other edges follow one by one, in their order.
#include <core/new_pages.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>
#include <dynamic/numbered_graph.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace copse::dynamics {
namespace {

/// The ends of edges, sorted by vertex. Each worker brings a stretch of the edges, and later takes ranges of vertices.
class sorted_ends {
public:
  using pair = dynamic_components::pair;

  sorted_ends(std::uint32_t slots, unsigned workers, std::pmr::memory_resource* memory)
      : shift_{std::max(fewest_vertex_bits + most_range_bits, static_cast<unsigned>(std::bit_width(slots))) - most_range_bits},
        ranges_{(slots >> shift_) + std::size_t{1}},
        places_(workers, std::vector<std::size_t>(ranges_)),
        begins_(ranges_ + 1),
        memory_{memory} {}

  /// First each worker calls count() for its edges, then one calls prepare(), then each calls add() for the same edges.
  void count(unsigned worker, const pair& edge) noexcept {
    ++places_[worker][edge.u >> shift_];
    if (edge.u != edge.v) ++places_[worker][edge.v >> shift_];
  }
  void prepare() {
    std::size_t all = 0;
    for (std::size_t range = 0; range < ranges_; ++range) {
      begins_[range] = all;
      for (auto& counts : places_) all += std::exchange(counts[range], all);
    }
    begins_[ranges_] = all;
    ends_ = touched_buffer<pair>(static_cast<unsigned>(places_.size()), all, memory_);
  }
  void add(unsigned worker, const pair& edge) noexcept {
    ends_[places_[worker][edge.u >> shift_]++] = edge;
    if (edge.u != edge.v) ends_[places_[worker][edge.v >> shift_]++] = {edge.v, edge.u};
  }
  /// Calls visit(ends) for ranges of vertices that no other worker has taken.
  template <class Visit>
  void take(Visit visit) {
    std::vector<pair> sorted;
    std::vector<std::size_t> next(std::size_t{1} << shift_);
    for (std::size_t range; (range = taken_.fetch_add(1, std::memory_order_relaxed)) < ranges_;) {
      const auto unsorted = ends_.span().subspan(begins_[range], begins_[range + 1] - begins_[range]);
      const std::size_t first = range << shift_;
      std::fill(next.begin(), next.end(), 0);
      for (const pair& end : unsorted) ++next[end.u - first];
      std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
      sorted.resize(unsorted.size());
      for (const pair& end : unsorted) sorted[next[end.u - first]++] = end;
      visit(std::span<const pair>{sorted});
    }
  }

private:
  static constexpr unsigned most_range_bits = 10, fewest_vertex_bits = 10;

  unsigned shift_;
  std::size_t ranges_;
  std::vector<std::vector<std::size_t>> places_;  // for each worker and range, the number of ends, and later the place of the next one
  std::vector<std::size_t> begins_;
  std::pmr::memory_resource* memory_;
  buffer<pair> ends_;
  std::atomic<std::size_t> taken_{0};
};

}  // namespace

// Returns a bit for each vertex, which is set if the vertex is in the largest component.
std::vector<std::uint64_t> dynamic_components::in_largest() const {
  constexpr std::size_t word_bits = 64, words_per_block = 256;
  std::uint32_t largest = 0;
  for (std::uint32_t r = 0; r < records_.size(); ++r)
    if (records_[r].size > records_[largest].size) largest = r;
  std::vector<std::uint64_t> bits((nodes_.size() + word_bits - 1) / word_bits);
  parallel_blocks(threads_, bits.size(), words_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin * word_bits; v < std::min(end * word_bits, nodes_.size()); ++v)
      if (nodes_[v].component != none && records_.find(nodes_[v].component) == largest) bits[v / word_bits] |= 1ull << v % word_bits;
  });
  return bits;
}

void dynamic_components::insert_together(std::span<const pair> edges, std::span<unsigned char> waits) {
  constexpr std::size_t worth_a_thread = 4096, nodes_ahead = 32, sets_ahead = 16;
  const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(edges.size() / worth_a_thread, 1, threads_));
  const auto begin_of = [&](unsigned worker) { return edges.size() * worker / workers; };
  const std::vector<std::uint64_t> largest = in_largest();
  const auto is_in_largest = [&](std::uint32_t v) { return v < slots() && (largest[v / 64] >> v % 64 & 1) != 0; };
  sorted_ends ends{slots(), workers, memory_};
  on_workers(workers, [&](unsigned worker) {
    for (std::size_t i = begin_of(worker); i < begin_of(worker + 1); ++i) {
      const auto [u, v] = edges[i];
      waits[i] = (!is_in_largest(u) || !is_in_largest(v)) && (!present(u) || !present(v) || !connected(u, v));
      if (waits[i] == 0) ends.count(worker, edges[i]);
    }
  });
  ends.prepare();
  on_workers(workers, [&](unsigned worker) {
    for (std::size_t i = begin_of(worker); i < begin_of(worker + 1); ++i)
      if (waits[i] == 0) ends.add(worker, edges[i]);
  });
  const std::span shares = sets_.shares(workers);
  std::vector<cut_edge> in_forest;
  std::mutex shared;
  on_workers(workers, [&](unsigned worker) {
    std::uint64_t came = 0;
    ends.take([&](std::span<const pair> sorted) {
      for (std::size_t i = 0; i < sorted.size() + nodes_ahead; ++i) {
        if (i < sorted.size()) __builtin_prefetch(&nodes_[sorted[i].u]);
        if (i >= sets_ahead && i - sets_ahead < sorted.size())
          sets_.prefetch(nodes_[sorted[i - sets_ahead].u].outside, sorted[i - sets_ahead].v);
        if (i < nodes_ahead) continue;
        const auto [from, to] = sorted[i - nodes_ahead];
        if (nodes_[from].parent == to) {
          const std::lock_guard lock{shared};
          in_forest.push_back({from, to});
          continue;
        }
        neighbour_set& set = nodes_[from].outside;
        if (sets_.contains(set, to)) continue;
        sets_.insert(set, to, shares[worker]);
        came += from <= to ? 1 : 0;
      }
    });
    const std::lock_guard lock{shared};
    edges_ += came;
  });
  // An edge of the forest was recognised at its lower end only.
  for (const auto& [child, parent] : in_forest)
    if (sets_.erase(nodes_[parent].outside, child) && parent < child) --edges_;
}

// Batches are applied one by one if their logs may still be asked for.
void numbered_graph::replay_inserts(std::span<const dynamic_components::pair> edges, std::span<const std::size_t> ends) {
  const std::size_t together = ends.size() - static_cast<std::size_t>(std::min<std::uint64_t>(ends.size(), options_.history));
  std::vector<unsigned char> waits(together == 0 ? 0 : ends[together - 1]);
  if (!waits.empty()) graph_.insert_together(edges.first(waits.size()), waits);
  std::vector<numbered_operation> left;
  std::size_t i = 0;
  for (const std::size_t end : ends) {
    left.clear();
    const std::uint64_t operations = operations_ + end - i;
    for (; i < end; ++i)
      if (i >= waits.size() || waits[i] != 0) left.push_back({dynamic_operation_kind::insert, edges[i].u, edges[i].v, 1, 0, 0});
    apply(left);
    operations_ = operations;
  }
}

}  // namespace copse::dynamics
