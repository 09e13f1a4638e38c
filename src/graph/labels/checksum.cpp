// The sum of items (checksum_item.hpp). Gaps have no item and widths no part, so neither changes it.
#include <copse/labels.hpp>
#include <copse/options.hpp>
#include <core/parallel.hpp>
#include <graph/labels/checksum_item.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <string_view>
#include <variant>

namespace copse {
namespace {

using labels_checksum::id_hash, labels_checksum::item, labels_checksum::mix;

// Eight bytes per round, lowest byte first on every machine; the length comes first, so that "a" and "a\0" differ.
std::uint64_t string_hash(std::string_view bytes) noexcept {
  std::uint64_t state = mix(bytes.size() + 0x6A09E667F3BCC909u);
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min<std::size_t>(bytes.size(), 8);
    for (std::size_t i = 0; i < taken; ++i) word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    state = mix(state ^ mix(word + 0x9E3779B97F4A7C15u));
    bytes.remove_prefix(taken);
  }
  return state;
}

// Sums item(name(i), name(label)) of the slots in [begin, end).
template <class Id, class Name>
std::uint64_t sum_of(const buffer<Id>& labels, std::size_t begin, std::size_t end, bool numbered, Name name) {
  std::uint64_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (labels[i] != no_vertex<Id>) sum += item(name(i), numbered ? id_hash(labels[i]) : name(labels[i]));
  }
  return sum;
}

template <class Id>
std::uint64_t sum_of(const labelling& all, const buffer<Id>& labels, std::size_t begin, std::size_t end) {
  const vertex_names& names = all.names();
  const bool numbered = all.is_numbered();
  switch (names.what()) {
    case vertex_names::kind::identity:
      return sum_of(labels, begin, end, false, [](std::uint64_t slot) { return id_hash(slot); });
    case vertex_names::kind::integers:
      return sum_of(labels, begin, end, numbered, [&](std::uint64_t slot) { return id_hash(names.integer(slot)); });
    case vertex_names::kind::strings:
      break;
  }
  return sum_of(labels, begin, end, numbered, [&](std::uint64_t slot) { return string_hash(names.string(slot)); });
}

/// How many vertices come before a slot, where some slots are absent: a bit per slot, and a count every 64 of them.
class positions {
public:
  template <class Id>
  positions(const buffer<Id>& labels, std::pmr::memory_resource* memory) : words_{labels.size() / 64 + 1, memory} {
    std::uint64_t before = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] = {0, before};
      for (std::size_t i = 64 * w; i < std::min(labels.size(), 64 * w + 64); ++i) {
        if (labels[i] != no_vertex<Id>) words_[w].present |= std::uint64_t{1} << (i % 64);
      }
      before += static_cast<std::uint64_t>(std::popcount(words_[w].present));
    }
  }
  [[nodiscard]] std::uint64_t of(std::uint64_t slot) const noexcept {
    const word& here = words_[slot / 64];
    return here.before + static_cast<std::uint64_t>(std::popcount(here.present & ((std::uint64_t{1} << (slot % 64)) - 1)));
  }

private:
  struct word {
    std::uint64_t present;
    std::uint64_t before;
  };
  buffer<word> words_;
};

/// mix() of the sum of all slots, whose parts sum_part(begin, end) knows.
template <class SumPart>
std::uint64_t mixed_sum(std::size_t slots, unsigned threads, SumPart sum_part) {
  std::atomic<std::uint64_t> sum{0};
  parallel_blocks(usable_threads(threads), slots, std::size_t{1} << 18,
                  [&](std::size_t begin, std::size_t end) { sum.fetch_add(sum_part(begin, end), std::memory_order_relaxed); });
  return mix(sum.load(std::memory_order_relaxed));
}

}  // namespace

std::uint64_t positions_checksum(const labelling& all, unsigned threads, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& labels) {
        const auto sum_by = [&](auto name) {
          return mixed_sum(labels.size(), threads,
                           [&](std::size_t begin, std::size_t end) { return sum_of(labels, begin, end, all.is_numbered(), name); });
        };
        if (std::find(labels.begin(), labels.end(), no_vertex<Id>) == labels.end()) {
          return sum_by([](std::uint64_t slot) { return id_hash(slot); });
        }
        const positions places{labels, memory};
        return sum_by([&](std::uint64_t slot) { return id_hash(places.of(slot)); });
      },
      all.labels());
}

std::uint64_t checksum(const labelling& labels, unsigned threads) {
  return std::visit(
      [&](const auto& values) {
        return mixed_sum(values.size(), threads, [&](std::size_t begin, std::size_t end) { return sum_of(labels, values, begin, end); });
      },
      labels.labels());
}

}  // namespace copse
