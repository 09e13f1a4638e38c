// Graphs that no GPU has to hold: their edges are streamed through one GPU or several, in pieces, and only a forest of the vertices
// stays there.
#pragma once
#include <copse/components.hpp>
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace copse {

struct gpu_edge_sink_options {
  std::uint64_t piece_bytes = 0;  ///< each GPU has two to eight, as its memory allows; 0: 64 MiB, or what fits
  bool keep_forest = false;       ///< also the edges that joined two components: 8 bytes per vertex more
};

/// Components of edges that are streamed through the GPUs of this host. Each GPU keeps a forest of what it was given: 4 bytes per vertex
/// and a bit. Edges may come in any number, order and mixture of the calls below; in host memory they are dealt to all GPUs piece by piece,
/// as each becomes free. labels() and forest() merge the forests in log2(p) rounds, from GPU to GPU. Labels depend on none of this. One
/// thread at a time uses an object.
///
/// All throw resource_error where there is no GPU (or no GPU part in this build) or its memory ends, and cancelled. After an exception only
/// the destructor may be called.
class gpu_edge_sink {
public:
  using id = std::uint32_t;

  /// Vertices 0 .. vertices - 1, each alone. Throws resource_error, with the numbers, when a GPU has no room for their parents, and
  /// usage_error when there are no GPUs in the options, or fewer on this host.
  explicit gpu_edge_sink(id vertices, const gpu_edge_sink_options& options = {}, const execution& on = {});
  gpu_edge_sink(gpu_edge_sink&&) noexcept;
  gpu_edge_sink& operator=(gpu_edge_sink&&) noexcept;
  ~gpu_edge_sink();

  /// What each GPU must have free, at least: with less the constructor throws.
  [[nodiscard]] static std::uint64_t bytes_needed(id vertices, bool keep_forest = false) noexcept;
  /// What each must have free for vertices that are not known before, as those of an edge list in text: with this much, any such list is
  /// streamed. Parents get room for half as many again when they have to grow, and the old ones exist next to them until then.
  [[nodiscard]] static std::uint64_t bytes_needed_growing(id vertices) noexcept;

  /// Vertices 0 .. vertices - 1; new ones alone.
  void grow(id vertices);

  // In host memory: read when they return. Pageable memory is copied by several threads. Of rows that are said to be symmetric one
  // direction is used. Rows are not checked: offsets must ascend from 0 to the number of targets. Ids are: labels() throws.
  void add(std::span<const edge<id>> edges);
  /// Throws usage_error for columns of different length.
  void add(std::span<const id> sources, std::span<const id> targets);
  void add(csr_view<id, std::uint32_t> rows);
  void add(csr_view<id, std::uint64_t> rows);

  /// In the memory of gpus[part], and united there. Returns at once: they must stay until wait() or labels() has returned. With a stream of
  /// the caller's, of that GPU, work that was enqueued on it before comes before, and work that is enqueued on it later after, which may
  /// overwrite them; without one, they must be complete already.
  void add_resident(std::size_t part, device_span<const edge<id>> edges, std::optional<cuda_stream> stream = std::nullopt);

  /// Waits until all parts have united what they were given.
  void wait();
  /// Canonical labels of all that came. More may come afterwards. Throws input_error when ids were no vertices.
  [[nodiscard]] labelling labels();
  /// A spanning forest of all that came: n - k of the edges that came, in no order, whose trees are the k components; which of all forests
  /// may differ from run to run. Merging sends 8 bytes per vertex where labels() sends 4. Otherwise as labels(). Throws usage_error unless
  /// the options keep it.
  [[nodiscard]] graph forest();

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace copse
