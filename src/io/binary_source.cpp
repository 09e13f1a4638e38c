#include "io/binary_source.hpp"

#include "core/parallel.hpp"
#include "core/team.hpp"
#include "io/declared_sizes.hpp"
#include "io/edge_sinks.hpp"
#include "io/id_records.hpp"

#include <copse/build.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <type_traits>

namespace copse::io {
namespace {

constexpr std::size_t items_per_block = std::size_t{1} << 16;

/// Copies [begin, end) and returns the position of the first item that `good` refuses, or `end`.
template <class To, class Good>
std::uint64_t copy_checked(const packed_integers& from, std::span<To> to, std::uint64_t begin, std::uint64_t end, Good good) {
  return from.with_type([&]<class From>(From) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto value = static_cast<std::uint64_t>(load<From>(from.bytes.data() + i * sizeof(From)));
      if (!good(i, value)) return i;
      to[i] = static_cast<To>(value);
    }
    return end;
  });
}

/// The whole array in parallel; the position of the first bad item in file order, or the size. Blocks are handed out in ascending order, so
/// all before a bad one are looked at.
template <class To, class Good>
std::uint64_t copy_all(const packed_integers& from, std::span<To> to, const read_request& options, Good good) {
  std::uint64_t first_bad = from.size();
  std::mutex guard;
  parallel_blocks(usable_threads(options.threads), from.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    if (options.observer != nullptr && options.observer->cancel_requested()) throw cancelled{};
    const std::uint64_t stop = copy_checked(from, to, begin, end, good);
    if (stop == end) return;
    const std::lock_guard lock{guard};
    first_bad = std::min(first_bad, stop);
  });
  return first_bad;
}

std::uint64_t value_at(const packed_integers& from, std::uint64_t i) {
  return from.with_type([&]<class T>(T) { return static_cast<std::uint64_t>(load<T>(from.bytes.data() + i * sizeof(T))); });
}

template <unsigned_index Id, unsigned_index Offset>
void drop(csr<Id, Offset>& rows, const read_request& options, const arc_filter& keep) {
  std::uint64_t kept = 0;
  for (std::uint64_t i = 0; i < rows.targets.size(); ++i) kept += keep(i) ? 1 : 0;
  buffer<Id> targets{kept, options.memory};
  std::uint64_t to = 0;
  std::uint64_t from = 0;
  for (std::uint64_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    for (; from < rows.offsets[v + 1]; ++from) {
      if (keep(from)) targets[to++] = rows.targets[from];
    }
    rows.offsets[v + 1] = static_cast<Offset>(to);
  }
  rows.targets = std::move(targets);
}

template <unsigned_index Id, unsigned_index Offset>
graph rows_as(const packed_integers& offsets, const packed_integers& targets, const read_request& options, const arc_filter& keep) {
  const std::uint64_t n = offsets.size() - 1;
  const std::uint64_t m = targets.size();
  csr<Id, Offset> rows;
  rows.offsets = buffer<Offset>{n + 1, options.memory};
  const std::uint64_t bad_offset = copy_all(offsets, rows.offsets.span(), options, [&](std::uint64_t i, std::uint64_t value) {
    return value <= m && (i == 0 ? value == 0 : value >= value_at(offsets, i - 1)) && (i < n || value == m);
  });
  if (bad_offset <= n) refuse_offset(offsets, bad_offset, m);
  rows.targets = buffer<Id>{m, options.memory};
  const std::uint64_t bad_target = copy_all(targets, rows.targets.span(), options, [n](std::uint64_t, std::uint64_t v) { return v < n; });
  if (bad_target < m) refuse_target(targets, bad_target, n);
  if (keep) drop(rows, options, keep);
  const row_facts facts = inspect(rows.view(), options.on());
  rows.sorted = facts.sorted;
  rows.symmetric = facts.symmetric;
  return graph{std::move(rows)};
}

}  // namespace

void refuse_offset(const packed_integers& offsets, std::uint64_t at, std::uint64_t arcs) {
  const std::string before = at == 0 ? "0" : offsets.text(at - 1), all = std::to_string(arcs);
  offsets.refuse(at, "the offset",
                 at + 1 == offsets.size() ? all + ", the number of arcs, after " + before
                 : at == 0                ? "0, the first offset"
                                          : "one from " + before + " (the offset before it) to " + all + " (the number of arcs)");
}

void refuse_target(const packed_integers& targets, std::uint64_t at, std::uint64_t vertices) {
  targets.refuse(at, "the target", "a vertex below " + std::to_string(vertices));
}

graph rows_of(const packed_integers& offsets, const packed_integers& targets, const read_request& options, const arc_filter& keep) {
  return with_narrowest(offsets.size() - 1, targets.size(), [&]<unsigned_index Id, unsigned_index Offset>(Id, Offset) {
    return rows_as<Id, Offset>(offsets, targets, options, keep);
  });
}

void refuse_min_weight(std::string_view file, const read_options& options) {
  if (options.min_weight) throw input_error::at(file, 0, "no weights", "a weight for every edge, because a least weight was asked for");
}

namespace {

constexpr std::uint64_t pairs_per_batch = 1024;

/// How many ids there may be, from the first one on: negative ones of a signed type are above, and all ones of 64 bits are no vertex.
template <class T>
std::uint64_t id_limit(const read_options& options) {
  if (options.vertices) return *options.vertices;
  return std::is_signed_v<T> ? std::uint64_t{1} << 63 : UINT64_MAX;
}

template <class T>
class passing {
public:
  passing(const packed_pairs& pairs, const read_request& options, edge_sink& sink)
      : pairs_{pairs},
        options_{options},
        sink_{sink},
        limit_{id_limit<T>(options)},
        first_id_{options.first_vertex},
        any_{!options.vertices && !std::is_signed_v<T> && sizeof(T) < 8} {
    const bool side_by_side = sizeof(T) == 4 && pairs.first_v == 1 && pairs.stride == 2 && first_id_ == 0 &&
                              reinterpret_cast<std::uintptr_t>(pairs.all.bytes.data()) % alignof(edge<std::uint32_t>) == 0;
    if (any_ && side_by_side) narrow_ = dynamic_cast<narrow_sink*>(&sink);
  }

  void run() {
    const unsigned threads = usable_threads(options_.threads);
    const std::uint64_t block = std::max<std::uint64_t>(1, options_.block_bytes / (2 * sizeof(T)));
    sink_.begin(
        {.vertices = options_.vertices, .first_id = first_id_, .edges = pairs_.end - pairs_.begin, .workers = threads, .named = false});
    std::atomic<std::uint64_t> next{pairs_.begin};
    on_workers(threads, [&](unsigned worker) {
      try {
        for (;;) {
          const std::uint64_t begin = next.fetch_add(block, std::memory_order_relaxed);
          if (begin >= pairs_.end) break;
          if (options_.observer != nullptr && options_.observer->cancel_requested()) throw cancelled{};
          sink_.begin_block(worker, (begin - pairs_.begin) / block);
          if (!pass(worker, begin, std::min(pairs_.end, begin + block))) next.store(pairs_.end, std::memory_order_relaxed);
        }
      } catch (...) {
        next.store(pairs_.end, std::memory_order_relaxed);  // no worker starts another block
        throw;
      }
    });
    if (first_bad_ != UINT64_MAX) refuse(first_bad_);
    add_vertex_tables(options_, false, 1, sink_);
    sink_.finish();
  }

private:
  /// How far it is from the first id; an id before that has wrapped and is too large.
  [[nodiscard]] std::uint64_t id(std::uint64_t item) const noexcept {
    return static_cast<std::uint64_t>(load<T>(pairs_.all.bytes.data() + item * sizeof(T))) - first_id_;
  }
  [[nodiscard]] bool good(std::uint64_t value) const noexcept { return any_ || value < limit_; }

  /// False when an id of the block is bad; blocks before it have all been taken by some worker, so the first bad one is found.
  bool pass(unsigned worker, std::uint64_t begin, std::uint64_t end) {
    if (narrow_ != nullptr) {
      narrow_->narrow_edges(worker, {reinterpret_cast<const edge<std::uint32_t>*>(pairs_.all.bytes.data()) + begin, end - begin});
      return true;
    }
    std::array<edge<std::uint64_t>, pairs_per_batch> batch;
    while (begin < end) {
      const std::uint64_t stop = std::min(end, begin + pairs_per_batch);
      std::size_t size = 0;
      for (std::uint64_t i = begin; i < stop; ++i) {
        const edge<std::uint64_t> pair{id(i * pairs_.stride), id(pairs_.first_v + i * pairs_.stride)};
        if (!good(pair.u) || !good(pair.v)) {
          const std::lock_guard lock{guard_};
          first_bad_ = std::min(first_bad_, i);
          return false;
        }
        batch[size++] = pair;
      }
      sink_.edges(worker, {batch.data(), size});
      begin = stop;
    }
    return true;
  }

  [[noreturn]] void refuse(std::uint64_t pair) const {
    const std::uint64_t u = pair * pairs_.stride;
    const std::uint64_t item = good(id(u)) ? pairs_.first_v + u : u;
    if (!options_.vertices)
      pairs_.all.refuse(item, "the id", std::is_signed_v<T> ? "an id of 0 or more" : "a smaller one: this stands for no vertex");
    pairs_.all.refuse(item, "the id",
                      first_id_ == 0 ? "a vertex below " + std::to_string(*options_.vertices)
                                     : "a vertex from " + std::to_string(first_id_) + " to " + std::to_string(first_id_ + limit_ - 1));
  }

  const packed_pairs& pairs_;
  const read_request& options_;
  edge_sink& sink_;
  std::uint64_t limit_;
  std::uint64_t first_id_;
  bool any_;                       // every value of an unsigned type is an id
  narrow_sink* narrow_ = nullptr;  // takes pairs as they lie in the file
  std::mutex guard_;
  std::uint64_t first_bad_ = UINT64_MAX;
};

}  // namespace

void pass_on(const packed_pairs& pairs, const read_request& options, edge_sink& sink) {
  refuse_min_weight(pairs.all.file, options);
  pairs.all.with_type([&]<class T>(T) { passing<T>{pairs, options, sink}.run(); });
}

}  // namespace copse::io
