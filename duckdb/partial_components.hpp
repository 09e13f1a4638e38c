// What an aggregate of SQL knows of the pairs of its rows: the pairs themselves while they are few, their components once they are many.
#pragma once
#include <copse/components.hpp>
#include <copse/components_sink.hpp>
#include <copse/labels.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::duckdb {

/// Pairs of integers. `Id` is std::int64_t or std::uint64_t.
template <class Id>
class integer_pairs {
public:
  using id = Id;

  void add(Id left, Id right) { pairs_.push_back({static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(right)}); }
  void append(const integer_pairs& others) { pairs_.insert(pairs_.end(), others.pairs_.begin(), others.pairs_.end()); }
  [[nodiscard]] std::size_t bytes() const noexcept { return pairs_.size() * sizeof(edge<std::uint64_t>); }
  /// Calls take(left, right) for every pair.
  template <class Take>
  void for_each(Take take) const {
    for (const auto& [left, right] : pairs_) take(static_cast<Id>(left), static_cast<Id>(right));
  }
  void pass_to(components_sink& sink, unsigned worker) const { sink.add_by(worker, {std::span{pairs_}, std::signed_integral<Id>}); }
  [[nodiscard]] static Id name(const vertex_names& names, std::uint64_t vertex) { return static_cast<Id>(names.integer(vertex)); }

private:
  std::vector<edge<std::uint64_t>> pairs_;
};

/// Pairs of strings of any bytes, which are copied.
class string_pairs {
public:
  using id = std::string_view;

  void add(std::string_view left, std::string_view right) {
    bytes_.insert(bytes_.end(), left.begin(), left.end());
    ends_.push_back(bytes_.size());
    bytes_.insert(bytes_.end(), right.begin(), right.end());
    ends_.push_back(bytes_.size());
  }
  void append(const string_pairs& others) {
    const std::size_t before = bytes_.size();
    bytes_.insert(bytes_.end(), others.bytes_.begin(), others.bytes_.end());
    for (const std::size_t end : others.ends_) ends_.push_back(before + end);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size() + ends_.size() * sizeof ends_[0]; }
  template <class Take>
  void for_each(Take take) const {
    std::size_t begin = 0;
    const auto next = [&](std::size_t end) {
      const std::string_view text{bytes_.data() + begin, end - begin};
      begin = end;
      return text;
    };
    for (std::size_t i = 0; i < ends_.size(); i += 2) {
      const std::string_view left = next(ends_[i]);
      take(left, next(ends_[i + 1]));
    }
  }
  void pass_to(components_sink& sink, unsigned worker) const {
    std::vector<io::named_edge> edges;
    edges.reserve(ends_.size() / 2);
    for_each([&edges](std::string_view left, std::string_view right) { edges.push_back({left, right}); });
    sink.add_by(worker, std::span<const io::named_edge>{edges});
  }
  [[nodiscard]] static std::string_view name(const vertex_names& names, std::uint64_t vertex) { return names.string(vertex); }

private:
  std::vector<char> bytes_;
  std::vector<std::size_t> ends_;  ///< where each string ends, left and right in turn
};

/// Calls take(id, label) for every vertex of an answer, in ascending order.
template <class Pairs, class Take>
void for_each_vertex(const labelling& labels, Take take) {
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (labels.present(v)) take(Pairs::name(labels.names(), v), Pairs::name(labels.names(), labels.label(v)));
  }
}

/// Pairs are held in blocks, so that two states are combined by sharing what is full, and the one that is read stays as it is: DuckDB
/// combines a state several times in window functions. A state that has become large replaces its pairs by one per vertex, so its memory is
/// O(vertices), however many rows come; it grows four times before it does so again, which keeps the work in proportion to the rows.
template <class Pairs>
class partial_components {
public:
  using id = typename Pairs::id;

  void add(id left, id right) {
    put(left, right);
    if (bytes() >= reduced_at_) reduce();
  }

  void combine(const partial_components& other) {
    full_.insert(full_.end(), other.full_.begin(), other.full_.end());
    full_bytes_ += other.full_bytes_;
    last_.append(other.last_);
    close_if_full();
  }

  /// True if a hash table would cost more than sorting the ids does.
  [[nodiscard]] bool is_small() const noexcept { return bytes() < (std::size_t{1} << 14); }
  /// Calls take(left, right) for every pair of a small state.
  template <class Take>
  void for_each_pair(Take take) const {
    last_.for_each(take);
  }

  [[nodiscard]] labelling solve(unsigned threads) const {
    components_sink sink{{}, {.threads = full_.empty() ? 1 : threads}};
    std::atomic<std::size_t> next{0};
    const auto work = [&](unsigned worker) {
      for (std::size_t i = next++; i <= full_.size(); i = next++) (i < full_.size() ? *full_[i] : last_).pass_to(sink, worker);
    };
    if (full_.empty()) {
      work(0);
    } else {
      sink.on_workers(work);
    }
    return sink.finish().labels;
  }

private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;
  static constexpr std::size_t smallest_to_reduce = std::size_t{128} << 20;

  [[nodiscard]] std::size_t bytes() const noexcept { return full_bytes_ + last_.bytes(); }

  void put(id left, id right) {
    last_.add(left, right);
    close_if_full();
  }
  void close_if_full() {
    if (last_.bytes() < block_bytes) return;
    full_.push_back(std::make_shared<const Pairs>(std::move(last_)));
    full_bytes_ += full_.back()->bytes();
    last_ = {};
  }
  void reduce() {
    const labelling labels = solve(1);
    *this = {};
    for_each_vertex<Pairs>(labels, [this](id vertex, id label) { put(vertex, label); });
    reduced_at_ = std::max(smallest_to_reduce, 4 * bytes());
  }

  std::vector<std::shared_ptr<const Pairs>> full_;
  std::size_t full_bytes_ = 0;
  Pairs last_;
  std::size_t reduced_at_ = smallest_to_reduce;
};

/// The answers of many small states, as an aggregate has that is grouped by a key: their pairs become one graph, in which every state has
/// vertices of its own, numbered in ascending order of their ids.
template <class Pairs>
class small_answers {
public:
  using id = typename Pairs::id;
  using state = partial_components<Pairs>;

  /// The states must outlive this object, which borrows their strings. A null pointer is a state without rows.
  explicit small_answers(const std::vector<const state*>& states) {
    std::vector<edge<std::uint32_t>> edges;
    for (const state* const one : states) {
      begins_.push_back(ids_.size());
      if (one != nullptr) number(*one, edges);
    }
    begins_.push_back(ids_.size());
    labels_.resize(ids_.size());
    const coo_view<std::uint32_t> graph{static_cast<std::uint32_t>(ids_.size()), edges, true};
    components(graph, std::span{labels_}, {}, {.threads = 1});
  }

  [[nodiscard]] std::uint64_t vertices(std::size_t state_number) const noexcept {
    return begins_[state_number + 1] - begins_[state_number];
  }
  template <class Take>
  void for_each_vertex(std::size_t state_number, Take take) const {
    for (std::size_t v = begins_[state_number]; v < begins_[state_number + 1]; ++v) take(ids_[v], ids_[labels_[v]]);
  }

private:
  void number(const state& one, std::vector<edge<std::uint32_t>>& edges) {
    const auto begin = static_cast<std::ptrdiff_t>(ids_.size());
    one.for_each_pair([this](id left, id right) { ids_.insert(ids_.end(), {left, right}); });
    std::sort(ids_.begin() + begin, ids_.end());
    ids_.erase(std::unique(ids_.begin() + begin, ids_.end()), ids_.end());
    const auto vertex = [&](id name) {
      return static_cast<std::uint32_t>(std::lower_bound(ids_.begin() + begin, ids_.end(), name) - ids_.begin());
    };
    one.for_each_pair([&](id left, id right) { edges.push_back({vertex(left), vertex(right)}); });
  }

  std::vector<id> ids_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> labels_;
};

}  // namespace copse::duckdb
