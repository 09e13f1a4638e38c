// One GPU's part of a streamed graph: a forest of the edges so far, and a few pieces of edges in its memory. While the edges of one piece
// are united, the next piece is copied on a second stream; events mark when a piece is filled and when it may be filled again.
#pragma once
#include <copse/execution.hpp>
#include <copse/views.hpp>
#include <device/current_device.hpp>
#include <device/piece_kernels.hpp>
#include <device/pieces.hpp>
#include <drivers/incremental/gpu_live.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/staged_copy.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

namespace copse::device {

using backend::stream_mark;

class stream_part {
public:
  using id = std::uint32_t;
  using pair = edge<id>;
  struct settings {
    unsigned gpu;
    std::uint64_t memory_limit_bytes;
    std::uint64_t piece_bytes;  ///< 0: a size that suits the memory
    unsigned threads;           ///< the number of threads that copy labels
    const observer* watcher;
    bool keep_forest;  ///< keeps the edges that joined two components
  };

  /// Throws resource_error, which says how many bytes are free and how many are needed, if the forest and the pieces do not fit.
  stream_part(const settings& how, id vertices);
  ~stream_part();
  stream_part(const stream_part&) = delete;

  [[nodiscard]] int gpu() const noexcept { return work_.index(); }
  [[nodiscard]] std::uint64_t piece_bytes() const noexcept { return piece_bytes_; }
  [[nodiscard]] id vertices() const noexcept { return forest_.slots(); }

  // Only a thread that holds an on_device of this GPU may call the functions below, and only one thread at a time.

  void grow(id vertices);
  /// Adds a piece of page-locked host memory, which must not change until wait_for_copies().
  void take(const host_piece& from);
  /// Adds any number of edges in the memory of this GPU, which must not change until wait(). They are read in the order of `stream`, if it
  /// is given.
  void take_resident(std::span<const pair> edges, std::optional<cuda_stream> stream);
  /// Adds what another part, on this or another GPU, has united: its labels, or its edges if edges are kept. Waits for the other part
  /// to be complete.
  void unite_with(stream_part& other);

  // By the functions below piece_line copies a piece of the graph to the GPU in several parts. A piece is open from open() to close(),
  // while its bytes arrive in GPU memory; at most two are open at a time.

  struct piece {
    buffer<std::byte> bytes;
    stream_mark filled, united;
  };
  /// Returns the next of pieces_, which are used in turns. On the GPU, copies to it wait until the edges that it had before are united.
  [[nodiscard]] piece& open();
  /// Enqueues a copy of page-locked memory to `to`, an address in a piece that open() has returned and close() has not taken yet; `copied`
  /// is recorded when that memory has been read. Any thread may call it. All copies share one stream: on two streams copies would overlap,
  /// and fewer bytes a second would cross the link to the GPU.
  void copy(std::byte* to, std::span<const std::byte> chunk, const stream_mark& copied) const;
  /// Enqueues kernels that unite the edges of an open piece, all of whose bytes were passed to copy(). `from` says in which form the edges
  /// are.
  void close(piece& filled, const host_piece& from);

  static constexpr unsigned most_workers = 12;
  /// Page-locked memory from which piece_line copies to the GPU: the buffers that large copies to this GPU share
  /// (backend::borrowed_pieces), or `bytes` bytes that are allocated if those cannot be had. Must outlive the copies.
  class slot_room {
  public:
    slot_room(const backend::gpu& on, std::size_t bytes);
    [[nodiscard]] std::span<std::byte> room() noexcept { return owned_.empty() ? borrowed_.room() : owned_.span(); }

  private:
    backend::borrowed_pieces borrowed_;
    buffer<std::byte> owned_;
  };
  [[nodiscard]] slot_room room_for_slots(std::size_t bytes) const { return {work_, bytes}; }

  void wait_for_copies();
  /// Waits as wait() does, but ignores errors: it is called after a failure.
  void finish_copies() const noexcept { static_cast<void>(cudaStreamSynchronize(copies_.stream())); }
  /// Waits until all edges so far are united. Throws input_error for ids that are not vertices.
  void wait();
  /// Returns canonical labels and waits for them.
  [[nodiscard]] std::span<const id> labels() { return forest_.labels(); }
  void copy_labels(std::span<id> to);
  /// Copies, for each vertex that is no root any more, the edge that linked it to another tree; no_vertex for the others. Precondition:
  /// edges are kept. Waits.
  void copy_links(std::span<pair> to) { forest_.copy_links(to); }
  /// The number of edges that joined two components. Waits, and throws, as wait() does.
  [[nodiscard]] std::uint64_t link_count() { return forest_.counted_unless_refused("cuda").links; }
  /// Returns a bit per id that says for roots whether they occurred in an edge: with another id, or in a loop (`alone` lists the ids of
  /// loops). Ids that are not roots are known to have occurred, as an edge has joined them.
  [[nodiscard]] buffer<std::uint32_t> present(std::span<const id> alone);
  /// Returns the sums over the arcs of all pieces with host_piece::summed, which show whether rows store both directions. Waits.
  [[nodiscard]] arc_sums sums();

private:
  void copy(std::byte* to, std::span<const std::byte> chunk) const;
  /// Unites the pairs of ids that convert() makes of `from`, items in the memory of the other part's GPU. If this GPU cannot read that
  /// memory, copy_out(to) copies the items to host memory first. convert(first, count, there) returns the pairs of `count` items at
  /// `there`, the first of which is item `first`.
  template <class Item, class CopyOut, class Convert>
  void unite_items(stream_part& other, std::span<const Item> from, CopyOut copy_out, Convert convert);
  /// Unites the `count` pairs at the address that convert() returns, when all copies to the piece are done.
  template <class Convert>
  void unite(piece& filled, std::size_t count, Convert convert);
  [[nodiscard]] pair* room_for_pairs();

  backend::gpu work_, copies_;
  /// Memory that is allocated and freed in the order of a stream: `pool_` in that of the kernels, `pool_of_pieces_` in that of the copies.
  backend::gpu_memory pool_, pool_of_pieces_;
  std::uint64_t room_bytes_, piece_bytes_;
  std::vector<piece> pieces_;
  tracked_memory memory_;  ///< all memory except that of the pieces and of the forest
  drivers::gpu_live forest_;
  piece_kernels kernels_;
  unsigned threads_;
  const observer* watcher_;
  bool keeps_edges_;
  buffer<pair> pairs_;
  buffer<arc_sums> sums_;
  std::size_t turn_ = 0;
};

}  // namespace copse::device
