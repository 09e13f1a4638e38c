// The GPU memory of a solve by the fast path, allocated once for any number of graphs of its size, and the limits by which the path chooses
// its kernels.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <fast/cuda/beginning.hpp>
#include <loops/row_sample.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>

namespace copse::backend {
class kernel_replay;
}

namespace copse::fast {

/// Limits between the ways of the fast path. Tests and benchmarks set them to solve the same graph by either way.
struct gpu_settings {
  // A graph up to this size is solved in one launch. (On an H200 this takes four fifths of the time of several launches at 40,000
  // vertices, and the same time at 90,000, in geometric mean over 48 kinds of graphs.)
  std::uint64_t one_launch_vertices = 90'000, one_launch_arcs = std::uint64_t{1} << 23;
  // Vertices are pointed at their roots in parts, one launch after the other (flatten.cuh). A part has at least this many: for a smaller
  // one, the launch costs more than the part gains (measured on an H200).
  std::uint64_t flat_part_vertices = std::uint64_t{1} << 22;
};

/// Arcs [first, first + arcs) of v.
template <class Id>
struct row_part {
  std::uint64_t first;
  std::uint32_t arcs;
  Id v;
};

/// How a solve goes on. The first kernel decides by a sample of rows (plan.hpp) whether to hook, and what follows the hooks. Otherwise
/// votes decide, in which the roots of sampled vertices are counted: the most frequent one is the root of the giant if it is frequent
/// enough (decide() in vote.cuh).
enum class course : std::uint32_t {
  skip_giant,       ///< only vertices outside the giant look at their arcs
  top_up,           ///< no giant yet: the vertices of some tiles unite along their last arcs, and a second vote decides
  check,            ///< most arcs join vertices of one tree: all are checked, by the parents of their ends
  compare_rows,     ///< as check, but an arc is left out at once if the row of the first neighbour has the same target, as in cliques
  unite,            ///< no giant will form, and trees are still small: all arcs are united, without flattening first
  unite_listed,     ///< as unite, but the first kernel has listed the vertices that have more arcs to unite along than the one it took
  compare_parents,  ///< all arcs are united by comparing parents before any find; from single vertices on, or after the first hook
  climb,            ///< all arcs are united from single vertices on, by climbing from both ends of an arc, which shortens paths
};

/// True if all arcs are united, by any of these ways.
COPSE_HOST_DEVICE inline bool unites_all(course next) { return next >= course::unite; }
/// True if arcs are united from single vertices on, where the first kernel decides so before it hooks.
COPSE_HOST_DEVICE inline bool starts_single(course next) { return next >= course::compare_parents; }

template <class Id>
struct decision {
  Id giant;  ///< no_vertex unless the giant is skipped
  course next;
  unsigned spacing = 1;  ///< for top_up: the vertices of one of every `spacing` tiles unite along their last arcs
  /// For skip_giant: true if most parents are small vertices. One bit for each of these then says whether it is in the giant (giant_marks),
  /// so that its parent need not be loaded.
  bool marks = false;
};

// The smallest vertices may have one bit each, which says that the vertex is in the giant (giant_marks). most_marked is the number of bits
// that fit an L1 cache, which holds far fewer parents. Graphs of fewer than least_to_mark vertices have no bits: their parents fit the L2
// cache.
inline constexpr std::size_t most_marked = std::size_t{1} << 20, least_to_mark = std::size_t{1} << 23;

/// How a solve goes on after its hooks. `first`: what the first vote on the giant decides, or foreseen() before it, if no second hook is
/// needed. `late`: what another vote decides, if `first` asks for one (top_up).
template <class Id>
struct decisions {
  decision<Id> first, late;
  [[nodiscard]] COPSE_HOST_DEVICE decision<Id> last() const { return first.next == course::top_up ? late : first; }
};

/// What the blocks of a solve count and decide, in GPU memory: the lengths of the workspace's lists, how many blocks are done, and how the
/// solve goes on.
template <class Id>
struct gpu_counters {
  backend::row_sample sample;  ///< what the sampled rows show, by which the solve begins (plan.hpp)
  unsigned sampled;            ///< number of blocks that have sampled their share of the rows
  unsigned roots, near_tiles, more, outside, parts;
  unsigned hooked, united;  ///< number of blocks that have finished the second hook, or uniting along last arcs (top_up)
  unsigned linked;          ///< number of vertices in the first hook's list that the second hook linked, or found to be no roots
  unsigned joined;          ///< 1 if a check found an arc between two trees
  decisions<Id> decided;
  unsigned long long agreed;  ///< the decision that all blocks of one_launch follow; 0: none has voted yet
};

/// All memory of a solve but the labels, in one allocation: allocating on a GPU takes some microseconds, whatever the size.
template <class Id>
class gpu_workspace {
public:
  gpu_workspace() = default;
  gpu_workspace(std::size_t vertices, std::size_t most_parts, begins how, bool one_launch, std::pmr::memory_resource* memory)
      : most_parts_{most_parts}, vertices_{vertices}, how_{how}, one_launch_{one_launch} {
    const std::size_t marks_bytes = mark_words() * sizeof(std::uint32_t), parts_bytes = most_parts * sizeof(row_part<Id>);
    memory_ = buffer<std::byte>{
        sizeof(gpu_counters<Id>) + marks_bytes + parts_bytes + (how != begins::with_hooks && !one_launch ? 2 : 1) * vertices * sizeof(Id),
        memory};
  }

  [[nodiscard]] gpu_counters<Id>* counters() noexcept { return reinterpret_cast<gpu_counters<Id>*>(memory_.data()); }
  /// The bits of giant_marks, one for each of the smallest vertices: whether it is in the giant. Null if the solve uses no such bits.
  [[nodiscard]] std::uint32_t* marks() noexcept { return mark_words() == 0 ? nullptr : first_mark(); }
  [[nodiscard]] row_part<Id>* parts() noexcept { return reinterpret_cast<row_part<Id>*>(first_mark() + mark_words()); }
  [[nodiscard]] Id* list() noexcept { return reinterpret_cast<Id*>(parts() + most_parts_); }
  /// A second list of one element per vertex, for the vertices with arcs that are left to unite after the first hook. There is none if
  /// solves begin with hooks.
  [[nodiscard]] Id* second_list() noexcept { return list() + vertices_; }
  /// How solves begin; of graphs with fewer arcs too, as the memory is for that.
  [[nodiscard]] begins how() const noexcept { return how_; }
  [[nodiscard]] bool one_launch() const noexcept { return one_launch_; }

  /// Keeps the launch of a solve in one kernel, for the next solve; null if no launch is kept.
  [[nodiscard]] backend::kernel_replay* replay() noexcept { return replay_.get(); }
  void keep_launch_in(std::shared_ptr<backend::kernel_replay> replay) noexcept { replay_ = std::move(replay); }

private:
  [[nodiscard]] std::uint32_t* first_mark() noexcept { return reinterpret_cast<std::uint32_t*>(counters() + 1); }
  [[nodiscard]] std::size_t mark_words() const noexcept {
    return how_ != begins::with_lists && vertices_ >= least_to_mark ? most_marked / 32 : 0;
  }

  static_assert(sizeof(gpu_counters<Id>) % alignof(row_part<Id>) == 0 && sizeof(row_part<Id>) % alignof(Id) == 0);
  std::size_t most_parts_ = 0, vertices_ = 0;
  buffer<std::byte> memory_;
  begins how_ = begins::with_hooks;
  bool one_launch_ = false;
  std::shared_ptr<backend::kernel_replay> replay_;
};

}  // namespace copse::fast
