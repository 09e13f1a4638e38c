// A solve by edges streamed through GPUs, and by files.
#pragma once
#include <copse/gpu_edge_sink.hpp>
#include <core/phase_times.hpp>
#include <device/gpu_parts.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>

namespace copse::device {

/// The parts, and where the time goes.
class stream_run {
public:
  stream_run(std::uint32_t vertices, const gpu_edge_sink_options& options);

  /// What pieces were united by, where, and how long it took; waking the GPUs is no part of that.
  [[nodiscard]] solve_report report(std::uint64_t edges) const;

private:
  using clock = std::chrono::steady_clock;
  const gpu_edge_sink_options& options_;
  clock::time_point waking_ = clock::now();

public:
  gpu_parts parts;
  phase_times times;

private:
  clock::time_point start_ = clock::now();
};

/// Rows of an .sg or .egr file.
streamed_components stream_rows(const std::filesystem::path& path, io::format format, const io::read_options& input,
                                const gpu_edge_sink_options& options);
/// Any format. Throws ids_for_no_gpu (stream_sink.hpp).
streamed_components stream_parsed(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                  const gpu_edge_sink_options& options);

}  // namespace copse::device
