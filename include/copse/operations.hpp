// Inserts and queries in batches, and how they are read.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {

// Inserts and queries in one batch: what they are, how they see each other, and the answers.

/// What a pair of a mixed batch is. Only graphs whose edges leave take `erase`.
enum class operation : std::uint8_t { insert, query, erase };

/// How the operations of a mixed batch see each other.
enum class mixing : std::uint8_t {
  phased,     ///< all inserts, then all queries: every answer is that of the whole batch
  concurrent  ///< at once; the answers are those of some order of the batch, in which each thread's operations keep theirs (linearizable).
              ///< On one thread, the order of the batch
};

/// The answers to queries, one bit per query.
class query_answers {
public:
  explicit query_answers(std::size_t size = 0, std::pmr::memory_resource* memory = host_memory());

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool operator[](std::size_t i) const noexcept { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  /// 64 answers each, the first in the lowest bit; bits behind the last are 0.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_.span(); }
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return words_.span(); }

private:
  std::size_t size_ = 0;
  buffer<std::uint64_t> words_;
};

}  // namespace copse

namespace copse::io {

// Streams of inserts and queries, read in batches of any size, from a file, a pipe or standard input, plain or compressed.

/// How a stream is written.
///   text   an edge list whose records may have a sign: `+ u v` inserts an edge, `? u v` asks whether u and v are connected, `u v`
///          inserts, too (docs/reference/stream_records.md); csv: the same with quoting and without comments
///   coo    raw little-endian pairs of 32-bit ids, all inserts; coo64: of 64-bit ids; unsigned unless read_options::signed_ids
enum class stream_format : std::uint8_t { text, csv, coo, coo64 };

/// The allocator of vectors whose new elements are not set when they grow by resize(), as the code that grows them fills them.
template <class T>
class unset_allocator : public std::pmr::polymorphic_allocator<T> {
public:
  using std::pmr::polymorphic_allocator<T>::polymorphic_allocator;
  template <class U>
  struct rebind {
    using other = unset_allocator<U>;
  };
  [[nodiscard]] unset_allocator select_on_container_copy_construction() const { return {}; }

  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
};

/// Consecutive records of a stream. Either pairs or names are filled.
class operation_batch {
public:
  explicit operation_batch(std::pmr::memory_resource* memory = host_memory())
      : kinds_{memory}, pairs_{memory}, bytes_{memory}, ends_{memory}, weights_{memory} {}

  [[nodiscard]] std::size_t size() const noexcept { return kinds_.size(); }
  [[nodiscard]] bool named() const noexcept { return named_; }
  [[nodiscard]] std::span<const operation> kinds() const noexcept { return kinds_; }
  /// Precondition: not named().
  [[nodiscard]] std::span<const edge<std::uint64_t>> pairs() const noexcept { return pairs_; }
  /// Precondition: named(). Valid until the batch is filled again.
  [[nodiscard]] named_edge names(std::size_t i) const noexcept {
    const auto [u, v] = ends_[i];
    const std::size_t begin = bytes_before(i);
    return {{bytes_.data() + begin, u - begin}, {bytes_.data() + u, v - u}};
  }

  /// The first record with a negative id; size() where none has one.
  [[nodiscard]] std::size_t first_negative() const noexcept { return std::min(first_negative_, size()); }
  /// The first record with an id above INT64_MAX; size() where none has one.
  [[nodiscard]] std::size_t first_large() const noexcept { return std::min(first_large_, size()); }
  /// True if integer ids are two's complement.
  [[nodiscard]] bool any_negative() const noexcept { return first_negative() != size(); }

  /// The weight of each record, 0 for records that insert nothing; empty if the batch has no weights.
  [[nodiscard]] std::span<const double> weights() const noexcept { return weights_; }

  void clear(bool named) noexcept;
  /// Makes room for `records` whose names have `name_bytes` bytes, at once. Precondition: size() == 0.
  void reserve(std::size_t records, std::size_t name_bytes = 0);
  /// Ids that are signed are two's complement.
  void add(operation kind, edge<std::uint64_t> pair, bool are_signed = false) {
    if (has_sign_bit(pair.u | pair.v)) [[unlikely]]
      note_sign(size(), are_signed);
    kinds_.push_back(kind);
    pairs_.push_back(pair);
  }
  void add(operation kind, named_edge pair);
  /// Adds the weight of the record that was added last. Either all records of a batch have one, or none has.
  void add_weight(double weight) { weights_.push_back(weight); }
  /// The records [first, first + count) of another batch.
  struct part {
    const operation_batch* batch;
    std::size_t first, count;
  };
  /// Adds parts of other batches, one after the other, by many threads. Precondition: all are named() or none is.
  void append(std::span<const part> parts, unsigned threads);
  /// Adds the queries of another batch. Precondition: both are named() or none is.
  void add_queries_of(const operation_batch& other);
  /// Keeps the first `size` records.
  void shrink(std::size_t size) noexcept;

private:
  /// Bytes of the names of the first `records` records.
  [[nodiscard]] std::size_t bytes_before(std::size_t records) const noexcept { return records == 0 ? 0 : ends_[records - 1].v; }
  void note_sign(std::size_t record, bool negative) noexcept {
    std::size_t& first = negative ? first_negative_ : first_large_;
    first = std::min(first, record);
  }

  bool named_ = false;
  std::size_t first_negative_ = SIZE_MAX, first_large_ = SIZE_MAX;
  template <class T>
  using column = std::vector<T, unset_allocator<T>>;

  column<operation> kinds_;
  column<edge<std::uint64_t>> pairs_;
  column<char> bytes_;              ///< u and v of each record, one after the other
  column<edge<std::size_t>> ends_;  ///< where they end
  column<double> weights_;
};

/// How a stream is read. Of read_options, all that is about edge lists but `vertices`; and block_bytes and counts.
struct stream_read_options : read_options {
  std::optional<stream_format> records;  ///< not set: by the suffix .csv, .coo or .coo64, .gz and .zst taken off first; others are text
  std::optional<bool> named =
      std::nullopt;                       ///< where `ids` is automatic: true if earlier ids were strings; empty: the first record decides
  std::uint64_t largest_id = UINT64_MAX;  ///< a smaller one refuses negative ids, too
  bool erases = false;                    ///< `- u v` is a record, too: operation::erase
  bool weights = false;                   ///< batches have the weights of `weight_column`: all of them, where no min_weight is set
};

class operation_reader {
public:
  /// `path` "-" is standard input. `.gz` and `.zst` are known by content. Throws input_error when it cannot be opened; usage_error for
  /// weights without a column, or of raw pairs, which have none.
  explicit operation_reader(const std::filesystem::path& path, const stream_read_options& options = {}, const execution& on = {});
  operation_reader(operation_reader&&) noexcept;
  ~operation_reader();

  /// The next `limit` records, fewer at the end; false when there is none. Waits for that many, or the end. Threads parse what
  /// has come, some of it ahead. Keeps its memory in what `batch` was made with. Throws input_error, `file:line: found X, expected Y` (of
  /// binary pairs, which one).
  [[nodiscard]] bool next(operation_batch& batch, std::size_t limit);

private:
  class source;
  std::unique_ptr<source> source_;
};

}  // namespace copse::io
