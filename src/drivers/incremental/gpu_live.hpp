// A growing graph on a GPU, with the rule that joins its edges. Batches are in host memory, from which they are copied, or in GPU memory.
// Compiled without CUDA's headers. An object may be used by one thread at a time.
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
    std::uint64_t refused = 0;  ///< inserts with an id of slots() or more
  };

  /// Throws resource_error if there is no GPU, or not enough memory on it.
  gpu_live(const rule_traits& traits, const gpu_rule& rule, const settings& chosen);
  gpu_live(const gpu_live&) = delete;
  ~gpu_live();

  [[nodiscard]] id slots() const noexcept;
  /// Makes room for the ids below `slots`. Changes nothing if it throws.
  void grow(id slots);
  /// Makes the ids from `begin` to slots() - 1 exist as vertices, each alone in its component. Precondition: none of them existed.
  void declare(id begin);
  /// Starts from labels. Precondition: nothing but grow() was called before; labels[labels[v]] == labels[v] <= v, or labels[v] is
  /// no_vertex.
  void adopt(std::span<const id> labels);
  /// Waits for all that was enqueued, and returns the counts.
  [[nodiscard]] counts counted();
  /// Waits and returns the counts. Throws input_error, whose text begins with `who`, if inserts since the last call of this function were
  /// refused.
  counts counted_unless_refused(std::string_view who);

  // Functions that take batches in host memory, which may be overwritten when they return.
  void insert(pairs edges);
  /// Inserts edges piece by piece (settings::piece_edges), and grows as their ids need. Throws input_error for the id no_vertex; only the
  /// edges of earlier pieces are inserted then.
  void insert_growing(pairs edges);
  /// Makes the inserts of one batch and answers its queries, after all inserts or concurrently, as `how` says. Waits for the answers, one
  /// bit per pair. Precondition: with mixing::concurrent the rule answers queries during inserts.
  void apply_growing(pairs batch, const operation* kinds, mixing how, std::span<std::uint64_t> answers);
  /// Answers queries. If `kinds` is null, all pairs are queries. Waits for the answers.
  void query(pairs batch, const operation* kinds, std::span<std::uint64_t> answers);
  /// Waits for the GPU, and returns the canonical label of each id below slots(), no_vertex for ids that do not exist. They are in GPU
  /// memory, valid until the next call that changes something.
  [[nodiscard]] std::span<const id> labels();
  void write_labels(id* to);
  /// Waits, and copies one bit for each id below slots(), which is 1 if the id exists as a vertex.
  void copy_marks(std::span<std::uint64_t> to);
  /// Waits, and copies the edge of each link, indexed by the root that it made a child; no_vertex elsewhere. Precondition: record_forest.
  void copy_links(std::span<edge<id>> to);
  /// Returns the edge of each link in GPU memory, valid until the next call that changes something. Waits.
  [[nodiscard]] pairs links();
  void put_links(std::span<const edge<id>> from);

  // Functions that take batches in GPU memory. They enqueue their work and return at once. If a stream is given, the work comes after what
  // was enqueued there before, and before what is enqueued there later.
  using stream = std::optional<cuda_stream>;
  void insert_resident(gpu_batch batch, stream callers);
  void query_resident(gpu_batch batch, std::span<std::uint64_t> answers, stream callers);
  void apply_resident(gpu_batch batch, mixing how, std::span<std::uint64_t> answers, stream callers);
  /// Writes the canonical label of each id below slots(), no_vertex for ids that do not exist.
  void labels_resident(std::span<id> to, stream callers);

  void wait();

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace copse::drivers
