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

// Mixed batches of inserts and queries: the operations, when queries see inserts, and the answers.

/// The operation of a pair in a mixed batch. Only dynamic graphs, whose edges may leave, accept `erase`.
enum class operation : std::uint8_t { insert, query, erase };

/// When the queries of a mixed batch see its inserts.
enum class mixing : std::uint8_t {
  phased,  ///< all inserts run before all queries, so every answer is for the whole batch
  /// Inserts and queries run concurrently. The answers are those of some sequential order that preserves the order of each thread's
  /// operations (linearizable); with one thread, this is the order of the batch.
  concurrent
};

/// The answers to queries, one bit per query.
class query_answers {
public:
  explicit query_answers(std::size_t size = 0, std::pmr::memory_resource* memory = host_memory());

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool operator[](std::size_t i) const noexcept { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  /// The answers as 64-bit words, the first answer in the lowest bit; unused bits of the last word are 0.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_.span(); }
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return words_.span(); }

private:
  std::size_t size_ = 0;
  buffer<std::uint64_t> words_;
};

}  // namespace copse

namespace copse::io {

// Streams of inserts and queries, which are read in batches of any size from a file, a pipe or standard input, plain or compressed.

/// The format of a stream.
///
///   text   an edge list whose records may have a sign: `+ u v` inserts an edge, `? u v` asks whether u and v are connected, `u v`
///          also inserts (docs/reference/stream_records.md)
///   csv    the same records with quoting and without comments
///   coo    raw little-endian pairs of 32-bit ids, all of them inserts
///   coo64  like coo with 64-bit ids, which are unsigned unless read_options::signed_ids
enum class stream_format : std::uint8_t { text, csv, coo, coo64 };

/// An allocator for vectors whose resize() leaves new elements uninitialised, because the caller fills them.
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

/// Consecutive records of a stream. Depending on named(), either pairs() or names() has them.
class operation_batch {
public:
  explicit operation_batch(std::pmr::memory_resource* memory = host_memory())
      : kinds_{memory}, pairs_{memory}, bytes_{memory}, ends_{memory}, weights_{memory} {}

  [[nodiscard]] std::size_t size() const noexcept { return kinds_.size(); }
  [[nodiscard]] bool named() const noexcept { return named_; }
  [[nodiscard]] std::span<const operation> kinds() const noexcept { return kinds_; }
  /// The number of records that are queries.
  [[nodiscard]] std::size_t queries() const noexcept { return queries_; }
  /// The integer ids of each record. Precondition: not named().
  [[nodiscard]] std::span<const edge<std::uint64_t>> pairs() const noexcept { return pairs_; }
  /// The string ids of record i, valid until the batch is filled again. Precondition: named().
  [[nodiscard]] named_edge names(std::size_t i) const noexcept {
    const auto [u, v] = ends_[i];
    const std::size_t begin = bytes_before(i);
    return {{bytes_.data() + begin, u - begin}, {bytes_.data() + u, v - u}};
  }

  /// The position of the first record with a negative id; size() if there is none.
  [[nodiscard]] std::size_t first_negative() const noexcept { return std::min(first_negative_, size()); }
  /// The position of the first record with an id above INT64_MAX; size() if there is none.
  [[nodiscard]] std::size_t first_large() const noexcept { return std::min(first_large_, size()); }
  /// True if an integer id is negative; then all of them are two's complement.
  [[nodiscard]] bool any_negative() const noexcept { return first_negative() != size(); }

  /// The weight of each record, 0 for records that insert nothing; empty if the batch has no weights.
  [[nodiscard]] std::span<const double> weights() const noexcept { return weights_; }

  void clear(bool named) noexcept;
  /// Reserves memory for `records` records whose names have `name_bytes` bytes in total. Precondition: size() == 0.
  void reserve(std::size_t records, std::size_t name_bytes = 0);
  /// Appends a record. If `are_signed`, the ids are two's complement.
  void add(operation kind, edge<std::uint64_t> pair, bool are_signed = false) {
    if (has_sign_bit(pair.u | pair.v)) [[unlikely]]
      note_sign(size(), are_signed);
    add_kind(kind);
    pairs_.push_back(pair);
  }
  void add(operation kind, named_edge pair);
  /// Appends the weight of the last added record. Either all records of a batch have a weight, or none.
  void add_weight(double weight) { weights_.push_back(weight); }
  /// The records [first, first + count) of another batch.
  struct part {
    const operation_batch* batch;
    std::size_t first, count;
  };
  /// Appends parts of other batches in the given order, with several threads. Precondition: all are named() or none is.
  void append(std::span<const part> parts, unsigned threads);
  /// Appends the queries of another batch. Precondition: both are named() or none is.
  void add_queries_of(const operation_batch& other);
  /// Keeps the first `size` records.
  void shrink(std::size_t size) noexcept;

private:
  void add_kind(operation kind) {
    kinds_.push_back(kind);
    queries_ += static_cast<std::size_t>(kind == operation::query);
  }
  /// The number of queries among the records [begin, end).
  [[nodiscard]] std::size_t queries_in(std::size_t begin, std::size_t end) const noexcept;
  /// The number of bytes of the names of the first `records` records.
  [[nodiscard]] std::size_t bytes_before(std::size_t records) const noexcept { return records == 0 ? 0 : ends_[records - 1].v; }
  void note_sign(std::size_t record, bool negative) noexcept {
    std::size_t& first = negative ? first_negative_ : first_large_;
    first = std::min(first, record);
  }

  bool named_ = false;
  std::size_t queries_ = 0;
  std::size_t first_negative_ = SIZE_MAX, first_large_ = SIZE_MAX;
  template <class T>
  using column = std::vector<T, unset_allocator<T>>;

  column<operation> kinds_;
  column<edge<std::uint64_t>> pairs_;
  column<char> bytes_;              ///< the names u and v of each record, concatenated
  column<edge<std::size_t>> ends_;  ///< end positions of u and v in bytes_
  column<double> weights_;
};

/// Options for reading a stream. Of the inherited read_options, those for edge lists except `vertices` apply, and block_bytes and counts.
struct stream_read_options : read_options {
  /// If not set, the suffix decides: .csv, .coo or .coo64, before .gz or .zst; other names are text.
  std::optional<stream_format> records;
  /// If `ids` is automatic: true if earlier ids were strings, false if they were integers; if not set, the first record decides.
  std::optional<bool> named = std::nullopt;
  std::uint64_t largest_id = UINT64_MAX;  ///< ids above it are refused, and if it is set, negative ids too
  bool erases = false;                    ///< `- u v` is also a record: operation::erase
  /// Batches contain the weights of `weight_column`; without min_weight no record is dropped because of its weight.
  bool weights = false;
};

class operation_reader {
public:
  /// Opens a stream. `path` "-" is standard input. `.gz` and `.zst` are recognised by content. Throws input_error if it cannot be opened;
  /// usage_error if weights are requested without a weight column, or from raw pairs, which have none.
  explicit operation_reader(const std::filesystem::path& path, const stream_read_options& options = {}, const execution& on = {});
  operation_reader(operation_reader&&) noexcept;
  ~operation_reader();

  /// Reads the next `limit` records, or fewer at the end of the stream; returns false if there is none. Waits until that many have arrived
  /// or the stream ends. Threads parse the available input, partly ahead. The records are stored in memory of the resource that `batch` was
  /// made with. Throws input_error, `file:line: found X, expected Y` (for binary pairs, with the number of the pair).
  [[nodiscard]] bool next(operation_batch& batch, std::size_t limit);

private:
  class source;
  std::unique_ptr<source> source_;
};

}  // namespace copse::io
