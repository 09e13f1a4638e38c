// The hot path of all line-based formats: lines of the form `digits separator digits`, possibly with more columns that are ignored, are
// parsed at full speed; every other line is parsed by the general rules. Edges are passed on to the sink in batches.
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

/// Number of free places for edges that parse_simple_lines requires, because it checks for free places only once in several lines.
inline constexpr std::size_t simple_lines_slack = 16;

/// The form of simple lines, which the fast parsers accept: two numbers with a separator between them. The fields specify what else is
/// allowed.
struct line_shape {
  char separator = ' ';
  char other_separator = ' ';          ///< equals `separator`, or is a tab if `separator` is a blank
  bool arc_letter = false;             ///< lines may begin with "a " or "e "
  bool may_end = true;                 ///< the line may end after the second id
  bool may_go_on = true;               ///< further columns may follow, which are skipped
  bool quotes = false;                 ///< a line with a quote in a further column is not simple
  bool leading_zeros = true;           ///< ids may have leading zeros; if false, a line with such an id is not simple
  std::uint64_t first_id = 0;          ///< subtracted from ids: 1 for formats that count from one, otherwise 0
  std::uint64_t last_id = UINT64_MAX;  ///< upper limit of (id - first_id); a line with a larger id is not simple
};

/// Parses lines of the form `shape` from the front of `text` (whole lines) into `out`. They must end with LF or CRLF, have no other CR, and
/// have ids of at most 16 digits. Stops when fewer than simple_lines_slack of the `room` elements of `out` are free, or at any other line,
/// which the caller must parse by the general rules. Returns the first byte not parsed, and adds the number of edges to `parsed`. Never
/// reads outside `text`, so the last lines are always left to the caller.
using parse_simple_lines = const char*(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                                       std::size_t& parsed);

/// Portable: works on words of 8 bytes.
parse_simple_lines parse_simple_lines_portable;
/// All parsers that run on this machine, the fastest last.
std::vector<parse_simple_lines*> all_parse_simple_lines();
/// The fastest parser that runs on this machine.
parse_simple_lines* best_parse_simple_lines();

/// Collects the edges of one worker and passes them to the sink in batches of 16 KiB, which fit in the L1 cache together with the text and
/// the cache lines of a sink.
class batched_edges {
public:
  batched_edges(edge_sink& sink, unsigned worker) : sink_{sink}, worker_{worker} {
    if (sink.wishes().weights) weights_.resize(edges_.size());
  }

  /// True if weights are wanted; edges must then be added with push().
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
  /// Tells the sink that the edge at the current position of the file is left out.
  void left_out() { sink_.left_out(worker_, size_); }
  /// Number of edges added so far.
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

/// Parses all lines of `text`; shared by all line-based formats. If `shape` is given, simple lines go straight into the batch;
/// `careful(text)` must cut one line off the text and parse it by the general rules.
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
