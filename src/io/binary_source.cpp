#include "io/binary_source.hpp"

#include "core/parallel.hpp"
#include "io/declared_sizes.hpp"

#include <copse/build.hpp>

#include <algorithm>
#include <mutex>

namespace copse::io {
namespace {

constexpr std::size_t items_per_block = std::size_t{1} << 16;

/// Copies items [begin, end) and returns the position of the first one that `good` rejects, or `end`.
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

/// Copies the whole array in parallel, and returns the position of the first item that `good` rejects, or the size. Blocks are handed out
/// in ascending order, so every item before a rejected one is checked.
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

void refuse_min_weight(std::string_view file, const read_options& options, std::string_view found) {
  if (options.min_weight) throw input_error::at(file, 0, found, "a weight for every edge, because a least weight was asked for");
}

}  // namespace copse::io
