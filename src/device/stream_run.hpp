// Solves whose edges are streamed through GPUs, from memory and from files.
#pragma once
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <core/phase_times.hpp>
#include <device/gpu_parts.hpp>
#include <device/piece_line.hpp>
#include <device/stream_into.hpp>
#include <device/stream_part.hpp>
#include <drivers/streaming/streaming_sink.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

namespace copse::device {

// Streams parsed edges to GPUs. The workers of the reader put edges into page-locked slots: long batches at once, short batches after
// collecting some. A full slot is copied into the piece of a GPU, and a full piece is united there while the next one is filled.

/// Thrown into a reader whose ids GPUs cannot number: strings, integers beyond 32 bits, and integers too sparse for an array.
struct ids_for_no_gpu : std::exception {};

class stream_sink : public streaming::uniting_sink {
public:
  /// `most_slots`: unless the input declares its vertices, ids that are not below this throw ids_for_no_gpu. `on`: the execution of the
  /// call.
  stream_sink(gpu_parts& parts, std::uint64_t most_slots, const execution& on)
      : parts_{parts}, most_slots_{most_slots}, threads_{usable_threads(on.threads)}, memory_{on.memory} {}

  [[nodiscard]] io::sink_wishes wishes() const noexcept override { return {.narrow_ids = true}; }
  void begin(const io::source_facts& facts) override;
  void edges(unsigned worker, const io::edge_batch& batch) override;
  void vertices(unsigned worker, const io::vertex_batch& batch) override;
  void ids_are_signed() override { throw ids_for_no_gpu{}; }
  /// Waits until all edges are united.
  void finish() override;

  [[nodiscard]] std::uint64_t edge_count() const noexcept;
  labelling take_labelling() override;
  streaming::labelled_forest take_forest() override;
  void resident_edges(std::span<const edge<std::uint32_t>> edges, std::optional<cuda_stream> in_order_of) override;
  void name_device(solve_report& report) const override;

private:
  using id = std::uint32_t;
  using pair = edge<id>;

  struct alignas(64) worker_state {
    std::vector<pair> waiting;  ///< edges of short batches, which put() copies together
    std::uint64_t edges = 0;
    std::vector<id> alone;  ///< vertices of loops; duplicates are removed when there are alone_limit of them
    std::size_t alone_limit = std::size_t{1} << 16;
  };
  template <class Edge>
  void take(unsigned worker, std::span<const Edge> batch);
  /// Copies all edges of a batch into page-locked memory, from which they are sent to a GPU.
  template <class Edge>
  void put(unsigned worker, std::span<const Edge> batch);
  void note_loops(worker_state& mine, std::span<const pair> batch);

  gpu_parts& parts_;
  std::uint64_t most_slots_;
  unsigned threads_;
  std::pmr::memory_resource* memory_;
  std::size_t turn_ = 0;                       ///< if several stream_parts are on one GPU, edges in its memory go to each of them in turn
  std::vector<stream_part::slot_room> rooms_;  ///< for each of lines_, the page-locked memory that it uses
  std::vector<std::unique_ptr<piece_line>> lines_;
  std::vector<worker_state> workers_;
  bool declared_ = false;
  std::uint64_t first_id_ = 0;
};

/// A streamed solve: a forest on each GPU, with the pieces of the graph that it takes, and the time of each phase.
class stream_run {
public:
  stream_run(std::uint32_t vertices, const request<streaming_options>& options);

  /// Returns the report of the solve: variant, devices and times, which do not include initialising CUDA.
  [[nodiscard]] solve_report report(std::uint64_t edges) const;

private:
  using clock = std::chrono::steady_clock;
  const request<streaming_options>& options_;
  clock::time_point waking_ = clock::now();

public:
  gpu_parts parts;
  phase_times times;

private:
  clock::time_point start_ = clock::now();
};

/// Streams the rows of an .sg or .egr file.
streamed_components stream_rows(const std::filesystem::path& path, io::format format, const io::read_options& input,
                                const request<streaming_options>& options);
/// Streams a file of any format. Throws ids_for_no_gpu for ids that a GPU cannot take, and, unless the file declares its
/// vertices, for ids that are not below `most_slots`.
streamed_components stream_parsed(std::span<const std::filesystem::path> paths, const io::read_options& input, std::uint64_t most_slots,
                                  const request<streaming_options>& options);

}  // namespace copse::device
