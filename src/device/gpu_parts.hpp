// The parts of a graph that is streamed through several GPUs, and how their forests are merged.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/request.hpp>
#include <core/team.hpp>
#include <device/gpus.hpp>
#include <device/piece_line.hpp>
#include <device/pieces.hpp>
#include <device/stream_part.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse::device {

class gpu_parts {
public:
  using id = std::uint32_t;
  gpu_parts(id vertices, const request<streaming_options>& options);
  gpu_parts(const gpu_parts&) = delete;
  ~gpu_parts();

  /// The text that names these GPUs in execution::device.
  [[nodiscard]] std::string device() const;
  [[nodiscard]] std::size_t size() const noexcept { return parts_.size(); }
  [[nodiscard]] stream_part& operator[](std::size_t i) noexcept { return *parts_[i]; }
  /// The bytes of a piece, the same on every GPU.
  [[nodiscard]] std::uint64_t piece_bytes() const noexcept { return piece_bytes_; }
  [[nodiscard]] id vertices() const noexcept { return vertices_; }

  void grow(id vertices);
  // These functions take edges in host memory, which has been read when they return. Chunks are scheduled dynamically across the GPUs.

  void add(std::span<const edge<id>> edges);
  void add(std::span<const id> sources, std::span<const id> targets);
  /// Rows as a file or an array stores them. offset_of(row), a parameter of add_rows(), returns the offset of a row.
  struct raw_rows {
    std::uint64_t vertices, arcs;
    const char* offsets;
    unsigned offset_bytes;  ///< bytes of an offset: 4 or 8
    const char* targets;
    /// `one_direction`: the rows store both directions of every edge, so each edge is united only along its arc to the smaller id.
    /// `summed`: the arcs are counted in sums().
    bool one_direction, summed;
  };
  template <class OffsetOf>
  void add_rows(const raw_rows& rows, OffsetOf offset_of) {
    const piece_room room = room_for_rows(piece_bytes_, rows.offset_bytes);
    const auto bytes_of = [](const char* array, std::uint64_t first, std::uint64_t count, unsigned width) {
      return std::span{reinterpret_cast<const std::byte*>(array) + first * width, count * width};
    };
    pass(rows.targets, rows.arcs * sizeof(id), [&, begin = std::uint64_t{0}]() mutable -> std::optional<host_piece> {
      if (begin == rows.arcs) return std::nullopt;
      const rows_piece now = rows_from(begin, rows.arcs, rows.vertices, room, offset_of);
      begin += now.arcs;
      return host_piece{host_piece::contents::rows,
                        {bytes_of(rows.offsets, now.first_row, now.rows + 1, rows.offset_bytes),
                         bytes_of(rows.targets, now.first_arc, now.arcs, sizeof(id))},
                        now.arcs,
                        now,
                        rows.offset_bytes,
                        rows.one_direction,
                        rows.summed};
    });
  }
  template <class Offset>
  void add(csr_view<id, Offset> rows) {
    add_rows({rows.vertices(), rows.targets.size(), reinterpret_cast<const char*>(rows.offsets.data()), sizeof(Offset),
              reinterpret_cast<const char*>(rows.targets.data()), rows.symmetric == symmetry::yes, false},
             [offsets = rows.offsets.data()](std::uint64_t row) -> std::uint64_t { return offsets[row]; });
  }
  /// Returns the sums over the arcs of rows on all GPUs, which show whether rows store both directions. Waits.
  [[nodiscard]] arc_sums sums();

  void wait();
  /// Merges the forests: in each round every second part passes its forest to the part before it, until the first part has all of it.
  void merge();
  /// The number of labels that copy_labels() writes, one for each vertex of the merged forest. It may be larger than the number of vertices
  /// that were declared. Precondition: merge() was called.
  [[nodiscard]] id labelled() const noexcept { return parts_.front()->vertices(); }
  void copy_labels(std::span<id> to);
  /// Returns the edges that joined two components. Precondition: merge() was called, and the option keep_forest is on.
  [[nodiscard]] buffer<edge<id>> take_forest(std::pmr::memory_resource* memory);

private:
  void add_parts(const request<streaming_options>& options);
  void drop_parts() noexcept;
  /// Calls run(part, k) for the parts k = 0, step, 2 * step, ... concurrently, each on its GPU.
  template <class Run>
  void for_each_part(std::size_t step, Run run) {
    on_workers(static_cast<unsigned>((parts_.size() + step - 1) / step), [&](unsigned k) {
      stream_part& part = *parts_[k * step];
      const on_device here{part.gpu()};
      run(part, k * step);
    });
  }

  /// Adds all pieces that next() returns. `first`: any address in them, which shows whether the memory is page-locked, and on which device
  /// it is.
  void pass(const void* first, std::uint64_t bytes, const piece_line::next_piece& next);
  void pass_slots(std::uint64_t bytes, const piece_line::next_piece& next);

  std::vector<unsigned> gpus_;
  std::vector<std::unique_ptr<stream_part>> parts_;
  std::uint64_t piece_bytes_ = UINT64_MAX;
  unsigned threads_;
  id vertices_;
};

}  // namespace copse::device
