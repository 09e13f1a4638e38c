// Parses blocks of lines concurrently, and adds up their numbers of edges in file order, so that an error names the line of the first edge
// beyond the declared number.
#include "io/declared_sizes.hpp"

#include "io/fields.hpp"
#include "io/simple_lines.hpp"
#include "io/text_source.hpp"
#include "io/weight_rule.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <string>

namespace copse::io {
namespace {

class counted_parser {
public:
  counted_parser(text_source& source, const counted_lines& what, const read_request& options, edge_sink& sink)
      : source_{source}, what_{what}, sink_{sink}, rule_{options} {
    shape_.other_separator = '\t';
    shape_.arc_letter = what.arc_letter;
    shape_.may_end = !what.has_value;
    shape_.may_go_on = !what.has_no_value;
    shape_.first_id = 1;
    shape_.last_id = what.vertices - 1;
    simple_ = what.vertices != 0 && !what.weighs;
  }

  void parse(unsigned worker, const text_block& block) {
    sink_.begin_block(worker, block.index);
    batched_edges batch{sink_, worker};
    weight_rule::tally weighed;
    std::exception_ptr bad;
    try {
      parse_lines(block.text, simple_ ? &shape_ : nullptr, batch,
                  [&](std::string_view& text) { careful(block, cut_line(text), batch, weighed); });
      batch.flush();
    } catch (...) {
      bad = std::current_exception();  // rethrown below, unless this or an earlier block has an edge too many, which is reported first
    }
    rule_.add(weighed);
    const std::uint64_t entries = batch.total() + weighed.light + weighed.missing;
    order_.in_turn(block.index, [&] {
      if (what_.entries && entries > *what_.entries - entries_) refuse_extra(block, *what_.entries - entries_);
      entries_ += entries;
    });
    if (bad) std::rethrow_exception(bad);
  }

  void run(unsigned threads) {
    const auto parse_block = [&](unsigned worker, const text_block& block) { or_fail(order_, block.index, [&] { parse(worker, block); }); };
    on_blocks<text_block>(source_, threads, parse_block, &sink_);
    if (what_.entries && entries_ < *what_.entries) {
      throw input_error::at(source_.name(), source_.last_line(),
                            "the end of the file after " + std::to_string(entries_) + " " + std::string{what_.entries_word},
                            "the " + std::to_string(*what_.entries) + " declared");
    }
    rule_.tell(source_.name());
  }

private:
  void careful(const text_block& block, std::string_view line, batched_edges& batch, weight_rule::tally& weighed) const {
    if (what_.is_passed_over(source_, block, line)) return;
    std::string_view rest = line;
    std::string_view word = cut_word(rest);
    if (what_.arc_letter && (word == "a" || word == "e")) word = cut_word(rest);
    const std::uint64_t u = index(block, line, word);
    const std::uint64_t v = index(block, line, cut_word(rest));
    double weight = 0;
    if (what_.has_value || what_.weighs) {
      word = cut_word(rest);
      if (word.empty()) refuse(source_, block, line.data(), "the end of the line", "a value as third column");
      if (what_.weighs) {
        const judged_weight found = rule_.judge(word);
        if (found.verdict == weight_verdict::not_a_number) refuse(source_, block, line.data(), quoted(word), "a number as value");
        if (!weighed.count(found)) return batch.left_out();
        weight = found.weight;
      }
    }
    if (what_.has_no_value && !(word = cut_word(rest)).empty()) {
      refuse(source_, block, line.data(), "the weight " + quoted(word), "none, as in the edges before, or a weight for each");
    }
    batch.push(u, v, weight);
  }

  std::uint64_t index(const text_block& block, std::string_view line, std::string_view word) const {
    const auto value = integer(word);
    if (value && *value != 0 && *value <= what_.vertices) return *value - 1;
    const std::string found = word.empty() ? "the end of the line"
                              : value      ? "the vertex " + std::to_string(*value)
                                           : describe_not_integer(word);
    refuse(source_, block, line.data(), found, "a vertex from 1 to " + std::to_string(what_.vertices));
  }

  [[noreturn]] void refuse_extra(const text_block& block, std::uint64_t allowed) const {
    std::string_view rest = block.text;
    std::string_view line;
    for (std::uint64_t seen = 0; seen <= allowed;) {
      line = cut_line(rest);
      if (!what_.is_passed_over(source_, block, line)) ++seen;
    }
    refuse(source_, block, line.data(), std::string{what_.entry} + " " + std::to_string(*what_.entries + 1),
           "the end of the file after the " + std::to_string(*what_.entries) + " declared");
  }

  text_source& source_;
  const counted_lines& what_;
  edge_sink& sink_;
  line_shape shape_;
  weight_rule rule_;
  bool simple_ = true;
  file_order order_;
  std::uint64_t entries_ = 0;  // number of edges in the blocks before the one whose turn it is
};

}  // namespace

void parse_counted_lines(text_source& source, const counted_lines& what, const read_request& options, edge_sink& sink) {
  refuse_unlikely_vertices(source.name(), what.head_line, what.vertices, source.text_bytes(), options);
  const unsigned threads = usable_threads(options.threads);
  sink.begin({.vertices = what.vertices, .first_id = 1, .edges = what.entries, .workers = threads, .named = false});
  counted_parser{source, what, options, sink}.run(threads);
  sink.finish();
}

void refuse_unlikely_vertices(std::string_view file, std::uint64_t line, std::uint64_t vertices, std::uint64_t bytes,
                              const read_request& options) {
  constexpr std::uint64_t always_fine = std::uint64_t{1} << 26;  // up to this many vertices are always accepted: labels take 256 MiB
  constexpr std::uint64_t per_byte = 16;
  if (options.trust_head || vertices <= always_fine) return;
  if (bytes == UINT64_MAX) {
    if (vertices > 4 * always_fine && options.observer != nullptr) {
      options.observer->note(std::string{file} + ": its head declares " + std::to_string(vertices) + " vertices: their labels alone take " +
                             std::to_string(vertices / (std::uint64_t{1} << (vertices >> 32 == 0 ? 28 : 27))) + " GiB");
    }
    return;
  }
  if (vertices / per_byte <= bytes) return;
  throw input_error::at(file, line, std::to_string(vertices) + " vertices declared in a file of " + std::to_string(bytes) + " bytes",
                        "at most " + std::to_string(std::max(always_fine, per_byte * bytes)) +
                            " in so short a file (the option memory LIMIT says that there is room for more)");
}

}  // namespace copse::io
