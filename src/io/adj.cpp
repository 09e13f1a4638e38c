// Ligra and GBBS text: `AdjacencyGraph` (or `WeightedAdjacencyGraph`), then the numbers n, m, n offsets, m targets (and m weights), counted
// from zero, separated by any white space. Blocks of the text are parsed concurrently; then each block waits for its turn in file order,
// which tells the index of its first number.
#include "io/declared_sizes.hpp"
#include "io/fields.hpp"
#include "io/readers.hpp"
#include "io/text_source.hpp"
#include "io/weight_rule.hpp"
#include "io/weighted_rows.hpp"

#include <copse/build.hpp>

#include <vector>

namespace copse::io {
namespace {

constexpr bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

std::string_view cut_token(std::string_view& rest) {
  std::size_t first = 0;
  while (first < rest.size() && is_space(rest[first])) ++first;
  std::size_t last = first;
  while (last < rest.size() && !is_space(rest[last])) ++last;
  const std::string_view token = rest.substr(first, last - first);
  rest.remove_prefix(last);
  return token;
}

struct adj_head {
  bool weighted = false;
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
};

adj_head read_adj_head(text_source& source) {
  line_reader reader{source};
  std::string_view rest;
  const auto next = [&](std::string_view expected) {
    for (;;) {
      const std::string_view word = cut_word(rest);
      if (!word.empty()) return word;
      if (!reader.next(rest)) throw input_error::at(source.name(), source.last_line(), "the end of the file", expected);
    }
  };
  const auto number = [&](std::string_view expected) {
    const std::string_view word = next(expected);
    const auto value = integer(word);
    if (!value) refuse(source, reader.block(), word.data(), describe_not_integer(word), expected);
    return *value;
  };
  adj_head head;
  const std::string_view kind = next("AdjacencyGraph or WeightedAdjacencyGraph");
  head.weighted = kind == "WeightedAdjacencyGraph";
  if (!head.weighted && kind != "AdjacencyGraph") {
    refuse(source, reader.block(), kind.data(), quoted(kind), "AdjacencyGraph or WeightedAdjacencyGraph");
  }
  head.vertices = number("the number of vertices");
  head.arcs = number("the number of arcs");
  refuse_more_than_fits(source, source.line_of(reader.block(), rest.data()),
                        {.vertices = head.vertices, .entries = head.arcs, .entries_word = "arcs"}, 2);
  reader.leave(rest);
  return head;
}

template <unsigned_index Id, unsigned_index Offset>
class adj_builder {
public:
  /// `weights` receives the weights of the arcs, unless it is null.
  adj_builder(text_source& source, const adj_head& head, buffer<double>* weights, const read_request& options)
      : source_{source},
        head_{head},
        weights_{weights},
        rule_{options},
        rows_{rows_to_fill<Id, Offset>(head.vertices, head.arcs, options.memory)} {
    numbers_ = head.vertices + head.arcs;
    tokens_ = numbers_ + (head.weighted ? head.arcs : 0);
  }

  void take(const text_block& block, std::vector<std::uint64_t>& values) {
    values.clear();
    std::uint64_t count = 0;
    const char* bad = nullptr;  // the first token that is not an integer, which is an error unless it is a weight
    scan(block, values, count, bad);
    std::uint64_t first = 0;
    order_.in_turn(block.index, [&] {
      first = taken_;
      check(block, values, count, bad);
      taken_ += count;
    });
    const std::uint64_t offsets = first < head_.vertices ? std::min<std::uint64_t>(values.size(), head_.vertices - first) : 0;
    for (std::uint64_t i = 0; i < offsets; ++i) rows_.offsets[first + i] = static_cast<Offset>(values[i]);
    const std::uint64_t end = std::min<std::uint64_t>(values.size(), numbers_ > first ? numbers_ - first : 0);
    for (std::uint64_t i = offsets; i < end; ++i) rows_.targets[first + i - head_.vertices] = static_cast<Id>(values[i]);
    if (weights_ != nullptr && first + count > numbers_) take_weights(block, first);
  }

  /// Parses all blocks and returns the rows. Whether they are sorted and hold both directions of each edge is determined from the rows.
  csr<Id, Offset> build(unsigned threads) {
    std::vector<std::vector<std::uint64_t>> values(threads);
    on_blocks<text_block>(source_, threads, [&](unsigned worker, const text_block& block) {
      or_fail(order_, block.index, [&] { take(block, values[worker]); });
    });
    if (taken_ < tokens_) {
      throw input_error::at(source_.name(), source_.last_line(), "the end of the file after " + std::to_string(taken_) + " numbers",
                            std::to_string(tokens_) + " behind the numbers of vertices and arcs");
    }
    const row_facts facts = inspect(rows_.view(), {.threads = threads});
    rows_.sorted = facts.sorted;
    rows_.symmetric = facts.symmetric;
    return std::move(rows_);
  }

private:
  static void scan(const text_block& block, std::vector<std::uint64_t>& values, std::uint64_t& count, const char*& bad) {
    const char* at = block.text.data();
    const char* const end = at + block.text.size();
    for (;;) {
      while (at != end && is_space(*at)) ++at;
      if (at == end) return;
      const char* const token = at;
      std::uint64_t value = 0;
      while (at != end && is_digit(*at) && at - token < 19) value = 10 * value + static_cast<std::uint64_t>(*at++ - '0');
      ++count;
      if (at != end && !is_space(*at)) {
        if (bad == nullptr) bad = token;
        while (at != end && !is_space(*at)) ++at;
      }
      if (bad == nullptr) values.push_back(value);
    }
  }

  // Throws the error of the first bad offset or target in this block, if there is one. `bad` is its first token that is not an integer
  // (or null), `values` are the integers before that, and `count` is its number of tokens. To be called for the blocks in file order.
  void check(const text_block& block, const std::vector<std::uint64_t>& values, std::uint64_t count, const char* bad) {
    for (std::uint64_t i = 0; i < values.size() && taken_ + i < numbers_; ++i) {
      if (taken_ + i < head_.vertices) {
        if (values[i] < last_offset_ || values[i] > head_.arcs || (taken_ + i == 0 && values[i] != 0)) {
          const std::uint64_t most = taken_ + i == 0 ? 0 : head_.arcs;
          refuse(source_, block, token_at(block, i), "the offset " + std::to_string(values[i]),
                 "one from " + std::to_string(last_offset_) + " to " + std::to_string(most));
        }
        last_offset_ = values[i];
      } else if (values[i] >= head_.vertices) {
        refuse(source_, block, token_at(block, i), "the target " + std::to_string(values[i]),
               "a vertex below " + std::to_string(head_.vertices));
      }
    }
    if (bad != nullptr && taken_ + values.size() < numbers_) {
      std::string_view rest{bad, static_cast<std::size_t>(block.text.data() + block.text.size() - bad)};
      refuse(source_, block, bad, describe_not_integer(cut_token(rest)), "an offset or a target");
    }
    if (count > tokens_ - taken_) {
      refuse(source_, block, token_at(block, tokens_ - taken_), "more numbers",
             "the end of the file after " + std::to_string(tokens_) + " behind the numbers of vertices and arcs");
    }
  }

  /// `first` is the index in the file of the first number in the block.
  void take_weights(const text_block& block, std::uint64_t first) {
    std::string_view rest = block.text;
    std::string_view token = cut_token(rest);
    for (std::uint64_t i = first; !token.empty(); ++i, token = cut_token(rest)) {
      if (i < numbers_) continue;
      const judged_weight found = rule_.judge(token);
      if (found.verdict == weight_verdict::not_a_number) refuse(source_, block, token.data(), quoted(token), "a number as weight");
      (*weights_)[i - numbers_] = weight_in_rows(found);
    }
  }

  static const char* token_at(const text_block& block, std::uint64_t index) {
    std::string_view rest = block.text;
    std::string_view token = cut_token(rest);
    for (; index > 0; --index) token = cut_token(rest);
    return token.data();
  }

  text_source& source_;
  const adj_head& head_;
  buffer<double>* weights_;
  const weight_rule rule_;
  csr<Id, Offset> rows_;
  file_order order_;
  std::uint64_t numbers_ = 0;  // number of offsets and targets
  std::uint64_t tokens_ = 0;   // number of offsets, targets and weights
  std::uint64_t taken_ = 0;
  std::uint64_t last_offset_ = 0;
};

graph read_all_rows(text_source& source, const adj_head& head, const read_request& options, buffer<double>* weights) {
  const unsigned threads = usable_threads(options.threads);
  const auto build = [&]<unsigned_index Id, unsigned_index Offset>(Id, Offset) {
    return graph{adj_builder<Id, Offset>{source, head, weights, options}.build(threads)};
  };
  return with_narrowest(head.vertices, head.arcs, build);
}

weighted_rows rows_with_weights(const std::filesystem::path& path, const read_request& options, weights_are asked) {
  text_source source{path, options};
  const adj_head head = read_adj_head(source);
  if (!head.weighted && asked == weights_are::welcome) return {read_all_rows(source, head, options, nullptr), {}, false};
  if (!head.weighted && head.arcs != 0)
    throw input_error::at(source.name(), 1, "AdjacencyGraph, without weights", "WeightedAdjacencyGraph");
  weighted_rows all{{}, buffer<double>{static_cast<std::size_t>(head.arcs), options.memory}};
  all.rows = read_all_rows(source, head, options, &all.weights);
  return all;
}

}  // namespace

graph read_adj(const std::filesystem::path& path, const read_request& options) {
  if (options.min_weight) return heavy_arcs(rows_with_weights(path, options, weights_are::needed), path.string(), options);
  text_source source{path, options};
  const adj_head head = read_adj_head(source);
  return read_all_rows(source, head, options, nullptr);
}

weighted_graph read_weighted_adj(const std::filesystem::path& path, const read_request& options) {
  return weighted_list(rows_with_weights(path, options, weights_are::needed), path.string(), options);
}

perhaps_weighted_graph read_any_adj(const std::filesystem::path& path, const read_request& options) {
  return read_any_rows(path, options, rows_with_weights);
}

}  // namespace copse::io
