// What the cores do in a hybrid solve: they solve their part, by depth-first searches (dfs_part.hpp) or by the fast path, the best they
// have; and while they wait they touch the pages of new arrays.
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

/// words[v] becomes, for every v < cut, a vertex below the cut: the smallest that is known to be connected to v, by all edges among these
/// vertices at least. `words` has `cut` places, or one for each of the graph's `vertices`, of which those from the cut on are scratch.
/// `g`: rows of the graph, or of its first vertices only, at least `cut` of them, with both directions of every edge.
/// By `pieces`, the labels are those of the edges inside pieces, and the other edges are returned; otherwise none is.
template <class Offset>
buffer<edge<std::uint32_t>> label_cpu_part(cpu_part algorithm, csr_view<std::uint32_t, Offset> g, std::uint32_t vertices, std::uint32_t cut,
                                           std::span<std::uint32_t> words, const solve_request& options);

/// The pages of a new array, which the system clears and maps when they are first touched: a copy into them would wait for each. Idle
/// threads touch them in advance.
class new_pages {
public:
  /// The pages of an array from word `first` on.
  explicit new_pages(std::span<std::uint32_t> words, std::size_t first = 0) noexcept;

  /// By this thread, or by this many threads of the pool (core/team.hpp), until `stop()` or until no page is left. Several threads may call
  /// it at once. Words keep their values.
  void touch(const std::function<bool()>& stop);
  void touch_by(unsigned threads, const std::function<bool()>& stop);

private:
  std::span<std::uint32_t> words_;
  std::size_t piece_, ahead_;  ///< words per turn; words of the first turn that lie before the array
  std::atomic<std::size_t> next_{0};
};

}  // namespace copse::hybrid
