// Passes edges from one worker to the sink, a batch at a time.
#pragma once
#include "io/simple_lines.hpp"
#include "io/weight_sink.hpp"

#include <copse/io.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace copse::io {

/// 16 KiB of edges: stays in the first-level cache beside the text and the lines of a sink.
class edge_batch {
public:
  edge_batch(edge_sink& sink, unsigned worker) : sink_{sink}, weights_to_{as_weight_sink(sink)}, worker_{worker} {
    if (weighted()) weights_.resize(edges_.size());
  }

  /// Are weights wanted? Then edges come by push() alone.
  [[nodiscard]] bool weighted() const noexcept { return weights_to_ != nullptr; }

  [[nodiscard]] edge<std::uint64_t>* free_slots() noexcept { return edges_.data() + size_; }
  [[nodiscard]] std::size_t room() const noexcept { return edges_.size() - size_; }
  void add(std::size_t count) {
    size_ += count;
    total_ += count;
    if (room() < simple_lines_slack) flush();
  }
  void push(std::uint64_t u, std::uint64_t v, double weight = 0) {
    if (weighted()) weights_[size_] = weight;
    *free_slots() = {u, v};
    add(1);
  }
  /// Tells the sink that the edge at this place of the file is left out.
  void left_out() { sink_.left_out(worker_, size_); }
  /// Edges added so far.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  void flush() {
    if (size_ == 0) return;
    if (weighted()) weights_to_->weights(worker_, {weights_.data(), size_});
    sink_.edges(worker_, {edges_.data(), size_});
    size_ = 0;
  }

private:
  edge_sink& sink_;
  weight_sink* weights_to_;
  unsigned worker_;
  std::size_t size_ = 0;
  std::uint64_t total_ = 0;
  std::array<edge<std::uint64_t>, 1024> edges_;
  std::vector<double> weights_;
};

}  // namespace copse::io
