// A growing graph on a GPU with the rule that joins its edges: batches in host memory, which are copied there, or there already. Compiled
// without CUDA's headers. For one thread at a time.
#pragma once
#include <copse/execution.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <copse/operations.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/gpu_rule.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>

namespace copse::drivers {

class gpu_live {
public:
  using id = std::uint32_t;
  using pairs = std::span<const edge<id>>;
  struct settings {
    unsigned gpu = 0;
    std::size_t piece_edges = std::size_t{1} << 21;  ///< edges per piece in which batches in host memory are copied
    std::uint64_t memory_limit_bytes = UINT64_MAX;
    bool record_forest = false;
    copse::observer* observer = nullptr;
  };
  struct counts {
    std::uint64_t links = 0, vertices = 0;
    std::uint64_t refused = 0;  ///< inserts of ids that had no words
  };

  /// Throws resource_error where there is no GPU, or no memory on it.
  gpu_live(const rule_traits& traits, const gpu_rule& rule, const settings& chosen);
  gpu_live(const gpu_live&) = delete;
  ~gpu_live();

  [[nodiscard]] id slots() const noexcept;
  /// Ids below `slots` have words. All or nothing.
  void grow(id slots);
  /// Ids of [begin, slots) exist, each alone. Precondition: none did.
  void declare(id begin);
  /// Precondition: grown and nothing else; labels[labels[v]] == labels[v] <= v, or no_vertex.
  void adopt(std::span<const id> labels);
  /// Waits for all that was enqueued.
  [[nodiscard]] counts counted();
  /// Waits and returns the counts. Throws input_error, whose text begins with `who`, if inserts since the last call of this function were
  /// refused.
  counts counted_unless_refused(std::string_view who);

  // From host memory, which may be overwritten when they return.
  void insert(pairs edges);
  /// Inserts edges and grows as their ids need. Throws input_error for the id no_vertex, before any edge of its piece is inserted.
  void insert_growing(pairs edges);
  /// A mixed batch of any kind of mixing. Waits for the answers: a bit for each pair. Precondition: with
  /// mixing::concurrent the rule answers queries during inserts.
  void apply_growing(pairs batch, const operation* kinds, mixing how, std::span<std::uint64_t> answers);
  /// `kinds` null: all are queries. Waits.
  void query(pairs batch, const operation* kinds, std::span<std::uint64_t> answers);
  /// Canonical labels, no_vertex for slots that do not exist; in the memory of the GPU until the next call that changes something. Waits,
  /// as those that follow.
  [[nodiscard]] std::span<const id> labels();
  void write_labels(id* to);
  /// A bit for each slot.
  void copy_marks(std::span<std::uint64_t> to);
  /// The edge of each link, by the root that it made a child; no_vertex elsewhere. Precondition: record_forest.
  void copy_links(std::span<edge<id>> to);
  /// The edge of each link in the memory of the GPU, valid until the next call that changes something. Waits.
  [[nodiscard]] pairs links();
  void put_links(std::span<const edge<id>> from);

  // In the memory of the GPU. They enqueue, and return at once. `stream`: after what was enqueued there before, and before what follows.
  using stream = std::optional<cuda_stream>;
  void insert_resident(gpu_batch batch, stream callers);
  void query_resident(gpu_batch batch, std::span<std::uint64_t> answers, stream callers);
  void apply_resident(gpu_batch batch, mixing how, std::span<std::uint64_t> answers, stream callers);
  /// The labels of all slots: as labels().
  void labels_resident(std::span<id> to, stream callers);

  void wait();

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace copse::drivers
