// The frontier of loops/frontier.hpp in the memory of a GPU. Its rows are scheduled by their length (row_walks.cuh). The host reads the
// frontier's size after each loop. While a frontier is small, as on roads and paths, one block continues alone, step after step, with a
// block-wide barrier between steps.
//
// A frontier may contain repeats: several entries for a vertex that several threads appended in one step. Each of these threads stores the
// position of its entry in a word of the vertex, where one of the stores remains. A walk over the frontier skips the entries at other
// positions. So every vertex is walked once, without an atomic exchange, and repeats do not multiply from step to step.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/gather.cuh>
#include <gpu/loops/visit.cuh>
#include <loops/frontier.hpp>
#include <parents/device.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::backend {

/// The position of each vertex in its frontier, which tells its valid entry from its repeats (other entries for the same vertex). `words`
/// has one word per vertex, for these positions; it is null if frontiers contain no repeats.
template <class Id>
class frontier_places {
public:
  explicit frontier_places(Id* words) noexcept : words_{words} {}
  __device__ void take(Id v, unsigned long long at) const {
    if (words_ != nullptr) copse::parents::cached<Id>{words_}.store(v, static_cast<Id>(at));
  }
  /// True if the frontier's entry for the vertex v at position `at` is a repeat, because the entry that counts is at another position.
  /// Called only after the step in which v was appended.
  [[nodiscard]] __device__ bool elsewhere(Id v, std::size_t at) const {
    return words_ != nullptr && copse::parents::cached<Id>{words_}.load(v) != at;
  }

private:
  Id* words_;
};

struct frontier_sums {
  /// `arcs` sums the arcs of the vertices that a step appends to the next frontier; `repeated_arcs` sums those of the entries of the
  /// previous frontier that it skips, because another entry names the same vertex.
  unsigned long long arcs, repeated_arcs;
};

/// Appends a vertex and adds up the arcs of the vertices that were appended.
template <class Id, bool Measured>
struct append_to_frontier {
  typename gathered_on_gpu<Id>::appender append;
  any_rows<Id> rows;
  frontier_sums* sums;
  frontier_places<Id> places;
  __device__ void operator()(Id v) const {
    places.take(v, append(v));
    if constexpr (Measured) atomicAdd(&sums->arcs, static_cast<unsigned long long>(rows.degree(v)));
  }
};

/// For walk_all(), which schedules rows by their length: runs `step` along the rows of `vertices`, or along all rows of the graph if that
/// is null.
template <class Id, class Append, class Step>
struct frontier_walk {
  any_rows<Id> rows;
  const Id* vertices;
  std::size_t count;
  Append append;
  Step step;

  [[nodiscard]] __device__ std::size_t size() const { return count; }
  __device__ Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const {
    const Id v = vertices == nullptr ? static_cast<Id>(i) : vertices[i];
    if (!step.wants(v)) return v;
    if (vertices != nullptr && append.places.elsewhere(v, i)) {
      atomicAdd(&append.sums->repeated_arcs, static_cast<unsigned long long>(rows.degree(v)));
      return v;
    }
    first = rows.offsets[v];
    last = rows.offsets[std::size_t{v} + 1];
    return v;
  }
  __device__ void along(Id v, std::uint64_t first, std::uint64_t last, unsigned stride) const {
    auto state = step.begin(v);
    for (std::uint64_t a = first; a < last; a += stride) {
      if (!step.along(state, rows.targets[a], append)) break;
    }
    step.end(v, state, append);
  }
};

template <class Append, class F>
struct step_that_appends {
  Append append;
  F f;
  __device__ void operator()(std::size_t i) const { f(i, append); }
};
template <class Id>
struct append_itself {
  Id v;
  template <class Append>
  __device__ void operator()(std::size_t /*i*/, Append& append) const {
    append(v);
  }
};

/// A frontier within these limits of vertices and arcs is pushed by one block, which then returns to the host after at most
/// most_small_steps steps, so that the host can check for cancellation (a running kernel cannot be stopped).
inline constexpr unsigned most_small_vertices = 1024;
inline constexpr std::uint64_t most_small_arcs = 4096, most_small_steps = 4096;

/// Appends to the frontier of a single block, whose counters are in shared memory.
template <class Id>
struct append_in_block {
  any_rows<Id> rows;
  Id* to;
  unsigned long long* size;
  unsigned long long* arcs;
  frontier_places<Id> places;
  __device__ void operator()(Id v) const {
    const unsigned long long at = atomicAdd(size, 1ull);
    to[at] = v;
    places.take(v, at);
    atomicAdd(arcs, static_cast<unsigned long long>(rows.degree(v)));
  }
};

/// The result of push_small: the size and arcs of the last frontier, and which of its two arrays holds that frontier, 0 for `now` and 1 for
/// `next`.
struct small_pushes {
  unsigned long long size, arcs, other;
};

/// Runs `step` along the rows of the `size` vertices of `now`, which appends to `next`; then exchanges the two and continues while
/// frontiers are small. Launched with one block, which walks each row by a warp.
template <class Id, class Step>
__global__ void __launch_bounds__(1024)
    push_small(any_rows<Id> rows, Id* now, Id* next, unsigned long long size, Step step, frontier_places<Id> places, small_pushes* result) {
  __shared__ unsigned long long found, found_arcs;
  const unsigned warp = 32, lane = threadIdx.x % warp;
  unsigned long long arcs = 0, steps = 0;
  do {
    if (threadIdx.x == 0) found = found_arcs = 0;
    __syncthreads();
    const append_in_block<Id> append{rows, next, &found, &found_arcs, places};
    for (unsigned long long i = threadIdx.x / warp; i < size; i += blockDim.x / warp) {
      const Id v = now[i];
      if (places.elsewhere(v, i)) continue;
      auto state = step.begin(v);
      for (std::uint64_t a = rows.offsets[v] + lane, last = rows.offsets[std::size_t{v} + 1]; a < last; a += warp) {
        if (!step.along(state, rows.targets[a], append)) break;
      }
      step.end(v, state, append);
    }
    __syncthreads();
    size = found;
    arcs = found_arcs;
    __syncthreads();  // all threads have read the counters before they are reset
    Id* const last = now;
    now = next;
    next = last;
    ++steps;
  } while (size > 0 && size <= most_small_vertices && arcs <= most_small_arcs && steps < most_small_steps);
  if (threadIdx.x == 0) *result = {size, arcs, steps % 2};
}

template <class Id, bool Measured>
class frontier<cuda, Id, Measured> {
public:
  static constexpr bool shares_rows = true, may_hold_repeats = true;

  frontier(const cuda& loops, const any_rows<Id>& rows, std::pmr::memory_resource* memory)
      : frontier{loops, rows, memory, rows.vertices(), 0} {}
  /// For steps that may append a vertex several times, at most once per arc of the frontier. Precondition: such a step is pushed only from
  /// frontiers of at most `most_pushed_arcs` arcs, so that its entries fit.
  frontier(const cuda& loops, const any_rows<Id>& rows, std::pmr::memory_resource* memory, std::uint64_t most_pushed_arcs)
      : frontier{loops, rows, memory, std::max({std::uint64_t{rows.vertices()}, most_pushed_arcs, most_small_arcs}), rows.vertices()} {}

  [[nodiscard]] bool holds_repeats() const noexcept { return !place_words_.empty(); }
  /// The number of entries in the frontier; a vertex that was appended several times counts each time.
  [[nodiscard]] std::size_t size() const noexcept { return now_.size(); }
  [[nodiscard]] const Id* data() const noexcept { return now_.data(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return static_cast<std::uint64_t>(sums_.arcs); }
  /// The number of arcs that the last push did not visit, because they are arcs of a vertex that the frontier names more than once: its
  /// arcs are visited for one entry only. A push by a single block does not count them, as small frontiers have few.
  [[nodiscard]] std::uint64_t repeated_arcs() const noexcept { return static_cast<std::uint64_t>(sums_.repeated_arcs); }

  void restart(Id v) {
    static_cast<void>(begin(now_));
    add(1, append_itself<Id>{v});
  }
  template <class F>
  void add(std::size_t count, F f) {
    loops_.for_each(count, step_that_appends<appender, F>{{now_.more(), rows_, sums_there_.data(), places()}, f});
    counted(now_);
  }
  template <class Step>
  void push(Step step) {
    next(now_.data(), now_.size(), step);
  }
  /// Replaces the frontier by the vertices that `step` appends along the rows of the frontier. If it is small, goes on for several steps
  /// without returning to the host. Precondition: the step visits the arcs of every vertex (step.wants(v) is always true).
  template <class Step>
  void push_on(Step step) {
    static_assert(Measured);
    if (size() > most_small_vertices || arcs() > most_small_arcs) return push(step);
    loops_.before_launch();
    push_small<<<1, 1024, 0, loops_.stream()>>>(rows_, now_.items(), next_.items(), static_cast<unsigned long long>(size()), step, places(),
                                                small_.data());
    loops_.launched();
    const auto [reached, reached_arcs, other] = loops_.fetched(small_.data());
    if (other != 0) now_.swap(next_);
    now_.holds(static_cast<std::size_t>(reached));
    sums_ = {reached_arcs, 0};
  }
  template <class Step>
  void pull(Step step) {
    next(nullptr, rows_.vertices(), step);
  }

private:
  using appender = append_to_frontier<Id, Measured>;

  frontier(const cuda& loops, const any_rows<Id>& rows, std::pmr::memory_resource* memory, std::uint64_t room, Id places)
      : loops_{loops}, rows_{rows}, now_(room, memory), next_(room, memory), place_words_(places, memory), sums_there_(1, memory) {
    static_cast<void>(now_.begin(loops_));  // makes `now_` empty
  }

  [[nodiscard]] frontier_places<Id> places() noexcept { return frontier_places<Id>{holds_repeats() ? place_words_.data() : nullptr}; }
  appender begin(gathered_on_gpu<Id>& to) {
    loops_.clear(sums_there_.data(), sizeof(frontier_sums));
    return {to.begin(loops_), rows_, sums_there_.data(), places()};
  }
  void counted(gathered_on_gpu<Id>& which) {
    if constexpr (Measured) sums_ = loops_.fetched(sums_there_.data());
    which.counted(loops_);
  }
  template <class Step>
  void next(const Id* vertices, std::size_t count, Step step) {
    const appender append = begin(next_);
    walk_all<Id>(loops_, count, rows_.arcs, frontier_walk<Id, appender, Step>{rows_, vertices, count, append, step});
    counted(next_);
    now_.swap(next_);
  }

  const cuda& loops_;
  any_rows<Id> rows_;
  gathered_on_gpu<Id> now_, next_;
  buffer<small_pushes> small_{1, loops_.memory()};
  buffer<Id> place_words_;
  buffer<frontier_sums> sums_there_;
  frontier_sums sums_{};
};

}  // namespace copse::backend
