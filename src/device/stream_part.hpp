// One GPU's part of a graph that passes by: a forest of what came, and two pieces of its memory. While the edges of one piece are united,
// the next is copied on a stream of its own; events mark when a piece is filled and when it may be filled again.
#pragma once
#include <copse/cuda_incremental.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <device/piece_kernels.hpp>
#include <device/pieces.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_memory.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

namespace copse::device {

/// The calling thread's device while it lives.
class on_device {
public:
  explicit on_device(int index);
  on_device(const on_device&) = delete;
  ~on_device();

private:
  int before_ = 0;
};

/// A point in a stream.
class stream_mark {
public:
  stream_mark();
  stream_mark(const stream_mark&) = delete;
  ~stream_mark();
  void set(cudaStream_t stream) const;
  void hold_back(cudaStream_t other) const;
  void wait() const;

private:
  cudaEvent_t held_ = nullptr;
};

class stream_part {
public:
  using id = std::uint32_t;
  using pair = edge<id>;
  struct settings {
    unsigned gpu;
    std::uint64_t memory_limit_bytes;
    std::uint64_t piece_bytes;  ///< 0: what suits the memory
    unsigned threads;           ///< that copy pageable memory
    const observer* watcher;
  };

  /// Throws resource_error, with the numbers, where there is no room for the forest and pieces.
  stream_part(const settings& how, id vertices);
  ~stream_part();
  stream_part(const stream_part&) = delete;

  [[nodiscard]] int gpu() const noexcept { return work_.index(); }
  [[nodiscard]] std::uint64_t piece_bytes() const noexcept { return piece_bytes_; }
  [[nodiscard]] id vertices() const noexcept { return forest_.vertices(); }

  // All that follow are for the thread that holds an on_device of this GPU, one at a time.

  void grow(id vertices);
  /// One piece of host memory, which has to stay until wait_for_copies().
  void take(std::span<const pair> edges);
  void take(std::span<const id> sources, std::span<const id> targets);
  /// `offsets`: those of the piece's rows and one more.
  struct rows_of_host {
    const void* offsets;
    unsigned offset_bytes;
    const void* targets;
    bool one_direction, summed;
  };
  void take(const rows_piece& piece, const rows_of_host& rows);
  /// In the memory of this GPU, where they stay until wait(). Any number.
  void take_resident(std::span<const pair> edges);
  /// Unites what the other part, which is on this or another GPU, has united. It waits for that.
  void unite_with(stream_part& other);

  // A piece that is filled from several sides: chunk after chunk, in page-locked memory.

  /// Bytes that are free in the piece that is filled now.
  [[nodiscard]] std::uint64_t room() const noexcept { return piece_bytes_ - filled_bytes_; }
  /// Precondition: as many bytes are free. The chunk may change once `copied` is reached.
  void append(std::span<const pair> chunk, const stream_mark& copied);
  /// Unites what was appended since the last call.
  void close();

  void wait_for_copies();
  /// Until all that came is united. Throws input_error for ids that are no vertices.
  void wait();
  /// Canonical labels. They wait.
  [[nodiscard]] device_span<const id> labels() { return forest_.labels_on_gpu(); }
  void copy_labels(std::span<id> to);
  /// Which of the ids occurred in an edge, or in a loop, whose ids are `alone`.
  [[nodiscard]] buffer<std::uint32_t> present(std::span<const id> alone);
  /// Of all pieces of rows whose sums were wanted. Waits.
  [[nodiscard]] arc_sums sums();

private:
  struct piece {
    buffer<std::byte> bytes;
    stream_mark filled, united;
  };
  /// The one whose turn it is; what is copied to it waits until it is free.
  piece& open();
  /// Unites, after the copies to it, the pairs in it, or those that `convert(pairs)` makes of it.
  void unite(piece& filled, std::size_t count);
  template <class Convert>
  void unite(piece& filled, std::size_t count, Convert convert);
  void enqueue(piece& filled, const pair* pairs, std::size_t count);
  void copy_in(void* to, const void* from, std::size_t bytes);

  backend::gpu work_, copies_;
  backend::gpu_memory pool_;
  std::uint64_t piece_bytes_;
  tracked_memory memory_;
  gpu_incremental forest_;
  piece_kernels kernels_;
  unsigned threads_;
  const observer* watcher_;
  std::array<piece, 2> pieces_;
  buffer<pair> pairs_;
  buffer<arc_sums> sums_;
  piece* appended_to_ = nullptr;
  std::uint64_t filled_bytes_ = 0;
  std::size_t turn_ = 0;
};

}  // namespace copse::device
