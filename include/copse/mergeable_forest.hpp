// The components of a part of the edges, as something that is merged with those of other parts: the unit of exchange between processes
// and machines.
#pragma once
#include <copse/execution.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace copse {

/// A forest of stars: every vertex that the part has seen hangs on the smallest vertex of its component, so that n vertices and at most
/// n - 1 edges hold all that the part knows about connectivity, however many edges it read. The whole graph has the components that the
/// forests of its parts have together.
///
/// Equal components of equal vertices are equal bytes, wherever and however they were found: ids are slots of an array where at most every
/// second slot is absent, and otherwise stand beside their vertices, in order. At most 8 bytes per vertex where ids are below 2^32 - 1, 12
/// to 16 where they are larger, and 8 and its own bytes where a vertex is a string.
class mergeable_forest {
public:
  /// Of no edges: merged with another, it changes nothing.
  mergeable_forest() = default;
  /// Of labels however they were found: by components() on any device, edge_batch_sink, incremental::labels() or
  /// live_stream::labels(). Throws usage_error unless they are canonical. O(slots).
  explicit mergeable_forest(labelling labels, std::pmr::memory_resource* memory = host_memory());

  /// Canonical, of the vertices by their names: what io::write_labels, verify and summarise take.
  [[nodiscard]] const labelling& labels() const noexcept { return labels_; }
  /// The same, moved out.
  [[nodiscard]] labelling take_labels() && { return std::move(labels_); }
  /// Vertices of the part. O(slots).
  [[nodiscard]] std::uint64_t vertices() const noexcept;

  /// Its bytes, to be sent elsewhere.
  [[nodiscard]] buffer<std::byte> bytes(std::pmr::memory_resource* memory = host_memory()) const;
  /// What bytes() gave. Throws input_error, in which they are called `name`, when they are damaged, cut off or of another version.
  static mergeable_forest from_bytes(std::span<const std::byte> bytes, std::string_view name = "forest",
                                     std::pmr::memory_resource* memory = host_memory());
  /// The same bytes as a file, which is replaced as a whole and reaches the disk before this returns.
  void save(const std::filesystem::path& path) const;
  /// What save() wrote, and what incremental::save and live_stream::checkpoint wrote, as it is one format. Throws input_error.
  static mergeable_forest open(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());

private:
  friend class forest_merger;
  labelling labels_;
};

/// Merges forests in any order and number; the answer depends on neither. Ids of all widths go together, integers and strings do not.
class forest_merger {
public:
  /// Between two forests the observer can cancel.
  explicit forest_merger(const execution& on = {});
  forest_merger(forest_merger&&) noexcept;
  forest_merger& operator=(forest_merger&&) noexcept;
  ~forest_merger();

  /// Dense ids: O(slots), near enough, in place. Sparse ids and strings: their names are merged in order, O(vertices log forests) in all.
  /// Throws usage_error for strings after integers or the reverse, resource_error, cancelled.
  void add(const mergeable_forest& forest);
  /// The forest of all that was added; the merger is empty afterwards. O(vertices).
  [[nodiscard]] mergeable_forest finish();

private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Which part of some files a process reads: of `count` parts the one of this `index`. Text of edges, `.npy`, `.coo` and `.coo64` that is
/// not compressed is cut into ranges of whole records, about as long; of everything else every part takes whole files in turn.
struct file_part {
  unsigned index = 0;
  unsigned count = 1;
};

/// The forest of a part of some edge lists, or of a part of one file of any format; edges are united while they are parsed. Throws what
/// components() of files throws, and usage_error for a part that there is not or an input that comes once.
mergeable_forest forest_of_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                                const execution& on = {});

/// Such a part into a sink of the caller's.
void parse_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input, io::edge_sink& sink,
                const execution& on = {});
/// Are these files cut at once, with nothing read before the cut? (In CSV quotes are followed from the first byte; other formats are not
/// cut.)
bool is_cut(std::span<const std::filesystem::path> paths, const io::read_options& input);

// The proof of an answer that many processes found together: each proves its own forest against its own edges, and every merge is proved
// against the forests that went in. By code that shares nothing with what it checks.

/// Is `forest` that of the part? Reads it again.
verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                    const mergeable_forest& forest, const execution& on = {});

/// Is `merged` the forest of all that `next_part` hands out, until it hands out nothing? Holds one of them at a time.
verdict verify_merge(const mergeable_forest& merged, const std::function<std::optional<mergeable_forest>()>& next_part,
                     std::pmr::memory_resource* memory = host_memory());

}  // namespace copse
