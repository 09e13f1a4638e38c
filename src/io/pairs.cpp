#include "io/pairs.hpp"

#include "core/team.hpp"
#include "io/blocks.hpp"
#include "io/id_records.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>

namespace copse::io {
namespace {

constexpr std::uint64_t pairs_per_batch = 1024;

/// A block of pairs that one worker passes on.
struct pair_block {
  std::uint64_t index = 0;  ///< index of the block in file order, without gaps
  packed_pairs pairs;
  buffer<char> held;  ///< owns the bytes of the pairs if they come from a stream
};

std::uint64_t pairs_per_block(const packed_integers& like, const read_request& options) {
  return std::max<std::uint64_t>(1, options.block_bytes / (2 * like.width));
}

void stop_if_cancelled(const read_request& options) {
  if (options.observer != nullptr && options.observer->cancel_requested()) throw cancelled{};
}

/// Hands out blocks of pairs that are in memory.
class blocks_in_memory {
public:
  blocks_in_memory(const packed_pairs& pairs, const read_request& options)
      : pairs_{pairs},
        options_{options},
        size_{std::min(pairs_per_block(pairs.all, options), std::max<std::uint64_t>(1, pairs.end - pairs.begin))},
        next_{pairs.begin} {}

  /// Takes the next block; returns false at the end. May be called by any thread.
  bool next(pair_block& block) {
    const std::uint64_t begin = next_.fetch_add(size_, std::memory_order_relaxed);
    block.index = (begin - pairs_.begin) / size_;
    if (begin >= pairs_.end) return false;
    stop_if_cancelled(options_);
    block.pairs = pairs_;
    block.pairs.begin = begin;
    block.pairs.end = std::min(pairs_.end, begin + size_);
    return true;
  }

private:
  const packed_pairs& pairs_;
  const read_request& options_;
  std::uint64_t size_;  // pairs per block
  std::atomic<std::uint64_t> next_;
};

/// Hands out blocks of a stream; the worker that takes a block reads it.
class blocks_of_stream {
public:
  blocks_of_stream(const streamed_pairs& pairs, const read_request& options)
      : pairs_{pairs},
        options_{options},
        pair_bytes_{2 * pairs.like.width},
        block_bytes_{pairs_per_block(pairs.like, options) * pair_bytes_},
        most_bytes_{pairs.count ? *pairs.count * pair_bytes_ : UINT64_MAX} {}

  /// Reads the next block; returns false at the end. May be called by any thread. Errors at the end of the stream are thrown here, as
  /// errors of the last block.
  bool next(pair_block& block) {
    pairs_.from.read_ahead(block_bytes_);
    const std::lock_guard lock{guard_};
    block.index = blocks_++;
    if (ended_) return false;
    ended_ = true;  // stays true if an exception is thrown below, so that no worker reads past damaged data
    stop_if_cancelled(options_);
    if (block.held.empty()) block.held = buffer<char>{block_bytes_, options_.memory};
    const std::size_t wanted = std::min(block_bytes_, most_bytes_ - bytes_);
    const std::size_t got = read_fully(pairs_.from, block.held.data(), wanted), whole = got / pair_bytes_ * pair_bytes_;
    block.pairs = {.all = pairs_.like, .begin = 0, .end = whole / pair_bytes_};
    block.pairs.all.bytes = {block.held.data(), whole};
    block.pairs.all.first_byte += bytes_;
    if (pairs_.see) pairs_.see(block.pairs.all.bytes);
    bytes_ += got;
    ended_ = got < wanted || bytes_ == most_bytes_;
    if (ended_) pairs_.expect_end(bytes_ + (got < wanted ? 0 : rest_of_stream()));
    return whole != 0;
  }

private:
  [[nodiscard]] std::uint64_t rest_of_stream() {
    std::array<char, 4096> behind;
    std::uint64_t bytes = 0;
    while (const std::size_t got = pairs_.from.read(behind.data(), behind.size())) {
      stop_if_cancelled(options_);
      bytes += got;
    }
    return bytes;
  }

  const streamed_pairs& pairs_;
  const read_request& options_;
  std::size_t pair_bytes_, block_bytes_;
  std::uint64_t most_bytes_;

  std::mutex guard_;  // protects everything below, and the stream
  std::uint64_t blocks_ = 0;
  std::uint64_t bytes_ = 0;  // bytes of pairs read so far
  bool ended_ = false;
};

template <class T>
class passing {
public:
  passing(const read_request& options, edge_sink& sink)
      : options_{options},
        sink_{sink},
        first_id_{options.first_vertex},
        first_block_{options.signs->next_source()},
        narrow_{std::same_as<T, std::uint32_t> && !options.vertices && sink.wishes().narrow_ids} {}

  template <class Blocks>
  void run(Blocks& blocks, std::optional<std::uint64_t> edges) {
    const unsigned threads = usable_threads(options_.threads);
    sink_.begin({.vertices = options_.vertices, .first_id = first_id_, .edges = edges, .workers = threads, .named = false});
    on_blocks<pair_block>(blocks, threads, [&](unsigned worker, const pair_block& block) {
      sink_.begin_block(worker, block.index);
      pass(worker, block);
    });
    add_vertex_tables(options_, false, 1, sink_);
    options_.signs->expect_one_kind();
    sink_.finish();
  }

private:
  /// The id of an item minus the first declared id; smaller ids wrap and become too large.
  [[nodiscard]] std::uint64_t id(const packed_pairs& pairs, std::uint64_t item) const noexcept {
    return static_cast<std::uint64_t>(load<T>(pairs.all.bytes.data() + item * sizeof(T))) - first_id_;
  }
  [[nodiscard]] bool good(std::uint64_t value) const noexcept { return value < *options_.vertices; }

  void pass(unsigned worker, const pair_block& block) {
    const packed_pairs& pairs = block.pairs;
    const bool side_by_side = pairs.first_v == 1 && pairs.stride == 2 &&
                              reinterpret_cast<std::uintptr_t>(pairs.all.bytes.data()) % alignof(edge<std::uint32_t>) == 0;
    if (narrow_ && side_by_side) {
      const auto* const all = reinterpret_cast<const edge<std::uint32_t>*>(pairs.all.bytes.data());
      return sink_.edges(worker, {.narrow_ids = {all + pairs.begin, pairs.end - pairs.begin}});
    }
    std::array<edge<std::uint64_t>, pairs_per_batch> batch;
    const bool declared = options_.vertices.has_value();
    bool noted = declared;
    for (std::uint64_t begin = pairs.begin; begin < pairs.end;) {
      const std::uint64_t stop = std::min(pairs.end, begin + pairs_per_batch);
      std::size_t size = 0;
      std::uint64_t bits = 0;
      for (std::uint64_t i = begin; i < stop; ++i) {
        const edge<std::uint64_t> pair{id(pairs, i * pairs.stride), id(pairs, pairs.first_v + i * pairs.stride)};
        if (declared && (!good(pair.u) || !good(pair.v))) refuse(pairs, i);
        bits |= pair.u | pair.v;
        batch[size++] = pair;
      }
      if (has_sign_bit(bits) && !noted) {
        noted = true;
        note_sign(block, begin, std::span{batch}.first(size));
      }
      sink_.edges(worker, {.ids = {batch.data(), size}});
      begin = stop;
    }
  }

  /// Notes the first id in `batch` that has the sign bit. `batch` begins with pair `first` of the block.
  void note_sign(const pair_block& block, std::uint64_t first, std::span<const edge<std::uint64_t>> batch) {
    const packed_pairs& pairs = block.pairs;
    const auto found = std::ranges::find_if(batch, [](const edge<std::uint64_t>& e) { return has_sign_bit(e.u | e.v); });
    const std::uint64_t u = (first + static_cast<std::uint64_t>(found - batch.begin())) * pairs.stride;
    const bool second = !has_sign_bit(found->u);
    options_.signs->note(second ? found->v : found->u, std::is_signed_v<T>, first_block_ + block.index, u,
                         [&] { return pairs.all.place(second ? pairs.first_v + u : u); });
  }

  [[noreturn]] void refuse(const packed_pairs& pairs, std::uint64_t pair) const {
    const std::uint64_t u = pair * pairs.stride;
    const std::uint64_t item = good(id(pairs, u)) ? pairs.first_v + u : u;
    pairs.all.refuse(item, "the id",
                     first_id_ == 0
                         ? "a vertex below " + std::to_string(*options_.vertices)
                         : "a vertex from " + std::to_string(first_id_) + " to " + std::to_string(first_id_ + *options_.vertices - 1));
  }

  const read_request& options_;
  edge_sink& sink_;
  std::uint64_t first_id_;
  std::uint64_t first_block_;
  bool narrow_;  // 32-bit pairs are passed to the sink as they are
};

}  // namespace

void pass_on(const packed_pairs& pairs, const read_request& options, edge_sink& sink) {
  refuse_min_weight(pairs.all.file, options);
  pairs.all.with_type([&]<class T>(T) {
    blocks_in_memory blocks{pairs, options};
    passing<T>{options, sink}.run(blocks, pairs.end - pairs.begin);
  });
}

void pass_on(const streamed_pairs& pairs, const read_request& options, edge_sink& sink) {
  refuse_min_weight(pairs.like.file, options);
  pairs.like.with_type([&]<class T>(T) {
    blocks_of_stream blocks{pairs, options};
    passing<T>{options, sink}.run(blocks, pairs.count);
  });
}

}  // namespace copse::io
