// Passes edges from one worker to the sink, a batch at a time.
#pragma once
#include "io/simple_lines.hpp"

#include <copse/io.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::io {

/// 16 KiB of edges: stays in the first-level cache beside the text and the lines of a sink.
class edge_batch {
public:
  edge_batch(edge_sink& sink, unsigned worker) noexcept : sink_{sink}, worker_{worker} {}

  [[nodiscard]] edge<std::uint64_t>* free_slots() noexcept { return edges_.data() + size_; }
  [[nodiscard]] std::size_t room() const noexcept { return edges_.size() - size_; }
  void add(std::size_t count) {
    size_ += count;
    total_ += count;
    if (room() < simple_lines_slack) flush();
  }
  void push(std::uint64_t u, std::uint64_t v) {
    *free_slots() = {u, v};
    add(1);
  }
  /// Edges added so far.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  void flush() {
    if (size_ == 0) return;
    sink_.edges(worker_, {edges_.data(), size_});
    size_ = 0;
  }

private:
  edge_sink& sink_;
  unsigned worker_;
  std::size_t size_ = 0;
  std::uint64_t total_ = 0;
  std::array<edge<std::uint64_t>, 1024> edges_;
};

}  // namespace copse::io
