// One GPU's part of a streamed graph: a forest of what came, and a few pieces of its memory. While the edges of one piece are united,
// the next ones are copied on a stream of their own; events mark when a piece is filled and when it may be filled again.
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
    std::uint64_t piece_bytes;  ///< 0: what suits the memory
    unsigned threads;           ///< that copy labels
    const observer* watcher;
    bool keep_forest;  ///< the edges that joined two components
  };

  /// Throws resource_error, with the numbers, where there is no room for the forest and pieces.
  stream_part(const settings& how, id vertices);
  ~stream_part();
  stream_part(const stream_part&) = delete;

  [[nodiscard]] int gpu() const noexcept { return work_.index(); }
  [[nodiscard]] std::uint64_t piece_bytes() const noexcept { return piece_bytes_; }
  [[nodiscard]] id vertices() const noexcept { return forest_.slots(); }

  // All that follow are for the thread that holds an on_device of this GPU, one at a time.

  void grow(id vertices);
  /// A piece of page-locked host memory, which has to stay until wait_for_copies().
  void take(const host_piece& from);
  /// In the memory of this GPU, where they stay until wait(). Any number. In the order of `stream`, if there is one.
  void take_resident(std::span<const pair> edges, std::optional<cuda_stream> stream);
  /// Unites what the other part, which is on this or another GPU, has united: by its labels, or where edges are kept by those. It waits
  /// for that.
  void unite_with(stream_part& other);

  // A piece that is filled slot by slot (piece_line). At most two are open at a time.

  struct piece {
    buffer<std::byte> bytes;
    stream_mark filled, united;
  };
  /// The one whose turn it is. What is copied to it waits until it is free: copies of others wait for `united`.
  [[nodiscard]] piece& open();
  /// Page-locked memory to bytes of an open piece; `copied` says when that has been read. For any thread. All copies are in one stream:
  /// where two take turns, copies overlap and the link carries less.
  void copy(std::byte* to, std::span<const std::byte> chunk, const stream_mark& copied) const;
  /// Unites what it holds now. `from`: what that is.
  void close(piece& filled, const host_piece& from);

  static constexpr unsigned most_workers = 12;
  /// Page-locked memory for slots, of at least `bytes` bytes, backend::staging_bytes at most; for one at a time, and until no copy needs it
  /// any more.
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
  /// The same, when something may have failed already.
  void finish_copies() const noexcept { static_cast<void>(cudaStreamSynchronize(copies_.stream())); }
  /// Until all that came is united. Throws input_error for ids that are no vertices.
  void wait();
  /// Canonical labels. They wait.
  [[nodiscard]] std::span<const id> labels() { return forest_.labels(); }
  void copy_labels(std::span<id> to);
  /// The edge that made each root a child; no_vertex elsewhere. Precondition: edges are kept. Waits.
  void copy_links(std::span<pair> to) { forest_.copy_links(to); }
  /// How many there are. Waits, and throws, as wait().
  [[nodiscard]] std::uint64_t link_count() { return forest_.counted_unless_refused("cuda").links; }
  /// Which of the ids occurred in an edge, or in a loop, whose ids are `alone`.
  [[nodiscard]] buffer<std::uint32_t> present(std::span<const id> alone);
  /// The sums of all pieces of rows for which they were wanted. Waits.
  [[nodiscard]] arc_sums sums();

private:
  void copy(std::byte* to, std::span<const std::byte> chunk) const;
  /// As above, for what is at `from` on the GPU of another part, or, if this one cannot read there, is copied by copy_out(to) to host
  /// memory. convert(first, count, there): the pairs of items that are `there`.
  template <class Item, class CopyOut, class Convert>
  void unite_items(stream_part& other, std::span<const Item> from, CopyOut copy_out, Convert convert);
  /// Unites, after the copies to it, what `convert()` says: where the pairs are.
  template <class Convert>
  void unite(piece& filled, std::size_t count, Convert convert);
  [[nodiscard]] pair* room_for_pairs();

  backend::gpu work_, copies_;
  backend::gpu_memory pool_, pool_of_pieces_;  ///< in the order of kernels, and in that of copies
  std::uint64_t room_bytes_, piece_bytes_;
  std::vector<piece> pieces_;
  tracked_memory memory_;  ///< memory of all but the pieces and the forest
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
