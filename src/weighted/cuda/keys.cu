#include <copse/errors.hpp>
#include <gpu/loops/cuda.cuh>
#include <weighted/cuda/keys.hpp>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <string>
#include <type_traits>
#include <variant>

namespace copse::weighted {
namespace {

template <class Weight>
using word_of = std::conditional_t<sizeof(Weight) == 4, std::uint32_t, std::uint64_t>;

/// Maps weights to unsigned words in the same order: the bits of negative floats are inverted, and the top bit of all signed types.
template <class Weight>
struct make_word {
  const Weight* weights;
  word_of<Weight>* words;
  bool maximum;
  unsigned long long* first_bad;

  __device__ void operator()(std::size_t i) const {
    using word = word_of<Weight>;
    constexpr word top = word{1} << (8 * sizeof(word) - 1);
    Weight weight = weights[i];
    word bits;
    if constexpr (std::is_floating_point_v<Weight>) {
      if (weight != weight) atomicMin(first_bad, static_cast<unsigned long long>(i));
      if (weight == 0) weight = 0;  // -0 counts as 0
      memcpy(&bits, &weight, sizeof bits);
      bits = (bits & top) != 0 ? ~bits : bits | top;
    } else {
      bits = static_cast<word>(weight);
      if constexpr (std::is_signed_v<Weight>) bits ^= top;
    }
    words[i] = maximum ? ~bits : bits;
  }
};

template <class Weight>
void make_words(const backend::cuda& loops, std::span<const Weight> weights, forest_goal goal, word_of<Weight>* words) {
  buffer<unsigned long long> first_bad{1, loops.memory()};
  backend::checked(cudaMemsetAsync(first_bad.data(), 0xFF, sizeof(unsigned long long), loops.stream()), "looking at weights");
  loops.for_each(weights.size(), make_word<Weight>{weights.data(), words, goal == forest_goal::maximum, first_bad.data()});
  if constexpr (std::is_floating_point_v<Weight>) {
    if (const auto bad = loops.fetched(first_bad.data()); bad != ~0ull)
      throw input_error{"weights: found one that is not a number at position " + std::to_string(bad) + ", expected numbers"};
  }
}

struct count_place {
  std::uint32_t* places;
  __device__ void operator()(std::size_t i) const { places[i] = static_cast<std::uint32_t>(i); }
};
struct note_change {
  const std::uint64_t* sorted;
  std::uint32_t* changes;
  __device__ void operator()(std::size_t i) const { changes[i] = i != 0 && sorted[i] != sorted[i - 1]; }
};
struct spread_rank {
  const std::uint32_t *places, *ranks;
  std::uint32_t* keys;
  __device__ void operator()(std::size_t i) const { keys[places[i]] = ranks[i]; }
};

/// Writes the rank of each word among the distinct words to `keys`.
void rank_words(const backend::cuda& loops, const buffer<std::uint64_t>& words, std::uint32_t* keys) {
  const std::size_t count = words.size();
  buffer<std::uint64_t> sorted{count, loops.memory()};
  buffer<std::uint32_t> places{count, loops.memory()};
  loops.for_each(count, count_place{keys});
  std::size_t bytes = 0;
  backend::checked(
      cub::DeviceRadixSort::SortPairs(nullptr, bytes, words.data(), sorted.data(), keys, places.data(), count, 0, 64, loops.stream()),
      "asking for room to sort");
  {
    buffer<std::byte> room{bytes, loops.memory()};
    backend::checked(
        cub::DeviceRadixSort::SortPairs(room.data(), bytes, words.data(), sorted.data(), keys, places.data(), count, 0, 64, loops.stream()),
        "sorting");
  }
  buffer<std::uint32_t> ranks{count, loops.memory()};
  loops.for_each(count, note_change{sorted.data(), ranks.data()});
  bytes = 0;
  backend::checked(cub::DeviceScan::InclusiveSum(nullptr, bytes, ranks.data(), ranks.data(), count, loops.stream()),
                   "asking for room to sum");
  buffer<std::byte> room{bytes, loops.memory()};
  backend::checked(cub::DeviceScan::InclusiveSum(room.data(), bytes, ranks.data(), ranks.data(), count, loops.stream()), "summing");
  loops.for_each(count, spread_rank{places.data(), ranks.data(), keys});
}

}  // namespace

const std::uint32_t* keys_on_gpu(const backend::cuda& loops, const weights_view& on_device, forest_goal goal, buffer<std::uint32_t>& room) {
  return std::visit(
      [&]<class Weight>(std::span<const Weight> weights) -> const std::uint32_t* {
        if constexpr (std::is_same_v<Weight, std::uint32_t>) {
          if (goal == forest_goal::minimum) return weights.data();
        }
        if (room.size() < weights.size()) {
          room = {};
          room = buffer<std::uint32_t>{weights.size(), loops.memory()};
        }
        if constexpr (sizeof(Weight) == 4) {
          make_words(loops, weights, goal, room.data());
        } else {
          buffer<std::uint64_t> words{weights.size(), loops.memory()};
          make_words(loops, weights, goal, words.data());
          rank_words(loops, words, room.data());
        }
        return room.data();
      },
      on_device);
}

}  // namespace copse::weighted
