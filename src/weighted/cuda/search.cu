#include <gpu/loops/cuda.cuh>
#include <gpu/steps/go_up.cuh>
#include <weighted/cuda/first_round.cuh>
#include <weighted/cuda/rounds.cuh>
#include <weighted/cuda/search.hpp>
#include <weighted/cuda/space.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace copse::weighted {
namespace {

// How many light edges there are per vertex, those that are solved first: with more, the lists of candidates are longer; with fewer, more
// of the other edges are still between two trees afterwards.
constexpr double light_edges_a_vertex = 1;
constexpr double largest_light_share = .6;  // if the light edges are a larger share than this, all edges are light
constexpr std::size_t candidates_a_vertex = 3, least_candidates = std::size_t{1} << 20;
// In lists of at least this many edges, a tree at which a large share of the edges ends (find_hot) chooses no edge: all these edges would
// update one word by atomic minima, one after the other. The other end of each may still choose it.
constexpr unsigned hot_from = 1 << 14;

/// Calls f(std::integral_constant) with the number of threads per row for rows of that mean length.
template <class F>
void with_lanes(double arcs_a_row, F f) {
  if (arcs_a_row < 3) return f(std::integral_constant<unsigned, 2>{});
  if (arcs_a_row < 8) return f(std::integral_constant<unsigned, 4>{});
  if (arcs_a_row < 24) return f(std::integral_constant<unsigned, 8>{});
  return f(std::integral_constant<unsigned, 32>{});
}

}  // namespace

struct search_room::parts {
  std::pmr::memory_resource* memory;
  std::size_t vertices = 0, list_room = 0;
  std::uint64_t arcs = 0;
  buffer<std::uint32_t> words = {};
  buffer<unsigned long long> samples = {};
  buffer<candidate> first_list = {}, second_list = {};
  buffer<keyed_row_piece> pieces = {};
  buffer<forest_counters> counters = {};
  buffer<std::byte> selecting = {};  ///< scratch memory of CUB
  // Pointers into the buffers above.
  forest_space space = {};
  std::uint32_t *roots = nullptr, *found = nullptr;
};

search_room::search_room(std::pmr::memory_resource* memory) : parts_{new parts{.memory = memory}} {}
search_room::search_room(search_room&&) noexcept = default;
search_room& search_room::operator=(search_room&&) noexcept = default;
search_room::~search_room() = default;

void search_room::reserve(std::size_t vertices, std::uint64_t arcs) {
  parts& p = *parts_;
  if (vertices <= p.vertices && arcs <= p.arcs) return;
  const std::size_t n = std::max(vertices, p.vertices);
  const std::uint64_t most_arcs = std::max(arcs, p.arcs);
  p = parts{.memory = p.memory};  // frees the old memory first
  std::pmr::memory_resource* const memory = p.memory;
  p.list_room = std::min<std::size_t>(most_arcs / 2 + 1, std::max(candidates_a_vertex * n, least_candidates));
  p.words = buffer<std::uint32_t>{11 * n + n / warp_threads + most_arcs / arcs_of_mark + 4, memory};
  p.samples = buffer<unsigned long long>{sample_count, memory};
  p.first_list = buffer<candidate>{p.list_room, memory};
  p.second_list = buffer<candidate>{p.list_room, memory};
  p.pieces = buffer<keyed_row_piece>{2 * (most_arcs / piece_arcs + 1), memory};
  p.counters = buffer<forest_counters>{1, memory};
  std::size_t bytes = 0;
  backend::checked(
      cub::DeviceSelect::If(nullptr, bytes, p.words.data(), p.words.data(), p.words.data(), static_cast<std::int64_t>(2 * n), is_link{}),
      "asking for room");
  std::size_t root_bytes = 0;
  backend::checked(cub::DeviceSelect::If(nullptr, root_bytes, thrust::counting_iterator<std::uint32_t>{0}, p.words.data(), p.words.data(),
                                         static_cast<std::int64_t>(n), is_root{}),
                   "asking for room");
  p.selecting = buffer<std::byte>{std::max(bytes, root_bytes), memory};

  std::uint32_t* at = p.words.data();
  const auto take = [&at](std::size_t words) { return std::exchange(at, at + words); };
  forest_space& space = p.space;
  space.best = reinterpret_cast<unsigned long long*>(take(2 * n));
  space.links = take(2 * n);
  space.parents = take(n);
  space.smaller = take(n);
  space.trees = take(n);
  space.tree_parents = take(n);
  p.roots = take(n);
  p.found = take(2 * n);
  space.giant_bits = take(n / warp_threads + 1);
  space.marks = take(most_arcs / arcs_of_mark + 1);
  space.samples = p.samples.data();
  space.candidates[0] = p.first_list.data();
  space.candidates[1] = p.second_list.data();
  space.pieces = p.pieces.data();
  space.counters = p.counters.data();
  space.room = static_cast<unsigned>(std::min<std::size_t>(p.list_room, ~0u));
  p.vertices = n;
  p.arcs = most_arcs;
}

class forest_search {
public:
  forest_search(const backend::cuda& loops, const keyed_rows& rows, search_room& room)
      : loops_{loops}, rows_{rows}, n_{rows.vertices()}, room_{*room.parts_}, space_{room_.space} {
    space_.tree_links = space_.links + n_;
  }
  /// Returns the arrays of the last search, which hold its result.
  [[nodiscard]] static const forest_space& space_of(const search_room& room) { return room.parts_->space; }

  std::span<const std::uint32_t> run() {
    const double share = light_edges_a_vertex * static_cast<double>(n_) / (static_cast<double>(rows_.arcs) / 2);
    rank_range range{0, share < largest_light_share ? static_cast<unsigned>(share * sample_count) : sample_count};
    first_round(range);
    bool listed = keep_light();
    for (;;) {
      if (!listed) list(range);
      join_candidates();
      if (range.upto == sample_count) return collect();
      range = {range.upto, sample_count};
      listed = false;
      renumber();
    }
  }

private:
  [[nodiscard]] forest_counters counters() const { return loops_.fetched(space_.counters); }
  void clear_lists() const { loops_.clear(space_.counters, offsetof(forest_counters, deep)); }
  void fill(void* first, std::size_t bytes) const {
    backend::checked(cudaMemsetAsync(first, 0xFF, bytes, loops_.stream()), "filling memory");
  }
  template <class... Parameters, class... Arguments>
  void launch(std::size_t threads, void (*kernel)(Parameters...), Arguments... arguments) const {
    loops_.before_launch();
    kernel<<<loops_.blocks_for(threads), threads_a_block, 0, loops_.stream()>>>(arguments...);
    loops_.launched();
  }
  template <class... Parameters, class... Arguments>
  void launch_block(unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) const {
    loops_.before_launch();
    kernel<<<1, threads, 0, loops_.stream()>>>(arguments...);
    loops_.launched();
  }
  /// Writes the items of [first, first + count) for which `wanted` is true to `to`, in their order. Returns how many.
  template <class Iterator, class Wanted>
  [[nodiscard]] std::uint32_t select(Iterator first, std::size_t count, std::uint32_t* to, Wanted wanted) const {
    std::size_t bytes = room_.selecting.size();
    backend::checked(cub::DeviceSelect::If(room_.selecting.data(), bytes, first, to, &space_.counters->selected,
                                           static_cast<std::int64_t>(count), wanted, loops_.stream()),
                     "selecting");
    return loops_.fetched(&space_.counters->selected);
  }

  /// Joins every vertex along its first edge, numbers the trees, and lists the light edges.
  void first_round(rank_range light) {
    loops_.clear(space_.counters, sizeof(forest_counters));
    fill(&space_.counters->giant, sizeof(forest_counters) - offsetof(forest_counters, giant));
    launch_block(sampling_threads, take_samples, rows_, space_.samples);
    with_lanes(arcs_a_row(), [&](auto lanes) { launch(n_ * lanes, choose_first_edges<lanes>, rows_, space_, light); });
    launch(rows_.arcs / 8, list_pieces<true>, rows_, space_, light);
    loops_.for_each(n_, part_pairs{space_});
    backend::flatten_upwards(loops_, space_.parents, n_, &space_.counters->deep);
    trees_ = select(thrust::counting_iterator<std::uint32_t>{0}, n_, room_.roots, is_root{space_.parents});
    loops_.for_each(trees_, begin_tree{space_, room_.roots});
    loops_.for_each(n_, number_vertex{space_});
    loops_.lap("first round");
  }
  /// Keeps the light edges that are between two trees; returns false if the list had no room for all light edges.
  [[nodiscard]] bool keep_light() {
    const unsigned light = counters().candidates[0];
    if (light > space_.room) return false;
    count_ = light;
    from_ = 0;
    keep<true>(false);
    return true;
  }
  /// Lists the edges whose ends are in two different trees and whose ranks (the keys of the order by weight) are in `range`. While there
  /// are more of them than the list has room for, the upper half of the range is cut off. Throws resource_error if the range cannot be cut.
  void list(rank_range& range) {
    for (;;) {
      clear_lists();
      with_lanes(arcs_a_row() / 2, [&](auto lanes) { launch(n_ * lanes, list_rows<lanes>, rows_, space_, range); });
      launch(rows_.arcs / 8, list_pieces<false>, rows_, space_, range);
      count_ = counters().candidates[0];
      from_ = 0;
      loops_.lap("list");
      if (count_ <= space_.room) return;
      if (range.upto - range.after == 1) {
        throw resource_error{"cuda.filter_boruvka: found " + std::to_string(count_) + " edges of nearly equal weights, expected at most " +
                             std::to_string(space_.room) + ", for which there is room; use cuda.ecl_mst or the CPU"};
      }
      range.upto = range.after + (range.upto - range.after) / 2;
    }
  }
  void join_candidates() {
    while (count_ != 0) {
      if (count_ >= hot_from) {
        launch_block(backend::voters, find_hot, space_, from_, count_);
      } else {
        fill(&space_.counters->hot, sizeof(std::uint32_t));
      }
      loops_.for_each(count_, find_best{space_, space_.candidates[from_]});
      loops_.for_each(count_, hook_along_best{space_, space_.candidates[from_]});
      // Resets the best edge of every tree for the next round. If few edges are left, keep() does so instead, for the trees at their ends
      // only; with many edges its threads would contend for the best edges of large trees.
      const bool few = count_ < trees_ / 8;
      if (!few) fill(space_.best, trees_ * sizeof(unsigned long long));
      while (keep<false>(few)) {
      }
    }
    loops_.lap("rounds");
  }
  /// Copies the edges of the current list of candidates that are still between two trees to the other list, which becomes the current
  /// one. `clears`: resets the best edges of the trees at their ends. Returns true if some path to a root was longer than the kernel
  /// follows, so that it must be called again.
  template <bool Vertices>
  bool keep(bool clears) {
    loops_.clear(&space_.counters->candidates[1 - from_], sizeof(unsigned));
    loops_.clear(&space_.counters->deep, sizeof(unsigned));
    launch(count_, keep_between_trees<Vertices>, space_, from_, count_, clears);
    const forest_counters after = counters();
    from_ = 1 - from_;
    count_ = after.candidates[from_];
    return after.deep != 0;
  }
  void renumber() {
    backend::flatten_upwards(loops_, space_.tree_parents, trees_, &space_.counters->deep);
    loops_.for_each(n_, renumber_vertex{space_});
    launch_block(backend::voters, find_giant, static_cast<std::uint32_t>(n_), space_);
    launch(n_, mark_giant, static_cast<std::uint32_t>(n_), space_);
    fill(space_.best, trees_ * sizeof(unsigned long long));
    loops_.lap("trees");
  }
  std::span<const std::uint32_t> collect() {
    const std::uint32_t joined = select(space_.links, n_ + trees_, room_.found, is_link{});
    loops_.for_each(joined, turn_to_smaller_end{rows_, space_, room_.found});
    loops_.lap("collect");
    return {room_.found, joined};
  }
  [[nodiscard]] double arcs_a_row() const { return static_cast<double>(rows_.arcs) / static_cast<double>(n_); }

  const backend::cuda& loops_;
  keyed_rows rows_;
  std::size_t n_;
  search_room::parts& room_;
  forest_space space_;
  std::uint32_t trees_ = 0;
  unsigned from_ = 0, count_ = 0;
};

std::span<const std::uint32_t> search_on_gpu(const backend::cuda& loops, const keyed_rows& rows, search_room& room) {
  if (rows.arcs == 0) return {};
  room.reserve(rows.vertices(), rows.arcs);
  return forest_search{loops, rows, room}.run();
}

void find_ends(const backend::cuda& loops, const keyed_rows& rows, const search_room& room, std::span<const std::uint32_t> arcs,
               edge<std::uint32_t>* edges) {
  if (!arcs.empty()) loops.for_each(arcs.size(), note_ends{rows, forest_search::space_of(room), arcs.data(), edges});
}

}  // namespace copse::weighted
