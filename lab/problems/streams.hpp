// Streams of inserts and queries in batches, for the CPU and for a GPU.
#pragma once
#include <algorithm>
#include <cmath>
#include <copse/operations.hpp>

#include "inputs.hpp"
#include "kit.hpp"

namespace copse::lab {

inline std::string batch_name(std::size_t batch, std::size_t all) { return batch >= all ? "all" : std::to_string(batch); }

/// The sizes that are asked for and smaller than the stream, and its own for `all`.
inline std::vector<std::size_t> batch_sizes(const arguments& asked, std::size_t all) {
  std::vector<std::size_t> sizes;
  for (const std::string& word : asked.words("batches")) {
    const std::size_t size = word == "all" ? all : std::stoull(word);
    if (word == "all" || size < all) sizes.push_back(size);
  }
  return sizes;
}

template <class Pairs, class Insert>
void in_batches(Pairs all, std::size_t batch, Insert insert) {
  for (std::size_t at = 0; at < all.size(); at += batch) insert(all.subspan(at, std::min(batch, all.size() - at)));
}

inline std::vector<reading> insert_and_rate(double seconds, std::size_t operations) {
  return {milliseconds("insert", seconds), {"rate", "M operations/s", 1e-6 * static_cast<double>(operations) / seconds}};
}

/// The inserts of a stream, shuffled with `queries_per_insert` queries of random pairs for each; at most 2^26 operations.
struct mixed_stream {
  std::size_t queries_per_insert, batch;
  std::vector<edge<std::uint32_t>> pairs;
  std::vector<operation> kinds;
  bool whole;  ///< all edges of the stream are in it

  [[nodiscard]] series_setting setting(mixing how) const {
    return {{"batch", std::to_string(batch)},
            {"queries_per_insert", std::to_string(queries_per_insert)},
            {"mixing", how == mixing::phased ? "phased" : "concurrent"}};
  }
};

class mixed_streams {
public:
  mixed_streams(const edge_stream& stream, const arguments& asked) {
    for (const std::string& queries : asked.words("queries")) add(stream, std::stoull(queries), asked.number("mixed-batch"));
  }
  [[nodiscard]] const std::vector<mixed_stream>& all() const noexcept { return all_; }

private:
  void add(const edge_stream& stream, std::size_t queries, std::size_t batch) {
    const std::size_t inserts = std::min(stream.list.size(), (std::size_t{1} << 26) / (1 + queries)), total = inserts * (1 + queries);
    mixed_stream mixed{queries, batch, std::vector<edge<std::uint32_t>>(total), std::vector<operation>(total),
                       inserts == stream.list.size()};
    const auto asked_about = random_pairs(stream.vertices, total - inserts);
    const permutation place{total, random_stream{7, 4}};
    for (std::size_t i = 0; i < total; ++i) {
      const std::size_t at = place(i);
      mixed.kinds[at] = i < inserts ? operation::insert : operation::query;
      mixed.pairs[at] = i < inserts ? stream.list[i] : asked_about[i - inserts];
    }
    all_.push_back(std::move(mixed));
  }

  std::vector<mixed_stream> all_;
};

}  // namespace copse::lab
