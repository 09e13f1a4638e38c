// Inserts and queries by position, from a batch of a stream or from ids in the memory of a caller. Each type says whether ids are strings
// (`named`), which records are inserts, and where a record stands. Functions turn integer ids into edges of an array.
#pragma once
#include <api/id_batches.hpp>
#include <copse/errors.hpp>
#include <copse/operations.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace copse::api {

template <bool Named>
struct operation_records {
  static constexpr bool named = Named;

  const io::operation_batch* batch;
  std::uint64_t first_record;

  [[nodiscard]] std::size_t size() const noexcept { return batch->size(); }
  [[nodiscard]] bool is_query(std::size_t i) const noexcept { return batch->kinds()[i] == operation::query; }
  [[nodiscard]] bool has_queries() const noexcept { return batch->queries() != 0; }
  [[nodiscard]] auto operator[](std::size_t i) const noexcept {
    if constexpr (Named) {
      return batch->names(i);
    } else {
      return batch->pairs()[i];
    }
  }
  [[nodiscard]] bool any_negative() const noexcept { return batch->any_negative(); }
  [[nodiscard]] static std::string call() { return "stream"; }
  [[nodiscard]] std::string place(std::size_t i, bool /*second*/) const { return "stream: record " + std::to_string(first_record + i); }
};

/// A view of a batch of which all records are inserts, or all are queries.
template <class Batch, bool Queries>
struct uniform_records {
  static constexpr bool named = std::same_as<typename Batch::id, std::string_view>;

  Batch batch;

  [[nodiscard]] std::size_t size() const noexcept { return batch.size(); }
  [[nodiscard]] static bool is_query(std::size_t /*i*/) noexcept { return Queries; }
  [[nodiscard]] static bool has_queries() noexcept { return Queries; }
  [[nodiscard]] auto operator[](std::size_t i) const { return batch[i]; }
  [[nodiscard]] static bool any_negative() noexcept { return Batch::is_signed; }
  [[nodiscard]] static std::string call() { return Queries ? "connected" : "insert"; }
  [[nodiscard]] std::string place(std::size_t i, bool second) const { return call() + ": " + Batch::place(i, second); }
};

template <class Batch>
struct mixed_records {
  static constexpr bool named = std::same_as<typename Batch::id, std::string_view>;

  Batch batch;
  std::span<const operation> kinds;

  [[nodiscard]] std::size_t size() const noexcept { return batch.size(); }
  [[nodiscard]] bool is_query(std::size_t i) const noexcept { return kinds[i] == operation::query; }
  [[nodiscard]] bool has_queries() const { return std::ranges::find(kinds, operation::query) != kinds.end(); }
  [[nodiscard]] auto operator[](std::size_t i) const { return batch[i]; }
  [[nodiscard]] static bool any_negative() noexcept { return Batch::is_signed; }
  [[nodiscard]] static std::string call() { return "apply"; }
  [[nodiscard]] std::string place(std::size_t i, bool second) const { return call() + ": " + Batch::place(i, second); }
};

constexpr std::size_t records_per_block = std::size_t{1} << 15;  // for loops that do little work per record

/// Returns the length of an array that is indexed by ids up to `largest`. For the id 2^64 - 1 the length would not fit, so 2^64 - 1 is
/// returned.
constexpr std::uint64_t slots_up_to(std::uint64_t largest) noexcept { return largest == UINT64_MAX ? largest : largest + 1; }

struct id_spread {
  std::uint64_t slots = 0;  ///< length of an array indexed by the inserted ids: the largest one plus one
  std::uint64_t inserts = 0;

  [[nodiscard]] bool has_sign_bit() const noexcept { return slots != 0 && copse::has_sign_bit(slots - 1); }
};

/// Calls of(begin, end) for blocks of records, on all threads, and returns the 64-bit results of these calls combined by the operation
/// Join.
template <class Join, class WordOf>
std::uint64_t joined_of_blocks(std::size_t records, unsigned threads, WordOf of) {
  std::atomic<std::uint64_t> joined{0};
  parallel_blocks(threads, records, records_per_block, [&](std::size_t begin, std::size_t end) {
    const std::uint64_t found = of(begin, end);
    std::uint64_t seen = joined.load(std::memory_order_relaxed);
    while (!joined.compare_exchange_weak(seen, Join{}(seen, found), std::memory_order_relaxed)) {
    }
  });
  return joined.load();
}

struct larger_of {
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const noexcept { return std::max(a, b); }
};

/// Returns the largest id (plus one) and the number of integer edges, all of which are inserts. Calls also(begin, end) for each block after
/// it was read.
template <class Batch, class Also>
id_spread spread_of(const Batch& edges, unsigned threads, Also also) {
  if (edges.size() == 0) return {};
  const std::uint64_t largest = joined_of_blocks<larger_of>(edges.size(), threads, [&](std::size_t begin, std::size_t end) {
    std::uint64_t most = 0;
    for (std::size_t i = begin; i < end; ++i) most = std::max(most, std::max(edges[i].u, edges[i].v));
    also(begin, end);
    return most;
  });
  return {slots_up_to(largest), edges.size()};
}

/// Returns the largest inserted id (plus one) and the number of inserts among integer records, some of which may be queries.
template <class Records>
id_spread spread_of(const Records& records, unsigned threads) {
  std::atomic<std::uint64_t> inserts{0};
  const std::uint64_t slots = joined_of_blocks<larger_of>(records.size(), threads, [&](std::size_t begin, std::size_t end) {
    id_spread found;
    for (std::size_t i = begin; i < end; ++i) {
      if (records.is_query(i)) continue;
      const auto [u, v] = records[i];
      found.slots = std::max(found.slots, slots_up_to(std::max(u, v)));
      ++found.inserts;
    }
    inserts.fetch_add(found.inserts, std::memory_order_relaxed);
    return found.slots;
  });
  return {slots, inserts.load()};
}

// Pairs that take the place of queries whose answer is known: `itself` if both ends are equal, and so connected; `apart` if an end is an id
// that cannot exist, and so not connected.
template <class Id>
constexpr edge<Id> itself{0, 0};
template <class Id>
constexpr edge<Id> apart{no_vertex<Id>, 0};

/// Writes the pairs of integer records to `to`, converted to type Id, which indexes the array of parents. Throws input_error for an insert
/// with an id that is negative or too large.
template <class Id, class Records>
void number_integers(const Records& records, unsigned threads, std::span<edge<Id>> to) {
  const std::uint64_t limit = records.any_negative() ? std::min<std::uint64_t>(no_vertex<Id>, std::uint64_t{INT64_MAX} + 1) : no_vertex<Id>;
  std::atomic<std::size_t> first_wrong{records.size()};
  parallel_blocks(threads, records.size(), records_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [u, v] = records[i];
      const bool query = records.is_query(i), too_large = std::max(u, v) >= limit;
      if (!query && too_large) {
        std::size_t seen = first_wrong.load(std::memory_order_relaxed);
        while (i < seen && !first_wrong.compare_exchange_weak(seen, i, std::memory_order_relaxed)) {
        }
        return;
      }
      to[i] = query && u == v ? itself<Id> : query && too_large ? apart<Id> : edge<Id>{static_cast<Id>(u), static_cast<Id>(v)};
    }
  });
  const std::size_t wrong = first_wrong.load();
  if (wrong == records.size()) return;
  const auto [u, v] = records[wrong];
  throw input_error{records.place(wrong, v > u) + ": found the id " + id_text(std::max(u, v), records.any_negative()) +
                    ", expected ids from 0 to " + std::to_string(no_vertex<Id> - 1) + " (use sparse ids for others)"};
}

/// Calls f(first, part) for parts of `step` pairs of a batch, so that a part is in the caches when it is read again.
template <class Batch, class F>
void in_parts(const Batch& batch, std::size_t step, F f) {
  for (std::size_t first = 0; first < batch.size(); first += step) {
    const std::size_t count = std::min(step, batch.size() - first);
    f(first, batch.part(first, count));
    if (count < step) return;  // the last part: `first + step` would wrap if step is very large
  }
}

}  // namespace copse::api
