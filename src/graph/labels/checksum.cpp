// The checksum of a labelling: the sum of its items (checksum_item.hpp). Absent slots have no item, and the width of labels does not
// matter.
#include <copse/execution.hpp>
#include <copse/labels.hpp>
#include <core/parallel.hpp>
#include <graph/labels/checksum_item.hpp>
#include <graph/labels/counts.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <string_view>
#include <variant>
#include <vector>

namespace copse {
namespace {

using labels_checksum::id_hash, labels_checksum::item, labels_checksum::mix;

// Hashes eight bytes per round, as a little-endian word on every machine. The length is hashed first, so that "a" and "a\0" differ.
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

// The sum of item(vertex(i), label(labels[i])) over the present vertices i in [begin, end). Neighbouring vertices often have the same
// label, so its hash is reused until the label changes.
template <class Id, class Vertex, class Label>
std::uint64_t sum_of(const buffer<Id>& labels, std::size_t begin, std::size_t end, Vertex vertex, Label label) {
  std::uint64_t sum = 0, kept_hash = 0;
  Id kept = no_vertex<Id>;
  for (std::size_t i = begin; i < end; ++i) {
    if (labels[i] == no_vertex<Id>) continue;
    if (labels[i] != kept) {
      kept = labels[i];
      kept_hash = label(kept);
    }
    sum += item(vertex(i), kept_hash);
  }
  return sum;
}

/// The sum of item(vertex, label) over the present vertices in [begin, end), where name(i) is the hash of the name of vertex i. If
/// `numbered`, labels are numbers of components, and are hashed as numbers.
template <class Id, class Name>
std::uint64_t sum_of(const buffer<Id>& labels, std::size_t begin, std::size_t end, bool numbered, Name name) {
  return sum_of(labels, begin, end, name, [&](Id label) { return numbered ? id_hash(label) : name(label); });
}

template <class Id>
std::uint64_t sum_of(const labelling& all, const buffer<Id>& labels, std::size_t begin, std::size_t end) {
  const vertex_names& names = all.names();
  switch (names.what()) {
    case vertex_names::kind::identity:
      return sum_of(labels, begin, end, true, id_hash);
    case vertex_names::kind::integers:
      return sum_of(labels, begin, end, all.is_numbered(), [&](std::uint64_t slot) { return id_hash(names.integer(slot)); });
    case vertex_names::kind::strings:
      break;
  }
  return sum_of(labels, begin, end, all.is_numbered(), [&](std::uint64_t slot) { return string_hash(names.string(slot)); });
}

/// Finds the number of present vertices before any vertex, if some are absent: stores a bit per vertex, and a count for every 64 of them.
/// All threads count the vertices in blocks; then the counts of the blocks are added up.
class positions {
public:
  template <class Id>
  positions(const buffer<Id>& labels, unsigned threads) : before_(labels.size() / labels_per_block + 2), slots_{labels.size()} {
    parallel_blocks(threads, labels.size(), labels_per_block, [&](std::size_t begin, std::size_t end) {
      std::size_t present = 0;
      for (std::size_t i = begin; i < end; ++i) present += static_cast<std::size_t>(labels[i] != no_vertex<Id>);
      before_[begin / labels_per_block + 1] = present;
    });
    std::partial_sum(before_.begin(), before_.end(), before_.begin());
  }
  [[nodiscard]] bool all_present() const noexcept { return before_.back() == slots_; }

  /// Stores which vertices are present, and how many precede each group of 64. To be called before of(), which needs both.
  template <class Id>
  void note_places(const buffer<Id>& labels, unsigned threads, std::pmr::memory_resource* memory) {
    static_assert(labels_per_block % 64 == 0, "no word belongs to two blocks");
    words_ = buffer<word>{slots_ / 64 + 1, memory};
    parallel_blocks(threads, slots_, labels_per_block, [&](std::size_t begin, std::size_t end) {
      std::uint64_t before = before_[begin / labels_per_block];
      for (std::size_t from = begin; from < end; from += 64) {
        std::uint64_t present = 0;
        for (std::size_t i = from; i < std::min(end, from + 64); ++i) present |= std::uint64_t{labels[i] != no_vertex<Id>} << (i % 64);
        words_[from / 64] = {present, before};
        before += static_cast<std::uint64_t>(std::popcount(present));
      }
    });
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
  std::vector<std::uint64_t> before_;  // number of present vertices before each block
  std::size_t slots_;
  buffer<word> words_;
};

/// The sum over the vertices 0 .. slots - 1, passed through mix(); sum_part(begin, end) must return the sum over a range.
template <class SumPart>
std::uint64_t mixed_sum(std::size_t slots, unsigned threads, SumPart sum_part) {
  std::atomic<std::uint64_t> sum{0};
  parallel_blocks(threads, slots, labels_per_block,
                  [&](std::size_t begin, std::size_t end) { sum.fetch_add(sum_part(begin, end), std::memory_order_relaxed); });
  return mix(sum.load(std::memory_order_relaxed));
}

}  // namespace

std::uint64_t positions_checksum(const labelling& all, const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  return std::visit(
      [&]<class Id>(const buffer<Id>& labels) {
        positions places{labels, threads};
        if (places.all_present()) {
          return mixed_sum(labels.size(), threads,
                           [&](std::size_t begin, std::size_t end) { return sum_of(labels, begin, end, true, id_hash); });
        }
        places.note_places(labels, threads, on.memory);
        return mixed_sum(labels.size(), threads, [&](std::size_t begin, std::size_t end) {
          const auto vertex = [next = places.of(begin)](std::uint64_t /*slot*/) mutable { return id_hash(next++); };
          return sum_of(labels, begin, end, vertex, [&](Id label) { return id_hash(all.is_numbered() ? label : places.of(label)); });
        });
      },
      all.labels());
}

std::uint64_t checksum(const labelling& labels, const execution& on) {
  return std::visit(
      [&](const auto& values) {
        return mixed_sum(values.size(), usable_threads(on.threads),
                         [&](std::size_t begin, std::size_t end) { return sum_of(labels, values, begin, end); });
      },
      labels.labels());
}

}  // namespace copse
