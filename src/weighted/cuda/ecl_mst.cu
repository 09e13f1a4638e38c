#include <copse/errors.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/steps/go_up.cuh>
#include <weighted/cuda/search.hpp>
#include <weighted/cuda/space.cuh>
#include <weighted/cuda/worklist.cuh>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace copse::weighted {
namespace {

constexpr double least_arcs_a_vertex = 4;  // on sparser graphs the second list, of heavy edges, would have too few edges to pay
/// Edges per vertex in the list of light edges, which is solved first. Two per vertex would join nearly all vertices of a random graph's
/// giant, so that few heavy edges would be left between trees; but with one the shorter list saves more time. Times on an H200 with one and
/// with two, in ms: 8.0 and 13.7 on er (four edges per vertex), 6.2 and 8.4 on rmat22, 8.7 and 10.8 on mesh, 24.8 and 29.3 on ba; three and
/// four were slower still.
constexpr double listed_edges_a_vertex = 1;

/// Initialises a vertex before the first round.
struct begin_vertex {
  std::uint32_t* parents;
  __device__ void operator()(std::size_t v) const { parents[v] = static_cast<std::uint32_t>(v); }
};

}  // namespace

struct worklist_room::parts {
  std::pmr::memory_resource* memory;
  std::size_t vertices = 0;
  std::uint64_t arcs = 0;
  buffer<unsigned long long> ranks = {};  ///< per root: the rank of the edge that reserves it; behind all of these the pivot
  buffer<std::uint32_t> parents = {}, forest = {};
  buffer<candidate> first_list = {}, second_list = {};
  buffer<keyed_row_piece> pieces = {};
  buffer<forest_counters> counters = {};
  forest_space space = {};
};

worklist_room::worklist_room(std::pmr::memory_resource* memory) : parts_{new parts{.memory = memory}} {}
worklist_room::worklist_room(worklist_room&&) noexcept = default;
worklist_room& worklist_room::operator=(worklist_room&&) noexcept = default;
worklist_room::~worklist_room() = default;

void worklist_room::reserve(std::size_t vertices, std::uint64_t arcs) {
  parts& p = *parts_;
  if (vertices <= p.vertices && arcs <= p.arcs) return;
  const std::size_t n = std::max(vertices, p.vertices);
  const std::uint64_t most_arcs = std::max(arcs, p.arcs);
  p = parts{.memory = p.memory};  // frees the old memory first
  std::pmr::memory_resource* const memory = p.memory;
  p.ranks = buffer<unsigned long long>{n + 1, memory};
  p.parents = buffer<std::uint32_t>{n, memory};
  p.forest = buffer<std::uint32_t>{n, memory};
  p.first_list = buffer<candidate>{most_arcs / 2 + 1, memory};
  p.second_list = buffer<candidate>{most_arcs / 2 + 1, memory};
  p.pieces = buffer<keyed_row_piece>{2 * (most_arcs / piece_arcs + 1), memory};
  p.counters = buffer<forest_counters>{1, memory};
  p.space.best = p.ranks.data();
  p.space.parents = p.parents.data();
  p.space.candidates[0] = p.first_list.data();
  p.space.candidates[1] = p.second_list.data();
  p.space.pieces = p.pieces.data();
  p.space.counters = p.counters.data();
  p.space.room = static_cast<unsigned>(p.first_list.size());
  p.vertices = n;
  p.arcs = most_arcs;
}

class worklist_search {
public:
  worklist_search(const backend::cuda& loops, const keyed_rows& rows, worklist_room& room)
      : loops_{loops},
        rows_{rows},
        n_{rows.vertices()},
        room_{*room.parts_},
        space_{room_.space},
        pivot_{room_.ranks.data() + room_.vertices} {}
  /// Returns the arrays of the last search, which hold its result.
  [[nodiscard]] static const forest_space& space_of(const worklist_room& room) { return room.parts_->space; }

  std::span<const std::uint32_t> run() {
    loops_.clear(space_.counters, sizeof(forest_counters));
    backend::checked(cudaMemsetAsync(room_.ranks.data(), 0xFF, room_.ranks.size() * sizeof(unsigned long long), loops_.stream()),
                     "filling memory");
    loops_.for_each(n_, begin_vertex{space_.parents});
    const unsigned place = place_of_pivot();
    if (place != pivot_samples) launch(1, warp_threads, choose_pivot, rows_, place, pivot_);
    list<true>();
    join();
    if (place != pivot_samples) {
      backend::flatten_upwards(loops_, space_.parents, n_, &space_.counters->deep);
      list<false>();
      join();
    }
    return {room_.forest.data(), loops_.fetched(&space_.counters->selected)};
  }

private:
  /// Returns the position of the pivot among the sorted samples of ranks: edges whose rank is below the pivot are light, and are solved
  /// first. Returns pivot_samples if all edges are light.
  [[nodiscard]] unsigned place_of_pivot() const {
    const double arcs = static_cast<double>(rows_.arcs), vertices = static_cast<double>(n_);
    if (arcs < least_arcs_a_vertex * vertices) return pivot_samples;
    return std::min(pivot_samples, static_cast<unsigned>(pivot_samples * listed_edges_a_vertex * vertices / (arcs / 2)));
  }
  template <class... Parameters, class... Arguments>
  void launch(unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) const {
    loops_.before_launch();
    kernel<<<blocks, threads, 0, loops_.stream()>>>(arguments...);
    loops_.launched();
  }
  template <class... Parameters, class... Arguments>
  void launch_for(std::size_t threads, void (*kernel)(Parameters...), Arguments... arguments) const {
    launch(loops_.blocks_for(threads), backend::threads_a_block, kernel, arguments...);
  }
  /// Fills the first list of candidates: with the edges whose rank is below the pivot (`Light`), or with the others that are between trees.
  template <bool Light>
  void list() const {
    loops_.clear(space_.counters, offsetof(forest_counters, deep));
    launch_for(n_, list_edges<Light>, rows_, space_, pivot_);
    launch_for(rows_.arcs / 8, list_cut_rows<Light>, rows_, space_, pivot_);
    loops_.lap("list");
  }
  void join() const {
    unsigned from = 0;
    for (unsigned count = counted(from); count != 0; count = counted(from)) {
      const unsigned to = 1 - from;
      loops_.clear(&space_.counters->candidates[to], sizeof(unsigned));
      launch_for(count, reserve_roots, space_, from, count);
      launch_for(count, take_reserved, space_, to, room_.forest.data());
      from = to;
    }
    loops_.lap("rounds");
  }
  [[nodiscard]] unsigned counted(unsigned list) const {
    const unsigned count = loops_.fetched(&space_.counters->candidates[list]);
    if (count <= space_.room) return count;
    throw usage_error{"cuda.ecl_mst: found " + std::to_string(count) + " edges in rows that are said to be symmetric, expected at most " +
                      std::to_string(rows_.arcs / 2)};
  }

  const backend::cuda& loops_;
  keyed_rows rows_;
  std::size_t n_;
  worklist_room::parts& room_;
  forest_space space_;
  unsigned long long* pivot_;
};

std::span<const std::uint32_t> search_on_gpu(const backend::cuda& loops, const keyed_rows& rows, worklist_room& room) {
  if (rows.arcs == 0) return {};
  room.reserve(rows.vertices(), rows.arcs);
  return worklist_search{loops, rows, room}.run();
}

void find_ends(const backend::cuda& loops, const keyed_rows& rows, const worklist_room& room, std::span<const std::uint32_t> arcs,
               edge<std::uint32_t>* edges) {
  if (!arcs.empty()) loops.for_each(arcs.size(), note_ends{rows, worklist_search::space_of(room), arcs.data(), edges});
}

}  // namespace copse::weighted
