// The map from sparse integers or strings to numbers, in the order of their arrival, for any number of concurrent workers. (Ids that are
// declared or dense are their own numbers.) See docs/decisions/one_id_map.md. Cost: each id is hashed, and each shard is locked once per
// piece of up to piece_keys ids. Memory: 16 to 24 bytes per integer; 15 to 27 bytes per string, and its own bytes.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <ids/arrival_numbers.hpp>
#include <ids/integer_order.hpp>
#include <ids/string_order.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::ids {

/// A map from ids to numbers; `Id` is std::uint64_t or std::string_view.
template <class Id>
class id_map {
public:
  static constexpr bool of_strings = std::same_as<Id, std::string_view>;

  id_map(unsigned workers, std::pmr::memory_resource* memory) : memory_{memory}, workers_(workers), table_{memory} {}

  /// The array for the ids of a worker's next call, with room for piece_keys ids. Strings must be valid during the call only.
  [[nodiscard]] std::span<Id> room(unsigned worker) { return piece_of(worker).keys; }

  /// Returns the numbers of the first `count` ids in room(worker), where the caller has put them; the result is valid until the worker's
  /// next call. New ids get a number, and on_new(number) is called for each of them. `shared` must be true if other workers may call it at
  /// the same time. Throws resource_error.
  template <class OnNew>
  std::span<const std::uint32_t> number(unsigned worker, std::size_t count, bool shared, OnNew on_new) {
    auto& piece = piece_of(worker);
    note(piece, count,
         table_.look_up(piece, count, worker * 7, shared, numbering<OnNew>{numbers_, workers_[worker].run, piece.indices.data(), on_new}));
    return std::span{piece.indices}.first(count);
  }
  std::span<const std::uint32_t> number(unsigned worker, std::size_t count, bool shared) {
    return number(worker, count, shared, [](std::uint32_t) {});
  }
  /// Calls number() for both ends of at most piece_edges edges; the numbers of edge i have indices 2i and 2i + 1 in the result.
  template <class Edge, class OnNew>
  std::span<const std::uint32_t> number_ends(unsigned worker, std::span<const Edge> edges, bool shared, OnNew on_new) {
    const auto ends = room(worker);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      ends[2 * i] = edges[i].u;
      ends[2 * i + 1] = edges[i].v;
    }
    return number(worker, 2 * edges.size(), shared, on_new);
  }
  template <class Edge>
  std::span<const std::uint32_t> number_ends(unsigned worker, std::span<const Edge> edges, bool shared) {
    return number_ends(worker, edges, shared, [](std::uint32_t) {});
  }
  /// Returns the numbers of the first `count` ids in room(worker), where the caller has put them, and no_vertex for ids that are not in the
  /// map; adds none. No worker may call number() at the same time.
  std::span<const std::uint32_t> find(unsigned worker, std::size_t count) {
    auto& piece = piece_of(worker);
    table_.look_up(piece, count, 0, false, known_numbers{piece.indices.data()});
    return std::span{piece.indices}.first(count);
  }
  /// Adds the first `count` ids in room(0), where the caller has put them, with the numbers bound(), bound() + 1, ... Returns false if any
  /// had a number already. Not thread-safe.
  bool adopt(std::size_t count) {
    if (count == 0) return true;
    const auto fresh = numbers_.reserve(static_cast<std::uint32_t>(count));
    if (fresh.end - fresh.next != count) static_cast<void>(numbers_.reserve(1));  // throws, as no numbers are left
    auto& piece = piece_of(0);
    const std::uint64_t added = table_.look_up(piece, count, 0, false, in_order{fresh.next});
    note(piece, count, added);
    return added == count;
  }
  /// Allocates memory for a total of `count` ids; for integers only.
  void reserve(std::uint64_t count) requires(!of_strings) { table_.reserve(count); }

  /// The number of different ids.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  /// An upper bound of the numbers: all are below it.
  [[nodiscard]] std::uint64_t bound() const noexcept { return numbers_.bound(); }
  /// The largest id as an unsigned number; 0 if the map is empty.
  [[nodiscard]] std::uint64_t largest() const noexcept requires(!of_strings) { return largest_.load(std::memory_order_relaxed); }
  /// Calls visit(id, number) for all ids, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    table_.for_each([&](const Id& id, const id_number& kept) { visit(id, kept.index); });
  }

  /// Calls visit(id, number) for all ids, and frees the map shard by shard.
  template <class Visit>
  void take_each(Visit visit) requires(!of_strings) {
    for (unsigned shard = 0; shard < shard_count; ++shard) {
      for (const numbered_id& entry : table_.entries(shard)) visit(entry.key(), entry.index);
      table_.drop(shard);
    }
  }

  /// The ids in ascending order, with their numbers. `are_signed` tells that integers are signed.
  [[nodiscard]] ordered_ids ordered(unsigned threads, bool are_signed = false) const {
    if constexpr (of_strings) {
      return order_strings(table_, {.threads = threads, .memory = memory_});
    } else {
      return ordered_by(threads, are_signed, [this](unsigned shard) { return table_.entries(shard); });
    }
  }
  /// The ids in ascending order, with their numbers, as ordered() returns them; consumes the map, which takes less memory.
  [[nodiscard]] ordered_ids take_ordered(unsigned threads, bool are_signed = false) {
    workers_.clear();  // frees the buffers for look-ups, 130 KiB per worker
    if constexpr (of_strings) {
      return order_strings(std::move(table_), {.threads = threads, .memory = memory_});
    } else {
      return ordered_by(threads, are_signed, [this](unsigned shard) {
        auto entries = table_.entries(shard);
        table_.drop(shard);
        return entries;
      });
    }
  }

private:
  using table = std::conditional_t<of_strings, string_numbers, integer_numbers>;
  struct alignas(64) worker_state {
    arrival_numbers::run run;
    std::unique_ptr<lookup_scratch<Id>> piece;
  };
  struct known_numbers {
    std::uint32_t* indices;
    void miss(std::size_t key) { indices[key] = no_vertex<std::uint32_t>; }
    void meet(std::size_t key, const id_number& known) { indices[key] = known.index; }
  };
  struct in_order {
    std::uint32_t first;
    id_number fresh(std::size_t key) const noexcept { return {first + static_cast<std::uint32_t>(key)}; }
    void meet(std::size_t /*key*/, const id_number& /*known*/) const noexcept {}
  };

  lookup_scratch<Id>& piece_of(unsigned worker) {
    auto& piece = workers_[worker].piece;
    if (piece == nullptr) piece = std::make_unique<lookup_scratch<Id>>();
    return *piece;
  }
  void note(const lookup_scratch<Id>& piece, std::size_t count, std::uint64_t added) noexcept {
    if (added == 0) return;
    size_.fetch_add(added, std::memory_order_relaxed);
    if constexpr (!of_strings) {
      const std::uint64_t largest = *std::max_element(piece.keys.begin(), piece.keys.begin() + count);
      std::uint64_t seen = largest_.load(std::memory_order_relaxed);
      while (seen < largest && !largest_.compare_exchange_weak(seen, largest, std::memory_order_relaxed)) {
      }
    }
  }
  template <class Entries>
  ordered_ids ordered_by(unsigned threads, bool are_signed, Entries entries) const {
    std::array<buffer<numbered_id>, shard_count> parts;
    parallel_blocks(threads, shard_count, 1, [&](std::size_t shard, std::size_t) { parts[shard] = entries(static_cast<unsigned>(shard)); });
    return apart(order_integers(parts, are_signed, threads, memory_), are_signed, threads, memory_);
  }

  std::pmr::memory_resource* memory_;
  std::vector<worker_state> workers_;
  arrival_numbers numbers_;
  table table_;
  std::atomic<std::uint64_t> size_{0}, largest_{0};
};

/// Turns trees into labels: the label of a component is its first vertex in the order of the names. On entry, order[i] is the number of the
/// i-th vertex by name; root_of(number), which is below `bound`, is the root of its tree. On return, order[i] is the smallest j in the same
/// tree. Takes 4 bytes per number while it runs.
template <class RootOf>
void rank_labels(std::span<std::uint32_t> order, std::uint64_t bound, unsigned threads, std::pmr::memory_resource* memory, RootOf root_of) {
  buffer<std::uint32_t> first{bound, memory};
  std::fill(first.begin(), first.end(), no_vertex<std::uint32_t>);
  if (threads <= 1) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::uint32_t& least = first[root_of(order[i])];
      if (least == no_vertex<std::uint32_t>) least = static_cast<std::uint32_t>(i);
      order[i] = least;
    }
    return;
  }
  parallel_blocks(threads, order.size(), ids_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      order[i] = root_of(order[i]);
      const std::atomic_ref<std::uint32_t> least{first[order[i]]};
      std::uint32_t seen = least.load(std::memory_order_relaxed);
      while (i < seen && !least.compare_exchange_weak(seen, static_cast<std::uint32_t>(i), std::memory_order_relaxed)) {
      }
    }
  });
  parallel_blocks(threads, order.size(), ids_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) order[i] = first[order[i]];
  });
}

/// The inverse of ordered.numbers: the position of each number in the order. Elements for numbers without an id are not initialised.
inline buffer<std::uint32_t> positions_of(const ordered_ids& ordered, std::uint64_t bound, unsigned threads,
                                          std::pmr::memory_resource* memory) {
  buffer<std::uint32_t> positions{bound, memory};
  parallel_blocks(threads, ordered.numbers.size(), ids_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) positions[ordered.numbers[i]] = static_cast<std::uint32_t>(i);
  });
  return positions;
}

}  // namespace copse::ids
