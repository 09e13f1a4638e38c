// The minimum or maximum spanning forest of a part of the edges, as something that is merged with those of other parts: what a
// mergeable_forest is to components, this is to thresholds.
#pragma once
#include <copse/execution.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <copse/mergeable_forest.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>
#include <copse/weighted_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace copse {

/// At most n - 1 edges with their weights, and the vertices that the part has seen. Edges are ordered by (weight, smaller end, larger end),
/// so there is one such forest of a set of edges, and the forest of a whole graph is that of the forests of its parts: an edge that is not
/// in the forest of its part closes a cycle of better ones.
///
/// Equal forests are equal bytes, wherever and however they were found. 20 bytes per vertex, and the names, where ids are not 0 .. n - 1: 4
/// or 8 bytes, or 4 and those of a string.
class mergeable_weighted_forest {
public:
  /// Of no edges: merged with another, it changes nothing.
  mergeable_weighted_forest() = default;
  /// Of what weighted_forest() or weighted_edge_sink found with this goal. Weights become doubles, and keep
  /// their precision. Throws
  /// usage_error for not-a-number, an integer that no double holds, and edges that close a cycle. O(n log n).
  mergeable_weighted_forest(const graph& forest, weights_view weights, forest_goal goal, std::pmr::memory_resource* memory = host_memory());

  /// A list of edges (u, v), u < v, ascending, and their weights, which are doubles: what hierarchy and io::write_weighted_edges take.
  [[nodiscard]] const weighted_graph& forest() const noexcept { return forest_; }
  [[nodiscard]] forest_goal goal() const noexcept { return goal_; }
  [[nodiscard]] std::uint64_t vertices() const noexcept { return forest_.edges.vertices(); }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return forest_.weights.size(); }

  /// Its bytes, to be sent elsewhere.
  [[nodiscard]] buffer<std::byte> bytes(std::pmr::memory_resource* memory = host_memory()) const;
  /// What bytes() gave. Throws input_error, in which they are called `name`, when they are damaged, cut off or of another version.
  static mergeable_weighted_forest from_bytes(std::span<const std::byte> bytes, std::string_view name = "forest",
                                              std::pmr::memory_resource* memory = host_memory());
  /// The same bytes as a file, which is replaced as a whole and reaches the disk before this returns. mergeable_forest opens it, too, as
  /// the components of all edges.
  void save(const std::filesystem::path& path) const;
  /// What save() wrote. Throws input_error.
  static mergeable_weighted_forest open(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());
  /// True if a file that copse saved holds weights. Reads a few bytes (a packed file up to them, and throws input_error where it is
  /// damaged); false for every other file, and for what comes once, such as a pipe, which is not touched.
  [[nodiscard]] static bool is_one(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());

private:
  static mergeable_weighted_forest forest_in(std::string_view bytes, std::string_view name, std::pmr::memory_resource* memory);

  weighted_graph forest_{graph{coo<std::uint32_t>{}}, weight_column{buffer<double>{}}};
  forest_goal goal_ = forest_goal::maximum;
};

/// Merges weighted forests in any order and number; the answer depends on neither, nor on how often one comes. Memory: a few times the
/// vertices of all together, whatever their number.
class weighted_forest_merger {
public:
  explicit weighted_forest_merger(const execution& on = {});
  weighted_forest_merger(weighted_forest_merger&&) noexcept;
  weighted_forest_merger& operator=(weighted_forest_merger&&) noexcept;
  ~weighted_forest_merger();

  /// Throws usage_error for strings after integers or the reverse, and for another goal or weights of another precision than the forests
  /// before; resource_error, cancelled.
  /// After the last two it may only be destroyed.
  void add(const mergeable_weighted_forest& forest);
  /// The forest of all that was added; the merger is empty afterwards.
  [[nodiscard]] mergeable_weighted_forest finish();

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The weighted forest of a part of some files of any format with weights, as weighted_forest() reads them; each is reduced, and
/// their forests are merged. Throws what that throws, and usage_error for a part that there is not.
mergeable_weighted_forest weighted_forest_of_part(std::span<const std::filesystem::path> paths, file_part part,
                                                  const io::read_options& input, forest_goal goal, const execution& on = {});

/// Is `forest` that of the part? Reads it again, and holds its edges.
verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                    const mergeable_weighted_forest& forest, const execution& on = {});
/// Is `merged` the forest of all that `next_part` hands out, until it hands out nothing? Holds the edges of all of them.
verdict verify_merge(const mergeable_weighted_forest& merged, const std::function<std::optional<mergeable_weighted_forest>()>& next_part,
                     std::pmr::memory_resource* memory = host_memory());

}  // namespace copse
