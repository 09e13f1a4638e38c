// What the cores do in a hybrid solve: they solve their part, by depth-first searches (dfs_part.hpp) or by the fast path, copse's fastest
// algorithm for CPUs; and while they wait they touch the pages of new arrays.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/request.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace copse::hybrid {

enum class cpu_part : std::uint8_t { dfs, pieces, fast };
inline constexpr std::array<std::string_view, 3> cpu_part_names{"dfs", "pieces", "fast"};  // in the order of the enumerators

/// Sets words[v], for every v < cut, to the smallest vertex below the cut that is known to be connected to v, by at least all edges among
/// these vertices. `words` has `cut` elements, or one for each of the graph's `vertices`; those from the cut on are scratch. `g` has the
/// rows of the graph, or of at least its first `cut` vertices, with both directions of every edge. With the algorithm `pieces`, each thread
/// labels a piece of the vertices by the edges inside it, and the edges between pieces are returned; the other algorithms return no edges.
template <class Offset>
buffer<edge<std::uint32_t>> label_cpu_part(cpu_part algorithm, csr_view<std::uint32_t, Offset> g, std::uint32_t vertices, std::uint32_t cut,
                                           std::span<std::uint32_t> words, const solve_request& options);

/// The pages of a new array, which the operating system clears and maps when they are first touched. A copy into the array would wait for
/// each of these, so idle threads touch the pages in advance.
class new_pages {
public:
  /// Prepares to touch the pages of the array `words`, from its element `first` on.
  explicit new_pages(std::span<std::uint32_t> words, std::size_t first = 0) noexcept;

  /// Touches pages until `stop()` is true or no page is left: touch() by the calling thread, touch_by() by `threads` threads of the pool
  /// (core/team.hpp). Several threads may call touch() at once. Words keep their values.
  void touch(const std::function<bool()>& stop);
  void touch_by(unsigned threads, const std::function<bool()>& stop);

private:
  std::span<std::uint32_t> words_;
  /// a thread touches piece_ words at a time; pieces begin at addresses that are multiples of their size, so the first one begins ahead_
  /// words before the array
  std::size_t piece_, ahead_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace copse::hybrid
