// Forests whose vertices are the ids themselves, in one array that becomes the labels: ids that are declared, and ids below 2^32 - 1 that
// appear as the stream goes on.
#pragma once
#include <copse/errors.hpp>
#include <copse/labels.hpp>
#include <copse/views.hpp>
#include <core/parallel.hpp>
#include <drivers/streaming/address_range.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <drivers/streaming/stream_giant.hpp>
#include <drivers/streaming/unite_batch.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace copse::streaming {

/// Parents of vertices that the input declares: 0 .. n - 1, all present from the start.
template <unsigned_index Id>
class declared_forest {
public:
  declared_forest(std::uint64_t vertices, unsigned threads, std::pmr::memory_resource* memory)
      : words_{vertices, memory}, giant_{vertices, memory} {
    parallel_blocks(threads, words_.size(), flatten_block, [words = words_.data()](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) words[v] = static_cast<Id>(~v);
    });
  }

  /// Unites a batch. `links`, unless null, gets the edges that join two trees. Throws input_error for an id that was not declared. (Readers
  /// report such an id with its line; this check guards the array whatever the caller does.)
  template <bool Shared>
  void unite(std::span<const edge<std::uint64_t>> batch, link_list* links = nullptr) {
    for (const auto [u, v] : batch) {
      if (u >= words_.size() || v >= words_.size()) {
        throw input_error{std::string{"found id "}
                              .append(std::to_string(u >= words_.size() ? u : v))
                              .append(", expected ids below ")
                              .append(std::to_string(words_.size()))};
      }
    }
    const auto all = [](Id) { return true; };
    unite_batch<Shared>(giant_, flat_words<Id>{words_.data()}, batch, words_.size(), all, links);
  }

  /// Returns the labels. The forest cannot be used afterwards.
  buffer<Id> take_labels(unsigned threads) {
    turn_into_labels(words_.data(), words_.size(), threads);
    return std::move(words_);
  }

private:
  buffer<Id> words_;
  stream_giant<Id> giant_;
};

/// Parents of ids below 2^32 - 1: an array over all of them in reserved address space, of which only the 4 KiB pages that hold a present id
/// take memory. If these pages waste more memory than a hash table would need, unite() refuses, and the owner moves the forest into a
/// hashed one.
class ranged_forest {
public:
  using words_type = flat_words<std::uint32_t>;
  static constexpr std::uint64_t id_limit = no_vertex<std::uint32_t>;  ///< ids must be below this

  /// Limits for the memory in use for parents, which is taken in pages of 4 KiB: up to free_bytes are always accepted, and more if they are
  /// at most bytes_per_vertex bytes per present vertex.
  static constexpr std::uint64_t free_bytes = std::uint64_t{48} << 20;
  static constexpr std::uint64_t bytes_per_vertex = 28;

  /// Makes an empty forest, and reserves address space for all ids. Returns nullptr if the system refuses the address space.
  static std::unique_ptr<ranged_forest> reserve(std::pmr::memory_resource* memory);

  /// Unites a batch, whose ids are below id_limit. `links`, unless null, gets the edges that join two trees. Returns false if a new vertex
  /// needs a page with which the pages in use would exceed both limits above, free_bytes and bytes_per_vertex; some edges of the batch may
  /// be united already.
  template <bool Shared>
  bool unite(std::span<const edge<std::uint64_t>> batch, link_list* links = nullptr);

  [[nodiscard]] std::uint64_t present() const noexcept { return present_.load(std::memory_order_relaxed); }
  /// One more than the largest present id; 0 if there is none.
  [[nodiscard]] std::uint64_t slots() const noexcept { return slots_.load(std::memory_order_relaxed); }
  [[nodiscard]] words_type words() const noexcept { return words_type{static_cast<std::uint32_t*>(range_->data())}; }
  [[nodiscard]] const address_range& range() const noexcept { return *range_; }

  /// True if an array of parents for the ids 0 .. slots - 1, of which `vertices` are present, takes at most free_bytes, or at most
  /// bytes_per_vertex bytes per present vertex.
  static constexpr bool worth_an_array(std::uint64_t slots, std::uint64_t vertices) noexcept {
    return slots * sizeof(std::uint32_t) <= free_bytes || slots * sizeof(std::uint32_t) <= bytes_per_vertex * vertices;
  }

  /// Prepares for a thread that moves all vertices of another forest here: counts the pages of all ids below `slots` as used, and
  /// `vertices` of these ids as present.
  void prepare(std::uint64_t slots, std::uint64_t vertices);

  /// Returns the labels of 0 .. slots() - 1, no_vertex for absent ids, in the memory of the forest, which cannot be used afterwards.
  buffer<std::uint32_t> take_labels(unsigned threads);

private:
  ranged_forest(std::unique_ptr<address_range> range, std::pmr::memory_resource* memory)
      : range_{std::move(range)}, giant_{id_limit, memory} {}
  bool make_room(std::uint32_t v, std::uint64_t newcomers);
  void count(std::uint64_t newcomers, std::uint64_t slots) noexcept;

  std::unique_ptr<address_range> range_;
  stream_giant<std::uint32_t> giant_;
  std::atomic<std::uint64_t> present_{0};
  std::atomic<std::uint64_t> slots_{0};
};

}  // namespace copse::streaming
