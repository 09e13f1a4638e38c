// The hot path of all line formats: lines of exactly `digits separator digits`, perhaps with more columns that do not matter, become edges
// at full speed; every other line is parsed by the general rules. Edges are passed on to the sink in batches.
#pragma once
#include <copse/io.hpp>
#include <copse/views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace copse::io {

/// Free places that parse_simple_lines wants, because it checks for them once in several lines.
inline constexpr std::size_t simple_lines_slack = 16;

/// The shape of a simple line.
struct line_shape {
  char separator = ' ';
  char other_separator = ' ';          ///< equals `separator`, or is the tab where that is the blank
  bool arc_letter = false;             ///< lines may begin with "a " or "e "
  bool may_end = true;                 ///< the line may end behind the second id
  bool may_go_on = true;               ///< further columns may follow, which are skipped
  bool quotes = false;                 ///< a line with a quote in a further column is not simple
  bool leading_zeros = true;           ///< ids may have them; a line with such an id is not simple otherwise
  std::uint64_t first_id = 0;          ///< 1 where the format counts from one; subtracted
  std::uint64_t last_id = UINT64_MAX;  ///< after subtraction; a line with a larger id is not simple
};

/// Parses simple lines (which end with LF or CRLF; one with a CR elsewhere is not simple) from the front of `text` (whole lines) into `out`
/// until fewer than simple_lines_slack of the `room` places are left, or a line is not simple: the caller parses that one by the general
/// rules. Returns the first byte not parsed; adds to `parsed`. Ids of up to 16 digits; never reads outside `text`, so the last lines are
/// not simple either.
using parse_simple_lines = const char*(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                                       std::size_t& parsed);

/// Words of 8 bytes; runs everywhere.
parse_simple_lines parse_simple_lines_portable;
/// The parsers that this machine can run, the fastest last.
std::vector<parse_simple_lines*> all_parse_simple_lines();
/// The fastest one.
parse_simple_lines* best_parse_simple_lines();

/// Passes edges from one worker to the sink, a batch at a time: 16 KiB, which fit into the first-level cache together with the text and the
/// lines of a sink.
class batched_edges {
public:
  batched_edges(edge_sink& sink, unsigned worker) : sink_{sink}, worker_{worker} {
    if (sink.wishes().weights) weights_.resize(edges_.size());
  }

  /// True if weights are wanted: edges then arrive by push() only.
  [[nodiscard]] bool weighted() const noexcept { return !weights_.empty(); }

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
  /// Reports to the sink that the edge at this place of the file is left out.
  void left_out() { sink_.left_out(worker_, size_); }
  /// Edges added so far.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  void flush() {
    if (size_ == 0) return;
    sink_.edges(worker_, {.ids = {edges_.data(), size_}, .weights = std::span{weights_}.first(weighted() ? size_ : 0)});
    size_ = 0;
  }

private:
  edge_sink& sink_;
  unsigned worker_;
  std::size_t size_ = 0;
  std::uint64_t total_ = 0;
  std::array<edge<std::uint64_t>, 1024> edges_;
  std::vector<double> weights_;
};

/// The loop that all line formats share: parses the lines of `text`. With `shape`, simple lines go straight into the batch;
/// `careful(text)` cuts the next line, which is not simple, off the text.
template <class Careful>
void parse_lines(std::string_view text, const line_shape* shape, batched_edges& batch, Careful careful) {
  parse_simple_lines* const simple = shape != nullptr ? best_parse_simple_lines() : nullptr;
  while (!text.empty()) {
    if (simple != nullptr) {
      const std::size_t room = batch.room();
      std::size_t parsed = 0;
      const char* const stopped = simple(text, *shape, batch.free_slots(), room, parsed);
      text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
      batch.add(parsed);
      if (parsed + simple_lines_slack > room) continue;
    }
    careful(text);
  }
}

}  // namespace copse::io
